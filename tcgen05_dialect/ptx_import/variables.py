"""The variables and functions that PTX text declares outside and inside kernels."""

from collections.abc import Callable, Iterator, Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from ..isa.model.rule import Violation
from ..isa.ptx import ptx_text
from ..ptx.inline import DeclarationOp
from ..ptx_reader.fault import Fault
from ..ptx_reader.scope import Scope, declared_names
from ..ptx_reader.shared_variables import UNKNOWN, shared_variables_of
from ..ptx_reader.statement_text import joined, statement_text
from ..ptx_reader.syntax_tree import Directive, InstructionStatement, Statement
from .initial_values import variable_of
from .names import Symbol

_WITHOUT_TEXT = frozenset((*ptx_text.LINE_DIRECTIVES, ptx_text.SECTION))
"""Directives that the printer writes itself, and debug information."""


class Variables:
    """The operations that declare variables, with a name of its own for each variable."""

    def __init__(self, statements: Sequence[Statement]):
        self._taken = {
            name
            for statement in statements
            if isinstance(statement, Directive)
            for name in statement.words
        }
        """Names that a renamed variable must not get."""
        self._declared: set[str] = set()

    def declare(
        self, directive: Directive, scope: Scope, symbol_of: Callable[[str], Symbol | None]
    ) -> Iterator[tuple[str, Symbol, Operation]]:
        """
        The variables of a directive that has just been seen: the name, the symbol and the
        declaration of each. `symbol_of` finds the variables that initial values name.

        Raises Fault after the last variable. One with a fault has no size and the largest
        alignment, so that its uses show no further faults.
        """
        words = directive.words
        if ptx_text.REGISTER in words:
            return
        shared = dict(shared_variables_of(words)) if ptx_text.SHARED in words else {}
        fault: Fault | None = None
        prefix, declarators = _declarators(words)
        for name, rest in declarators:
            if (declared := scope.find(name)) is None:
                continue
            symbol = Symbol(self._unique(name), declared.space)
            if name in shared:
                variable = shared[name]
                try:
                    variable.check()
                except Violation as violation:
                    fault = fault or Fault(violation, directive.start, directive.end)
                    variable = UNKNOWN
                yield name, symbol, variable.definition(symbol.name)
            else:
                op = variable_of(prefix, symbol.name, rest, symbol_of)
                text = joined([*prefix, symbol.name, *rest]) + ";"
                yield name, symbol, op or declaration(text)
        if fault is not None:
            raise fault

    def _unique(self, name: str) -> str:
        found, number = name, 0
        while found in self._declared or (number and found in self._taken):
            number += 1
            found = f"{name}_{number}"
        self._declared.add(found)
        return found


def declaration(text: str) -> Operation:
    """The operation for a declaration in PTX."""
    return DeclarationOp.create(properties={"text": StringAttr(text)})


def function_text(statements: Sequence[Statement]) -> str:
    """The PTX text of a function that is not a kernel, without debug information."""
    lines: list[str] = []
    for statement in statements:
        if isinstance(statement, Directive) and not _WITHOUT_TEXT.isdisjoint(statement.words):
            continue
        indent = "\t" if isinstance(statement, InstructionStatement | Directive) and lines else ""
        lines.append(indent + statement_text(statement))
    return "\n".join(lines)


def _declarators(words: Sequence[str]) -> tuple[Sequence[str], list[tuple[str, Sequence[str]]]]:
    """The words before the first name of a declaration, and each name with the words after it."""
    names = list(declared_names(words))
    if not names:
        return words, []
    first = words.index(names[0])
    found: list[tuple[str, list[str]]] = []
    depth = 0
    for word in words[first:]:
        depth += (word in ("{", "[", "(")) - (word in ("}", "]", ")"))
        if depth == 0 and word == ",":
            continue
        if depth == 0 and len(found) < len(names) and word == names[len(found)]:
            found.append((word, []))
        else:
            found[-1][1].append(word)
    return words[:first], [(name, rest) for name, rest in found]
