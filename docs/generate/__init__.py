"""
The generator of docs/: `make docs` runs it.

It writes the reference pages from the code, and updates the output of each command in the other
pages.
"""

from collections.abc import Iterator
from pathlib import Path

from . import dialect, effects, grammars, isa, layouts, rules, stubs, ws_reference
from .shown import PAGES, refreshed


def written_pages() -> Iterator[tuple[Path, str]]:
    """Each file that is generated from the code, and its text."""
    for page in (rules, isa, effects, dialect, layouts, ws_reference):
        yield page.FILE, page.text()
    yield from layouts.pictures().items()
    yield from stubs.stubs().items()
    yield from grammars.grammars().items()


def refreshed_pages() -> Iterator[tuple[Path, str]]:
    """Each page that shows commands, and its text with their current output."""
    for page in PAGES:
        yield page, refreshed(page)
