"""The arguments that say which MMA, which of its matrices, and where that lies."""

from __future__ import annotations

import argparse

from ...calculator.access import parse_access
from ...calculator.matrices import Matrix
from ...calculator.multiplication import Multiplication, multiplication
from ...calculator.operands import MATRICES, MEMORIES, matrix
from ...calculator.placement import Placement
from ...isa.ld_st_cover import Cover
from ...isa.mma import KINDS, VECTOR_SIZES
from ...isa.shared_memory_descriptor import SWIZZLES
from ...isa.shared_memory_layout import ATOM_ORDERS, MAJORS
from ..command import ArgumentParser
from .arguments import integer, one_of

_NAMES = {name.lower(): name for name in MATRICES}


def add_mma(parser: ArgumentParser) -> None:
    """Add the options that `asked_mma` reads."""
    group = parser.add_argument_group("the MMA")
    group.add_argument(
        "--kind",
        metavar="KIND",
        type=one_of("kind", KINDS),
        default="f16",
        help=f"{', '.join(KINDS)} (default: f16)",
    )
    for name in ("m", "n"):
        help_ = f"{name.upper()} of the instruction (default: the largest)"
        group.add_argument(f"--{name}", metavar="N", type=integer, help=help_)
    help_ = "K of the tiles in shared and tensor memory (default: as small as it can be)"
    group.add_argument("--k", metavar="N", type=integer, help=help_)
    for name in ("a", "b", "d"):
        help_ = f"element type of {name.upper()}, such as bf16"
        group.add_argument(f"--{name}", metavar="TYPE", help=help_)
    help_ = "CTAs, 1 or 2 (default: 1)"
    group.add_argument("--cta-group", metavar="N", type=integer, default=1, help=help_)
    group.add_argument("--ws", action="store_true", help="with .ws")
    group.add_argument("--sparse", action="store_true", help="with .sp")
    sizes = tuple(name for name in VECTOR_SIZES if name is not None)
    group.add_argument(
        "--scale-vectorsize",
        metavar="SIZE",
        type=one_of("scale_vectorsize", sizes),
        help=f"of block-scaled kinds: {', '.join(sizes)}",
    )


def asked_mma(options: argparse.Namespace) -> Multiplication:
    """The MMA that the options name. Raises Violation."""
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


def matrix_name(text: str) -> str:
    """The type of an argument that is a matrix, in upper or lower case."""
    return one_of("matrix", tuple(MATRICES))(_NAMES.get(text.lower(), text))


def add_placement(parser: ArgumentParser) -> None:
    """Add the options that `asked_matrix` reads."""
    group = parser.add_argument_group("where the matrix lies")
    group.add_argument(
        "--memory",
        metavar="M",
        type=one_of("memory", MEMORIES),
        help=f"{' or '.join(MEMORIES)} (default: shared for A and B, tensor for the others)",
    )
    group.add_argument(
        "--major",
        metavar="MAJOR",
        type=one_of("major", MAJORS),
        default=MAJORS[0],
        help=f"{' or '.join(MAJORS)}, in shared memory (default: {MAJORS[0]})",
    )
    group.add_argument(
        "--swizzle",
        metavar="MODE",
        type=one_of("swizzle mode", SWIZZLES),
        help=f"{', '.join(SWIZZLES)} (default: swizzle_128b where it is legal)",
    )
    group.add_argument(
        "--atom-order",
        metavar="ORDER",
        type=one_of("order of the atoms", ATOM_ORDERS),
        default=ATOM_ORDERS[0],
        help=f"{' or '.join(ATOM_ORDERS)}, of swizzle atoms (default: {ATOM_ORDERS[0]})",
    )
    group.add_argument(
        "--address",
        metavar="ADDRESS",
        type=integer,
        default=0,
        help="of the matrix: bytes in shared memory, lane << 16 | column in tensor memory "
        "(default: 0, so that places count from the matrix)",
    )


def asked_placement(options: argparse.Namespace) -> Placement:
    return Placement(
        options.memory, options.major, options.swizzle, options.atom_order, options.address
    )


def asked_matrix(options: argparse.Namespace, name: str) -> Matrix:
    """The matrix of the MMA, where the options say. Raises Violation and QuestionError."""
    return matrix(asked_mma(options), name, asked_placement(options))


def add_access(parser: ArgumentParser) -> None:
    """Add the options that `asked_access` reads."""
    parser.add_argument(
        "--through",
        metavar="SHAPE.NUM",
        help="registers after tcgen05.ld of the whole matrix, or before tcgen05.st, in such "
        "accesses, as 32x32b.x8 or 32x32b.x8.pack::16b",
    )
    parser.add_argument(
        "--split-offset",
        metavar="N",
        type=integer,
        help="of 16x32bx2, in columns (default: those of one part)",
    )


def asked_access(options: argparse.Namespace) -> Cover | None:
    """The accesses of the options. Raises Violation and QuestionError."""
    if options.through is None:
        return None
    return parse_access(options.through, options.split_offset)
