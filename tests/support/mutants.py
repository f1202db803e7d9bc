"""Mutants of kernels: one step of the synchronisation removed or altered."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_REMOVED = re.compile(
    r"\s*(ptx\.(mbarrier\.(wait|arrive|expect_tx)|fence|bar\b|barrier\.cluster"
    r"|cp\.async\.bulk\.(commit|wait)_group)|(ptx\.)?tcgen05\.(fence|wait|commit|dealloc))"
)
_PARITY = re.compile(r"(.*(?:mbarrier\.wait|try_wait\.parity)\b[^%]*\[[^]]*\], )%(\w+)(.*)")
_COUNT = re.compile(r"(.*mbarrier\.init \[[^]]*\], )%(\w+)(.*)")
_BYTES = re.compile(r"(.*expect_tx\b[^%]*\[[^]]*\], )%(\w+)(.*)")
_ALTERED = (
    ("parity flipped", _PARITY, "%altered = ptx.xor b32 {}, %one"),
    ("count plus one", _COUNT, "%altered = ptx.add s32 {}, %one"),
    ("count minus one", _COUNT, "%altered = ptx.sub s32 {}, %one"),
    ("bytes halved", _BYTES, "%altered = ptx.shr u32 {}, %one"),
)


class Mutant(NamedTuple):
    """
    A kernel with a mistake: what was done to which step, the line of the step, and the text. Other
    lines keep their numbers.
    """

    what: str
    step: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.what}, line {self.line}: {self.step}"


def mutants_of(text: str) -> Iterator[Mutant]:
    """The mutants of a kernel."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        code = line.partition("//")[0]

        def mutant(what: str, instead: str, number: int = number, code: str = code) -> Mutant:
            changed = [*lines[:number], instead, *lines[number + 1 :]]
            return Mutant(what, code.strip(), number + 1, "\n".join(changed))

        if _REMOVED.match(code):
            yield mutant("removed", "")
        for what, pattern, altered in _ALTERED:
            if match := pattern.match(code):
                before, name, after = match.groups()
                new = altered.format(f"%{name}")
                yield mutant(what, f"%one = ptx.constant 1 : i32 {new} {before}%altered{after}")
