"""Faults of opcodes with a word that no instruction of PTX has."""

from collections.abc import Iterable
from typing import cast

from ..isa.model.rule import Severity, did_you_mean
from ..isa.ptx import ptx_text
from ..isa.ptx.words import WORDS, is_word
from .candidates import instructions
from .fault import Fault
from .match import match
from .scope import Scope
from .syntax_tree import InstructionStatement, Word


def wrong_word(statement: InstructionStatement, scope: Scope | None = None) -> Fault | None:
    """
    The fault of an instruction with a word that PTX does not have; None if PTX has all its words,
    or if the dialect has no instruction with the same first word.

    It lists the words that the dialect allows at this place, unless the word is more similar to
    another word of PTX: the dialect may lack that instruction.
    """
    word = _word(statement)
    if word is None or statement.first not in instructions():
        return None
    return _fault_at(word, statement, scope) or _fault(word, statement.first)


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
