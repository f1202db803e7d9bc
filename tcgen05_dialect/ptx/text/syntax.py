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
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias, cast

from xdsl.dialects.builtin import I32, DenseArrayBase, IntegerAttr, StringAttr
from xdsl.ir import Operation, SSAValue


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
