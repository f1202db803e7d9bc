"""
Faults of opcodes: a word that no instruction of PTX has, or words in a combination that no form of
the instruction has.

Certain faults of the operands of known instructions.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import zip_longest
from typing import cast

from ..isa.model.rule import Severity, did_you_mean
from ..isa.ptx import ptx_text
from ..isa.ptx.opcodes import MAY_LACK, REPEATABLE, UNCHECKED, WORDS, is_word
from ..isa.ptx.ptx_text import READERS, is_special
from ..ptx.register_types import TYPE_RULE
from .diagnosis import candidates_of, instructions
from .match import match
from .pattern import NUMBER, Alternative, InstructionPattern, QualifierFault, Unit, match_qualifiers
from .scope import Scope
from .tokens import Fault, InstructionStatement, SurplusFault, TypeFault, Word

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
    return next((word for word in statement.opcode[1:] if not is_word(word.text)), None)


def _fault(word: Word, opcode: str, severity: Severity = "error") -> Fault:
    rule = ptx_text.QUALIFIER_RULE.of_severity(severity)
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
