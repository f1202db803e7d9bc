"""`tcgen05 calc list` and `detail`: the instructions of a target, and one MMA in detail."""

from __future__ import annotations

import argparse

from ...calculator.answer import ANSWER_FORMATS
from ...isa.mma.shapes import KINDS
from ...isa.targets import TARGETS
from .arguments import Commands, OneOf, add_format, add_mma, kind, mma_of


def add(commands: Commands) -> None:
    """Add the sub-commands."""
    list_ = commands.add(
        "list",
        _list,
        "list the instructions and kinds of MMA of a target",
        ("--target sm_100a", "--format markdown"),
    )
    list_.add_argument(
        "--target",
        metavar="T",
        type=OneOf("target", tuple(TARGETS)),
        help="such as sm_100a (default: all targets)",
    )
    add_format(list_, ANSWER_FORMATS)
    detail = commands.add(
        "detail",
        _detail,
        "describe one MMA in detail",
        ("f16 --a bf16 --m 128 --n 256", "mxf4nvf4 --cta-group 2 --sparse --format json"),
        "Describes one MMA: shapes, types, memory and size of the operands, options, targets, and "
        "the layouts as formulas in both directions.",
    )
    detail.add_argument("kind", metavar="KIND", type=kind, help=", ".join(KINDS))
    add_mma(detail)
    add_format(detail, ANSWER_FORMATS)


def _list(options: argparse.Namespace) -> str:
    from ...calculator.multiplication import catalogue

    return catalogue(options.target).render(options.format)


def _detail(options: argparse.Namespace) -> str:
    from ...calculator.detail import detail

    return detail(mma_of(options)).render(options.format)
