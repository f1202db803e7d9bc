"""`tcgen05 calc layout`, `placement` and `fragment`: tables and pictures of whole matrices."""

from __future__ import annotations

import argparse

from ...calculator import locate
from ...calculator.answer import GRID_FORMATS, PICTURES
from ...calculator.grid import Grid
from ...calculator.locate import fragments
from ..command import ArgumentParser
from .arguments import (
    Commands,
    add_access,
    add_format,
    add_kind,
    add_placement,
    asked_access,
    asked_matrix,
    integer,
    matrix_name,
)


def _add_tables(commands: Commands) -> None:
    layout = commands.add(
        "layout",
        _layout,
        "print the place of each element of a matrix",
        (
            "D --n 16 --format markdown",
            "D --through 16x256b.x1 --format svg -o d.svg",
            "A --a bf16 --format html -o a.html",
        ),
        "Prints a matrix with the place of each element: l is the lane and c the column of tensor "
        "memory, w the warp, t the thread and r the register, b the lowest bit, and hexadecimal "
        "numbers are bytes of shared memory.",
    )
    _add_others(layout)
    placement = commands.add(
        "placement",
        _placement,
        "print the element at each place of a memory",
        (
            "A --a bf16 --format svg -o a.svg",
            "D --ws --m 64 --overview",
            "SFA --kind mxf4nvf4 --transpose",
            "D --through 32x32b.x8 --format json",
        ),
        "Prints tensor memory, shared memory or, with --through, the registers of all threads, "
        "with the elements of a matrix that they hold.",
    )
    _add_others(placement)
    placement.add_argument(
        "--cta", metavar="X", type=integer, default=0, help="CTA of the pair (default: 0)"
    )
    placement.add_argument(
        "--unswizzled", action="store_true", help="show shared memory as if there were no swizzling"
    )


def _add_others(parser: ArgumentParser) -> None:
    parser.add_argument(
        "matrix", metavar="MATRIX", type=matrix_name, help="A, B, D, SFA, SFB or metadata"
    )
    parser.add_argument("--transpose", action="store_true", help="swap rows and columns")
    parser.add_argument(
        "--overview",
        action="store_true",
        help="merge cells of one colour, such as those in the lanes of a warp, into one entry",
    )
    for name in ("rows", "columns"):
        parser.add_argument(
            f"--{name}",
            metavar="FIRST-LAST",
            type=_span,
            help=f"only these {name} of the table, counted from 0",
        )
    add_access(parser)
    add_kind(parser)
    add_placement(parser)
    add_format(parser, GRID_FORMATS)


def _layout(options: argparse.Namespace) -> str:
    grid = locate.places_table(asked_matrix(options, options.matrix), asked_access(options))
    return _rendered(options, grid)


def _placement(options: argparse.Namespace) -> str:
    matrix = asked_matrix(options, options.matrix)
    grid = locate.elements_table(matrix, options.cta, asked_access(options), not options.unswizzled)
    return _rendered(options, grid)


def _rendered(options: argparse.Namespace, grid: Grid) -> str:
    if options.overview:
        grid = grid.overview
    if options.rows or options.columns:
        rows = options.rows or range(len(grid.rows))
        grid = grid.part(rows, options.columns or range(len(grid.columns)))
    return GRID_FORMATS[options.format](grid.transposed if options.transpose else grid)


def _span(text: str) -> range:
    first, _, last = text.partition("-")
    found = range(integer(first), integer(last or first) + 1)
    if not found:
        raise argparse.ArgumentTypeError(f"must be FIRST-LAST, such as 0-31; found {text}")
    return found


def _add_fragment(commands: Commands) -> None:
    parser = commands.add(
        "fragment",
        _fragment,
        "compare the ld and st accesses that cover a matrix in tensor memory",
        ("D --m 128 --n 256", "D --d f16 --n 64 --pack", "A --memory tensor --a bf16 --k 64"),
        "Compares the shapes and repeat factors of tcgen05.ld and tcgen05.st that cover a matrix: "
        "the accesses of each warp, and the 32-bit registers of each thread.",
    )
    parser.add_argument(
        "matrix",
        metavar="MATRIX",
        type=matrix_name,
        nargs="?",
        default="D",
        help="D, A, SFA, SFB or metadata (default: D)",
    )
    parser.add_argument(
        "--pack", action="store_true", help="with .pack::16b or .unpack::16b, for 16-bit elements"
    )
    parser.add_argument(
        "--columns", metavar="N", type=integer, help="number of columns (default: all)"
    )
    add_kind(parser)
    add_placement(parser)
    add_format(parser, [name for name in GRID_FORMATS if name not in PICTURES])


def _fragment(options: argparse.Namespace) -> str:
    matrix = asked_matrix(options, options.matrix)
    return GRID_FORMATS[options.format](fragments(matrix, options.pack, options.columns))


def add(commands: Commands) -> None:
    """Add the sub-commands."""
    _add_tables(commands)
    _add_fragment(commands)
