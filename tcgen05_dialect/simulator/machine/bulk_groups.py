"""Bulk async-groups: completion of bulk copies to global memory (9.7.9.25.1)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain

from ...isa.completion import WRITTEN, Completion


@dataclass(eq=False)
class BulkStore:
    """A bulk copy to global memory, and the completions that it has reached."""

    reached: set[Completion] = field(default_factory=set[Completion])

    @property
    def is_done(self) -> bool:
        """Whether the copy is complete."""
        return WRITTEN in self.reached


@dataclass(eq=False)
class BulkGroups:
    """Bulk groups of each lane of a warp: the open group and the committed groups."""

    _open: dict[int, list[BulkStore]] = field(default_factory=dict[int, list[BulkStore]])
    _committed: dict[int, list[list[BulkStore]]] = field(
        default_factory=dict[int, list[list[BulkStore]]]
    )
    _numbers: dict[int, int] = field(default_factory=dict[int, int])
    _awaited: dict[int, int] = field(default_factory=dict[int, int])
    """Lane -> the number of its groups for which it has waited, at least for their reads."""

    def add(self, lane: int, store: BulkStore) -> None:
        """Add a copy to the open group of a lane."""
        self._open.setdefault(lane, []).append(store)

    def commit(self, lane: int) -> None:
        """Commit the open group of a lane; it may be empty."""
        groups = self._committed.setdefault(lane, [])
        while groups and all(store.is_done for store in groups[0]):
            del groups[0]
        groups.append(self._open.pop(lane, []))
        self._numbers[lane] = self.number(lane) + 1

    def number(self, lane: int) -> int:
        """Number of groups that a lane has committed."""
        return self._numbers.get(lane, 0)

    def before(self, lane: int, pending: int) -> Iterator[BulkStore]:
        """The copies for which a lane waits: those in all its committed groups except the latest
        `pending` groups."""
        groups = self._committed.get(lane, [])
        self._awaited[lane] = max(self._awaited.get(lane, 0), self.number(lane) - pending)
        return chain.from_iterable(groups[: max(0, len(groups) - pending)])

    def pending(self, lanes: Iterable[int]) -> int:
        """The number of copies and groups of some lanes for which they have not waited."""
        if not self._open and not self._numbers:
            return 0
        return sum(
            self.number(lane) - self._awaited.get(lane, 0) + len(self._open.get(lane, ()))
            for lane in lanes
        )
