"""Record of the directions that branches took, and of barrier objects that nothing waited for."""

from dataclasses import dataclass, field

from xdsl.ir import Operation

from .state import Cta


@dataclass(eq=False)
class Ways:
    """Whether a condition held in any lane, and whether it failed in any lane; or the entries of a
    table of blocks that lanes chose."""

    held: bool = False
    failed: bool = False
    entries: set[int] = field(default_factory=set[int])


@dataclass(eq=False)
class Waits:
    """Barrier objects of the CTAs that have ended."""

    is_awaited: dict[tuple[Operation, str], bool] = field(
        default_factory=dict[tuple[Operation, str], bool]
    )
    """The operation that ended the last phase, and the variable -> whether somebody waited for this
    phase, in all CTAs."""

    def record(self, cta: Cta) -> None:
        """Record the barrier objects of a CTA that ends."""
        for offset, barrier in cta.mbarriers.items():
            if barrier.before:
                variable = cta.shared.variable(offset)
                key = barrier.before[-1].op, barrier.name if variable is None else variable.name
                awaited = barrier.phases.last_is_awaited
                self.is_awaited[key] = self.is_awaited.get(key, True) and awaited
