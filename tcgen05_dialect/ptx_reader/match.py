"""Matching of PTX statements with instructions of the dialect; the result is operations."""

from collections.abc import Container, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from xdsl.dialects.builtin import DenseArrayBase, StringAttr, SymbolRefAttr, i1, i32
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Violation, did_you_mean, in_order
from ..isa.ptx import ptx_text
from ..isa.ptx.extended_precision import CONDITION_CODE
from ..isa.ptx.opcodes import OF_ANY_WIDTH
from ..isa.ptx.registers import ADDRESS_OFFSETS
from ..isa.ptx.special_registers import READERS, is_special
from ..ptx.arithmetic import NotOp
from ..ptx.dialect import PTX
from ..ptx.instruction import Instruction, first_words, syntax_of
from ..ptx.register_types import TYPE_RULE, register_bits, register_types
from ..ptx.structure import AddressOfOp
from ..ptx.syntax import SINKS, SPELLING
from .constant_operand import INTEGERS, constant, legal_integers
from .diagnosis import Candidate, operands_fault, qualifier_fault
from .fault import Fault
from .name_faults import name_faults
from .operand_matching import Leaf, OperandFault, Operands, is_name, match_operands
from .operand_types import registers, types_of
from .pattern import InstructionPattern, patterns_of
from .qualifier_matching import QualifierFault, Qualifiers, match_qualifiers
from .scope import Declared, Scope
from .statement_text import joined, statement_text
from .syntax_tree import InstructionStatement, Operand, Statement
from .vectors import check_vector


class ReadTexts(dict[SSAValue, str]):
    """The PTX text of the operands and results of a matched operation."""

    def register(self, value: SSAValue) -> str:
        return self[value]

    def element(self, value: SSAValue) -> str:
        return self[value]

    def discard(self, value: SSAValue) -> None:
        self[value] = ptx_text.SINK

    def address(self, value: SSAValue, offset: int) -> str:
        return f"{self[value]}+{offset}" if offset else self[value]


class Literal(NamedTuple):
    """An integer in a statement; another one in its place changes nothing else of the operation."""

    start: int
    """The beginning of the operand, or of the base of the address, that it is part of."""
    legal: Container[object]
    """The integers that may be there."""


class Matched(NamedTuple):
    """
    An operation, and the PTX text of its operands and results.

    An operand is a constant, the address of a variable, the negation of a predicate or, for a
    register, an argument of an otherwise empty block. All uses of a register with the same type are
    one value. A 32-bit register that holds a generic address is represented by a 64-bit value.
    """

    op: Instruction
    names: ReadTexts
    name: str
    """The name of the instruction in the manual."""
    places: Mapping[str, Operand]
    """The operand in the statement for each operand, result and immediate of the operation."""
    literals: Mapping[SSAValue | str, Literal]
    """Operand or property of the operation -> the integer in the statement that it comes from."""

    def text(self) -> str:
        """The PTX text of the operation, without a semicolon."""
        return syntax_of(type(self.op)).ptx(self.op, self.names)


class _Definition(NamedTuple):
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
def _types() -> Mapping[str, Sequence[type[Instruction]]]:
    """The instructions by the first word of their names."""
    found: dict[str, list[type[Instruction]]] = {}
    for op_type in PTX.operations:
        if issubclass(op_type, Instruction):
            for word in first_words(op_type):
                found.setdefault(word, []).append(op_type)
    return found


@cache
def _candidates(word: str) -> Sequence[_Definition]:
    """The instructions whose name has this first word; longer names first. The syntax of others is
    not compiled, which takes long."""
    found: list[_Definition] = []
    for op_type in _types().get(word, ()):
        for spelling, patterns in patterns_of(syntax_of(op_type)).items():
            kinds = [isinstance(pattern, InstructionPattern) for pattern in patterns]
            candidate = _Definition(op_type, patterns, kinds.index(True), spelling)
            if candidate.instruction.key[0] == word:
                found.append(candidate)
    found.sort(key=lambda candidate: -len(candidate.instruction.key))
    return found


def _has_key(
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


def match(statement: InstructionStatement, scope: Scope | None = None) -> Matched:
    """
    The operation for an instruction; the caller handles the guard.

    `scope` holds the declared registers and variables. Without a scope every name is a register of
    the type that the operand needs. Raises Fault.
    """
    return match_block((statement,), scope)


def match_block(statements: Sequence[Statement], scope: Scope | None = None) -> Matched:
    """The operation for an instruction, or for a block of statements. Raises Fault."""
    first = next(each for each in statements if isinstance(each, InstructionStatement))
    candidates = [
        candidate
        for candidate in _candidates(first.first)
        if len(candidate.patterns) == len(statements) and _has_key(first, candidate.instruction)
    ]
    faults: list[tuple[Fault, _Definition]] = []
    illegal: Matched | None = None
    for candidate in candidates:
        try:
            matched = _Match(candidate, statements, scope).matched()
        except Fault as fault:
            faults.append((fault, candidate))
            continue
        if len(candidates) == 1 or _is_legal(matched.op):
            by_qualifiers = all(isinstance(fault, QualifierFault) for fault, _ in faults)
            # The choice of another candidate may depend on the integers.
            is_certain = by_qualifiers and illegal is None
            return matched if is_certain else matched._replace(literals={})
        # Another instruction may have this form: add.sat.s32 is not a form of `ptx.add`.
        illegal = illegal or matched
    if illegal is not None:
        return illegal
    if not faults:
        raise _unknown(first)
    fault, nearest = max(
        faults, key=lambda known: (len(known[1].instruction.key), *_nearness(known[0]))
    )
    explained = _explained(fault, nearest, candidates, statements)
    for each in (explained, *explained.others):
        each.subject = nearest.instruction.name
    raise explained


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
                is_certain = isinstance(violation.found, int)
            case ptx_text.NAME_RULE:
                name = str(violation.found)
                takes_special = opcode in READERS and is_special(name)
                is_certain = not takes_special and (
                    opcode not in ptx_text.TAKE_NAMES or name[0] == "%"
                )
            case _:
                in_address = any(
                    each.form == "[" and each.start <= fault.start < each.end
                    for each in statement.operands
                )
                is_type = violation.rule is TYPE_RULE and not in_address
                is_certain = is_type and opcode not in OF_ANY_WIDTH
        return fault if is_certain else None
    return None


def _is_legal(op: Instruction) -> bool:
    """Whether the tables of an instruction allow its qualifiers and numbers of values."""
    try:
        syntax_of(type(op)).check(op)
    except (Violation, VerifyException):
        return False
    return True


def _explained(
    fault: Fault,
    nearest: _Definition,
    candidates: Sequence[_Definition],
    statements: Sequence[Statement],
) -> Fault:
    """The fault to report: the one of the nearest candidate, explained by the other candidates."""
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


def _unknown(statement: InstructionStatement) -> Fault:
    words = statement.opcode
    known = _candidates(words[0].text)
    shared = 1
    while shared < len(words) and any(
        _has_key(statement, candidate.instruction, shared + 1)
        for candidate in known
        if len(candidate.instruction.key) > shared
    ):
        shared += 1
    found = "".join(word.text for word in words[: shared + 1])
    keys = {"".join(candidate.instruction.key) for candidate in known}
    legal = frozenset(keys or _types())
    help = did_you_mean(found, legal) or did_you_mean(found.partition("::")[0], legal)
    violation = ptx_text.INSTRUCTION_RULE.violation(found, legal, help=help)
    return Fault(violation, words[0].start, words[min(shared, len(words) - 1)].end)


def _is_sink(leaf: Leaf | None) -> bool:
    """Whether a destination keeps no value."""
    return leaf is not None and leaf.words == (ptx_text.SINK,)


class _Match:
    def __init__(
        self, candidate: _Definition, statements: Sequence[Statement], scope: Scope | None
    ):
        self.op_type = candidate.op_type
        self.syntax = syntax_of(candidate.op_type)
        self.candidate = candidate
        self.scope = scope
        self.statements = statements
        self.block = Block()
        self.names = ReadTexts()
        self.known: dict[tuple[str, Attribute], SSAValue] = {}
        self.literals: dict[SSAValue | str, Literal] = {}

    def matched(self) -> Matched:
        for pattern, statement in zip(self.candidate.patterns, self.statements, strict=True):
            if not isinstance(pattern, InstructionPattern) and pattern != statement:
                violation = ptx_text.OPERANDS_RULE.violation(
                    statement_text(statement), statement_text(pattern), self.op_type.name
                )
                raise Fault(violation, statement.start, statement.end)
        statement = self.statements[self.candidate.place]
        assert isinstance(statement, InstructionStatement)
        pattern = self.candidate.instruction
        qualifiers = self._qualifiers(pattern, statement)
        ends = statement.operands or statement.opcode
        whole = Operand(ends[0].start, ends[-1].end, "")
        operands = match_operands(self.syntax, pattern, qualifiers, statement.operands, whole)
        return self._build(qualifiers, operands)

    def _qualifiers(
        self, pattern: InstructionPattern, statement: InstructionStatement
    ) -> Qualifiers:
        words = statement.opcode[len(pattern.opcode) :]
        try:
            return match_qualifiers(pattern, words)
        except QualifierFault as fault:
            if not words:
                fault.start, fault.end = statement.opcode[0].start, statement.opcode[-1].end
            raise

    def _build(self, qualifiers: Qualifiers, operands: Operands) -> Matched:
        texts = qualifiers.properties | operands.properties
        self._check_names(operands)
        values = {
            name: self._values(name, operands.values.get(name, ()), texts)
            for name in self.syntax.operand_names
        }
        for name in self.syntax.implicit.intersection(values):
            values[name] = [self._implicit(name)]
        if self.candidate.spelling is not None:
            texts[SPELLING] = self.candidate.spelling
        leaves = [
            (result, leaf)
            for result in self.syntax.results
            for leaf in operands.values.get(result.name, () if result.variadic else (None,))
        ]
        self._refuse_repetition([leaf for _, leaf in leaves if leaf is not None])
        result_types = [self._result_type(each.name, leaf, texts) for each, leaf in leaves]
        known = next((type_ for type_ in result_types if type_ is not None), i32)
        for name in self.syntax.register_vectors:
            check_vector(name, operands.values.get(name, ()), self.scope)
        properties: dict[str, Attribute | str | int] = {**texts, **operands.numbers}
        if sinks := [index for index, (_, leaf) in enumerate(leaves) if _is_sink(leaf)]:
            properties[SINKS] = DenseArrayBase.from_list(i32, sinks)
        # The elements of a vector have equal types.
        types = [known if type_ is None else type_ for type_ in result_types]
        op = self.op_type.assemble(values, types, properties)
        for result, (value, leaf) in zip(op.results, leaves, strict=True):
            text = ptx_text.SINK if leaf is None else joined(leaf.words)
            self.names[result] = CONDITION_CODE if value.name in self.syntax.implicit else text
        for name in self.syntax.addresses:
            if (offset := f"{name}_offset") in operands.numbers:
                start = operands.places[name].start
                self.literals[offset] = Literal(start, range(ADDRESS_OFFSETS.stop))
        name = self.candidate.instruction.name
        return Matched(op, self.names, name, operands.places, self.literals)

    def _implicit(self, name: str) -> SSAValue:
        """The value of the condition code register before the instruction."""
        type_ = self.syntax.values[name].usual_type({})
        value = self.block.insert_arg(type_, len(self.block.args))
        self.names[value] = CONDITION_CODE
        return value

    @staticmethod
    def _refuse_repetition(results: Sequence[Leaf]) -> None:
        seen: set[tuple[str, ...]] = set()
        for leaf in results:
            if leaf.words in seen and not _is_sink(leaf):
                violation = ptx_text.OPERANDS_RULE.violation(
                    f"{leaf.words[0]} again", "each register once", "destinations"
                )
                raise Fault(violation, leaf.start, leaf.end)
            seen.add(leaf.words)

    def _result_type(
        self, name: str, leaf: Leaf | None, texts: Mapping[str, str]
    ) -> Attribute | None:
        """The type of a result; None for a sink, whose text gives no type."""
        if leaf is None:
            # A spelling may leave a result out.
            properties = {key: StringAttr(text) for key, text in texts.items()}
            return self.syntax.values[name].usual_type(properties)
        return None if _is_sink(leaf) else self._register_type(name, leaf, texts)

    def _types(self, name: str, leaf: Leaf, texts: Mapping[str, str]) -> Sequence[Attribute]:
        """The legal types of an operand or a result, the usual one first."""
        if leaf.in_brackets is not None:
            return [
                type_
                for type_ in types_of(self.op_type, name)
                if leaf.in_brackets == (type_ == i32)
            ]
        if (followed := self.syntax.values[name].follows) is not None:
            legal = register_types(texts.get(followed), name in self.op_type.WIDER)
            return [type_ for type_ in legal if isinstance(type_, Attribute)]
        return types_of(self.op_type, name)

    def _check_names(self, operands: Operands) -> None:
        """Check that all names are declared. Raises Fault."""
        leaves = [leaf for each in operands.values.values() for leaf in each if is_name(leaf.words)]
        if self.scope is not None and (faults := [*name_faults(leaves, self.scope)]):
            faults[0].others = faults[1:]
            raise faults[0]

    def _declared(self, leaf: Leaf) -> Declared | None:
        """The declaration of a name; None without a scope."""
        return None if self.scope is None else self.scope.find(leaf.words[-1])

    def _register_type(self, name: str, leaf: Leaf, texts: Mapping[str, str]) -> Attribute:
        types = self._types(name, leaf, texts)
        declared = self._declared(leaf)
        if leaf.words[0] == "!":
            violation = ptx_text.OPERANDS_RULE.violation("a negation", "a register", name)
            raise Fault(violation, leaf.start, leaf.end)
        if not is_name(leaf.words):
            violation = ptx_text.OPERANDS_RULE.violation(joined(leaf.words), "a register", name)
            raise Fault(violation, leaf.start, leaf.end)
        if declared is None:
            return types[0]
        if not declared.is_register:
            self._check_variable(name, leaf, declared, texts)
            return types[0]
        followed = self.syntax.values[name].follows
        qualifier = None if followed is None else texts.get(followed, "")
        legal = registers(tuple(types), qualifier, leaf.in_vector)
        if self.op_type.ADDRESS_REGISTERS is not None and self._is_address(name, leaf):
            legal = {each: legal[each] for each in self.op_type.ADDRESS_REGISTERS}
        if declared.type not in legal:
            violation = TYPE_RULE.violation(f"{leaf.words[-1]}, {declared}", frozenset(legal), name)
            raise Fault(violation, leaf.start, leaf.end)
        return legal[declared.type]

    def _is_address(self, name: str, leaf: Leaf) -> bool:
        return name in self.syntax.addresses or leaf.in_brackets is True

    def _values(
        self, name: str, leaves: Sequence[Leaf], texts: Mapping[str, str]
    ) -> list[SSAValue]:
        return [self._value(name, leaf, texts, len(leaves)) for leaf in leaves]

    def _value(self, name: str, leaf: Leaf, texts: Mapping[str, str], count: int) -> SSAValue:
        """The SSA value for one of `count` values of an operand."""
        text = joined(leaf.words)
        types = self._types(name, leaf, texts)
        if not is_name(leaf.words):
            if (bits := self.op_type.element_bits(name, texts, count)) is not None:
                types = [type_ for type_ in types if register_bits(type_) == bits]
            limit = self.syntax.limits.get(name)
            value = constant(name, leaf, types, limit)
            if (type_ := INTEGERS.get(value.type)) is not None:
                self.literals[value] = Literal(leaf.start, legal_integers(type_, limit))
        elif leaf.words[0] == "!" and types[0] == i1:
            predicate = self._value(name, leaf._replace(words=leaf.words[1:]), texts, count)
            value = NotOp.assemble({"a": [predicate]}, properties={"type": "pred"}).d
        else:
            type_ = self._register_type(name, leaf, texts)
            if (known := self.known.get((text, type_))) is not None:
                return known
            value = self._variable_or_register(leaf, type_)
            self.known[text, type_] = value
        self.names[value] = text
        return value

    def _variable_or_register(self, leaf: Leaf, type_: Attribute) -> SSAValue:
        declared = self._declared(leaf)
        if declared is None or declared.is_register or type_ != i32:
            return self.block.insert_arg(type_, len(self.block.args))
        return AddressOfOp.of(SymbolRefAttr(leaf.words[-1]), 0).result

    def _check_variable(
        self, name: str, leaf: Leaf, declared: Declared, texts: Mapping[str, str]
    ) -> None:
        """Check that an operand may be this variable. Raises Fault."""
        legal = self._spaces(name, texts)
        if declared.space not in legal:
            expected = ("a register", *(f"a variable in {space}" for space in in_order(legal)))
            found = f"{leaf.words[-1]}, {declared}"
            violation = ptx_text.OPERANDS_RULE.violation(found, expected, name)
            raise Fault(violation, leaf.start, leaf.end)

    def _spaces(self, name: str, texts: Mapping[str, str]) -> frozenset[str]:
        """The state spaces whose variables may be the operand."""
        takes_names = self.candidate.instruction.opcode[0] in ptx_text.TAKE_NAMES
        if takes_names and name in self.syntax.operand_names:
            return ptx_text.VARIABLES
        if name not in self.syntax.variables:
            return frozenset()
        space = texts.get(self.syntax.values[name].follows or "")
        if space is None:
            return ptx_text.GENERIC_VARIABLES
        return frozenset(each for each in ptx_text.VARIABLES if f".{space}".startswith(each))
