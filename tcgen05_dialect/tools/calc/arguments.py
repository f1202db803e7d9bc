"""Arguments of the sub-commands of tcgen05 calc: their types, the MMA, matrices and accesses."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection
from typing import NamedTuple

from ...calculator.access import Matrix, parse_access
from ...calculator.grid import Placement, UsageError, unknown_name
from ...calculator.multiplication import Multiplication, multiplication
from ...calculator.operands import OPERANDS, memory_of, operand_matrix
from ...isa.mma.shapes import KINDS
from ...isa.shared_memory.layout import ATOM_ORDERS, MAJORS
from ...isa.tensor_memory.alloc import COLUMNS
from ...isa.tensor_memory.ld_st import Cover

_SHOWN = 40
"""Maximum number of characters of a wrong argument that a message quotes."""
_MOST = COLUMNS
"""Maximum number of matrices of one option; each matrix takes at least one column."""


def integer(text: str) -> int:
    """A number in decimal, hexadecimal (0x), octal (0o) or binary (0b), with `_` between digits."""
    for base in (0, 10):
        try:
            return int(text, base)
        except ValueError:
            continue
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    raise argparse.ArgumentTypeError(
        f"must be a number in decimal, or with 0x, 0o or 0b, such as 0x820_0490; found {shown}"
    )


class OneOf:
    """The type of an argument that is one of `names`; its error lists similar names."""

    def __init__(self, what: str, names: Collection[str]):
        self.what = what
        self.names = names

    def __call__(self, text: str) -> str:
        if text not in self.names:
            shown = text[:_SHOWN]
            raise argparse.ArgumentTypeError(str(unknown_name(self.what, shown, self.names)))
        return text


def extents(text: str) -> tuple[int, int]:
    """Two extents, such as 128x64."""
    first, _, second = text.partition("x")
    try:
        found = integer(first), integer(second)
    except argparse.ArgumentTypeError:
        found = (0, 0)
    if min(found) < 1:
        raise argparse.ArgumentTypeError(
            f"must be two extents, such as 128x64; found {text[:_SHOWN]}"
        )
    return found


def span(text: str) -> range:
    """A range of numbers, such as 0-31, or one number."""
    first, _, last = text.partition("-")
    found = range(integer(first), integer(last or first) + 1)
    if not found:
        raise argparse.ArgumentTypeError(f"must be FIRST-LAST, such as 0-31; found {text}")
    return found


class Asked(NamedTuple):
    """Matrices of one role and the same extents."""

    role: str
    extents: tuple[int, int]
    number: int


def matrix_role(role: str) -> Callable[[str], Asked]:
    """The type of an argument that gives matrices of a role."""

    def read(text: str) -> Asked:
        shape, colon, count = text.partition(":")
        number = integer(count) if colon else 1
        if number not in range(1, _MOST + 1):
            raise argparse.ArgumentTypeError(
                f"the number of matrices must be 1 to {_MOST}; found {count[:9]}"
            )
        return Asked(role, extents(shape), number)

    return read


def kind(text: str) -> str:
    """The type of an argument that names a kind."""
    return OneOf("kind", tuple(KINDS))(text)


_WITH_ATOMS = "shared"
"""The memory in which a matrix has a major dimension, a swizzle mode and an atom order."""
_NAMES = {name.lower(): name for name in OPERANDS}


def matrix_name(text: str) -> str:
    """The type of an argument that names a matrix, in upper or lower case."""
    return OneOf("matrix", tuple(OPERANDS))(_NAMES.get(text.lower(), text))


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


def asked_access(options: argparse.Namespace) -> Cover | None:
    """The accesses that the options give. Raises Violation and QuestionError."""
    if options.through is None:
        return None
    return parse_access(options.through, options.split_offset)
