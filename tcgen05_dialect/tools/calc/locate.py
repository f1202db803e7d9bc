"""`tcgen05 calc locate` and `element`: from an element to its places and back."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from dataclasses import replace

from ...calculator.access import Matrix, held_in_register
from ...calculator.answer import GRID_FORMATS, PICTURES
from ...calculator.grid import Grid, UsageError
from ...calculator.locate import calculation, elements_in_byte, elements_in_cell, locate
from ...calculator.operands import operand_matrix
from ...calculator.places import Located
from ..command import ArgumentParser
from .arguments import (
    Commands,
    add_access,
    add_format,
    add_kind,
    add_placement,
    asked_access,
    asked_matrix,
    asked_placement,
    integer,
    matrix_name,
    mma_of,
)

_FORMATS = ("text", *(name for name in GRID_FORMATS if name not in PICTURES))
_ELEMENT = re.compile(r"(\w+)[\s[(]+(-?\w+)[\s\][,]+(-?\w+)[\s\])]*")


def add(commands: Commands) -> None:
    """Add the sub-commands."""
    locate_ = commands.add(
        "locate",
        _locate,
        "locate an element of a matrix",
        (
            "D 3 17 --through 32x32b.x8",
            "A 5 12 --a bf16 --swizzle swizzle_128b",
            "'SFB[0][130]' --kind mxf4 --cta-group 2 --m 128",
            "D 3 17 --output-calculation",
        ),
        "Locates an element of a matrix: the CTA of the pair, and its lane and column of tensor "
        "memory or its byte of shared memory; with --through, its register after tcgen05.ld.",
    )
    locate_.add_argument(
        "element",
        metavar="ELEMENT",
        nargs="+",
        help="matrix and indices, such as D 3 17 or 'D[3][17]': A[m][k], B[k][n], D[m][n], "
        "SFA[m][f], SFB[f][n], metadata[m][chunk]",
    )
    _add_others(locate_)
    element = commands.add(
        "element",
        _element,
        "list the elements of a matrix at a place",
        (
            "D --lane 3 --column 17",
            "A --byte 0x2c8 --a bf16",
            "D --through 16x256b.x1 --warp 1 --thread 5 --register 2 --column 16",
            "metadata --kind f16 --sparse --lane 9 --column 0",
        ),
        "Lists the elements of a matrix in a cell of tensor memory, a byte of shared memory, or "
        "a register after tcgen05.ld.",
    )
    element.add_argument(
        "matrix", metavar="MATRIX", type=matrix_name, help="A, B, D, SFA, SFB or metadata"
    )
    place = element.add_argument_group("the place")
    for name, what in (
        ("cta", "CTA of the pair (default: 0)"),
        ("lane", "lane of tensor memory, or of the address of the access"),
        ("column", "column of tensor memory, or of the address of the access"),
        ("byte", "byte of shared memory"),
        ("warp", "warp of the warpgroup, with --through (default: 0)"),
        ("thread", "thread of the warp, with --through (default: 0)"),
        ("register", "register of the thread, with --through (default: 0)"),
    ):
        place.add_argument(f"--{name}", metavar="X", type=integer, help=what)
    place.add_argument(
        "--unswizzled", action="store_true", help="number the bytes as if there were no swizzling"
    )
    _add_others(element)


def _add_others(parser: ArgumentParser) -> None:
    add_access(parser)
    parser.add_argument(
        "--output-calculation",
        action="store_true",
        help="for an element of D, also list the products whose sum it is, and the places of "
        "their factors; --memory, --major and --swizzle then apply to A and B",
    )
    add_kind(parser)
    add_placement(parser)
    add_format(parser, _FORMATS)


def _matrix(options: argparse.Namespace, name: str) -> Matrix:
    """The matrix in the question. With --output-calculation the memory option applies only to A."""
    if options.output_calculation:
        return operand_matrix(mma_of(options), name, replace(asked_placement(options), memory=None))
    return asked_matrix(options, name)


def _locate(options: argparse.Namespace) -> str:
    text = " ".join(options.element)
    match = _ELEMENT.fullmatch(text)
    if match is None:
        raise UsageError("element", text, "a matrix and two indices, such as D 3 17")
    try:
        name, row, column = matrix_name(match[1]), integer(match[2]), integer(match[3])
    except argparse.ArgumentTypeError as error:
        parser: ArgumentParser = options.parser
        parser.error(str(error))
    return _answer(options, locate(_matrix(options, name), row, column, asked_access(options)))


def _element(options: argparse.Namespace) -> str:
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
    return _answer(options, found)


def _answer(options: argparse.Namespace, found: Iterable[Located]) -> str:
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
    for element in dict.fromkeys(each.element for each in found):
        if element.matrix != "D":
            raise UsageError("matrix with --output-calculation", element.matrix, "D")
        made = calculation(mma, element.row, element.column, placements, asked_access(options))
        texts.append(
            GRID_FORMATS["table" if options.format == "text" else options.format](made.grid())
        )
    return "\n".join(texts) or "no element\n"
