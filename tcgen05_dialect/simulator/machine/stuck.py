"""Waits of a deadlock: the barriers of waiting threads, as data and as text."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...isa.model.rule import describe, plural

_MOST_CANDIDATES = 3
"""Number of operations that a text names where one of them may be the missing one."""


class Contribution(NamedTuple):
    """
    Warps of one CTA at one operation, and what they bring to a barrier. `cta` is empty for the CTA
    of the barrier. `operation`, `line` and `warps` are empty if unknown. `state` is what missing
    warps do instead.
    """

    operation: str
    line: int
    cta: str
    warps: tuple[int, ...]
    arrivals: int = 0
    expected_bytes: int = 0
    completed_bytes: int = 0
    state: str = ""

    def __str__(self) -> str:
        brings = " and ".join(
            f"{number} {plural(what, number)}"
            for number, what in (
                (self.arrivals, "arrival"),
                (self.expected_bytes, "expected byte"),
                (self.completed_bytes, "byte"),
            )
            if number
        )
        warps = f"{plural('warp', len(self.warps))} {describe(self.warps)}" if self.warps else ""
        if self.cta:
            warps += f" of {self.cta}"
        by = " of ".join(filter(None, (self.operation, warps)))
        text = " by ".join(filter(None, (brings, by)))
        if self.line:
            text += f", line {self.line}"
        return f"{text}; {self.state}" if self.state else text


class Stuck(NamedTuple):
    """
    Something that threads wait for, in one or more CTAs alike. A barrier needs `arrivals` more of
    `expected_arrivals`, and `bytes` more bytes; negative bytes came without being expected. `phase`
    is that of a barrier object, `init` the line that initialises it. `reason` says why nothing can
    come, if that is known.
    """

    name: str
    ctas: tuple[str, ...]
    phase: int | None = None
    expected_arrivals: int = 0
    arrivals: int = 0
    bytes: int = 0
    reason: str = ""
    came: tuple[Contribution, ...] = ()
    missing: tuple[Contribution, ...] = ()
    waiting: tuple[Contribution, ...] = ()
    init: int = 0

    @property
    def help(self) -> str:
        """What to change, if it is clear; else empty."""
        if self.bytes > 0 and not self.arrivals:
            places = " and ".join(f"line {each.line}" for each in self.came if each.expected_bytes)
            if completed := self._completed:
                announced = (
                    f"announce only the {completed} bytes that the copies transfer, at {places}"
                )
                return f"{announced}, or copy {self.bytes} more"
            return f"issue the copies of the bytes announced at {places}"
        if self.bytes < 0 and (
            places := " and ".join(f"line {each.line}" for each in self.came if each.expected_bytes)
        ):
            return f"announce the {self._completed} bytes that the copies transfer, at {places}"
        if self._may_count_wrong:
            init = f"line {self.init}" if self.init else "the initialisation"
            count = self.expected_arrivals - self.arrivals
            arrivals = f"{self.arrivals} more {plural('arrival', self.arrivals)}"
            return f"add {arrivals}, or change the count of mbarrier.init, {init}, to {count}"
        return ""

    @property
    def _announced(self) -> int:
        return self._completed + self.bytes

    @property
    def _completed(self) -> int:
        return sum(each.completed_bytes for each in self.came)

    @property
    def _may_count_wrong(self) -> bool:
        """Whether the count of a barrier object may be wrong: it has ended no phase."""
        return self.phase == 0 and 0 < self.arrivals < self.expected_arrivals

    def __str__(self) -> str:
        first, *more = self.ctas
        phase = "" if self.phase is None else f"phase {self.phase} of "
        text = f"{phase}{self.name} in {first}"
        if more:
            text += f", and in {len(more)} more {plural('CTA', len(more))}"
        needs: list[str] = []
        if self.arrivals:
            count = f"{self.arrivals} of {self.expected_arrivals} arrivals"
            if self._may_count_wrong and self.init:
                count += f" (the count of mbarrier.init, line {self.init})"
            needs.append(count)
        if self.bytes > 0:
            needs.append(f"{self.bytes} of {self._announced} announced bytes")
        comma = "," * bool(more)
        if self.arrivals:
            text += f"{comma} needs {' and '.join(needs)}"
        elif self.bytes:
            text += f"{comma} has all arrivals and expects {self._announced} bytes, but "
            text += f"{self._completed} came: {abs(self.bytes)} "
            text += "are missing" if self.bytes > 0 else "too many"
        if self.reason:
            text += f", but {self.reason}"
        if self.arrivals and self.bytes < 0:
            text += f"; {-self.bytes} more bytes came than were expected"
        if self.phase:
            over = (
                "phase 0 is over" if self.phase == 1 else f"phases 0 to {self.phase - 1} are over"
            )
            text += f"; {over}"
        lines = [
            f"  {name}: {each}" for name, parts in self._contributions() for each in _named(parts)
        ]
        return "\n".join((text, *lines))

    def as_json(self) -> dict[str, Any]:
        """The fields as values of JSON."""
        parts = {name: [each._asdict() for each in parts] for name, parts in self._contributions()}
        return self._asdict() | parts

    def _contributions(self) -> tuple[tuple[str, tuple[Contribution, ...]], ...]:
        return ("came", self.came), ("missing", self.missing), ("waiting", self.waiting)


def _named(parts: tuple[Contribution, ...]) -> Iterator[Contribution | str]:
    """What a text says of contributions: all with warps, and the first ones of which no run tells
    who would execute them."""
    candidates = [each for each in parts if not each.warps]
    named, more = candidates[:_MOST_CANDIDATES], candidates[_MOST_CANDIDATES:]
    yield from (each for each in parts if each.warps or each in named)
    if more:
        yield f"one of {len(more)} more {plural('operation', len(more))}"
