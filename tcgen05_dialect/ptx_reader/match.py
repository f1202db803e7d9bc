"""Matching of PTX statements with instructions of the dialect; the result is operations."""

from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import DenseArrayBase, StringAttr, SymbolRefAttr, i1, i32
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..isa.instructions.arithmetic import CONDITION_CODE
from ..isa.instructions.table import family_of, row
from ..isa.model.rule import Violation, in_order
from ..isa.ptx import ptx_text
from ..isa.ptx.opcodes import kind_without_qualifier, may_be_wider
from ..isa.ptx.ptx_text import ADDRESS_OFFSETS
from ..ptx.instruction import Instruction, syntax_of
from ..ptx.instructions import AddOp, NotOp
from ..ptx.register_types import TYPE_RULE, TYPES, register_bits, register_types
from ..ptx.structure import AddressOfOp
from ..ptx.text.syntax import SINKS, SPELLING
from .constant_expression import in_bits
from .diagnosis import (
    INTEGERS,
    Definition,
    candidates_of,
    constant,
    has_key,
    integer_constant,
    known_words,
    legal_integers,
    nearest_fault,
    unknown,
)
from .operands import (
    Leaf,
    Operands,
    Use,
    check_elements,
    check_vector,
    holders,
    is_register_name,
    is_tensor_map,
    match_operands,
    name_faults,
    registers,
    types_of,
)
from .pattern import InstructionPattern, QualifierFault, Qualifiers, match_qualifiers
from .scope import Declared, Scope
from .tokens import (
    Fault,
    InstructionStatement,
    Operand,
    Statement,
    TypeFault,
    joined,
    statement_text,
)


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
        for candidate in candidates_of(first.first)
        if len(candidate.patterns) == len(statements) and has_key(first, candidate.instruction)
    ]
    faults: list[tuple[Fault, Definition]] = []
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
    longest = max((len(each.instruction.key) for each in candidates), default=0)
    if known_words(first) > longest:
        raise unknown(first)
    raise nearest_fault(faults, candidates, statements)


def _is_legal(op: Instruction) -> bool:
    """Whether the tables of an instruction allow its qualifiers and numbers of values."""
    try:
        syntax_of(type(op)).check(op)
    except (Violation, VerifyException):
        return False
    return True


def _is_sink(leaf: Leaf | None) -> bool:
    """Whether a destination keeps no value."""
    return leaf is not None and leaf.words == (ptx_text.SINK,)


class _Match:
    def __init__(self, candidate: Definition, statements: Sequence[Statement], scope: Scope | None):
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
        for name, given in operands.values.items():
            self._check_elements(name, given, texts)
        values = {
            name: self._values(name, operands.values.get(name, ()), texts)
            for name in self.syntax.operand_names
        }
        for name in self.syntax.implicit.intersection(values):
            values[name] = [self._implicit(name)]
        if self.candidate.spelling is not None:
            texts[SPELLING] = self.candidate.spelling
        leaves = [
            (result.name, leaf)
            for result in self.syntax.results
            for leaf in operands.values.get(result.name, () if result.variadic else (None,))
        ]
        types = self._result_types(leaves, texts)
        for name in self.syntax.register_vectors:
            check_vector(name, operands.values.get(name, ()), self.scope)
        properties: dict[str, Attribute | str | int] = {**texts, **operands.numbers}
        if sinks := [index for index, (_, leaf) in enumerate(leaves) if _is_sink(leaf)]:
            properties[SINKS] = DenseArrayBase.from_list(i32, sinks)
        op = self.op_type.assemble(values, types, properties)
        for result, (name, leaf) in zip(op.results, leaves, strict=True):
            text = ptx_text.SINK if leaf is None else joined(leaf.words)
            self.names[result] = CONDITION_CODE if name in self.syntax.implicit else text
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

    def _result_types(
        self, leaves: Sequence[tuple[str, Leaf | None]], texts: Mapping[str, str]
    ) -> list[Attribute]:
        """The types of the results. Raises Fault for a register that is written twice."""
        self._refuse_repetition([leaf for _, leaf in leaves if leaf is not None])
        types = [self._result_type(name, leaf, texts) for name, leaf in leaves]
        # The elements of a vector have equal types.
        known = next((type_ for type_ in types if type_ is not None), i32)
        return [known if type_ is None else type_ for type_ in types]

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

    def _check_elements(self, name: str, leaves: Sequence[Leaf], texts: Mapping[str, str]) -> None:
        """Check the types of the registers of an operand, if it is a vector. Raises Fault."""
        registers = [each for each in leaves if is_register_name(each.words)]
        if registers and leaves[0].in_vector:
            types = tuple(self._types(name, registers[0], texts))
            accepted = holders(types, self._use(name, registers[0], texts))
            check_elements(name, registers, self.scope, accepted)

    def _check_names(self, operands: Operands) -> None:
        """Check that all names are declared. Raises Fault."""
        leaves = [
            leaf
            for each in operands.values.values()
            for leaf in each
            if is_register_name(leaf.words)
        ]
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
        if not is_register_name(leaf.words):
            violation = ptx_text.OPERANDS_RULE.violation(joined(leaf.words), "a register", name)
            raise Fault(violation, leaf.start, leaf.end)
        if declared is None:
            return types[0]
        if not declared.is_register:
            self._check_variable(name, leaf, declared, texts)
            return types[0]
        use = self._use(name, leaf, texts)
        legal = registers(tuple(types), use)
        if self.op_type.ADDRESS_REGISTERS is not None and self._is_address(name, leaf):
            legal = {each: legal[each] for each in self.op_type.ADDRESS_REGISTERS}
        if declared.type not in legal:
            advised = frozenset(legal) - ({ptx_text.PACKED} if ".u32" in legal else set())
            violation = TYPE_RULE.violation(f"{leaf.words[-1]}, {declared}", advised, name)
            is_checked = not leaf.in_vector and not is_tensor_map(self.op_type, name)
            may_be = declared.type == ptx_text.PREDICATE and self._taken_as(name) == "predicate"
            is_certain = is_checked and not may_be
            is_certain = is_certain and declared.type not in holders(tuple(types), use)
            raise TypeFault(violation, leaf.start, leaf.end, is_certain)
        return legal[declared.type]

    @property
    def words(self) -> list[str]:
        """The words of the opcode of the statement."""
        statement = self.statements[self.candidate.place]
        assert isinstance(statement, InstructionStatement)
        return [word.text for word in statement.opcode]

    def _taken_as(self, name: str) -> str | None:
        """The registers that ptxas also takes for an operand; see `isa.instructions.row`."""
        instruction = self.op_type.name.removeprefix("ptx.")
        return None if family_of(instruction) is None else row(instruction).taken_as.get(name)

    def _use(self, name: str, leaf: Leaf, texts: Mapping[str, str]) -> Use:
        """The place of an operand."""
        followed = self.syntax.values[name].follows
        qualifier = None if followed is None else texts.get(followed, "")
        words, taken_as = self.words, self._taken_as(name)
        is_space = qualifier is not None and qualifier not in TYPES
        return Use(
            qualifier,
            is_space or name in self.syntax.addresses or taken_as == "address",
            leaf.in_vector,
            may_be_wider(words),
            kind_without_qualifier(words, taken_as == "bits", leaf.in_vector),
            words[0] == "cvt",
        )

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
        if not is_register_name(leaf.words):
            if (bits := self.op_type.element_bits(name, texts, count)) is not None:
                types = [type_ for type_ in types if register_bits(type_) == bits]
            limit = self.syntax.limits.get(name)
            value = constant(name, leaf, types, limit)
            if (type_ := INTEGERS.get(value.type)) is not None:
                self.literals[value] = Literal(leaf.start, legal_integers(type_, limit))
        elif leaf.words[0] == "!" and types[0] == i1:
            predicate = self._value(name, leaf._replace(words=leaf.words[1:]), texts, count)
            value = NotOp.assemble({"a": [predicate]}, properties={"type": "pred"}).d
        elif leaf.plus:
            value = self._sum(name, leaf, texts, count)
            text = f"{text}+{leaf.plus}"
        else:
            type_ = self._register_type(name, leaf, texts)
            if (known := self.known.get((text, type_))) is not None:
                return known
            value = self._variable_or_register(leaf, type_)
            self.known[text, type_] = value
        self.names[value] = text
        return value

    def _sum(self, name: str, leaf: Leaf, texts: Mapping[str, str], count: int) -> SSAValue:
        """The sum of a register and a constant; ptxas has no sums of 32 bits in matrix products."""
        register = self._value(name, leaf._replace(plus=0), texts, count)
        type_ = INTEGERS.get(register.type)
        declared = self._declared(leaf)
        is_word_of_mma = self.op_type.ADDRESS_REGISTERS is not None and type_ == i32
        is_variable = declared is not None and not declared.is_register
        if type_ is None or type_ == i1 or is_word_of_mma or is_variable:
            violation = ptx_text.OPERANDS_RULE.violation("a sum", "a register or a constant", name)
            raise Fault(violation, leaf.start, leaf.end)
        constant = integer_constant(in_bits(leaf.plus, type_.width.data), type_).result
        properties = {"type": f"s{type_.width.data}"}
        return AddOp.assemble({"a": [register], "b": [constant]}, properties=properties).d

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
