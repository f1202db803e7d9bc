"""Edits of a text: their application, and the lines before them."""

import os
from collections.abc import Sequence
from io import StringIO
from itertools import accumulate
from shlex import quote

from .diagnostics import Edit, Source


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


def patch(changes: Sequence[tuple[Source, Source]]) -> str:
    """
    The unified diff of files, each before and after, as `patch -p1` and `git apply` read it.

    It names the files as seen from the current folder. Both commands refuse names outside of the
    folder in which they run: if there are such files, the names are those seen from the folder that
    contains all files and the current folder, and the first line gives the command to use.
    """
    from difflib import unified_diff

    # Both commands refuse links, too.
    paths = [os.path.realpath(before.name) for before, _ in changes]
    here = os.path.realpath(os.curdir)
    folder = os.path.commonpath((here, *map(os.path.dirname, paths)))
    text = ""
    if changes and folder != here:
        text = f"# apply with: patch -p1 -d {quote(os.path.relpath(folder, here))}\n"
    for path, (before, after) in zip(paths, changes, strict=True):
        name = os.path.relpath(path, folder)
        # A tab ends a name that contains spaces.
        end = "\t" if " " in name else ""
        old, new = (f"{side}/{name}{end}" for side in "ab")
        for line in unified_diff(_lines(before), _lines(after), old, new):
            text += line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}\n"
    return text


def _lines(source: Source) -> list[str]:
    """The lines of a text with their ends; only a newline ends a line."""
    return [*StringIO(source.text)]


_NO_NEWLINE = "\\ No newline at end of file"
