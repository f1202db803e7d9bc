"""Progress line on a terminal."""

import time
from types import TracebackType
from typing import TextIO

_FIRST_SECONDS = 2.0
_NEXT_SECONDS = 0.2


class ProgressLine:
    """
    Progress line for runs longer than two seconds; removed at the end of the `with` statement.

    It prints nothing if `stream` is not a terminal.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._shown = 0
        self._started = time.monotonic()
        self._next = self._started + _FIRST_SECONDS if stream.isatty() else float("inf")

    def __enter__(self) -> "ProgressLine":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._shown:
            self._show("")
            self._stream.write("\r")
            self._stream.flush()

    def update(self, steps: int, pending: int) -> None:
        """Show the number of executed instructions and the number of pending operations."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _NEXT_SECONDS
            seconds = now - self._started
            self._show(f"{seconds:.0f} s: {steps} instructions, {pending} operations pending")

    def _show(self, line: str) -> None:
        self._stream.write(f"\r{line:<{self._shown}}")
        self._stream.flush()
        self._shown = len(line)
