"""In which order what may happen in any order does happen."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from ...isa.simulation import LAUNCH

if TYPE_CHECKING:
    from .machine import Machine

KINDS = ("eager", "lazy", "random")


@dataclass
class Schedule:
    """
    `eager`: asynchronous operations are done as soon as they may be. `lazy`: only when no thread
    can go on, and the youngest first, so that whatever does not wait for them is seen not to.
    `random`: threads and operations in an order that `seed` decides. Raises Violation for any
    other kind.
    """

    kind: str = "eager"
    seed: int = 0
    _random: Random = field(init=False, repr=False)
    _gave_up: set[Hashable] = field(default_factory=set[Hashable], init=False, repr=False)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise LAUNCH.violation(self.kind, KINDS, "schedule")
        self._random = Random(self.seed)

    def gives_up(self, waiting: Hashable) -> bool:
        """
        Whether a wait of limited time ends before what it waits for has come: with `lazy` every
        other time, with `random` now and then.
        """
        if self.kind == "random":
            return self._random.random() < _GIVES_UP
        if self.kind == "eager" or waiting in self._gave_up:
            self._gave_up.discard(waiting)
            return False
        self._gave_up.add(waiting)
        return True

    def round(self, machine: "Machine") -> bool:
        """Let every group of threads run until it waits. Returns whether anything happened."""
        progress = False
        if self.kind == "random":
            return self._random_step(machine)
        for group in list(machine.groups):
            if not group.over:
                progress |= machine.run_group(group, _TURN)
            if self.kind == "eager":
                progress |= self._finish_tasks(machine)
        return progress or self._advance_youngest(machine)

    def _finish_tasks(self, machine: "Machine") -> bool:
        progress = False
        while ready := [task for task in machine.tasks if task.ready]:
            for task in ready:
                while not task.done:
                    machine.advance(task)
            machine.remove_done_tasks()
            progress = True
        return progress

    def _advance_youngest(self, machine: "Machine") -> bool:
        for task in reversed(machine.tasks):
            if task.ready:
                machine.advance(task)
                machine.remove_done_tasks()
                return True
        return False

    def _random_step(self, machine: "Machine") -> bool:
        tasks = [task for task in machine.tasks if task.ready]
        choices = len(machine.groups) + len(tasks)
        for index in self._random.sample(range(choices), choices):
            if index >= len(machine.groups):
                machine.advance(tasks[index - len(machine.groups)])
                machine.remove_done_tasks()
                return True
            group = machine.groups[index]
            if machine.run_group(group, self._random.randrange(1, _TURN)):
                return True
        return False


_GIVES_UP = 0.25
_TURN = 64
"""Instructions that a group of threads runs before others have their turn."""
