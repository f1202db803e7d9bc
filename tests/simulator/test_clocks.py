"""Tests of the clocks against a model that keeps all numbers of all threads."""

import numpy as np
import pytest

from tcgen05_dialect.isa.tensor_memory.alloc import WARP_LANES
from tcgen05_dialect.simulator.order.clocks import Clock, Clocks, Known, Message, Order, Rows

from ..support.effort import part

_WARPS = 3
_THREADS = _WARPS * WARP_LANES
_MORE = 12
"""Components that count no thread."""
_PASSED = range(Clock.AFTER)
_LIMITED = {
    Order.NONE: [Clock.TOLD],
    Order.RELAXED: [Clock.TENSOR, Clock.INITIALIZED, Clock.TOLD],
}


class _Model:
    """A number for each clock, thread and component."""

    def __init__(self) -> None:
        self.table = np.zeros((len(Clock), _THREADS, _THREADS + _MORE), np.int32)
        self.own = np.arange(_THREADS)
        self.table[Clock.SEEN, self.own, self.own] = 1

    def count(self, rows: Rows) -> None:
        self.table[Clock.SEEN, rows, rows] += 1

    def release(self, rows: Rows, order: Order) -> Message:
        message: Message = self.table[_PASSED][:, rows].max(axis=1)
        message[Clock.TOLD] = np.maximum(message[Clock.TOLD], message[Clock.SEEN])
        if order is not Order.FULL:
            limited = np.zeros_like(message)
            if order is Order.RELAXED:
                limited = np.minimum(message, self.table[Clock.RELEASED, rows].max(axis=0))
            limited[_LIMITED[order]] = message[_LIMITED[order]]
            message = limited
        self.count(rows)
        return message

    def acquire(self, rows: Rows, message: Message, order: Order) -> None:
        for clock in _PASSED if order is Order.FULL else _LIMITED[order]:
            self._raise(rows, clock, message[clock])
        if order is Order.RELAXED:
            self._raise(rows, Clock.RELAXED, message[Clock.SEEN])

    def _raise(self, rows: Rows, clock: int, numbers: Known) -> None:
        self.table[clock, rows] = np.maximum(self.table[clock, rows], numbers)

    def fence(self, rows: Rows, source: Clock, target: Clock) -> None:
        self._raise(rows, target, self.table[source, rows])
        self.count(rows)

    def complete(self, rows: Rows, component: int, number: int, clock: Clock) -> None:
        known = self.table[clock, rows, component]
        self.table[clock, rows, component] = np.maximum(known, number)

    def known(self, rows: Rows, *clocks: Clock) -> Known:
        found: Known = self.table[list(clocks)][:, rows].max(axis=0).min(axis=0)
        return found


def _rows(random: np.random.Generator) -> Rows:
    """Threads of one warp: one lane, some or all; or all threads."""
    first = int(random.integers(_WARPS)) * WARP_LANES
    lanes = (
        np.arange(WARP_LANES),
        np.array([random.integers(WARP_LANES)]),
        np.flatnonzero(random.integers(0, 2, WARP_LANES)),
        np.arange(_THREADS) - first,
    )
    chosen = lanes[random.choice(4, p=(0.5, 0.3, 0.1, 0.1))]
    return chosen + first if chosen.size else np.array([first])


def _clock(random: np.random.Generator) -> Clock:
    return Clock(int(random.integers(len(Clock))))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(part(96)))
def test_clocks_know_what_the_model_knows(seed: int) -> None:
    random, model, clocks = np.random.default_rng(seed), _Model(), Clocks(1, _THREADS)
    others = [clocks.component(each) for each in range(_MORE)]
    messages: list[Message] = []
    width = _THREADS + _MORE
    for _ in range(300):
        rows, order = _rows(random), Order(int(random.choice(3, p=(0.1, 0.2, 0.7))))
        match random.choice(["release", "acquire", "meet", "fence", "complete", "each"]):
            case "release":
                messages.append(model.release(rows, order))
                np.testing.assert_array_equal(clocks.release(rows, order)[:, :width], messages[-1])
            case "acquire" if messages:
                message = messages[int(random.integers(len(messages)))]
                model.acquire(rows, message, order)
                clocks.acquire(rows, message, order)
            case "meet":
                model.acquire(rows, model.release(rows, Order.FULL), Order.FULL)
                clocks.acquire(rows, clocks.release(rows))
            case "fence":
                source, target = _clock(random), _clock(random)
                model.fence(rows, source, target)
                clocks.fence(rows, source, target)
            case "complete":
                component = int(random.choice([*others, int(random.integers(_THREADS))]))
                number, clock = int(random.integers(1, 9)), _clock(random)
                model.complete(rows, component, number, clock)
                clocks.complete(rows, component, number, clock)
            case _:
                one = rows[rows // WARP_LANES == rows[0] // WARP_LANES]
                components = random.choice(others, len(one))
                numbers, clock = random.integers(1, 9, len(one)), _clock(random)
                for row, component, number in zip(one, components, numbers, strict=True):
                    model.complete(np.array([row]), int(component), int(number), clock)
                clocks.complete_each(one, components, numbers, clock)
        rows, one, other = _rows(random), _clock(random), _clock(random)
        np.testing.assert_array_equal(clocks.numbers(rows), model.table[Clock.SEEN, rows, rows])
        np.testing.assert_array_equal(
            clocks.known(rows, one, other)[:width], model.known(rows, one, other)
        )
        np.testing.assert_array_equal(
            clocks.most(one, rows)[:width], model.table[one, rows].max(axis=0)
        )
        components = random.integers(0, width, len(rows))
        np.testing.assert_array_equal(
            clocks.at(one, rows, components), model.table[one, rows, components]
        )
        np.testing.assert_array_equal(
            clocks.row(other, int(rows[0]))[:width], model.table[other, rows[0]]
        )
