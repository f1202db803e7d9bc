"""Orders of instructions with a qualifier `semantics` (8.4, 8.8)."""

from __future__ import annotations

from tcgen05_dialect.isa.effects.model import Choice, Ordering, Orderings
from tcgen05_dialect.isa.ptx.memory import SEMANTICS, Semantics


def _ordered(semantics: Semantics) -> Orderings:
    releases = (Ordering.RELEASE,) if semantics.releases else ()
    return (*releases, Ordering.ACQUIRE) if semantics.acquires else releases


def by_semantics(*default: Ordering) -> Choice[Orderings]:
    """What an instruction orders by its semantics, `default` without the qualifier."""
    cases = {name: _ordered(semantics) for name, semantics in SEMANTICS.items()}
    return Choice("semantics", {**cases, None: default})
