"""The parser of PTX statements."""

import re
from collections.abc import Sequence
from typing import Literal

from ..isa.ptx import ptx_text
from ..isa.ptx.constant import INTEGER_TYPES
from .fault import Fault, described, quoted
from .forms import LONGEST, Form, cut, form_of
from .no_text import no_text_fault
from .syntax_tree import (
    Close,
    Directive,
    Guard,
    InstructionStatement,
    Label,
    Open,
    Operand,
    Statement,
    Word,
)
from .tokens import PtxLexer, Token, is_name

_CLOSING = {"{": "}", "[": "]", "(": ")"}
_FORMS: dict[str, Literal["{", "["]] = {"{": "{", "[": "["}
_VALUES = frozenset(("name", "word", "number", "string"))
_ENDS = frozenset((",", ";", "]", "}", "|"))
"""Tokens that end an operand, outside parentheses."""
_STATEMENT = "an instruction, a directive, a label"
_OPERAND = "a register, a constant, a name, an address or a vector"
_NUMBERED_TYPE = re.compile(r"\.[bsuf][0-9]+")
_DEEPEST = 8
"""Maximum nesting depth of operands; legal PTX needs two."""


def _is_alternative(words: Sequence[str]) -> bool:
    """Whether a bar after these words begins another destination; otherwise it is an operator."""
    return len(words) == 1 and is_name(words[0])


class StatementParser:
    """A parser that continues with the next statement after a fault."""

    def __init__(self, text: str, start: int = 0):
        self.text = text
        self.lexer = PtxLexer(text, start)
        self.statements: list[Statement] = []
        self.faults: list[Fault] = []
        self.blocks: list[Open] = []
        """The open blocks."""
        self.open: list[str] = []
        """The closing brackets that the current statement still needs."""
        self.end = 0
        """The end of the token before the current one."""
        self.token = self.lexer.next()
        self.texts: dict[str, str] = {}
        self.forms: dict[tuple[str, ...], Form | None] = {}
        """What remains of the text of an instruction without leaves -> its form, if it has one."""

    def parse(self) -> None:
        """Parse the whole text into `statements` and `faults`."""
        while self.token.kind != "end":
            first = self.token
            self.open.clear()
            try:
                self.statements.append(self._next())
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

    # Tokens.

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

    @staticmethod
    def _begins_statement(token: Token) -> bool:
        if token.kind == "name":
            return not token.text.startswith("%")
        return token.kind == "word" and not ptx_text.SELECTOR.fullmatch(token.text)

    # Statements.

    def _next(self) -> Statement:
        """The next statement; an instruction of a known form is not parsed."""
        start = self.token.start
        end = self.text.find(";", start, start + LONGEST) + 1
        if not end or not (self.token.kind == "name" or self.token.text == "@"):
            return self._statement()
        key, leaves = cut(self.text[start:end])
        form = self.forms.get(key)
        if form is not None:
            self.end = end
            self.lexer = PtxLexer(self.text, end)
            self.token = self.lexer.next()
            return form.statement(start, end, leaves)
        statement = self._statement()
        if isinstance(statement, InstructionStatement) and statement.end == end:
            self.forms[key] = form_of(statement, key, leaves, self._parsed)
        return statement

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

    # Directives.

    def _directive(self) -> Directive:
        start, words = self.token.start, list[str]()
        terminated = False
        while self.token.text in ptx_text.LINKING:
            words.append(self._shared(self._advance()))
        name = self._expect_kind("word", f"token after {words[-1]}" if words else "directive")
        words.append(self._shared(name))
        if (line := ptx_text.LINE_DIRECTIVES.get(name.text)) is not None:
            self._line_directive(name.text, line, words)
        elif name.text == ptx_text.SECTION:
            if self.token.kind not in ("name", "word"):
                raise self._fault("a name", f"operand of {name.text}")
            words.append(self._shared(self._advance()))
            if self.token.text != "{":
                raise self._fault(quoted("{"), f"token after {words[-1]}")
            self._brackets(name.text, words)
        else:
            terminated = self._declaration(name.text, words)
        return Directive(start, self.end, tuple(words), terminated)

    def _line_directive(self, name: str, line: ptx_text.LineDirective, words: list[str]) -> None:
        operand = f"operand of {name}"
        words.extend([self._shared(self._expect_kind(kind, operand)) for kind in line.first])
        while self.token.text == "," and (line.further is not None or line.parts):
            words.append(self._shared(self._advance()))
            if line.further is not None:
                words.append(self._shared(self._expect_kind(line.further, operand)))
                continue
            kinds = line.parts.get(self.token.text)
            if kinds is None:
                raise self._fault(" or ".join(line.parts), operand)
            words.append(self._shared(self._advance()))
            words.extend([self._shared(self._expect_kind(kind, operand)) for kind in kinds])
            sign = self.token
            if sign.text == "+":
                words.append(self._shared(self._advance()))
                words.append(self._shared(self._expect_kind("number", operand)))

    def _brackets(self, name: str, words: list[str]) -> None:
        """Read from an opening bracket to its closing bracket."""
        has_parameters = name in ptx_text.FUNCTIONS
        while True:
            token = self.token
            if has_parameters and self.open == [")"] and token.kind in _VALUES:
                if words[-1] == "," and token.kind != "word":
                    raise self._fault("a state space, as in .param .b64 name", "token after ,")
                if words[-1] == "]" or is_name(words[-1]):
                    raise self._fault(quoted(",", ")"), f"token after {words[-1]}")
            if token.text in _CLOSING:
                self.open.append(_CLOSING[token.text])
            elif token.text == self.open[-1]:
                self.open.pop()
            elif token.kind in ("bad", "end") or token.text in (";", *_CLOSING.values()):
                raise self._fault(quoted(self.open[-1]), f"end of the brackets of {name}")
            words.append(self._shared(self._advance()))
            if not self.open:
                return

    def _declaration(self, name: str, words: list[str]) -> bool:
        """Read up to a semicolon or the body of a function; return whether it was a semicolon."""
        is_function = name in ptx_text.FUNCTIONS
        # After a name, only directives of a whole function continue without a comma.
        goes_on = is_function or name == ptx_text.PROTOTYPE
        is_variable = name == ptx_text.REGISTER or name in ptx_text.VARIABLES
        complete = named = False
        while True:
            token = self.token
            if is_variable and words[-1] == name and token.kind != "word":
                raise self._fault("a type", f"token after {name}")
            if (
                is_variable
                and token.kind != "name"
                and (words[-1] == "," or (token.text == ";" and not named))
            ):
                raise self._fault("a name", f"token after {words[-1]}")
            if (
                is_variable
                and not named
                and _NUMBERED_TYPE.fullmatch(token.text)
                and token.text not in ptx_text.REGISTER_BITS
            ):
                raise self._fault("a type of PTX, such as .b32", f"type after {words[-1]}")
            if token.text == ";":
                self._advance()
                return True
            if token.text == "{" and is_function:
                return False
            if (named or not goes_on) and self._is_opcode():
                raise self._fault(quoted(";"), f"end of {name}")
            wordy = token.kind in _VALUES
            if token.kind in ("bad", "end") or token.text in ("@", "]", "}", ")"):
                raise self._fault(quoted(";"), f"end of {name}")
            if complete and wordy and not (goes_on and token.kind == "word"):
                raise self._fault(quoted(",", ";"), f"token after {words[-1]}")
            if token.text in _CLOSING:
                self._brackets(name, words)
                complete = token.text != "(" or (goes_on and named)
            else:
                words.append(self._shared(self._advance()))
                complete = token.kind in ("name", "string")
                named = named or token.kind == "name"

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
            self.faults.append(self._unended(quoted(";"), what))
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
        if len(self.open) == _DEEPEST:
            raise self._fault(f"at most {_DEEPEST} deep", "nesting of brackets")
        start = self._advance().start
        self.open.append(_CLOSING[form])
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
        outside = len(self.open)
        complete = False
        if self.token.kind in _VALUES and not self._is_opcode():
            words.append(self._shared(self._advance()))
            if self._ends_expression(words):
                return Operand(start, self.end, "", (words[0],))
            complete = True
        while True:
            token = self.token
            if len(self.open) == outside:
                if self._ends_expression(words):
                    if not words:
                        raise self._fault(_OPERAND, "operand")
                    return Operand(start, self.end, "", tuple(words))
                if complete and self._begins_another():
                    return Operand(start, self.end, "", tuple(words))
            is_label = token.text == ":" and "?" not in words
            if token.kind in ("bad", "end") or token.text in ("{", "}", ";", "@") or is_label:
                raise self._misplaced(outside, words)
            if complete and token.kind in _VALUES:
                # An element of a vector or of a special register, such as `%tid.x`.
                if token.kind == "word" and (words[-1][0].isalpha() or words[-1][0] in "%_$"):
                    words[-1] = self.texts.setdefault(
                        words[-1] + token.text, words[-1] + token.text
                    )
                    self._advance()
                    continue
                raise self._misplaced(outside, words)
            if self._is_opcode():
                raise self._fault(_OPERAND, "operand")
            if token.text in ("[", "("):
                self.open.append(_CLOSING[token.text])
            elif token.text in ("]", ")"):
                if len(self.open) == outside or token.text != self.open[-1]:
                    raise self._misplaced(outside, words)
                self.open.pop()
            words.append(self._shared(self._advance()))
            is_cast = words[-3:-2] == ["("] and words[-2] in INTEGER_TYPES
            complete = token.kind in _VALUES or (token.text in ("]", ")") and not is_cast)

    def _ends_expression(self, words: list[str]) -> bool:
        """Whether the current token ends an expression; a bar ends only a single name."""
        text = self.token.text
        return text in _ENDS and (text != "|" or not words or _is_alternative(words))

    def _misplaced(self, outside: int, words: list[str]) -> Fault:
        """The fault of the current token, which does not continue the operand of `words`."""
        if not words:
            return self._fault(_OPERAND, "operand")
        if len(self.open) > outside:
            return self._fault(quoted(self.open[-1]), "end of the operand")
        return self._fault(quoted(",", self.open[-1] if self.open else ";"), "end of the operand")
