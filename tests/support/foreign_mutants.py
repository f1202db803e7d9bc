"""Mutants of PTX: one step of the synchronisation removed."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_STEP = re.compile(
    r"""\s*(?:@!?%\w+\s+)?
    (?:mbarrier\.(?:try_wait|test_wait|arrive|expect_tx|init)|fence|bar[. ]|barrier[. ]
       |tcgen05\.(?:wait|commit|fence|dealloc)|cp\.async\.(?:bulk\.)?(?:commit|wait))[^;]*;""",
    re.VERBOSE,
)
_WAIT = re.compile(r"mbarrier\.(?:try|test)_wait\S*\s+(\S+),")
_EXPECT = re.compile(r"arrive\.expect_tx(\S* _, \[[^]]*\]), [^;]*;")


class Mutant(NamedTuple):
    """A kernel without a step; other lines keep their numbers."""

    line: int
    step: str
    text: str


def mutants_of(text: str) -> Iterator[Mutant]:
    """The mutants of PTX text: a wait ends at once, and an arrival that expects bytes is removed,
    or expects none."""
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if not _STEP.match(line):
            continue
        wait = _WAIT.search(line)
        changes = [(line.strip(), f"\tmov.pred {wait[1]}, -1;" if wait else "")]
        if _EXPECT.search(line):
            changes.append((f"bytes of {line.strip()}", _EXPECT.sub(r"arrive\1;", line)))
        for step, instead in changes:
            changed = "\n".join([*lines[:index], instead, *lines[index + 1 :]])
            yield Mutant(index + 1, step, changed)
