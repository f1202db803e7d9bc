"""Tests of the record of accesses to a memory, against a record of each cell."""

import random
from collections.abc import Sequence
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tcgen05_dialect.isa.effects.model import StateSpace
from tcgen05_dialect.isa.practice import RACE
from tcgen05_dialect.simulator.machine.tensor_memory import block
from tcgen05_dialect.simulator.order.shadow import Conflict, Shadow, Where

BYTES = 48
LANES, COLUMNS = 128, 512
STEPS = 200


def unordered(prior: Any, rows: Any, space: StateSpace, written: bool) -> list[tuple[int, Any]]:
    """The first place of each earlier access: no access is ordered after another."""
    ids, first = np.unique(prior, return_index=True)
    return [(int(at), RACE) for id_, at in zip(ids, first, strict=True) if id_]


def is_of_threads(id_: int) -> bool:
    return False


def broken(id_: int, space: StateSpace, written: bool) -> Any:
    return RACE


ACCESS: Any = SimpleNamespace(
    unordered=unordered, broken=broken, is_of_threads=is_of_threads, follows=is_of_threads
)


class Cells:
    """The last write of each cell, and the reads since."""

    def __init__(self, shape: tuple[int, ...]):
        self.numbers = np.arange(np.prod(shape)).reshape(shape)
        self.written: dict[int, int] = {}
        self.read: dict[int, set[int]] = {}

    def check(self, where: Where, conflicts: Sequence[Conflict], writes: bool) -> None:
        """Compare conflicts with the record of the cells."""
        cells = self.numbers[where.index].ravel().tolist()
        before = {(True, self.written[cell]) for cell in cells if cell in self.written}
        if writes:
            before |= {(False, id_) for cell in cells for id_ in self.read.get(cell, ())}
        assert {(each.written, each.id) for each in conflicts} == before
        for each in conflicts:
            assert each.cell in cells
            if each.written:
                assert self.written[each.cell] == each.id
            else:
                assert each.id in self.read[each.cell]

    def add(self, where: Where, ids: npt.NDArray[Any], writes: bool) -> None:
        cells = self.numbers[where.index]
        each = np.broadcast_to(ids, cells.shape)
        for cell, id_ in zip(cells.ravel().tolist(), each.ravel().tolist(), strict=True):
            if writes:
                self.written[cell] = id_
                self.read.pop(cell, None)
            else:
                self.read.setdefault(cell, set()).add(id_)


def places(chance: random.Random, shape: tuple[int, ...]) -> tuple[Where, bool]:
    """Cells of one access, and whether threads may access them: few, so that they overlap."""
    if len(shape) == 2:
        lanes = np.arange(0, 64, chance.choice((1, 2)))[: 4 * chance.randint(1, 4)]
        first, columns = 8 * chance.randrange(4), 8 * chance.randint(1, 2)
        if chance.randrange(3):
            return block(lanes + 8 * chance.randrange(2), first, columns), False
        return Where.at(lanes[:, None], first + np.arange(columns)[None]), False
    first = 8 * chance.randrange(4)
    match chance.randrange(3):
        case 0:
            return Where.span(first, first + 8 * chance.randint(1, 2)), False
        case 1:
            step = chance.choice((4, 8))
            return Where.at(first + np.arange(0, 16, step)[:, None] + np.arange(4)), True
        case _:
            view = np.zeros(BYTES, np.uint8)
            where = Where.of_view(view[first : first + 16].reshape(4, 4)[:, :2], view)
            assert where is not None
            return where, False


@pytest.mark.parametrize("shape", [(BYTES,), (LANES, COLUMNS)], ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_conflicts_are_those_of_the_cells(shape: tuple[int, ...], seed: int) -> None:
    chance, ids = random.Random(seed), count(1)
    shadow, cells = Shadow(shape, StateSpace.TENSOR), Cells(shape)
    known = [places(chance, shape) for _ in range(8)]
    for _ in range(STEPS):
        where, by_threads = chance.choice(known)
        id_, rows = np.array(next(ids)), None
        if by_threads:
            threads = len(cells.numbers[where.index])
            id_ = np.array([next(ids) for _ in range(threads)])[:, None]
            rows = np.arange(threads)[:, None]
        writes = chance.randrange(2) == 0
        given = id_ if by_threads else int(id_)
        if writes:
            conflicts = shadow.write(ACCESS, where, given, rows)
        else:
            conflicts = shadow.read(ACCESS, where, int(id_.flat[0]), given, rows)
        cells.check(where, conflicts, writes)
        cells.add(where, id_, writes)
