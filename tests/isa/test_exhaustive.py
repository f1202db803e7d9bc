"""Tests of the manual's tables: every point is accepted, every neighbour refused."""

from collections.abc import Callable, Collection, Iterator
from typing import Any

import pytest

from tcgen05_dialect.isa.mma import scale, shapes
from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.isa.model.table import Table
from tcgen05_dialect.isa.shared_memory import layout as shared_memory_layout
from tcgen05_dialect.isa.tensor_memory import ld_st

from ..support import isa_statements
from ..support.effort import sampled
from ..support.isa_statements import Point

TABLES: dict[Table, Callable[[], Iterator[Point]]] = {
    shapes.SHAPES: isa_statements.table_39,
    ld_st.REGISTERS: isa_statements.tables_47_and_48,
    shapes.TRANSPOSE_NEGATE: isa_statements.table_49,
    shapes.TRANSPOSED_B_8BIT: isa_statements.table_50,
    shared_memory_layout.SWIZZLE_COMBINATIONS: isa_statements.table_52,
    scale.SCALE_SHAPES: isa_statements.table_54,
    scale.SCALE_TYPES: isa_statements.table_55,
}
NAMES = [table.name for table in TABLES]
CASES = [
    # Table 39 has a million neighbours, the others a few hundred.
    pytest.param(table, id=table.name, marks=pytest.mark.slow if table is shapes.SHAPES else ())
    for table in TABLES
]


def domains(legal: frozenset[Point]) -> list[list[Any]]:
    """
    For each column the legal values, and some illegal ones: numbers between and beyond, an unknown
    word, None.
    """
    columns: list[list[Any]] = []
    for values in map(set, zip(*legal, strict=True)):
        numbers = sorted(value for value in values if type(value) is int)
        strange: set[Any] = {"f64", None}
        for number in numbers[:1] + numbers[-1:]:
            strange |= {0, -number, number - 1, number + 1, number + 8, 2 * number}
        columns.append(sorted(values | strange, key=repr))
    return columns


def neighbours(legal: frozenset[Point], inside: Collection[Point]) -> Iterator[Point]:
    """Each point outside `legal` that differs from a point of `inside` in one column."""
    seen: set[Point] = set()
    for column, domain in enumerate(domains(legal)):
        for before, after in {(point[:column], point[column + 1 :]) for point in inside}:
            for value in domain:
                point = (*before, value, *after)
                if point not in legal and point not in seen:
                    seen.add(point)
                    yield point


@pytest.mark.parametrize("table", TABLES, ids=NAMES)
def test_a_table_is_its_second_statement(table: Table) -> None:
    legal = list(TABLES[table]())
    points = [tuple(point.values()) for point in table.points()]
    assert len(set(legal)) == len(legal)
    assert len(set(points)) == len(points)
    assert set(points) == set(legal)
    for point in legal:
        table.check(**dict(zip(table.columns, point, strict=True)))


@pytest.mark.parametrize("table", CASES)
def test_a_table_refuses_every_neighbour(table: Table) -> None:
    legal = frozenset(TABLES[table]())
    some = sampled(sorted(legal, key=repr), 60)
    count = 0
    for point in neighbours(legal, some):
        count += 1
        assert table.row(**dict(zip(table.columns, point, strict=True))) is None, point
    assert count > len(some)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=NAMES)
def test_refusals_name_a_value_of_the_point_and_what_is_legal(table: Table) -> None:
    """Around every point of the smaller tables, and around some of Table 39."""
    legal = frozenset(TABLES[table]())
    some = sampled(sorted(legal, key=repr), 2)
    for point in neighbours(legal, some):
        with pytest.raises(Violation) as caught:
            table.check(**dict(zip(table.columns, point, strict=True)))
        violation = caught.value
        column = violation.culprit
        index = table.columns.index(column)
        assert violation.found == point[index]
        assert violation.rule == table.column_rules.get(column, table.rule)
        # The values called legal are those that the statement has with what the message names.
        given = {table.columns.index(name): value for name, value in violation.given.items()}
        assert all(point[at] == value for at, value in given.items())
        named = (other for other in legal if all(other[at] == given[at] for at in given))
        assert violation.legal == {other[index] for other in named}
