"""Scale factors of an MMA: SFA indexed by row and factor, SFB by factor and column."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Any

from tcgen05_dialect.calculator.grid import ColourGroup
from tcgen05_dialect.calculator.matrix import Pair, SharedMatrix, TensorMatrix, row_group
from tcgen05_dialect.calculator.multiplication import Multiplication
from tcgen05_dialect.calculator.placement import Placement
from tcgen05_dialect.calculator.question import QuestionError
from tcgen05_dialect.calculator.shared_operands import check_bytes
from tcgen05_dialect.isa.mma.accumulator import Position
from tcgen05_dialect.isa.mma.scale import CELL_BYTES, ScaleFactors
from tcgen05_dialect.isa.model.rule import raise_any
from tcgen05_dialect.isa.shared_memory.swizzle import ROW_BYTES, UNIT_BYTES
from tcgen05_dialect.isa.tensor_memory.cells import CELL_BITS, column_violations, unpack

_BITS = CELL_BITS // CELL_BYTES
"""Number of bits of a scale factor."""


class _Scales:
    """SFA or SFB. Each CTA holds the scale factors of its own rows of A and of all columns of B."""

    def __init__(self, mma: Multiplication, name: str):
        self.mma, self.name = mma, name
        self.is_a = name == "SFA"
        self.parts = mma.cta_group if self.is_a else 1
        self.rows = mma.m if self.is_a else mma.n

    @cached_property
    def matrix(self) -> ScaleFactors:
        """The scale factors of one CTA."""
        folds = 1 if self.is_a else self.mma.layout.folds
        return ScaleFactors(self.rows // self.parts, self.mma.scale_factors, folds)

    def split(self, row: int) -> tuple[Collection[int], int]:
        """The CTAs that hold the factors of a row, and the index of the row in each."""
        cta, row = divmod(row, self.matrix.rows)
        return ((cta,) if self.is_a else range(self.mma.cta_group)), row

    def joined(self, cta: int, found: Pair | None) -> Pair | None:
        """Convert indices in one CTA to indices in the whole matrix."""
        if found is None:
            return None
        return (cta * self.matrix.rows if self.is_a else 0) + found[0], found[1]

    @property
    def description(self) -> dict[str, Any]:
        name = "m" if self.is_a else "n"
        return {
            "name": self.name,
            "what": f"{self.name} of {self.mma}",
            "names": (name, "factor"),
            "extents": (self.rows, self.matrix.factors),
            "flipped": not self.is_a,
            "bits": _BITS,
            "ctas": self.mma.cta_group,
            "group": self._group,
        }

    def _group(self, row: int, _: int) -> ColourGroup:
        return row_group("m" if self.is_a else "n", self.rows, row)


def tensor_scales(mma: Multiplication, name: str, placement: Placement) -> TensorMatrix:
    """Scale factors in tensor memory, with a copy for each warp that needs them."""
    scales, origin = _Scales(mma, name), unpack(placement.address)
    raise_any(
        column_violations(origin.column, scales.matrix.used_columns, f"columns of {name}")
        or scales.matrix.column_violations(origin.column)
    )
    if origin.lane:
        raise QuestionError(f"lane of {name}", origin.lane, 0)

    def positions(row: int, factor: int) -> tuple[Position, ...]:
        ctas, row = scales.split(row)
        lanes, column, byte = scales.matrix.position(row, factor)
        return tuple(Position(cta, lane, column, byte * _BITS) for cta in ctas for lane in lanes)

    def find(place: Position) -> Pair | None:
        found = scales.matrix.element(place.lane, place.column, place.bit // _BITS)
        return scales.joined(place.cta, found)

    return TensorMatrix(
        **scales.description,
        origin=origin,
        width=scales.matrix.columns,
        room=_BITS,
        positions=positions,
        find=find,
    )


def shared_scales(mma: Multiplication, name: str, placement: Placement) -> SharedMatrix:
    """Scale factors in shared memory, in the layout that tcgen05.cp with shape 32x128b expects."""
    scales = _Scales(mma, name)
    check_bytes(name, placement.address, scales.matrix.size_bytes, UNIT_BYTES)

    def offsets(row: int, factor: int) -> tuple[tuple[int, int, int, int], ...]:
        ctas, row = scales.split(row)
        byte = scales.matrix.byte_offset(row, factor)
        return tuple((cta, byte, byte, 0) for cta in ctas)

    def find(cta: int, bit: int, _: bool) -> Pair | None:
        return scales.joined(cta, scales.matrix.element_at(bit // 8))

    return SharedMatrix(
        **scales.description,
        address=placement.address,
        size=scales.matrix.size_bytes,
        slots=tuple(range(0, ROW_BYTES * 8, _BITS)),
        offsets=offsets,
        find=find,
    )
