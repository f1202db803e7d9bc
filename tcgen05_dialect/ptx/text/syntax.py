"""
The syntax line of an instruction: one declaration that prints PTX and parses and prints IR.

An instruction declares its PTX text once, in the notation of the manual's syntax lines:

    "mbarrier.try_wait.parity.shared::cta.b64 %done, [%address], %parity"

| notation        | in PTX                                          | in IR                    |
|-----------------|-------------------------------------------------|--------------------------|
| `.$name`        | qualifier held by a property, if present        | ` value`                 |
| `%$name`        | special register that a property names          | ` value`                 |
| `%name`         | register or registers                           | `%value`                 |
| `[%name]`       | address, with the property `name_offset` if any | `[%value + offset]`      |
| `{%name}`       | vector                                          | `{%value, ...}`          |
| `<%name>`       | one register, or a vector of several            | `{%value, ...}`          |
| `&name`         | descriptor, or address in tensor memory if b32  | `%value` or `[%value]`   |
| `~name`         | nothing: a value in the condition code register | `%value`                 |
| `$name`         | immediate held by a property                    | `value`                  |
| `#(name)`       | number of values of the operand `name`          |                          |
| `?name(...)`    | printed if `name` is present                    | `name(%value, ...)`      |
| `*name(...)`    | printed if `name` has more than one value       |                          |
| `%%`            | a percent sign                                  |                          |

With `!` instead of `%`, as in `[!name]`, a constant or the address of a variable is first moved
into a register. In IR the qualifiers come first, then the operands in order; an optional operand
follows after its name.

The formatter of an instruction prints it as PTX. What all its instances share, such as the places
of operands and the texts of qualifiers, is computed once, when the formatter is made.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias, cast

from xdsl.dialects.builtin import I32, DenseArrayBase, IntegerAttr, StringAttr, i32
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import OperandDef, ResultDef, VariadicDef

from ...isa.instructions.arithmetic import NO_IMMEDIATE


class LiteralText(NamedTuple):
    text: str


class QualifierElement(NamedTuple):
    """The value of a property after a prefix: `.` for a qualifier, `%` for a special register."""

    name: str
    prefix: str


class Immediate(NamedTuple):
    name: str


class Count(NamedTuple):
    name: str


class Values(NamedTuple):
    """Operands or results; `form` is the first character in the table: `%`, `[`, `{`, `<`, `&`,
    `~`."""

    name: str
    form: str
    in_registers: bool
    """Whether constants and addresses of variables are first moved into registers."""


class OptionalPart(NamedTuple):
    """A part that is printed if `name` is present or, if `several`, has more than one value."""

    name: str
    elements: tuple["SyntaxElement", ...]
    several: bool


SyntaxElement: TypeAlias = (
    LiteralText | QualifierElement | Immediate | Count | Values | OptionalPart
)

_TOKEN = re.compile(
    r"""\.\$(?P<qualifier>\w+) | %\$(?P<special>\w+) | \$(?P<immediate>\w+) | \#\((?P<count>\w+)\)
      | (?P<percent>%%)
      | \[(?P<address>[%!]\w+)\] | \{(?P<vector>[%!]\w+)\} | <(?P<packed>[%!]\w+)>
      | (?P<register>[%!]\w+) | (?P<matrix>&\w+) | (?P<implicit>~\w+)
      | \?(?P<group>\w+)\( | \*(?P<several>\w+)\( | (?P<close>\))
      | (?P<literal>[^.$%!&~\[{<?*\#)]+|.)""",
    re.VERBOSE | re.DOTALL,
)
_FORMS = {
    "register": "%",
    "address": "[",
    "vector": "{",
    "packed": "<",
    "matrix": "&",
    "implicit": "~",
}


def _parse(tokens: Iterator[re.Match[str]]) -> tuple[SyntaxElement, ...]:
    elements: list[SyntaxElement] = []
    for token in tokens:
        kind, text = token.lastgroup, token.group(token.lastgroup or 0)
        match kind:
            case "qualifier":
                elements.append(QualifierElement(text, "."))
            case "special":
                elements.append(QualifierElement(text, "%"))
            case "immediate":
                elements.append(Immediate(text))
            case "count":
                elements.append(Count(text))
            case "group":
                elements.append(OptionalPart(text, _parse(tokens), several=False))
            case "several":
                elements.append(OptionalPart(text, _parse(tokens), several=True))
            case "close":
                return tuple(elements)
            case "literal" | "percent":
                text = text[0] if kind == "percent" else text
                if elements and isinstance(last := elements[-1], LiteralText):
                    elements[-1] = LiteralText(last.text + text)
                else:
                    elements.append(LiteralText(text))
            case _:
                elements.append(Values(text[1:], _FORMS[str(kind)], text.startswith("!")))
    return tuple(elements)


def parse_syntax(line: str) -> tuple[SyntaxElement, ...]:
    """The elements of a syntax line."""
    return _parse(_TOKEN.finditer(line))


def values_of(op: Operation, name: str) -> Sequence[SSAValue]:
    """The values of the operand or result `name` of `op`; an empty sequence if it is absent."""
    values: SSAValue | Sequence[SSAValue] | None = getattr(op, name)
    if values is None:
        return ()
    return (values,) if isinstance(values, SSAValue) else values


def offset_of(op: Operation, name: str) -> int:
    """The immediate offset of the address operand `name` of `op`; 0 if it has none."""
    offset = op.properties.get(f"{name}_offset")
    return offset.value.data if isinstance(offset, IntegerAttr) else 0


def word_of(op: Operation, name: str) -> str | None:
    """The value of the qualifier `name` of `op`; None if it is absent."""
    value = op.properties.get(name)
    # Many qualifiers are absent, and a test for a class that fails is slow.
    return value.data if value is not None and isinstance(value, StringAttr) else None


def sinks_of(op: Operation) -> Sequence[int]:
    """The indices of the results of `op` whose values are not kept."""
    sinks = op.properties.get(SINKS)
    return () if sinks is None else cast("DenseArrayBase[I32]", sinks).get_values()


def is_present(op: Operation, name: str) -> bool:
    """Whether an optional operand or property of `op` is present."""
    value = getattr(op, name)
    return value is not None and value != ()


Spellings: TypeAlias = Mapping[str, Mapping[str, str]]
"""Qualifier -> IR spelling -> PTX text, for qualifiers whose spellings differ."""

SPELLING = "spelling"
"""The property that names the syntax line with which an operation is printed; absent for its own.
Only an instruction with several syntax lines has it."""

SINKS = "sinks"
"""The property with the indices of the results whose values are not kept, which PTX prints as
`_`."""


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
