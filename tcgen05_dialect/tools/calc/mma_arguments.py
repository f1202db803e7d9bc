"""The arguments that say which MMA a question is about."""

from __future__ import annotations

import argparse

from ...calculator.multiplication import Multiplication, multiplication
from ...isa.element import ELEMENTS
from ...isa.mma import KINDS, VECTOR_SIZES
from ..command import ArgumentParser
from .arguments import integer, one_of


def add_mma(parser: ArgumentParser) -> None:
    """Add all but the kind."""
    group = parser.add_argument_group("the MMA")
    for name, what in (
        ("m", "M (default: the largest)"),
        ("n", "N (default: the largest)"),
        ("k", "K of the tiles, a multiple of K of the instruction (default: the smallest)"),
    ):
        group.add_argument(f"--{name}", metavar="X", type=integer, help=what)
    for name, what in (
        ("a", "element type of A (default: the first of the kind)"),
        ("b", "element type of B (default: that of A)"),
        ("d", "element type of D (default: the widest)"),
    ):
        group.add_argument(
            f"--{name}", metavar="T", type=one_of("element type", tuple(ELEMENTS)), help=what
        )
    group.add_argument(
        "--cta-group", metavar="X", type=integer, default=1, help="CTAs, 1 or 2 (default: 1)"
    )
    group.add_argument("--ws", action="store_true", help="with .ws")
    group.add_argument("--sparse", action="store_true", help="with a sparse A")
    sizes = tuple(name for name in VECTOR_SIZES if name is not None)
    group.add_argument(
        "--scale-vectorsize",
        metavar="S",
        type=one_of("scale_vectorsize", sizes),
        help=f"with scale factors: {', '.join(sizes)} (default: none, or the first that the kind "
        "has)",
    )


def kind(text: str) -> str:
    """The type of an argument that is a kind."""
    return one_of("kind", tuple(KINDS))(text)


def mma_of(options: argparse.Namespace) -> Multiplication:
    """The MMA that the arguments say. Raises Violation."""
    return multiplication(
        options.kind,
        m=options.m,
        n=options.n,
        k=options.k,
        a=options.a,
        b=options.b,
        d=options.d,
        cta_group=options.cta_group,
        ws=options.ws,
        sparse=options.sparse,
        scale_vectorsize=options.scale_vectorsize,
    )
