"""
Formatters: functions that print an instruction as PTX, made from the elements of its syntax line.

What all instances of an instruction share, such as the places of operands and the texts of
qualifiers, is computed once, when the formatter is made.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from xdsl.dialects.builtin import i32
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import OperandDef, ResultDef, VariadicDef

from ...isa.instructions.arithmetic import NO_IMMEDIATE
from .syntax import (
    Count,
    Immediate,
    LiteralText,
    OptionalPart,
    QualifierElement,
    Spellings,
    SyntaxElement,
    Values,
)


class ValueTexts(Protocol):
    """The PTX text of SSA values."""

    def __getitem__(self, value: SSAValue, /) -> str:
        """A register or an immediate."""
        ...

    def register(self, value: SSAValue) -> str:
        """A register; a constant is first moved into a new register."""
        ...

    def element(self, value: SSAValue) -> str:
        """An element of a vector."""
        ...

    def discard(self, value: SSAValue) -> None:
        """Print a result as `_`, because its value is not kept."""
        ...

    def address(self, value: SSAValue, offset: int) -> str:
        """The text of an address without brackets: a register or a variable, plus an offset."""
        ...


Formatter: TypeAlias = Callable[[Operation, ValueTexts], str]
_Part: TypeAlias = Callable[[Any, ValueTexts, Any], str]
"""Makes the text of an element from an operation, the texts of values, and its values."""


class ValuePlaces:
    """
    The positions of named values among the operands and results of an operation.

    `places.values(op)[places[name]]` is the value `name` of the operation: a sequence if it is
    variadic, None if it is optional and absent.
    """

    def __init__(
        self,
        operands: Sequence[tuple[str, OperandDef]],
        results: Sequence[tuple[str, ResultDef]],
        segmented: bool,
    ):
        definitions = (*operands, *results)
        variadic = [isinstance(definition, VariadicDef) for _, definition in definitions]
        self.variadic = frozenset(
            name for name, each in definitions if isinstance(each, VariadicDef)
        )
        """The operands and results that are variadic or optional."""
        by_index = not segmented and sum(variadic) <= 1
        names = [name for name, _ in definitions]
        if by_index:
            places = [_place(variadic, index) for index in range(len(names))]
            self.values: Callable[[Any], list[Any]] = lambda op: [*op.operands, *op.results]
        else:
            places = list(range(len(names)))
            self.values = lambda op: [getattr(op, name) for name in names]
        self._places: Mapping[str, int | slice] = dict(zip(names, places, strict=True))

    def __getitem__(self, name: str) -> int | slice:
        return self._places[name]

    def __contains__(self, name: str) -> bool:
        return name in self._places


def _place(variadic: Sequence[bool], index: int) -> int | slice:
    """A position; after the only variadic entry it counts from the end."""
    if any(variadic[:index]):
        return index - len(variadic)
    if variadic[index]:
        return slice(index, index + 1 - len(variadic) or None)
    return index


def _qualifier(name: str, texts: Mapping[str, str]) -> _Part:
    def text(op: Any, names: ValueTexts, values: Any) -> str:
        value = op.properties.get(name)
        return "" if value is None else texts[value.data]

    return text


def _immediate(name: str) -> _Part:
    return lambda op, names, values: str(op.properties[name].value.data)


def _address(name: str, place: int | slice, registers: bool) -> _Part:
    key = f"{name}_offset"

    def text(op: Any, names: ValueTexts, values: Any) -> str:
        offset = op.properties.get(key)
        return f"[{names.address(values[place], 0 if offset is None else offset.value.data)}]"

    def register(op: Any, names: ValueTexts, values: Any) -> str:
        offset = op.properties.get(key)
        base = names.register(values[place])
        return f"[{base}]" if offset is None else f"[{base}+{offset.value.data}]"

    return register if registers else text


def _matrix(name: str, place: int | slice) -> _Part:
    address = _address(name, place, registers=True)

    def text(op: Any, names: ValueTexts, values: Any) -> str:
        value = values[place]
        return address(op, names, values) if value.type == i32 else names[value]

    return text


def _vector(place: int | slice, form: str, registers: bool) -> _Part:
    def text(op: Any, names: ValueTexts, values: Any) -> str:
        elements = values[place]
        if form == "<" and len(elements) == 1:
            return names.register(elements[0]) if registers else names[elements[0]]
        name = names.register if registers else names.element
        return f"{{{', '.join([name(element) for element in elements])}}}"

    return text


def _register(
    place: int | slice, type_: str | None, spellings: frozenset[str], registers: bool
) -> _Part:
    if registers and isinstance(place, slice):
        return lambda op, names, values: ", ".join([names.register(v) for v in values[place]])
    if registers:
        return lambda op, names, values: names.register(values[place])
    if isinstance(place, slice):
        return lambda op, names, values: ", ".join([names[v] for v in values[place]])
    if type_ is None or spellings.isdisjoint(NO_IMMEDIATE):
        return lambda op, names, values: names[values[place]]

    def text(op: Any, names: ValueTexts, values: Any) -> str:
        if op.properties[type_].data in NO_IMMEDIATE:
            return names.register(values[place])
        return names[values[place]]

    return text


class FormatterMaker:
    """Makes the formatter of one instruction."""

    def __init__(
        self,
        places: ValuePlaces,
        qualifiers: Mapping[str, frozenset[str]],
        typed: Mapping[str, str],
        spellings: Spellings,
    ):
        self.places = places
        self.qualifiers = qualifiers
        """Qualifier -> its spellings in IR."""
        self.typed = typed
        self.spellings = spellings

    def make(self, elements: Sequence[SyntaxElement]) -> Formatter:
        """The formatter of an instruction whose syntax line has these elements."""
        template, parts = self._template(elements)
        get = self.places.values

        def text(op: Operation, names: ValueTexts) -> str:
            values = get(op)
            return template % tuple([part(op, names, values) for part in parts])

        return text

    def _template(self, elements: Sequence[SyntaxElement]) -> tuple[str, tuple[_Part, ...]]:
        """A format string, and the functions that make the text of each `%s` in it."""
        template = ""
        made: list[_Part] = []
        for element in elements:
            if isinstance(element, LiteralText):
                template += element.text.replace("%", "%%")
            else:
                template += "%s"
                made.append(self._part(element))
        return template, tuple(made)

    def _part(self, element: SyntaxElement) -> _Part:
        match element:
            case QualifierElement(name, prefix):
                spelled = self.qualifiers[name]
                texts = self.spellings.get(name) or {value: prefix + value for value in spelled}
                return _qualifier(name, texts)
            case Immediate(name):
                return _immediate(name)
            case Count(name):
                place = self.places[name]
                return lambda op, names, values: str(len(values[place]))
            case Values(name, "[", registers):
                return _address(name, self.places[name], registers)
            case Values(_, "~"):
                return lambda op, names, values: ""
            case Values(name, "&"):
                return _matrix(name, self.places[name])
            case Values(name, "{" | "<" as form, registers) if name in self.places.variadic:
                return _vector(self.places[name], form, registers)
            case Values(name, _, registers):
                type_ = self.typed.get(name)
                spellings = self.qualifiers.get(type_ or "", frozenset())
                return _register(self.places[name], type_, spellings, registers)
            case OptionalPart(name):
                return self._group(element)
            case LiteralText(text):
                return lambda op, names, values: text

    def _group(self, group: OptionalPart) -> _Part:
        template, parts = self._template(group.elements)
        name = group.name

        def inner(op: Any, names: ValueTexts, values: Any) -> str:
            return template % tuple([part(op, names, values) for part in parts])

        if name not in self.places:
            return lambda op, names, values: (
                inner(op, names, values) if name in op.properties else ""
            )
        place = self.places[name]
        if group.several:
            return lambda op, names, values: (
                inner(op, names, values) if len(values[place]) > 1 else ""
            )
        return lambda op, names, values: inner(op, names, values) if values[place] else ""
