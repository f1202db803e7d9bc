"""
The culprit of an error: the part of an operation's text that the caret marks.

IR keeps only the locations of whole operations. The text of an operation is searched again when its
error is reported.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple, cast

from xdsl.dialects.builtin import StringAttr, UnregisteredOp
from xdsl.ir import Attribute, BlockArgument, BuiltinAttribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.traits import IsolatedFromAbove

_COMMENT = re.compile(r"//[^\n]*")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_OPERAND = re.compile(r"%[\w$.-]+")
_OPERATION = re.compile(r"(?:%[^=\n]*=\s*)?([a-z]\w*\.[\w.]+)(?![\w.$])")
_OPENING, _CLOSING = "([{<", ")]}>"


class Span(NamedTuple):
    """The characters of a text from `start` up to, but not including, `end`."""

    start: int
    end: int


def culprit_span(operation: Operation, culprit: str, text: str, start: int, end: int) -> Span:
    """
    The span of the culprit, which is a property, an operand or a word, in the text of an operation
    from `start` to `end`. If the text does not name it, the span of the operation's name.
    """
    is_unknown = isinstance(operation, UnregisteredOp)
    own = operation.op_name.data if is_unknown else operation.name
    name = re.compile(rf'"?{re.escape(own)}"?(?![\w.$])').search(text, start, end)
    if name is None:
        # The operation in the text is lowered to this one.
        lowered = _OPERATION.match(text, start, end)
        return Span(start, start + 1) if lowered is None else Span(*lowered.span(1))
    # Comments are replaced by spaces, so that positions stay the same.
    own = _COMMENT.sub(lambda match: " " * len(match[0]), text[name.end() : end])
    for span in _spans(operation, culprit, own) if culprit else ():
        return Span(name.end() + span.start, name.end() + span.end)
    return Span(*name.span())


def following(operation: Operation) -> Operation | None:
    """The operation whose text comes next, in a region of `operation` or after it."""
    blocks = (block for region in operation.regions for block in region.blocks)
    return next((block.first_op for block in blocks if block.first_op), operation.next_op)


def closing(text: str, start: int, end: int | None = None) -> int:
    """The index of the bracket that closes the innermost bracket around `start`, or the end."""
    end = len(text) if end is None else end
    depth = 0
    for at in range(start, end):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth < 0:
            return at
    return end


def _spans(operation: Operation, culprit: str, text: str) -> Iterator[Span]:
    """The spans where a text names the culprit, the best one first."""
    attribute = operation.properties.get(culprit, operation.attributes.get(culprit))
    word = re.escape(culprit)
    if (match := re.search(rf"(?<![\w.$%@]){word}\s*=\s*(?=[^\s=])", text)) is not None:
        yield Span(match.start(), _value_end(text, match.end()))
    if attribute is not None and (spelled := _spelling(attribute)):
        for match in re.finditer(rf"(?<![\w.$%@]){re.escape(spelled)}(?![\w.$])", text):
            yield Span(*match.span())
    value = _operand(operation, culprit)
    if value is not None:
        yield from _operand_spans(operation, value, text)
    for match in re.finditer(rf"(?<![\w.$%@]){word}(?![\w.$])", text):
        yield Span(*match.span())


def _spelling(attribute: Attribute) -> str:
    """The spelling of an attribute's value in IR that does not name the attribute."""
    return attribute.data if isinstance(attribute, StringAttr) else str(attribute).split(" : ")[0]


def _value_end(text: str, start: int) -> int:
    """The index after a value in an attribute dictionary."""
    depth = 0
    strings = {match.start(): match.end() for match in _STRING.finditer(text, start)}
    at = start
    while at < len(text):
        if (after := strings.get(at)) is not None:
            at = after
            continue
        if text[at] in _OPENING:
            depth += 1
        elif text[at] in _CLOSING and text[at - 1 : at + 1] != "->":
            depth -= 1
        if depth < 0 or (depth == 0 and text[at] in ",\n"):
            break
        at += 1
    return start + len(text[start:at].rstrip())


def declared_culprit(operation: Operation, culprit: str) -> SSAValue | None:
    """The operand called `culprit`, if it is declared outside of the program with a type that has
    parameters, as a tensor map is: an error that blames it is one of its declaration, and all uses
    of the same kind have it."""
    value = _operand(operation, culprit) if culprit else None
    if not isinstance(value, BlockArgument) or isinstance(value.type, BuiltinAttribute):
        return None
    around = value.owner.parent_op()
    is_parameter = around is not None and around.has_trait(IsolatedFromAbove)
    return value if is_parameter and getattr(value.type, "parameters", ()) else None


def _operand(operation: Operation, name: str) -> SSAValue | None:
    """The operand called `name`; if it is variadic, its first value."""
    if not isinstance(operation, IRDLOperation):
        return None
    if all(name != each for each, _ in operation.get_irdl_definition().operands):
        return None
    value = cast("object", getattr(operation, name, None))
    if isinstance(value, SSAValue):
        return cast("SSAValue", value)
    values = cast("tuple[SSAValue, ...]", value) if isinstance(value, tuple) else ()
    return values[0] if values else None


def _operand_spans(operation: Operation, value: SSAValue, text: str) -> Iterator[Span]:
    spelled = [*_OPERAND.finditer(text)]
    for match in spelled:
        if match[0] == f"%{value.name_hint}":
            yield Span(*match.span())
    # A value with a numeric name has no name hint.
    if len(spelled) == len(operation.operands):
        yield Span(*spelled[[*operation.operands].index(value)].span())
