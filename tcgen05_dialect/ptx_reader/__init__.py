"""The reader of PTX text, one instruction at a time: its statements, its operations, and its errors
with locations."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from xdsl.utils.lexer import Location

from ..isa.model.rule import did_you_mean
from ..isa.practice import without_other_compilers
from ..isa.ptx import ptx_text
from ..reporting.diagnostics import CompileError, Source, excerpt_error
from .declarations import cpu_fault, header_faults
from .match import Matched, match
from .operands import guard_faults
from .scope import Scope
from .statements import StatementParser
from .tokens import Close, Directive, Fault, InstructionStatement, Open, Statement
from .wrong_words import wrong_word

_LINE = re.compile(rf"{re.escape(ptx_text.LOC)}\s+(\d+)\s+(\d+)\s+(\d+)")
_AROUND = 200
"""Maximum number of characters that an error shows on each side of its position in the line."""


class Lines:
    """The lines of a text."""

    def __init__(self, source: Source):
        self.source = source
        self._starts = [0]
        position = source.text.find("\n")
        while position >= 0:
            self._starts.append(position + 1)
            position = source.text.find("\n", position + 1)

    def location(self, start: int) -> Location:
        """The line and the column of an index into the text, both counted from one; if another
        program made the text, those in the file that it was made of, as far as they are known."""
        if self.source.made_from is not None:
            text = self.source.text
            if found := _LINE.match(text, max(0, text.rfind(f"{ptx_text.LOC}\t", 0, start))):
                file, line, column = map(int, found.groups())
                if name := re.search(rf'{ptx_text.FILE}\s+{file}\s+"(.*)"', text):
                    return Location(name[1], line, max(column, 1))
        return Location(self.source.name, *self.place(start))

    def place(self, start: int) -> tuple[int, int]:
        """The line and the column of an index into the text."""
        line = bisect_right(self._starts, start)
        return self.source.lines_before + line, start - self._starts[line - 1] + 1

    def index(self, line: int, column: int) -> int:
        """The inverse of `location`."""
        return self._starts[line - self.source.lines_before - 1] + column - 1

    def errors(self, unsorted: Iterable[Fault]) -> list[CompileError]:
        """The errors for faults, in text order."""
        return [self.error(fault) for fault in sorted(unsorted, key=lambda fault: fault.start)]

    def error(self, fault: Fault) -> CompileError:
        """The error for a fault: its message, its location, and the source line with a caret."""
        text, start = self.source.text, fault.start
        line = bisect_right(self._starts, start)
        end = self._starts[line] - 1 if line < len(self._starts) else len(text)
        first = max(self._starts[line - 1], start - _AROUND)
        shown = text[first : min(end, start + _AROUND)]
        subject = f"{fault.subject}: " if fault.subject else ""
        location, width = self.location(start), fault.end - start
        if location.file != self.source.name:
            shown, first, width = self.source.line_of(location) or "", start - location.col + 1, 1
        violation = without_other_compilers(fault.violation, text)
        error = excerpt_error(violation, subject, location, shown, start - first, width)
        error.__cause__ = fault.violation
        return error


def read_statements(text: str) -> tuple[list[Statement], list[Fault]]:
    """
    The well-formed statements of a text, and the faults of the other statements.

    CuTe DSL writes the zero at the end of the string into the file.
    """
    parser = StatementParser(text.rstrip("\0"))
    parser.parse()
    return parser.statements, parser.faults


class Text(NamedTuple):
    """The statements of a source, the faults of the others, and the lines."""

    source: Source
    statements: list[Statement]
    faults: list[Fault]
    lines: Lines


def read_text(source: Source) -> Text:
    """Parse a source into statements; assembly for a CPU is one fault."""
    fault = cpu_fault(source.text)
    if fault is not None:
        return Text(source, [], [fault], Lines(source))
    return Text(source, *read_statements(source.text), Lines(source))


class Read(NamedTuple):
    """An instruction that was matched: the statement and its operation."""

    statement: InstructionStatement
    matched: Matched


class Module(NamedTuple):
    """The statements of a text, the operations among them, and the errors."""

    statements: list[Statement]
    read: list[Read]
    errors: list[CompileError]


def read_module(source: Source) -> Module:
    """Read a whole text; see `match_statements`."""
    text = read_text(source)
    return match_statements(text, text.statements)


def match_statements(text: Text, statements: Iterable[Statement]) -> Module:
    """
    Match each instruction of the family with the dialect; `statements` are those of the text that
    are left to do.

    Outside functions, names need no declaration, so that single instructions can be read.
    """
    scope = Scope()
    read: list[Read] = []
    faults = [*text.faults, *header_faults(text.statements, text.faults)]
    depth = 0
    for statement in statements:
        scope.see(statement)
        depth += isinstance(statement, Open) - isinstance(statement, Close)
        if isinstance(statement, InstructionStatement) and statement.first == ptx_text.FAMILY:
            try:
                read.append(Read(statement, match(statement, scope if depth else None)))
            except Fault as fault:
                faults += (fault.with_traceback(None), *fault.others)
            if depth and statement.guard is not None:
                faults += guard_faults(statement.guard, scope)
        elif (fault := _wrong_name(statement, scope if depth else None)) is not None:
            faults.append(fault)
    return Module(text.statements, read, text.lines.errors(faults))


def _wrong_name(statement: Statement, scope: Scope | None) -> Fault | None:
    """The fault of the name or a qualifier of a statement that is certainly not PTX."""
    fault = misspelt(statement)
    if fault is None and isinstance(statement, InstructionStatement):
        fault = wrong_word(statement, scope)
    return fault


@lru_cache(maxsize=1024)
def _family_meant(name: str) -> str:
    """The hint for a name similar to that of the family; cached, because few names occur."""
    return did_you_mean(name.lstrip(".").lower(), (ptx_text.FAMILY,))


def misspelt(statement: Statement) -> Fault | None:
    """The fault of a statement that looks like a misspelt instruction of the family."""
    match statement:
        case InstructionStatement(opcode=[first, *_]):
            name, start, end = first.text, first.start, first.end
        case Directive(words=[name, *_], start=start):
            end = start + len(name)
        case _:
            return None
    hint = _family_meant(name)
    if not hint:
        return None
    legal = "an instruction or a directive"
    return Fault(ptx_text.INSTRUCTION_RULE.violation(name, legal, help=hint), start, end)
