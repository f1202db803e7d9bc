"""`tcgen05 calc fragment`: the accesses with tcgen05.ld and tcgen05.st that cover a matrix."""

from __future__ import annotations

import argparse

from ...calculator.answer import GRID_FORMATS, PICTURES
from ...calculator.locate import fragments
from .arguments import (
    Commands,
    add_format,
    add_kind,
    add_placement,
    asked_matrix,
    integer,
    matrix_name,
)


def add(commands: Commands) -> None:
    """Add the sub-command."""
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
