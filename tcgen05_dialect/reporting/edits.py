"""Edits of a text: their application, and the lines before them."""

import os
from collections.abc import Sequence
from io import StringIO
from itertools import accumulate

from .diagnostics import Source
from .findings import Edit


def edited(source: Source, edits: Sequence[Edit]) -> Source:
    """The source with edits, which do not overlap."""
    text = source.text
    for edit in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        start = source.position(edit.line, edit.column)
        end = source.position(edit.end_line, edit.end_column)
        text = text[:start] + edit.text + text[end:]
    return source._replace(text=text)


def line_before(edits: Sequence[Edit], line: int) -> int:
    """The number that a line of the edited text had before; 0 for a new line."""
    offset = 0
    for edit in sorted(edits, key=lambda edit: edit[:2]):
        added = edit.text.count("\n") - (edit.end_line - edit.line)
        if edit.line + offset <= line < edit.line + offset + added:
            return 0
        if line >= edit.line + offset + added:
            offset += added
    return line - offset


def difference(before: Source, after: Source) -> tuple[Edit, ...]:
    """Edits of whole lines that make one text of another."""
    from difflib import SequenceMatcher

    old, new = _lines(before), _lines(after)
    starts = [0, *accumulate(map(len, old))]
    return tuple(
        Edit(*before.place(starts[a]), *before.place(starts[b]), "".join(new[c:d]))
        for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if tag != "equal"
    )


def patch(before: Source, after: Source) -> str:
    """The unified diff of two texts of a file, as `patch -p0` reads it in the current folder."""
    from difflib import unified_diff

    # `patch` refuses absolute paths and links.
    name = os.path.relpath(os.path.realpath(before.name))
    # A tab ends a name that contains spaces.
    shown = f"{name}\t" if " " in name else name
    found = unified_diff(_lines(before), _lines(after), shown, shown)
    return "".join(line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}\n" for line in found)


def _lines(source: Source) -> list[str]:
    """The lines of a text with their ends; only a newline ends a line."""
    return [*StringIO(source.text)]


_NO_NEWLINE = "\\ No newline at end of file"
