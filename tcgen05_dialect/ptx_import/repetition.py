"""Repetition: operations that need no verification, because an equal earlier one is valid."""

from collections.abc import Sequence

from xdsl.ir import Operation

from .plans import Plan
from .shapes import Leaf


class Repetition:
    """The operations of a module that repeat others."""

    def __init__(self) -> None:
        self.repeated: dict[Operation, Operation | None] = {}
        """
        Operation -> another one, from which it differs in nothing but the registers; None for the
        end of a block and for a guard, which the importer makes itself.
        """
        self._first: dict[object, Operation] = {}
        """Plan and integers -> the first operation that has them."""

    def see(self, operation: Operation, plan: Plan, leaves: Sequence[Leaf]) -> None:
        """Process an operation with a plan."""
        if not plan.is_context_free:
            return
        key = (plan, *plan.integers(leaves)) if plan.legal else plan
        first = self._first.setdefault(key, operation)
        if first is not operation:
            self.repeated[operation] = first
