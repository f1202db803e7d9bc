"""Markdown: tables, code and anchors."""

import re
from collections.abc import Iterable, Iterator, Sequence


def row(cells: Iterable[str]) -> str:
    """A row of a table."""
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table and an empty one."""
    yield row(head)
    yield f"|{'---|' * len(head)}"
    yield from map(row, rows)
    yield ""


def code(words: Iterable[object]) -> str:
    """Words that stand in the text of programs."""
    return ", ".join(f"`{word}`" for word in words)


def anchor(heading: str) -> str:
    """What a link to a heading ends with, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
