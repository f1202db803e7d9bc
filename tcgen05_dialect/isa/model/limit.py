"""Limits: the legal numbers of an operand or immediate."""

from __future__ import annotations

from typing import NamedTuple

from tcgen05_dialect.isa.model.rule import Rule, Violation, raise_any


class Limit(NamedTuple):
    """The legal numbers of an operand or immediate, and the rule that restricts them."""

    rule: Rule
    values: range | frozenset[int]

    def violations(self, value: int) -> list[Violation]:
        """Violations of `value`; none if it is one of the numbers."""
        return [] if value in self.values else [self.rule.violation(value, self.values)]

    def check(self, value: int) -> None:
        """Raise Violation unless `value` is one of the numbers."""
        raise_any(self.violations(value))
