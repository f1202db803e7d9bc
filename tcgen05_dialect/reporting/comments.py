"""Comments of IR and PTX text, which give directions to the checker."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .diagnostics import Source

_TOKEN = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|//(?P<line>[^\n]*)|/\*(?P<block>.*?)(?:\*/|\Z)', re.DOTALL
)
"""A comment, or a string, in which there is none."""


class Comment(NamedTuple):
    """
    One line of a comment: its place, counted from 1, and its text without the marks.

    `is_alone` says that the line has no code.
    """

    line: int
    column: int
    text: str
    is_alone: bool


def comments_of(source: Source) -> Iterator[Comment]:
    """The lines of all comments, in order."""
    code = code_of(source)
    for match in _TOKEN.finditer(source.text):
        if match.lastgroup is None:
            continue
        start = match.start(match.lastgroup)
        for text in match[match.lastgroup].split("\n"):
            line, column = source.place(start)
            yield Comment(line, column, text.rstrip(), line not in code)
            start += len(text) + 1


def code_of(source: Source) -> dict[int, str]:
    """Number of a line -> its code, without comments; lines without code are left out."""

    def blank(match: re.Match[str]) -> str:
        is_comment = match.lastgroup is not None
        return "\n" * match[0].count("\n") if is_comment else match[0]

    lines = enumerate(_TOKEN.sub(blank, source.text).split("\n"), source.lines_before + 1)
    return {number: line.strip() for number, line in lines if line.strip()}


_ENDED = re.compile(r"[;{}]$|^[\w$%^]+(?:\(.*\))?\s*:$")
"""The code of a line behind which another statement begins."""
_BEGUN = re.compile(
    r"""
      (?: %[\w.$-]+ (?: :\d+ )? \s* ,? \s* )+ = | [!#][\w.$-]+ \s* =
    | "? [a-zA-Z_]\w* \. [a-zA-Z_] | [@^}]
    """,
    re.VERBOSE,
)
"""The code of a line in which a statement of IR begins; statements of PTX follow a semicolon."""


def statement_from(code: Mapping[int, str], line: int) -> range:
    """The lines from `line`, which has code, to the last one of its statement."""
    end = line
    while not _ENDED.search(code[end]):
        following = next((each for each in code if each > end), None)
        if following is None or _BEGUN.match(code[following]):
            break
        end = following
    return range(line, end + 1)


_MARKER = re.compile(r"^[^\S\n]*// -----[^\S\n]*$", re.MULTILINE)


def split(source: Source) -> list[Source]:
    """The parts of a text between the lines `// -----`, for the option `--split-input-file`."""
    ends = [match.span() for match in _MARKER.finditer(source.text)]
    starts = [0, *(end for _, end in ends)]
    stops = [*(start for start, _ in ends), len(source.text)]
    return [
        Source(source.name, source.text[start:stop], source.place(start)[0] - 1)
        for start, stop in zip(starts, stops, strict=True)
    ]
