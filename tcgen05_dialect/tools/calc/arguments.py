"""Shared parts of the sub-commands of `tcgen05 calc`, and the types of their arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Sequence

from ...calculator.question import unknown_name
from ...isa.model.rule import plural
from ..command import COMMAND, ArgumentParser

_SHOWN = 40
"""Maximum number of characters of a wrong argument that a message quotes."""


class Commands:
    """The sub-commands of a parser."""

    def __init__(self, parser: ArgumentParser, examples: list[str] | None = None):
        """`examples` collects an example of each sub-command for the help of the parser."""
        self._parser = parser
        self._examples = examples
        self._commands = parser.add_subparsers(title="commands", metavar=COMMAND, required=True)

    def group(self, name: str, help_: str) -> Commands:
        """Add a sub-command that has sub-commands itself."""
        return Commands(self._add_parser(name, help_, _sentence(help_)), [])

    def add(
        self,
        name: str,
        action: Callable[[argparse.Namespace], str],
        help_: str,
        examples: Sequence[str],
        description: str | None = None,
    ) -> ArgumentParser:
        """
        Add a sub-command.

        `action` returns the text that the command prints. `--help` shows each of the `examples`
        after the name of the command. The default description is `help_` as a sentence.
        """
        parser = self._add_parser(name, help_, description or _sentence(help_))
        shown = [f"{parser.prog} {example}" for example in examples]
        parser.epilog = _epilog(shown)
        if self._examples is not None:
            self._examples.append(shown[0])
            self._parser.epilog = _epilog(self._examples)
        parser.set_defaults(action=action, parser=parser)
        parser.add_argument(
            "-o", "--output", metavar="OUT", help="the file to write (default: the standard output)"
        )
        return parser

    def _add_parser(self, name: str, help_: str, description: str) -> ArgumentParser:
        return self._commands.add_parser(
            name,
            help=help_,
            description=description,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )


def _epilog(examples: Sequence[str]) -> str:
    lines = "\n".join(f"  {example}" for example in examples)
    return f"{plural('example', len(examples))}:\n{lines}"


def _sentence(help_: str) -> str:
    return f"{help_[0].upper()}{help_[1:]}."


def add_format(parser: ArgumentParser, formats: Collection[str]) -> None:
    """Add the option that names a format; the first is the default."""
    names = tuple(formats)
    parser.add_argument(
        "--format",
        metavar="F",
        type=OneOf("format", names),
        default=names[0],
        help=f"{', '.join(names)} (default: {names[0]})",
    )


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
