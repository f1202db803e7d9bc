"""docs/dialect.md: the reference of the operations, from their definitions."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, StringAttr, UnitAttr
from xdsl.ir import Attribute, Operation, TypeAttribute
from xdsl.irdl import (
    AttrConstraint,
    IRDLOperation,
    OperandDef,
    OptionalDef,
    OptPropertyDef,
    PropertyDef,
    RangeConstraint,
    RangeLengthConstraint,
    RangeOf,
    ResultDef,
    VariadicDef,
)

from tcgen05_dialect import compile_to_ptx
from tcgen05_dialect.isa import targets
from tcgen05_dialect.isa.model.rule import describe
from tcgen05_dialect.isa.model.table import Mnemonic
from tcgen05_dialect.isa.targets import CTA_GROUP
from tcgen05_dialect.isa.tensor_memory import alloc, copies, ld_st
from tcgen05_dialect.operations.syntax import docstring, grammar, items, syntax
from tcgen05_dialect.ptx.dialect import PTX
from tcgen05_dialect.ptx.instruction import Instruction, syntax_of
from tcgen05_dialect.ptx.register_types import OneOf, describe_types
from tcgen05_dialect.ptx.text.syntax import LiteralText
from tcgen05_dialect.tcgen05.dialect import TCGEN05
from tcgen05_dialect.tcgen05.mma_base import MatrixProduct

from . import dialect_ptx, dialect_shapes, dialect_types
from .markdown import anchor, code, table
from .shown import ROOT

FILE = ROOT / "docs" / "dialect.md"
_EXAMPLES = Path(__file__).with_name("programs")
_HEAD = """\
# The dialect

The reference of the typed dialect `tcgen05`, and a summary of `ptx`. Begin with the
[tutorial](tutorial.md). [rules.md](rules.md) lists the rules that messages name,
[isa.md](isa.md) the tables of the manual. `make docs` writes this page.

The syntax lines use this notation:

| notation | meaning |
|---|---|
| `%name` | a value, or all values of that name |
| `<name>` | a word or a number; in types and attributes it is written `NAME` |
| `(...)?` | optional |
| `(...)*` | any number of times |
| `attr-dict` | `{name = value, ...}`: attributes that the syntax does not name |

In `attr-dict` a word is in quotes, a number has a type, and a flag is its name alone. `<cta_group>`
is written `cta_group_2`.

Each example is a complete program. The PTX of the operation follows it.
"""
Definition = OperandDef | PropertyDef | ResultDef
_RAW = {op.name: op for op in PTX.operations}
_RENAMED = {"collector": "collector_op"}
"""Attribute -> its name in the raw instruction, if the two differ."""
_WORDS: dict[type[Attribute], str] = {
    StringAttr: "word",
    UnitAttr: "flag",
    IntegerAttr: "number",
    DenseArrayBase: "numbers",
}
_FORMS = [
    form
    for module in (alloc, copies, ld_st)
    for form in vars(module).values()
    if isinstance(form, Mnemonic)
]
"""The instructions of the manual."""


def operand_type(constraint: AttrConstraint | RangeConstraint) -> str:
    """The types that a constraint allows; empty if it allows all types."""
    match constraint:
        case OneOf(legal=legal):
            return " or ".join(f"`{each}`" for each in describe_types(legal))
        case RangeLengthConstraint(constraint=inner):
            return operand_type(inner)
        case RangeOf(constr=inner):
            return operand_type(inner)
        case RangeConstraint():
            raise TypeError(f"no text for {constraint}")
        case _:
            bases = constraint.get_bases()
    if bases is None:
        return ""
    return " or ".join(sorted(map(_name, bases)))


def _name(attribute: type[Attribute]) -> str:
    """The spelling of an attribute or a type."""
    sign = "!" if issubclass(attribute, TypeAttribute) else "#"
    return _WORDS.get(attribute) or f"`{sign}{attribute.name}`"


def _raw(op_type: type[Operation]) -> type[Instruction] | None:
    """The only `ptx` instruction to which an operation is lowered, or None."""
    raw = _RAW.get(f"ptx.{op_type.name}")
    return raw if raw is not None and issubclass(raw, Instruction) else None


def _legal(raw: type[Instruction] | None, name: str) -> str:
    """The legal values of an attribute or a constant operand, in IR spelling."""
    if raw is None:
        return ""
    line, name = syntax_of(raw), _RENAMED.get(name, name)
    if name in line.limits:
        return describe(line.limits[name].values)
    for qualifier in line.qualifiers:
        if qualifier.name == name:
            words = [word for word in line.spellings[name] if word in qualifier.spellings]
            if name == CTA_GROUP.name:
                return describe([n for n in CTA_GROUP.spellings if f"{name}_{n}" in words])
            return code(words) if words != [name] else ""
    return ""


def _definitions(op_type: type[IRDLOperation]) -> Iterator[tuple[str, str, Definition]]:
    """Role, name and definition of each operand, attribute and result."""
    definition = op_type.get_irdl_definition()
    for role, defined in (
        ("operand", definition.operands),
        ("attribute", definition.properties.items()),
        ("result", definition.results),
    ):
        for name, each in defined:
            if name != "operandSegmentSizes":
                yield role, name, each


def _count(definition: object) -> str:
    """The number of values of an operand or an attribute; empty if it is one."""
    match definition:
        case OptionalDef() | OptPropertyDef():
            return ", optional"
        case VariadicDef():
            return ", any number"
        case _:
            return ""


def _parts(op_type: type[IRDLOperation]) -> Iterator[str]:
    """The table of operands, attributes and results. KeyError if a docstring omits one of them."""
    meaning, raw = items(op_type), _raw(op_type)
    of_raw = {} if raw is None else {name: each for _, name, each in _definitions(raw)}
    rows: list[Sequence[str]] = []
    for role, name, definition in _definitions(op_type):
        default = getattr(definition, "default_value", None)
        usual = f", usually {default.value.data}" if isinstance(default, IntegerAttr) else ""
        what = f"{role}{_count(definition)}{usual}"
        # An operand of any type is checked by code; its register type is that of the raw
        # instruction.
        type_ = operand_type(definition.constr) or operand_type(of_raw[name].constr)
        rows.append((f"`{name}`", what, type_, meaning[name], _legal(raw, name)))
    if rows:
        yield from table(("name", "", "type", "meaning", "legal values"), rows)


def _targets(op_type: type[Operation]) -> Iterator[str]:
    """The targets that support an instruction; nothing if all do."""
    for form in _FORMS:
        name = form.template.partition("{")[0].removesuffix(".sync.aligned")
        if name == op_type.name and form.feature != "base":
            versions = {t: targets.first_version(form.feature, t) for t in targets.TARGETS}
            having = (f"{t} (PTX {version})" for t, version in versions.items() if version)
            yield f"Available on these targets, from that PTX version on: {', '.join(having)}.\n"


def _lowering(op_type: type[Operation]) -> Iterator[str]:
    raw = _raw(op_type)
    if raw is not None:
        line = grammar(syntax_of(raw).line, syntax_of(raw))
        yield f"It becomes [`{raw.name}`](isa.md#{anchor(raw.name)}):\n"
        yield f"    {line};\n"


def _shown(ptx: str, raw: type[Instruction] | None) -> Iterator[str]:
    """The lines of a kernel to which an operation was lowered."""
    body = ptx[ptx.index("\n{") :].splitlines()
    for line in map(str.strip, body):
        if raw is None:
            if line.endswith(";") and not line.startswith((".reg", "ld.param", "ret")):
                yield line
            continue
        first = syntax_of(raw).line[0]
        assert isinstance(first, LiteralText)
        if line.startswith(first.text):
            yield line


def _example(file: Path, raw: type[Instruction] | None = None) -> Iterator[str]:
    """A program and its PTX."""
    program = file.read_text()
    yield f"```mlir\n{program}```\n"
    yield "```ptx"
    yield from _shown(compile_to_ptx(program), raw)
    yield "```\n"


def _operation(op_type: type[IRDLOperation]) -> Iterator[str]:
    yield f"### `{op_type.name}`\n"
    yield f"    {syntax(op_type)}\n"
    yield f"{docstring(op_type).prose}\n"
    yield from _parts(op_type)
    yield from _targets(op_type)
    yield from _lowering(op_type)
    for file in sorted(_EXAMPLES.glob("*.mlir"), key=lambda file: file.stem.split("-")):
        if file.stem.split("-")[0] == op_type.name:
            yield from _example(file, _raw(op_type))


def _operations() -> Iterator[str]:
    yield "## Operations\n"
    for module, family in groupby(TCGEN05.operations, lambda op: op.__module__):
        if module == f"{MatrixProduct.__module__.rpartition('.')[0]}.mma":
            yield "### Matrix products\n"
            yield f"{docstring(MatrixProduct).prose}\n"
        for op_type in family:
            assert issubclass(op_type, IRDLOperation)
            yield from _operation(op_type)
    yield from dialect_shapes.text()


def text() -> str:
    """The text of the page."""
    lines = [
        _HEAD,
        *dialect_types.text(_example(_EXAMPLES / "layout_F.mlir")),
        *_operations(),
        *dialect_ptx.text(),
    ]
    return "\n".join(lines).rstrip() + "\n"
