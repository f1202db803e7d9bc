"""What the sub-commands of `tcgen05 calc` share: how one is added, and arguments of many."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Sequence

from ...calculator.question import unknown_name
from ..command import ArgumentParser

_SHOWN = 40
"""Characters of a wrong argument that a message quotes."""


class Commands:
    """The sub-commands of a parser."""

    def __init__(self, parser: ArgumentParser):
        self._commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def add(
        self,
        name: str,
        action: Callable[[argparse.Namespace], str],
        help_: str,
        examples: Sequence[str],
        description: str | None = None,
    ) -> ArgumentParser:
        """Add a sub-command; `action` returns the text that it prints. `examples` are arguments
        that `--help` shows, each after the command's name; the description is by default that
        which the list of commands says."""
        program = f"tcgen05 calc {name}"
        lines = "\n".join(f"  {program} {example}" for example in examples)
        parser = self._commands.add_parser(
            name,
            help=help_,
            description=description or f"{help_[0].upper()}{help_[1:]}.",
            epilog=f"example{'s' * (len(examples) > 1)}:\n{lines}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        parser.set_defaults(action=action, parser=parser)
        parser.add_argument(
            "-o", "--output", metavar="OUT", help="the file to write (default: the standard output)"
        )
        return parser


def integer(text: str) -> int:
    """A number in decimal, hexadecimal (0x), octal (0o) or binary (0b), with `_` between digits."""
    for base in (0, 10):
        try:
            return int(text, base)
        except ValueError:
            continue
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    raise argparse.ArgumentTypeError(
        f"found {shown}; legal: a number in decimal, or with 0x, 0o or 0b, such as 0x820_0490"
    )


def one_of(what: str, names: Collection[str]) -> Callable[[str], str]:
    """The type of an argument that is one of `names`; the message for another one says which are
    nearest."""

    def check(text: str) -> str:
        if text not in names:
            raise argparse.ArgumentTypeError(str(unknown_name(what, text[:_SHOWN], names)))
        return text

    return check
