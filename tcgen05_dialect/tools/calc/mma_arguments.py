"""Arguments that describe the MMA in a question."""

from __future__ import annotations

import argparse

from ...calculator.multiplication import Multiplication, multiplication
from ...isa.element import ELEMENTS
from ...isa.mma.kinds import KINDS, VECTOR_SIZES
from ..command import ArgumentParser
from .arguments import OneOf, integer


def add_mma(parser: ArgumentParser) -> None:
    """Add all options that `mma_of` reads, except the kind."""
    for name, what in (
        ("m", "M (default: the largest)"),
        ("n", "N (default: the largest)"),
        ("k", "K of the tiles, a multiple of K of the instruction (default: the smallest)"),
    ):
        parser.add_argument(f"--{name}", metavar="X", type=integer, help=what)
    for name, what in (
        ("b", "element type of B (default: that of A)"),
        ("d", "element type of D (default: the widest)"),
    ):
        parser.add_argument(f"--{name}", metavar="T", type=_element, help=what)
    add_form(parser)


def add_form(parser: ArgumentParser) -> None:
    """Add the options on which the memory needed for the matrices depends."""
    parser.add_argument(
        "--a", metavar="T", type=_element, help="element type of A (default: the first of the kind)"
    )
    parser.add_argument(
        "--cta-group", metavar="X", type=integer, default=1, help="CTAs, 1 or 2 (default: 1)"
    )
    parser.add_argument("--ws", action="store_true", help="with .ws")
    parser.add_argument("--sparse", action="store_true", help="with a sparse A")
    sizes = tuple(name for name in VECTOR_SIZES if name is not None)
    parser.add_argument(
        "--scale-vectorsize",
        metavar="S",
        type=OneOf("scale_vectorsize", sizes),
        help=f"size of the scale vectors: {', '.join(sizes)} (default: the first of the kind, if "
        "it has scale factors)",
    )


def _element(text: str) -> str:
    return OneOf("element type", tuple(ELEMENTS))(text)


def add_kind_option(parser: ArgumentParser) -> None:
    """Add the kind as an option."""
    first, names = next(iter(KINDS)), ", ".join(KINDS)
    parser.add_argument(
        "--kind", metavar="KIND", type=kind, default=first, help=f"{names} (default: {first})"
    )


def kind(text: str) -> str:
    """The type of an argument that names a kind."""
    return OneOf("kind", tuple(KINDS))(text)


def mma_of(options: argparse.Namespace) -> Multiplication:
    """The MMA that the arguments describe. Raises Violation."""
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
