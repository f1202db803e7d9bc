"""The answers of tcgen05 calc: a function for each sub-command, which returns what it prints."""

from __future__ import annotations

import argparse
import dataclasses
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from ...calculator import descriptors, roofline
from ...calculator.access import Located, Matrix, held_in_register
from ...calculator.answer import GRID_FORMATS, PICTURES
from ...calculator.descriptors import Derivation, derivation, kind_of
from ...calculator.grid import Grid, UsageError
from ...calculator.locate import (
    calculation,
    elements_in_byte,
    elements_in_cell,
    elements_table,
    fragments,
    locate,
    places_table,
)
from ...calculator.multiplication import multiplication
from ...calculator.operands import operand_matrix
from ...calculator.plan import PlannedMatrix, answer, picture, plan
from ...isa.element import element
from ...isa.mma.instruction_descriptor import InstructionDescriptor
from ...isa.mma.shapes import KINDS, instruction_k, stored_elements
from ...isa.mma.sparse import ZeroColumnMask
from ...isa.model.rule import raise_any
from ...isa.shared_memory.descriptor import SharedMemoryDescriptor
from ...isa.shared_memory.layout import SharedMemoryLayout
from ..command import ArgumentParser
from .arguments import (
    Asked,
    asked_access,
    asked_matrix,
    asked_placement,
    integer,
    matrix_name,
    mma_of,
)

if TYPE_CHECKING:
    from ...reporting.diagnostics import Source

_ValueT = TypeVar("_ValueT")
_ELEMENT = re.compile(r"(\w+)[\s[(]+(-?\w+)[\s\][,]+(-?\w+)[\s\])]*")


def list_answer(options: argparse.Namespace) -> str:
    """The instructions of a target."""
    from ...calculator.multiplication import catalogue

    return catalogue(options.target).render(options.format)


def detail_answer(options: argparse.Namespace) -> str:
    """One MMA in detail."""
    from ...calculator.detail import detail

    return detail(mma_of(options)).render(options.format)


def _fields(options: argparse.Namespace, owner: type) -> dict[str, Any]:
    return {field.name: getattr(options, field.name) for field in dataclasses.fields(owner)}


def idesc_encode_answer(options: argparse.Namespace) -> str:
    """An instruction descriptor from its fields."""
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
    return descriptors.instruction_descriptor(options.kind, word).render(options.format)


def idesc_decode_answer(options: argparse.Namespace) -> str:
    """The fields of an instruction descriptor."""
    if options.kind is None:
        answer = descriptors.instruction_descriptor_of_any_kind(options.value)
    else:
        answer = descriptors.instruction_descriptor(options.kind, options.value)
    return answer.render(options.format)


def sdesc_encode_answer(options: argparse.Namespace) -> str:
    """A shared memory descriptor from its fields."""
    descriptor = SharedMemoryDescriptor(**_fields(options, SharedMemoryDescriptor))
    word = descriptor.encode()
    descriptor.verify()
    return descriptors.shared_memory_descriptor(word).render(options.format)


def sdesc_decode_answer(options: argparse.Namespace) -> str:
    """The fields of a shared memory descriptor."""
    return descriptors.shared_memory_descriptor(options.value).render(options.format)


def sdesc_derive_answer(options: argparse.Namespace) -> str:
    """The descriptors of a tile."""
    of = kind_of(options.element, options.kind)
    sparse = options.sparse is not None
    mn, k = options.tile
    tile = SharedMemoryLayout(
        mn,
        k,
        element(options.element).bits,
        options.major,
        options.swizzle,
        options.atom_order,
        KINDS[of].pads,
    )
    mma_k = stored_elements(instruction_k(of, sparse), options.sparse == "a")
    mma_mn = mn if options.mma_mn is None else options.mma_mn
    derived = Derivation(tile, options.element, options.address, mma_mn, mma_k)
    return derivation(derived).render(options.format)


def mask_encode_answer(options: argparse.Namespace) -> str:
    """A zero-column mask from its fields."""
    mask = ZeroColumnMask(
        _each("start counts", options.start_count, ZeroColumnMask().start_count),
        _each(
            "first spans", [each == "1" for each in options.first_span], ZeroColumnMask().first_span
        ),
        not options.all_used,
        options.skip_span,
        options.use_span,
        options.column_shift,
    )
    return _mask(mask.encode(), options)


def mask_decode_answer(options: argparse.Namespace) -> str:
    """The fields and the columns of a zero-column mask."""
    return _mask(options.value, options)


def _each(what: str, given: Sequence[_ValueT], default: Sequence[_ValueT]) -> tuple[_ValueT, ...]:
    """The values given for the first sub-masks, and the default for the others."""
    if len(given) > len(default):
        raise UsageError(f"number of {what}", len(given), f"up to {len(default)}")
    return (*given, *default[len(given) :])


def _mask(word: int, options: argparse.Namespace) -> str:
    if (options.m is None) != (options.n is None):
        raise UsageError("extents of the MMA", "only one of --m and --n", "both or none")
    return descriptors.zero_column_mask(word, options.m, options.n).render(options.format)


def _matrix(options: argparse.Namespace, name: str) -> Matrix:
    """The matrix in the question. With --output-calculation the memory option applies only to A."""
    if options.output_calculation:
        return operand_matrix(mma_of(options), name, replace(asked_placement(options), memory=None))
    return asked_matrix(options, name)


def locate_answer(options: argparse.Namespace) -> str:
    """The places of an element."""
    text = " ".join(options.element)
    match = _ELEMENT.fullmatch(text)
    if match is None:
        raise UsageError("element", text, "a matrix and two indices, such as D 3 17")
    try:
        name, row, column = matrix_name(match[1]), integer(match[2]), integer(match[3])
    except argparse.ArgumentTypeError as error:
        parser: ArgumentParser = options.parser
        parser.error(str(error))
    return _located(options, locate(_matrix(options, name), row, column, asked_access(options)))


def element_answer(options: argparse.Namespace) -> str:
    """The elements at a place."""
    asked, cover, cta = _matrix(options, options.matrix), asked_access(options), options.cta
    given = [
        name
        for name in ("lane", "column", "byte", "warp", "thread", "register")
        if getattr(options, name) is not None
    ]
    if cover is not None and "byte" not in given:
        found = held_in_register(
            asked,
            cover,
            cta or 0,
            options.warp or 0,
            options.thread or 0,
            options.register or 0,
            options.lane,
            options.column,
        )
    elif given == ["byte"]:
        found = elements_in_byte(asked, cta or 0, options.byte, not options.unswizzled)
    elif given == ["lane", "column"]:
        found = elements_in_cell(asked, cta or 0, options.lane, options.column)
    else:
        legal = "lane and column; byte; or, with --through, warp, thread and register"
        raise UsageError("place", ", ".join(given) or "none", legal)
    return _located(options, found)


def _located(options: argparse.Namespace, found: Iterable[Located]) -> str:
    if options.output_calculation:
        return _calculations(options, found)
    located = list(found)
    if options.format != "text":
        return GRID_FORMATS[options.format](
            Grid.of_records("", [each.fields() for each in located])
        )
    return "".join(f"{each}\n" for each in located) or "no element\n"


def _calculations(options: argparse.Namespace, found: Iterable[Located]) -> str:
    asked, mma = asked_placement(options), mma_of(options)
    # The address and the accesses apply to D; the other options describe the layout of A and B.
    a = replace(asked, address=0)
    placements = {"D": replace(asked, memory=None), "A": a, "B": replace(a, memory=None)}
    texts: list[str] = []
    for each in dict.fromkeys(each.element for each in found):
        if each.matrix != "D":
            raise UsageError("matrix with --output-calculation", each.matrix, "D")
        made = calculation(mma, each.row, each.column, placements, asked_access(options))
        texts.append(
            GRID_FORMATS["table" if options.format == "text" else options.format](made.grid())
        )
    return "\n".join(texts) or "no element\n"


def layout_answer(options: argparse.Namespace) -> str:
    """The places of all elements of a matrix."""
    grid = places_table(asked_matrix(options, options.matrix), asked_access(options))
    return _rendered(options, grid)


def placement_answer(options: argparse.Namespace) -> str:
    """The elements at all places of a memory."""
    matrix = asked_matrix(options, options.matrix)
    grid = elements_table(matrix, options.cta, asked_access(options), not options.unswizzled)
    return _rendered(options, grid)


def _rendered(options: argparse.Namespace, grid: Grid) -> str:
    if options.overview:
        grid = grid.overview
    if options.rows or options.columns:
        rows = options.rows or range(len(grid.rows))
        grid = grid.part(rows, options.columns or range(len(grid.columns)))
    return GRID_FORMATS[options.format](grid.transposed if options.transpose else grid)


def fragment_answer(options: argparse.Namespace) -> str:
    """The accesses that cover a matrix."""
    matrix = asked_matrix(options, options.matrix)
    return GRID_FORMATS[options.format](fragments(matrix, options.pack, options.columns))


def plan_answer(options: argparse.Namespace) -> str:
    """The tiles of a matrix product."""
    planned = roofline.answer(options.m, options.n, options.k, options.type, options.batch)
    return planned.render(options.format)


def tmem_answer(options: argparse.Namespace) -> str:
    """A plan of tensor memory."""
    asked: list[Asked] = options.asked
    # The layout of scale factors of B depends on M, which the extents K x N do not give.
    known = next((each.extents[0] for each in asked if each.role != "SFB"), None)
    matrices = [_planned(each, options, known) for each in asked for _ in range(each.number)]
    planned = plan(matrices)
    if options.format in PICTURES:
        return GRID_FORMATS[options.format](picture(planned))
    return answer(planned).render(options.format)


def _planned(asked: Asked, options: argparse.Namespace, known_m: int | None) -> PlannedMatrix:
    first, second = asked.extents
    m = known_m if asked.role == "SFB" else first
    n = second if asked.role == "D" else first if asked.role == "SFB" else None
    k = None if asked.role == "D" else second
    mma = multiplication(
        options.kind,
        m=m,
        n=n,
        k=k,
        a=options.a,
        cta_group=options.cta_group,
        ws=options.ws,
        sparse=options.sparse,
        scale_vectorsize=options.scale_vectorsize,
    )
    return PlannedMatrix(asked.role, mma)


def _read(options: argparse.Namespace) -> Source:
    from ..files import is_ptx, read_source, refuse_overwriting

    source = read_source(options.file)
    is_ptx(source)
    refuse_overwriting(options.file, options.output)
    return source


def launch_answer(options: argparse.Namespace) -> str:
    """What a kernel says about its launch."""
    from ...proposal.facts import FORMATS
    from ..launch_options import read_facts

    return FORMATS[options.format](read_facts(_read(options), options.kernel))


def memory_answer(options: argparse.Namespace) -> str:
    """The memory of a kernel."""
    from ...views.memory import answer, memory_of_kernel, picture

    memory = memory_of_kernel(_read(options), options.kernel)
    if options.format in PICTURES:
        return GRID_FORMATS[options.format](picture(memory))
    return answer(memory).render(options.format)
