"""Rules on the operations that use the buffers of a region (T5-WS-001 to T5-WS-004)."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.ir import Operation, SSAValue

from ..isa.model.rule import Rule, Violation
from ..isa.warp_specialization import MMA_RULE, THREADS_RULE, TMA_RULE, WRITE_RULE
from ..tcgen05.ld_st import LdOp, LdRedOp, StOp
from ..tcgen05.tensor_memory import SliceOp
from .address import AddressOp
from .base import enclosing
from .copies import TmemCopyOp
from .holdings import MMA, TMA, HoldingOp
from .mma import MmaOp
from .regions import ProduceOp, YieldOp
from .roles import ElectedOp
from .sources import passed_on
from .tma import TmaLoadOp, TmaStoreOp
from .tokens import AcquireOp, ProducerAcquireOp
from .vectors import LocalLoadOp, LocalStoreOp, TmemLoadOp, TmemStoreOp

Finding = tuple[Operation, Violation]


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
    """The uses of a buffer, those of its slices and of its address included."""
    for use in [*buffer.uses]:
        op = use.operation
        if isinstance(op, SliceOp):
            yield from uses_of(op.result)
        elif isinstance(op, AddressOp):
            # What a raw operation does at an address is known only in the lowered kernel.
            for raw in [*op.result.uses]:
                by = MMA if _is_elected(raw.operation) else "threads"
                yield Use(raw.operation, by, reads=True, writes=True)
        elif isinstance(op, TmaLoadOp):
            yield Use(op, TMA, reads=False, writes=True)
        elif isinstance(op, TmemCopyOp):
            is_tile = use.index == 0
            yield Use(op, MMA, reads=is_tile, writes=not is_tile)
        elif isinstance(op, MmaOp):
            is_d = use.index == 0
            yield Use(op, MMA, reads=not is_d, writes=is_d)
        elif (access := _BY_THREADS.get(type(op))) is not None:
            yield Use(op, "threads", *access)
        else:
            by = MMA if _is_elected(op) else "threads"
            yield Use(op, by, reads=True, writes=True)


def _is_elected(op: Operation) -> bool:
    return any(isinstance(each, ElectedOp) for each in enclosing(op))


def holding_findings(op: HoldingOp) -> Iterator[Finding]:
    """The violations by the operations that use the buffers of a stage."""
    rule = {TMA: TMA_RULE, MMA: MMA_RULE}.get(op.kind, THREADS_RULE)
    for buffer in op.buffers:
        name = f"%{buffer.name_hint or 'buffer'}"
        uses = [*_all_uses(op, buffer)]
        wrong = [use for use in uses if use.by != op.kind]
        for use in wrong:
            what = f"the use of {name} {op.SPAN} by {op.kind}"
            legal = _LEGAL[op.kind]
            yield use.op, rule.violation(use.op.name, legal, what, culprit=buffer.name_hint or "")
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
    TMA: TmaLoadOp.name,
    MMA: f"{MmaOp.name}, or a raw operation in {ElectedOp.name}",
    "threads": "a load or a store by threads",
}


def _access_findings(op: HoldingOp, rule: Rule, name: str, uses: list[Use]) -> Iterator[Finding]:
    if op.kind == TMA:
        for use in uses:
            if use.op.parent is not op.home:
                yield use.op, rule.violation(_place(use.op), op.PLACE, f"the load of {name}")
        if len(uses) != 1:
            what = f"the number of loads of {name}"
            yield op, rule.violation(len(uses), 1, what)
        return
    if op.SIDE == "produce":
        if not any(use.writes for use in uses):
            sentence = f"no operation by {op.kind} {op.SPAN} writes {name}, which it produces"
            yield op, rule.violation(None, None, sentence=sentence, help="write the buffer")
        yield from _store_findings(op, name, uses)
        return
    if not any(use.reads or op.ring_op.in_place for use in uses):
        sentence = f"no operation by {op.kind} {op.SPAN} reads {name}, which it consumes"
        yield op, rule.violation(None, None, sentence=sentence, help="read the buffer")
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
                yield after, THREADS_RULE.violation(None, None, sentence=sentence, help=help_)
                break
            after = after.next_op
