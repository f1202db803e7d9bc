"""Matching of an instruction's qualifiers with its pattern; qualifiers may come in any order."""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..isa.model.rule import close_names, combined, meant
from ..isa.ptx import ptx_text
from ..isa.ptx.words import is_word
from .fault import Fault
from .pattern import NUMBER, Alternative, InstructionPattern, Unit
from .syntax_tree import Word

_DIGITS = "0123456789"
_SIMILAR = 0.8
"""The least similarity of a misspelt word to the right one, from 0 to 1."""


class Qualifiers(NamedTuple):
    """The meaning of the qualifiers of an instruction; see `pattern.Alternative`."""

    properties: dict[str, str]
    groups: dict[str, bool]
    counts: dict[str, int]


class QualifierFault(Fault):
    """A fault of the qualifiers."""

    def __init__(self, fault: Fault, misfits: tuple[int, int], word: str | None, is_replaced: bool):
        super().__init__(fault.violation, fault.start, fault.end)
        self.misfits = misfits
        """
        The number of words without a place plus places without a word, and the number of words that
        replace another word.
        """
        self.word = word
        """The word without a place, if the fault concerns one."""
        self.is_replaced = is_replaced
        """Whether `word` replaces a legal one."""


_Chosen = tuple[Alternative, int | None]
"""An alternative, and the number in its text."""


def match_qualifiers(pattern: InstructionPattern, words: Sequence[Word]) -> Qualifiers:
    """The meaning of `words`, the qualifiers after the opcode. Raises QualifierFault."""
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
    An alternative for each unit such that every word is used; None if there is none.

    Each word is assigned to the first unit that accepts it. Words in the order of the syntax line
    thus reach their own units, even if several units accept the same text.
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
            for alternative in unit.beginning(words[position]):
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
    """Whether an alternative matches the words at a position, and the number in its text."""
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
    """The fault to report: the first word without a place, or else the missing words."""
    free, unknown = _left(pattern, words)
    missing = [unit for unit in free if None not in unit.legal]
    meant = _meant(unknown, [*missing, *(unit for unit in free if unit not in missing)])
    replaced = set(meant.values())
    absent = [unit for unit in missing if unit not in replaced]
    misfits = len(unknown) - len(meant) + len(absent), len(meant)
    rule = ptx_text.QUALIFIER_RULE
    if not unknown:
        start, end = (words[0].start, words[-1].end) if words else (0, 0)
        violation = combined(rule.violation(None, unit.legal, _what(unit)) for unit in absent)
        assert violation is not None
        return QualifierFault(Fault(violation, start, end), misfits, None, False)
    word = unknown[0]
    unit = meant.get(0)
    if unit is None and any(_takes(each, word.text) for each in pattern.units):
        violation = rule.violation(word.text, None, "repeated qualifier")
        return QualifierFault(Fault(violation, word.start, word.end), misfits, None, False)
    possible = [unit] if unit is not None else absent or free
    possible = [each for each in possible if _hint(word.text, each.texts)] or possible
    texts = {text for each in possible for text in each.texts}
    what = "qualifier" if unit is None else _what(unit)
    help_ = _hint(word.text, texts)
    violation = rule.violation(word.text, frozenset(texts) or None, what, help=help_)
    fault = Fault(violation, word.start, word.end)
    return QualifierFault(fault, misfits, word.text, unit is not None)


def _what(unit: Unit) -> str:
    return "qualifier" if unit.name.startswith(".") else unit.name


def _left(pattern: InstructionPattern, words: Sequence[Word]) -> tuple[list[Unit], list[Word]]:
    """The places without a word, and the words without a place."""
    texts = [word.text for word in words]
    free = dict(enumerate(pattern.units))
    unknown: list[Word] = []
    position = 0
    while position < len(words):
        for index, unit in free.items():
            fitting = [
                alternative
                for alternative in unit.beginning(texts[position])
                if _fits(alternative, texts, position)[0]
            ]
            if fitting:
                del free[index]
                position += len(fitting[0].words)
                break
        else:
            unknown.append(words[position])
            position += 1
    return list(free.values()), unknown


def _meant(unknown: Sequence[Word], free: Sequence[Unit]) -> dict[int, Unit]:
    """
    The places that the unknown words were probably meant for, by index of the word: a place that
    accepts words of the same sort, a place that accepts a similar word, or else the only required
    place with several legal texts.
    """
    meant: dict[int, Unit] = {}
    left = list(free)
    for accepts in (_takes, _takes_similar):
        for index, word in enumerate(unknown):
            fitting = (unit for unit in left if accepts(unit, word.text))
            if index not in meant and (unit := next(fitting, None)) is not None:
                meant[index] = unit
                left.remove(unit)
    others = [index for index in range(len(unknown)) if index not in meant]
    missing = [unit for unit in left if None not in unit.legal and len(unit.legal) > 1]
    if len(others) == len(missing) == 1:
        meant[others[0]] = missing[0]
    return meant


def _takes(unit: Unit, text: str) -> bool:
    """Whether a place accepts words of the same sort as `text`."""
    sort = _sort(text)
    return any(sort == _sort(word) for word in unit.words)


def _takes_similar(unit: Unit, text: str) -> bool:
    """Whether a place accepts a word of which `text` is probably a misspelling."""
    return not is_word(text) and bool(close_names(text, unit.texts, cutoff=_SIMILAR))


@lru_cache(maxsize=1 << 10)
def _sort(text: str) -> str:
    """The common part of words that are alternatives to each other, such as `.kind`."""
    return text.partition("::")[0].rstrip(_DIGITS) if "::" in text else _without_numbers(text)


@lru_cache(maxsize=1 << 10)
def _without_numbers(text: str) -> str:
    return "".join(NUMBER if c in _DIGITS else c for c in text).replace(NUMBER * 2, NUMBER)


def _hint(text: str, legal: Collection[str]) -> str:
    """
    The question "did you mean" for a word that resembles one of several legal words; empty if none
    is similar. A common prefix, or words that differ only in numbers, do not count.
    """
    by_end = {
        each.partition("::")[2] or each: each
        for each in sorted(legal)
        if len(legal) > 1 and _without_numbers(each) != _without_numbers(text)
    }
    return meant([by_end[end] for end in close_names(text.partition("::")[2] or text, by_end)])
