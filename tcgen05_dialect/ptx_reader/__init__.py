"""
The reader of PTX text, one instruction at a time: its statements, its operations, and its errors
with locations.

Faults of opcodes are a word that no instruction of PTX has, and words in a combination that no form
of the instruction has. Certain faults of the operands of known instructions are found, too.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import zip_longest
from typing import NamedTuple, cast

from xdsl.utils.lexer import Location

from ..isa.model.rule import Severity, did_you_mean
from ..isa.practice import without_other_compilers
from ..isa.ptx import ptx_text
from ..isa.ptx.opcodes import MAY_LACK, REPEATABLE, UNCHECKED, WORDS, is_word
from ..isa.ptx.ptx_text import READERS, is_special
from ..ptx.register_types import TYPE_RULE
from ..reporting.diagnostics import CompileError, Source, excerpt_error
from .declarations import cpu_fault, header_faults
from .diagnosis import candidates_of, instructions
from .match import Matched, match
from .operands import guard_faults
from .pattern import NUMBER, Alternative, InstructionPattern, QualifierFault, Unit, match_qualifiers
from .scope import Scope
from .statements import StatementParser
from .tokens import (
    Close,
    Directive,
    Fault,
    InstructionStatement,
    Open,
    Statement,
    SurplusFault,
    TypeFault,
    Word,
)

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


def unknown_directives(text: Text) -> Iterator[CompileError]:
    """A warning for each directive that PTX does not have. A misspelt tcgen05 instruction has an
    error of its own."""
    for statement in text.statements:
        if not isinstance(statement, Directive):
            continue
        name, start = statement.words[0], statement.start
        if name not in ptx_text.DIRECTIVES and misspelt(statement) is None:
            hint = did_you_mean(name, ptx_text.DIRECTIVES)
            violation = ptx_text.DIRECTIVE_RULE.says(f"PTX has no directive {name}", hint)
            yield text.lines.error(Fault(violation, start, start + len(name)))


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


_NUMBERS = re.compile("[0-9]+")


def wrong_word(statement: InstructionStatement, scope: Scope | None = None) -> Fault | None:
    """
    The fault of the opcode of an instruction; None if it may be right, or if the dialect has no
    instruction with the same first word.

    The opcode is wrong if PTX does not have one of its words. The fault lists the words that the
    dialect allows at this place, unless the word is more similar to another word of PTX: the
    dialect may lack that instruction. The opcode is also wrong if the dialect knows each word
    after this first word, but no form has all of them: a form that the dialect lacks has a word
    that the dialect does not know.
    """
    if statement.first not in instructions():
        return None
    word = _word(statement)
    if word is not None:
        return _fault_at(word, statement, scope) or _fault(word, statement.first)
    if _may_be_form(tuple(word.text for word in statement.opcode)):
        return None
    try:
        match(statement, scope)
    except Fault as fault:
        return fault.with_traceback(None)
    return None


@lru_cache(maxsize=1 << 12)
def _may_be_form(opcode: tuple[str, ...]) -> bool:
    """
    Whether a form of an instruction of the dialect has exactly these words, or the dialect lacks
    one of them.

    ptxas takes the words after the first one in any order.
    """
    first, *rest = opcode
    words = [
        Word(0, 0, text)
        for index, text in enumerate(rest)
        if text not in REPEATABLE or text not in rest[:index]
    ]
    patterns = _unordered_patterns(first)
    known = {word for pattern in patterns for unit in pattern.units for word in unit.words}
    if not all(known & {text, _NUMBERS.sub(NUMBER, text)} for text in rest):
        return True
    return any(_fits(pattern, words) for pattern in patterns)


def _fits(pattern: InstructionPattern, words: Sequence[Word]) -> bool:
    try:
        match_qualifiers(pattern, words)
    except QualifierFault:
        return False
    return True


@cache
def _unordered_patterns(first: str) -> Sequence[InstructionPattern]:
    """The patterns of the instructions with this first word. Each of their other words is a unit of
    its own, which is optional if ptxas does not need it or if it is one of several."""
    found: list[InstructionPattern] = []
    for each in candidates_of(first):
        pattern = each.instruction
        fixed = (Unit(word, (Alternative(word),)) for word in pattern.opcode[1:])
        units = (
            Unit(unit.name, tuple(map(Alternative, (*words, *lacking))))
            for unit in (*fixed, *pattern.units)
            for words, lacking in _choices(unit, (first, unit.name) in MAY_LACK)
        )
        found.append(replace(pattern, units=tuple(units)))
    return found


def _choices(unit: Unit, is_optional: bool) -> Iterator[tuple[Collection[str], Sequence[str]]]:
    """The words of a unit at each place, and an empty text if none may be there."""
    several = zip_longest(*(each.words for each in unit.alternatives), fillvalue="")
    for words in map(set, several):
        is_lacking = is_optional or "" in words
        yield words - {""}, [""] if is_lacking else []


def unknown_word(statement: InstructionStatement) -> Fault | None:
    """The warning for an instruction that the dialect does not have, if PTX lacks one of its
    words."""
    word = _word(statement)
    return None if word is None else _fault(word, statement.first, "warning")


def _word(statement: InstructionStatement) -> Word | None:
    words = statement.opcode[1:]
    return next((word for word in words if not is_word(word.text, statement.first)), None)


def _fault(word: Word, opcode: str, severity: Severity = "error") -> Fault:
    rule = ptx_text.QUALIFIER_RULE.of_severity(severity)
    if is_word(word.text):
        sentence, help_ = f"this instruction does not have the qualifier {word.text}", ""
    else:
        sentence = f"no instruction of PTX has the qualifier {word.text}"
        help_ = did_you_mean(word.text, WORDS)
    violation = rule.violation(word.text, None, sentence=sentence, help=help_)
    fault = Fault(violation, word.start, word.end)
    fault.subject = opcode
    return fault


def _fault_at(word: Word, statement: InstructionStatement, scope: Scope | None) -> Fault | None:
    """The fault of an instruction, if it concerns this word and probably lists the right one."""
    try:
        match(statement, scope)
    except Fault as fault:
        legal = fault.violation.legal
        names = cast("frozenset[object]", legal) if isinstance(legal, frozenset) else {legal}
        words = [f".{name.rpartition('.')[2]}" for name in names if isinstance(name, str)]
        if fault.end == word.end and _similarity(word.text, words) >= _similarity(word.text, WORDS):
            return fault.with_traceback(None)
    return None


def _similarity(text: str, words: Iterable[str]) -> float:
    """The similarity of a text to the most similar word, from 0 to 1."""
    # Imported here, because it is slow and only messages need it.
    from difflib import SequenceMatcher

    return max((SequenceMatcher(None, text, word).ratio() for word in words), default=0)


def wrong_operands(statement: InstructionStatement, scope: Scope) -> Fault | None:
    """
    The fault of the operands of an instruction whose opcode and qualifiers the dialect knows; None
    if it does not know them, or if PTX may take the operands.

    PTX takes more operands than the dialect: addresses that are constants, addresses of labels and
    functions, addresses of other widths, sinks, and wider registers in loads, stores and
    conversions.
    """
    try:
        match(statement, scope)
    except Fault as fault:
        violation, opcode = fault.violation, statement.first
        match violation.rule:
            case ptx_text.OPERANDS_RULE:
                is_certain = isinstance(violation.found, int) or isinstance(fault, SurplusFault)
            case ptx_text.NAME_RULE:
                name = str(violation.found)
                takes_special = opcode in READERS and is_special(name)
                is_certain = not takes_special and (
                    opcode not in ptx_text.TAKE_NAMES or name[0] == "%"
                )
            case _ if isinstance(fault, TypeFault):
                words = {word.text for word in statement.opcode}
                is_certain = fault.is_certain and not any(each <= words for each in UNCHECKED)
            case _:
                is_certain = violation.rule is TYPE_RULE
        return fault if is_certain else None
    return None


def wrong_type(statement: InstructionStatement, scope: Scope) -> Fault | None:
    """The fault of the operands of an instruction of the dialect, if it is the type of a register
    with the right width, as a float where the instruction needs an integer."""
    fault = wrong_operands(statement, scope)
    return fault if fault is not None and fault.violation.rule is TYPE_RULE else None
