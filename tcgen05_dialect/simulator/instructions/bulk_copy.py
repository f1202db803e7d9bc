"""
Instructions for bulk tensor copies (9.7.9.25).

Copy of one box of a tensor between global and shared memory (5.5, 9.7.9.25).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.effects.model import SOURCE_READ, WRITTEN
from ...isa.instructions.copies import CTA_GROUPS, TILE
from ...isa.model.rule import describe, raise_any
from ...isa.practice import (
    BARRIER,
    BOUNDS,
    CHANGED_MAP,
    SAME_STORE,
    TENSOR_MAP,
    UNSUPPORTED,
    UNWRITTEN,
)
from ...isa.ptx.kernel import TENSOR_MAP_BYTES
from ...isa.ptx.ptx_text import IMMEDIATE_BITS
from ...isa.shared_memory.descriptor import UNIT_BYTES
from ...isa.shared_memory.tensor_map import ELEMENTS
from ...isa.targets import cta_group_of, place_in_group
from ...ptx import instructions as ptx
from ...ptx.effects import completed_by
from ...ptx.register_types import register_bits
from ...ptx.text.syntax import offset_of
from ..machine.errors import fault, place_of
from ..machine.machine import Group, Step, Wait
from ..machine.program import Handler, Program, nothing
from ..machine.state import Cta
from ..machine.tensor_core import BulkStore
from ..machine.tensor_map import TensorMap
from ..machine.tensor_memory import PARAMETER_WINDOW, Memory, Space
from ..numbers.floats import every
from ..numbers.integers import Combine
from ..order.clocks import Clock, GroupWait
from ..order.events import Access
from ..order.race_detector import Judge, Touched
from ..order.shadow import Where
from ..provenance.record import Tile
from .mbarrier import component, issue_grouped, issue_tracked
from .memory import shared_start

_UNIT = np.dtype((np.void, UNIT_BYTES))
"""Item type of a swizzling unit, which numpy copies as a whole."""


class Copy:
    """
    Copy of a box of a tensor between global and shared memory. Call one of the methods that read,
    then one of those that write.

    Raises OperationError if the tile at `address` is out of bounds, or if no box may begin at
    `origin`.
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
        raise_any(tensor_map.origin_violations(origin))
        self.op, self.map, self.origin = op, tensor_map, origin
        self._address, self._places = address, tensor_map.places(address)
        size = shared_bytes(tensor_map, address)
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

    def combine_global(self, combine: Combine) -> None:
        """Combine the elements of the tensor with the tile. Raises OperationError if one
        was never written."""
        self._check_written(self._window(self._global.written) == self._written, self._global)
        window = self._window(self._global.bytes)
        window[...] = combine(window.copy(), self._tile[self._part.inside])

    @property
    def _written(self) -> int:
        """The flags in `Memory.written` of a written element, as one integer."""
        return int.from_bytes(b"\1" * self._tile.itemsize)

    @property
    def bytes_in_shared(self) -> range:
        """The bytes of its tile in shared memory."""
        return range(self._shared_bytes.start, self._shared_bytes.stop)

    def of_tensor(self, written: bool) -> Touched | None:
        """Its access to the tensor; None for a box outside of it."""
        cells = Where.of_view(self._window(self._global.bytes), self._global.bytes)
        return None if cells is None else Touched(self._global, cells, written)

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


def shared_bytes(tensor_map: TensorMap, address: int) -> int:
    """Number of bytes from an address of shared memory to the end of a tile there."""
    return (int(tensor_map.places(address).max()) + 1) * UNIT_BYTES


_MAP = "pass the parameter of type !ptx.tensor_map, or its generic address"
ROW_COPIES = (ptx.CpAsyncBulkTensorGather4Op, ptx.CpAsyncBulkTensorScatter4Op)
"""Copies of four rows of a matrix."""
_IM2COL_STORES = (ptx.CpAsyncBulkTensorIm2colNoOffsOp, ptx.CpReduceAsyncBulkTensorIm2colNoOffsOp)
_IM2COL_COPIES = (ptx.CpAsyncBulkTensorIm2colOp, *_IM2COL_STORES)
Origin = tuple[int, ...]
"""The coordinates of a box, and its offsets in im2col mode."""
_STORED = describe(tuple(e.name for e in ELEMENTS.values() if e.stored_bits is not None))
"""Element types that a store supports."""


class _MapUse(NamedTuple):
    """The use of the tensor map at an address, in global memory if `memory` is set."""

    memory: Memory | None
    address: int

    def record(self, judge: Judge, access: Access) -> None:
        """Record that a copy reads the map, which no thread may change before that."""
        if self.memory is not None:
            start = self.address - self.memory.base
            where = Where.span(start, start + TENSOR_MAP_BYTES)
            judge.use(access, self.memory, where, (where.bounds, int(access.rows[0])))


@dataclass(eq=False)
class _Boxes:
    """The boxes that the lanes of a group copy."""

    op: Any
    program: Program
    _map: int = field(init=False)
    _coordinates: list[int] = field(init=False)
    _offsets: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self._map = self.program.index(self.op.tensor_map)
        self._coordinates = self.program.operands(self.op, "coordinates")
        has_offsets = isinstance(self.op, ptx.CpAsyncBulkTensorIm2colOp)
        self._offsets = self.program.operands(self.op, "offsets") if has_offsets else []

    def of(self, group: Group) -> Iterator[tuple[int, TensorMap, Sequence[Origin], _MapUse]]:
        """For each lane: its number, tensor map, the coordinates and offsets of its boxes, and the
        use of the map. Raises OperationError."""
        addresses = group.read(self._map)
        coordinates = [group.read(index).view(np.int32) for index in self._coordinates]
        coordinates += [group.read(index) for index in self._offsets]
        for lane in group.lanes:
            tensor_map = self._map_at(group, int(addresses[lane]))
            given = tuple(int(values[lane]) for values in coordinates)
            column, *rows = given
            origins = [(column, row) for row in rows] if self._picks_rows else [given]
            memory = group.machine.global_space.around(int(addresses[lane]), TENSOR_MAP_BYTES)
            yield lane, tensor_map, origins, _MapUse(memory, int(addresses[lane]))

    @property
    def _picks_rows(self) -> bool:
        """Whether each coordinate but the first is that of a box, a row of a matrix."""
        return isinstance(self.op, ROW_COPIES)

    def _map_in_memory(self, group: Group, address: int) -> TensorMap:
        """The map in global memory, or among the bytes of a parameter. Raises OperationError."""
        space, machine = group.machine.global_space, group.machine
        memory, start = space.around(address, TENSOR_MAP_BYTES), address
        if memory is None:
            start = address - PARAMETER_WINDOW
            memory = machine.parameters.around(start, TENSOR_MAP_BYTES)
        if memory is None:
            raise fault(self.op, TENSOR_MAP, f"no tensor map is at {address:#x}", _MAP)
        cells = slice(start - memory.base, start - memory.base + TENSOR_MAP_BYTES)
        if not every(memory.written[cells]):
            found = f"the tensor map at {memory.place(cells.start)} was never written"
            raise fault(self.op, UNWRITTEN, found)
        if (change := group.machine.changed_maps.get(address)) is not None:
            found = (
                f"the tensor map at {memory.place(cells.start)} was changed by {change.name}, "
                f"{place_of(change)}, and no thread has acquired the change"
            )
            raise fault(self.op, CHANGED_MAP, found, related=change)
        content, known = memory.bytes[cells].tobytes(), group.machine.decoded_maps
        if content not in known:
            known[content] = group.machine.decode(self.op, content, space)
        return known[content]

    def _map_at(self, group: Group, address: int) -> TensorMap:
        found = group.machine.tensor_maps.get(address) or self._map_in_memory(group, address)
        if self._picks_rows:
            if given := found.row_violation:
                raise fault(self.op, TENSOR_MAP, given)
        elif isinstance(self.op, _IM2COL_COPIES) and not found.has_im2col_mode:
            what = "tensor maps in im2col mode"
            raise fault(self.op, UNSUPPORTED, f"the emulator does not support {what}")
        elif len(found.extents) != len(self._coordinates):
            given = f"the copy has {len(self._coordinates)} coordinates"
            rank = f"the rank of the tensor map is {len(found.extents)}"
            raise fault(self.op, TENSOR_MAP, f"{given}, but {rank}")
        return found


def shared_address(op: Any, program: Program, name: str) -> Callable[[Group, int], int]:
    """Function that reads a shared memory address operand in a lane."""
    value, offset = getattr(op, name), offset_of(op, name)
    index, bits = program.index(value), register_bits(value.type)
    assert bits is not None
    if bits == IMMEDIATE_BITS:
        return lambda group, lane: (int(group.read(index)[lane]) + offset) % (1 << bits)

    def address(group: Group, lane: int) -> int:
        given = group.read(index)[lane : lane + 1]
        return int(given[0]) + offset - shared_start(op, group, given)

    return address


def _copies(
    op: Operation,
    tensor_map: TensorMap,
    origins: Sequence[Origin],
    tensors: Space,
    tiles: Space,
    address: int,
) -> list[Copy]:
    """The copies of boxes that are next to each other in shared memory. Raises OperationError."""
    raise_any(TILE.address_violations(address))
    size = tensor_map.places(address).size * UNIT_BYTES
    return [
        Copy(op, tensor_map, origin, tensors, tiles, address + index * size)
        for index, origin in enumerate(origins)
    ]


def _touch(
    copies: Sequence[Copy], judge: Judge, reading: Access, writing: Access, loads: bool
) -> None:
    """Check the accesses of the copies of an instruction for races. Raises OperationError."""
    whole = range(copies[0].bytes_in_shared.start, copies[-1].bytes_in_shared.stop)
    are_adjacent = len(whole) == sum(len(copy.bytes_in_shared) for copy in copies)
    for copy in copies:
        touched = [] if (tensor := copy.of_tensor(not loads)) is None else [tensor]
        # Four rows next to each other are one access: each costs as much as the whole.
        if copy is copies[0] or not are_adjacent:
            tile = whole if are_adjacent else copy.bytes_in_shared
            where = Where.span(tile.start, tile.stop)
            copy.shared.check_opaque(copy.op, where)
            touched.append(Touched(copy.shared, where, loads))
        for memory, where, written, *_ in sorted(touched, key=attrgetter("written")):
            if written:
                judge.write(writing, memory, where)
            else:
                # Only copies of the same thread are ordered.
                key = where.bounds, id(copy.map), *copy.origin, int(reading.rows[0])
                judge.read(reading, memory, where, key)


def _load(op: Any, program: Program) -> Step:
    boxes = _Boxes(op, program)
    destination, mbarrier = (
        shared_address(op, program, name) for name in ("destination", "mbarrier")
    )
    masks = program.operands(op, "multicast_mask")
    ctas = 1 if op.cta_group is None else CTA_GROUPS[op.cta_group.data]

    def step(group: Group) -> None:
        machine, cluster = group.machine, group.warp.cta.cluster
        for lane, tensor_map, origins, use in boxes.of(group):
            address, barrier = destination(group, lane), mbarrier(group, lane)
            here = cluster.cta_of(op, address, shared_bytes(tensor_map, address))
            signalled = cluster.cta_of(op, barrier)
            _check_signal(op, here, signalled, ctas)
            receivers = [here]
            if masks:
                receivers = cluster.named_by(int(group.read(masks[0])[lane]))
            for receiver in receivers:
                own = address - here.shared.base + receiver.shared.base
                spaces = machine.global_space, cluster.space
                copies = _copies(op, tensor_map, origins, *spaces, own)
                owner = signalled_cta(op, receiver, signalled, ctas)
                at = barrier - signalled.shared.base + owner.shared.base
                _issue_load(copies, use, group, lane, (owner, at))
                machine.statistics.bytes_loaded += tensor_map.tile_bytes * len(copies)

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
    """The CTA of the receiver's group whose barrier object is signalled: it has the same place in
    its group as `signalled`. Raises OperationError."""
    rank = cta_group_of(receiver.rank, ctas)[place_in_group(signalled.rank, ctas)]
    if rank >= len(receiver.cluster.ctas):
        raise fault(op, BARRIER, f"{receiver.name} is in no CTA pair")
    return receiver.cluster.ctas[rank]


def _issue_load(
    copies: Sequence[Copy], use: _MapUse, group: Group, lane: int, place: tuple[Cta, int]
) -> None:
    """Issue copies that complete on a barrier object. Raises OperationError for a race."""
    machine = group.machine

    def touch(access: Access) -> None:
        use.record(machine.judge, access)
        _touch(copies, machine.judge, access, access, loads=True)

    def read() -> None:
        for copy in copies:
            copy.read_global()

    def write() -> None:
        for copy in copies:
            copy.write_shared()
            if machine.records:
                machine.provenance.loaded(copy.shared, copy.tile)

    size = sum(copy.map.tile_bytes for copy in copies)
    issue_tracked(copies[0].op, group, lane, place, size, touch, [read, write])


def _store(op: Any, program: Program) -> Step:
    boxes, source = _Boxes(op, program), shared_address(op, program, "source")

    def step(group: Group) -> None:
        machine, cta, groups = group.machine, group.warp.cta, group.warp.bulk_groups
        issued: dict[tuple[TensorMap, tuple[Origin, ...], int], BulkStore] = {}
        for lane, tensor_map, origins, use in boxes.of(group):
            address, combine = source(group, lane), _combination(op, tensor_map)
            same = issued.get((tensor_map, tuple(origins), address))
            if same is not None and combine is None:
                text = f"{group.width} lanes of {group.warp.name} each execute it, for the same box"
                machine.judge.report(op, SAME_STORE, text)
                groups.add(lane, same)
                continue
            for origin in origins:
                if not tensor_map.can_store_at(origin):
                    raise fault(op, TENSOR_MAP, f"a store cannot begin at {origin}")
            if not tensor_map.can_store:
                raise fault(
                    op,
                    TENSOR_MAP,
                    f"{tensor_map.element} cannot be stored; a store supports {_STORED}",
                )
            spaces = machine.global_space, cta.cluster.space
            copies = _copies(op, tensor_map, origins, *spaces, address)
            if copies[0].shared is not cta.shared:
                found = f"{cta.name} executes the copy, but it reads {copies[0].shared.name}"
                raise fault(op, BOUNDS, found, "copy from the shared memory of the executing CTA")
            issued[tensor_map, tuple(origins), address] = issue_grouped(
                op, group, lane, *_stored(copies, use, machine.judge, combine)
            )
            machine.statistics.bytes_stored += tensor_map.tile_bytes * len(copies)

    return step


def _combination(op: Operation, tensor_map: TensorMap) -> Combine | None:
    """The function of a reduction; None for a copy. Raises Violation if the elements of the tensor
    have no such operation."""
    if not isinstance(op, ptx.CpReduceAsyncBulkTensorOp):
        return None
    return tensor_map.combination(op.operation.data)


def _stored(
    copies: Sequence[Copy], use: _MapUse, judge: Judge, combine: Combine | None
) -> tuple[Callable[[Access, Access], None], Callable[[], None], Callable[[], None]]:
    """The functions that check, read and write the boxes of a store, or `combine` them."""

    def touch(reading: Access, writing: Access) -> None:
        use.record(judge, reading)
        _touch(copies, judge, reading, writing, loads=False)

    def read() -> None:
        for copy in copies:
            copy.read_shared()

    def write() -> None:
        for copy in copies:
            if combine is None:
                copy.write_global()
            else:
                copy.combine_global(combine)

    return touch, read, write


def _commit_group(op: ptx.CpAsyncBulkCommitGroupOp, program: Program) -> Step:
    def step(group: Group) -> None:
        for lane in group.lanes:
            group.warp.bulk_groups.commit(lane)

    return step


def _wait_group(op: ptx.CpAsyncBulkWaitGroupOp, program: Program) -> Step:
    pending, read, completions = op.pending.value.data, op.read is not None, completed_by(op)
    which = f"all but the newest {pending} bulk groups" if pending else "all bulk groups"
    what = f"{which} to {'read their sources' if read else 'complete'}"

    def step(group: Group) -> Wait | None:
        warp, groups, clocks = group.warp, group.warp.bulk_groups, group.warp.cta.cluster.clocks
        lanes = group.lanes
        stores = [store for lane in lanes for store in groups.before(lane, pending)]
        numbers = ((lane, groups.number(lane) - pending) for lane in lanes)
        # Compilers let all lanes commit and wait, of which one has copies.
        known = [(lane, n) for lane, n in numbers if n > 0 and groups.has_copies(lane)]

        for lane in filter(groups.has_copies, lanes):
            number = clocks.number(int(warp.rows[lane]))
            wait = GroupWait(op, pending, range(1, groups.number(lane) + 1), number)
            for completion in (SOURCE_READ, WRITTEN):
                clocks.record_wait(component(clocks, groups, lane, completion), wait)

        def learn() -> None:
            for lane, number in known:
                for completion in completions:
                    counted = component(clocks, groups, lane, completion)
                    clocks.complete(warp.rows[[lane]], counted, number, Clock.SEEN)

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
    ptx.CpReduceAsyncBulkTensorOp: _store,
    ptx.CpAsyncBulkTensorGather4Op: _load,
    ptx.CpAsyncBulkTensorIm2colOp: _load,
    ptx.CpAsyncBulkTensorScatter4Op: _store,
    **dict.fromkeys(_IM2COL_STORES, _store),
    ptx.CpAsyncBulkCommitGroupOp: _commit_group,
    ptx.CpAsyncBulkWaitGroupOp: _wait_group,
    # Caches are not modelled.
    ptx.CpAsyncBulkPrefetchTensorOp: nothing,
    ptx.CpAsyncBulkPrefetchTensorGather4Op: nothing,
    ptx.PrefetchTensormapOp: nothing,
}
