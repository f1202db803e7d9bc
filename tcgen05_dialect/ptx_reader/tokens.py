"""
Lexer of PTX text (PTX ISA 4): tokens, statements as a flat list of tokens, and faults with their
position.

Equality compares tokens and ignores positions. A block is the statements between an `Open` and a
`Close`. Because the list is flat, deeply nested blocks cannot exhaust the stack.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from ..isa.model.rule import Violation
from ..isa.ptx import kernel, ptx_text
from ..isa.ptx.kernel import FOLLOWING, IDENTIFIER
from ..isa.ptx.opcodes import OPCODES


def numbers() -> str:
    """The pattern of a constant; `constant_expression` checks the digits."""
    forms = [form for form in kernel.INTEGER_FORMS if form.prefix[1:]]
    integers = [f"{_prefix(form.prefix)}[{form.digits}]++{_SUFFIX}" for form in forms]
    floats = [
        f"{_prefix(prefix)}[0-9A-Fa-f]{{{width // 4}}}"
        for width, prefix in kernel.FLOAT_PREFIXES.items()
    ]
    return "|".join((*integers, *floats, f"{kernel.DECIMAL}{_SUFFIX}"))


def _prefix(prefix: str) -> str:
    return f"{prefix[0]}[{prefix[1].lower()}{prefix[1].upper()}]"


_SUFFIX = f"{kernel.UNSIGNED_SUFFIX}?"
_TOKEN = re.compile(
    rf"""
    # White space and comments before a token.
    (?: [ \t\n\r\f]++ | //[^\n\0]*+ | /\*(?:[^*\0]++|\*(?!/))*+\*/ )*+
    (?:
      (?P<name> {IDENTIFIER} | %{FOLLOWING}++ | _ )
    | (?P<number> (?: {numbers()} ) (?!{FOLLOWING}) )
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
    return begins and word != "%" and word not in kernel.PREDEFINED


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


_SHOWN = 40
"""Maximum number of characters of a token that a message shows."""
_BYTES = range(0xDC80, 0xDD00)
"""The characters that Python's surrogateescape substitutes for bytes that are not UTF-8."""


class Fault(Exception):
    """A violation and the part of the text that causes it."""

    def __init__(self, violation: Violation, start: int, end: int):
        super().__init__(violation, start, end)
        self.violation = violation
        self.start = start
        self.end = end
        self.subject = ""
        """The name of the instruction with the fault, if any."""
        self.others: Sequence[Fault] = ()
        """Further faults of the same instruction."""


class SurplusFault(Fault):
    """A fault of an operand that has no place in the instruction with these qualifiers."""


class TypeFault(Fault):
    """A fault of the type of a register. If it is not certain, PTX may take the register although
    the dialect does not."""

    def __init__(self, violation: Violation, start: int, end: int, is_certain: bool = True):
        super().__init__(violation, start, end)
        self.is_certain = is_certain


def quoted(*marks: str) -> str:
    """Punctuation as a message writes it, as alternatives."""
    return " or ".join(f"'{mark}'" for mark in marks)


def described(token: Token) -> str:
    """The text of a token in a message; a character that PTX does not allow is named."""
    if token.kind == "end":
        return "the end of the text"
    text = token.text.partition("\n")[0]
    if len(token.text) == 1 and token.kind == "bad" and not " " < text < "\x7f":
        code = ord(token.text)
        if code in _BYTES:
            return f"byte 0x{code % 256:02X}, which is not UTF-8"
        return f"U+{code:04X} {unicodedata.name(token.text, '')}".rstrip()
    if token.kind == "mark":
        return quoted(text)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


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
        """Whether the current token begins an instruction with qualifiers: it is a name, and the
        next token is a word that does not select part of an operand."""
        if self.token.kind != "name" or self.token.text.startswith("%"):
            return False
        following = PtxLexer(self.text, self.token.end).next()
        if following.kind != "word":
            return False
        # .b32 may select bytes of an operand; no operand is called `and` and begins a line.
        is_operand = ptx_text.SELECTOR.fullmatch(following.text) is not None
        return not is_operand or (self.token.text in OPCODES and self._on_new_line())

    def _begins_another(self) -> bool:
        """
        Whether the current token begins another statement, if it does not continue an operand.
        """
        token = self.token
        on_new_line = self._on_new_line() and self._begins_statement(token)
        return on_new_line or token.text == "@" or self._is_opcode()

    def _unended(self, legal: str, what: str) -> Fault:
        """The fault of a statement whose end is missing before the next statement."""
        help_ = next((f"write {mark} here" for mark in ";:" if quoted(mark) in legal), "")
        violation = ptx_text.SYNTAX_RULE.violation(described(self.token), legal, what, help=help_)
        return Fault(violation, self.end, self.end + 1)

    @staticmethod
    def _begins_statement(token: Token) -> bool:
        if token.kind == "name":
            return not token.text.startswith("%")
        return token.kind == "word" and not ptx_text.SELECTOR.fullmatch(token.text)


_NO_TEXT = re.compile(r"[\0-\x08\x0e-\x1f\x7f\ud800-\udfff]")
"""A character that text does not contain: a control character, or the surrogate of a byte that is
not UTF-8."""
_CONTROL = re.compile(r"[\0-\x08\x0e-\x1f\x7f]")
_BEGINNING = 4096
"""The number of characters that are inspected to recognise a file that is not text."""
_FEW = 8
"""The number of control characters that the beginning of a text may always contain."""


def no_text_fault(text: str, start: int, is_first: bool) -> Fault | None:
    """
    The fault of a file that is not text, and the only one to report; None for text.

    `start` is the place of the first other fault; `is_first` tells that no statement precedes it.
    """
    place = start
    if not is_first or not _NO_TEXT.match(text, start):
        length = min(len(text), _BEGINNING)
        controls = [match.start() for match in _CONTROL.finditer(text, 0, length)]
        if len(controls) <= max(_FEW, length // 20):
            return None
        place = controls[0]
    character = described(Token("bad", text[place], place, place + 1))
    help_ = "give the PTX text of the kernel; cuobjdump -ptx prints that of a compiled program"
    violation = ptx_text.SYNTAX_RULE.violation(character, "PTX", "the text", help=help_)
    return Fault(violation, place, place + 1)


@dataclass(slots=True)
class _Placed:
    """A part of the text, from index `start` up to `end`."""

    start: int = field(compare=False, repr=False)
    end: int = field(compare=False, repr=False)


@dataclass(slots=True)
class Word(_Placed):
    """A token."""

    text: str


@dataclass(slots=True)
class Operand(_Placed):
    """
    An operand. Its `form` is one of:

    - `{`: a vector of `parts`;
    - `[`: an address, with `parts` between the brackets;
    - `|`: alternatives, such as two destinations;
    - empty: an expression; `words` are its tokens. A register, a constant or a name is one token.
    """

    form: Literal["", "{", "[", "|"]
    words: tuple[str, ...] = ()
    parts: "tuple[Operand, ...]" = ()


@dataclass(slots=True)
class Label(_Placed):
    """`name:`"""

    name: str


@dataclass(slots=True)
class Open(_Placed):
    """The beginning of a block."""


@dataclass(slots=True)
class Close(_Placed):
    """The end of a block."""


@dataclass(slots=True)
class Directive(_Placed):
    """A directive: the texts of its tokens without the final semicolon. `terminated` tells whether
    it has a semicolon."""

    words: tuple[str, ...]
    terminated: bool


@dataclass(slots=True)
class Guard(_Placed):
    """`@name`, or `@!name` if negated."""

    name: str
    negated: bool


@dataclass(slots=True)
class InstructionStatement(_Placed):
    """An instruction; its opcode is split at the dots."""

    guard: Guard | None
    opcode: tuple[Word, ...]
    operands: tuple[Operand, ...]

    @property
    def first(self) -> str:
        """The first word of the opcode."""
        return self.opcode[0].text


Statement: TypeAlias = Label | Open | Close | Directive | InstructionStatement


_BRACKETS = frozenset("()[]{},")


def _is_wordy(text: str) -> bool:
    return PtxLexer(text).next().kind in WORDY


def _space(word: str, following: str) -> str:
    """A space between two words, if they would otherwise merge or be hard to read; else nothing."""
    if word == "," or "=" in (word, following):
        return " "
    if following in _BRACKETS:
        return " " if following == "{" and _is_wordy(word) else ""
    if word in _BRACKETS:
        return " " if word in ")]}" and _is_wordy(following) else ""
    # A percent sign would become part of the name after it.
    return " " if word == "%" or _is_wordy(word) == _is_wordy(following) else ""


def joined(words: Sequence[str]) -> str:
    """Text that is read as the tokens `words`."""
    spaces = [_space(word, following) for word, following in pairwise(words)]
    return "".join([part for pair in zip(words, [*spaces, ""], strict=True) for part in pair])


def operand_words(operand: Operand) -> Iterator[str]:
    """The tokens of an operand and its parts."""
    yield from operand.words
    for part in operand.parts:
        yield from operand_words(part)


def operand_text(operand: Operand) -> str:
    """The text of an operand."""
    match operand.form:
        case "":
            return operand.words[0] if len(operand.words) == 1 else joined(operand.words)
        case "|":
            return "|".join(map(operand_text, operand.parts))
        case "{":
            return f"{{{', '.join(map(operand_text, operand.parts))}}}"
        case "[":
            return f"[{', '.join(map(operand_text, operand.parts))}]"


def _instruction(statement: InstructionStatement) -> str:
    guard = statement.guard
    sign = "" if guard is None else f"@{'!' if guard.negated else ''}{guard.name} "
    opcode = "".join([word.text for word in statement.opcode])
    if not statement.operands:
        return f"{sign}{opcode};"
    return f"{sign}{opcode} {', '.join(map(operand_text, statement.operands))};"


def statement_text(statement: Statement) -> str:
    """The text of a statement."""
    match statement:
        case InstructionStatement():
            return _instruction(statement)
        case Directive():
            return joined(statement.words) + (";" if statement.terminated else "")
        case Label():
            return f"{statement.name}:"
        case Open():
            return "{"
        case Close():
            return "}"
