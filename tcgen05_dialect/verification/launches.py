"""
Launches that the verifier invents: their sizes, the values of their parameters, and the contents of
memory that nothing is known of.

Two places have different contents, so threads that store what they loaded from two places store
different values, unless the kernel makes them equal.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import BlockArgument, Operation, SSAValue

from ..isa.ptx.kernel import TENSOR_MAP_BYTES
from ..isa.targets import SHARED_BYTES
from ..isa.tensor_memory.alloc import WARP_LANES
from ..ptx.analysis.values import Slice, is_in
from ..ptx.effects import effects_of, global_places, is_strong_access
from ..ptx.instructions import (
    ClusterlaunchcontrolTryCancelOp,
    LdOp,
    MapaOp,
    SpecialRegisterOp,
    StOp,
)
from ..ptx.kernel import memory_of
from ..ptx.register_types import register_bits
from ..ptx.text.syntax import values_of
from ..reporting.diagnostics import OperationError
from ..simulator import Launch
from ..simulator.launch.clusters import Bits, shared_bytes
from ..simulator.launch.launch import sizes_of
from ..simulator.machine.errors import place_of
from ..simulator.machine.gathering import Storing
from ..simulator.machine.machine import Group, Machine, Step, Wait
from ..simulator.machine.program import Handler, Program
from ..simulator.machine.state import LaunchSizes
from ..simulator.machine.tensor_map import box_in
from ..simulator.machine.tensor_memory import Memory, Shadowed, Space, aligned
from ..simulator.numbers.floats import Lanes, some, unsigned
from ..simulator.numbers.integers import content_of, mixed
from ..simulator.order.events import Source
from ..simulator.order.race_detector import Judge
from ..simulator.order.shadow import Where
from .knowledge import Undecided
from .static.control import is_settled
from .static.inventory import Inventory, cta_axes, is_global, unknown_threads
from .static.members import shown_name
from .static.outline import TENSOR_BYTES, Box, Outline

Cluster = Sequence[int] | None
"""The extents of a cluster; None for the cluster of the kernel."""
_PAIR = StringAttr("cta_group_2")
_CLUSTERS = ((1,), (2,), (1, 2), (4,), (2, 2))
"""The clusters that are tried."""
_PLACES = ("ctaid", "clusterid")
"""Special registers that tell the place of a CTA in the grid."""
_CLUSTERS_ALONG = {"x": 3, "y": 4, "z": 5}
"""Number of clusters along an axis of a larger grid; a kernel may take one axis for another."""
_WAITING = (2, 0, 1, 3, 4)
"""Numbers of clusters that wait while another takes over their work: with the work of the cluster
itself, up to two rounds and one more in a ring of two accumulators. Runs for `quick` come first."""


def cluster_user(ops: Inventory) -> Operation | None:
    """An operation whose meaning depends on the number of CTAs of a cluster; None if there is
    none."""
    return next((op for op in ops.ops if type(op) is MapaOp or _mask(op)), None)


def clusters_of(ops: Inventory, required: Cluster) -> list[Cluster]:
    """
    The clusters with which a kernel may be launched, the smallest first. A kernel does not tell
    more if it has no cluster_dims.
    """
    if required is not None:
        return [None]
    least = 2 if any(op.properties.get("cta_group") == _PAIR for op in ops.ops) else 1
    if cluster_user(ops) is None:
        return [(least,)]
    return [each for each in _CLUSTERS if prod(each) >= least]


def launches_of(program: Program, ops: Inventory, cluster: Cluster) -> list[LaunchSizes]:
    """
    Sizes of launches, with the dynamic shared memory that the kernel needs, or the maximum if it
    does not say: a launch of one cluster and, if clusters may wait for each other, one of two along
    each axis along which their places matter.

    Raises Undecided if the kernel does not determine them.
    """
    if found := unknown_threads(program.kernel):
        raise Undecided(found)
    needs = [each.needs for each in program.variables if each.size is None]
    room = max((each.value.data for each in needs if each is not None), default=0)
    if None in needs:
        room = max(SHARED_BYTES.values()) - shared_bytes(program)
    sizes = sizes_of(program.kernel, Launch(cluster=cluster, dynamic_shared_memory=room))
    if not clusters_meet(ops):
        return [sizes]
    places = (
        value
        for op in ops.of(SpecialRegisterOp)
        if op.register.data.startswith(_PLACES)
        for value in op.results
    )
    x, y, z = sizes.grid
    grids = {"x": (2 * x, y, z), "y": (x, 2 * y, z), "z": (x, y, 2 * z)}
    return [sizes, *(replace(sizes, grid=grids[axis]) for axis in sorted(cta_axes(places)))]


def other_clusters(sizes: LaunchSizes, axes: Iterable[str]) -> list[LaunchSizes]:
    """Launches of grids that are larger along some axes; an inner and the last cluster run."""
    if not (last := {axis: _CLUSTERS_ALONG[axis] - 1 for axis in axes}):
        return []
    return [cluster_at(sizes, place) for place in (dict.fromkeys(last, 1), last)]


def cluster_at(sizes: LaunchSizes, place: Mapping[str, int], behind: int = 0) -> LaunchSizes:
    """A launch in which one cluster runs, given by its number along axes; at least so many are
    behind it."""
    x, y, z = (place.get(axis, 0) for axis in "xyz")
    counts = (
        max(count, place[axis] + 1 + behind) if axis in place else 1
        for axis, count in _CLUSTERS_ALONG.items()
    )
    gx, gy, gz = (n * c for n, c in zip(counts, sizes.cluster, strict=True))
    return replace(sizes, grid=(gx, gy, gz), alone=(x, y, z))


def waiting_clusters(ops: Inventory) -> Sequence[int]:
    """The numbers of clusters whose work the first one may take over; empty if it never does."""
    return _WAITING if ops.of(ClusterlaunchcontrolTryCancelOp) else ()


def clusters_meet(ops: Inventory) -> bool:
    """Whether clusters may pass flags to each other in global memory, by strong accesses or by
    atomic operations with a result."""
    strong = (op for op in ops.of(LdOp, StOp) if is_global(op) and is_strong_access(op))
    may_tell = any(type(op) is StOp or not is_settled(op, ops.ops) for op in strong)
    return (may_tell or any(map(is_counted, ops.ops))) and any(
        op.register.data.startswith(_PLACES) for op in ops.of(SpecialRegisterOp)
    )


def is_counted(op: Operation) -> bool:
    """Whether an operation is atomic in global memory, and has a result."""
    return bool(op.results) and effects_of(type(op)).is_atomic and bool(global_places(op, True))


def _mask(op: Operation) -> bool:
    """Whether an operation has the CTA mask of a multicast."""
    return hasattr(op, "multicast_mask") and bool(values_of(op, "multicast_mask"))


class Invented(Memory):
    """Global memory that no launch describes."""


@dataclass(eq=False)
class Inventing(Judge):
    """
    A judge that fills invented memory with distinct data before the first access to it, if it has a
    `seed` for them. Flags and counters stay 0, and so does what loads of `asked` read first.
    """

    seed: int | None = 0
    asked: Collection[Operation] = ()
    _filled: dict[Memory, npt.NDArray[np.bool_]] = field(
        default_factory=dict[Memory, npt.NDArray[np.bool_]]
    )

    def see(
        self, source: Source, memory: Shadowed, where: Where, written: bool, operand: str = ""
    ) -> None:
        if self.seed is None or not isinstance(memory, Invented):
            return
        if memory not in self._filled:
            self._filled[memory] = np.zeros(memory.bytes.size, np.bool_)
        filled, cells = self._filled[memory], memory.shadow.cells(where)
        cells = cells[~filled[cells]]
        filled[cells] = True
        op = source.op
        if some(cells) and not (
            op in self.asked or is_strong_access(op) or effects_of(type(op)).is_atomic
        ):
            memory.bytes[cells] = content_of(cells + memory.base, self.seed)


def marking(
    handlers: Mapping[type[Operation], Handler], slice_: Slice
) -> dict[type[Operation], Handler]:
    """The handlers of a run that computes no data: each thread stores a mark of its own in place of
    data, so that the race detector sees the stores of different threads."""
    return {
        op_type: _marked(handler, slice_) if effects_of(op_type).data else handler
        for op_type, handler in handlers.items()
    }


def _marked(handler: Handler, slice_: Slice) -> Handler:
    def marked(op: Any, program: Program) -> Step:
        step = handler(op, program)
        values = slice_.stored_by_threads(op)
        registers = [
            (program.index(each), unsigned(register_bits(each.type) or 0)) for each in values
        ]
        if not registers or (isinstance(op, StOp) and is_in(op, "local")):
            return step
        is_needed = any(each in slice_.needed or each in slice_.relayed for each in values)

        def mark(group: Group) -> None:
            first = int(group.warp.rows[0])
            for index, dtype in registers:
                group.warp.registers[index] = _marks(first, dtype)

        if isinstance(step, Storing) and not is_needed:
            step.before.append(mark)
            return step

        def run(group: Group) -> Wait | None:
            # Other instructions may need what a mark replaces.
            kept = [(index, group.warp.registers[index]) for index, _ in registers]
            mark(group)
            wait = step(group)
            for index, value in kept:
                group.warp.registers[index] = value
            return wait

        return run

    return marked


@lru_cache(maxsize=1 << 10)
def _marks(first: int, dtype: Any) -> Lanes:
    """The marks of the threads of a warp, whose first row number is given."""
    marks = mixed(np.arange(first, first + WARP_LANES))
    wide = np.dtype(dtype).itemsize // marks.itemsize
    return marks.repeat(wide).view(dtype) if wide else marks.astype(dtype)


_WINDOW = 1 << 26
"""Bytes of global memory around each pointer."""
_BEFORE = _WINDOW // 4
"""Bytes of global memory before each pointer."""
ARRAY_BYTES = _WINDOW - _BEFORE
"""Bytes of global memory from each pointer on."""
_EXTENSION = 1 << 24
"""Bytes of memory that an access outside all arrays gets."""
_MOST_MEMORIES = 128
_END = 1 << 62
_BASE = 0x7F0000000000
_BETWEEN = 1 << 32
_MAPS = 1 << 20
"""Generic address of the first tensor map."""


class BoundlessSpace(Space):
    """Global memory, which is endless in a run without a launch: accesses outside all arrays get
    memory, because strides and coordinates that are invented may lead anywhere."""

    def __init__(self, name: str):
        super().__init__(name)
        self.arrays: dict[Memory, int] = {}
        """Memory at a pointer -> the number of the parameter."""

    def find(self, op: Operation, address: int, size: int) -> tuple[Memory, int]:
        if len(self.memories) < _MOST_MEMORIES and 0 < address < _END:
            self._extend(address, size)
        return super().find(op, address, size)

    def _extend(self, address: int, size: int) -> None:
        """Add memory around an access, unless other memory has bytes of it."""
        index = bisect_right(self.memories, address, key=lambda each: each.base)
        first, last = address & -_EXTENSION, (address + size - 1 | _EXTENSION - 1) + 1
        if index:
            first = max(first, self.memories[index - 1].end)
        if index < len(self.memories):
            last = min(last, self.memories[index].base)
        if first <= address and address + size <= last:
            self.insert(index, window("global memory", first, last - first))


def bind(
    machine: Machine,
    parameters: Sequence[BlockArgument],
    pointers: Collection[SSAValue],
    values: Mapping[int, Bits],
    maps: Mapping[int, Any],
    seed: int | None = None,
) -> tuple[list[Bits], list[int]]:
    """
    Place the parameters of a kernel in a machine, and return their bits, and their addresses in the
    state space `.param`. `values` are those of numbers, `maps` the tensor maps, by the parameter's
    index. Boxes have contents if there is a `seed` for them.
    """
    machine.global_space = space = BoundlessSpace(machine.global_space.name)
    machine.decode = partial(made_map, seed=seed)
    bits: list[Bits] = []
    addresses: list[int] = []
    address, end = _BASE, 0
    for parameter in parameters:
        name = shown_name(parameter)
        size, alignment = memory_of(parameter.type) or (0, 1)
        base = aligned(end, alignment)
        end = base + size
        # No run knows these bytes: members that a run knows are parameters of their own.
        held = Memory(name, base, np.zeros(size, np.uint8), np.ones(size, np.bool_))
        machine.parameters.add(held)
        addresses.append(base)
        if parameter.index in maps:
            tensor_map = maps[parameter.index]
            space.add(_tensor(f"the tensor of {name}", address, tensor_map, seed))
            at = _MAPS + TENSOR_MAP_BYTES * parameter.index
            machine.tensor_maps[at] = tensor_map
            bits.append(at)
        elif parameter in pointers:
            array = window(f"the array at {name}", address, _WINDOW)
            array.origin = _BEFORE
            space.add(array)
            space.arrays[array] = parameter.index
            bits.append(address + _BEFORE)
        else:
            bits.append(values.get(parameter.index, base))
        address += _BETWEEN
    return bits, addresses


def _tensor(name: str, address: int, map_: Outline, seed: int | None) -> Memory:
    """Memory for the boxes of a map."""
    map_.address, memory = address, window(name, address, TENSOR_BYTES, Memory)
    if seed is not None:
        map_.contents, map_.seed = memory.bytes, seed
    return memory


def made_map(op: Operation, content: bytes, space: Space, seed: int | None = None) -> Any:
    """
    The outline of a tensor map that the kernel has written to global memory. Its tensor is apart
    from all others: a run without a launch does not know where they are.

    Raises Undecided for a map without a box, which the kernel made of one that only a launch gives,
    and for a legal map that the emulator does not support.
    """
    try:
        box = box_in(op, content)
    except OperationError as error:
        raise Undecided(f"{op.name}, {place_of(op)}: {error.message}") from error
    if not all(box.extents):
        text = f"the tensor map of {op.name}, {place_of(op)}, comes from memory"
        raise Undecided(f"{text}, which only a launch gives")
    made = Outline(-1, Box(box.bytes, box.shared_bytes), (1,) * len(box.extents))
    address = space.memories[-1].end + _BETWEEN & -_BETWEEN
    space.add(_tensor("the tensor of a map that the kernel made", address, made, seed))
    return made


def window(name: str, base: int, size: int, kind: type[Memory] = Invented) -> Memory:
    """Memory of unknown size and contents; its pages are committed when they are used."""
    one = np.ones(1, np.bool_)
    written = np.lib.stride_tricks.as_strided(one, (size,), (0,), writeable=True)
    return kind(name, base, np.zeros(size, np.uint8), written)
