"""`tcgen05 calc tmem`: a plan of tensor memory."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple

from ...calculator.answer import ANSWER_FORMATS, GRID_FORMATS
from ...calculator.multiplication import multiplication
from ...calculator.plan import PlannedMatrix, answer, picture, plan
from ...isa.tensor_memory.alloc import COLUMNS
from .arguments import Commands, add_form, add_format, add_kind_option, extents, integer

_PICTURES = ("svg", "html")
_MOST = COLUMNS
"""Maximum number of matrices of one option; each matrix takes at least one column."""


class _Asked(NamedTuple):
    role: str
    extents: tuple[int, int]
    number: int


def add(commands: Commands) -> None:
    """Add the sub-command."""
    tmem = commands.add(
        "tmem",
        _tmem,
        "plan tensor memory: columns of each matrix, allocation, unused columns",
        (
            "--accumulator 128x128:2 --a-operand 128x64",
            "--kind mxf8f6f4 --accumulator 128x256 --scale-a 128x128 --scale-b 256x128",
        ),
        "Plans the tensor memory of a CTA. The matrices lie side by side in the order of the "
        "options; the plan has the columns of each, the allocation and the unused columns. "
        "Extents are those of the whole matrix, even if two CTAs share it; :N means N matrices.",
    )
    for option, role, shape, what in (
        ("--accumulator", "D", "MxN", "an accumulator"),
        ("--a-operand", "A", "MxK", "a matrix A"),
        ("--scale-a", "SFA", "MxK", "the scale factors of M x K elements of A"),
        ("--scale-b", "SFB", "NxK", "the scale factors of K x N elements of B"),
        ("--metadata", "metadata", "MxK", "the sparsity metadata of M x K elements of A"),
    ):
        tmem.add_argument(
            option,
            metavar=f"{shape}[:N]",
            dest="asked",
            action="append",
            default=[],
            type=_asked(role),
            help=what,
        )
    add_kind_option(tmem)
    add_form(tmem)
    add_format(tmem, (*ANSWER_FORMATS, *_PICTURES))


def _asked(role: str) -> Callable[[str], _Asked]:
    def read(text: str) -> _Asked:
        shape, colon, count = text.partition(":")
        number = integer(count) if colon else 1
        if number not in range(1, _MOST + 1):
            raise argparse.ArgumentTypeError(
                f"the number of matrices must be 1 to {_MOST}; found {count[:9]}"
            )
        return _Asked(role, extents(shape), number)

    return read


def _tmem(options: argparse.Namespace) -> str:
    asked: list[_Asked] = options.asked
    # The layout of scale factors of B depends on M, which the extents K x N do not give.
    known = next((each.extents[0] for each in asked if each.role != "SFB"), None)
    matrices = [_matrix(each, options, known) for each in asked for _ in range(each.number)]
    planned = plan(matrices)
    if options.format in _PICTURES:
        return GRID_FORMATS[options.format](picture(planned))
    return answer(planned).render(options.format)


def _matrix(asked: _Asked, options: argparse.Namespace, known_m: int | None) -> PlannedMatrix:
    first, second = asked.extents
    m = known_m if asked.role == "SFB" else first
    n = second if asked.role == "D" else first if asked.role == "SFB" else None
    k = None if asked.role == "D" else second
    mma = multiplication(
        options.kind,
        m=m,
        n=n,
        k=k,
        a=options.a,
        cta_group=options.cta_group,
        ws=options.ws,
        sparse=options.sparse,
        scale_vectorsize=options.scale_vectorsize,
    )
    return PlannedMatrix(asked.role, mma)
