"""`tcgen05 calc`: answers to questions about instructions, descriptors and layouts."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from ...calculator.question import QuestionError
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
    "idesc": "descriptors",
    "sdesc": "descriptors",
    "mask": "descriptors",
    "tmem": "plan",
    "fragment": "fragment",
}
"""Sub-command -> the module here that adds its parser, with `add(commands)`."""


def main(arguments: Sequence[str], program: str) -> int:
    """Run a sub-command and return the exit status: 0 after an answer, 1 for a question that has
    none, 2 for arguments that cannot be used."""
    return run(program, lambda: _answer(arguments, program))


def parser(program: str, asked: str | None = None) -> ArgumentParser:
    """The parser of all sub-commands, or of the one asked for, which is faster to make."""
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
    """Print the answer; status 1 for a question that a rule of the ISA refuses."""
    asked = arguments[0] if arguments else None
    options = parser(program, asked).parse_args(arguments)
    try:
        text: str = options.action(options)
    except (Violation, QuestionError) as error:
        complain(f"{options.parser.prog}: error: {printable(str(error))}")
        return 1
    write_output(options.output, text.encode())
    return 0
