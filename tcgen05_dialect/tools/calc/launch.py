"""`tcgen05 calc launch`: how a kernel is launched."""

from __future__ import annotations

import argparse

from .arguments import Commands, add_format

_FORMATS = ("toml", "json")


def add(commands: Commands) -> None:
    """Add the sub-command."""
    launch = commands.add(
        "launch",
        _launch,
        "print what a kernel says about its launch",
        ("examples/ws/gemm.mlir", "examples/ws/gemm.mlir --format json"),
        "Prints what a kernel of IR or PTX says about its launch, with the keys of launch files: "
        "grid, block, cluster, dynamic shared memory, and the boxes of tensor maps.",
    )
    launch.add_argument("file", metavar="FILE", help="IR or PTX; - for the standard input")
    launch.add_argument("--kernel", metavar="NAME", help="the kernel, if there are several")
    add_format(launch, _FORMATS)


def _launch(options: argparse.Namespace) -> str:
    from ...proposal.facts import FORMATS
    from ..files import read_source, refuse_overwriting
    from ..launch_facts import read_facts

    source = read_source(options.file)
    refuse_overwriting(options.file, options.output)
    return FORMATS[options.format](read_facts(source, options.kernel))
