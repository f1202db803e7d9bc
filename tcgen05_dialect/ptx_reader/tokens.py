"""Lexer of PTX text (PTX ISA 4)."""

import re
from typing import NamedTuple

from ..isa.ptx import constant
from ..isa.ptx.kernel import FOLLOWING, IDENTIFIER


def _numbers() -> str:
    """The pattern of a constant; `constant_expression` checks the digits."""
    forms = [form for form in constant.INTEGER_FORMS if form.prefix[1:]]
    integers = [f"{_prefix(form.prefix)}[{form.digits}]++{_SUFFIX}" for form in forms]
    floats = [
        f"{_prefix(prefix)}[0-9A-Fa-f]{{{width // 4}}}"
        for width, prefix in constant.FLOAT_PREFIXES.items()
    ]
    return "|".join((*integers, *floats, f"{constant.DECIMAL}{_SUFFIX}"))


def _prefix(prefix: str) -> str:
    return f"{prefix[0]}[{prefix[1].lower()}{prefix[1].upper()}]"


_SUFFIX = f"{constant.UNSIGNED_SUFFIX}?"
_TOKEN = re.compile(
    rf"""
    # White space and comments before a token.
    (?: [ \t\n\r\f]++ | //[^\n\0]*+ | /\*(?:[^*\0]++|\*(?!/))*+\*/ )*+
    (?:
      (?P<name> {IDENTIFIER} | %{FOLLOWING}++ | _ )
    | (?P<number> (?: {_numbers()} ) (?!{FOLLOWING}) )
    | (?P<word> \.{FOLLOWING}++ (?: ::\w++ )*+ )
    | (?P<string> "[^"\n\0\x80-\U0010ffff]*+" )
    | (?P<mark> && | \|\| | << | >> | == | != | <= | >=
              | [][{{}}()<>,;:+\-*/%&|^~!=?@] (?<!/(?=\*)) )
    | (?P<end> \Z )
    | (?P<bad> /\*.*+ | "[^"\n]*+"?+ | {FOLLOWING}++ | . )
    )
    """,
    re.ASCII | re.VERBOSE | re.DOTALL,
)


def is_name(word: str) -> bool:
    """Whether a token is a name that a program may declare, or the name of a special register."""
    begins = word[0].isalpha() or word[0] in "%_$"
    return begins and word != "%" and word not in constant.PREDEFINED


WORDY = frozenset(("name", "word", "number", "string"))
"""Kinds of tokens that need a space between each other."""


class Token(NamedTuple):
    """
    A token, from `start` to `end` in the text.

    Its `kind` is `name`, `word` (a directive or a qualifier; it begins with a dot), `number`,
    `string`, `mark` (punctuation), `end` (of the text) or `bad` (characters that form no token).
    """

    kind: str
    text: str
    start: int
    end: int


class PtxLexer:
    """Lexer of a text; after the last token, `next` always returns `end`."""

    def __init__(self, text: str, start: int = 0):
        self.text = text
        self._position = start

    def next(self) -> Token:
        match = _TOKEN.match(self.text, self._position)
        assert match is not None and match.lastgroup is not None
        kind = match.lastgroup
        start, self._position = match.span(kind)
        return Token(kind, match[kind], start, self._position)
