"""Numbers that an operand or an immediate may have."""

from __future__ import annotations

from typing import NamedTuple

from tcgen05_dialect.isa.model.rule import Rule, Violation, raise_any


class Limit(NamedTuple):
    """The numbers that are legal in one place, and the rule that says so."""

    rule: Rule
    values: range | frozenset[int]

    def violations(self, value: int) -> list[Violation]:
        """What is wrong with `value`: nothing where it is one of the numbers."""
        return [] if value in self.values else [self.rule.violation(value, self.values)]

    def check(self, value: int) -> None:
        """Raise Violation unless `value` is one of the numbers."""
        raise_any(self.violations(value))
