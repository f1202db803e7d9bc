"""Schedules: the order in which concurrent events take place."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from random import Random

from xdsl.ir import Operation

from ..settings import SCHEDULES
from .errors import refused


@dataclass
class Schedule:
    """
    Source of the scheduling choices of one run.

    `eager` completes asynchronous operations as soon as possible. `lazy` completes them only when
    no thread can make progress, and only what a thread waits for; this exposes code that forgets
    to wait. `random` draws the order of threads and operations from `seed`. Raises LaunchError for
    any other kind.
    """

    kind: str = "eager"
    seed: int = 0
    _random: Random = field(init=False, repr=False)
    _gave_up: set[Hashable] = field(default_factory=set[Hashable], init=False, repr=False)

    def __post_init__(self) -> None:
        if self.kind not in SCHEDULES:
            raise refused(self.kind, SCHEDULES, "the schedule")
        self._random = Random(self.seed)

    def gives_up(self, op: Operation, warp: Hashable) -> bool:
        """
        Whether a wait of a warp with a time limit times out: with `eager` the first time, with
        `lazy` every second time, with `random` sometimes. It may time out even after the end of its
        phase, because in another schedule it would run earlier.
        """
        if self.kind == "random":
            return self._random.random() < _GIVES_UP
        waiting = op, warp
        if waiting not in self._gave_up:
            self._gave_up.add(waiting)
            return True
        if self.kind == "lazy":
            self._gave_up.discard(waiting)
        return False

    def elected(self, choices: int) -> int:
        """Which of some lanes is elected, always the same one: the lowest, or with `random` any."""
        return Random(f"{self.seed} {choices}").randrange(choices) if self.kind == "random" else 0

    @property
    def pairs_block(self) -> bool:
        """Whether alloc and dealloc of a CTA wait for those of its peer. The manual allows it."""
        return self.kind == "lazy"

    def shuffled(self, choices: int) -> Sequence[int]:
        """The numbers below `choices`, in random order."""
        return self._random.sample(range(choices), choices)

    def turn(self) -> int:
        """Maximum number of instructions that a group of lanes runs before the next group runs."""
        return self._random.randrange(1, _TURN) if self.kind == "random" else _TURN


_GIVES_UP = 0.25
_TURN = 64
