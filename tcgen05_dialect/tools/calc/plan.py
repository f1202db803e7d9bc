"""`tcgen05 calc plan` and `tmem`: the tiles of a matrix product, and a plan of tensor memory."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple

from ...calculator import roofline
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


def _add_tmem(commands: Commands) -> None:
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


def _add_plan(commands: Commands) -> None:
    plan = commands.add(
        "plan",
        _plan,
        "choose the tile of a matrix product by a roofline",
        ("8192 8192 4096 bf16", "64 4096 4096 e4m3 --batch 8"),
        "Lists the tiles of a product of M x K and K x N elements, the fastest first. The cycles "
        "are those of a model: the larger one of the times of the tensor cores and of the loads "
        "from the L2 cache, in as many waves of CTAs as the tiles need. `compile` takes the first "
        "tile for functions of tensors.",
    )
    for name in ("m", "n", "k"):
        plan.add_argument(
            name, metavar=name.upper(), type=integer, help=f"the extent {name.upper()}"
        )
    plan.add_argument("type", metavar="TYPE", help="the type of the elements, such as bf16")
    plan.add_argument(
        "--batch", metavar="B", type=integer, default=1, help="the number of products (default: 1)"
    )
    add_format(plan, ANSWER_FORMATS)


def _plan(options: argparse.Namespace) -> str:
    planned = roofline.answer(options.m, options.n, options.k, options.type, options.batch)
    return planned.render(options.format)


def add(commands: Commands) -> None:
    """Add the sub-commands."""
    _add_plan(commands)
    _add_tmem(commands)
