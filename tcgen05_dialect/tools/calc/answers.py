"""Sub-commands of tcgen05 calc: the types of their arguments, and for each a function from the
arguments to the answer."""

from __future__ import annotations

import argparse
import dataclasses
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ...calculator import Grid, Placement, UsageError, descriptors, roofline, unknown_name
from ...calculator.access import Located, Matrix, held_in_register, parse_access
from ...calculator.answer import GRID_FORMATS, Answer
from ...calculator.locate import (
    calculation,
    elements_in_byte,
    elements_in_cell,
    elements_table,
    fragments,
    locate,
    places_table,
)
from ...calculator.multiplication import Multiplication, multiplication
from ...calculator.operands import OPERANDS, memory_of, operand_matrix
from ...calculator.tensor_memory_plan import PlannedMatrix, answer, plan
from ...isa.element import element
from ...isa.mma.instruction_descriptor import InstructionDescriptor
from ...isa.mma.shapes import KINDS, instruction_k, stored_elements
from ...isa.mma.sparse import ZeroColumnMask
from ...isa.model.rule import raise_any
from ...isa.shared_memory.descriptor import SharedMemoryDescriptor
from ...isa.shared_memory.layout import ATOM_ORDERS, MAJORS, SharedMemoryLayout
from ...isa.tensor_memory.alloc import COLUMNS
from ...isa.tensor_memory.ld_st import Cover
from ..command import ArgumentParser

if TYPE_CHECKING:
    from ...reporting.diagnostics import Source

_ValueT = TypeVar("_ValueT")
Options = argparse.Namespace
_ELEMENT = re.compile(r"(\w+)[\s[(]+(-?\w+)[\s\][,]+(-?\w+)[\s\])]*")
_SHOWN = 40
"""Maximum number of characters of a wrong argument that a message quotes."""
_MOST = COLUMNS
"""Maximum number of matrices of one option; each matrix takes at least one column."""


def integer(text: str) -> int:
    """A number in decimal, hexadecimal (0x), octal (0o) or binary (0b), with `_` between digits."""
    for base in (0, 10):
        try:
            return int(text, base)
        except ValueError:
            continue
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    raise argparse.ArgumentTypeError(
        f"must be a number in decimal, or with 0x, 0o or 0b, such as 0x820_0490; found {shown}"
    )


class OneOf:
    """The type of an argument that is one of `names`; its error lists similar names."""

    def __init__(self, what: str, names: Collection[str]):
        self.what = what
        self.names = names

    def __call__(self, text: str) -> str:
        if text not in self.names:
            shown = text[:_SHOWN]
            raise argparse.ArgumentTypeError(str(unknown_name(self.what, shown, self.names)))
        return text


def extents(text: str) -> tuple[int, int]:
    """Two extents, such as 128x64."""
    first, _, second = text.partition("x")
    try:
        found = integer(first), integer(second)
    except argparse.ArgumentTypeError:
        found = (0, 0)
    if min(found) < 1:
        raise argparse.ArgumentTypeError(
            f"must be two extents, such as 128x64; found {text[:_SHOWN]}"
        )
    return found


def span(text: str) -> range:
    """A range of numbers, such as 0-31, or one number."""
    first, _, last = text.partition("-")
    found = range(integer(first), integer(last or first) + 1)
    if not found:
        raise argparse.ArgumentTypeError(f"must be FIRST-LAST, such as 0-31; found {text}")
    return found


class Asked(NamedTuple):
    """Matrices of one role and the same extents."""

    role: str
    extents: tuple[int, int]
    number: int


def matrix_role(role: str, text: str) -> Asked:
    """Read matrices of a role, such as 128x64:2."""
    shape, colon, count = text.partition(":")
    number = integer(count) if colon else 1
    if number not in range(1, _MOST + 1):
        raise argparse.ArgumentTypeError(
            f"the number of matrices must be 1 to {_MOST}; found {count[:9]}"
        )
    return Asked(role, extents(shape), number)


kind = OneOf("kind", tuple(KINDS))
_NAMES = {name.lower(): name for name in OPERANDS}


def matrix_name(text: str) -> str:
    """The type of an argument that names a matrix, in upper or lower case."""
    return OneOf("matrix", tuple(OPERANDS))(_NAMES.get(text.lower(), text))


_PARAMETERS = "m", "n", "k", "a", "b", "d", "cta_group", "ws", "sparse", "scale_vectorsize"


def mma_of(options: Options, **known: Any) -> Multiplication:
    """The MMA that the arguments describe, but for what is known. Raises Violation."""
    given = vars(options)
    return multiplication(
        options.kind, **{name: given[name] for name in _PARAMETERS if name in given} | known
    )


def _placement(options: Options) -> Placement:
    major, order = options.major or MAJORS[0], options.atom_order or ATOM_ORDERS[0]
    return Placement(options.memory, major, options.swizzle, order, options.address)


def _matrix(options: Options, name: str) -> Matrix:
    """The matrix of the MMA, placed by the options. Raises Violation and QuestionError."""
    placement = _placement(options)
    if memory_of(name, placement) != "shared":
        for option in ("major", "swizzle", "atom_order"):
            if (given := getattr(options, option)) is not None:
                what = f"--{option.replace('_', '-')} of {name} in tensor memory"
                raise UsageError(what, given, "none")
    return operand_matrix(mma_of(options), name, placement)


def _access(options: Options) -> Cover | None:
    """The accesses that the options give. Raises Violation and QuestionError."""
    if options.through is None:
        return None
    return parse_access(options.through, options.split_offset)


def _fields(options: Options, owner: type) -> dict[str, Any]:
    return {field.name: getattr(options, field.name) for field in dataclasses.fields(owner)}


def _idesc_encode(options: Options) -> Answer:
    types = {name: getattr(options, name) for name in ("a", "b", "d")}
    mma = multiplication(options.kind, **types, sparse=options.sparse)
    given = _fields(options, InstructionDescriptor)
    descriptor = InstructionDescriptor(**given | {name: getattr(mma, name) for name in types})
    word = descriptor.encode()
    if options.ws or options.cta_group is not None or options.a_memory != "shared":
        descriptor.verify(options.ws, options.cta_group or 1, options.a_memory)
    else:
        readings = InstructionDescriptor.explain(options.kind, word)
        raise_any(each.violation for each in readings if each.violation is not None)
    return descriptors.instruction_descriptor(options.kind, word)


def _idesc_decode(options: Options) -> Answer:
    if options.kind is None:
        return descriptors.instruction_descriptor_of_any_kind(options.value)
    return descriptors.instruction_descriptor(options.kind, options.value)


def _sdesc_encode(options: Options) -> Answer:
    descriptor = SharedMemoryDescriptor(**_fields(options, SharedMemoryDescriptor))
    word = descriptor.encode()
    descriptor.verify()
    return descriptors.shared_memory_descriptor(word)


def _sdesc_derive(options: Options) -> Answer:
    of, sparse = descriptors.kind_of(options.element, options.kind), options.sparse is not None
    bits, (mn, k) = element(options.element).bits, options.tile
    tile = SharedMemoryLayout(
        mn, k, bits, options.major, options.swizzle, options.atom_order, KINDS[of].pads
    )
    mma_k = stored_elements(instruction_k(of, sparse), options.sparse == "a")
    mma_mn = mn if options.mma_mn is None else options.mma_mn
    return descriptors.derivation(
        descriptors.Derivation(tile, options.element, options.address, mma_mn, mma_k)
    )


def _mask_encode(options: Options) -> Answer:
    usual, spans = ZeroColumnMask(), [each == "1" for each in options.first_span]
    mask = ZeroColumnMask(
        _each("start counts", options.start_count, usual.start_count),
        _each("first spans", spans, usual.first_span),
        not options.all_used,
        options.skip_span,
        options.use_span,
        options.column_shift,
    )
    return _mask(mask.encode(), options)


def _each(what: str, given: Sequence[_ValueT], default: Sequence[_ValueT]) -> tuple[_ValueT, ...]:
    """The values given for the first sub-masks, and the default for the others."""
    if len(given) > len(default):
        raise UsageError(f"number of {what}", len(given), f"up to {len(default)}")
    return (*given, *default[len(given) :])


def _mask(word: int, options: Options) -> Answer:
    if (options.m is None) != (options.n is None):
        raise UsageError("extents of the MMA", "only one of --m and --n", "both or none")
    return descriptors.zero_column_mask(word, options.m, options.n)


def _asked(options: Options, name: str) -> Matrix:
    """The matrix in the question. With --output-calculation the memory option applies only to A."""
    if options.output_calculation:
        return operand_matrix(mma_of(options), name, replace(_placement(options), memory=None))
    return _matrix(options, name)


def _locate(options: Options) -> Grid | str:
    text = " ".join(options.element)
    match = _ELEMENT.fullmatch(text)
    if match is None:
        raise UsageError("element", text, "a matrix and two indices, such as D 3 17")
    try:
        name, row, column = matrix_name(match[1]), integer(match[2]), integer(match[3])
    except argparse.ArgumentTypeError as error:
        parser: ArgumentParser = options.parser
        parser.error(str(error))
    return _located(options, locate(_asked(options, name), row, column, _access(options)))


_COORDINATES = "lane", "column", "byte", "warp", "thread", "register"


def _element(options: Options) -> Grid | str:
    asked, cover, cta = _asked(options, options.matrix), _access(options), options.cta or 0
    place = {name: getattr(options, name) for name in _COORDINATES}
    given = [name for name, value in place.items() if value is not None]
    if cover is not None and "byte" not in given:
        lane, column, _, *inside = place.values()
        warp, thread, register = (each or 0 for each in inside)
        found = held_in_register(asked, cover, cta, warp, thread, register, lane, column)
    elif given == ["byte"]:
        found = elements_in_byte(asked, cta, options.byte, not options.unswizzled)
    elif given == ["lane", "column"]:
        found = elements_in_cell(asked, cta, options.lane, options.column)
    else:
        legal = "lane and column; byte; or, with --through, warp, thread and register"
        raise UsageError("place", ", ".join(given) or "none", legal)
    return _located(options, found)


def _located(options: Options, found: Iterable[Located]) -> Grid | str:
    if options.output_calculation:
        return _calculations(options, found)
    located = list(found)
    if options.format != "text":
        return Grid.of_records("", [each.fields() for each in located])
    return "".join(f"{each}\n" for each in located) or "no element\n"


def _calculations(options: Options, found: Iterable[Located]) -> str:
    asked, mma = _placement(options), mma_of(options)
    render = GRID_FORMATS["table" if options.format == "text" else options.format]
    # The address and the accesses apply to D; the other options describe the layout of A and B.
    a = replace(asked, address=0)
    placements = {"D": replace(asked, memory=None), "A": a, "B": replace(a, memory=None)}
    texts: list[str] = []
    for each in dict.fromkeys(each.element for each in found):
        if each.matrix != "D":
            raise UsageError("matrix with --output-calculation", each.matrix, "D")
        made = calculation(mma, each.row, each.column, placements, _access(options))
        texts.append(render(made.grid()))
    return "\n".join(texts) or "no element\n"


def _placed(options: Options) -> Grid:
    matrix, access = _matrix(options, options.matrix), _access(options)
    return _part(options, elements_table(matrix, options.cta, access, not options.unswizzled))


def _part(options: Options, grid: Grid) -> Grid:
    if options.overview:
        grid = grid.overview
    if options.rows or options.columns:
        rows = options.rows or range(len(grid.rows))
        grid = grid.part(rows, options.columns or range(len(grid.columns)))
    return grid.transposed if options.transpose else grid


def _tmem(options: Options) -> Answer:
    asked: list[Asked] = options.asked
    # The layout of scale factors of B depends on M, which the extents K x N do not give.
    known = next((each.extents[0] for each in asked if each.role != "SFB"), None)
    matrices: list[PlannedMatrix] = []
    for role, (first, second), number in asked:
        extents = {"m": known if role == "SFB" else first}
        if role == "SFB":
            extents["n"] = first
        extents["n" if role == "D" else "k"] = second
        matrices += [PlannedMatrix(role, mma_of(options, **extents))] * number
    return answer(plan(matrices))


def _read(options: Options) -> Source:
    from ..files import is_ptx, read_source, refuse_overwriting

    source = read_source(options.file)
    is_ptx(source)
    refuse_overwriting(options.file, options.output)
    return source


def _launch(options: Options) -> str:
    from ...proposal.launch_facts import FORMATS
    from ..launch_options import read_facts

    return FORMATS[options.format](read_facts(_read(options), options.kernel))


def _memory(options: Options) -> Answer:
    from ...views.memory import answer, memory_of_kernel

    return answer(memory_of_kernel(_read(options), options.kernel))


def _list(options: Options) -> Answer:
    from ...calculator.multiplication import catalogue

    return catalogue(options.target)


def _detail(options: Options) -> Answer:
    from ...calculator.detail import detail

    return detail(mma_of(options))


ANSWERS: Mapping[str, Callable[[Options], Answer | Grid | str]] = {
    "list": _list,
    "detail": _detail,
    "locate": _locate,
    "element": _element,
    "layout": lambda options: _part(
        options, places_table(_matrix(options, options.matrix), _access(options))
    ),
    "placement": _placed,
    "fragment": lambda options: fragments(
        _matrix(options, options.matrix), options.pack, options.columns
    ),
    "idesc encode": _idesc_encode,
    "idesc decode": _idesc_decode,
    "sdesc encode": _sdesc_encode,
    "sdesc decode": lambda options: descriptors.shared_memory_descriptor(options.value),
    "sdesc derive": _sdesc_derive,
    "mask encode": _mask_encode,
    "mask decode": lambda options: _mask(options.value, options),
    "plan": lambda options: roofline.answer(
        options.m, options.n, options.k, options.type, options.batch
    ),
    "tmem": _tmem,
    "launch": _launch,
    "memory": _memory,
}
"""Sub-command -> its function."""
