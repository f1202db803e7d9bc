"""
Control slice of a kernel: the values on which branches, addresses and synchronisation depend.

The rest of a kernel only computes data. A run that leaves it out takes the same branches and makes
the same accesses.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import Pure

from ..ptx import tcgen05
from ..ptx.analysis.dominance import reverse_postorder
from ..ptx.bulk_copy import CpAsyncBulkTensorLoadOp, CpAsyncBulkTensorStoreOp
from ..ptx.control_flow import Branch, CondBraOp
from ..ptx.kernel import KernelOp
from ..ptx.memory import LdOp, StOp
from ..ptx.structure import GuardOp, VolatileRegisterOp
from ..ptx.synchronization import NanosleepOp, ShflSyncOp
from ..ptx.syntax import values_of
from .flow import backwards, forwards, passed_values

_DATA: Mapping[type[Operation], tuple[str, ...]] = {
    StOp: ("values",),
    tcgen05.StOp: ("values",),
    ShflSyncOp: ("a",),
    NanosleepOp: ("duration",),
    CpAsyncBulkTensorLoadOp: ("cache_policy",),
    CpAsyncBulkTensorStoreOp: ("cache_policy",),
}
"""Operation -> its operands that change neither control nor accesses."""
_SOURCES = (tcgen05.LdOp, tcgen05.LdRedOp, VolatileRegisterOp)
"""Operations whose results no run without data knows."""


@dataclass(frozen=True)
class Slice:
    """
    `needed` are the values that a run without data computes. `tainted` are values that may depend
    on data; a load of global or shared memory is tainted unless its result is needed, because the
    run then checks the bytes that it reads. `undecided` are needed values that depend on data, and
    `loaded` are needed values that loads read.
    """

    needed: frozenset[SSAValue]
    tainted: frozenset[SSAValue]
    undecided: tuple[SSAValue, ...]
    loaded: tuple[SSAValue, ...]

    def keeps(self, op: Operation) -> bool:
        """Whether a run without data executes an operation."""
        return not op.has_trait(Pure) or any(result in self.needed for result in op.results)


def slice_of(kernel: KernelOp) -> Slice:
    """The slice of a kernel; it takes time linear in the number of operations."""
    blocks = reverse_postorder(kernel.body)
    ops = list(_operations(blocks))
    passed = passed_values(blocks)
    control = [value for op in ops for value in _control_operands(op)]
    needed = backwards(control, passed, _operands)
    sources = (
        result
        for op in ops
        if isinstance(op, (*_SOURCES, LdOp))
        for result in op.results
        if not isinstance(op, LdOp) or result not in needed
    )
    tainted = computed_from(sources)
    stored = (
        value for op in ops if isinstance(op, StOp) for value in op.values if value not in tainted
    )
    needed |= backwards(stored, passed, _operands)
    undecided, loaded = (
        tuple(
            result
            for op in ops
            if isinstance(op, types)
            for result in op.results
            if result in needed
        )
        for types in (_SOURCES, LdOp)
    )
    return Slice(frozenset(needed), frozenset(tainted), undecided, loaded)


def deciding(value: SSAValue) -> list[tuple[Operation, SSAValue]]:
    """The operations whose effects depend on a value, each with the operand by which they do."""
    return [
        (use.operation, each)
        for each in computed_from([value])
        for use in each.uses
        if each in _control_operands(use.operation)
    ]


def _operations(blocks: Iterable[Block]) -> Iterator[Operation]:
    for block in blocks:
        for op in block.ops:
            yield op
            if isinstance(op, GuardOp):
                yield from op.body.block.ops


def _control_operands(op: Operation) -> Iterator[SSAValue]:
    """The operands of an operation with effects on which its effects depend."""
    if isinstance(op, Branch):
        if isinstance(op, CondBraOp):
            yield op.predicate
        return
    if op.has_trait(Pure):
        return
    data = {value for name in _DATA.get(type(op), ()) for value in values_of(op, name)}
    for operand in op.operands:
        if operand not in data:
            yield operand


def computed_from(roots: Iterable[SSAValue]) -> set[SSAValue]:
    """Values, and all that are computed from them."""
    return forwards(roots, _results)


def _results(op: Operation, value: SSAValue) -> Iterable[SSAValue]:
    """The results of an operation that depend on an operand."""
    if op.has_trait(Pure):
        return op.results
    return (op.d,) if isinstance(op, ShflSyncOp) and op.a is value else ()


def _operands(op: Operation) -> Iterable[SSAValue]:
    """The operands on which the results of an operation depend."""
    if op.has_trait(Pure):
        return op.operands
    return (op.a,) if isinstance(op, ShflSyncOp) else ()
