"""
Checks of operands that become known in a run: the verifiers of the `ptx` dialect are called again,
with the values as constants.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ...ptx.instruction import Instruction
from ...ptx.operand_checks import verify_with, warnings_with
from ...ptx.target import TargetAttr, known_target_of
from .machine import Group, Step, Wait


def target_of(op: Operation) -> TargetAttr | None:
    """The target of the module of an operation, if it has one."""
    root = op.get_toplevel_object()
    return known_target_of(root) if isinstance(root, ModuleOp) else None


def checked(
    step: Step,
    op: Instruction,
    registers: Sequence[tuple[SSAValue, int]],
    target: TargetAttr | None,
) -> Step:
    """Wrap an instruction to verify it with the values in registers, once for equal values."""
    values = [value for value, _ in registers]
    indices = [index for _, index in registers]
    seen: set[tuple[int, ...]] = set()
    # The compiler checks the features that do not depend on these operands.
    known = op.features()

    def run(group: Group) -> Wait | None:
        lanes = group.mask.nonzero()[0]
        rows = [group.read(index)[lanes].tolist() for index in indices]
        for bits in set(zip(*rows, strict=True)) - seen:
            given = dict(zip(values, bits, strict=True))
            verify_with(op, given, target, known)
            for warning in warnings_with(op, given):
                group.machine.judge.warn(op, warning)
            seen.add(bits)
        return step(group)

    return run
