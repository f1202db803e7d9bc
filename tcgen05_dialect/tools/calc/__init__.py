"""`tcgen05 calc`: answers to questions about instructions, descriptors, layouts and launches."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from ...calculator.grid import QuestionError, UsageError
from ...isa.model.rule import Violation, printable
from ..command import ArgumentParser, add_version, run
from ..files import complain, write_output
from .arguments import Commands

COMMANDS = {
    "list": "catalogue",
    "detail": "catalogue",
    "locate": "locate",
    "element": "locate",
    "layout": "layout",
    "placement": "layout",
    "fragment": "layout",
    "idesc": "descriptors",
    "sdesc": "descriptors",
    "mask": "descriptors",
    "plan": "plan",
    "tmem": "plan",
    "launch": "kernel",
    "memory": "kernel",
}
"""Sub-command -> the module in this package whose `add(commands)` adds its parser."""


def main(arguments: Sequence[str], program: str) -> int:
    """Run a sub-command and return the exit status: 0 after an answer, 1 for a question without an
    answer, 2 for wrong arguments."""
    return run(program, lambda: _answer(arguments, program))


def parser(program: str, asked: str | None = None) -> ArgumentParser:
    """The parser of all sub-commands, or only of `asked`, which is faster to create."""
    made = ArgumentParser(
        prog=program,
        description="Answers questions about instructions, descriptors and layouts of tcgen05.",
    )
    add_version(made)
    commands = Commands(made)
    modules = [COMMANDS[asked]] if asked in COMMANDS else COMMANDS.values()
    for module in dict.fromkeys(modules):
        importlib.import_module(f".{module}", __package__).add(commands)
    return made


def _answer(arguments: Sequence[str], program: str) -> int:
    """Print the answer and return 0; without an answer, print the error and return 1."""
    asked = arguments[0] if arguments else None
    options = parser(program, asked).parse_args(arguments)
    try:
        text: str = options.action(options)
    except (Violation, QuestionError) as error:
        complain(f"{options.parser.prog}: error: {printable(str(error))}")
        return 2 if isinstance(error, UsageError) else 1
    write_output(options.output, text.encode())
    return 0
