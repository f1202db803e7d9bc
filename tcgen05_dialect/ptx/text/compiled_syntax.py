"""The compiled definition of an instruction, used to print, parse and verify it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from xdsl.dialects.builtin import IntegerAttr, StringAttr, i32
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.irdl import (
    AttrSetConstraint,
    AttrSizedOperandSegments,
    EqAttrConstraint,
    InferenceContext,
    OpDef,
    OperandDef,
    OptionalDef,
    OptPropertyDef,
    PropertyDef,
    ResultDef,
    VariadicDef,
)
from xdsl.traits import IsTerminator

from ...isa.instructions.table import WordOf
from ...isa.model.rule import blamed, raise_any
from ...isa.model.table import Limit, Table
from ...isa.ptx.ptx_text import SPELLING_RULE
from ...xdsl_support.construction import Properties
from ..analysis.known_values import constant_bits
from ..kernel import is_read
from ..register_types import ADDRESSES, BITS, check_type, register_types
from .syntax import (
    SINKS,
    SPELLING,
    Formatter,
    FormatterMaker,
    Immediate,
    OptionalPart,
    QualifierElement,
    Spellings,
    SyntaxElement,
    ValuePlaces,
    Values,
    ValueTexts,
    parse_syntax,
    sinks_of,
    values_of,
    word_of,
)


class Declaration(NamedTuple):
    """The arguments of `instruction`."""

    line: str
    spellings: Spellings
    tables: Sequence[Table]
    limits: Mapping[str, Limit]
    also: Mapping[str, str] = {}
    needs: Callable[[WordOf], Sequence[str]] | None = None


class ValueSyntax(NamedTuple):
    """An operand or a result in the compiled syntax."""

    name: str
    type: Attribute | None
    """The register type, if only one is legal."""
    follows: str | None
    """Otherwise, the qualifier that gives the register type."""
    variadic: bool

    def usual_type(self, properties: Mapping[str, Attribute]) -> Attribute:
        """The default type of the value, for an instruction with these properties."""
        if self.type is not None:
            return self.type
        if self.follows is None:
            return i32
        spelling = properties.get(self.follows)
        usual = register_types(spelling.data if isinstance(spelling, StringAttr) else None)[0]
        assert isinstance(usual, Attribute)
        return usual


class SpelledQualifier(NamedTuple):
    """A qualifier and its spellings in IR."""

    name: str
    spellings: frozenset[str]
    attributes: Mapping[str, StringAttr]
    """Spelling -> its attribute, shared by all instructions."""
    optional: bool


class OtherSpelling(NamedTuple):
    """Another syntax line of an instruction."""

    line: tuple[SyntaxElement, ...]
    ptx: Formatter
    absent: Sequence[str]
    """The operands and results that the line does not show."""


class CompiledSyntax:
    """The syntax line of an instruction and its rules, compiled."""

    qualifiers: tuple[SpelledQualifier, ...]
    operands: tuple[SyntaxElement, ...]
    """The elements of the operand list in IR, without results."""
    values: Mapping[str, ValueSyntax]
    """The operands and the results by name."""
    results: tuple[ValueSyntax, ...]
    addresses: tuple[str, ...]
    """The operands in brackets."""
    matrices: tuple[str, ...]
    """The operands that are addresses if 32 bits wide, and descriptors otherwise."""
    variables: tuple[str, ...]
    """The addresses that may be variables instead of registers."""
    register_vectors: tuple[str, ...]
    """The operands and results that are vectors of registers."""
    implicit: frozenset[str]
    """The operands and results that PTX does not name, because they are in the condition code
    register."""
    is_block: bool
    """Whether the text is a block in braces, which takes no guard and no semicolon."""
    segmented: bool
    """Whether the operation holds the sizes of its operand segments."""

    def __init__(
        self,
        definition: OpDef,
        typed: Mapping[str, str],
        declaration: Declaration,
        wider: frozenset[str] = frozenset(),
    ):
        self.line = line = parse_syntax(declaration.line)
        """All elements of the syntax line."""
        self.spellings = declaration.spellings
        self.results = tuple(_value(*result, typed) for result in definition.results)
        self.operand_names = tuple(name for name, _ in definition.operands)
        operands = [_value(*operand, typed) for operand in definition.operands]
        self.values = {value.name: value for value in (*operands, *self.results)}
        self.qualifiers = tuple(
            _qualifier(element.name, definition.properties[element.name])
            for element in _flatten(line)
            if isinstance(element, QualifierElement)
        )
        self.operands = tuple(_spelled(line, {value.name for value in self.results}))
        self.addresses = _names(self.operands, "[")
        self.matrices = _names(self.operands, "&")
        self.variables = _names(self.operands, "[", in_registers=False)
        self.register_vectors = _names(line, "{", in_registers=True)
        self.implicit = frozenset(_names(line, "~"))
        self.is_block = declaration.line.startswith("{\n")
        self.segmented = any(
            isinstance(option, AttrSizedOperandSegments) for option in definition.options
        )
        self._several = {
            name
            for name, value in (*definition.operands, *definition.results)
            if isinstance(value, VariadicDef) and not isinstance(value, OptionalDef)
        }
        self.properties = tuple(definition.properties)
        self.places = ValuePlaces(definition.operands, definition.results, self.segmented)
        spelled = {qualifier.name: qualifier.spellings for qualifier in self.qualifiers}
        maker = FormatterMaker(self.places, spelled, typed, declaration.spellings)
        self.also = {
            name: self._other(parse_syntax(line), maker) for name, line in declaration.also.items()
        }
        """The other syntax lines by name."""
        own = maker.make(line)
        if SINKS in definition.properties:
            own = _discarding(own)
        self.ptx = _choosing(own, self.also) if self.also else own
        """The PTX text of an instruction, without guard and semicolon."""
        limits = declaration.limits.items()
        self._typed = tuple(typed.items())
        self._wider = wider
        self.tables = declaration.tables
        self.limits = declaration.limits
        self._columns = tuple(
            (table, tuple((name, self._column(name)) for name in table.columns))
            for table in self.tables
        )
        self._numbers = tuple((name, limit, self._number(name)) for name, limit in limits)

    @property
    def order(self) -> list[str]:
        """The names of the operands in the order of the text in IR."""
        shown = [each.name for each in _flatten(self.operands) if isinstance(each, Values)]
        return [*shown, *(name for name in self.operand_names if name not in shown)]

    @property
    def optional(self) -> list[str]:
        """The names of the operands in optional parts of the text."""
        parts = [each.name for each in self.operands if isinstance(each, OptionalPart)]
        return [name for name in self.operand_names if name in parts]

    def only_count(
        self, name: str, operands: Mapping[str, Sequence[object]], properties: Properties
    ) -> int | None:
        """The number of values of `name`, if the tables allow only one; None otherwise."""
        legal: list[frozenset[int]] = []
        if name in self.limits:
            legal.append(frozenset(self.limits[name].values))
        for table in self.tables:
            if name in table.columns:
                others = (column for column in table.columns if column != name)
                known = {each: _held(each, operands, properties) for each in others}
                legal.append(table.values(name, **known))
        counts = frozenset[int]() if not legal else legal[0].intersection(*legal[1:])
        return next(iter(counts)) if len(counts) == 1 else None

    def _other(self, line: tuple[SyntaxElement, ...], maker: FormatterMaker) -> OtherSpelling:
        shown = {each.name for each in _flatten(line) if isinstance(each, Values)}
        return OtherSpelling(line, maker.make(line), [n for n in self.values if n not in shown])

    def column(self, op: Operation, name: str) -> str | int | None:
        """The word of a qualifier, the number of an immediate, or the number of values of an
        operand or result."""
        return self._column(name)(op)

    def _column(self, name: str) -> Callable[[Operation], str | int | None]:
        """Reads the value of a table column: a property, or the number of values of an operand."""
        if name not in self.properties:
            return lambda op: len(values_of(op, name))

        def column(op: Any) -> str | int | None:
            match op.properties.get(name):
                case StringAttr(data=text):
                    return text
                case IntegerAttr(value=number):
                    return number.data
                case _:
                    return None

        return column

    def _number(self, name: str) -> Callable[[Operation], int | None]:
        """Reads the number that a limit restricts: an immediate, a constant operand or a count."""
        if name in self.properties:
            column = self._column(name)
            return lambda op: number if isinstance(number := column(op), int) else None
        if name in self._several:
            return lambda op: len(values_of(op, name))

        def known(op: Operation) -> int | None:
            values = values_of(op, name)
            return constant_bits(values[0]) if values else None

        return known

    def check(self, op: Operation) -> None:
        """
        Check the types of operands and results, the combination of qualifiers, and known numbers.

        Raises VerifyException or Violation.
        """
        for name, qualifier in self._typed:
            spelling = op.properties.get(qualifier)
            text = spelling.data if isinstance(spelling, StringAttr) else None
            for value in values_of(op, name):
                # PTX extends an address that is in a register of 32 bits (6.4.1).
                bits = i32 if text is None or text in ADDRESSES else BITS.get(text)
                if not (value.type == bits and is_read(op)):
                    check_type(name, value.type, text, name in self._wider)
        if self.also:
            self._check_spelling(op)
        for sink in sinks_of(op):
            if not 0 <= sink < len(op.results) or _is_used(op.results[sink]):
                legal = "the index of a result that is not used"
                raise SPELLING_RULE.violation(sink, legal, "sink")
        for table, columns in self._columns:
            table.check(**{name: column(op) for name, column in columns})
        for name, limit, number in self._numbers:
            if (known := number(op)) is not None and known not in limit.values:
                raise_any(blamed(limit.violations(known), name))

    def _check_spelling(self, op: Operation) -> None:
        """Raise Violation if the spelling does not show an operand or a result that is used."""
        name = word_of(op, SPELLING)
        if name is None or name not in self.also:
            return
        for absent in self.also[name].absent:
            values = values_of(op, absent)
            if any(isinstance(v, OpResult) and v.op is op and not v.uses for v in values):
                continue
            if values:
                found = f"{absent} with the spelling {name}"
                raise SPELLING_RULE.violation(found, f"one that shows {absent}")


def _held(
    name: str, operands: Mapping[str, Sequence[object]], properties: Properties
) -> str | int | None:
    """The value of a table column for the operands and properties of an operation."""
    match properties.get(name):
        case StringAttr(data=text):
            return text
        case IntegerAttr(value=number):
            return number.data
        case _:
            return len(operands[name]) if name in operands else None


def _is_used(result: SSAValue) -> bool:
    """Whether an operation uses a result, other than a guard that passes it on to no operation."""
    for use in result.uses:
        guard = use.operation.parent_op()
        is_passed = use.operation.has_trait(IsTerminator) and guard is not None
        if not is_passed or guard is None or len(guard.results) <= use.index:
            return True
        if guard.results[use.index].uses:
            return True
    return False


def _choosing(own: Formatter, also: Mapping[str, OtherSpelling]) -> Formatter:
    """The formatter of an instruction with several syntax lines."""

    def text(op: Operation, names: ValueTexts) -> str:
        name = word_of(op, SPELLING)
        return own(op, names) if name is None else also[name].ptx(op, names)

    return text


def _discarding(formatter: Formatter) -> Formatter:
    """The formatter of an instruction that may have sinks."""

    def text(op: Operation, names: ValueTexts) -> str:
        for sink in sinks_of(op):
            names.discard(op.results[sink])
        return formatter(op, names)

    return text


def _value(name: str, definition: OperandDef | ResultDef, typed: Mapping[str, str]) -> ValueSyntax:
    constraint = definition.constr
    known = constraint.can_infer(frozenset(), length_known=True)
    register = constraint.infer(InferenceContext(), length=1)[0] if known else None
    return ValueSyntax(name, register, typed.get(name), isinstance(definition, VariadicDef))


def _qualifier(name: str, definition: PropertyDef) -> SpelledQualifier:
    match definition.constr:
        case AttrSetConstraint(values=values):
            attributes: frozenset[Attribute] = values
        case EqAttrConstraint(attr=attribute):
            attributes = frozenset((attribute,))
        case constraint:
            raise TypeError(f"qualifier {name} has no set of spellings: {constraint}")
    by_spelling = {a.data: a for a in attributes if isinstance(a, StringAttr)}
    optional = isinstance(definition, OptPropertyDef)
    return SpelledQualifier(name, frozenset(by_spelling), by_spelling, optional)


def _flatten(elements: Sequence[SyntaxElement]) -> Iterator[SyntaxElement]:
    for element in elements:
        if isinstance(element, OptionalPart):
            yield from _flatten(element.elements)
        else:
            yield element


def _names(
    elements: Sequence[SyntaxElement], form: str, in_registers: bool | None = None
) -> tuple[str, ...]:
    """The names of the operands and results of a form."""
    wanted = (form,) if in_registers is None else (form, in_registers)
    return tuple(
        each.name
        for each in _flatten(elements)
        if isinstance(each, Values) and (each.form, each.in_registers)[: len(wanted)] == wanted
    )


def _spelled(elements: Sequence[SyntaxElement], results: set[str]) -> Iterator[SyntaxElement]:
    """The elements after the qualifiers in IR; an optional part that PTX repeats occurs once."""
    seen: set[str] = set()
    for element in elements:
        match element:
            case Values(name) if name not in results:
                yield element
            case Immediate():
                yield element
            case OptionalPart(name, several=False) if name not in seen:
                seen.add(name)
                yield element
            case _:
                pass
