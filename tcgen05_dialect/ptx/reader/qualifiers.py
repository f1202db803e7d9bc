"""Matching of the qualifiers of an instruction, in any order."""

from collections.abc import Sequence
from typing import NamedTuple

from ...isa import ptx_text
from .pattern import NUMBER, Alternative, InstructionPattern, Unit
from .statements import Fault
from .syntax_tree import Word


class Qualifiers(NamedTuple):
    """What the qualifiers of an instruction say; see `pattern.Alternative`."""

    properties: dict[str, str]
    groups: dict[str, bool]
    counts: dict[str, int]


class QualifierFault(Fault):
    """Qualifiers do not fit."""

    def __init__(self, fault: Fault, misfits: tuple[int, int]):
        super().__init__(fault.violation, fault.start, fault.end)
        self.misfits = misfits
        """How many words have no place, and how many places have no word."""


_Chosen = tuple[Alternative, int | None]
"""An alternative, and the number in its text."""


def match_qualifiers(pattern: InstructionPattern, words: Sequence[Word]) -> Qualifiers:
    """What the words behind the opcode say. Raises QualifierFault."""
    chosen = _assign(pattern.units, [word.text for word in words])
    if chosen is None:
        raise _diagnose(pattern, words)
    found = Qualifiers({}, {}, {})
    for alternative, number in chosen:
        found.properties.update(alternative.qualifiers)
        found.groups.update(alternative.groups)
        if number is not None:
            found.counts.update(dict.fromkeys(alternative.counted, number))
    return found


def _assign(units: Sequence[Unit], words: Sequence[str]) -> list[_Chosen] | None:
    """
    For each unit what stands for it, such that every word is used; None if that cannot be.

    A word goes to the first place that can take it, so words in the order of the syntax line go
    where they belong even if several places take the same text.
    """
    free = dict(enumerate(units))
    chosen: list[_Chosen] = []

    def assign(position: int) -> bool:
        if position == len(words):
            rest = [each for unit in free.values() for each in unit.alternatives if not each.text]
            if len(rest) < len(free):
                return False
            chosen.extend((each, None) for each in rest)
            return True
        for index, unit in list(free.items()):
            for alternative in unit.alternatives:
                if not alternative.text:
                    continue
                fits, number = _fits(alternative, words, position)
                if not fits:
                    continue
                del free[index]
                chosen.append((alternative, number))
                if assign(position + len(alternative.words)):
                    return True
                chosen.pop()
                free[index] = unit
        return False

    return chosen if len(words) <= _longest(units) and assign(0) else None


def _longest(units: Sequence[Unit]) -> int:
    return sum(max(len(each.words) for each in unit.alternatives) for unit in units)


def _fits(alternative: Alternative, words: Sequence[str], position: int) -> tuple[bool, int | None]:
    """Whether an alternative stands at a position, and the number in it."""
    number: int | None = None
    given = words[position : position + len(alternative.words)]
    if len(given) < len(alternative.words):
        return False, None
    for word, text in zip(alternative.words, given, strict=True):
        before, mark, behind = word.partition(NUMBER)
        if not mark:
            if word != text:
                return False, None
            continue
        middle = text.removeprefix(before).removesuffix(behind)
        if not middle.isdecimal() or len(middle) > 4 or text != f"{before}{middle}{behind}":
            return False, None
        number = int(middle)
    return True, number


def _diagnose(pattern: InstructionPattern, words: Sequence[Word]) -> QualifierFault:
    """The first word without a place, or else the first place without a word."""
    texts = [word.text for word in words]
    free = dict(enumerate(pattern.units))
    unknown: list[Word] = []
    position = 0
    while position < len(words):
        for index, unit in free.items():
            fitting = [
                alternative
                for alternative in unit.alternatives
                if alternative.text and _fits(alternative, texts, position)[0]
            ]
            if fitting:
                del free[index]
                position += len(fitting[0].words)
                break
        else:
            unknown.append(words[position])
            position += 1
    missing = [unit for unit in free.values() if None not in unit.legal]
    name = "".join(pattern.opcode)
    rule = ptx_text.QUALIFIER_RULE
    misfits = len(unknown), len(missing)
    if unknown:
        word = unknown[0]
        legal = frozenset(text for unit in free.values() for text in unit.legal if text)
        again = any(word.text in unit.legal for unit in pattern.units)
        what = f"qualifier of {name}, again" if again else f"qualifier of {name}"
        violation = rule.violation(word.text, legal or None, what)
        return QualifierFault(Fault(violation, word.start, word.end), misfits)
    unit = missing[0]
    what = f"qualifier of {name}" if unit.name.startswith(".") else f"{unit.name} of {name}"
    start, end = (words[0].start, words[-1].end) if words else (0, 0)
    return QualifierFault(Fault(rule.violation(None, unit.legal, what), start, end), misfits)
