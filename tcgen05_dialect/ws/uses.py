"""Rules on the operations that use the buffers of a region (T5-WS-001 to T5-WS-004, T5-WS-021)."""

from collections.abc import Hashable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from ..isa.model.rule import Rule, Violation
from ..isa.practice import MMA_RULE, STORE_RULE, THREADS_RULE, TMA_RULE, WRITE_RULE
from ..ptx.analysis.known_values import constant_value
from ..reporting.diagnostics import text_place, value_name
from ..tcgen05.alloc import SliceOp
from ..tcgen05.ld_st import LdOp, LdRedOp, StOp
from .base import AddressOp, enclosing, only_computes
from .copies import TmemCopyOp
from .kernel import Kernel
from .products import MmaOp
from .regions import AcquireOp, ProduceOp, ProducerAcquireOp, YieldOp, passed_on
from .rings import MMA, THREADS, TMA, HoldingOp
from .roles import ElectedOp
from .tma import TmaLoadOp, TmaStoreOp
from .vectors import LocalLoadOp, LocalStoreOp, TmemLoadOp, TmemStoreOp

Finding = tuple[Operation, Violation]
_ELECTED = f"one thread, in {ElectedOp.name}"


class Use(NamedTuple):
    """An operation that uses a buffer: what it does, and who does it."""

    op: Operation
    by: str
    reads: bool
    writes: bool


_BY_THREADS: Mapping[type[Operation], tuple[bool, bool]] = {
    TmemLoadOp: (True, False),
    TmemStoreOp: (False, True),
    LocalLoadOp: (True, False),
    LocalStoreOp: (False, True),
    LdOp: (True, False),
    LdRedOp: (True, False),
    StOp: (False, True),
    TmaStoreOp: (True, False),
}
"""Operations by which threads read or write a buffer."""


def uses_of(buffer: SSAValue) -> Iterator[Use]:
    """The uses of a buffer, including its slices and its address."""
    for use in [*buffer.uses]:
        op = use.operation
        if isinstance(op, SliceOp):
            yield from uses_of(op.result)
        elif isinstance(op, AddressOp):
            yield from map(_raw_use, _users(op.result))
        elif isinstance(op, TmaLoadOp):
            yield Use(op, TMA, reads=False, writes=True)
        elif isinstance(op, TmemCopyOp):
            is_tile = use.index == 0
            yield Use(op, MMA, reads=is_tile, writes=not is_tile)
        elif isinstance(op, MmaOp):
            is_d = use.index == 0
            yield Use(op, MMA, reads=not is_d, writes=is_d)
        elif (access := _BY_THREADS.get(type(op))) is not None:
            yield Use(op, THREADS, *access)
        else:
            yield _raw_use(op)


def _users(address: SSAValue) -> Iterator[Operation]:
    """The operations that use an address or one computed from it."""
    for user in dict.fromkeys(use.operation for use in [*address.uses]):
        if only_computes(user) and user.results:
            for result in user.results:
                yield from _users(result)
        else:
            yield user


def _raw_use(op: Operation) -> Use:
    """The use of a buffer by a raw operation. What it does is known only in the lowered kernel."""
    is_elected = any(isinstance(each, ElectedOp) for each in enclosing(op))
    return Use(op, _ELECTED if is_elected else THREADS, reads=True, writes=True)


def holding_findings(op: HoldingOp) -> Iterator[Finding]:
    """The violations by the operations that use the buffers of a stage."""
    rule = {TMA: TMA_RULE, MMA: MMA_RULE}.get(op.kind, THREADS_RULE)
    for buffer in op.buffers:
        name = value_name(buffer, f"a buffer of {value_name(op.ring, 'a ring')}")
        uses = [*_all_uses(op, buffer)]
        legal = (op.kind,) if op.kind == THREADS else (op.kind, _ELECTED)
        wrong = [use for use in uses if use.by not in legal]
        for use in wrong:
            what = f"the use of {name} {op.SPAN} by {op.kind}"
            culprit = buffer.name_hint or ""
            yield use.op, rule.violation(use.op.name, _LEGAL[op.kind], what, culprit=culprit)
        if not wrong:
            yield from _access_findings(op, rule, name, uses)


def _all_uses(op: HoldingOp, buffer: SSAValue) -> Iterator[Use]:
    """The uses of a buffer, which may be passed on with the token of its stage."""
    if isinstance(op, AcquireOp):
        for each in passed_on(buffer):
            yield from (use for use in uses_of(each) if not isinstance(use.op, _PASSING))
    else:
        yield from uses_of(buffer)


_PASSING = (scf.ForOp, scf.YieldOp, YieldOp)
"""Operations that pass on a buffer."""


_LEGAL = {
    TMA: f"{TmaLoadOp.name}, or a raw operation in {ElectedOp.name}",
    MMA: f"{MmaOp.name}, or a raw operation in {ElectedOp.name}",
    THREADS: "a load or a store by threads",
}


def _access_findings(op: HoldingOp, rule: Rule, name: str, uses: list[Use]) -> Iterator[Finding]:
    if op.kind == TMA:
        loads = [use.op for use in uses if use.by == TMA]
        for load in loads:
            if load.parent is not op.home:
                yield load, rule.violation(_place(load), op.PLACE, f"the load of {name}")
        # What copies of raw operations load is known only in the lowered kernel.
        if len(uses) != 1 and (loads or not uses):
            what = f"the number of loads of {name}"
            yield op, rule.violation(len(uses), 1, what)
        return
    if op.SIDE == "produce":
        if not any(use.writes for use in uses):
            sentence = f"no operation by {op.kind} {op.SPAN} writes {name}, which it produces"
            yield op, rule.says(sentence, help="write the buffer")
        yield from _store_findings(op, name, uses)
        return
    if not any(use.reads or op.ring_op.in_place for use in uses):
        sentence = f"no operation by {op.kind} {op.SPAN} reads {name}, which it consumes"
        yield op, rule.says(sentence, help="read the buffer")
    for use in uses:
        if isinstance(use.op, TmaStoreOp):
            what = f"the operation that takes the stage of {name}, from which TMA stores,"
            legal = f"{ProduceOp.name} or {ProducerAcquireOp.name}"
            yield use.op, rule.violation(op.name, legal, what)
    if op.ring_op.in_place is None:
        for use in uses:
            if use.writes and not use.reads:
                what = f"the use of {name} by a consumer"
                yield use.op, WRITE_RULE.violation(use.op.name, "a read", what)


def _place(op: Operation) -> str:
    around = op.parent_op()
    return "in another region" if around is None else f"in {around.name}"


def _store_findings(op: HoldingOp, name: str, uses: list[Use]) -> Iterator[Finding]:
    """The violations by stores by TMA in a production."""
    stores = [use.op for use in uses if isinstance(use.op, TmaStoreOp)]
    if len(stores) > 1:
        what = f"the number of stores of {name} by TMA"
        yield stores[1], THREADS_RULE.violation(len(stores), "at most 1", what)
        return
    for store in stores:
        if store.parent is not op.home:
            what = f"the store of {name}"
            yield store, THREADS_RULE.violation(_place(store), op.PLACE, what)
            continue
        after = store.next_op
        while after is not None:
            if any(use.op is each for use in uses for each in after.walk()):
                sentence = f"{after.name} uses {name} behind the store of {name} by TMA"
                help_ = "store the tile behind all of its uses"
                yield after, THREADS_RULE.says(sentence, help_)
                break
            after = after.next_op


def store_findings(kernel: Kernel) -> Iterator[tuple[Operation, Violation]]:
    """The stores that certainly write what another one writes: to the same indices, of which loop
    counters with the same bounds have the same first number, and under the same conditions."""
    stores = [op for op in kernel.op.walk() if isinstance(op, TmaStoreOp)]
    for one, other in combinations(stores, 2):
        if _target(one) == _target(other):
            name = other.tensor_map.name_hint or "the tensor map"
            place = text_place(one.location)
            which = "another store" if place is None else f"the store in line {place.line.data}"
            sentence = f"{which} writes the same tile of %{name}, and nothing orders the two"
            yield other, STORE_RULE.says(sentence)
            return


def _target(op: TmaStoreOp) -> Hashable:
    """What decides which elements a store writes, and whether it is executed."""
    given = *op.mixed_indices, *op.rows
    indices = tuple(each if isinstance(each, int) else _number(each) for each in given)
    counted = op.elements is not None, tuple(op.is_half)
    return op.tensor_map, op.tile.type, counted, indices, tuple(_control(op))


def _control(op: Operation) -> Iterator[Hashable]:
    """The bounds of the loops around an operation, and the sides of conditionals."""
    inner = op
    for around in enclosing(op):
        if isinstance(around, scf.ForOp):
            yield _bounds(around)
        elif around.name.startswith("scf."):
            yield inner.parent_region()
        inner = around


def _bounds(loop: scf.ForOp) -> Hashable:
    return loop.name, *map(_number, (loop.lb, loop.ub, loop.step))


def _number(value: SSAValue) -> Hashable:
    """A key for a value: values with the same key are equal if all loops are at their first
    iteration."""
    constant = constant_value(value)
    if constant is not None:
        return constant
    owner = value.owner
    if isinstance(owner, Block):
        loop = owner.parent_op()
        if isinstance(loop, scf.ForOp) and value is owner.args[0]:
            return _bounds(loop)
        return value
    if owner.regions or not only_computes(owner):
        return value
    attributes = tuple(sorted({**owner.properties, **owner.attributes}.items()))
    at = owner.results.index(value)
    return owner.name, at, attributes, *map(_number, owner.operands)
