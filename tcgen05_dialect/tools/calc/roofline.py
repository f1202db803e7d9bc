"""`tcgen05 calc plan`: the tiles of a matrix product."""

from __future__ import annotations

import argparse

from ...calculator.answer import ANSWER_FORMATS
from ...calculator.roofline import answer
from .arguments import Commands, add_format, integer


def add(commands: Commands) -> None:
    """Add the sub-command."""
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
    planned = answer(options.m, options.n, options.k, options.type, options.batch)
    return planned.render(options.format)
