"""Faults of names in an instruction: undeclared names, and guards that are not predicates."""

from collections.abc import Iterator, Sequence

from ..isa.ptx import ptx_text
from ..ptx.register_types import TYPE_RULE
from .fault import Fault
from .operand_matching import Leaf
from .scope import Scope
from .syntax_tree import Guard


def name_faults(leaves: Sequence[Leaf], scope: Scope) -> Iterator[Fault]:
    """The faults of undeclared names, each at its first occurrence."""
    unknown: dict[str, Leaf] = {}
    for leaf in sorted(leaves, key=lambda leaf: leaf.start):
        if scope.find(leaf.words[-1]) is None:
            unknown.setdefault(leaf.words[-1], leaf)
    legal = "a name that is declared, as a register or a variable"
    for name, leaf in unknown.items():
        yield Fault(ptx_text.NAME_RULE.violation(name, legal), leaf.start, leaf.end)


def guard_faults(guard: Guard, scope: Scope) -> Iterator[Fault]:
    """The faults of a guard; it must be a declared predicate."""
    declared = scope.find(guard.name)
    if declared is None:
        violation = ptx_text.NAME_RULE.violation(guard.name, "a name that is declared")
    elif not declared.is_register or ptx_text.REGISTER_BITS[declared.type] is not None:
        violation = TYPE_RULE.violation(f"{guard.name}, {declared}", ".pred", "guard")
    else:
        return
    yield Fault(violation, guard.start, guard.end)
