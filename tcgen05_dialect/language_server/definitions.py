"""
The names in a text, which may be half-typed, with their definitions and uses.

In IR, a value is defined before `=` at the beginning of a line, or by the first mention of a name
before the region in which it is visible: an argument such as `%t` in `threads(%t) {`.

The text of a document of an editor, and the places in it.
"""

import os
import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from lsprotocol import types as lsp
from pygls.workspace import TextDocument

from ..language import SUFFIXES, Language, language_of
from ..llvm_input import SUFFIXES as LLVM
from ..ptx_import.names import Access, word_accesses
from ..ptx_reader import read_statements
from ..ptx_reader.scope import Declared, Scope, declared_by, function_header
from ..ptx_reader.tokens import Close, Directive, InstructionStatement, Label, Open, is_name

Span = tuple[int, int]
"""Indices into the text: the beginning and the end of a name."""


class Name:
    """A name that is defined once, with its places."""

    def __init__(self, text: str, kind: str = ""):
        self.text = text
        self.kind = kind
        """The operation or the directive that defines a symbol; empty for other names."""
        self.definitions: list[Span] = []
        self.writes: list[Span] = []
        """Instructions that write a register."""
        self.uses: list[Span] = []

    @property
    def places(self) -> list[Span]:
        """All places, in order."""
        return sorted({*self.definitions, *self.writes, *self.uses})


class Names(NamedTuple):
    """All names of a text."""

    all: list[Name]

    def at(self, index: int) -> tuple[Name, Span] | None:
        """The name at an index into the text, or directly before it, and its place."""
        for name in self.all:
            for span in name.places:
                if span[0] <= index <= span[1]:
                    return name, span
        return None

    @property
    def symbols(self) -> Iterator[Name]:
        """Kernels, functions, variables and roles, in the order of the text."""
        named = (name for name in self.all if name.kind and name.definitions)
        return iter(sorted(named, key=lambda name: name.definitions[0]))


def names_of(text: str, language: Language) -> Names:
    """The names in a text."""
    return Names(_of_ptx(text) if language == "PTX" else _of_ir(text))


class _Scopes:
    """The names that are visible, for each open region or block. A name may be used before its
    definition."""

    def __init__(self) -> None:
        self.all: list[Name] = []
        self._visible: list[dict[str, Name]] = [{}]
        self._awaited: list[list[tuple[str, Span]]] = [[]]

    def open(self) -> None:
        self._visible.append({})
        self._awaited.append([])

    def close(self) -> None:
        """Leave a region: names that it does not define may be defined outside, and later."""
        visible, awaited = self._visible.pop(), self._awaited.pop()
        if not self._visible:
            self._visible, self._awaited = [{}], [[]]
        for text, span in awaited:
            if text in visible:
                visible[text].uses.append(span)
            else:
                self._awaited[-1].append((text, span))

    def find(self, text: str) -> Name | None:
        return next((each[text] for each in reversed(self._visible) if text in each), None)

    def define(self, text: str, span: Span, kind: str = "") -> None:
        """Define a name. A second definition in the same region is a mistake, or in copied text."""
        name = self._visible[-1].get(text)
        if name is None:
            name = self._visible[-1][text] = Name(text, kind)
            self.all.append(name)
        name.definitions.append(span)

    def use(self, text: str, span: Span) -> None:
        if (name := self.find(text)) is not None:
            name.uses.append(span)
        else:
            self._awaited[-1].append((text, span))

    def end(self) -> list[Name]:
        """The names of the whole text; a name without a definition has uses only."""
        undefined: dict[str, Name] = {}
        while len(self._visible) > 1:
            self.close()
        for text, span in self._awaited[0]:
            name = self._visible[0].get(text) or undefined.setdefault(text, Name(text))
            name.uses.append(span)
        return [*self.all, *undefined.values()]


_VALUE = r"%[\w$.-]++(?:[ ]*+:[ ]*+\d++)?+"
_VALUES = rf"{_VALUE}(?:[ ]*+,[ ]*+{_VALUE})*+[ ]*+="
_IR = re.compile(
    rf"""
      "(?:[^"\\\n]|\\.)*+"? | //[^\n]*+
    | (?P<begin> ^[ \t]*+ (?: (?P<results> {_VALUES} ) | (?= [a-z_]\w*\.[a-z_] ) ) )
    | (?P<symbol> (?P<op> [a-z_][\w.]*+ ) [ ]++ (?:(?:private|public)[ ]++)? @(?P<own> [\w$.-]++ ) )
    | [a-zA-Z_][\w.]*+
    | (?P<block> ^[ \t]*+ \^[\w$.-]+ )
    | (?P<alias> ^[!#][a-zA-Z_]\w*+ (?= \s*=) )
    | (?P<name> [%^@][\w$.-]+ | [!#][a-zA-Z_][\w$]*+ (?![.\w]) )
    | (?P<dictionary> \{{ (?= \s* (?: [\w.$]+ \s* [=,}}] | \}} ) ) )
    | (?P<mark> [{{}}()] )
    """,
    re.MULTILINE | re.VERBOSE,
)
_NAME = re.compile(r"%[\w$.-]+")
_USES_SYMBOL = re.compile(r"call|address|symbol")


class _Reader:
    """Finds the names in IR text, match by match."""

    def __init__(self, text: str) -> None:
        self._text, self.scopes = text, _Scopes()
        self._braces: list[bool] = []
        """For each open brace, whether it begins a region."""
        self._header: list[tuple[str, Span]] = []
        """Values that are not visible, in the operation so far: arguments of a region that
        follows."""
        self._in_block, self._depth, self._results = False, 0, False

    def end(self) -> list[Name]:
        self._use_header()
        return self.scopes.end()

    def read(self, match: re.Match[str]) -> None:
        text, span = match[0], match.span()
        match match.lastgroup:
            case "begin" | "results":
                self._use_header()
                self._in_block, self._depth = False, 0
                self._results = match["results"] is not None
                if self._results:
                    for name in _NAME.finditer(self._text, *match.span("results")):
                        self.scopes.define(name[0], name.span())
            case "symbol" | "op" | "own":
                name = f"@{match['own']}", (match.start("own") - 1, span[1])
                if self._results or _USES_SYMBOL.search(match["op"]):
                    self.scopes.use(*name)
                else:
                    self.scopes.define(*name, kind=match["op"])
            case "block":
                label = text.lstrip()
                self.scopes.define(label, (span[1] - len(label), span[1]))
                self._in_block, self._depth = True, 0
            case "alias":
                self.scopes.define(text, span)
            case "name":
                if text[0] != "%" or self.scopes.find(text) is not None:
                    self.scopes.use(text, span)
                elif self._in_block:
                    self.scopes.define(text, span)
                else:
                    self._header.append((text, span))
            case "dictionary" | "mark":
                self._mark(text, is_region=match["dictionary"] is None)
            case _:
                pass

    def _mark(self, mark: str, is_region: bool) -> None:
        if mark == "{":
            self._braces.append(is_region)
            if is_region:
                self.scopes.open()
                for name in self._header:
                    self.scopes.define(*name)
                self._header = []
        elif mark == "}":
            if not self._braces or self._braces.pop():
                self._use_header()
                self.scopes.close()
        else:
            self._depth += 1 if mark == "(" else -1
            self._in_block = self._in_block and self._depth > 0

    def _use_header(self) -> None:
        for name in self._header:
            self.scopes.use(*name)
        self._header = []


def _of_ir(text: str) -> list[Name]:
    reader = _Reader(text)
    for match in _IR.finditer(text):
        reader.read(match)
    return reader.end()


_WORD = re.compile(r"//[^\n]*+|/\*.*?\*/|\"[^\"\n]*\"|(?<![\w$])[a-zA-Z_$%][\w$]*+", re.DOTALL)


def _words(text: str, start: int, end: int) -> Iterator[tuple[str, Span]]:
    """The names in a part of PTX text, without those in comments."""
    for match in _WORD.finditer(text, start, end):
        if is_name(match[0]) and not text.startswith(".", max(match.start() - 1, 0)):
            yield match[0], match.span()


def _of_ptx(text: str) -> list[Name]:
    scope, labels = Scope(), _Scopes()
    declared: dict[int, tuple[Declared, dict[str, Name]]] = {}
    """Identity of a declaration -> the declaration, and its names, such as all of `%r<9>`."""
    places: dict[int, Span] = {}
    header: Directive | None = None

    def declare(directive: Directive) -> None:
        words = dict(reversed([*_words(text, directive.start, directive.end)]))
        for name, said in declared_by(directive.words):
            if (found := scope.find(name if said.numbered is None else f"{name}0")) is not None:
                places[id(found)] = words.get(name, (directive.start, directive.end))
                names = declared.setdefault(id(found), (found, {}))[1]
                if said.numbered is None:
                    _name(names, name, found, places)

    def mention(name: str, span: Span, access: Access = Access.READ) -> None:
        found = scope.find(name)
        if found is None:
            labels.use(name, span)
            return
        each = _name(declared.setdefault(id(found), (found, {}))[1], name, found, places)
        (each.uses if access is Access.READ else each.writes).append(span)

    for statement in read_statements(text)[0]:
        scope.see(statement)
        match statement:
            case Open():
                labels.open()
                if header is not None:
                    declare(header)
                    header = None
            case Close():
                labels.close()
            case Label(name=name, start=start):
                labels.define(name, (start, start + len(name)))
            case Directive(words=words, start=start, end=end):
                if (function := function_header(words)) is None:
                    declare(statement)
                    continue
                header, name = None if statement.terminated else statement, function.name
                span = next((s for n, s in _words(text, start, end) if n == name), (start, end))
                labels.define(name, span, function.kind)
            case InstructionStatement(guard=guard, opcode=opcode, operands=operands):
                if guard is not None:
                    for name, span in _words(text, guard.start, guard.end):
                        mention(name, span)
                if operands:
                    words = _words(text, opcode[-1].end, operands[-1].end)
                    accesses = ((w, a) for w, a in word_accesses(statement) if is_name(w))
                    for (name, span), (_, access) in zip(words, accesses, strict=False):
                        mention(name, span, access)
    known = chain.from_iterable(names.values() for _, names in declared.values())
    return [*known, *labels.end()]


def _name(names: dict[str, Name], text: str, found: Declared, places: dict[int, Span]) -> Name:
    """A name of a declaration."""
    if text not in names:
        names[text] = Name(
            text, "" if found.is_register or found.space == ".param" else found.space
        )
        if id(found) in places:
            names[text].definitions.append(places[id(found)])
    return names[text]


class Text:
    """The text of a document, whose places are those of the client."""

    def __init__(self, document: TextDocument):
        self.uri = document.uri
        self.source = document.source
        self.version = document.version
        self.name = _file_name(document)
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


def _file_name(document: TextDocument) -> str:
    """The name of the file, with a suffix of its language if it has none."""
    path = document.path or document.uri
    if document.language_id == "ptx" and os.path.splitext(path)[1] not in SUFFIXES:
        return f"{path}.ptx"
    return path
