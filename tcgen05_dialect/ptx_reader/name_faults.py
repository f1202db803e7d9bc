"""Faults of names: undeclared and repeated names, and guards that are not predicates."""

from collections.abc import Iterator, Sequence

from ..isa.ptx import ptx_text
from ..isa.ptx.kernel import IDENTIFIER_RULE
from ..ptx.register_types import TYPE_RULE
from .fault import Fault
from .operand_matching import Leaf
from .scope import Scope, declarations
from .syntax_tree import Close, Directive, Guard, Open, Statement
from .tokens import PtxLexer


def name_faults(leaves: Sequence[Leaf], scope: Scope) -> Iterator[Fault]:
    """The faults of undeclared names, each at its first occurrence."""
    unknown: dict[str, Leaf] = {}
    for leaf in sorted(leaves, key=lambda leaf: leaf.start):
        if scope.find(leaf.words[-1]) is None:
            unknown.setdefault(leaf.words[-1], leaf)
    legal = "a name that is declared, as a register or a variable"
    for name, leaf in unknown.items():
        violation = ptx_text.NAME_RULE.violation(name, legal, help=scope.meant(name))
        yield Fault(violation, leaf.start, leaf.end)


def guard_faults(guard: Guard, scope: Scope) -> Iterator[Fault]:
    """The faults of a guard; it must be a declared predicate."""
    declared = scope.find(guard.name)
    if declared is None:
        legal = "a name that is declared"
        violation = ptx_text.NAME_RULE.violation(guard.name, legal, help=scope.meant(guard.name))
    elif not declared.is_register or ptx_text.REGISTER_BITS[declared.type] is not None:
        violation = TYPE_RULE.violation(f"{guard.name}, {declared}", ".pred", "guard")
    else:
        return
    yield Fault(violation, guard.start, guard.end)


def repeated_names(text: str, statements: Sequence[Statement]) -> Iterator[Fault]:
    """The faults of names that a function declares twice in one scope."""
    scopes: list[set[tuple[str, bool]]] = []
    header: Directive | None = None
    for statement in statements:
        match statement:
            case Open():
                scopes.append(set())
                # Parameters are in the scope of the body.
                if header is not None:
                    yield from _repeated(text, header, scopes[-1])
                header = None
            case Close() if scopes:
                scopes.pop()
            case Directive(words=words) if not ptx_text.FUNCTIONS.isdisjoint(words):
                header = None if statement.terminated else statement
            case Directive() if scopes:
                yield from _repeated(text, statement, scopes[-1])
            case _:
                pass


def _repeated(text: str, directive: Directive, scope: set[tuple[str, bool]]) -> Iterator[Fault]:
    """The faults of a directive that repeats names of its scope; adds its names to the scope."""
    for name, declared in declarations(directive.words):
        key = name, declared.numbered is None
        # Several parameters may have the name _.
        if key in scope and name != "_":
            word = name if name in directive.words else name.rpartition(".")[0]
            legal = "a name that no other declaration in this block has"
            violation = IDENTIFIER_RULE.violation(word, legal)
            yield Fault(violation, *_last_place(text, directive, word))
            return
        scope.add(key)


def _last_place(text: str, directive: Directive, word: str) -> tuple[int, int]:
    """The place of the last token of a directive with this text."""
    lexer = PtxLexer(text, directive.start)
    place = directive.start, directive.end
    while (token := lexer.next()).start < directive.end:
        if token.text == word:
            place = token.start, token.end
    return place
