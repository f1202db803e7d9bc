"""Markdown: tables, code and anchors."""

import re
from collections.abc import Iterable, Iterator, Sequence


def row(cells: Iterable[str]) -> str:
    """A row of a table."""
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table, and an empty line."""
    yield row(head)
    yield f"|{'---|' * len(head)}"
    yield from map(row, rows)
    yield ""


def code(words: Iterable[object]) -> str:
    """Words of a program, as code."""
    return ", ".join(f"`{word}`" for word in words)


def anchor(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
