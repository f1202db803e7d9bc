"""
Plans: recipes that turn the instructions of one shape into operations, and leave out the
verification of equal ones.

The shape of an instruction is its opcode, the form of its operands, the classes of its registers
and its other constants. Instructions with one shape become the same operation, if this operation
takes their integers.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import count
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr, IntegerType, StringAttr, UnitAttr, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation

from ..isa.instructions.arithmetic import CONDITION_CODE, uses_condition_code
from ..isa.model.rule import Violation
from ..isa.ptx import ptx_text
from ..isa.ptx.ptx_text import is_special
from ..ptx.instruction import Instruction, segment_sizes
from ..ptx.instructions import AddOp, LdOp, NotOp, StOp
from ..ptx.register_types import REGISTER_CLASSES, register_class
from ..ptx.structure import AddressOfOp, ConstantOp, InlineOp
from ..ptx.variables import LoadParameterOp, ParameterAddressOp, VariableAddressOp
from ..ptx_reader import misspelt, wrong_operands, wrong_type, wrong_word
from ..ptx_reader.constant_expression import evaluate_integer, in_bits
from ..ptx_reader.diagnosis import INTEGERS
from ..ptx_reader.match import Matched, match
from ..ptx_reader.scope import Declared, Scope
from ..ptx_reader.statements import FormedStatement, open_words, skeleton_of
from ..ptx_reader.tokens import Fault, InstructionStatement, Operand, is_name, operand_text
from .names import CLASSES, Access, Names, Symbol, Variable, word_accesses

SINK = "_"
"""The operand of an instruction that discards a result."""
Leaf = Variable | Symbol | int | None
"""A register, a variable, an integer or, as None, a discarded result."""
_LONGEST_INTEGER = 18
"""The most digits that certainly fit into 63 bits."""


class Shape(NamedTuple):
    """The shape of an instruction, and its registers, variables and integers in order; the
    condition code register, if the instruction uses it, comes last."""

    key: str
    leaves: Sequence[Leaf]


def shape_of(statement: InstructionStatement, names: Names) -> Shape:
    """The shape of an instruction at a place where `names` are declared."""
    is_formed = isinstance(statement, FormedStatement)
    pieces, words = statement.skeleton if is_formed else skeleton_of(statement)
    parts = [pieces[0]]
    leaves: list[Leaf] = []
    codes = names.codes
    for index, word in enumerate(words, 1):
        code = codes.get(word)
        if code is None:
            code = codes[word] = _code(word, names)
        text, is_leaf, leaf = code
        parts += (text, pieces[index])
        if is_leaf:
            leaves.append(leaf)
    if _has_carry(pieces[0].partition(",")[0]):
        leaves.append(names.condition_code)
    return Shape("".join(parts), leaves)


@lru_cache(maxsize=1024)
def _has_carry(opcode: str) -> bool:
    """Whether an instruction uses the condition code register; cached, because few occur."""
    return uses_condition_code(opcode.split("."))


def _integer(word: str) -> int | None:
    """The integer that is written like this only; None for other words."""
    is_decimal = word.isdecimal() and (word[0] != "0" or word == "0")
    return int(word) if is_decimal and len(word) <= _LONGEST_INTEGER else None


def _code(word: str, names: Names) -> tuple[str, bool, Leaf]:
    """The text of a word in a shape, whether the word is a leaf, and the leaf."""
    if word == SINK:
        return SINK, True, None
    if (number := _integer(word)) is not None:
        return "# ", True, number
    named = names.find(word) if is_name(word) else None
    if named is not None:
        return named.code, True, named
    return f"{word} ", False, None


def undeclared(statement: InstructionStatement, names: Names) -> Fault | None:
    """The fault of the first operand with a register that is not declared."""
    pending = [*reversed(statement.operands)]
    while pending:
        operand = pending.pop()
        pending += reversed(operand.parts)
        for word in operand.words:
            is_register = word[0] == "%" and is_name(word) and not is_special(word)
            if is_register and names.find(word) is None:
                violation = ptx_text.NAME_RULE.violation(
                    word, "a declared register", help=names.scope.meant(word)
                )
                return Fault(violation, operand.start, operand.end)
    return None


def integers_of(statement: InstructionStatement, names: Names) -> Mapping[int, int]:
    """The beginning of each operand with integers -> the place of the last one among the leaves."""
    found: dict[int, int] = {}
    count = 0
    pending = [*reversed(statement.operands)]
    while pending:
        operand = pending.pop()
        pending += reversed(operand.parts)
        for word, is_open in open_words(operand):
            _, is_leaf, leaf = _code(word, names) if is_open else ("", False, None)
            if isinstance(leaf, int):
                found[operand.start] = count
            count += is_leaf
    return found


def renamed(
    statement: InstructionStatement, names: Names, name: Callable[[int, Leaf], str]
) -> InstructionStatement:
    """An instruction whose registers and variables have the names that `name` gives."""
    counter: Iterator[int] = iter(range(1 << 30))

    def operand(given: Operand) -> Operand:
        parts = tuple(map(operand, given.parts))
        words = tuple(word(*each) for each in open_words(given))
        return Operand(given.start, given.end, given.form, words, parts)

    def word(given: str, is_open: bool) -> str:
        _, is_leaf, leaf = _code(given, names) if is_open else ("", False, None)
        if not is_leaf:
            return given
        index = next(counter)
        return given if isinstance(leaf, int) else name(index, leaf)

    return InstructionStatement(
        statement.start,
        statement.end,
        None,
        statement.opcode,
        tuple(map(operand, statement.operands)),
    )


_GLOBAL = ".global"
_IN_REGISTER: Mapping[str, Attribute] = {"in_register": UnitAttr()}


class Constant(NamedTuple):
    """An operand that is a constant."""

    value: Attribute
    type: Attribute


class Use(NamedTuple):
    """An operand that is the register or variable at a place among the leaves of the shape."""

    leaf: int
    negated: bool = False
    type: Attribute | None = None
    """The type of the address of a variable; None for the parameter itself."""
    plus: int = 0
    """What is added to the register."""


class Integer(NamedTuple):
    """An operand that is an integer among the leaves."""

    leaf: int
    type: IntegerType


@dataclass(frozen=True, eq=False)
class Plan:
    """How to make an operation from the leaves of a shape."""

    op_type: type[IRDLOperation]
    properties: Mapping[str, Attribute]
    operands: Sequence[Use | Integer | Constant]
    results: Sequence[int | Attribute]
    """The leaf that each result is written to, or the type of a discarded result."""
    kept: Sequence[int] = ()
    """The leaves whose values before the instruction are further operands."""
    of_family: Matched | None = None
    """The first operation with this shape, for an instruction of the family of this dialect."""
    offsets: Sequence[tuple[str, int]] = ()
    """The properties that are integers among the leaves, or absent if these are 0."""
    legal: Sequence[tuple[int, Container[object]]] = ()
    """The leaves that are integers, and the integers that may be there."""

    @cached_property
    def is_context_free(self) -> bool:
        """Whether the validity of the operation depends on its shape alone."""
        return (
            self.of_family is None
            and self.op_type not in (AddressOfOp, VariableAddressOp)
            and not any(isinstance(each, Use) and each.type is not None for each in self.operands)
        )

    def takes(self, leaves: Sequence[Leaf]) -> bool:
        """Whether the plan is one for these integers."""
        return all(leaves[leaf] in legal for leaf, legal in self.legal)

    def integers(self, leaves: Sequence[Leaf]) -> Sequence[Leaf]:
        """The integers in which operations with this plan may differ."""
        return [leaves[leaf] for leaf, _ in self.legal]

    @cached_property
    def reads(self) -> Sequence[int]:
        """The leaves that are read."""
        return (*(each.leaf for each in self.operands if isinstance(each, Use)), *self.kept)

    @cached_property
    def writes(self) -> Sequence[int]:
        """The leaves that are written."""
        return [each for each in self.results if isinstance(each, int)]


class Plans:
    """The plans of the shapes met so far."""

    def __init__(self) -> None:
        self._known: dict[str, Plan] = {}
        self.opaque: dict[str, InstructionStatement] = {}
        """Opcode of an instruction that the dialect does not know -> its first statement."""

    def plan(
        self, key: str, statement: InstructionStatement, leaves: Sequence[Leaf], names: Names
    ) -> Plan:
        """The plan of an instruction with this shape. Raises Fault."""
        key += "".join([leaf.declared for leaf in leaves if isinstance(leaf, Variable)])
        known = self._known.get(key)
        if known is None or not known.takes(leaves):
            integers = [leaf for leaf in leaves if isinstance(leaf, int)]
            exact = f"{key} {integers}" if integers else key
            known = self._known.get(exact)
            if known is None:
                known = _move_plan(statement, leaves) or _matched_plan(statement, leaves, names)
                if known is None:
                    _check(statement, names)
                    opcode = "".join([word.text for word in statement.opcode])
                    self.opaque.setdefault(opcode, statement)
                    known = _opaque_plan(statement, leaves, names)
                    if any(isinstance(leaf, Symbol) for leaf in leaves):
                        return known  # Its text has the names of variables, which the key has not.
                # A plan is made for registers of bits, which may hold any type of their width.
                elif not all(map(_is_of_bits, leaves)) and (
                    fault := wrong_type(statement, names.scope)
                ):
                    raise fault
                self._known[key if len(known.legal) == len(integers) else exact] = known
        if len(known.results) > 1 and known.op_type is not InlineOp:
            written = [leaves[each] for each in known.writes]
            if len(set(written)) < len(written):
                match(statement, names.scope)
        return known


def _check(statement: InstructionStatement, names: Names) -> None:
    """Raise Fault for an instruction that no operation stands for, if it is certainly wrong."""
    if statement.first == ptx_text.FAMILY:
        match(statement, names.scope)
        return
    first = statement.opcode[0]
    fault = misspelt(statement)
    if fault is None and not first.text.islower():
        may_be_label = len(statement.opcode) == 1
        help_ = f"a label ends with a colon: write {first.text}:" if may_be_label else ""
        violation = ptx_text.INSTRUCTION_RULE.violation(first.text, "in lower case", help=help_)
        fault = Fault(violation, first.start, first.end)
    scope = names.scope
    fault = fault or wrong_word(statement, scope) or wrong_operands(statement, scope)
    fault = fault or undeclared(statement, names)
    if fault is not None:
        raise fault


class _Registers(Scope):
    """The scope of a statement whose registers and variables are numbered."""

    def __init__(self, declared: Mapping[str, Declared]):
        super().__init__()
        self._declared = declared

    def find(self, name: str) -> Declared | None:
        return self._declared.get(name)


_BITS = frozenset(f".{declared}" for declared, _ in REGISTER_CLASSES.values())


def _is_of_bits(leaf: Leaf) -> bool:
    """Whether a leaf is no register, or one that may hold any type of its width."""
    return not isinstance(leaf, Variable) or leaf.declared in _BITS


def _matched_plan(
    statement: InstructionStatement, leaves: Sequence[Leaf], names: Names
) -> Plan | None:
    """The plan for an instruction of the dialect; None if it is none."""
    numbers: dict[str, int] = {}
    declared: dict[str, Declared] = {}
    is_of_family = statement.first == ptx_text.FAMILY

    def name(index: int, leaf: Leaf) -> str:
        if not isinstance(leaf, Variable | Symbol):
            return SINK
        if isinstance(leaf, Symbol):
            text, declaration = f"s{index}", Declared(leaf.space, ".b8")
        else:
            type_ = leaf.declared if is_of_family else f".{register_class(leaf.type)[0]}"
            text = f"%v{index}{leaf.name[-2:] if '.' in leaf.name else ''}"
            declaration = Declared(ptx_text.REGISTER, type_)
        numbers[text], declared[text] = index, declaration
        return text

    if names.condition_code in leaves:
        numbers[CONDITION_CODE] = len(leaves) - 1
    try:
        matched = match(renamed(statement, names, name), _Registers(declared))
    except Fault:
        return None
    integers: Mapping[int, int] = {} if is_of_family else integers_of(statement, names)
    return _plan_of(matched, numbers, leaves, integers)


def _plan_of(
    matched: Matched,
    numbers: Mapping[str, int],
    leaves: Sequence[Leaf],
    integers: Mapping[int, int],
) -> Plan | None:
    op = matched.op
    legal: list[tuple[int, Container[object]]] = []

    def integer_of(key: SSAValue | str) -> int | None:
        """The leaf of the integer that an operand or a property comes from."""
        literal = matched.literals.get(key)
        leaf = None if literal is None else integers.get(literal.start)
        if literal is None or leaf is None or leaves[leaf] not in literal.legal:
            return None
        legal.append((leaf, literal.legal))
        return leaf

    operands: list[Use | Integer | Constant] = []
    for value in op.operands:
        if isinstance(value.owner, ConstantOp) and (leaf := integer_of(value)) is not None:
            operands.append(Integer(leaf, INTEGERS[value.type]))
            continue
        operand = _operand_of(value, matched, numbers, leaves)
        if operand is None:
            return None
        operands.append(operand)
    results: list[int | Attribute] = []
    for result in op.results:
        text = matched.names[result]
        results.append(_bits_of(result.type) if text == SINK else numbers[text])
    properties: dict[str, Attribute] = {}
    offsets: list[tuple[str, int]] = []
    for name, value in op.properties.items():
        if (leaf := integer_of(name)) is not None:
            offsets.append((name, leaf))
        elif not _is_zero_offset(name, value):
            properties[name] = value
    is_of_family = matched.name.partition(".")[0] == ptx_text.FAMILY
    of_family = matched if is_of_family else None
    return Plan(type(op), properties, operands, results, (), of_family, offsets, legal)


def _operand_of(
    value: SSAValue, matched: Matched, numbers: Mapping[str, int], leaves: Sequence[Leaf]
) -> Use | Constant | None:
    """The operand of a plan; None for an address that no value of the dialect represents."""
    match owner := value.owner:
        case ConstantOp():
            return Constant(owner.value, value.type)
        case AddOp(a=register, b=SSAValue(owner=ConstantOp(value=IntegerAttr(value=plus)))):
            return Use(numbers[matched.names[register]], plus=plus.data)
        case NotOp():
            return Use(numbers[matched.names[owner.a]], negated=True)
        case AddressOfOp():
            return Use(numbers[owner.variable.string_value()], type=value.type)
        case _:
            leaf = numbers[matched.names[value]]
            symbol = leaves[leaf]
            if not isinstance(symbol, Symbol):
                return Use(leaf)
            return Use(leaf, type=value.type) if _has_address(symbol, matched.op) else None


def _is_zero_offset(name: str, value: Attribute) -> bool:
    return name.endswith("_offset") and isinstance(value, IntegerAttr) and not value.value.data


def _is_variable(symbol: Symbol) -> bool:
    """Whether a symbol is a variable or a parameter of the kernel, not one of a call."""
    return symbol.space != ptx_text.PARAMETER or symbol.parameter is not None


def _has_address(symbol: Symbol, op: Instruction) -> bool:
    """Whether an operation may use the address of a symbol. A name in another state space than
    global memory is no generic address."""
    is_generic = isinstance(op, LdOp | StOp) and op.space is None
    return _is_variable(symbol) and (not is_generic or symbol.space == _GLOBAL)


def address_type(symbol: Symbol, type_: Attribute) -> type[AddressOfOp | VariableAddressOp]:
    """The operation that gives the address, of this type, of a variable."""
    is_shared = symbol.space == ptx_text.SHARED and type_ == i32
    return AddressOfOp if is_shared else VariableAddressOp


def _move_plan(statement: InstructionStatement, leaves: Sequence[Leaf]) -> Plan | None:
    """The plan for the move of an address, or the load of a whole parameter, into a register."""
    named = [leaf for leaf in leaves if not isinstance(leaf, int)]
    if len(named) != 2 or len(statement.operands) != 2:
        return None
    register, symbol = named
    if not isinstance(register, Variable) or not isinstance(symbol, Symbol):
        return None
    words = [word.text for word in statement.opcode]
    bits = ptx_text.REGISTER_BITS.get(words[-1])
    is_whole = CLASSES.get(bits) == register.type and bits is not None and bits > 8
    operand = statement.operands[1]
    match words:
        case ["mov", type_] if is_whole and not operand.form:
            if type_[1] == "f" or not _is_variable(symbol):
                return None
            if symbol.parameter is None:
                return _address_plan(operand, address_type(symbol, register.type))
            if len(operand.words) > 1:
                return None
            return Plan(ParameterAddressOp, _IN_REGISTER, [Use(1)], [0])
        case ["ld", ".param" | ".param::entry", _] if is_whole and symbol.bits == bits:
            if operand.form == "[" and len(operand.parts[0].words) == 1:
                return Plan(LoadParameterOp, {}, [Use(1)], [0])
        case _:
            pass
    return None


def _address_plan(operand: Operand, op_type: type[AddressOfOp | VariableAddressOp]) -> Plan | None:
    """The plan for the move of the address of a variable, plus an offset, into a register."""
    first, *rest = operand.words
    if not is_name(first):
        return None
    properties = dict(_IN_REGISTER)
    if rest:
        try:
            offset = evaluate_integer(rest[1:] if rest[0] == "+" else rest)
        except Violation:
            return None
        properties["offset"] = IntegerAttr(in_bits(offset, 32), i32)
    return Plan(op_type, properties, [], [0])


def _bits_of(type_: Attribute) -> Attribute:
    """The integer type of the register class of a type."""
    return CLASSES[ptx_text.REGISTER_BITS[f".{register_class(type_)[0]}"]]


def _opaque_plan(statement: InstructionStatement, leaves: Sequence[Leaf], names: Names) -> Plan:
    """The plan for an instruction that the dialect does not know. Raises Fault."""
    accesses: dict[int, Access] = {}
    places = count()

    def see(index: int, leaf: Leaf) -> str:
        return f"$leaf{index}" if isinstance(leaf, Variable) else _escaped(leaf)

    marked = renamed(statement, names, see)
    for word, access in word_accesses(marked):
        if word.startswith("$leaf"):
            accesses[int(word.removeprefix("$leaf"))] = access
    results = [leaf for leaf, access in accesses.items() if access is not Access.READ]
    inputs = [leaf for leaf, access in accesses.items() if access is Access.READ]
    kept = [leaf for leaf in results if accesses[leaf] is Access.BOTH]
    numbers = dict(zip((*results, *inputs), places, strict=False))

    def name(index: int, leaf: Leaf) -> str:
        return f"${numbers[index]}" if isinstance(leaf, Variable) else _escaped(leaf)

    opcode = "".join([word.text for word in statement.opcode])
    operands = ", ".join(map(operand_text, renamed(statement, names, name).operands))
    properties: dict[str, Attribute] = {
        "text": StringAttr(f"{opcode} {operands};" if operands else f"{opcode};"),
        "operandSegmentSizes": segment_sizes((len(inputs), len(kept))),
    }
    return Plan(InlineOp, properties, [Use(leaf) for leaf in inputs], results, kept)


def unknown_plan(statement: InstructionStatement, names: Names) -> tuple[Plan, Sequence[Variable]]:
    """The plan for an instruction with a fault, which may write each of its registers."""
    found = dict.fromkeys(
        named
        for word, _ in word_accesses(statement)
        if is_name(word) and isinstance(named := names.find(word), Variable)
    )
    places = range(len(found))
    properties: dict[str, Attribute] = {
        "text": StringAttr(f"unknown {', '.join(f'${place}' for place in places)};"),
        "operandSegmentSizes": segment_sizes((0, len(found))),
    }
    return Plan(InlineOp, properties, [], places, places), [*found]


def _escaped(leaf: Leaf) -> str:
    """The name of a variable in the text of `ptx.inline`."""
    if not isinstance(leaf, Symbol):
        return SINK
    return f"$${leaf.name[1:]}" if leaf.name.startswith("$") else leaf.name


class Repetition:
    """The operations of a module that repeat others."""

    def __init__(self) -> None:
        self.repeated: dict[Operation, Operation | None] = {}
        """Operation -> another one, from which it differs in nothing but the registers; None for
        the end of a block and for a guard, which the importer makes itself."""
        self._first: dict[object, Operation] = {}
        """Plan and integers -> the first operation that has them."""

    def see(self, operation: Operation, plan: Plan, leaves: Sequence[Leaf]) -> None:
        """Process an operation with a plan."""
        if not plan.is_context_free:
            return
        key = (plan, *plan.integers(leaves)) if plan.legal else plan
        first = self._first.setdefault(key, operation)
        if first is not operation:
            self.repeated[operation] = first
