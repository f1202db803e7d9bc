"""
Asynchronous bulk copies and reductions of bytes (9.7.9.25.4).

Choice that the manual leaves open: bytes that a copy with `.ignore_oob` ignores count as unwritten.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from xdsl.ir import Operation

from ...isa.instructions.copies import CHUNK_BYTES, CHUNKS
from ...isa.model.rule import raise_any
from ...isa.practice import BOUNDS, SAME_STORE, UNWRITTEN
from ...isa.ptx.ptx_text import OPERAND_BITS
from ...ptx import instructions as ptx
from ...ptx.text.syntax import SPELLING, offset_of, word_of
from ..machine.errors import fault
from ..machine.machine import Group, Step
from ..machine.program import Handler, Program, nothing
from ..machine.state import Cta
from ..machine.tensor_core import BulkStore
from ..machine.tensor_memory import Bytes, Memory, Space
from ..numbers.floats import Lanes, unsigned
from ..numbers.integers import Combine, combination
from ..order.events import Access
from ..order.race_detector import Judge
from ..order.shadow import Where
from .bulk_copy import shared_address
from .mbarrier import issue_grouped, issue_tracked

Number = Callable[[Group, int], int]
"""Reads an operand in a lane."""


class _Run(NamedTuple):
    """Consecutive bytes of a memory."""

    memory: Memory
    start: int
    size: int

    @property
    def cells(self) -> slice:
        return slice(self.start, self.start + self.size)

    def where(self, mask: Lanes | None) -> Where | None:
        """The bytes that a mask selects, None for all; None if there are none."""
        if mask is None:
            return Where.span(self.start, self.start + self.size) if self.size else None
        chosen = mask.nonzero()[0]
        return Where.at(self.start + chosen) if chosen.size else None


@dataclass(eq=False)
class _Transfer:
    """
    Bytes that go to another memory, or are combined with those there. `mask` tells which bytes are
    copied, None for all. The first byte goes to byte `lead` of the target; the bytes of the target
    around the copied ones become indeterminate.
    """

    op: Operation
    source: _Run
    target: _Run
    mask: Lanes | None = None
    combine: Combine | None = None
    lead: int = 0
    _data: Bytes = field(default_factory=lambda: np.zeros(0, np.uint8), init=False)

    def touch(self, judge: Judge, reading: Access, writing: Access) -> None:
        """Check the accesses for races. Raises OperationError."""
        if (where := self.source.where(self.mask)) is not None:
            self.source.memory.check_opaque(self.op, where)
            # Only copies of the same thread are ordered.
            key = where.bounds, self.mask is not None and self.mask.tobytes(), int(reading.rows[0])
            judge.read(reading, self.source.memory, where, key)
        if (where := self.target.where(self.mask)) is not None:
            self.target.memory.check_opaque(self.op, where)
            judge.write(writing, self.target.memory, where)

    def read(self) -> None:
        """Read the source. Raises OperationError if it was never written."""
        self._check_written(self.source)
        self._data = self.source.memory.bytes[self.source.cells].copy()

    def write(self) -> None:
        """Write what was read. Raises OperationError if a number there was never written."""
        memory, cells = self.target.memory, self.target.cells
        if self.combine is not None:
            self._check_written(self.target)
            type_ = unsigned(OPERAND_BITS[word_of(self.op, "type") or ""])
            old, given = memory.bytes[cells].view(type_), self._data.view(type_)
            memory.bytes[cells] = self.combine(old, given).astype(type_, copy=False).view(np.uint8)
        elif self.mask is not None:
            memory.bytes[cells][self.mask] = self._data[self.mask]
            memory.written[cells][self.mask] = True
        else:
            first = self.target.start + self.lead
            end = first + self._data.size
            memory.bytes[first:end] = self._data
            memory.written[first:end] = True
            memory.written[cells.start : first] = False
            memory.written[end : cells.stop] = False

    def _check_written(self, run: _Run) -> None:
        missing = ~run.memory.written[run.cells]
        if self.mask is not None:
            missing &= self.mask
        if missing.any():
            place = run.memory.place(run.start + int(missing.argmax()))
            raise fault(self.op, UNWRITTEN, f"{place} was never written")


def _number(op: Any, program: Program, name: str) -> Number:
    index, offset = program.index(getattr(op, name)), offset_of(op, name)
    return lambda group, lane: int(group.read(index)[lane]) + offset


def _run(op: Operation, space: Space, address: int, size: int) -> _Run:
    """The bytes at an address. Raises Violation if it is misaligned, and OperationError if they are
    out of bounds."""
    raise_any(CHUNKS.address_violations(address))
    memory, start = space.find(op, address, max(size, 1))
    return _Run(memory, start, size)


def _check_own(op: Operation, cta: Cta, memory: Memory, verb: str) -> None:
    """Raise OperationError unless shared memory is that of the executing CTA."""
    if memory is not cta.shared:
        found = f"{cta.name} executes the copy, but it {verb} {memory.name}"
        raise fault(op, BOUNDS, found, "use the shared memory of the executing CTA")


def _load(op: Any, program: Program) -> Step:
    destination, mbarrier = (
        shared_address(op, program, name) for name in ("destination", "mbarrier")
    )
    source, size = _number(op, program, "source"), _number(op, program, "size")
    masks = program.operands(op, "multicast_mask") if hasattr(op, "multicast_mask") else []
    ends: list[Number] = []
    if isinstance(op, ptx.CpAsyncBulkLoadIgnoreOobOp):
        ends = [_number(op, program, name) for name in ("ignored_left", "ignored_right")]
    own = bool(ends) or word_of(op, SPELLING) == "shared::cta"

    def step(group: Group) -> None:
        machine, cta = group.machine, group.warp.cta
        cluster = cta.cluster
        for lane in group.lanes:
            count, address, barrier = (each(group, lane) for each in (size, source, mbarrier))
            raise_any(CHUNKS.address_violations(address))
            left, right = (end(group, lane) for end in ends) if ends else (0, 0)
            kept = max(0, count - left - right)
            found = machine.global_space.find(op, address + left, max(1, kept))
            to = _run(op, cluster.space, destination(group, lane), count)
            if own:
                _check_own(op, cta, to.memory, "writes")
            signalled = cluster.cta_of(op, barrier)
            targets = [(to.memory, signalled)]
            if masks:
                named = cluster.named_by(int(group.read(masks[0])[lane]))
                targets = [(each.shared, each) for each in named]
            for memory, owner in targets:
                transfer = _Transfer(op, _Run(*found, kept), to._replace(memory=memory), lead=left)
                place = owner, barrier - signalled.shared.base + owner.shared.base
                _issue_transfer(transfer, group, lane, place)
                machine.statistics.bytes_loaded += count

    return step


def _remote(op: Any, program: Program) -> Step:
    """Handler of a copy or a reduction to shared memory of a cluster."""
    source, destination, mbarrier = (
        shared_address(op, program, name) for name in ("source", "destination", "mbarrier")
    )
    size, combine = _number(op, program, "size"), _combination(op)

    def step(group: Group) -> None:
        cta = group.warp.cta
        space = cta.cluster.space
        for lane in group.lanes:
            count, barrier = size(group, lane), mbarrier(group, lane)
            given = _run(op, space, source(group, lane), count)
            _check_own(op, cta, given.memory, "reads")
            to = _run(op, space, destination(group, lane), count)
            place = cta.cluster.cta_of(op, barrier), barrier
            _issue_transfer(_Transfer(op, given, to, combine=combine), group, lane, place)

    return step


def _issue_transfer(transfer: _Transfer, group: Group, lane: int, place: tuple[Cta, int]) -> None:
    """Issue a transfer that completes on the barrier object at a place."""
    judge = group.machine.judge

    def touch(access: Access) -> None:
        transfer.touch(judge, access, access)

    steps = [transfer.read, transfer.write]
    size = transfer.target.size
    issue_tracked(transfer.op, group, lane, place, size, touch, steps)


def _store(op: Any, program: Program) -> Step:
    """Handler of a copy or a reduction to global memory."""
    source, destination = (
        shared_address(op, program, "source"),
        _number(op, program, "destination"),
    )
    size, combine = _number(op, program, "size"), _combination(op)
    masks = program.operands(op, "byte_mask") if hasattr(op, "byte_mask") else []

    def step(group: Group) -> None:
        machine, cta = group.machine, group.warp.cta
        issued: dict[tuple[int, int, int], BulkStore] = {}
        for lane in group.lanes:
            count, at, to = (each(group, lane) for each in (size, source, destination))
            if combine is None and (same := issued.get((at, to, count))) is not None:
                text = f"{group.width} lanes of {group.warp.name} each execute it, for the same"
                machine.judge.report(op, SAME_STORE, f"{text} bytes")
                group.warp.bulk_groups.add(lane, same)
                continue
            given = _run(op, cta.cluster.space, at, count)
            _check_own(op, cta, given.memory, "reads")
            transfer = _Transfer(
                op,
                given,
                _run(op, machine.global_space, to, count),
                _repeated(int(group.read(masks[0])[lane]), count) if masks else None,
                combine,
            )
            issued[at, to, count] = issue_grouped(
                op,
                group,
                lane,
                lambda reading, writing, its=transfer: its.touch(machine.judge, reading, writing),
                transfer.read,
                transfer.write,
            )
            machine.statistics.bytes_stored += count

    return step


def _repeated(mask: int, size: int) -> Lanes:
    """The bytes that a byte mask selects, the same in each chunk."""
    bits = np.arange(CHUNK_BYTES)
    return np.tile(mask >> bits & 1 == 1, size // CHUNK_BYTES)


def _combination(op: Operation) -> Combine | None:
    """The function of a reduction; None for a copy."""
    operation, type_ = word_of(op, "operation"), word_of(op, "type")
    if operation is None or type_ is None:
        return None
    # The manual says of current hardware that sums of f32 flush subnormal numbers.
    return combination(operation, type_, type_ == "f32" and word_of(op, "noftz") is None)


HANDLERS: dict[type[Operation], Handler] = {
    ptx.CpAsyncBulkLoadOp: _load,
    ptx.CpAsyncBulkLoadIgnoreOobOp: _load,
    ptx.CpAsyncBulkRemoteOp: _remote,
    ptx.CpAsyncBulkStoreOp: _store,
    ptx.CpReduceAsyncBulkRemoteOp: _remote,
    ptx.CpReduceAsyncBulkStoreOp: _store,
    # Caches are not modelled.
    ptx.CpAsyncBulkPrefetchOp: nothing,
}
