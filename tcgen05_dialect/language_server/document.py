"""The text of a document of an editor, and the places in it."""

import os
from bisect import bisect_right

from lsprotocol import types as lsp
from pygls.workspace import TextDocument

from ..language import SUFFIXES, Language, language_of
from ..llvm_input import SUFFIXES as LLVM
from .definitions import Names, Span, names_of


class Text:
    """The text of a document, whose places are those of the client."""

    def __init__(self, document: TextDocument):
        self.uri = document.uri
        self.source = document.source
        self.version = document.version
        self.name = _name(document)
        self.language: Language = language_of(self.name, self.source)
        self.lines = self.source.split("\n")
        self._units = document.position_codec.client_num_units
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._names: Names | None = None

    @property
    def names(self) -> Names:
        if self._names is None:
            self._names = names_of(self.source, self.language)
        return self._names

    def comment(self, words: str) -> str:
        """A comment for `check`; in LLVM IR, it is in one of LLVM."""
        is_llvm = os.path.splitext(self.name)[1] in LLVM
        return f"{'; ' if is_llvm else ''}// {words}"

    def place(self, line: int, column: int) -> lsp.Position:
        """The position of a line and a column, counted from one, in code points."""
        index = min(max(line, 1), len(self.lines)) - 1
        text, end = self.lines[index], max(column, 1) - 1
        units = min(end, len(text)) if text.isascii() else self._units(text[:end])
        return lsp.Position(index, units)

    def position(self, index: int) -> lsp.Position:
        """The position of an index into the text."""
        line = bisect_right(self._starts, index)
        return self.place(line, index - self._starts[line - 1] + 1)

    def line(self, number: int) -> lsp.Location:
        """A whole line, without the blanks before it."""
        line = self.lines[number - 1]
        start = len(line) - len(line.lstrip()) + 1
        return lsp.Location(
            self.uri, lsp.Range(self.place(number, start), self.place(number, len(line) + 1))
        )

    def location(self, span: Span) -> lsp.Location:
        return lsp.Location(self.uri, self.range(span))

    def range(self, span: Span) -> lsp.Range:
        return lsp.Range(*map(self.position, span))

    def split(self, position: lsp.Position) -> tuple[str, str]:
        """The line of a position, before and after it."""
        line = self.lines[position.line] if position.line < len(self.lines) else ""
        if line.isascii():
            return line[: position.character], line[position.character :]
        column = units = 0
        while units < position.character and column < len(line):
            units += self._units(line[column])
            column += 1
        return line[:column], line[column:]

    def index(self, position: lsp.Position) -> int:
        line = min(position.line, len(self.lines) - 1)
        return self._starts[line] + len(self.split(position)[0])


def _name(document: TextDocument) -> str:
    """The name of the file, with a suffix of its language if it has none."""
    path = document.path or document.uri
    if document.language_id == "ptx" and os.path.splitext(path)[1] not in SUFFIXES:
        return f"{path}.ptx"
    return path
