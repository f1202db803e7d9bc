"""The tokens of a parser, and its faults."""

from ..isa.ptx import ptx_text
from .fault import Fault, described, quoted
from .tokens import PtxLexer, Token

CLOSING = {"{": "}", "[": "]", "(": ")"}
DEEPEST = 8
"""Maximum nesting depth of brackets; legal operands need two."""


class TokenParser:
    """What parsers of all statements share: the current token, and faults at it."""

    def __init__(self, text: str, start: int = 0):
        self.text = text
        self.lexer = PtxLexer(text, start)
        self.end = 0
        """The end of the token before the current one."""
        self.token = self.lexer.next()
        self.open: list[str] = []
        """The closing brackets that the current statement still needs."""
        self.texts: dict[str, str] = {}

    def _advance(self) -> Token:
        """Return the current token, and move to the next."""
        token = self.token
        self.end = token.end
        self.token = self.lexer.next()
        return token

    def _shared(self, token: Token) -> str:
        """The text of a token; tokens with the same text share one string object."""
        return self.texts.setdefault(token.text, token.text)

    def _fault(self, legal: str, what: str) -> Fault:
        """The fault of the current token, or of the missing end of the statement before it."""
        if self._begins_another():
            return self._unended(legal, what)
        found = ptx_text.SYNTAX_RULE.violation(described(self.token), legal, what)
        first_line = self.token.text.partition("\n")[0]
        return Fault(found, self.token.start, self.token.start + len(first_line))

    def _expect_kind(self, kind: str, what: str) -> Token:
        if self.token.kind != kind:
            raise self._fault("a directive" if kind == "word" else f"a {kind}", what)
        return self._advance()

    def _on_new_line(self) -> bool:
        return "\n" in self.text[self.end : self.token.start]

    def _is_opcode(self) -> bool:
        """
        Whether the current token begins an instruction with qualifiers: it is a name, and the next
        token is a word that does not select part of an operand.
        """
        if self.token.kind != "name" or self.token.text.startswith("%"):
            return False
        following = PtxLexer(self.text, self.token.end).next()
        return following.kind == "word" and not ptx_text.SELECTOR.fullmatch(following.text)

    def _begins_another(self) -> bool:
        """
        Whether the current token begins another statement, if it does not continue an operand.
        """
        token = self.token
        on_new_line = self._on_new_line() and self._begins_statement(token)
        return on_new_line or token.text == "@" or self._is_opcode()

    def _unended(self, legal: str, what: str) -> Fault:
        """The fault of a statement whose end is missing before the next statement."""
        help_ = "write ; here" if quoted(";") in legal else ""
        violation = ptx_text.SYNTAX_RULE.violation(described(self.token), legal, what, help=help_)
        return Fault(violation, self.end, self.end + 1)

    @staticmethod
    def _begins_statement(token: Token) -> bool:
        if token.kind == "name":
            return not token.text.startswith("%")
        return token.kind == "word" and not ptx_text.SELECTOR.fullmatch(token.text)
