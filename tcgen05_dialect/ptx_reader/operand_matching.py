"""Matching of an instruction's operands with the operand places of its pattern."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from typing import NamedTuple

from ..isa.model.rule import Violation
from ..isa.ptx import ptx_text
from ..isa.ptx.arithmetic import NO_IMMEDIATE
from ..isa.ptx.registers import ADDRESS_OFFSETS, IMMEDIATE_BITS
from ..ptx.compiled_syntax import CompiledSyntax
from ..ptx.register_types import register_bits
from ..ptx.syntax import SINKS, Immediate, QualifierElement, Values
from . import tokens
from .constant_expression import evaluate, evaluate_integer, in_bits
from .fault import Fault
from .pattern import InstructionPattern, OperandPlace, texts_of
from .qualifier_matching import Qualifiers
from .statement_text import operand_text
from .syntax_tree import Operand


class Leaf(NamedTuple):
    """A register, a variable or a constant."""

    words: tuple[str, ...]
    start: int
    end: int
    in_brackets: bool | None = None
    """For an operand that may be an address or a descriptor: whether it is in brackets."""
    in_vector: bool = False
    plus: int = 0
    """What is added to a register."""


class Operands(NamedTuple):
    """The operands and results by name, and the properties that are operands in PTX."""

    values: dict[str, list[Leaf]]
    numbers: dict[str, int]
    properties: dict[str, str]
    places: dict[str, Operand]


class OperandFault(Fault):
    """A fault of an operand; `place` is the number of operands before it, all of which match."""

    def __init__(self, found: str | int, legal: object, what: str, operand: Operand, place: int):
        violation = ptx_text.OPERANDS_RULE.violation(found, legal, what)
        super().__init__(violation, operand.start, operand.end)
        self.place = place


def is_name(words: Sequence[str]) -> bool:
    """Whether an expression is a name, such as a register, or the negation of a name."""
    *signs, word = words
    return tokens.is_name(word) and signs in ([], ["!"]) and word != "_"


def match_operands(
    syntax: CompiledSyntax,
    pattern: InstructionPattern,
    qualifiers: Qualifiers,
    operands: Sequence[Operand],
    whole: Operand,
) -> Operands:
    """Match the operands of an instruction; `whole` is their common span. Raises OperandFault."""
    required = [place for place in pattern.places if place.group is None]
    decided = qualifiers.groups
    there = [place for place in pattern.places if decided.get(place.group or "")]
    free = [place for place in pattern.places if place.group and place.group not in decided]
    missing = len(operands) - len(required) - len(there)
    fault: OperandFault | None = None
    for added in combinations(free, missing) if 0 <= missing <= len(free) else ():
        places = [p for p in pattern.places if p in required or p in there or p in added]
        try:
            return _Matching(syntax, qualifiers).operands(places, operands)
        except OperandFault as error:
            if fault is None or error.place > fault.place:
                fault = error
    if fault is not None:
        raise fault
    least = len(required) + len(there)
    legal = range(least, least + len(free) + 1) if free else least
    raise OperandFault(len(operands), legal, "number of operands", whole, -1)


class _Matching:
    def __init__(self, syntax: CompiledSyntax, qualifiers: Qualifiers):
        self.syntax = syntax
        self.qualifiers = qualifiers
        self.found = Operands({}, {}, {}, {})
        self.index = 0

    def operands(self, places: Sequence[OperandPlace], operands: Sequence[Operand]) -> Operands:
        for self.index, (place, operand) in enumerate(zip(places, operands, strict=True)):
            self.match(place, operand)
        for name, count in self.qualifiers.counts.items():
            if (given := len(self.found.values.get(name, ()))) != count:
                whole = Operand(operands[0].start, operands[-1].end, "")
                raise OperandFault(given, count, f"number of {name}", whole, len(operands))
        return self.found

    def fault(self, operand: Operand, legal: object, what: str) -> OperandFault:
        return OperandFault(operand_text(operand), legal, what, operand, self.index)

    def match(self, place: OperandPlace, operand: Operand) -> None:
        match place.element:
            case None:
                self.parts(place, operand)
            case str(text):
                if operand.words != (text,) and not self.is_number(operand, text):
                    raise self.fault(operand, text, "operand")
            case Immediate(name):
                self.found.places[name] = operand
                self.immediate(name, operand)
            case QualifierElement(name) as qualifier:
                self.found.places[name] = operand
                texts = texts_of(self.syntax, qualifier)
                chosen = [value for value, text in texts.items() if operand.words == (text,)]
                if not chosen:
                    raise self.fault(operand, frozenset(texts.values()), name)
                self.found.properties[name] = chosen[0]
            case Values(name) as values:
                self.found.places[name] = operand
                self.values(values, operand)

    def is_number(self, operand: Operand, text: str) -> bool:
        """Whether an operand is a constant with the value that the syntax line asks for."""
        if operand.form or is_name(operand.words) or not text.isdecimal():
            return False
        with self.at(operand):
            return evaluate_integer(operand.words) == int(text)

    def parts(self, place: OperandPlace, operand: Operand) -> None:
        count = len(place.parts)
        if operand.form != place.form or len(operand.parts) != count:
            what = (
                f"an address of {count} parts"
                if place.form == "["
                else f"{count} operands separated by |"
            )
            raise self.fault(operand, "an address" if count == 1 else what, "operand")
        for part, inner in zip(place.parts, operand.parts, strict=True):
            self.match(part, inner)

    def immediate(self, name: str, operand: Operand) -> None:
        if operand.form or is_name(operand.words):
            raise self.fault(operand, "a constant", name)
        with self.at(operand):
            self.found.numbers[name] = in_bits(evaluate_integer(operand.words), IMMEDIATE_BITS)

    @contextmanager
    def at(self, operand: Operand) -> Generator[None]:
        """Turn a Violation raised inside into a fault of `operand`."""
        try:
            yield
        except Violation as violation:
            fault = self.fault(operand, None, "constant")
            fault.violation = violation
            raise fault from None

    def values(self, values: Values, operand: Operand) -> None:
        match values.form:
            case "[":
                self.found.values[values.name] = [self.address(values, operand)]
            case "{" | "<":
                self.found.values[values.name] = list(self.vector(values, operand))
            case "&" if operand.form == "[" and len(operand.parts) == 1:
                leaf = self.address(values, operand.parts[0])
                self.found.values[values.name] = [leaf._replace(in_brackets=True)]
            case "&":
                leaf = self.leaf(values, operand)
                self.found.values[values.name] = [leaf._replace(in_brackets=False)]
            case _:
                self.found.values[values.name] = [self.leaf(values, operand)]

    def takes_constants(self, name: str) -> bool:
        """Whether an operand may be a constant: a source of a type that has immediates."""
        value = self.syntax.values[name]
        type_ = self.qualifiers.properties.get(value.follows or "")
        return value not in self.syntax.results and type_ not in NO_IMMEDIATE

    def leaf(self, values: Values, operand: Operand) -> Leaf:
        """A register or, if the operand may be one, a constant."""
        is_source = self.takes_constants(values.name)
        legal = "a register or a constant" if is_source else "a register"
        base, behind = operand.words[:1], operand.words[1:]
        is_sum = behind[:1] == ("+",) and not any(map(tokens.is_name, behind))
        if is_source and not operand.form and is_name(base) and is_sum:
            with self.at(operand):
                number = evaluate_integer(behind[1:])
            return Leaf(base, operand.start, operand.end, plus=number)
        if operand.form or not (is_source or is_name(operand.words)):
            raise self.fault(operand, legal, values.name)
        if not is_name(operand.words):
            with self.at(operand):
                evaluate(operand.words)
        return Leaf(operand.words, operand.start, operand.end)

    def vector(self, values: Values, operand: Operand) -> Iterator[Leaf]:
        """The elements of a vector; a vector of one element may be written as a register."""
        if values.form == "<" and not operand.form:
            yield self.leaf(values, operand)
            return
        if operand.form != "{":
            raise self.fault(operand, "a vector in braces", values.name)
        takes_sinks = SINKS in self.syntax.properties
        for part in operand.parts:
            if takes_sinks and part.words == (ptx_text.SINK,):
                yield Leaf(part.words, part.start, part.end, in_vector=True)
            else:
                yield self.leaf(values, part)._replace(in_vector=True)

    def address(self, values: Values, operand: Operand) -> Leaf:
        """The base of an address; its offset becomes a property."""
        base, behind = operand.words[:1], operand.words[1:]
        if operand.form or not is_name(base) or "." in base[0]:
            legal = "a register" if values.in_registers else "a register or a variable"
            raise self.fault(operand, legal, values.name)
        if behind:
            key = f"{values.name}_offset"
            if key not in self.syntax.properties:
                raise self.fault(operand, "an address without offset", values.name)
            if behind[0] != "+":
                raise self.fault(operand, "an offset after +", values.name)
            if any(map(tokens.is_name, behind)):
                raise self.fault(operand, "an immediate after +", values.name)
            self.found.numbers[key] = self.offset(values.name, operand, behind[1:])
        return Leaf(base, operand.start, operand.end)

    def offset(self, name: str, operand: Operand, words: Sequence[str]) -> int:
        """The offset of an address in bytes, wrapped to 32 bits for a 32-bit address."""
        with self.at(operand):
            number = in_bits(evaluate_integer(words))
        type_ = self.syntax.values[name].type
        in_tensor_memory = name in self.syntax.matrices
        if in_tensor_memory or (type_ is not None and register_bits(type_) == IMMEDIATE_BITS):
            return in_bits(number, IMMEDIATE_BITS)
        if number not in ADDRESS_OFFSETS:
            raise self.fault(operand, ADDRESS_OFFSETS, f"{name}_offset")
        return number
