"""The text of statements and operands."""

from collections.abc import Sequence
from itertools import pairwise

from .syntax_tree import Close, Directive, InstructionStatement, Label, Open, Operand, Statement
from .tokens import WORDY, PtxLexer

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
