"""Operands of an MMA in tensor memory."""

from __future__ import annotations

from collections.abc import Callable

from tcgen05_dialect.calculator.grid import ColourGroup
from tcgen05_dialect.calculator.matrix import Pair, TensorMatrix, row_group
from tcgen05_dialect.calculator.multiplication import Multiplication
from tcgen05_dialect.calculator.placement import Placement
from tcgen05_dialect.calculator.question import QuestionError
from tcgen05_dialect.isa.element import INDEX, container_bits, element
from tcgen05_dialect.isa.mma.accumulator import Position
from tcgen05_dialect.isa.mma.shapes import stored_elements
from tcgen05_dialect.isa.mma.sparse import GRANULARITIES, metadata_chunk, metadata_positions
from tcgen05_dialect.isa.model.rule import raise_any
from tcgen05_dialect.isa.tensor_memory.cells import (
    CELL_BITS,
    WARP_LANES,
    Cell,
    column_violations,
    unpack,
)
from tcgen05_dialect.isa.tensor_memory.cp import PAYLOAD_BITS


def tensor_d(mma: Multiplication, name: str, placement: Placement) -> TensorMatrix:
    """The accumulator; each cell holds one element."""
    layout, origin = mma.layout, unpack(placement.address)
    width = layout.columns(mma.n)

    def group(m: int, n: int) -> ColourGroup:
        found, fold = row_group("m", mma.m, m, _together(mma)), n // width
        if layout.folds == 1:
            return found
        hue = found.hue + fold * -(-mma.m // _together(mma))
        return ColourGroup(
            f"{found.name}, n {fold * width}-{(fold + 1) * width - 1}", hue, found.shade
        )

    return _in_lanes_of_d(
        mma,
        name,
        ("n", mma.n),
        (element(mma.d).bits, CELL_BITS),
        origin,
        lambda m, n: (layout.position(m, n, mma.n, origin.lane),),
        lambda place: layout.element(place, mma.n, origin.lane),
        width=width,
        group=group,
    )


def tensor_a(mma: Multiplication, name: str, placement: Placement) -> TensorMatrix:
    """A in tensor memory; elements of less than 8 bits occupy 8 bits if the kind pads them."""
    layout, bits, origin = mma.layout, element(mma.a).bits, unpack(placement.address)
    room = container_bits(bits, mma.pads)
    return _in_lanes_of_d(
        mma,
        name,
        ("k", stored_elements(mma.extent_k(), mma.sparse)),
        (bits, room),
        origin,
        lambda m, k: layout.a_positions(m, k, room, origin.lane),
        lambda place: layout.a_element(place, room, origin.lane),
        shift=PAYLOAD_BITS[bits] if room > bits else 0,
    )


def tensor_metadata(mma: Multiplication, name: str, placement: Placement) -> TensorMatrix:
    """The sparsity metadata; columns are relative to the one that the selector selects."""
    if not mma.sparse:
        raise QuestionError("metadata of an MMA", "dense", "sparse")
    layout, origin = mma.layout, unpack(placement.address)
    return _in_lanes_of_d(
        mma,
        name,
        ("chunk", mma.extent_k() // GRANULARITIES[mma.kind].chunk),
        (INDEX.bits, INDEX.bits),
        origin,
        lambda m, chunk: metadata_positions(mma.kind, layout, m, chunk, origin.lane),
        lambda place: metadata_chunk(mma.kind, layout, place, origin.lane),
    )


def _together(mma: Multiplication) -> int:
    """The number of rows in the lanes of one warp."""
    return WARP_LANES // 2 if mma.layout.is_half else WARP_LANES


def _in_lanes_of_d(
    mma: Multiplication,
    name: str,
    second: tuple[str, int],
    bits: tuple[int, int],
    origin: Cell,
    positions: Callable[[int, int], tuple[Position, ...]],
    find: Callable[[Position], Pair | None],
    width: int | None = None,
    group: Callable[[int, int], ColourGroup] | None = None,
    shift: int = 0,
) -> TensorMatrix:
    """
    A matrix whose rows are in the lanes of D. `second` is the name and the extent of the other
    index; `bits` is the size of an element and the size that it occupies.
    """
    mma.layout.check_lane(origin.lane)
    width = -(-second[1] * bits[1] // CELL_BITS) if width is None else width
    raise_any(column_violations(origin.column, width, f"columns of {name}"))
    return TensorMatrix(
        name=name,
        what=f"{name} of {mma}, layout {mma.layout.name}",
        names=("m", second[0]),
        extents=(mma.m, second[1]),
        bits=bits[0],
        ctas=mma.cta_group,
        group=group or (lambda m, _: row_group("m", mma.m, m, _together(mma))),
        origin=origin,
        width=width,
        room=bits[1],
        shift=shift,
        positions=positions,
        find=find,
    )
