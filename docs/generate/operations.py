"""Syntax lines and docstrings of operations, as the reference pages print them."""

import re
from collections.abc import Iterable
from inspect import cleandoc
from typing import NamedTuple

from xdsl.irdl import IRDLOperation

from tcgen05_dialect.ptx.text.compiled_syntax import CompiledSyntax
from tcgen05_dialect.ptx.text.syntax import (
    Count,
    Immediate,
    LiteralText,
    OptionalPart,
    QualifierElement,
    SyntaxElement,
    Values,
)


def grammar(elements: Iterable[SyntaxElement], syntax: CompiledSyntax) -> str:
    """A syntax line of PTX in the notation of the manual: optional parts in braces."""
    optional = {each.name for each in syntax.qualifiers if each.optional}
    line = ""
    for element in elements:
        match element:
            case LiteralText(literal):
                line += literal
            case QualifierElement(name, prefix):
                line += f"{{{prefix}{name}}}" if name in optional else f"{prefix}{name}"
            case Immediate(name) | Values(name, "%"):
                line += name
            case Values(name, "["):
                line += f"[{name}]"
            case Values(name, "&"):
                line += f"{name} or [{name}]"
            case Values(name, "<") if not syntax.values[name].variadic:
                line += name
            case Values(name):
                line += f"{{{name}}}"
            case OptionalPart(_, inner):
                line += f"{{{grammar(inner, syntax)}}}"
            case Count(name):
                line += f"#{name}"
    return line


class Docstring(NamedTuple):
    """A docstring: its prose, its syntax line and its items, such as operands."""

    prose: str
    syntax: str
    items: dict[str, str]


def docstring(owner: type) -> Docstring:
    """
    Read a docstring.

    A line that begins with `- ` and a name in backquotes is an item. An indented block that
    contains `attr-dict` is the syntax line. Other indented blocks are examples, which the pages
    omit.
    """
    prose: list[str] = []
    syntax, items = "", dict[str, str]()
    for paragraph in cleandoc(owner.__doc__ or "").split("\n\n"):
        if paragraph.startswith("    "):
            syntax = " ".join(paragraph.split()) if "attr-dict" in paragraph else syntax
        elif paragraph.startswith("- `"):
            for item in paragraph.removeprefix("- ").split("\n- "):
                name, _, text = item.partition(": ")
                items[name.strip("`")] = " ".join(text.split())
        else:
            prose.append(" ".join(paragraph.split()))
    return Docstring("\n\n".join(prose), syntax, items)


def items(owner: type) -> dict[str, str]:
    """The items of the docstrings of a class and its bases: operands, attributes and results."""
    return {
        name: text
        for base in reversed(owner.__mro__)
        if base.__module__.startswith("tcgen05_dialect.")
        for name, text in docstring(base).items.items()
    }


def assembly(op_type: type[IRDLOperation]) -> str:
    """The syntax line of an operation, from its declarative format, with `%` before values."""
    definition = op_type.get_irdl_definition()
    values = {name for name, _ in (*definition.operands, *definition.results)}
    blocks = definition.successors

    def name(match: re.Match[str]) -> str:
        found = match[1]
        if found in values:
            return f"%{found}"
        return f"^{found}" if any(found == block for block, _ in blocks) else f"<{found}>"

    line = re.sub(r" *`\(` *", "(", (op_type.assembly_format or "").replace("^", ""))
    line = re.sub(r"\$(\w+)", name, re.sub(r"`([^`]*)`", r"\1", line))
    line = re.sub(r" +([,)]|$)", r"\1", line)
    return f"{op_type.name} {line}"
