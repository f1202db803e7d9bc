"""
The parser of PTX statements, which parses a form, the common text of similar instructions, once.

A kernel has few forms and repeats them. An instruction of a known form is parsed only when its
operands are used; for kernels of other compilers, this halves the time of reading.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from ..isa.ptx import ptx_text
from ..isa.ptx.kernel import FOLLOWING, INTEGER_TYPES
from ..isa.ptx.opcodes import OPCODES
from .declarations import DirectiveParser
from .tokens import (
    CLOSING,
    DEEPEST,
    WORDY,
    Close,
    Directive,
    Fault,
    Guard,
    InstructionStatement,
    Label,
    Open,
    Operand,
    PtxLexer,
    Statement,
    Token,
    Word,
    is_name,
    no_text_fault,
    quoted,
)

if TYPE_CHECKING:
    from .scope import Scope

_CLOSING = {"{": "}", "[": "]", "|": "|"}
_LEAF = re.compile(rf"(%{FOLLOWING}++|(?<![\w$.:%])[0-9]++(?!{FOLLOWING}|\.))", re.ASCII)
"""A register or a decimal integer, as tokens are cut."""
_GUARDS = {"@": False, "@!": True}
"""Text before the predicate of a guard -> whether it is negated."""
LONGEST = 4096
"""The most characters of an instruction that has a form."""


class Skeleton(NamedTuple):
    """The opcode and the operands of an instruction without the words that may be leaves."""

    pieces: Sequence[str]
    """The texts before, between and after these words."""
    words: Sequence[str]
    """The words: names, and decimal integers that are whole operands or offsets of addresses."""


def skeleton_of(statement: InstructionStatement) -> Skeleton:
    """The skeleton of an instruction."""
    pieces = ["".join([word.text for word in statement.opcode])]
    words: list[str] = []
    for operand in statement.operands:
        _add(operand, pieces, words)
    return Skeleton(pieces, words)


def _add(operand: Operand, pieces: list[str], words: list[str]) -> None:
    """Add the parts of an operand to a skeleton."""
    pieces[-1] += f",{operand.form}"
    if operand.form:
        for part in operand.parts:
            _add(part, pieces, words)
        pieces[-1] += _CLOSING[operand.form]
        return
    for word, is_open in open_words(operand):
        if is_open:
            words.append(word)
            pieces.append("")
        else:
            pieces[-1] += f"{word} "


def open_words(operand: Operand) -> Iterator[tuple[str, bool]]:
    """The words of an operand, and whether each may be a leaf."""
    words = operand.words
    # An integer is a leaf as a whole operand, or as an offset of an address.
    has_integers = len(words) == 1 or (len(words) == 3 and words[1] == "+")
    for word in words:
        yield word, is_name(word) or (has_integers and word.isdecimal())


class Form:
    """The form of instructions; `parse` parses the one at an index into the text."""

    def __init__(
        self,
        statement: InstructionStatement,
        skeleton: Skeleton,
        parse: Callable[[int], InstructionStatement],
    ):
        self.first = statement.first
        self.pieces = skeleton.pieces
        self.parse = parse
        guard = statement.guard
        self._negated = None if guard is None else guard.negated
        first = 0 if guard is None else 1
        order: list[int | str] = []
        for word in skeleton.words:
            order.append(first if _LEAF.fullmatch(word) else word)
            first += order[-1] is not word
        names = any(isinstance(each, str) for each in order)
        self._order = order if names else None
        """The words of the skeleton, leaves by their number; None if all are leaves in order."""

    def statement(self, start: int, end: int, leaves: Sequence[str]) -> "FormedStatement":
        """The instruction with these leaves in the text."""
        guard = None
        if self._negated is not None:
            behind = start + (2 if self._negated else 1) + len(leaves[0])
            guard = Guard(start, behind, leaves[0], self._negated)
        if self._order is not None:
            words = [each if isinstance(each, str) else leaves[each] for each in self._order]
        else:
            words = leaves if guard is None else leaves[1:]
        return FormedStatement(start, end, guard, self, words)


class FormedStatement(InstructionStatement):
    """An instruction of a known form, which is parsed when its opcode or operands are asked for."""

    __slots__ = ("form", "words")

    def __init__(self, start: int, end: int, guard: Guard | None, form: Form, words: Sequence[str]):
        self.start = start
        self.end = end
        self.guard = guard
        self.form = form
        self.words = words

    def __getattr__(self, name: str) -> object:
        """The attributes that are not set yet."""
        if name not in ("opcode", "operands"):
            raise AttributeError(name)
        parsed = self.form.parse(self.start)
        self.opcode, self.operands = parsed.opcode, parsed.operands
        return getattr(parsed, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, InstructionStatement) and (
            (self.guard, self.opcode, self.operands) == (other.guard, other.opcode, other.operands)
        )

    @property
    def first(self) -> str:
        return self.form.first

    @property
    def skeleton(self) -> Skeleton:
        return Skeleton(self.form.pieces, self.words)


def cut(text: str) -> tuple[tuple[str, ...], list[str]]:
    """The text of an instruction without registers and integers, and these."""
    parts = _LEAF.split(text)
    return tuple(parts[::2]), parts[1::2]


def form_of(
    statement: InstructionStatement,
    key: Sequence[str],
    leaves: Sequence[str],
    parse: Callable[[int], InstructionStatement],
) -> Form | None:
    """The form of an instruction whose text was cut into `key` and `leaves`; None if it has none,
    because its tokens are cut in other ways, for example by a comment."""
    guard = statement.guard
    skeleton = skeleton_of(statement)
    found = [word for word in skeleton.words if _LEAF.fullmatch(word)]
    if guard is not None:
        if _GUARDS.get(key[0]) is not guard.negated:
            return None
        found.insert(0, guard.name)
    return Form(statement, skeleton, parse) if found == leaves else None


_FORMS: dict[str, Literal["{", "["]] = {"{": "{", "[": "["}
_ENDS = frozenset((",", ";", "]", "}", "|"))
"""Tokens that end an operand, outside parentheses."""
_CLOSERS = frozenset(("]", ")"))
_STATEMENT = "an instruction, a directive, a label"
_OPERAND = "a register, a constant, a name, an address or a vector"


def _is_alternative(words: Sequence[str]) -> bool:
    """Whether a bar after these words begins another destination; otherwise it is an operator."""
    return len(words) == 1 and is_name(words[0])


class StatementParser(DirectiveParser):
    """A parser that continues with the next statement after a fault."""

    def __init__(self, text: str, start: int = 0):
        super().__init__(text, start)
        self.statements: list[Statement] = []
        self.faults: list[Fault] = []
        self.forms: dict[tuple[str, ...], Form | None] = {}
        """What remains of the text of an instruction without leaves -> its form, if it has one."""
        self.vectors: Scope | None = None
        """The declarations of vectors of registers, and those after them; None without vectors."""
        self._has_vector = False
        """Whether an operand of this statement is the name of a vector."""

    def parse(self) -> None:
        """Parse the whole text into `statements` and `faults`."""
        while self.token.kind != "end":
            first = self.token
            self.open.clear()
            try:
                statement = self._next()
                self.statements.append(statement)
                if isinstance(statement, Directive | Open | Close):
                    self._declare(statement)
            except Fault as fault:
                if not self.faults:
                    refused = no_text_fault(self.text, fault.start, not self.statements)
                    if refused is not None:
                        self.statements, self.faults = [], [refused]
                        return
                # Without a traceback, which would keep the frames of the parser alive.
                self.faults.append(fault.with_traceback(None))
                self._recover(first)
        for block in self.blocks:
            violation = ptx_text.SYNTAX_RULE.violation(
                None, "}", sentence="this { is not closed", help="close the block with }"
            )
            self.faults.append(Fault(violation, block.start, block.end))

    def _recover(self, first: Token) -> None:
        """
        Skip to the next possible statement: after a semicolon, at a line that begins like a
        statement, or at an opcode. Braces inside an instruction delimit operands and are skipped.
        """
        if self.token is first:
            self._advance()
        depth = self.open.count("}")
        while (token := self.token).kind != "end":
            if token.text == ";":
                self._advance()
                return
            if self._begins_another():
                return
            if token.text == "{":
                if first.kind == "word":
                    return
                depth += 1
            elif token.text == "}":
                if depth == 0:
                    return
                depth -= 1
            self._advance()

    # Statements.

    def _next(self) -> Statement:
        """The next statement; an instruction of a known form is not parsed."""
        start = self.token.start
        end = self.text.find(";", start, start + LONGEST) + 1
        if not end or not (self.token.kind == "name" or self.token.text == "@"):
            return self._statement()
        key, leaves = cut(self.text[start:end])
        form = self.forms.get(key)
        if form is not None and (self.vectors is None or not any(map(self._members, leaves))):
            self.end = end
            self.lexer = PtxLexer(self.text, end)
            self.token = self.lexer.next()
            return form.statement(start, end, leaves)
        self._has_vector = False
        statement = self._statement()
        is_whole = statement.end == end and not self._has_vector
        if is_whole and isinstance(statement, InstructionStatement):
            self.forms[key] = form_of(statement, key, leaves, self._parsed)
        return statement

    def _declare(self, statement: Directive | Open | Close) -> None:
        """Record the declarations from the first one of vectors of registers on, and their
        blocks."""
        if self.vectors is None:
            words = statement.words if isinstance(statement, Directive) else ()
            if words[:1] != (ptx_text.REGISTER,) or ptx_text.VECTOR_MEMBERS.keys().isdisjoint(
                words
            ):
                return
            # Imported here, because few texts need it.
            from .scope import Scope

            self.vectors = Scope()
            for block in self.blocks:
                self.vectors.see(block)
        self.vectors.see(statement)

    def _members(self, name: str) -> Sequence[str]:
        """The elements of the vector of registers with a name; empty for other names."""
        declared = None if self.vectors is None else self.vectors.find(name)
        return () if declared is None else [name + each for each in declared.elements]

    def _parsed(self, start: int) -> InstructionStatement:
        """The instruction, which has no faults, at an index into the text."""
        statement = StatementParser(self.text, start)._statement()
        assert isinstance(statement, InstructionStatement)
        return statement

    def _statement(self) -> Statement:
        token = self.token
        if token.kind == "name":
            self._advance()
            if self.token.text == ":":
                self._advance()
                return Label(token.start, self.end, self._shared(token))
            if token.text.startswith("%"):
                raise self._fault(quoted(":"), f"token after {token.text}")
            return self._instruction(token.start, None, token)
        if token.kind == "word":
            return self._directive()
        match token.text:
            case "@":
                guard = self._guard()
                opcode = self._expect_kind("name", "instruction after a guard")
                return self._instruction(token.start, guard, opcode)
            case "{":
                self._advance()
                block = Open(token.start, self.end)
                self.blocks.append(block)
                return block
            case "}" if self.blocks:
                self._advance()
                self.blocks.pop()
                return Close(token.start, self.end)
            case "}":
                raise self._fault(f"{_STATEMENT} or {{, because no block is open", "statement")
            case _:
                raise self._fault(f"{_STATEMENT} or a block", "statement")

    def _guard(self) -> Guard:
        start = self._advance().start
        negated = self.token.text == "!"
        if negated:
            self._advance()
        name = self._expect_kind("name", "predicate of a guard")
        return Guard(start, self.end, self._shared(name), negated)

    # Instructions.

    def _instruction(self, start: int, guard: Guard | None, name: Token) -> InstructionStatement:
        opcode = [Word(name.start, name.end, self._shared(name))]
        while self.token.kind == "word":
            word = self._advance()
            opcode.append(Word(word.start, word.end, self._shared(word)))
        if self.token.text == ":" and len(opcode) > 1:
            raise self._fault(quoted("::"), f"token after {opcode[-1].text}")
        operands: list[Operand] = []
        if not (self.token.text in (";", "@") or self.token.kind == "end" or self._is_opcode()):
            operands.append(self._operand())
            while self.token.text == ",":
                self._advance()
                operands.append(self._operand())
        if self.token.text == ";":
            self._advance()
        else:
            what = f"end of {''.join([word.text for word in opcode])}"
            if not self._begins_another():
                raise self._fault(quoted(",", ";") if operands else quoted(";"), what)
            is_label = len(opcode) == 1 and opcode[0].text not in OPCODES
            self.faults.append(self._unended(quoted(":" if is_label else ";"), what))
        return InstructionStatement(start, self.end, guard, tuple(opcode), tuple(operands))

    def _operand(self) -> Operand:
        first = self._alternative()
        if self.token.text != "|":
            return first
        parts = [first]
        while self.token.text == "|":
            self._advance()
            parts.append(self._alternative())
        return Operand(first.start, self.end, "|", parts=tuple(parts))

    def _alternative(self) -> Operand:
        form = _FORMS.get(self.token.text)
        if form is None:
            return self._expression()
        if len(self.open) == DEEPEST:
            raise self._fault(f"at most {DEEPEST} deep", "nesting of brackets")
        start = self._advance().start
        self.open.append(CLOSING[form])
        parts = [self._operand()]
        while self.token.text == ",":
            self._advance()
            parts.append(self._operand())
        if self.token.text != self.open[-1]:
            raise self._fault(quoted(",", self.open[-1]), "end of the operand")
        self.open.pop()
        self._advance()
        return Operand(start, self.end, form, parts=tuple(parts))

    def _expression(self) -> Operand:
        """A register, a name, a constant, or an expression of several tokens."""
        start, words = self.token.start, list[str]()
        outside, complete = len(self.open), False
        while len(self.open) > outside or not self._ends_expression(words, complete):
            if complete and self._is_element(words[-1]):
                text = words[-1] + self._advance().text
                words[-1] = self.texts.setdefault(text, text)
                continue
            self._check_continues(outside, words, complete)
            token = self._advance()
            if token.text in CLOSING:
                self.open.append(CLOSING[token.text])
            elif token.text in _CLOSERS:
                self.open.pop()
            words.append(self._shared(token))
            is_cast = words[-3:-2] == ["("] and words[-2] in INTEGER_TYPES
            complete = token.kind in WORDY or (token.text in _CLOSERS and not is_cast)
        if not words:
            raise self._fault(_OPERAND, "operand")
        if len(words) == 1 and (members := self._members(words[0])):
            self._has_vector = True
            parts = tuple(Operand(start, self.end, "", (each,)) for each in members)
            return Operand(start, self.end, "{", parts=parts)
        return Operand(start, self.end, "", tuple(words))

    def _ends_expression(self, words: list[str], complete: bool) -> bool:
        """Whether the current token ends an expression; a bar ends only a single name."""
        text = self.token.text
        if text in _ENDS and (text != "|" or not words or _is_alternative(words)):
            return True
        return complete and self._begins_another()

    def _is_element(self, word: str) -> bool:
        """Whether the current token is an element of a vector or of a special register, such as
        `%tid.x`."""
        return self.token.kind == "word" and (word[0].isalpha() or word[0] in "%_$")

    def _check_continues(self, outside: int, words: list[str], complete: bool) -> None:
        """Raise Fault unless the current token continues the expression of `words`."""
        kind, text = self.token.kind, self.token.text
        is_foreign = kind in ("bad", "end") or text in ("{", "}", ";", "@")
        if is_foreign or (text == ":" and "?" not in words) or (complete and kind in WORDY):
            raise self._misplaced(outside, words)
        is_missing = text == "," or (text == ")" and words[-1:] == [","])
        if self._is_opcode() or (is_missing and not complete):
            raise self._fault(_OPERAND, "operand")
        if text in _CLOSERS and (len(self.open) == outside or text != self.open[-1]):
            raise self._misplaced(outside, words)

    def _misplaced(self, outside: int, words: list[str]) -> Fault:
        """The fault of the current token, which does not continue the operand of `words`."""
        if not words:
            return self._fault(_OPERAND, "operand")
        if len(self.open) > outside:
            return self._fault(quoted(self.open[-1]), "end of the operand")
        return self._fault(quoted(",", self.open[-1] if self.open else ";"), "end of the operand")
