"""Numbers that an operand or an immediate may have."""

from __future__ import annotations

from typing import NamedTuple

from tcgen05_dialect.isa.rule import Rule


class Limit(NamedTuple):
    """The numbers that are legal in one place, and the rule that says so."""

    rule: Rule
    values: range | frozenset[int]

    def check(self, value: int) -> None:
        """Raise Violation unless `value` is one of the numbers."""
        if value not in self.values:
            raise self.rule.violation(value, self.values)
