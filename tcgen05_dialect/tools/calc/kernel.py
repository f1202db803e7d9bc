"""`tcgen05 calc launch` and `memory`: the launch and the memory of a kernel."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from ...calculator.answer import ANSWER_FORMATS, GRID_FORMATS
from ...reporting.diagnostics import Source
from .arguments import Commands, add_format

_PICTURES = ("svg", "html")


def add(commands: Commands) -> None:
    """Add the sub-commands."""
    _add(
        commands,
        "launch",
        _launch,
        "print what a kernel says about its launch",
        ("examples/ws/gemm.mlir", "examples/ws/gemm.mlir --format json"),
        "Prints what a kernel of IR or PTX says about its launch, with the keys of launch files: "
        "grid, block, cluster, dynamic shared memory, and the boxes of tensor maps.",
        ("toml", "json"),
    )
    _add(
        commands,
        "memory",
        _memory,
        "draw the shared memory and tensor memory of a kernel",
        ("examples/ws/gemm.mlir", "examples/ws/attention.mlir --format svg -o memory.svg"),
        "Draws the shared memory and tensor memory of a kernel in IR or PTX: names, places, and "
        "the lines of the program from the first use to the last.",
        (*ANSWER_FORMATS, *_PICTURES),
    )


def _add(
    commands: Commands,
    name: str,
    answer: Callable[[argparse.Namespace], str],
    help: str,
    examples: tuple[str, ...],
    description: str,
    formats: Sequence[str],
) -> None:
    command = commands.add(name, answer, help, examples, description)
    command.add_argument("file", metavar="FILE", help="IR or PTX; - for the standard input")
    command.add_argument("--kernel", metavar="NAME", help="the kernel, if there are several")
    add_format(command, formats)


def _read(options: argparse.Namespace) -> Source:
    from ..files import is_ptx, read_source, refuse_overwriting

    source = read_source(options.file)
    is_ptx(source)
    refuse_overwriting(options.file, options.output)
    return source


def _launch(options: argparse.Namespace) -> str:
    from ...proposal.facts import FORMATS
    from ..launch_options import read_facts

    return FORMATS[options.format](read_facts(_read(options), options.kernel))


def _memory(options: argparse.Namespace) -> str:
    from ...views.memory import answer, memory_of_kernel, picture

    memory = memory_of_kernel(_read(options), options.kernel)
    if options.format in _PICTURES:
        return GRID_FORMATS[options.format](picture(memory))
    return answer(memory).render(options.format)
