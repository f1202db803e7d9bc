"""The section of docs/dialect.md on the dialect `ptx`."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from xdsl.irdl import IRDLOperation

from tcgen05_dialect.isa.instructions.table import family_of
from tcgen05_dialect.isa.shared_memory.tensor_map import ELEMENTS
from tcgen05_dialect.operations.syntax import docstring, ptx_syntax, qualifier_words, syntax
from tcgen05_dialect.ptx import tcgen05, tcgen05_mma
from tcgen05_dialect.ptx.dialect import PTX
from tcgen05_dialect.ptx.instruction import Instruction
from tcgen05_dialect.ptx.types import ParamArrayType, TensorMapType

from .markdown import code, table

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


def _rows(family: Iterator[type[IRDLOperation]]) -> Iterator[Sequence[str]]:
    for op_type in family:
        is_instruction = issubclass(op_type, Instruction)
        ptx = f"`{ptx_syntax(op_type)}`" if is_instruction else ""
        words = qualifier_words(op_type) if is_instruction else ""
        yield f"`{syntax(op_type)}`", ptx, docstring(op_type).prose.replace("\n\n", " "), words


def _family(op_type: type[IRDLOperation]) -> str:
    """The family of an instruction, or the module of another operation."""
    return family_of(op_type.name.removeprefix("ptx.")) or op_type.__module__


def text() -> Iterator[str]:
    """The lines."""
    yield _HEAD
    yield "### Types of parameters\n"
    for type_, line in _TYPES.items():
        yield f"    {line}\n"
        yield f"{docstring(type_).prose}\n"
    yield f"The element types of a box are {code(ELEMENTS)}.\n"
    operations = [op for op in PTX.operations if issubclass(op, IRDLOperation)]
    for title, family in groupby(operations, _family):
        if title not in _RAW:
            yield f"### `{title.rpartition('.')[2]}`\n"
            yield from table(("in IR", "in PTX", "meaning", "qualifiers"), list(_rows(family)))
