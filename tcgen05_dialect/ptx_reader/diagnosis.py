"""The fault of a statement that matches no instruction of the dialect: the first wrong operand or
qualifier, and the qualifier of a form that takes it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from xdsl.dialects.builtin import AnyFloat, IntegerType, f32, i1, i8, i16, i32, i64
from xdsl.ir import Attribute, SSAValue

from ..isa.model.rule import Violation, describe, did_you_mean
from ..isa.model.table import Limit
from ..isa.ptx import ptx_text
from ..isa.ptx.kernel import CONVERTED_BITS
from ..isa.ptx.ptx_text import TYPE_RULE
from ..ptx.dialect import PTX
from ..ptx.instruction import Instruction, first_words, syntax_of
from ..ptx.structure import ConstantOp
from ..ptx.text.compiled_syntax import CompiledSyntax
from ..ptx.text.syntax import Immediate, QualifierElement, Values
from ..xdsl_support.attributes import bits_of, float_attribute
from .constant_expression import typed
from .operands import Leaf, OperandFault, match_operands
from .pattern import (
    InstructionPattern,
    OperandPlace,
    QualifierFault,
    Qualifiers,
    match_qualifiers,
    patterns_of,
)
from .tokens import Fault, InstructionStatement, Operand, Statement, SurplusFault, operand_text

Candidate = tuple[CompiledSyntax, InstructionPattern]
"""An instruction that a statement may stand for: its syntax line and its pattern."""
_ANY = Qualifiers({}, {}, {})
_AHEAD = 2
"""Number of further operands that another candidate must match before a message names it; one
operand may match by mistake."""


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


class Definition(NamedTuple):
    """An instruction of the dialect and the patterns of its statements."""

    op_type: type[Instruction]
    patterns: tuple[Statement | InstructionPattern, ...]
    place: int
    """Index of the pattern of the instruction itself."""
    spelling: str | None
    """The name of the syntax line; None for the instruction's own one."""

    @property
    def instruction(self) -> InstructionPattern:
        pattern = self.patterns[self.place]
        assert isinstance(pattern, InstructionPattern)
        return pattern

    @property
    def candidate(self) -> Candidate:
        return syntax_of(self.op_type), self.instruction


@cache
def instructions() -> Mapping[str, Sequence[type[Instruction]]]:
    """The instructions by the first word of their names."""
    found: dict[str, list[type[Instruction]]] = {}
    for op_type in PTX.operations:
        if issubclass(op_type, Instruction):
            for word in first_words(op_type):
                found.setdefault(word, []).append(op_type)
    return found


@lru_cache(maxsize=1024)
def candidates_of(word: str) -> Sequence[Definition]:
    """The instructions whose name has this first word; longer names first. The syntax of others is
    not compiled, which takes long."""
    found: list[Definition] = []
    for op_type in instructions().get(word, ()):
        for spelling, patterns in patterns_of(syntax_of(op_type)).items():
            kinds = [isinstance(pattern, InstructionPattern) for pattern in patterns]
            candidate = Definition(op_type, patterns, kinds.index(True), spelling)
            if candidate.instruction.key[0] == word:
                found.append(candidate)
    found.sort(key=lambda candidate: -len(candidate.instruction.key))
    return found


def has_key(
    statement: InstructionStatement, pattern: InstructionPattern, length: int | None = None
) -> bool:
    """Whether a statement begins with the key of a pattern, or with its first `length` words."""
    key = pattern.key[:length]
    words = [word.text for word in statement.opcode[: len(key)]]
    fixed = len(pattern.opcode)
    # A word of the opcode is whole: `.shared::cluster` is not `.shared`.
    return len(words) == len(key) and all(
        word == text or (index >= fixed and word.startswith(f"{text}::"))
        for index, (word, text) in enumerate(zip(words, key, strict=True))
    )


def nearest_fault(
    faults: Sequence[tuple[Fault, Definition]],
    candidates: Sequence[Definition],
    statements: Sequence[Statement],
) -> Fault:
    """The fault of the nearest candidate, explained: the one to report."""

    def nearness(known: tuple[Fault, Definition]) -> tuple[bool, int, int, int, int]:
        fault, definition = known
        # Special registers make names of instructions longer, but are operands.
        has_form = not isinstance(fault, QualifierFault | OperandFault)
        return has_form, len(definition.instruction.key), *_nearness(fault)

    fault, nearest = max(faults, key=nearness)
    explained = _explained(fault, nearest, candidates, statements)
    for each in (explained, *explained.others):
        each.subject = nearest.instruction.name
    return explained


def _explained(
    fault: Fault,
    nearest: Definition,
    candidates: Sequence[Definition],
    statements: Sequence[Statement],
) -> Fault:
    """The fault of the nearest candidate, explained by the other candidates."""
    key = nearest.instruction.key
    others = [
        each.candidate for each in candidates if each.instruction.key == key and each != nearest
    ]
    statement = statements[nearest.place]
    assert isinstance(statement, InstructionStatement)
    if isinstance(fault, QualifierFault):
        return qualifier_fault(fault, nearest.candidate, others)
    if isinstance(fault, OperandFault):
        pattern = nearest.instruction
        qualifiers = match_qualifiers(pattern, statement.opcode[len(pattern.opcode) :])
        return operands_fault(fault, nearest.candidate, qualifiers, statement.operands, others)
    return fault


def _nearness(fault: Fault) -> tuple[int, int, int]:
    """A measure of how much of an instruction matches, to choose the fault to report."""
    match fault:
        case QualifierFault(misfits=(misplaced, replaced)):
            return -misplaced, -replaced, 0
        case OperandFault(place=place):
            return 0, 0, 1 + place
        case _:
            return 0, 0, 1 << 30


def unknown(statement: InstructionStatement) -> Fault:
    """The fault of an instruction that the dialect does not have, at the first word that no name
    of an instruction has after the words before it."""
    words = statement.opcode
    shared = known_words(statement)
    found = "".join(word.text for word in words[: shared + 1])
    legal = frozenset(
        "".join(candidate.instruction.key[: shared + 1])
        for candidate in candidates_of(statement.first)
        if len(candidate.instruction.key) > shared
        and has_key(statement, candidate.instruction, shared)
    ) or frozenset(instructions())
    help = did_you_mean(found, legal) or did_you_mean(found.partition("::")[0], legal)
    violation = ptx_text.INSTRUCTION_RULE.violation(found, legal, help=help)
    return Fault(violation, words[0].start, words[min(shared, len(words) - 1)].end)


def known_words(statement: InstructionStatement) -> int:
    """The greatest number of first words that a statement shares with the name of an
    instruction."""
    shared = 1
    while shared < len(statement.opcode) and any(
        has_key(statement, candidate.instruction, shared + 1)
        for candidate in candidates_of(statement.first)
        if len(candidate.instruction.key) > shared
    ):
        shared += 1
    return shared


INTEGERS: Mapping[Attribute, IntegerType] = {type_: type_ for type_ in (i1, i8, i16, i32, i64)}


def legal_integers(type_: IntegerType, limit: Limit | None) -> range | frozenset[int]:
    """The integers that a constant of a type may be; without `limit`, those that fit into it."""
    bits = type_.width.data
    return range(-(1 << bits - 1), 1 << bits) if limit is None else limit.values


def integer_constant(number: int, type_: IntegerType) -> ConstantOp:
    """The constant of a type for an integer in PTX text."""
    return ConstantOp.of(number != 0 if type_ == i1 else number, type_)


def constant(name: str, leaf: Leaf, types: Sequence[Attribute], limit: Limit | None) -> SSAValue:
    """The value of an operand that is a constant and may have one of `types`; `limit` gives its
    legal numbers if the instruction restricts them. Raises Fault."""
    number, kind = typed(leaf.words)
    for type_ in types:
        if isinstance(number, float) and isinstance(type_, AnyFloat):
            try:
                value = float_attribute(bits_of(number, type_), type_)
            except OverflowError:
                break
            constant = ConstantOp.create(properties={"value": value}, result_types=[type_])
            return constant.result
        if isinstance(number, float) and leaf.in_vector and (kind, type_) == ("f32", i32):
            return ConstantOp.of(bits_of(number, f32), i32).result
        if isinstance(number, int) and type_ in INTEGERS:
            bits = INTEGERS[type_].width.data
            rule = ptx_text.CONSTANT_RULE if limit is None else limit.rule
            legal = legal_integers(INTEGERS[type_], limit)
            if bits not in CONVERTED_BITS and number not in legal:
                violation = rule.violation(number, legal, rule.subject if limit else name)
                raise Fault(violation, leaf.start, leaf.end)
            return integer_constant(number, INTEGERS[type_]).result
    names = tuple(str(type_) for type_ in types)
    violation = TYPE_RULE.violation("".join(leaf.words), names, name)
    raise Fault(violation, leaf.start, leaf.end)
