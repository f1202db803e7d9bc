"""`tcgen05 calc layout` and `placement`: whole matrices as tables and pictures."""

from __future__ import annotations

import argparse

from ...calculator import locate
from ...calculator.answer import GRID_FORMATS
from ...calculator.grid import Grid
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


def add(commands: Commands) -> None:
    """Add the sub-commands."""
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
