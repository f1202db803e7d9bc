"""Places of an element, elements at a place, and the sum that makes an element of D."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tcgen05_dialect.calculator.access import check_access, in_registers
from tcgen05_dialect.calculator.grid import Cell, Grid, Record
from tcgen05_dialect.calculator.matrix import Matrix, SharedMatrix, TensorMatrix
from tcgen05_dialect.calculator.multiplication import Multiplication
from tcgen05_dialect.calculator.operands import operand_matrix
from tcgen05_dialect.calculator.placement import Placement
from tcgen05_dialect.calculator.places import Located, joined_text
from tcgen05_dialect.calculator.question import QuestionError
from tcgen05_dialect.isa.mma.sparse import GRANULARITIES
from tcgen05_dialect.isa.tensor_memory.cells import LANES
from tcgen05_dialect.isa.tensor_memory.ld_st_cover import Cover


def locate(
    matrix: Matrix, row: int, column: int, cover: Cover | None = None
) -> tuple[Located, ...]:
    """
    All places of an element, in memory or in registers after accesses to the whole matrix.

    Raises Violation and QuestionError.
    """
    if cover is None:
        return matrix.located(row, column)
    checked = check_access(matrix, cover)
    return tuple(in_registers(checked, each, cover) for each in matrix.located(row, column))


def elements_in_cell(matrix: Matrix, cta: int, lane: int, column: int) -> tuple[Located, ...]:
    """The elements in a cell of tensor memory, lowest bits first. Raises QuestionError."""
    if not isinstance(matrix, TensorMatrix):
        raise QuestionError(f"memory of {matrix.name} with lane and column", "shared", "tensor")
    matrix.check_cta(cta)
    if lane not in range(LANES):
        raise QuestionError("lane", lane, range(LANES))
    if column not in matrix.column_range:
        raise QuestionError(f"column of {matrix.name}", column, matrix.column_range)
    return tuple(matrix.held(cta, lane, column))


def elements_in_byte(
    matrix: Matrix, cta: int, byte: int, swizzled: bool = True
) -> tuple[Located, ...]:
    """
    The elements that have bits in a byte of shared memory, lowest bits first.

    If `swizzled` is false, the byte is its address without swizzling. Raises QuestionError.
    """
    if not isinstance(matrix, SharedMatrix):
        raise QuestionError(f"memory of {matrix.name} with a byte", "tensor", "shared")
    matrix.check_cta(cta)
    if byte not in matrix.byte_range:
        raise QuestionError(f"byte of {matrix.name}", byte, matrix.byte_range)
    return tuple(matrix.held(cta, byte, swizzled))


Terms = Mapping[str, Sequence[Located]]
"""Operand -> the places of its element, or of the elements from which the metadata select one."""


@dataclass(frozen=True, slots=True)
class Calculation:
    """
    An element of D after one MMA, as a sum of products of elements of A and B and their scale
    factors. If A is sparse, the metadata select elements of B.
    """

    result: Sequence[Located]
    products: Sequence[Terms]

    def grid(self) -> Grid:
        """A table with a row for each product."""
        first, names = self.result[0], list(self.products[0])
        return Grid(
            f"{'; '.join(map(str, self.result))}\n= the sum of these products and, with "
            f"enable-input-d, of {first.element}",
            "product",
            [text for name in names for text in (name, f"place of {name}")],
            [str(index) for index in range(len(self.products))],
            [_row(index, terms) for index, terms in enumerate(self.products)],
        )


def _row(index: int, terms: Terms) -> list[Cell]:
    record = Record(product=index)
    cells: list[Cell] = []
    for name, found in terms.items():
        elements = " or ".join(dict.fromkeys(str(element) for element, _ in found))
        cells += [Cell(elements), Cell(joined_text(place for _, place in found))]
        record[name] = [each.fields() for each in found]
    return [cells[0]._replace(facts=(record,)), *cells[1:]]


def calculation(
    mma: Multiplication,
    m: int,
    n: int,
    placements: Mapping[str, Placement],
    cover: Cover | None = None,
) -> Calculation:
    """
    The sum for D(m, n) in the first MMA of a tile.

    Operands without a placement have the usual one. Raises Violation and QuestionError.
    """

    def made(name: str) -> Matrix:
        return operand_matrix(mma, name, placements.get(name, Placement()))

    d, a, b = made("D"), made("A"), made("B")
    granularity = GRANULARITIES[mma.kind]
    chunk, stored = (granularity.chunk, granularity.stored) if mma.sparse else (1, 1)
    extent = mma.instruction_k // chunk * stored
    operands: dict[str, Callable[[int], Iterable[Located]]] = {
        "A": lambda at: a.located(m, at),
        "B": lambda at: [
            each
            for k in range(at // stored * chunk, (at // stored + 1) * chunk)
            for each in b.located(k, n)
        ],
    }
    if mma.sparse:
        metadata = made("metadata")
        operands["metadata"] = lambda at: metadata.located(m, at // stored)
    if mma.is_block_scaled:
        sfa, sfb, count = made("SFA"), made("SFB"), mma.instruction_factors
        operands["SFA"] = lambda at: sfa.located(m, at * count // extent)
        operands["SFB"] = lambda at: sfb.located(at * count // extent, n)
    return Calculation(
        locate(d, m, n, cover),
        [{name: tuple(find(at)) for name, find in operands.items()} for at in range(extent)],
    )
