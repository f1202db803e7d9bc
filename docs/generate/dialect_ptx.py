"""The section of docs/dialect.md on the dialect `ptx`."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from xdsl.irdl import IRDLOperation

from tcgen05_dialect.isa.instructions.table import family_of
from tcgen05_dialect.isa.shared_memory.tensor_map import ELEMENTS
from tcgen05_dialect.ptx import tcgen05, tcgen05_mma
from tcgen05_dialect.ptx.dialect import PTX
from tcgen05_dialect.ptx.instruction import Instruction, syntax_of
from tcgen05_dialect.ptx.text.compiled_syntax import CompiledSyntax
from tcgen05_dialect.ptx.text.syntax import Immediate, OptionalPart, SyntaxElement, Values
from tcgen05_dialect.ptx.types import ParamArrayType, TensorMapType

from .markdown import code, table
from .operations import assembly, docstring, grammar

_HEAD = """\
## The dialect `ptx`

There is one operation for each instruction. Each qualifier that has more than one spelling follows
the name, without its dot. A qualifier that is not an identifier is in quotes: `"shared::cta"`. The
operands follow in PTX order. An address may have an offset in bytes: `[%p + 16]`.

Write the types of the results after an arrow if the qualifiers do not determine them, or if the
number of results can vary: `%v:4 = ptx.ld global b32 [%p] -> 4 x f32`.

Registers have the builtin types: `i1` is a predicate, `i16`, `f16` and `bf16` are `.b16`, `i32` and
`f32` are `.b32`, `i64` and `f64` are `.b64`. An address in shared memory is an `i32`, any other an
`i64`. The raw tcgen05 instructions are in [isa.md](isa.md#instructions).
"""
_TYPES = {
    TensorMapType: "!ptx.tensor_map(<EXTENT(xEXTENT)*xELEMENT(, SWIZZLE)?>)?",
    ParamArrayType: "!ptx.param_array<SIZE, ALIGNMENT>",
}
_RAW = (tcgen05.__name__, tcgen05_mma.__name__)


def _operand(element: SyntaxElement) -> str:
    match element:
        case Values(name, "["):
            return f"[%{name}]"
        case Values(name, "{" | "<"):
            return f"{{%{name}}}"
        case Values(name):
            return f"%{name}"
        case Immediate(name):
            return f"<{name}>"
        case _:
            return ""


def _operands(elements: Sequence[SyntaxElement], syntax: CompiledSyntax) -> str:
    """The operands in the syntax of IR."""
    text, separator = "", " "
    for element in elements:
        if isinstance(element, OptionalPart):
            name = element.name
            value = f"%{name}" if name in syntax.values else f"<{name}>"
            text += f" ({name}({value}))?"
        elif operand := _operand(element):
            text, separator = text + separator + operand, ", "
    return text


def _instruction(op_type: type[Instruction]) -> tuple[str, str]:
    """The syntax of an instruction in IR and in PTX."""
    syntax = syntax_of(op_type)
    results = ", ".join(f"%{result.name}" for result in syntax.results)
    line = f"{results} = {op_type.name}" if results else op_type.name
    for qualifier in syntax.qualifiers:
        line += f" (<{qualifier.name}>)?" if qualifier.optional else f" <{qualifier.name}>"
    ptx = " ".join(grammar(syntax.line, syntax).split())
    return line + _operands(syntax.operands, syntax), f"`{ptx};`"


def _words(op_type: type[Instruction]) -> str:
    """The values of the qualifiers."""
    return "; ".join(
        f"{each.name}: {', '.join(sorted(each.spellings))}"
        for each in syntax_of(op_type).qualifiers
    )


def _other(op_type: type[IRDLOperation]) -> tuple[str, str]:
    """The syntax of an operation that is not an instruction."""
    results = "".join(f"%{name} = " for name, _ in op_type.get_irdl_definition().results)
    return results + (docstring(op_type).syntax or assembly(op_type)), ""


def _rows(family: Iterator[type[IRDLOperation]]) -> Iterator[Sequence[str]]:
    for op_type in family:
        is_instruction = issubclass(op_type, Instruction)
        line, ptx = _instruction(op_type) if is_instruction else _other(op_type)
        words = _words(op_type) if is_instruction else ""
        yield f"`{line}`", ptx, docstring(op_type).prose.replace("\n\n", " "), words


def _family(op_type: type[IRDLOperation]) -> str:
    """The family of an instruction, or the module of another operation."""
    return family_of(op_type.name.removeprefix("ptx.")) or op_type.__module__


def text() -> Iterator[str]:
    """The lines."""
    yield _HEAD
    yield "### Types of parameters\n"
    for type_, syntax in _TYPES.items():
        yield f"    {syntax}\n"
        yield f"{docstring(type_).prose}\n"
    yield f"The element types of a box are {code(ELEMENTS)}.\n"
    operations = [op for op in PTX.operations if issubclass(op, IRDLOperation)]
    for title, family in groupby(operations, _family):
        if title not in _RAW:
            yield f"### `{title.rpartition('.')[2]}`\n"
            yield from table(("in IR", "in PTX", "meaning", "qualifiers"), list(_rows(family)))
