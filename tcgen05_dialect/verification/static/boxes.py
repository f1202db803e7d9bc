"""
Sizes of the boxes of tensor maps whose type does not give the box, and instruction descriptors
that a kernel gets as parameters, such as from the host code of CuTe.

A run in which copies move no data records where tiles are, which bytes of them are accessed, and
how many bytes each phase of a barrier object expects. Each phase gives an equation; the sizes solve
these equations.

Only a launch gives instruction descriptors; the runs use one with the shape that the rest of the
kernel suggests.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise, takewhile
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np
import numpy.typing as npt
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...isa.effects.model import Actor
from ...isa.instructions.copies import ROW_COPY_RANK
from ...isa.mma.instruction_descriptor import InstructionDescriptor, descriptor_layout
from ...isa.mma.shapes import SHAPES
from ...isa.shared_memory.descriptor import UNIT_BYTES
from ...isa.tensor_memory.alloc import COLUMNS
from ...ptx import instructions as ptx
from ...ptx.analysis.values import LOADS
from ...ptx.effects import effects_of
from ...ptx.tcgen05 import LdOp
from ...ptx.tcgen05_mma import OPERATIONS, Mma
from ...simulator.instructions import HANDLERS
from ...simulator.instructions.bulk_copy import (
    CTA_GROUPS,
    ROW_COPIES,
    shared_address,
    signalled_cta,
)
from ...simulator.machine.barrier import Came, Mbarrier
from ...simulator.machine.errors import lines_of
from ...simulator.machine.machine import Group, Step, Wait
from ...simulator.machine.program import Handler, Program
from ...simulator.machine.state import Cta
from ...simulator.machine.tensor_memory import Memory, Shadowed, TensorMemory
from ...simulator.order.clocks import Message
from ...simulator.order.events import Source
from ...simulator.order.race_detector import Judge
from ...simulator.order.shadow import Where
from .inventory import Inventory
from .outline import Bounds, Box, Equation, solved_sizes

_STORES = (
    ptx.CpAsyncBulkTensorStoreOp,
    ptx.CpReduceAsyncBulkTensorOp,
    ptx.CpAsyncBulkTensorScatter4Op,
    ptx.CpAsyncBulkTensorIm2colNoOffsOp,
    ptx.CpReduceAsyncBulkTensorIm2colNoOffsOp,
)
COPIES = *LOADS, *_STORES
"""Copies of boxes of tensor maps."""
PRODUCTS = frozenset(OPERATIONS.values())


class _Place(NamedTuple):
    """A tile: the parameter of its tensor map, whether it is loaded, and its first byte."""

    map: int
    is_loaded: bool
    memory: Memory
    offset: int
    boxes: int = 1
    """Number of boxes, one after the other in the tile."""
    barrier: int | None = None
    """First byte of the next barrier object."""

    def room(self, others: Iterable["_Place"]) -> int:
        """Bytes from the tile to the next of some others, to a barrier object, or to the end of the
        variable."""
        memory, offset = self.memory, self.offset
        variable = memory.variable(offset)
        sized = variable is not None and variable.size
        ends = [variable.offset + variable.size if sized and variable else memory.bytes.size]
        ends += [each.offset for each in others if each.memory is memory and each.offset > offset]
        if self.barrier is not None:
            ends.append(self.barrier)
        return min(ends) - offset


@dataclass(eq=False)
class Copies(Judge):
    """Record of the copies of a run, and of the accesses of the run to shared memory."""

    checks: ClassVar[bool] = False
    is_merged: bool = False
    """Whether shared memory has no variables that tell where a tile ends. Then phases alone tell
    the size of a loaded tile, and data that only copies can read that of a stored tile."""
    _places: set[_Place] = field(default_factory=set[_Place])
    _equations: set[Equation] = field(default_factory=set[Equation])
    _phases: dict[Equation, str] = field(default_factory=dict[Equation, str])
    """Equation -> its barrier object, and the lines that say what a phase expects."""
    _coming: dict[Mbarrier, list[tuple[_Place, Came, Message]]] = field(
        default_factory=dict[Mbarrier, list[tuple[_Place, Came, Message]]]
    )
    """Copies of the current phase of each barrier object: the tile, and what comes."""
    _ended: dict[Mbarrier, set[tuple[Equation, bool]]] = field(
        default_factory=dict[Mbarrier, set[tuple[Equation, bool]]]
    )
    """The phases of each barrier object, and whether each expects more bytes than can come."""
    _reads: dict[Memory, dict[str, set[range]]] = field(
        default_factory=dict[Memory, dict[str, set[range]]]
    )
    """Bytes that each reader reads: an operand of a matrix product, an instruction, or threads."""
    _stored: dict[Memory, npt.NDArray[np.bool_]] = field(
        default_factory=dict[Memory, npt.NDArray[np.bool_]]
    )
    """Bytes that threads have written; with merged variables, only data that nothing has read
    since."""
    _tiles: dict[tuple[Memory, int], int] = field(default_factory=dict[tuple[Memory, int], int])
    """First byte of a loaded tile of known size -> its bytes."""
    _pads: bool = False
    """Whether a matrix product reads padded elements."""

    def load(self, place: _Place, barrier: Mbarrier, came: Came, told: Message) -> None:
        """Record a load, whose bytes come when nothing else can happen."""
        self._coming.setdefault(barrier, []).append((place, came, told))
        self._places.add(place)
        # The size is not known yet: the rest of the variable counts as written.
        variable = place.memory.variable(place.offset)
        end = variable.offset + variable.size if variable and variable.size else None
        place.memory.written[place.offset : end] = True

    def store(self, place: _Place) -> None:
        """Record a store."""
        self._places.add(place)

    def end_phases(self) -> bool:
        """End the phases that wait for bytes only. Returns whether there are any. Raises
        Violation."""
        ready = [each for each in self._coming if not each.pending and each.bytes > 0]
        in_flight = [place for copies in self._coming.values() for place, *_ in copies]
        for barrier in ready:
            copies = self._coming.pop(barrier)
            counts = Counter[int]()
            for place, *_ in copies:
                counts[place.map] += place.boxes
            equation = Equation(tuple(sorted(counts.items())), barrier.bytes)
            self._equations.add(equation)
            # Nothing orders copies in flight, so none may write to the tile of another one.
            room = sum(place.room(in_flight) for place, *_ in copies)
            self._ended.setdefault(barrier, set()).add((equation, barrier.bytes > room))
            expecting = [came.op for came in barrier.came if came.expected]
            lines = f", {lines_of(expecting)}," if expecting else ""
            self._phases.setdefault(equation, f"{barrier.name}{lines}")
            missing = barrier.bytes
            for at, (_, came, told) in enumerate(copies, 1):
                completed = missing if at == len(copies) else 0
                barrier.complete(came._replace(completed=completed), told)
        return bool(ready)

    @property
    def _impossible(self) -> Set[int]:
        """
        The maps with copies in phases that expect more bytes than can come. Phases of a barrier
        object that differ, or bytes left over, do not count: the run may have ended such a phase
        before all its copies began.
        """
        return {
            map_
            for barrier, ended in self._ended.items()
            if len(ended) == 1 and not barrier.bytes and barrier not in self._coming
            for equation, is_impossible in ended
            if is_impossible
            for map_, _ in equation.copies
        }

    def boxes(self) -> dict[int, Box | None]:
        """Parameter of each tensor map that a copy uses -> its box, None if it cannot be
        inferred."""
        maps = {place.map for place in self._places}
        loaded = self._counted
        boxes = self._boxes_of(loaded, loaded)
        # A copy may store a tile as another has loaded it.
        for place in self._places:
            if (box := boxes.get(place.map)) is not None and place.is_loaded:
                self._tiles[place.memory, place.offset] = box.tile * place.boxes
        return boxes | self._boxes_of(maps - loaded, loaded)

    @property
    def without_phase(self) -> Set[int]:
        """The parameters of the tensor maps whose loads no ended phase has counted."""
        return {place.map for place in self._places if place.is_loaded} - self._counted

    @property
    def _counted(self) -> Set[int]:
        return {map_ for each in self._equations for map_, _ in each.copies}

    def contradiction(self, map_: int) -> str:
        """Sentence: a phase expects more bytes than its tiles have room for, or fewer than are read
        in them; empty if none of a map does."""
        for each in self._equations:
            counts = dict(each.copies)
            if map_ not in counts:
                continue
            bounds = {one: self._bounds(one) for one in counts}
            room = sum(bounds[one].most * n for one, n in each.copies)
            used = sum(bounds[one].least * n for one, n in each.copies)
            phase = f"a phase of {self._phases[each]} expects {each.bytes} bytes"
            if each.bytes > room:
                return f"{phase}, but its tiles have room for {room} bytes"
            if each.bytes < used:
                return f"{phase}, but {used} bytes are used in its tiles"
        return ""

    @property
    def shortage(self) -> str:
        """Sentence: a phase expects fewer bytes than are read in its tiles; empty if none does."""
        for each, phase in self._phases.items():
            read = sum(self._bounds(one).read * n for one, n in each.copies)
            if each.bytes < read:
                expects = f"a phase of {phase} expects {each.bytes} bytes"
                return f"{expects}, but {read} bytes are read in its tiles"
        return ""

    def _boxes_of(self, maps: Iterable[int], loaded: Container[int]) -> dict[int, Box | None]:
        bounds = {map_: self._bounds(map_) for map_ in maps}
        equations = [each for each in self._equations if all(m in bounds for m, _ in each.copies)]
        sizes, guessed = solved_sizes(equations, bounds)
        impossible = self._impossible
        boxes: dict[int, Box | None] = {}
        for map_, bound in bounds.items():
            size = sizes.get(map_)
            # A phase that expects a wrong number of bytes has no solution; the run shows it.
            is_doubtful = map_ in loaded and (bound.pads or self.is_merged)
            if size is None and (not is_doubtful or map_ in impossible):
                size = bound.least or bound.read or bound.most
            if size is not None:
                box = bound.box(size, map_ in guessed)
                unread = self._unread(map_, box)
                boxes[map_] = replace(box, readers=self._readers(map_, box), unread=unread)
            else:
                boxes[map_] = None
        return boxes

    def _readers(self, map_: int, box: Box) -> tuple[str, ...]:
        """Two readers that read different parts of a loaded tile, one after the other; empty if
        there are none."""
        for place in self._places:
            if place.map != map_ or not place.is_loaded:
                continue
            starts_of = self._starts(place, box).items()
            parts = sorted((min(starts), max(starts), reader) for reader, starts in starts_of)
            for one, other in pairwise(parts):
                if one[1] < other[0]:
                    return one[2], other[2]
        return ()

    def _unread(self, map_: int, box: Box) -> int:
        """The bytes at the end of a box that nothing reads in any loaded tile of the map; 0 if
        nothing reads the tiles."""
        read = 0
        for place in self._places:
            if place.map != map_ or not place.is_loaded:
                continue
            tile = range(place.offset, place.offset + box.tile * place.boxes)
            for each in chain.from_iterable(self._reads.get(place.memory, {}).values()):
                if each.start < tile.stop and tile.start < each.stop:
                    used = min(each.stop, tile.stop) - tile.start
                    read = max(read, -(-used // place.boxes))
        return box.tile - read if read else 0

    def _starts(self, place: _Place, box: Box) -> dict[str, list[int]]:
        """Reader of a tile -> where its reads in the tile begin."""
        tile = range(place.offset, place.offset + box.tile * place.boxes)
        return {
            reader: starts
            for reader, reads in self._reads.get(place.memory, {}).items()
            if (starts := [each.start for each in reads if each.start in tile])
        }

    def readers(self, boxes: Mapping[int, Box | None]) -> dict[int, set[str]]:
        """Parameter of each tensor map with loads -> the readers of its tiles."""
        found: dict[int, set[str]] = {}
        for place in self._places:
            box = boxes.get(place.map)
            if place.is_loaded and box is not None:
                found.setdefault(place.map, set()).update(self._starts(place, box))
        return found

    def _bounds(self, map_: int) -> Bounds:
        """Bounds of the size of a tile, from the bytes accessed in it and the distance to the next
        tile."""
        places = [place for place in self._places if place.map == map_]
        if self.is_merged and not any(place.is_loaded for place in places):
            everything = self._maps()
            written = (
                min(self._written(place), self._room(place, everything)) // place.boxes
                for place in places
            )
            size = max(written)
            size = max(-(-size // UNIT_BYTES), 1) * UNIT_BYTES
            return Bounds(size, size, False, size)
        least, most, read, maps = 0, 0, 0, self._maps_beside(map_)
        for place in places:
            if self.is_merged and not place.is_loaded:
                continue
            room = self._room(place, maps) // place.boxes
            most = min(most, room) if most else room
            used = self._bytes_read(place) if place.is_loaded else self._written(place)
            used = min(-(-used // place.boxes), room)
            read = min(read, used) if read else used
            if not self.is_merged:
                least = max(least, used)
        least = -(-least // UNIT_BYTES) * UNIT_BYTES
        return Bounds(min(least, most), most, self._pads, least or read)

    def _maps(self) -> Set[int]:
        return {place.map for place in self._places}

    def _maps_beside(self, map_: int) -> Set[int]:
        """The maps whose tiles end the tiles of a map: all or, if a phase with these tiles expects
        more bytes than they have room for, the maps of this phase. Other tiles then lie in the same
        memory at other times."""
        everything = self._maps()

        def room(one: int) -> int:
            tiles = (each for each in self._places if each.is_loaded and each.map == one)
            return min(self._room(each, everything) // each.boxes for each in tiles)

        for each in self._equations:
            together = {one for one, _ in each.copies}
            if map_ in together and each.bytes > sum(room(one) * n for one, n in each.copies):
                return together
        return everything

    def _room(self, place: _Place, maps: Container[int]) -> int:
        """Bytes from a tile to the next one of some maps, to a barrier object, or to the end of the
        variable."""
        return place.room(
            other
            for other in self._places
            if other.map in maps and other.is_loaded == place.is_loaded
        )

    def _bytes_read(self, place: _Place) -> int:
        """Number of bytes that are read, one after the other, from the beginning of a tile."""
        end = place.offset
        reads = chain.from_iterable(self._reads.get(place.memory, {}).values())
        for each in sorted(reads, key=lambda each: each.start):
            if each.start <= end:
                end = max(end, each.stop)
        return end - place.offset

    def _written(self, place: _Place) -> int:
        """Number of bytes that threads write, one after the other, from the beginning of a tile,
        or that a copy loads there."""
        loaded = self._tiles.get((place.memory, place.offset), 0)
        stored = self._stored.get(place.memory)
        if stored is None:
            return loaded
        gaps = np.flatnonzero(~stored[place.offset :])
        return max(loaded, int(gaps[0]) if gaps.size else stored.size - place.offset)

    def see(
        self, source: Source, memory: Shadowed, where: Where, written: bool, operand: str = ""
    ) -> None:
        if not isinstance(memory, Memory):
            return
        op: Any = source.op
        if source.actor is not Actor.THREAD or source.issue is not None:
            if not written:
                span = where.bounds[0]
                self._forget_stored(memory, slice(span.start, span.stop))
                self._reads_of(memory, operand or op.name).add(span)
                self._pads = self._pads or (type(op) in PRODUCTS and op.may_pad)
        elif memory.variables and written:
            if effects_of(type(source.op)).data or not self.is_merged:
                if memory not in self._stored:
                    self._stored[memory] = np.zeros(memory.bytes.size, np.bool_)
                self._stored[memory][where.index] = True
        elif memory.variables and self.is_merged:
            self._forget_stored(memory, where.index)
        elif memory.variables:
            cells: Any = where.index
            self._reads_of(memory, "threads").update(
                range(first, last + 1) for first, last in cells[:, [0, -1]].tolist()
            )

    def _forget_stored(self, memory: Memory, cells: Any) -> None:
        """If variables are merged, cells count as stored only until something reads them."""
        if self.is_merged and memory in self._stored:
            self._stored[memory][cells] = False

    def _reads_of(self, memory: Memory, reader: str) -> set[range]:
        return self._reads.setdefault(memory, {}).setdefault(reader, set())


def recording(current: Callable[[], Copies | None]) -> dict[type[Operation], Handler]:
    """Handlers of copies that only record while `current` gives a record."""

    def load(op: Any, program: Program) -> Step:
        destination, mbarrier = (
            shared_address(op, program, name) for name in ("destination", "mbarrier")
        )
        masks = program.operands(op, "multicast_mask")
        ctas = 1 if op.cta_group is None else CTA_GROUPS[op.cta_group.data]
        map_, move = _map_read(op, program), HANDLERS[type(op)](op, program)
        boxes = boxes_of(op)

        def step(group: Group) -> Wait | None:
            copies = current()
            if copies is None:
                return move(group)
            cluster = group.warp.cta.cluster
            for lane in group.lanes:
                address, barrier = destination(group, lane), mbarrier(group, lane)
                here, signalled = cluster.cta_of(op, address), cluster.cta_of(op, barrier)
                offset, told = (
                    address - here.shared.base,
                    cluster.clocks.release(group.warp.rows[[lane]]),
                )
                named = [int(group.read(mask)[lane]) for mask in masks]
                for receiver in cluster.named_by(named[0]) if named else [here]:
                    owner = signalled_cta(op, receiver, signalled, ctas)
                    at = barrier - signalled.shared.base + owner.shared.base
                    found, came = owner.mbarrier(op, at), group.warp.brings(op)
                    place = _Place(
                        map_(group, lane),
                        True,
                        receiver.shared,
                        offset,
                        boxes,
                        _next_barrier(receiver, offset),
                    )
                    copies.load(place, found, came, told)
            return None

        return step

    def store(op: Any, program: Program) -> Step:
        source = shared_address(op, program, "source")
        map_, move = _map_read(op, program), HANDLERS[type(op)](op, program)
        boxes = boxes_of(op)

        def step(group: Group) -> Wait | None:
            copies = current()
            if copies is None:
                return move(group)
            for lane in group.lanes:
                address = source(group, lane)
                owner = group.warp.cta.cluster.cta_of(op, address)
                offset = address - owner.shared.base
                barrier = _next_barrier(owner, offset)
                place = _Place(map_(group, lane), False, owner.shared, offset, boxes, barrier)
                copies.store(place)
            return None

        return step

    return {**dict.fromkeys(LOADS, load), **dict.fromkeys(_STORES, store)}


def _next_barrier(cta: Cta, offset: int) -> int | None:
    """The first byte of the next barrier object after a byte in shared memory; None without one."""
    return min((each for each in cta.mbarriers if each > offset), default=None)


def boxes_of(op: Any) -> int:
    """Number of boxes that a copy moves."""
    return len(op.coordinates) - 1 if isinstance(op, ROW_COPIES) else 1


def _map_read(op: Any, program: Program) -> Callable[[Group, int], int]:
    """Function that gives the parameter of the tensor map that a lane uses, or -1."""
    index = program.index(op.tensor_map)

    def parameter(group: Group, lane: int) -> int:
        outline: Any = group.machine.tensor_maps.get(int(group.read(index)[lane]))
        return -1 if outline is None else outline.parameter

    return parameter


def ranks_of(ops: Inventory) -> dict[int, int]:
    """Number of a parameter that is a tensor map -> the number of coordinates of its boxes."""

    def operands(op: Operation) -> Sequence[SSAValue]:
        return (op.a, op.b) if isinstance(op, ptx.SelpOp) else ()

    return {
        value.index: ROW_COPY_RANK if isinstance(op, ROW_COPIES) else len(op.coordinates)
        for op in cast("list[Any]", ops.of(*COPIES))
        for value in ops.behind([op.tensor_map], operands)
        if isinstance(value, BlockArgument) and value.owner is ops.blocks[0]
    }


def products_of(numbers: Iterable[BlockArgument]) -> dict[BlockArgument, list[Mma]]:
    """The parameters used only as instruction descriptors, each with the products that use it."""
    found: dict[BlockArgument, list[Mma]] = {}
    for number in numbers:
        users = [use.operation for use in number.uses]
        products = [each for each in users if isinstance(each, Mma) and each.idesc is number]
        if users and len(products) == len(users):
            found[number] = products
    return found


def suggested(product: Mma, columns: int) -> InstructionDescriptor:
    """The instruction descriptor of a product with the largest legal M, and the largest legal N up
    to a number of columns; if there is no such N, the smallest legal one."""
    form = product.form().product
    point: dict[str, Any] = {
        "kind": product.kind_name,
        "ws": form.ws,
        "cta_group": product.ctas,
        "sparse": form.sparse,
    }
    codes = {each.name: each.codes for each in descriptor_layout(product.kind_name).parameters}
    for name in SHAPES.columns[len(point) :]:
        legal = SHAPES.values(name, **point)
        if name == "n":
            point[name] = max((n for n in legal if n <= columns), default=min(legal))
        elif name == "m":
            point[name] = max(legal)
        else:
            # The first type in the order of the codes; f32 comes after f16 for D.
            known = [each for each in codes.get(name) or () if each in legal]
            point[name] = known[-1 if name == "d" else 0] if known else next(iter(legal))
    fields = ("kind", "m", "n", "a", "b", "d", "sparse")
    return InstructionDescriptor(
        **{name: point[name] for name in fields}, scale_type=point["scale"]
    )


@dataclass(eq=False)
class Columns(Copies):
    """A record of a run, with the columns of tensor memory that products write and loads read."""

    _loaded: set[int] = field(default_factory=set[int])
    _products: dict[Operation, set[int]] = field(default_factory=dict[Operation, set[int]])
    """Product -> the first columns of the matrices D that it writes."""

    def width(self, products: Iterable[Operation]) -> int:
        """The width of the narrowest matrix D of some products: the number of adjacent columns that
        loads read, from its first column up to the next matrix. 0 if loads read none of them."""
        all_ = sorted({COLUMNS, *chain.from_iterable(self._products.values())})
        widths: list[int] = []
        for first in {at for each in products for at in self._products.get(each, ())}:
            following = all_[all_.index(first) + 1]
            columns = takewhile(self._loaded.__contains__, range(first, following))
            widths.append(sum(1 for _ in columns))
        return min(filter(None, widths), default=0)

    def see(
        self, source: Source, memory: Shadowed, where: Where, written: bool, operand: str = ""
    ) -> None:
        super().see(source, memory, where, written, operand)
        op = source.op
        if isinstance(memory, TensorMemory) and written and type(op) in PRODUCTS:
            self._products.setdefault(op, set()).add(where.bounds[1].start)
        elif isinstance(memory, TensorMemory) and not written and isinstance(op, LdOp):
            self._loaded.update(where.bounds[1])
