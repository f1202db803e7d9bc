"""Matching of an instruction's operands, and of the types of their registers, with the places of
its pattern; faults of names."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import combinations, pairwise
from typing import NamedTuple

from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, RangeConstraint, VerificationContext
from xdsl.utils.exceptions import VerifyException

from ..isa.instructions.arithmetic import NO_IMMEDIATE
from ..isa.instructions.conversion import PACKED_ELEMENTS
from ..isa.model.rule import Violation
from ..isa.ptx import ptx_text
from ..isa.ptx.kernel import IDENTIFIER_RULE
from ..isa.ptx.ptx_text import ADDRESS_OFFSETS, IMMEDIATE_BITS, TYPE_BITS, TYPE_RULE
from ..ptx.instruction import Instruction, syntax_of
from ..ptx.register_types import RARE_CLASSES, REGISTER_CLASSES, register_bits
from ..ptx.text.compiled_syntax import CompiledSyntax
from ..ptx.text.syntax import SINKS, Immediate, QualifierElement, Values
from ..ptx.types import TensorMapType
from . import tokens
from .constant_expression import evaluate, evaluate_integer, in_bits, typed
from .pattern import InstructionPattern, OperandPlace, Qualifiers, texts_of
from .scope import Scope, declared_by
from .tokens import (
    Close,
    Directive,
    Fault,
    Guard,
    Open,
    Operand,
    PtxLexer,
    Statement,
    TypeFault,
    joined,
    operand_text,
)


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


def is_register_name(words: Sequence[str]) -> bool:
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
        if operand.form or is_register_name(operand.words) or not text.isdecimal():
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
        if operand.form or is_register_name(operand.words):
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
        if is_source and not operand.form and is_register_name(base) and is_sum:
            with self.at(operand):
                number = evaluate_integer(behind[1:])
            return Leaf(base, operand.start, operand.end, plus=number)
        if operand.form or not (is_source or is_register_name(operand.words)):
            raise self.fault(operand, legal, values.name)
        if not is_register_name(operand.words):
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
        if operand.form or not is_register_name(base) or "." in base[0]:
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


class Use(NamedTuple):
    """The place of an operand in an instruction."""

    qualifier: str | None
    """The type qualifier or the state space that the instruction gives for the operand: empty if it
    is omitted, None if the instruction has none."""
    is_address: bool
    in_vector: bool
    wider: bool
    """Whether registers may be wider than the type."""
    kind: str
    """The kind of the type of an operand without a type qualifier; see `ptx_text.holders`."""
    converts: bool


@cache
def holders(types: tuple[Attribute, ...], use: Use) -> frozenset[str]:
    """The PTX types of the registers that PTX accepts for an operand of one of `types`."""
    if use.is_address:
        return ptx_text.HOLD_ADDRESSES
    if use.qualifier is not None:
        bits = TYPE_BITS.get(use.qualifier) or register_bits(types[0])
        if bits is None:
            return _PREDICATES
        # Numbers of fewer than 16 bits are bits for instructions that only move them.
        is_packed = use.qualifier.partition("x")[0] in PACKED_ELEMENTS and not use.converts
        kind = "b" if is_packed else ptx_text.kind_of(use.qualifier)
        return ptx_text.holders(kind, bits, use.wider or bits == _BYTE, use.in_vector)
    found: frozenset[str] = frozenset()
    for type_ in types:
        bits = register_bits(type_)
        if bits is None:
            found |= _PREDICATES
            continue
        several = sum(register_bits(other) == bits for other in types) > 1
        wider = use.wider and use.converts
        found |= ptx_text.holders("b" if several else use.kind, bits, wider)
    return found


_PREDICATES = frozenset((ptx_text.PREDICATE, ptx_text.PACKED))
"""The types of the registers that ptxas accepts as predicates (measured)."""
_BYTE = 8


@cache
def registers(types: tuple[Attribute, ...], use: Use) -> Mapping[str, Attribute]:
    """
    PTX type of a register that may hold an operand of one of `types` -> the type of the value.

    An element of a vector may have any type of the right size here; `check_elements` compares it
    with the others.
    """
    accepted = holders(types, use)
    if use.in_vector:
        accepted = ptx_text.REGISTER_BITS.keys()
    found = {
        register: type_
        for type_ in reversed(types)
        for register, bits in ptx_text.REGISTER_BITS.items()
        if register in accepted and bits == register_bits(type_)
    }
    if use.is_address and use.qualifier is not None:
        for register, bits in ptx_text.REGISTER_BITS.items():
            if register in accepted and bits in ptx_text.ADDRESS_BITS:
                found.setdefault(register, types[0])
    return found


@cache
def types_of(op_type: type[Instruction], name: str) -> Sequence[Attribute]:
    """The register types that an operand or a result may have, the usual one first."""
    definition = op_type.get_irdl_definition()
    constraint = dict((*definition.operands, *definition.results))[name].constr
    every = (*REGISTER_CLASSES, *RARE_CLASSES)
    allowed = [type_ for type_ in every if allows(constraint, type_)]
    usual = syntax_of(op_type).values[name].usual_type({})
    return sorted(allowed, key=lambda type_: type_ != usual)


@cache
def is_tensor_map(op_type: type[Instruction], name: str) -> bool:
    """Whether an operand is the address of a tensor map before coordinates, whose register ptxas
    does not check."""
    definition = op_type.get_irdl_definition()
    constraint = dict((*definition.operands, *definition.results))[name].constr
    is_first = name not in syntax_of(op_type).addresses
    return is_first and allows(constraint, TensorMapType())


def allows(constraint: AttrConstraint | RangeConstraint, type_: Attribute) -> bool:
    """Whether the constraint of an operand or a result allows a type."""
    try:
        if isinstance(constraint, RangeConstraint):
            constraint.verify((type_,), VerificationContext())
        else:
            constraint.verify(type_, VerificationContext())
    except VerifyException:
        return False
    return True


def check_vector(name: str, leaves: Sequence[Leaf], scope: Scope | None) -> None:
    """Check the types of the elements of the operand `name`. Raises Fault."""
    types = [_type(leaf, scope) for leaf in leaves]
    constants = [not is_register_name(leaf.words) for leaf in leaves]
    for leaf, type_, is_constant in zip(leaves, types, constants, strict=True):
        if is_constant and type_ not in ptx_text.ELEMENT_CONSTANTS:
            raise _fault(name, leaf, type_, "a register, an integer, or a float written 0f...")
    for index, (before, type_) in enumerate(pairwise(types), 1):
        if not ptx_text.agrees(before, type_):
            beside = f"a type that agrees with {joined(leaves[index - 1].words)} ({before})"
            raise _fault(name, leaves[index], type_, f"{beside}, such as .b32")
    integers = [
        is_constant and ptx_text.ELEMENT_CONSTANTS[type_]
        for type_, is_constant in zip(types, constants, strict=True)
    ]
    # An integer takes its type from a register, but not from a float constant at the beginning.
    if any(integers) and (all(integers) or (constants[0] and not integers[0])):
        at = integers.index(True)
        legal = "a register as the first element, which gives integers their type"
        raise _fault(name, leaves[at], types[at], legal)


def check_elements(
    name: str, leaves: Sequence[Leaf], scope: Scope | None, accepted: frozenset[str]
) -> None:
    """
    Check that the registers of a vector agree with each other, and with an operand that registers
    of the types `accepted` may hold. Raises TypeFault.

    ptxas checks only the vector as a whole, which has a bit type if one of its registers has.
    """
    declared = [None if scope is None else scope.find(leaf.words[-1]) for leaf in leaves]
    known = [
        (leaf, each.type)
        for leaf, each in zip(leaves, declared, strict=True)
        if each is not None and each.is_register
    ]
    if len(known) < len(leaves) or any(type_ == ptx_text.PREDICATE for _, type_ in known):
        # ptxas takes predicates in many vectors.
        return
    for (before, first), (leaf, type_) in pairwise(known):
        sizes = ptx_text.REGISTER_BITS[first], ptx_text.REGISTER_BITS[type_]
        if sizes[0] != sizes[1] or not ptx_text.agrees(first, type_):
            legal = f"a type that agrees with {joined(before.words)} ({first})"
            raise _type_fault(name, leaf, type_, legal)
    bits = next((type_ for _, type_ in known if type_.startswith(".b")), None)
    for leaf, type_ in known:
        if (bits or type_) not in accepted:
            raise _type_fault(name, leaf, type_, accepted)


def _type_fault(name: str, leaf: Leaf, type_: str, legal: object) -> TypeFault:
    violation = TYPE_RULE.violation(f"{leaf.words[-1]}, a {type_} register", legal, name)
    return TypeFault(violation, leaf.start, leaf.end)


def _fault(name: str, leaf: Leaf, type_: str, legal: str) -> Fault:
    violation = TYPE_RULE.violation(f"{joined(leaf.words)} ({type_})", legal, name)
    return Fault(violation, leaf.start, leaf.end)


def _type(leaf: Leaf, scope: Scope | None) -> str:
    """The type of an element; an undeclared register may have any type."""
    if not is_register_name(leaf.words):
        return f".{typed(leaf.words).type}"
    declared = None if scope is None else scope.find(leaf.words[-1])
    return ptx_text.ANY_TYPE if declared is None else declared.type


def name_faults(leaves: Sequence[Leaf], scope: Scope) -> Iterator[Fault]:
    """The faults of undeclared names, each at its first occurrence."""
    unknown: dict[str, Leaf] = {}
    for leaf in sorted(leaves, key=lambda leaf: leaf.start):
        if scope.find(leaf.words[-1]) is None:
            unknown.setdefault(leaf.words[-1], leaf)
    legal = "a declared register or variable"
    for name, leaf in unknown.items():
        violation = ptx_text.NAME_RULE.violation(name, legal, help=scope.meant(name))
        yield Fault(violation, leaf.start, leaf.end)


def guard_faults(guard: Guard, scope: Scope) -> Iterator[Fault]:
    """The faults of a guard; it must be a declared predicate."""
    declared = scope.find(guard.name)
    if declared is None:
        legal = "a declared predicate"
        violation = ptx_text.NAME_RULE.violation(guard.name, legal, help=scope.meant(guard.name))
    elif not declared.is_register or ptx_text.REGISTER_BITS[declared.type] is not None:
        violation = TYPE_RULE.violation(f"{guard.name}, {declared}", ".pred", "guard")
    else:
        return
    yield Fault(violation, guard.start, guard.end)


def repeated_names(text: str, statements: Sequence[Statement]) -> Iterator[Fault]:
    """The faults of names that a function declares twice in one scope."""
    scopes: list[set[tuple[str, bool]]] = []
    header: Directive | None = None
    for statement in statements:
        match statement:
            case Open():
                scopes.append(set())
                # Parameters are in the scope of the body.
                if header is not None:
                    yield from _repeated(text, header, scopes[-1])
                header = None
            case Close() if scopes:
                scopes.pop()
            case Directive(words=words) if not ptx_text.FUNCTIONS.isdisjoint(words):
                header = None if statement.terminated else statement
            case Directive() if scopes:
                yield from _repeated(text, statement, scopes[-1])
            case _:
                pass


def _repeated(text: str, directive: Directive, scope: set[tuple[str, bool]]) -> Iterator[Fault]:
    """The faults of a directive that repeats names of its scope; adds its names to the scope."""
    for name, declared in declared_by(directive.words):
        key = name, declared.numbered is None
        # Several parameters may have the name _.
        if key in scope and name != "_":
            legal = "a name that no other declaration in this block has"
            violation = IDENTIFIER_RULE.violation(name, legal)
            yield Fault(violation, *_last_place(text, directive, name))
            return
        scope.add(key)


def _last_place(text: str, directive: Directive, word: str) -> tuple[int, int]:
    """The place of the last token of a directive with this text."""
    lexer = PtxLexer(text, directive.start)
    place = directive.start, directive.end
    while (token := lexer.next()).start < directive.end:
        if token.text == word:
            place = token.start, token.end
    return place
