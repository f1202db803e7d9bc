"""
Stores of different CTAs to the same place in global memory.

If two CTAs store different values at the same place, the address leaves out something, such as the
row of the tile.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, get_args

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator

from ..isa.practice import RACE
from ..isa.tensor_memory.alloc import WARP_LANES
from ..ptx.analysis.control_flow import closure
from ..ptx.analysis.values import control_operands, is_pure, loads_parameter, operations
from ..ptx.control_flow import Branch
from ..ptx.instructions import (
    AndOp,
    BfeOp,
    CpAsyncBulkStoreOp,
    CpAsyncBulkTensorStoreOp,
    DivOp,
    ElectSyncOp,
    RemOp,
    RetOp,
    ShflSyncOp,
    ShrOp,
    SpecialRegisterOp,
    StOp,
)
from ..ptx.structure import GuardOp
from ..reporting.diagnostics import OperationError
from ..simulator.instructions import handlers_of
from ..simulator.machine.errors import fault, place_of
from ..simulator.machine.machine import Group, Machine, Step
from ..simulator.machine.program import Handler, Program
from ..simulator.machine.state import LaunchSizes
from ..simulator.machine.tensor_memory import Memory, Shadowed
from ..simulator.order.events import Source, distinct
from ..simulator.order.shadow import Where
from .execution import Skeleton
from .launches import Inventing, cluster_at, is_counted
from .sizes import Chooser
from .static.boxes import PRODUCTS
from .static.control import ASKING, is_flag
from .static.inventory import Inventory, cta_axes, is_global
from .static.loops import Scenario
from .static.outline import Outline

STORES = StOp, CpAsyncBulkTensorStoreOp, CpAsyncBulkStoreOp
"""Stores that replace what is in memory."""
_DIVIDING = DivOp | RemOp | ShrOp | AndOp | BfeOp
"""Operations that find the place of a tile along several axes in one number."""
_NO_PLACE = np.iinfo(np.int64).max
_NEXT = (1,)
_OTHERS = (1, 2, 8, 64)
"""Places of clusters that are compared with the first one: tiles along a second axis follow after
as many as there are along the first."""
_PARTLY = RACE.of_severity("warning")
_HELP = "let the address depend on the place of the tile, or let one CTA store the whole"


class _Store(NamedTuple):
    """The execution of a store: its cells of a memory."""

    op: Operation
    memory: Memory
    cells: npt.NDArray[np.int64]


class _Tiles(NamedTuple):
    """What a CTA has stored: its places in ascending order, and for each the number of its last
    store and the value."""

    cta: str
    stores: Sequence[_Store]
    places: npt.NDArray[np.int64]
    by: npt.NDArray[np.intp]
    values: npt.NDArray[np.int64]


class Meeting(NamedTuple):
    """A place that two CTAs store with different values."""

    store: _Store
    others: _Store
    ctas: tuple[str, str]
    place: int
    is_whole: bool
    """Whether the second CTA stores at all places of the operation."""

    @property
    def error(self) -> OperationError:
        """The finding: only a warning if the second CTA leaves out places of the operation."""
        op, other, memory = self.store.op, self.others.op, self.store.memory
        one, second = self.ctas
        is_array = self.place >= 0
        what = memory.place(self.place - memory.base) if is_array else f"a box of {memory.name}"
        where = f", {place_of(other)}," if other is not op else ""
        text = (
            f"{what} is stored by {one} and by {second}{where} with different values, and nothing "
            "orders the two"
        )
        rule = RACE if self.is_whole else _PARTLY
        return fault(op, rule, text, _HELP, None if other is op else other)


@dataclass(eq=False)
class _Stores(Inventing):
    """Record of the stores of CTAs in global memory."""

    checks: ClassVar[bool] = False
    found: dict[tuple[int, int], tuple[str, list[_Store]]] = field(
        default_factory=dict[tuple[int, int], Any]
    )
    """Number of a cluster and rank of a CTA -> the name of the CTA, and its stores."""

    def see(
        self, source: Source, memory: Shadowed, where: Where, written: bool, operand: str = ""
    ) -> None:
        super().see(source, memory, where, written, operand)
        if written and isinstance(source.op, STORES) and isinstance(memory, Memory):
            key = source.clocks.index, source.rank
            _, stores = self.found.setdefault(key, (source.cta, []))
            stores.append(_Store(source.op, memory, memory.shadow.cells(where)))


_KNOWN = (SpecialRegisterOp, ElectSyncOp, ShflSyncOp, *get_args(ASKING))
"""Operations that are not pure, and whose results are the same without the rest of a kernel: a poll
holds in the end."""


def _over(op: Any, program: Program) -> Step:
    """A poll of a phase that is over."""
    done = program.index(op.done)

    def step(group: Group) -> None:
        group.write(done, np.ones(WARP_LANES, np.bool_))

    return step


class _Part(NamedTuple):
    """The part of a kernel that stores in global memory, and the values that it needs."""

    program: Program
    needed: Set[SSAValue]


def _stores_only(skeleton: Skeleton) -> _Part | None:
    """The part of a kernel that stores in global memory: no threads wait, nothing is loaded, and a
    thread ends where no store may follow. None if its stores or its control need more."""
    ops = skeleton.ops.reached
    stores = {op for op in ops if isinstance(op, STORES)}
    stores = {op for op in stores if not isinstance(op, StOp) or is_global(op)}
    storing = (each for each in skeleton.ops.blocks if not stores.isdisjoint(operations([each])))
    leading = closure(storing, lambda block: block.predecessors())
    branches = [op for op in ops if isinstance(op, Branch)]
    deciding = stores | {op.parent_op() for op in stores}
    deciding |= {op for op in branches if op.parent_block() in leading}
    roots = (value for op in ops if op in deciding for value in control_operands(op))
    needed = skeleton.ops.behind(roots)

    def is_needed(op: Operation) -> bool:
        return op in stores or any(result in needed for result in op.results)

    def is_known(op: Operation) -> bool:
        return op in stores or loads_parameter(op) or is_pure(type(op)) or isinstance(op, _KNOWN)

    kept: set[Operation] = set()
    for op in ops:
        parts = op.instructions if isinstance(op, GuardOp) else [op]
        if is_needed(op) or any(map(is_needed, parts)):
            if not all(map(is_known, parts)):
                return None
            kept.add(op)
    handlers = dict(handlers_of({type(op) for op in ops}))
    end = handlers[RetOp]

    def ending(handler: Handler) -> Handler:
        return lambda op, program: (handler if op.parent_block() in leading else end)(op, program)

    handlers |= {each: ending(handlers[each]) for each in {type(op) for op in branches}}
    program = Program(
        skeleton.kernel,
        {**handlers, **dict.fromkeys(get_args(ASKING), _over)},
        lambda op: op in kept or op.has_trait(IsTerminator),
    )
    return _Part(program, needed)


class _Comparison:
    """Runs of a kernel in which CTAs are compared."""

    def __init__(self, skeleton: Skeleton):
        self._skeleton = skeleton
        self._part = _stores_only(skeleton)
        self._first: tuple[Scenario | None, dict[int | None, Sequence[_Tiles]]] = None, {}
        """The scenario with which others are compared, and what its CTAs store, by the seed."""
        self._boxes: dict[Hashable, int] = {}
        """Tensor and coordinates of a box -> its place, less than the places of bytes."""

    @property
    def stores_data(self) -> bool:
        """Whether the kernel stores loaded data."""
        stored = self._skeleton.slice.stored_by_threads
        ops = self._skeleton.ops.of(*STORES)
        return any(not isinstance(op, StOp) or stored(op) for op in ops)

    def may_change(self, number: SSAValue) -> bool:
        """Whether the places of the stores may change with a number."""
        return self._part is None or number in self._part.needed

    def run(self, scenario: Scenario, seed: int | None = None) -> list[_Tiles]:
        """What the CTAs of a run store; the values only with the `seed` of data."""
        record = _Stores()

        def look(machine: Machine) -> list[_Tiles]:
            maps: Iterable[object] = machine.tensor_maps.values()
            tensors = {map_.address or 0: map_ for map_ in maps if isinstance(map_, Outline)}
            arrays = machine.global_space.memories
            return [
                self._tiles(cta, [each for each in stores if each.memory in arrays], tensors)
                for cta, stores in record.found.values()
            ]

        found: list[_Tiles] = []
        if seed is None and self._part is not None:
            found = self._skeleton.observe(
                scenario.values, scenario.sizes, {}, look, record, part=self._part.program
            )
            if self._skeleton.stopped is None:
                return found
            self._part = None
        # Products may refuse invented data.
        for computes in (False,) if seed is None else (True, False):
            record = _Stores(seed=seed, asked=self._skeleton.knowledge.asked)
            found = self._skeleton.observe(
                scenario.values, scenario.sizes, {}, look, record, computes=computes
            )
            if self._skeleton.stopped is None:
                break
        return found

    def first(self, scenario: Scenario, seed: int | None = None) -> Sequence[_Tiles]:
        """What the CTAs of a run store; kept while several other runs are compared with it."""
        if self._first[0] is not scenario:
            self._first = scenario, {}
        known = self._first[1]
        if seed not in known:
            known[seed] = self.run(scenario, seed)
        return known[seed]

    def meeting(self, scenario: Scenario, other: Scenario) -> Meeting | None:
        """A place at which CTAs of two runs store different values."""
        if not _first_meeting(self.first(scenario), self.run(other)):
            return None
        for seed in self._skeleton.seeds:
            found = _first_meeting(self.first(scenario, seed), self.run(other, seed), valued=True)
            if found is not None:
                return found
        return None

    def _tiles(self, cta: str, stores: Sequence[_Store], tensors: Mapping[int, Outline]) -> _Tiles:
        places, values = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        by = [np.zeros(0, np.intp)]
        for number, (_, memory, cells) in enumerate(stores):
            map_ = tensors.get(memory.base)
            if map_ is None:
                places.append(memory.base + cells)
                values.append(memory.bytes[cells].astype(np.int64))
            else:
                origin, content = map_.box_at(int(cells[0]))
                box = self._boxes.setdefault((memory.base, origin), len(self._boxes))
                places.append(np.array([~box]))
                values.append(np.array([content]))
            by.append(np.full(places[-1].size, number))
        # The last store of a place counts.
        whole = np.concatenate(places)[::-1]
        different, last = distinct(whole) if whole.size else (whole, by[0])
        by, values = np.concatenate(by)[::-1][last], np.concatenate(values)[::-1][last]
        return _Tiles(cta, stores, different, by, values)


def _meeting(first: _Tiles, second: _Tiles, valued: bool) -> Meeting | None:
    """A place that two CTAs store, with different values if these count; one whose operation stores
    at no other places comes first."""
    its = np.searchsorted(second.places, first.places)
    # The function of numpy for common elements imports masked arrays.
    padded = np.concatenate((second.places, [_NO_PLACE]))
    mine: npt.NDArray[np.intp] = (padded[its] == first.places).nonzero()[0]
    its = its[mine]
    wrong = (
        np.flatnonzero(first.values[mine] != second.values[its]) if valued else np.arange(mine.size)
    )
    if not wrong.size:
        return None
    ops = {each.op: number for number, each in enumerate(first.stores)}
    numbers = np.array([ops[each.op] for each in first.stores])[first.by]
    totals, shared = (
        np.bincount(each, minlength=len(first.stores)) for each in (numbers, numbers[mine])
    )
    are_whole = (totals == shared)[numbers[mine[wrong]]]
    at = wrong[np.argmax(are_whole)]
    return Meeting(
        first.stores[int(first.by[mine[at]])],
        second.stores[int(second.by[its[at]])],
        (first.cta, second.cta),
        int(first.places[mine[at]]),
        bool(are_whole.any()),
    )


def _first_meeting(
    firsts: Iterable[_Tiles], seconds: Sequence[_Tiles], valued: bool = False
) -> Meeting | None:
    pairs = ((one, other) for one in firsts for other in seconds if one.cta != other.cta)
    found = [each for one, other in pairs if (each := _meeting(one, other, valued))]
    return max(found, key=lambda each: each.is_whole, default=None)


def overlaps(skeleton: Skeleton, sizes: LaunchSizes) -> Iterator[tuple[Meeting, Scenario]]:
    """
    Stores of CTAs of two clusters at the same place, with different values; each with the sizes of
    the run.

    Different addresses may meet because a number, such as a distance in an array, is too small: a
    finding counts if a large value of each number changes nothing.
    """
    comparison = _Comparison(skeleton)
    # Flags or atomic operations may order the stores of CTAs.
    may_be_ordered = any(is_flag(op) or is_counted(op) for op in skeleton.ops.ops)
    if not comparison.stores_data or may_be_ordered:
        return
    # Tiles of other kernels may overlap at their edges.
    has_products = any(skeleton.ops.of(*PRODUCTS))
    dividing = _divided(skeleton.ops)
    for axis in sorted(cta_axes(_registers(skeleton.ops))):
        places = _OTHERS if axis in dividing else _NEXT
        launch = _at(sizes, axis, 0, max(places) + 1)
        chooser = Chooser(skeleton, launch)
        start = chooser.shortest()
        for place in places if comparison.first(start) else ():
            other = replace(start, sizes=_at(sizes, axis, place, max(places) + 1))
            found = comparison.meeting(start, other)
            if found is None or not (found.is_whole or has_products):
                continue
            varied = (
                [replace(each, values={**each.values, p.index: far}) for each in (start, other)]
                for p, far in chooser.distances
                if comparison.may_change(p)
            )
            if all(comparison.meeting(a, b) for a, b in varied):
                yield found, other
                break


def _at(sizes: LaunchSizes, axis: str, place: int, count: int) -> LaunchSizes:
    """A launch of some clusters along an axis; the one at a place runs."""
    launch = cluster_at(sizes, {axis: place})
    extents = {
        each: n if each != axis else count * c
        for each, n, c in zip("xyz", launch.grid, sizes.cluster, strict=True)
    }
    return replace(launch, grid=tuple(extents.values()))


def _registers(ops: Inventory) -> list[SSAValue]:
    return [result for op in ops.of(SpecialRegisterOp) for result in op.results]


def _divided(ops: Inventory) -> set[str]:
    """The axes along which the kernel divides the number of a CTA into several numbers."""
    values = (value for op in ops.of(*get_args(_DIVIDING)) for value in op.operands)
    return cta_axes(ops.behind(values))
