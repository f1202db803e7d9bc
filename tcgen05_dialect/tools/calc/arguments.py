"""Arguments of the sub-commands of tcgen05 calc: their types, the MMA, matrices and accesses."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Sequence

from ...calculator.access import Matrix, parse_access
from ...calculator.grid import Placement, UsageError, unknown_name
from ...calculator.multiplication import Multiplication, multiplication
from ...calculator.operands import MEMORIES, OPERANDS, memory_of, operand_matrix
from ...isa.element import ELEMENTS
from ...isa.mma.shapes import KINDS, VECTOR_SIZES
from ...isa.model.rule import plural
from ...isa.shared_memory.descriptor import SWIZZLES
from ...isa.shared_memory.layout import ATOM_ORDERS, MAJORS
from ...isa.tensor_memory.ld_st import Cover
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


def add_mma(parser: ArgumentParser) -> None:
    """Add all options that `mma_of` reads, except the kind."""
    for name, what in (
        ("m", "M (default: the largest)"),
        ("n", "N (default: the largest)"),
        ("k", "K of the tiles, a multiple of K of the instruction (default: the smallest)"),
    ):
        parser.add_argument(f"--{name}", metavar="X", type=integer, help=what)
    for name, what in (
        ("b", "element type of B (default: that of A)"),
        ("d", "element type of D (default: the widest)"),
    ):
        parser.add_argument(f"--{name}", metavar="T", type=_element, help=what)
    add_form(parser)


def add_form(parser: ArgumentParser) -> None:
    """Add the options on which the memory needed for the matrices depends."""
    parser.add_argument(
        "--a", metavar="T", type=_element, help="element type of A (default: the first of the kind)"
    )
    parser.add_argument(
        "--cta-group", metavar="X", type=integer, default=1, help="CTAs, 1 or 2 (default: 1)"
    )
    parser.add_argument("--ws", action="store_true", help="with .ws")
    parser.add_argument("--sparse", action="store_true", help="with a sparse A")
    sizes = tuple(name for name in VECTOR_SIZES if name is not None)
    parser.add_argument(
        "--scale-vectorsize",
        metavar="S",
        type=OneOf("scale_vectorsize", sizes),
        help=f"size of the scale vectors: {', '.join(sizes)} (default: the first of the kind, if "
        "it has scale factors)",
    )


def _element(text: str) -> str:
    return OneOf("element type", tuple(ELEMENTS))(text)


def add_kind_option(parser: ArgumentParser) -> None:
    """Add the kind as an option."""
    first, names = next(iter(KINDS)), ", ".join(KINDS)
    parser.add_argument(
        "--kind", metavar="KIND", type=kind, default=first, help=f"{names} (default: {first})"
    )


def kind(text: str) -> str:
    """The type of an argument that names a kind."""
    return OneOf("kind", tuple(KINDS))(text)


def mma_of(options: argparse.Namespace) -> Multiplication:
    """The MMA that the arguments describe. Raises Violation."""
    return multiplication(
        options.kind,
        m=options.m,
        n=options.n,
        k=options.k,
        a=options.a,
        b=options.b,
        d=options.d,
        cta_group=options.cta_group,
        ws=options.ws,
        sparse=options.sparse,
        scale_vectorsize=options.scale_vectorsize,
    )


_WITH_ATOMS = "shared"
"""The memory in which a matrix has a major dimension, a swizzle mode and an atom order."""
_NAMES = {name.lower(): name for name in OPERANDS}


def add_kind(parser: ArgumentParser) -> None:
    """Add the options that describe the MMA."""
    add_kind_option(parser)
    add_mma(parser)


def matrix_name(text: str) -> str:
    """The type of an argument that names a matrix, in upper or lower case."""
    return OneOf("matrix", tuple(OPERANDS))(_NAMES.get(text.lower(), text))


def add_placement(parser: ArgumentParser) -> None:
    """Add the options that `asked_matrix` reads."""
    group = parser.add_argument_group("placement of the matrix")
    group.add_argument(
        "--memory",
        metavar="M",
        type=OneOf("memory", MEMORIES),
        help=f"{' or '.join(MEMORIES)} (default: shared for A and B, tensor for the others)",
    )
    group.add_argument(
        "--major",
        metavar="MAJOR",
        type=OneOf("major", MAJORS),
        help=f"major dimension in shared memory: {' or '.join(MAJORS)} (default: {MAJORS[0]})",
    )
    group.add_argument(
        "--swizzle",
        metavar="MODE",
        type=OneOf("swizzle mode", SWIZZLES),
        help=f"{', '.join(SWIZZLES)} (default: swizzle_128b where it is legal)",
    )
    group.add_argument(
        "--atom-order",
        metavar="ORDER",
        type=OneOf("order of the atoms", ATOM_ORDERS),
        help=f"dimension of adjacent swizzle atoms: {' or '.join(ATOM_ORDERS)} "
        f"(default: {ATOM_ORDERS[0]})",
    )
    group.add_argument(
        "--address",
        metavar="ADDRESS",
        type=integer,
        default=0,
        help="address of the matrix: a byte of shared memory, or lane << 16 | column of tensor "
        "memory (default: 0, which makes all places relative to the matrix)",
    )


def asked_placement(options: argparse.Namespace) -> Placement:
    """The placement that the options give."""
    return Placement(
        options.memory,
        options.major or MAJORS[0],
        options.swizzle,
        options.atom_order or ATOM_ORDERS[0],
        options.address,
    )


def asked_matrix(options: argparse.Namespace, name: str) -> Matrix:
    """The matrix of the MMA, placed by the options. Raises Violation and QuestionError."""
    placement = asked_placement(options)
    if memory_of(name, placement) != _WITH_ATOMS:
        for option in ("major", "swizzle", "atom_order"):
            if (given := getattr(options, option)) is not None:
                what = f"--{option.replace('_', '-')} of {name} in tensor memory"
                raise UsageError(what, given, "none")
    return operand_matrix(mma_of(options), name, placement)


def add_access(parser: ArgumentParser) -> None:
    """Add the options that `asked_access` reads."""
    parser.add_argument(
        "--through",
        metavar="SHAPE.NUM",
        help="use registers after tcgen05.ld of the whole matrix, or before tcgen05.st, with "
        "accesses of this form, such as 32x32b.x8 or 32x32b.x8.pack::16b",
    )
    parser.add_argument(
        "--split-offset",
        metavar="N",
        type=integer,
        help="distance of the halves of 16x32bx2, in columns (default: the columns of one half)",
    )


def asked_access(options: argparse.Namespace) -> Cover | None:
    """The accesses that the options give. Raises Violation and QuestionError."""
    if options.through is None:
        return None
    return parse_access(options.through, options.split_offset)
