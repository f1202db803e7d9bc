"""
Undefined values: registers that nothing has written (`ptx.undefined`).

Compilers copy and compute with registers that hold no value, as long as nothing depends on the
result. An address that depends on one is an error.
"""

from collections.abc import Sequence, Set
from typing import Any, NamedTuple

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...isa.simulation import UNDEFINED
from ...isa.tensor_memory.cells import WARP_LANES
from ...ptx import arithmetic as ptx
from ...ptx.control_flow import Branch
from ...ptx.instruction import Instruction, PureInstruction
from ...ptx.kernel import KernelOp
from ...ptx.memory import CvtaOp, CvtaToOp, MapaOp
from ...ptx.structure import GuardOp, UndefinedOp, YieldOp
from ...ptx.syntax import values_of
from ..numbers.lanes import Lanes, some
from .errors import fault
from .machine import Group, Step, Wait

_ADDRESSES = ("address", "destination", "source", "mbarrier", "tensor_map", "taddr", "descriptor")
"""Operands that are addresses, or contain one."""
_STRICT = (
    *(ptx.MovOp, ptx.AddOp, ptx.SubOp, ptx.MadOp, ptx.MadWideOp, ptx.CvtOp),
    *(CvtaOp, CvtaToOp, MapaOp),
)
"""Operations whose result is undefined if one of their operands is."""


class Flag(NamedTuple):
    """Key of the register that tells in which lanes a value is undefined; None is a register of
    lanes that are not."""

    value: SSAValue | None


def initial_flag(flag: Flag) -> Lanes:
    """The lanes in which a value is undefined at the beginning."""
    is_undefined = flag.value is not None and isinstance(flag.value.owner, UndefinedOp)
    return np.full(WARP_LANES, is_undefined)


def undefined_values(kernel: KernelOp) -> Set[SSAValue]:
    """The values that may be undefined in a run."""
    pending: list[SSAValue] = [op.result for op in kernel.walk() if isinstance(op, UndefinedOp)]
    found = set(pending)
    while pending:
        value = pending.pop()
        for use in value.uses:
            new = [each for each in _results(use.operation, value) if each not in found]
            found.update(new)
            pending += new
    return found


def _results(op: Operation, value: SSAValue) -> Sequence[SSAValue]:
    """The values that are undefined because of an operand."""
    if isinstance(op, Branch):
        return [
            argument
            for block, arguments in op.targets()
            for argument, given in zip(block.args, arguments, strict=True)
            if given is value
        ]
    if isinstance(op, GuardOp):
        return [out for out, old in zip(op.outputs, op.kept, strict=True) if old is value]
    if isinstance(op, YieldOp):
        guard: Any = op.parent_op()
        outputs = zip(guard.outputs, op.arguments, strict=True)
        return [out for out, given in outputs if given is value]
    return op.results if isinstance(op, _STRICT) else ()


def addresses_of(op: Operation) -> Sequence[SSAValue]:
    """The operands of an instruction that are addresses."""
    if not isinstance(op, Instruction) or isinstance(op, PureInstruction):
        return ()
    names = {name for name, _ in op.get_irdl_definition().operands}
    return [value for name in _ADDRESSES if name in names for value in values_of(op, name)]


def is_strict(op: Operation) -> bool:
    """Whether the result of an operation is undefined if one of its operands is."""
    return isinstance(op, _STRICT)


def refusing(op: Operation, step: Step, flags: Sequence[int]) -> Step:
    """Wrap an instruction to raise OperationError if one of its addresses is undefined."""

    def checked(group: Group) -> Wait | None:
        for flag in flags:
            wrong = group.read(flag) & group.mask
            if some(wrong):
                where = group.warp.name_of(wrong)
                found = "is computed from a register that nothing has written"
                raise fault(op, UNDEFINED, f"the address in {where} {found}")
        return step(group)

    return checked


def joining(sources: Sequence[int], target: int) -> Step:
    """Step that marks a value undefined in the lanes in which one of others is."""

    def join(group: Group) -> Wait | None:
        group.write(target, np.logical_or.reduce([group.read(source) for source in sources]))
        return None

    return join
