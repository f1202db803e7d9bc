"""
Stores of different CTAs to the same place in global memory.

If two CTAs store values of different inputs at the same place, the address leaves out something,
such as the row of the tile.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from xdsl.ir import SSAValue

from ..isa.simulation import RACE
from ..ptx.analysis.values import backwards, passed_values
from ..ptx.arithmetic import AndOp, DivOp, RemOp, ShrOp
from ..ptx.bits import BfeOp
from ..ptx.effects import effects_of, global_places
from ..ptx.kernel import KernelOp
from ..ptx.memory import StOp
from ..ptx.structure import SpecialRegisterOp
from ..reporting.operation_error import OperationError
from ..simulator.machine.errors import fault, line_key, place_of
from ..simulator.machine.machine import Machine
from ..simulator.machine.state import LaunchSizes
from .boxes import PRODUCTS
from .execution import Skeleton
from .inputs import STORES, Input, InputRecord, Stored, loads_of
from .inventory import Inventory
from .launches import cluster_at, cta_axes
from .outline import Outline
from .polling import is_flag
from .scenario import Scenario
from .sizes import Chooser
from .slice import read_operands

_DIVIDING = DivOp | RemOp | ShrOp | AndOp | BfeOp
"""Operations that find the place of a tile along several axes in one number."""
_NEXT = (1,)
_OTHERS = (1, 2, 8, 64)
"""Places of clusters that are compared with the first one: tiles along a second axis follow after
as many as there are along the first."""
_PARTLY = RACE.of_severity("warning")
_HELP = "let the address depend on the place of the tile, or let one CTA store the whole"


class _Cta(NamedTuple):
    """What a CTA stored: its places in ascending order, and the store of each."""

    name: str
    places: npt.NDArray[np.int64]
    stores: Sequence[Stored]


class _Meeting(NamedTuple):
    """A place that two CTAs store, with values of different inputs."""

    store: Stored
    others: Stored
    ctas: tuple[str, str]
    place: int
    is_whole: bool
    """Whether the second CTA stores at all places of the operation."""


class _Comparison:
    """Runs of a kernel in which CTAs are compared."""

    def __init__(self, skeleton: Skeleton):
        self._skeleton, self._loads = skeleton, loads_of(skeleton.kernel)
        self._boxes: dict[Input, int] = {}
        """Tensor and coordinates of a box -> its place, less than those of bytes."""

    @property
    def stores_data(self) -> bool:
        """Whether the kernel stores loaded data."""
        ops = self._skeleton.ops.of(*STORES)
        return any(self._loads.get(op) or not isinstance(op, StOp) for op in ops)

    def run(self, scenario: Scenario) -> list[_Cta]:
        """What the CTAs of a run store."""
        inputs = InputRecord(loads=self._loads)

        def look(machine: Machine) -> list[_Cta]:
            maps: Iterable[object] = machine.tensor_maps.values()
            tensors = {map_.address: [*map_.origins] for map_ in maps if isinstance(map_, Outline)}
            arrays = machine.global_space.memories

            def named(each: Input) -> Input:
                base, cell = each
                if base in tensors and isinstance(cell, int):
                    return base, tensors[base][cell]
                return each

            def resolved(each: Stored) -> Stored:
                base = each.memory.base
                places = each.places + base
                if base in tensors:
                    boxes = ((base, tensors[base][cell]) for cell in _numbers(each.places))
                    places = np.array([~self._boxes.setdefault(b, len(self._boxes)) for b in boxes])
                latest, all_ = (frozenset(map(named, x)) for x in (each.latest, each.all))
                return each._replace(places=places, latest=latest, all=all_)

            found: list[_Cta] = []
            for name, stores in inputs.stored.items():
                stores = [resolved(each) for each in stores if each.memory in arrays]
                places = np.concatenate([np.zeros(0, np.int64), *(s.places for s in stores)])
                by = np.repeat(np.arange(len(stores)), [s.places.size for s in stores])
                # The last store of a place counts.
                places, at = np.unique(places[::-1], return_index=True)
                by = by[::-1][at]
                found.append(_Cta(name, places, [stores[number] for number in _numbers(by)]))
            return found

        return self._skeleton.observe(scenario.values, scenario.sizes, {}, look, inputs)


def _numbers(array: npt.NDArray[Any]) -> list[int]:
    return array.tolist()


def _meeting(first: _Cta, second: _Cta) -> _Meeting | None:
    """A place that both CTAs store; one whose operation stores at no other places comes first."""
    common, ours, theirs = np.intersect1d(
        first.places, second.places, assume_unique=True, return_indices=True
    )
    places, mine, its = _numbers(common), _numbers(ours), _numbers(theirs)
    totals = Counter(each.op for each in first.stores)
    shared = Counter(first.stores[at].op for at in mine)
    found: _Meeting | None = None
    for place, at, its_at in zip(places, mine, its, strict=True):
        one, other = first.stores[at], second.stores[its_at]
        if one.latest != other.latest and one.all != other.all:
            is_whole = shared[one.op] == totals[one.op]
            if found is None or is_whole:
                found = _Meeting(one, other, (first.name, second.name), place, is_whole)
            if is_whole:
                break
    return found


def _first_meeting(firsts: Iterable[_Cta], seconds: Sequence[_Cta]) -> _Meeting | None:
    pairs = ((one, other) for one in firsts for other in seconds if one.name != other.name)
    found = [each for one, other in pairs if (each := _meeting(one, other))]
    return max(found, key=lambda each: each.is_whole, default=None)


def overlaps(
    skeleton: Skeleton, sizes: LaunchSizes, unordered: Mapping[Hashable, Scenario]
) -> Iterator[tuple[OperationError, Scenario]]:
    """
    Findings about stores of two CTAs at the same place, with values of different inputs; each with
    the sizes of the run. CTAs of several clusters are compared, and those of one cluster at the
    lines that a run knows to be unordered.

    Different addresses may meet because a number, such as a distance in an array, is too small: a
    finding counts if a large value of each number changes nothing.
    """
    comparison = _Comparison(skeleton)
    if not comparison.stores_data or _may_be_ordered(skeleton.ops):
        return
    for scenario in [*unordered.values()][:1]:
        ctas = comparison.run(scenario)
        found = _first_meeting(ctas, ctas)
        if found and line_key(found.store.op) in unordered:
            yield _error(found), scenario
    # Tiles of other kernels may overlap at their edges.
    has_products = any(skeleton.ops.of(*PRODUCTS))
    dividing = _divided(skeleton.kernel)
    for axis in sorted(cta_axes(_registers(skeleton.ops))):
        places = _OTHERS if axis in dividing else _NEXT
        launch = _at(sizes, axis, 0, max(places) + 1)
        chooser = Chooser(skeleton, launch)
        start = chooser.shortest()
        ctas = comparison.run(start)
        for place in places if ctas else ():
            other = replace(start, sizes=_at(sizes, axis, place, max(places) + 1))
            found = _first_meeting(ctas, comparison.run(other))
            if found is None or not (found.is_whole or has_products):
                continue
            varied = (
                [replace(each, values={**each.values, p.index: far}) for each in (start, other)]
                for p, far in chooser.distances
            )
            if all(_first_meeting(comparison.run(a), comparison.run(b)) for a, b in varied):
                yield _error(found), other
                break


def _error(found: _Meeting) -> OperationError:
    op, other = found.store.op, found.others.op
    one, second = found.ctas
    memory, place = found.store.memory, found.place
    what = memory.place(place - memory.base) if place >= 0 else f"a box of {memory.name}"
    where = f", {place_of(other)}," if other is not op else ""
    text = (
        f"{what} is stored by {one} and by {second}{where} with values that the two compute from "
        "different data, and nothing orders the two"
    )
    rule = RACE if found.is_whole else _PARTLY
    return fault(op, rule, text, _HELP, None if other is op else other)


def _at(sizes: LaunchSizes, axis: str, place: int, count: int) -> LaunchSizes:
    """A launch of some clusters along an axis, of which the one at a place runs."""
    launch = cluster_at(sizes, {axis: place})
    extents = {
        each: n if each != axis else count * c
        for each, n, c in zip("xyz", launch.grid, sizes.cluster, strict=True)
    }
    return replace(launch, grid=tuple(extents.values()))


def _may_be_ordered(ops: Inventory) -> bool:
    """Whether flags or atomic operations may order the stores of CTAs."""
    return any(
        is_flag(op) or (op.results and effects_of(type(op)).is_atomic and global_places(op, True))
        for op in ops.ops
    )


def _registers(ops: Inventory) -> list[SSAValue]:
    return [result for op in ops.of(SpecialRegisterOp) for result in op.results]


def _divided(kernel: KernelOp) -> set[str]:
    """The axes of which the number of a CTA is divided into those of several axes."""
    passed = passed_values(kernel.body.blocks)
    values = (value for op in kernel.walk() if isinstance(op, _DIVIDING) for value in op.operands)
    return cta_axes(backwards(values, passed, read_operands))
