"""Places in shared memory that instructions access (5.1.7, 6.4.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tcgen05_dialect.isa.model.rule import Rule, Violation, rule

ALIGNMENT_RULE = rule("T5-PTX-083")
INSIDE_RULE = rule("T5-PTX-084")


class Place(NamedTuple):
    """
    The memory that an instruction accesses at an address: its size in bytes, its alignment, and the
    rules for both. The size is 0 if operands decide it; `amount` is then a noun phrase for it.
    """

    bytes: int
    alignment: int
    aligned: Rule = ALIGNMENT_RULE
    inside: Rule = INSIDE_RULE
    amount: str = ""

    def address_violations(self, address: int) -> Iterator[Violation]:
        """Violations of a known address."""
        if address % self.alignment:
            yield self.aligned.violation(address, f"aligned to {self.alignment} bytes")

    def variable_violations(
        self, name: str, size: int | None, alignment: int | None, offset: int
    ) -> Iterator[Violation]:
        """Violations of an access at byte `offset` of a variable, whose `size` and `alignment` are
        None if unknown."""
        if alignment is not None and (alignment % self.alignment or offset % self.alignment):
            found = f"{offset} bytes into @{name}, which is aligned to {alignment}"
            yield self.aligned.violation(found, f"aligned to {self.alignment} bytes")
        end = offset + self.bytes
        if offset < 0 or (size is not None and end > size):
            amount = f"{self.bytes} bytes at " if self.bytes else ""
            found = f"{amount}offset {offset}"
            legal = f"inside @{name}" if size is None else f"inside the {size} bytes of @{name}"
            yield self.inside.violation(found, legal)
