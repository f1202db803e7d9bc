"""Arguments that describe a matrix of an MMA, its placement, and the accesses to it."""

from __future__ import annotations

import argparse

from ...calculator.access import parse_access
from ...calculator.matrix import Matrix
from ...calculator.operands import MEMORIES, OPERANDS, memory_of, operand_matrix
from ...calculator.placement import Placement
from ...calculator.question import UsageError
from ...isa.shared_memory.layout import ATOM_ORDERS, MAJORS
from ...isa.shared_memory.swizzle import SWIZZLES
from ...isa.tensor_memory.ld_st_cover import Cover
from ..command import ArgumentParser
from .arguments import OneOf, integer
from .mma_arguments import add_kind_option, add_mma, mma_of

_WITH_ATOMS = "shared"
"""The memory in which a matrix has a major dimension, a swizzle mode and an atom order."""
_NAMES = {name.lower(): name for name in OPERANDS}


def add_kind(parser: ArgumentParser) -> None:
    """Add the options that describe the MMA."""
    add_kind_option(parser)
    add_mma(parser)


def matrix_name(text: str) -> str:
    """The type of an argument that names a matrix, in upper or lower case."""
    return OneOf("matrix", tuple(OPERANDS))(_NAMES.get(text.lower(), text))


def add_placement(parser: ArgumentParser) -> None:
    """Add the options that `asked_matrix` reads."""
    group = parser.add_argument_group("placement of the matrix")
    group.add_argument(
        "--memory",
        metavar="M",
        type=OneOf("memory", MEMORIES),
        help=f"{' or '.join(MEMORIES)} (default: shared for A and B, tensor for the others)",
    )
    group.add_argument(
        "--major",
        metavar="MAJOR",
        type=OneOf("major", MAJORS),
        help=f"major dimension in shared memory: {' or '.join(MAJORS)} (default: {MAJORS[0]})",
    )
    group.add_argument(
        "--swizzle",
        metavar="MODE",
        type=OneOf("swizzle mode", SWIZZLES),
        help=f"{', '.join(SWIZZLES)} (default: swizzle_128b where it is legal)",
    )
    group.add_argument(
        "--atom-order",
        metavar="ORDER",
        type=OneOf("order of the atoms", ATOM_ORDERS),
        help=f"dimension of adjacent swizzle atoms: {' or '.join(ATOM_ORDERS)} "
        f"(default: {ATOM_ORDERS[0]})",
    )
    group.add_argument(
        "--address",
        metavar="ADDRESS",
        type=integer,
        default=0,
        help="address of the matrix: a byte of shared memory, or lane << 16 | column of tensor "
        "memory (default: 0, which makes all places relative to the matrix)",
    )


def asked_placement(options: argparse.Namespace) -> Placement:
    """The placement that the options give."""
    return Placement(
        options.memory,
        options.major or MAJORS[0],
        options.swizzle,
        options.atom_order or ATOM_ORDERS[0],
        options.address,
    )


def asked_matrix(options: argparse.Namespace, name: str) -> Matrix:
    """The matrix of the MMA, placed by the options. Raises Violation and QuestionError."""
    placement = asked_placement(options)
    if memory_of(name, placement) != _WITH_ATOMS:
        for option in ("major", "swizzle", "atom_order"):
            if (given := getattr(options, option)) is not None:
                what = f"--{option.replace('_', '-')} of {name} in tensor memory"
                raise UsageError(what, given, "none")
    return operand_matrix(mma_of(options), name, placement)


def add_access(parser: ArgumentParser) -> None:
    """Add the options that `asked_access` reads."""
    parser.add_argument(
        "--through",
        metavar="SHAPE.NUM",
        help="use registers after tcgen05.ld of the whole matrix, or before tcgen05.st, with "
        "accesses of this form, such as 32x32b.x8 or 32x32b.x8.pack::16b",
    )
    parser.add_argument(
        "--split-offset",
        metavar="N",
        type=integer,
        help="distance of the halves of 16x32bx2, in columns (default: the columns of one half)",
    )


def asked_access(options: argparse.Namespace) -> Cover | None:
    """The accesses that the options give. Raises Violation and QuestionError."""
    if options.through is None:
        return None
    return parse_access(options.through, options.split_offset)
