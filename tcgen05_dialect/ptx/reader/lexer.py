"""The tokens of PTX text (PTX ISA 4)."""

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
    (?: \s++ | //[^\n]*+ | /\*(?:[^*]++|\*(?!/))*+\*/ )*+   # what stands before a token
    (?:
      (?P<name> [A-Za-z_$][\w$]*+ | %[\w$]++ )
    | (?P<word> \.[A-Za-z0-9_$][\w$]*+ (?: ::\w++ )*+ )
    | (?P<number> (?: 0[xX][0-9A-Fa-f]++U? | 0[bB][01]++U? | 0[fF][0-9A-Fa-f]{8}
                    | 0[dD][0-9A-Fa-f]{16} | \d++(?:\.\d*+)?(?:[eE][+-]?\d++)?U? ) (?![\w$]) )
    | (?P<string> "[^"\n]*+" )
    | (?P<mark> && | \|\| | << | >> | == | != | <= | >= | [][{}()<>,;:+\-*/%&|^~!=?@] (?<!/(?=\*)) )
    | (?P<end> \Z )
    | (?P<bad> /\*.*+ | "[^\n]*+ | [\w$]++ | . )
    )
    """,
    re.ASCII | re.VERBOSE | re.DOTALL,
)

WORDY = frozenset(("name", "word", "number", "string"))
"""Kinds of tokens that need a space between them."""


class Token(NamedTuple):
    """
    A token, and where in the text it begins and ends.

    The kinds: `name`, `word` (what begins with a dot: a directive or a qualifier), `number`,
    `string`, `mark` (punctuation), `end` (of the text) and `bad` (what no token begins with).
    """

    kind: str
    text: str
    start: int
    end: int


class Lexer:
    """Gives the tokens of a text one after the other; `end` again and again once it is over."""

    def __init__(self, text: str, start: int = 0):
        self.text = text
        self._position = start

    def next(self) -> Token:
        match = _TOKEN.match(self.text, self._position)
        assert match is not None and match.lastgroup is not None
        kind = match.lastgroup
        start, self._position = match.span(kind)
        return Token(kind, match[kind], start, self._position)
