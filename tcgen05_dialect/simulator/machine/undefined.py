"""
Undefined values: registers that nothing has written (`ptx.undefined`), and the coordinates in the
response to a request that failed.

Compilers copy and compute with such values, as long as nothing depends on the result. An address
that depends on one is an error, and so is a condition that depends on such coordinates.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...isa.model.rule import Rule
from ...isa.practice import FAILED_COORDINATES, UNDEFINED
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx import instructions as ptx
from ...ptx.control_flow import Branch, BrxOp, CondBraOp
from ...ptx.instruction import Instruction, PureInstruction
from ...ptx.instructions import (
    ClusterlaunchcontrolFirstCtaOp,
    ClusterlaunchcontrolFirstCtaVectorOp,
    CvtaOp,
    CvtaToOp,
    MapaOp,
)
from ...ptx.kernel import KernelOp
from ...ptx.structure import GuardOp, UndefinedOp, YieldOp
from ...ptx.syntax import values_of
from ..numbers.floats import Lanes, some
from .errors import fault
from .machine import Group, Step, Wait
from .state import is_canceled

_ADDRESSES = (
    *("address", "destination", "source", "mbarrier", "tensor_map", "taddr", "descriptor"),
    "coordinates",
)
"""Operands that are addresses, or contain one."""
_STRICT = (
    *(ptx.MovOp, ptx.AddOp, ptx.SubOp, ptx.MulOp, ptx.MulWideOp, ptx.MadOp, ptx.MadWideOp),
    *(ptx.DivOp, ptx.RemOp, ptx.MinOp, ptx.MaxOp, ptx.NegOp, ptx.AbsOp, ptx.NotOp, ptx.XorOp),
    *(ptx.ShlOp, ptx.ShrOp, ptx.CvtOp, ptx.SetpOp, CvtaOp, CvtaToOp, MapaOp),
)
"""Operations whose result is undefined if one of their operands is."""
_FIRST_CTA = (ClusterlaunchcontrolFirstCtaOp, ClusterlaunchcontrolFirstCtaVectorOp)

Join: TypeAlias = Callable[[Sequence[Lanes], Sequence[Lanes]], Lanes]
"""The lanes in which a result is undefined, by the operands and the lanes in which each is."""


def _any(values: Sequence[Lanes], undefined: Sequence[Lanes]) -> Lanes:
    return np.logical_or.reduce(undefined)


def _absorbed(absorbs: Callable[[Lanes], Lanes]) -> Join:
    """The lanes of an operation whose result some operands decide alone."""

    def join(values: Sequence[Lanes], undefined: Sequence[Lanes]) -> Lanes:
        pairs = zip(values, undefined, strict=True)
        decided = [absorbs(value) & ~wrong for value, wrong in pairs]
        return _any(values, undefined) & ~np.logical_or.reduce(decided)

    return join


def _selected(values: Sequence[Lanes], undefined: Sequence[Lanes]) -> Lanes:
    a, b, condition = undefined
    return condition | np.where(values[-1], a, b)


def _failed(values: Sequence[Lanes], undefined: Sequence[Lanes]) -> Lanes:
    return ~is_canceled(values[0])


_JOINS: Mapping[type[Operation], Join] = {
    **dict.fromkeys(_STRICT, _any),
    ptx.AndOp: _absorbed(lambda value: value == 0),
    ptx.OrOp: _absorbed(lambda value: ~value == 0),
    ptx.SelpOp: _selected,
    **dict.fromkeys(_FIRST_CTA, _failed),
}


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
    roots = (UndefinedOp, *_FIRST_CTA)
    return _computed_from(kernel, roots)


def coordinate_values(kernel: KernelOp) -> Set[SSAValue]:
    """The values that may be undefined because a request failed."""
    return _computed_from(kernel, _FIRST_CTA)


def _computed_from(kernel: KernelOp, roots: tuple[type[Operation], ...]) -> Set[SSAValue]:
    pending: list[SSAValue] = [
        each for op in kernel.walk() if isinstance(op, roots) for each in op.results
    ]
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
    return op.results if type(op) in _JOINS else ()


def addresses_of(op: Operation) -> Sequence[SSAValue]:
    """The operands of an instruction that are addresses."""
    if not isinstance(op, Instruction) or isinstance(op, PureInstruction):
        return ()
    names = {name for name, _ in op.get_irdl_definition().operands}
    return [value for name in _ADDRESSES if name in names for value in values_of(op, name)]


def condition_of(op: Operation) -> Sequence[SSAValue]:
    """The operand that decides which way a branch or guard goes."""
    if isinstance(op, CondBraOp | GuardOp):
        return (op.predicate,)
    return (op.index,) if isinstance(op, BrxOp) else ()


def refusing(op: Operation, step: Step, flags: Sequence[int], rule: Rule, what: str) -> Step:
    """Wrap an instruction to raise OperationError if one of its operands is undefined."""

    def checked(group: Group) -> Wait | None:
        for flag in flags:
            wrong = group.read(flag) & group.mask
            if some(wrong):
                where = group.warp.name_of(wrong)
                raise fault(op, rule, f"the {what} in {where} {_SOURCE[rule]}")
        return step(group)

    return checked


_SOURCE = {
    UNDEFINED: "is computed from a register that nothing has written",
    FAILED_COORDINATES: "is computed from the coordinates in a response to a request that failed",
}


def joining(op: Operation, values: Sequence[int], sources: Sequence[int], target: int) -> Step:
    """Step that sets the lanes in which a result of an operation is undefined, by the registers of
    its operands and the flags of these."""
    join = _JOINS.get(type(op))

    def run(group: Group) -> Wait | None:
        read = group.read
        none = np.zeros(WARP_LANES, np.bool_)
        undefined = join([*map(read, values)], [*map(read, sources)]) if join else none
        group.write(target, undefined)
        return None

    return run
