"""
Faults of operands and qualifiers. Each names the first wrong operand or qualifier and, if another
form of the instruction accepts it, the qualifier of that form.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from ..isa.model.rule import Violation, describe
from ..isa.ptx import ptx_text
from ..ptx.compiled_syntax import CompiledSyntax
from ..ptx.syntax import Immediate, QualifierElement, Values
from .fault import Fault, SurplusFault
from .operand_matching import OperandFault, match_operands
from .pattern import InstructionPattern, OperandPlace
from .qualifier_matching import QualifierFault, Qualifiers
from .statement_text import operand_text
from .syntax_tree import Operand

Candidate = tuple[CompiledSyntax, InstructionPattern]
"""An instruction that a statement may stand for: its syntax line and its pattern."""
_ANY = Qualifiers({}, {}, {})
_AHEAD = 2
"""
Number of further operands that another candidate must match before a message names it; one operand
may match by mistake.
"""


def operands_fault(
    fault: OperandFault,
    candidate: Candidate,
    qualifiers: Qualifiers,
    operands: Sequence[Operand],
    others: Iterable[Candidate],
) -> Fault:
    """The fault to report when `match_operands` has found `fault`."""
    count, places = _fitting(candidate, qualifiers, operands)
    for other in others:
        needed = _needed(candidate[1], other[1])
        further, theirs = _fitting(other, _ANY, operands)
        least = sum(place.group is None for place in other[1].places)
        if needed and further >= count + _AHEAD and len(operands) >= least:
            legal = f"none without {needed}"
            return _surplus(
                _name(theirs[count]), operand_text(operands[count]), legal, operands[count]
            )
    if fault.place >= 0:
        return fault
    if count == len(operands):
        names = ", ".join(map(_name, places))
        legal = f"{describe(fault.violation.legal)} ({names})"
        violation = ptx_text.OPERANDS_RULE.violation(count, legal, fault.violation.what)
        return Fault(violation, fault.start, fault.end)
    operand = operands[count]
    if count < len(places):
        return _misfit(candidate, qualifiers, places[count], operand) or fault
    for place, text in _absent(candidate[1], qualifiers):
        if _misfit(candidate, _ANY, place, operand) is None:
            return _surplus(_name(place), operand_text(operand), f"none without {text}", operand)
    what = f"operand {count + 1}"
    return _surplus(what, operand_text(operand), None, operand)


def qualifier_fault(
    fault: QualifierFault, candidate: Candidate, others: Iterable[Candidate]
) -> Fault:
    """The fault to report when `match_qualifiers` has found `fault`."""
    violation, pattern, word = fault.violation, candidate[1], fault.word
    known = [other for _, other in others if any(word in each.legal for each in other.units)]
    # What the text has too much, and what it lacks, to be another candidate with this word.
    pairs = [(_needed(other, pattern), _needed(pattern, other)) for other in known]
    extra, lacking = min(pairs, key=lambda pair: len(pair[0] + pair[1]), default=("", ""))
    what, found = violation.what, violation.found
    if word is None or word in extra or word in lacking:
        return fault
    if not fault.is_replaced and lacking:
        help_ = f"add {lacking}, or leave out {word}"
        replaced = violation.rule.violation(found, f"none without {lacking}", what, help=help_)
    elif fault.is_replaced and extra:
        help_ = f"leave out {extra}, or use another {what}"
        where = f"{what} with {extra}"
        replaced = violation.rule.violation(found, violation.legal, where, help=help_)
    elif fault.is_replaced and lacking:
        help_ = f"add {lacking}, or use another {what}"
        sentence = f"{word} needs {lacking}"
        replaced = violation.rule.violation(found, lacking, sentence=sentence, help=help_)
    else:
        return fault
    return Fault(replaced, fault.start, fault.end)


def _surplus(what: str, found: str, legal: str | None, operand: Operand) -> SurplusFault:
    violation: Violation = ptx_text.OPERANDS_RULE.violation(found, legal, what)
    return SurplusFault(violation, operand.start, operand.end)


def _needed(pattern: InstructionPattern, other: InstructionPattern) -> str:
    """The qualifiers that `other` always has and `pattern` never has."""
    known = {text for unit in pattern.units for text in unit.legal}
    return "".join(
        unit.name for unit in other.units if [*unit.legal] == [unit.name] and unit.name not in known
    )


def _absent(
    pattern: InstructionPattern, qualifiers: Qualifiers
) -> Iterator[tuple[OperandPlace, str]]:
    """Operand places that these qualifiers exclude, each with the qualifier that includes it."""
    for unit in pattern.units:
        for alternative in unit.alternatives:
            there = {group for group, present in alternative.groups if present}
            for place in pattern.places:
                if place.group in there and not qualifiers.groups.get(place.group, True):
                    yield place, alternative.text


def _fitting(
    candidate: Candidate, qualifiers: Qualifiers, operands: Sequence[Operand]
) -> tuple[int, Sequence[OperandPlace]]:
    """The greatest number of leading operands that match, and the places they match."""
    _, pattern = candidate
    decided = qualifiers.groups
    fixed = [p for p in pattern.places if p.group is None or decided.get(p.group)]
    free = [p for p in pattern.places if p.group is not None and p.group not in decided]
    best: tuple[int, Sequence[OperandPlace]] = (-1, ())
    for count in range(len(free) + 1):
        for added in combinations(free, count):
            places = [place for place in pattern.places if place in fixed or place in added]
            fitting = 0
            for place, operand in zip(places, operands, strict=False):
                if _misfit(candidate, qualifiers, place, operand) is not None:
                    break
                fitting += 1
            if fitting > best[0]:
                best = fitting, places
    return best


def _misfit(
    candidate: Candidate, qualifiers: Qualifiers, place: OperandPlace, operand: Operand
) -> OperandFault | None:
    """The fault of an operand at an operand place; None if it matches."""
    syntax, pattern = candidate
    alone = replace(pattern, places=(place._replace(group=None),))
    try:
        match_operands(syntax, alone, Qualifiers(qualifiers.properties, {}, {}), [operand], operand)
    except OperandFault as fault:
        return fault
    return None


def _name(place: OperandPlace) -> str:
    match place.element:
        case Values(name=name) | Immediate(name) | QualifierElement(name=name):
            return name
        case str(text):
            return text
        case None:
            return ", ".join(map(_name, place.parts))
