"""Instructions for bulk tensor copies (9.7.9.25)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.completion import Completion
from ...isa.cta_group import cta_group_of, place_in_group
from ...isa.model.rule import describe, raise_any
from ...isa.ptx.bulk_copy import CTA_GROUPS, TILE
from ...isa.shared_memory.swizzle import UNIT_BYTES
from ...isa.shared_memory.tensor_map import ELEMENTS
from ...isa.simulation import BARRIER, BOUNDS, TENSOR_MAP, UNWRITTEN
from ...ptx import bulk_copy as ptx
from ...ptx.effects import completed_by, completions_of
from ...ptx.syntax import offset_of
from ..machine.bulk_groups import BulkGroups, BulkStore
from ..machine.errors import fault
from ..machine.machine import Group, Step, Wait
from ..machine.memory import Memory, Space
from ..machine.program import Handler, Program, nothing
from ..machine.state import Cta
from ..machine.tasks import Task
from ..machine.tensor_map import TensorMap
from ..numbers.lanes import every
from ..order.clocks import Clock, Clocks
from ..order.events import Access
from ..order.race_detector import Judge, Touched
from ..order.shadow import Where
from ..provenance.sources import Tile
from .transactions import tracked

_ADDRESSES = 1 << 32
"""Modulus of shared memory addresses, including offsets."""
_MAP = "pass the parameter of type !ptx.tensor_map, or its generic address"
_UNIT = np.dtype((np.void, UNIT_BYTES))
"""Item type of a swizzling unit, which numpy copies as a whole."""
_STORED = describe(tuple(e.name for e in ELEMENTS.values() if e.stored_bits is not None))
"""Element types that a store supports."""


class Copy:
    """
    Copy of a box of a tensor between global and shared memory. Call one of the methods that read,
    then one of those that write.

    Raises OperationError if the tile at `address` is misaligned or out of bounds, or if no box may
    begin at `origin`.
    """

    def __init__(
        self,
        op: Operation,
        tensor_map: TensorMap,
        origin: Sequence[int],
        tensors: Space,
        tiles: Space,
        address: int,
    ):
        assert tensor_map.address is not None
        raise_any(TILE.address_violations(address))
        raise_any(tensor_map.origin_violations(origin))
        self.op, self.map, self.origin = op, tensor_map, origin
        self._address, self._places = address, tensor_map.places(address)
        size = _shared_bytes(tensor_map, address)
        self.shared, start = tiles.find(op, address, size)
        self._shared_bytes = slice(start, start + size)
        size = tensor_map.tensor_bytes
        self._global, start = tensors.find(op, tensor_map.address, size)
        self._global_bytes = slice(start, start + size)
        self._part = tensor_map.window(origin)
        self._tile = tensor_map.filled()

    @property
    def tile(self) -> Tile:
        """The tile in shared memory, as the record of a run keeps it."""
        first, end, memory = self._shared_bytes.start, self._shared_bytes.stop, self.shared
        place = memory.place(first)
        origin = tuple(self.origin)
        return Tile(self.op, self.map, origin, first, end - first, self._address, place)

    def read_global(self) -> None:
        written = self._window(self._global.written) == self._written
        self._check_written(written, self._global)
        self._tile[self._part.inside] = self.map.rounded(self._window(self._global.bytes))

    def write_shared(self) -> None:
        self._units(self.shared.bytes)[self._places] = self.map.padded(self._tile).view(_UNIT)
        # The manual leaves padding uninitialised, so it is recorded as unwritten.
        self._units(self.shared.written)[self._places] = self.map.written().view(_UNIT)

    def read_shared(self) -> None:
        # Each written byte is 0xff, so all bits of a written element are set.
        ones = self.map.stored(np.negative(self._content(self.shared.written)))
        self._check_written(~ones[self._part.inside] == 0, self.shared)
        self._tile = self.map.stored(self._content(self.shared.bytes))

    def write_global(self) -> None:
        self._window(self._global.bytes)[...] = self._tile[self._part.inside]
        self._window(self._global.written)[...] = self._written

    @property
    def _written(self) -> int:
        """The flags in `Memory.written` of a written element, as one integer."""
        return int.from_bytes(b"\1" * self._tile.itemsize)

    def touch(self, judge: Judge, reading: Access, writing: Access, loads: bool) -> None:
        """Check the accesses of the copy for races. Raises OperationError."""
        tile = self._shared_bytes
        shared = Touched(self.shared, Where.span(tile.start, tile.stop), loads)
        tensor = Where.of_view(self._window(self._global.bytes), self._global.bytes)
        touched = [shared] if tensor is None else [shared, Touched(self._global, tensor, not loads)]
        for memory, where, written, *_ in touched:
            if written:
                judge.write(writing, memory, where)
            else:
                # Only copies of the same thread are ordered.
                key = where.bounds, id(self.map), *self.origin, int(reading.rows[0])
                judge.read(reading, memory, where, key)

    def _window(self, content: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return self._part.of(content[self._global_bytes])

    def _units(self, content: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return content[self._shared_bytes].view(_UNIT)

    def _content(self, content: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
        """Bytes of the tile in shared memory, unswizzled."""
        return self._units(content)[self._places].view(np.uint8)

    def _check_written(self, written: npt.NDArray[np.bool_], memory: Memory) -> None:
        if not every(written):
            found = f"the box at {self.origin} has bytes of {memory.name} that were never written"
            raise fault(self.op, UNWRITTEN, found)


@dataclass(eq=False)
class _Boxes:
    """The boxes that the lanes of a group copy."""

    op: Any
    program: Program
    _map: int = field(init=False)
    _coordinates: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self._map = self.program.index(self.op.tensor_map)
        self._coordinates = self.program.operands(self.op, "coordinates")

    def of(self, group: Group) -> Iterator[tuple[int, TensorMap, tuple[int, ...]]]:
        """For each lane: its number, tensor map and coordinates. Raises OperationError."""
        addresses = group.read(self._map)
        coordinates = [group.read(index).view(np.int32) for index in self._coordinates]
        for lane in group.lanes:
            tensor_map = self._map_at(group, int(addresses[lane]))
            yield lane, tensor_map, tuple(int(values[lane]) for values in coordinates)

    def _map_at(self, group: Group, address: int) -> TensorMap:
        maps = group.machine.tensor_maps
        found = maps.get(address)
        if found is None:
            raise fault(self.op, TENSOR_MAP, f"no tensor map is at {address:#x}", _MAP)
        if len(found.extents) != len(self._coordinates):
            given = f"the copy has {len(self._coordinates)} coordinates"
            rank = f"the rank of the tensor map is {len(found.extents)}"
            raise fault(self.op, TENSOR_MAP, f"{given}, but {rank}")
        return found


def _shared_bytes(tensor_map: TensorMap, address: int) -> int:
    """Number of bytes from an address of shared memory to the end of a tile there."""
    return (int(tensor_map.places(address).max()) + 1) * UNIT_BYTES


def shared_address(op: Any, program: Program, name: str) -> Callable[[Group, int], int]:
    """Function that reads a shared memory address operand in a lane."""
    index, offset = program.index(getattr(op, name)), offset_of(op, name)
    return lambda group, lane: (int(group.read(index)[lane]) + offset) % _ADDRESSES


def _load(op: ptx.CpAsyncBulkTensorLoadOp, program: Program) -> Step:
    boxes = _Boxes(op, program)
    destination, mbarrier = (
        shared_address(op, program, name) for name in ("destination", "mbarrier")
    )
    masks = program.operands(op, "multicast_mask")
    ctas = 1 if op.cta_group is None else CTA_GROUPS[op.cta_group.data]
    (completion,) = completions_of(op)

    def step(group: Group) -> Wait | None:
        machine, cluster = group.machine, group.warp.cta.cluster
        for lane, tensor_map, origin in boxes.of(group):
            address, barrier = destination(group, lane), mbarrier(group, lane)
            here = cluster.cta_of(op, address, _shared_bytes(tensor_map, address))
            signalled = cluster.cta_of(op, barrier)
            _check_signal(op, here, signalled, ctas)
            receivers = [here]
            if masks:
                receivers = cluster.named_by(int(group.read(masks[0])[lane]))
            for receiver in receivers:
                own = address - here.shared.base + receiver.shared.base
                copy = Copy(op, tensor_map, origin, machine.global_space, cluster.space, own)
                owner = signalled_cta(op, receiver, signalled, ctas)
                at = barrier - signalled.shared.base + owner.shared.base
                machine.issue(_load_task(copy, group, lane, owner, at, completion))
                machine.statistics.bytes_loaded += tensor_map.tile_bytes
        return None

    return step


def _check_signal(op: Operation, here: Cta, signalled: Cta, ctas: int) -> None:
    """Raise OperationError unless a copy to `here` may signal a barrier object of `signalled`."""
    if signalled.rank in cta_group_of(here.rank, ctas):
        return
    found = f"the copy goes to {here.name}, but its mbarrier is in {signalled.name}"
    help = f"signal the {'CTA pair' if ctas > 1 else 'CTA'} of the copy"
    pair = CTA_GROUPS["cta_group::2"]
    if ctas < pair and signalled.rank in cta_group_of(here.rank, pair):
        help = f'add "cta_group::2" to signal the other CTA of the pair, or {help}'
    raise fault(op, BARRIER, found, help)


def signalled_cta(op: Operation, receiver: Cta, signalled: Cta, ctas: int) -> Cta:
    """
    The CTA of the receiver's group whose barrier object is signalled: it has the same place in its
    group as `signalled`. Raises OperationError.
    """
    rank = cta_group_of(receiver.rank, ctas)[place_in_group(signalled.rank, ctas)]
    if rank >= len(receiver.cluster.ctas):
        raise fault(op, BARRIER, f"{receiver.name} is in no CTA pair")
    return receiver.cluster.ctas[rank]


def _load_task(
    copy: Copy, group: Group, lane: int, owner: Cta, address: int, completion: Completion
) -> Task:
    """Task of a copy that completes on a barrier object. Raises OperationError for a race."""
    machine = group.machine

    def touch(access: Access) -> None:
        copy.touch(machine.judge, access, access, loads=True)

    def write() -> None:
        copy.write_shared()
        if machine.computes:
            machine.provenance.loaded(copy.shared, copy.tile)

    steps, size = [copy.read_global, write], copy.map.tile_bytes
    return tracked(copy.op, group, lane, (owner, address), completion, size, touch, steps)


def _store(op: ptx.CpAsyncBulkTensorStoreOp, program: Program) -> Step:
    boxes, source = _Boxes(op, program), shared_address(op, program, "source")
    completions = completions_of(op)

    def step(group: Group) -> Wait | None:
        machine, cta = group.machine, group.warp.cta
        for lane, tensor_map, origin in boxes.of(group):
            if min(origin) < 0:
                # CUDA programming guide, tensor memory accelerator.
                raise fault(op, TENSOR_MAP, f"a store cannot begin at {origin}")
            if not tensor_map.can_store:
                raise fault(
                    op,
                    TENSOR_MAP,
                    f"{tensor_map.element} cannot be stored; a store supports {_STORED}",
                )
            address = source(group, lane)
            copy = Copy(op, tensor_map, origin, machine.global_space, cta.cluster.space, address)
            if copy.shared is not cta.shared:
                found = f"{cta.name} executes the copy, but it reads {copy.shared.name}"
                raise fault(op, BOUNDS, found, "copy from the shared memory of the executing CTA")
            store, groups = BulkStore(), group.warp.bulk_groups
            groups.add(lane, store)
            rows, number = group.warp.rows[[lane]], groups.number(lane) + 1
            judge = machine.judge
            reading, writing = (
                judge.operation(
                    op,
                    group.warp,
                    rows,
                    _component(cta.cluster.clocks, groups, lane, completion),
                    number,
                    completion,
                    group.width,
                )
                for completion in completions
            )
            copy.touch(judge, reading, writing, loads=False)
            machine.issue(Task(op, _store_steps(copy, store, completions), signals=store))
            machine.statistics.bytes_stored += tensor_map.tile_bytes
        return None

    return step


def _component(clocks: Clocks, groups: BulkGroups, lane: int, completion: Completion) -> int:
    """Clock component that counts the groups of a lane with a completion."""
    return clocks.component((groups, lane, completion))


def _store_steps(
    copy: Copy, store: BulkStore, completions: Sequence[Completion]
) -> list[Callable[[], None]]:
    reading, writing = completions

    def read() -> None:
        copy.read_shared()
        store.reached.add(reading)

    def complete() -> None:
        store.reached.add(writing)

    return [read, copy.write_global, complete]


def _commit_group(op: ptx.CpAsyncBulkCommitGroupOp, program: Program) -> Step:
    def step(group: Group) -> Wait | None:
        for lane in group.lanes:
            group.warp.bulk_groups.commit(lane)
        return None

    return step


def _wait_group(op: ptx.CpAsyncBulkWaitGroupOp, program: Program) -> Step:
    pending, read, completions = op.pending.value.data, op.read is not None, completed_by(op)
    which = f"all but the newest {pending} bulk groups" if pending else "all bulk groups"
    what = f"{which} to {'read their sources' if read else 'complete'}"

    def step(group: Group) -> Wait | None:
        warp, groups, clocks = group.warp, group.warp.bulk_groups, group.warp.cta.cluster.clocks
        lanes = group.lanes
        stores = [store for lane in lanes for store in groups.before(lane, pending)]
        known = [(warp.rows[[lane]], lane, groups.number(lane) - pending) for lane in lanes]

        def learn() -> None:
            for rows, lane, number in known:
                for completion in completions:
                    component = _component(clocks, groups, lane, completion)
                    clocks.complete(rows, component, number, Clock.SEEN)

        return Wait(
            lambda: all(store.reached.issuperset(completions) for store in stores),
            learn,
            stores,
            lambda: what,
        ).or_go_on()

    return step


HANDLERS: dict[type[Operation], Handler] = {
    ptx.CpAsyncBulkTensorLoadOp: _load,
    ptx.CpAsyncBulkTensorStoreOp: _store,
    ptx.CpAsyncBulkCommitGroupOp: _commit_group,
    ptx.CpAsyncBulkWaitGroupOp: _wait_group,
    # Caches are not modelled.
    ptx.CpAsyncBulkPrefetchTensorOp: nothing,
    ptx.PrefetchTensormapOp: nothing,
}
