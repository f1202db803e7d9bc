"""Syntax lines and docstrings of operations, as the reference pages and editors show them."""

import re
from collections.abc import Iterable, Sequence
from inspect import cleandoc
from typing import NamedTuple

from xdsl.irdl import IRDLOperation

from ..ptx.instruction import Instruction, syntax_of
from ..ptx.text.compiled_syntax import CompiledSyntax
from ..ptx.text.syntax import (
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


def _operand(element: SyntaxElement) -> str:
    match element:
        case Values(name, "["):
            return f"[%{name}]"
        case Values(name, "{" | "<"):
            return f"{{%{name}}}"
        case Values(name):
            return f"%{name}"
        case Immediate(name):
            return f"<{name}>"
        case _:
            return ""


def _operands(elements: Sequence[SyntaxElement], syntax: CompiledSyntax) -> str:
    """The operands in the syntax of IR."""
    text, separator = "", " "
    for element in elements:
        if isinstance(element, OptionalPart):
            name = element.name
            value = f"%{name}" if name in syntax.values else f"<{name}>"
            text += f" ({name}({value}))?"
        elif operand := _operand(element):
            text, separator = text + separator + operand, ", "
    return text


def _instruction(op_type: type[Instruction]) -> str:
    """The syntax of an instruction in IR."""
    syntax = syntax_of(op_type)
    results = ", ".join(f"%{result.name}" for result in syntax.results)
    line = f"{results} = {op_type.name}" if results else op_type.name
    for qualifier in syntax.qualifiers:
        line += f" (<{qualifier.name}>)?" if qualifier.optional else f" <{qualifier.name}>"
    return line + _operands(syntax.operands, syntax)


def ptx_syntax(op_type: type[Instruction]) -> str:
    """The syntax of an instruction in PTX."""
    syntax = syntax_of(op_type)
    return f"{' '.join(grammar(syntax.line, syntax).split())};"


def qualifier_words(op_type: type[Instruction]) -> str:
    """The values of the qualifiers."""
    return "; ".join(
        f"{each.name}: {', '.join(sorted(each.spellings))}"
        for each in syntax_of(op_type).qualifiers
    )


def syntax(op_type: type[IRDLOperation]) -> str:
    """The syntax of an operation in IR; of one that is no instruction, from its docstring or else
    from its format."""
    if issubclass(op_type, Instruction):
        return _instruction(op_type)
    results = ", ".join(f"%{name}" for name, _ in op_type.get_irdl_definition().results)
    written = docstring(op_type).syntax or assembly(op_type)
    return written if not results or written.startswith("%") else f"{results} = {written}"
