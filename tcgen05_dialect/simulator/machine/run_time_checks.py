"""
Checks of operands that become known in a run: the verifiers of the `ptx` dialect are called again,
with the values as constants.
"""

from collections.abc import Sequence
from functools import cache

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...isa.targets import check_feature, parse_version
from ...ptx.instruction import Instruction, syntax_of
from ...ptx.known_values import run_time_bits
from ...ptx.target import TargetAttr, known_target_of
from ...reporting.diagnostics import violation_of
from ...xdsl_support.own_checks import own_checks
from .machine import Group, Step, Wait


def target_of(op: Operation) -> TargetAttr | None:
    """The target of the module of an operation, if it has one."""
    root = op.get_toplevel_object()
    return known_target_of(root) if isinstance(root, ModuleOp) else None


def asked_values(op: Instruction) -> Sequence[SSAValue]:
    """The operands that are not constant, but for whose values the verifiers ask."""
    asked: dict[SSAValue, None] = {}
    if not _may_ask(type(op)):
        return ()

    def ask(value: SSAValue) -> None:
        asked[value] = None

    with run_time_bits(ask):
        own_checks(type(op))(op)
        op.features()
    return [*asked]


@cache
def _may_ask(op_type: type[Instruction]) -> bool:
    """Whether verifiers of an instruction may ask for the values of its operands."""
    is_usual = own_checks(op_type) is Instruction.verify_
    has_features = op_type.features is not Instruction.features
    return not is_usual or has_features or bool(syntax_of(op_type).limits)


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
            _verify(op, dict(zip(values, bits, strict=True)), target, known)
            seen.add(bits)
        return step(group)

    return run


def _verify(
    op: Instruction, bits: dict[SSAValue, int], target: TargetAttr | None, known: Sequence[str]
) -> None:
    """Verify an instruction with these operands, also for the target, which has the features
    `known`. Raises Violation."""
    with run_time_bits(bits.get):
        try:
            own_checks(type(op))(op)
        except VerifyException as error:
            violation = violation_of(error)
            if violation is None:
                raise
            raise violation from error
        needed = op.features()
    if target is None:
        return
    for feature in set(needed).difference(known):
        check_feature(feature, target.target.data, parse_version(target.version.data))
