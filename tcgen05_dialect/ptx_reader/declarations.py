"""The parser of directives: the header of a text (11.1), and declarations of variables, registers
and functions."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..isa.model.rule import Violation, alternatives
from ..isa.ptx import ptx_text
from ..isa.ptx.kernel import INITIALISED
from ..isa.ptx.opcodes import is_word
from ..isa.targets import NEWEST, Version, parse_target, parse_version
from .tokens import (
    CLOSING,
    DEEPEST,
    WORDY,
    Directive,
    Fault,
    InstructionStatement,
    Open,
    PtxLexer,
    Statement,
    TokenParser,
    quoted,
    statement_text,
)

_NUMBERED_TYPE = re.compile(r"\.[bsuf][0-9]+")
_VALUES = WORDY - {"word"}
_SIGNS = frozenset(("+", "-", "!", "~"))
_OPERATORS = frozenset(
    (
        *("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "&&", "||"),
        *("==", "!=", "<", ">", "<=", ">=", "?", ":"),
    )
)


_TYPE = "a type of PTX, such as .b32"
_BEFORE_TYPES = frozenset((ptx_text.ALIGN, ".attribute", *ptx_text.VECTOR_MEMBERS))
_VALUE = "'=' and the elements of an array without its number of elements"
_NUMBERS = re.compile(r"(?:[0-9]++\s*+,\s*+)++")
_PARTS = re.compile(r"[0-9]+|,")


class DirectiveParser(TokenParser):
    """A parser of directives. Its methods append the texts of the tokens to `words`."""

    def __init__(self, text: str, start: int = 0):
        super().__init__(text, start)
        self.blocks: list[Open] = []
        """The open blocks."""

    def _directive(self) -> Directive:
        start, words = self.token.start, list[str]()
        if linking := ptx_text.LINKING.get(self.token.text):
            self._take(words)
            if self.blocks or self.token.text not in linking:
                raise self._fault(
                    f"{alternatives(sorted(linking))} outside functions", f"token after {words[-1]}"
                )
        what = f"token after {words[-1]}" if words else "directive"
        name = self._take_kind("word", what, words)
        if (line := ptx_text.LINE_DIRECTIVES.get(name)) is not None:
            self._line_directive(name, line, words)
            return Directive(start, self.end, tuple(words), False)
        if name == ptx_text.SECTION:
            self._section(name, words)
            return Directive(start, self.end, tuple(words), False)
        if name in ptx_text.FUNCTIONS or name == ptx_text.PROTOTYPE:
            self._function(name, words)
        elif name == ptx_text.REGISTER or name in ptx_text.VARIABLES:
            self._variables(name, words)
        else:
            if self.blocks and is_word(name) and name not in ptx_text.LISTS:
                legal = "a directive, or the name of an instruction before it"
                violation = ptx_text.SYNTAX_RULE.violation(name, legal, "statement")
                raise Fault(violation, start, start + len(name))
            self._others(name, words)
        self._check_end(name, words)
        has_body = self._at("{")
        if not has_body:
            self._advance()
        return Directive(start, self.end, tuple(words), not has_body)

    def _check_end(self, name: str, words: Sequence[str]) -> None:
        """Raise Fault unless the current token ends a directive, or begins its body."""
        is_function = name in ptx_text.FUNCTIONS
        ends = ("{", ";") if is_function else (";",)
        if name == ptx_text.KERNEL and words[-1] != ")" and words[-2] != name:
            # Only the body may follow other directives.
            ends = ("{",)
        if self.token.text in ends:
            return
        if not is_function and self.token.kind in WORDY and not self._is_opcode():
            raise self._fault(quoted(",", *ends), f"token after {words[-1]}")
        raise self._fault(quoted(*ends), f"end of {name}")

    def _at(self, mark: str) -> bool:
        return self.token.text == mark

    def _at_word(self) -> bool:
        return self.token.kind == "word"

    def _take(self, words: list[str]) -> str:
        """Append the current token, and move to the next."""
        text = self._shared(self._advance())
        words.append(text)
        return text

    def _take_kind(self, kind: str, what: str, words: list[str]) -> str:
        text = self._shared(self._expect_kind(kind, what))
        words.append(text)
        return text

    def _take_mark(self, mark: str, what: str, words: list[str]) -> None:
        if self.token.text != mark:
            raise self._fault(quoted(mark), what)
        self._take(words)

    # Variables.

    def _variables(self, name: str, words: list[str]) -> None:
        """Read the declarations of registers or of variables in a state space."""
        if self.token.kind != "word":
            raise self._fault("a type", f"token after {name}")
        self._qualifiers(name, words)
        while True:
            is_whole = self._declarator(name, words)
            if self._at("=") and name[1:] in INITIALISED and ptx_text.EXTERN not in words:
                self._take(words)
                self._initial_value(words)
            elif not is_whole and ptx_text.EXTERN not in words:
                raise self._fault(_VALUE, f"token after {words[-1]}")
            if not self._at(","):
                return
            self._take(words)

    def _qualifiers(self, name: str, words: list[str]) -> None:
        """Read the alignment, the attributes and the type of a declaration."""
        is_variable = name == ptx_text.REGISTER or name in ptx_text.VARIABLES
        type_, what = "", ""
        while self._at_word():
            text, what = self.token.text, f"type after {words[-1]}"
            if _NUMBERED_TYPE.fullmatch(text) and text not in ptx_text.REGISTER_BITS:
                raise self._fault(_TYPE, what)
            vector = words[-1] if words[-1] in ptx_text.VECTOR_MEMBERS else ""
            if text == ptx_text.PREDICATE and (vector or name != ptx_text.REGISTER):
                raise self._fault(_TYPE, what)
            most = ptx_text.MOST_VECTOR_BITS // int(vector.removeprefix(".v") or 1)
            if vector and (ptx_text.REGISTER_BITS.get(text) or 0) > most:
                raise self._fault(f"a type of at most {most} bits", what)
            if is_variable and ptx_text.POINTER not in words[-2:]:
                is_space = text == ptx_text.REGISTER or text in ptx_text.VARIABLES
                if is_space or (type_ and text in ptx_text.REGISTER_BITS):
                    raise self._fault("a name" if type_ else _TYPE, f"token after {words[-1]}")
                if text not in _BEFORE_TYPES:
                    type_ = text
            if self._take(words) == ptx_text.ALIGN:
                self._take_kind("number", f"token after {words[-1]}", words)
            elif self._at("("):
                self._brackets(name, words)
        if is_variable and not type_:
            raise self._fault(_TYPE, f"token after {words[-1]}")

    def _declarator(self, space: str, words: list[str]) -> bool:
        """Read a name, and the number of registers or the extents of an array after it; return
        whether all extents are given."""
        if self.token.kind != "name" or self._is_opcode():
            raise self._fault("a name", f"token after {words[-1]}")
        self._take(words)
        if self._at("<"):
            self._take(words)
            self._take_kind("number", "number of registers", words)
            self._take_mark(">", "end of the number of registers", words)
            return True
        is_whole = True
        while self._at("[") and space != ptx_text.REGISTER:
            self._open(words)
            if is_whole and self._at("]") and words[-2] != "]":
                is_whole = False
            elif self.token.kind in ("number", "name") and "." not in self.token.text:
                self._take(words)
            else:
                raise self._fault("an integer", "extent of an array")
            self._close(words)
        return is_whole

    def _initial_value(self, words: list[str]) -> None:
        if not self._at("{"):
            self._constant(words)
            return
        self._open(words)
        self._numbers(words)
        while not self._at("}") or words[-1] == ",":
            self._initial_value(words)
            if self._at("="):
                self._take(words)
                self._constant(words)
            if not self._at(","):
                break
            self._take(words)
        self._close(words, ",")

    def _numbers(self, words: list[str]) -> None:
        """Read decimal numbers with commas after them at once: the tables of cuRAND have 200 000,
        which took half the time of a check without runs."""
        start = self.token.start
        table = _NUMBERS.match(self.text, start)
        if table is not None:
            words += (self.texts.setdefault(each, each) for each in _PARTS.findall(table[0]))
            self.lexer = PtxLexer(self.text, table.end())
            self.end = start + len(table[0].rstrip())
            self.token = self.lexer.next()

    def _open(self, words: list[str]) -> None:
        if len(self.open) == DEEPEST:
            raise self._fault(f"at most {DEEPEST} deep", "nesting of brackets")
        self.open.append(CLOSING[self.token.text])
        self._take(words)

    def _close(self, words: list[str], *others: str) -> None:
        if self.token.text != self.open[-1]:
            raise self._fault(quoted(*others, self.open[-1]), "end of the brackets")
        self.open.pop()
        self._take(words)

    def _constant(self, words: list[str]) -> None:
        """Read a constant expression, or the address of a variable."""
        outside = len(self.open)
        while True:
            while self.token.text in _SIGNS or self._at("("):
                if not self._at("("):
                    self._take(words)
                    continue
                self._open(words)
                if self._at_word():  # A cast, such as (.s64).
                    self._take(words)
                    self._close(words)
            if self.token.kind not in _VALUES or self._is_opcode():
                raise self._fault("a value", f"token after {words[-1]}")
            self._take(words)
            if self._at("("):  # As in generic(name) and 0xFF(name).
                self._open(words)
                continue
            while self._at(")") and len(self.open) > outside:
                self._close(words)
            if self.token.text in _OPERATORS:
                self._take(words)
            elif len(self.open) == outside:
                return
            else:
                raise self._fault(quoted(self.open[-1]), "end of the brackets")

    # Functions.

    def _function(self, name: str, words: list[str]) -> None:
        """Read the header of a function, up to its body or its semicolon."""
        self._qualifiers(name, words)
        if self._at("(") and name != ptx_text.KERNEL:
            self._parameters(name, words)
        if self.token.kind != "name":
            raise self._fault("a name", f"token after {words[-1]}")
        self._take(words)
        if self._at("("):
            self._parameters(name, words)
        while self._at_word():
            self._take(words)
            if self._at("("):
                self._brackets(name, words)
            elif self.token.kind in _VALUES and not self._is_opcode():
                is_pragma = words[-1] == ptx_text.PRAGMA
                self._list(words)
                if is_pragma:
                    self._take_mark(";", f"end of {ptx_text.PRAGMA}", words)

    def _parameters(self, name: str, words: list[str]) -> None:
        self._open(words)
        while not self._at(")") or words[-1] == ",":
            space = self.token.text
            is_register = space == ptx_text.REGISTER and name != ptx_text.KERNEL
            if space != ptx_text.PARAMETER and not is_register:
                legal = "a state space, as in .param .b64 name"
                raise self._fault(legal, f"token after {words[-1]}")
            self._take(words)
            self._qualifiers(space, words)
            if not self._declarator(space, words) and name == ptx_text.KERNEL:
                raise self._fault("an array with all its extents", f"token after {words[-1]}")
            if not self._at(","):
                break
            self._take(words)
        self._close(words, ",")

    # Other directives.

    def _others(self, name: str, words: list[str]) -> None:
        self._qualifiers(name, words)
        if not self._at(";") or name in ptx_text.LISTS:
            self._list(words)

    def _list(self, words: list[str]) -> None:
        """Read values, separated by commas."""
        while True:
            self._constant(words)
            while self._at("["):
                self._open(words)
                self._constant(words)
                self._close(words)
            if not self._at(","):
                return
            self._take(words)

    def _line_directive(self, name: str, line: ptx_text.LineDirective, words: list[str]) -> None:
        operand = f"operand of {name}"
        words.extend([self._shared(self._expect_kind(kind, operand)) for kind in line.first])
        while self._at(",") and (line.further is not None or line.parts):
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

    def _section(self, name: str, words: list[str]) -> None:
        if self.token.kind not in ("name", "word"):
            raise self._fault("a name", f"operand of {name}")
        self._take(words)
        if not self._at("{"):
            raise self._fault(quoted("{"), f"token after {words[-1]}")
        self._brackets(name, words)

    def _brackets(self, name: str, words: list[str]) -> None:
        """Read the data of a section, or an attribute, up to the closing bracket."""
        while True:
            token = self.token
            is_separator = token.text == "," or token.text in CLOSING.values()
            if (is_separator and words[-1] == ",") or (token.text == "," and words[-1] in CLOSING):
                raise self._fault("a value", f"token after {words[-1]}")
            if token.text in CLOSING:
                self.open.append(CLOSING[token.text])
            elif token.text == self.open[-1]:
                self.open.pop()
            elif token.kind in ("bad", "end") or token.text in (";", *CLOSING.values()):
                raise self._fault(quoted(self.open[-1]), f"end of the brackets of {name}")
            self._take(words)
            if not self.open:
                return


class Header(NamedTuple):
    """The target and PTX version of a text; the target is None if it is not known."""

    target: str | None
    version: Version


def header_of(
    statements: Sequence[Statement], target: str | None, version: str | None, faults: list[Fault]
) -> Header:
    """
    The target and version to check against; `target` and `version` override those of the text.

    Unknown targets and versions in the text are ignored and appended to `faults`. Raises Violation
    if `target` or `version` is unknown.
    """
    known = None if version is None else parse_version(version)
    if target is not None:
        parse_target(target)
    for statement in statements:
        if not isinstance(statement, Directive) or len(statement.words) < 2:
            continue
        directive, value = statement.words[:2]
        try:
            if directive == ptx_text.TARGET and target is None:
                target = parse_target(value).name
            elif directive == ptx_text.VERSION and version is None:
                known = parse_version(value)
        except Violation as violation:
            faults.append(Fault(violation, statement.start, statement.end))
    return Header(target, NEWEST if known is None else known)


_DIRECTIVE = re.compile(r"^[ \t]*+(\.\w++)", re.MULTILINE)


def cpu_fault(text: str) -> Fault | None:
    """The fault of a text that is assembly for a CPU, at its first directive that says so."""
    found = [*_DIRECTIVE.finditer(text)]
    if any(each[1] in ptx_text.HEADER for each in found):
        return None
    for each in found:
        if each[1] in ptx_text.CPU_DIRECTIVES:
            sentence = (
                f"the text is not PTX for a GPU: it has neither {ptx_text.VERSION} nor "
                f"{ptx_text.TARGET}, but {each[1]}, a directive of assemblers for CPUs"
            )
            help_ = "generate the text for a GPU: llc needs -march=nvptx64 and -mcpu"
            violation = ptx_text.HEADER_RULE.says(sentence, help_)
            return Fault(violation, *each.span(1))
    return None


def header_faults(statements: Sequence[Statement], faults: Sequence[Fault]) -> Iterator[Fault]:
    """
    The fault of a module that does not begin with its header.

    Instructions without a function are not a module and need no header. There is no fault after one
    of `faults`, because a statement that cannot be read may be part of the header.
    """
    for index, directive in enumerate(ptx_text.HEADER):
        statement = statements[index] if index < len(statements) else None
        if isinstance(statement, Directive) and statement.words[0] == directive:
            continue
        if not _is_module(statements):
            return
        what = f"{('first', 'second')[index]} directive"
        if statement is not None:
            start, found = statement.start, _first_word(statement)
            if all(statement.end < fault.start for fault in faults):
                violation = ptx_text.HEADER_RULE.violation(found, directive, what)
                yield Fault(violation, start, start + len(found))
        elif not faults:
            end = statements[-1].end if statements else 0
            violation = ptx_text.HEADER_RULE.violation("the end of the text", directive, what)
            yield Fault(violation, end, end + 1)
        return


def _is_module(statements: Sequence[Statement]) -> bool:
    """Whether statements are a module, and not instructions without a function."""
    if not any(isinstance(statement, InstructionStatement) for statement in statements):
        return True
    return any(
        isinstance(statement, Directive) and not ptx_text.FUNCTIONS.isdisjoint(statement.words)
        for statement in statements
    )


def _first_word(statement: Statement) -> str:
    """The first word of a statement: a directive, an opcode, a guard, a label or a brace."""
    match statement:
        case Directive(words=[word, *_]):
            return word
        case _:
            return statement_text(statement).split()[0].rstrip(";")
