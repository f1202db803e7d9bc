"""The functions of PTX text: their headers and bodies."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..isa.ptx import ptx_text
from ..ptx_reader.constant_expression import integer
from ..ptx_reader.syntax_tree import Close, Directive, Open, Statement
from ..ptx_reader.tokens import is_name


class Parameter(NamedTuple):
    """A parameter of a kernel."""

    name: str
    declaration: str
    """The PTX text without `.param`."""
    bits: int | None
    """The size of a scalar; None for an array."""
    size: int
    alignment: int


class Kernel(NamedTuple):
    """A kernel: its header and its body with the braces around it."""

    name: str
    header: Directive
    parameters: Sequence[Parameter]
    directives: Sequence[Sequence[str]]
    """The directives after the parameters, each with its operands."""
    body: Sequence[Statement]


class Part(NamedTuple):
    """A part of a module that is not a kernel: directives, or a function."""

    statements: Sequence[Statement]


def parts_of(statements: Sequence[Statement]) -> Iterator[Kernel | Part]:
    """The kernels and the other parts of a module, in the order of the text."""
    depth, first = 0, 0
    header: Directive | None = None
    for index, statement in enumerate(statements):
        match statement:
            case Open():
                depth += 1
            case Close():
                depth -= 1
                if depth == 0 and header is not None:
                    if ptx_text.KERNEL in header.words:
                        yield kernel_of(header, statements[first + 1 : index + 1])
                    else:
                        yield Part(statements[first : index + 1])
                    header = None
            case Directive(words=words) if depth == 0:
                if ptx_text.FUNCTIONS.isdisjoint(words) or statement.terminated:
                    yield Part([statement])
                else:
                    header, first = statement, index
            case _ if depth == 0:
                yield Part([statement])
            case _:
                pass


def kernel_of(header: Directive, body: Sequence[Statement]) -> Kernel:
    """The kernel with this header."""
    words = header.words
    start = words.index(ptx_text.KERNEL) + 1
    name = words[start] if start < len(words) else ""
    rest = words[start + 1 :]
    parameters: list[Parameter] = []
    if rest and rest[0] == "(":
        end = rest.index(")")
        parameters = [parameter_of(each) for each in _split(rest[1:end])]
        rest = rest[end + 1 :]
    directives: list[list[str]] = []
    for word in rest:
        if word.startswith("."):
            directives.append([word])
        elif directives:
            directives[-1].append(word)
    return Kernel(name, header, parameters, directives, body)


def _split(words: Sequence[str]) -> Iterator[list[str]]:
    """The parts of a list between commas."""
    part: list[str] = []
    for word in words:
        if word == ",":
            yield part
            part = []
        else:
            part.append(word)
    if part:
        yield part


def parameter_of(words: Sequence[str]) -> Parameter:
    """The parameter with this declaration."""
    rest = [word for word in words if word != ptx_text.PARAMETER]
    text = " ".join(rest).replace(" [ ", "[").replace(" ]", "]")
    name = next((word for word in rest if is_name(word)), "")
    bits, alignment, members = 8, None, 1
    skipped = False
    for word, following in zip(rest, [*rest[1:], ""], strict=True):
        if word == ptx_text.POINTER:
            skipped = True
        elif word == ptx_text.ALIGN and not skipped:
            alignment = integer(following)
        elif word in ptx_text.REGISTER_BITS:
            bits = ptx_text.REGISTER_BITS[word] or bits
        elif word in ptx_text.VECTOR_MEMBERS:
            members = int(word.removeprefix(".v"))
    size = bits // 8 * members
    alignment = alignment or size
    if "[" in rest:
        count = integer(rest[rest.index("[") + 1]) or 1
        return Parameter(name, text, None, size * count, alignment)
    is_scalar = members == 1 and bits > 8
    return Parameter(name, text, bits if is_scalar else None, size, alignment)
