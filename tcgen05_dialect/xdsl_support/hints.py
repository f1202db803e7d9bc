"""Hints of syntax errors in IR: what to write instead."""

import re
from collections.abc import Collection

from xdsl.ir import Operation
from xdsl.utils.lexer import Span

from ..isa.model.rule import alternatives, did_you_mean
from .messages import QUALIFIER_HELP, Expectation

_PTX_QUALIFIER = re.compile(r"::(\w+)")
_TYPES_PART = re.compile(r"`([^`]+)`|type\(\$(\w+)\)")
_TYPE = re.compile(r"(?:[bfisu]|bf|tf|si|ui)([0-9]+)(?![0-9]|x2)")
_BRACKETS = {"'{'": "{{{}}}", "'['": "[{}]", "'('": "({})"}
"""Expected bracket -> how to write a value in such brackets."""
_BRACKET = re.compile(r"[(\[{<)\]}]|(?<!-)>")
_A_TYPE = "write : and the type, as in : i32"


def hint(
    expected: Expectation, found: Span[str], name: str, op_type: type[Operation] | None
) -> str:
    """
    The hint for a text that is not as expected, in an operation called `name`; empty if there is
    none.
    """
    text = found.input.content
    if (match := _PTX_QUALIFIER.match(text, found.start)) is not None:
        if match[1] in expected.words:
            return f"qualifiers of PTX are words in IR: write {name} {match[1]}"
        return QUALIFIER_HELP
    first = expected.phrase.split()[0].rstrip(",")
    if (bracket := _BRACKETS.get(first)) is not None and found.text.startswith("%"):
        return f"write {bracket.format(found.text)}"
    if expected.phrase in ("':'", "'to'"):
        word = expected.phrase.strip("'")
        match _open_bracket(text[text.rfind(name, 0, found.start) : found.start]):
            case "":
                return _types(word, op_type)
            case "(" if word == ":":
                other: str = getattr(op_type, "OTHER", "")
                return f"{_A_TYPE}; {other}" if other else _A_TYPE
            case _:
                return ""
    return _of_width(found.text, expected.words) or did_you_mean(
        found.text.strip('"'), expected.words
    )


def _of_width(found: str, words: Collection[str]) -> str:
    """The hint for an unknown type among words for types: those of as many bits, if any."""
    bits = _bits_of(found)
    fitting = {word for word in words if bits and _bits_of(word) == bits}
    return f"for {bits} bits, write {alternatives(fitting)}" if fitting else ""


def _bits_of(text: str) -> str:
    """The digits of the width of a type, such as 8 for f8E4M3FN; empty for other words."""
    match = _TYPE.match(text)
    return "" if match is None else match[1]


def _open_bracket(text: str) -> str:
    """The innermost bracket that a text leaves open; empty if there is none."""
    opened = [""]
    for bracket in _BRACKET.findall(text):
        if bracket in "([{<":
            opened.append(bracket)
        elif len(opened) > 1:
            opened.pop()
    return opened[-1]


def _types(word: str, op_type: type[Operation] | None) -> str:
    """The hint for an operation that lacks the part with its types, from a word on."""
    typed: tuple[str, ...] = getattr(op_type, "TYPED", ())
    types = "`,`".join(f" type(${name}) " for name in typed)
    syntax: str = getattr(op_type, "assembly_format", None) or (f"`:`{types}" if typed else "")
    _, found, after = syntax.rpartition(f"`{word}`")
    if not found:
        return _A_TYPE if word == ":" else ""
    parts = _TYPES_PART.findall(after)
    written = word + "".join(
        (f" {literal}" if literal.isalpha() else literal) if literal else " TYPE"
        for literal, _ in parts
    )
    *others, last = [_described(name) for _, name in parts if name]
    names = f"types of {', '.join(others)} and {last}" if others else f"type of {last}"
    return f"end the operation with {written}, the {names}"


def _described(name: str) -> str:
    """The name of an operand or a result in a sentence: `d` is D."""
    return name.upper() if len(name) == 1 else f"the {name.replace('_', ' ')}"
