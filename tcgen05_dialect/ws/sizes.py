"""The memory of rings and buffers: where each begins, and how much a kernel needs."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xdsl.ir import Attribute, SSAValue

from ..isa.mma.products import SCALE
from ..isa.mma.scale import ATOM_COLUMNS
from ..isa.ptx.bulk_copy import TILE
from ..isa.tensor_memory.alloc import ALLOCATIONS
from ..tcgen05.types import TensorMemoryType
from . import tiles
from .copies import copies_to
from .kernel import Kernel
from .rings import AllocOp
from .roles import WarpSpecializeOp
from .types import SharedTileType

TMA_ALIGNMENT = TILE.alignment
"""Alignment in bytes of a tile that TMA copies."""


class Place(NamedTuple):
    """
    The memory of a buffer: its beginning in stage 0 and the distance to the next stage, in bytes of
    dynamic shared memory or in columns of tensor memory.
    """

    type: SharedTileType | TensorMemoryType
    start: int
    step: int
    stages: int

    @property
    def is_shared(self) -> bool:
        return isinstance(self.type, SharedTileType)


class Memory(NamedTuple):
    """
    The memory of a kernel: places by owner and index of the buffer; bytes of dynamic shared memory,
    their alignment, and the columns that are used.
    """

    places: Mapping[SSAValue, Sequence[Place]]
    shared_bytes: int
    alignment: int
    columns: int

    @property
    def allocated_columns(self) -> int:
        """The columns to allocate, 0 for none. More than exist if the kernel needs more."""
        if not self.columns:
            return 0
        sizes = sorted(ALLOCATIONS.values("columns"))
        return next((size for size in sizes if size >= self.columns), self.columns)


class Wanted(NamedTuple):
    """The buffers of a ring, or of a ws.alloc, and for how many stages there is memory."""

    owner: SSAValue
    stages: int
    buffers: Sequence[Attribute]


def memory_of(kernel: Kernel) -> Memory:
    """The memory of a kernel."""
    wanted = [Wanted(ring.ring, ring.stages, ring.ring.type.buffers.data) for ring in kernel.rings]
    wanted.extend(Wanted(each.buffer, _copies(each), [each.buffer.type]) for each in kernel.allocs)
    return arranged(wanted, kernel.op)


def arranged(wanted: Sequence[Wanted], op: WarpSpecializeOp) -> Memory:
    """
    The memory of some rings and buffers, those of the largest alignment first, and of the responses
    to requests for tiles.
    """
    places: dict[SSAValue, list[Place]] = {owner: [] for owner, _, _ in wanted}
    shared = columns = 0
    alignment = TMA_ALIGNMENT
    for owner, stages, buffers in sorted(wanted, key=lambda each: -_alignment(each[2])):
        for buffer in buffers:
            if isinstance(buffer, SharedTileType):
                own = _alignment([buffer])
                alignment = max(alignment, own)
                size = _rounded(buffer.size_bytes, own)
                shared = _rounded(shared, own)
                places[owner].append(Place(buffer, shared, size, stages))
                shared += size * stages
            elif isinstance(buffer, TensorMemoryType):
                size = buffer.footprint[1]
                columns = _rounded(columns, ATOM_COLUMNS if buffer.role.data == SCALE else 1)
                places[owner].append(Place(buffer, columns, size, stages))
                columns += size * stages
    if op.clc is not None:
        shared = _rounded(shared, TMA_ALIGNMENT) + tiles.STAGES * tiles.TILE.size_bytes
    return Memory(places, shared, alignment, columns)


def _copies(alloc: AllocOp) -> int:
    """The copies of a buffer of one role: one for each stage from which it is filled."""
    holdings = [op.holding for op in copies_to(alloc)]
    return max((each.ring_op.stages for each in holdings if each is not None), default=1)


def _alignment(buffers: Sequence[Attribute]) -> int:
    found = [each.alignment for each in buffers if isinstance(each, SharedTileType)]
    return max((*found, TMA_ALIGNMENT)) if found else 1


def _rounded(number: int, step: int) -> int:
    return -(-number // step) * step
