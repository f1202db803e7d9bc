"""
Messages of syntax errors in IR, in one shape (`expected X; found Y`), and hints of what to write
instead.

xDSL words what it expects in many ways, such as "type expected" or "Expected block argument!".
The patterns are strings, because only messages need them compiled.
"""

import re
from collections.abc import Collection
from typing import NamedTuple

from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException
from xdsl.utils.lexer import Span

from ..isa.model.rule import alternatives, did_you_mean, printable

QUALIFIER_HELP = "qualifiers of PTX are keywords in IR, as in cta_group_2"
RESULTS = r"(?:%[\w$.-]+(?:\s*:\s*[0-9]+)?\s*,\s*)*+%[\w$.-]+(?:\s*:\s*[0-9]+)?\s*="
"""The pattern of the names of results before an operation."""
_SHOWN = 40
"""The most characters that a message shows."""
_BEFORE = r"[Ee]xpect(?:ed)? (.+)"
_BEHIND = r"(.+?) expected((?: (?:after|before|in)\b.*)?)"
_ONE_OF = r"(?:(.+?) or )?one of ((?:'[^']+'(?:, )?)+)(.*)"
_TOKEN = r", got [A-Z_]+$"
"""The name that xDSL gives to the kind of the token that was found."""
_QUOTED = r"'([^']+)'"
_TERMS = {
    "bare-id or string-literal here as part of attribute entry": "the name of an attribute",
    "block argument": "an argument such as %x : i32",
    "block-id": "a block such as ^next",
    "boolean literal": "true or false",
    "float literal": "a float",
    "identifier": "a name",
    "integer literal": "an integer",
    "result SSA value": "the name of a result, such as %x",
    "SSA value tuple size": "a number of results",
    "successor": "a block such as ^next",
    "symbol name": "a name such as @kernel",
}
"""Terms of xDSL -> the words of messages."""
_NO_ARTICLE = r"""['`]|\w+:|(?:a|an|the|at|either|M|rows|[0-9]+)\b"""
_STRING = r'"(?:[^"\\\n\v\f]|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+'
"""A string up to its closing quote, or up to what does not belong in it."""
_ESCAPES = r"the escapes are \n, \t, \\, \" and two hexadecimal digits, as in \0A"


class Expectation(NamedTuple):
    """What was expected, as a noun phrase, and the legal words if the message lists them."""

    phrase: str
    words: frozenset[str] = frozenset()


def expectation(message: str) -> Expectation | None:
    """What a message says was expected; None for one that says more, and of another kind."""
    text = re.sub(_TOKEN, "", message.rstrip(" .!"))
    if "; found " in text or " but " in text:
        return None
    if (match := re.fullmatch(_BEFORE, text)) is not None:
        wanted, where = match[1], ""
    elif (match := re.fullmatch(_BEHIND, text)) is not None:
        wanted, where = match[1], match[2]
    else:
        return None
    if (listed := re.fullmatch(_ONE_OF, wanted)) is not None:
        words = frozenset(re.findall(_QUOTED, listed[2]))
        comma = "" if listed[1] is None else f"{listed[1]}{', ' if len(words) > 1 else ' or '}"
        return Expectation(comma + alternatives(words) + listed[3] + where, words)
    if (term := _TERMS.get(wanted)) is None:
        article = "" if re.match(_NO_ARTICLE, wanted) else "an " if wanted[0] in "aeio" else "a "
        term = article + wanted
    return Expectation(term + where)


def sentence(message: str) -> str:
    """A message as the others are written: without a capital, and without a mark at its end."""
    text = message.rstrip(" .!")
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def described(span: Span[str]) -> str:
    """The text of a span as a message quotes it."""
    text = printable(span.text)
    if not text:
        return "the end of the text"
    if not any(character.isalnum() for character in text):
        return f"'{text}'"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def no_token(span: Span[str]) -> tuple[str, str]:
    """The message for text that is no token of IR, and how to fix it."""
    text = span.input.content
    match text[span.start]:
        case '"' if (string := re.match(_STRING, text[span.start :])) is not None:
            wrong = text[span.start + string.end() :][:2]
            if wrong.startswith("\\") and wrong[1:].strip():
                return f"{printable(wrong)} is no escape in a string", _ESCAPES
            return "this string is not closed", 'write " at its end, in the same line'
        case "%" | "^" | "!" | "#" | "@" as sign:
            return f"expected a name after {sign}", ""
        case first:
            return f"{printable(first)} begins nothing that IR knows", ""


def description(error: Exception) -> str:
    """
    The message of an error that xDSL raises for unexpected text.

    The classes below have messages for users. xDSL raises NotImplementedError for MLIR syntax that
    it does not support, and names the syntax.
    """
    if isinstance(error, DiagnosticException | ValueError | NotImplementedError):
        return sentence(str(error))
    return "cannot be read: its operands, attributes, types or regions are not those that it has"


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
    """The hint for a text that is not as expected, in an operation called `name`; empty if there is
    none."""
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
    """The hint for an unknown type: the types of as many bits among the words, if any."""
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
