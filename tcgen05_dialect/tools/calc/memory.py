"""`tcgen05 calc memory`: the memory of a kernel."""

from __future__ import annotations

import argparse

from ...calculator.answer import ANSWER_FORMATS, GRID_FORMATS
from .arguments import Commands, add_format

_PICTURES = ("svg", "html")


def add(commands: Commands) -> None:
    """Add the sub-command."""
    memory = commands.add(
        "memory",
        _memory,
        "draw the shared memory and tensor memory of a kernel",
        ("examples/ws/gemm.mlir", "examples/ws/attention.mlir --format svg -o memory.svg"),
        "Draws the shared memory and tensor memory of a kernel in IR or PTX: names, places, and "
        "the lines of the program from the first use to the last.",
    )
    memory.add_argument("file", metavar="FILE", help="IR or PTX; - for the standard input")
    memory.add_argument("--kernel", metavar="NAME", help="the kernel, if there are several")
    add_format(memory, (*ANSWER_FORMATS, *_PICTURES))


def _memory(options: argparse.Namespace) -> str:
    from ...views.memory import answer, memory_of_kernel, picture
    from ..files import is_ptx, read_source, refuse_overwriting

    source = read_source(options.file)
    is_ptx(source)
    refuse_overwriting(options.file, options.output)
    memory = memory_of_kernel(source, options.kernel)
    if options.format in _PICTURES:
        return GRID_FORMATS[options.format](picture(memory))
    return answer(memory).render(options.format)
