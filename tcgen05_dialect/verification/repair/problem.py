"""A finding in the text of a kernel, for which candidates are sought."""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from itertools import islice
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from ...isa.model.rule import Rule
from .flow import MBARRIER_WAITS, effects_of, is_tensor_core
from .listing import Change, Insertion, Listing, Place
from .scope import Scope
from .trial import Object, Observation


class Candidate(NamedTuple):
    """Changes that may be the fix; the candidates with the lowest rank are tried first."""

    rank: float
    changes: tuple[Change, ...]

    @property
    def steps(self) -> tuple[object, ...]:
        """The inserted operations without their places, and the replacements."""
        return tuple(each.lines if isinstance(each, Insertion) else each for each in self.changes)


def ranked(found: Iterable[Candidate]) -> list[Candidate]:
    """Different candidates, the most likely first."""
    unique: dict[object, Candidate] = {}
    for each in sorted(found, key=lambda each: each.rank):
        unique.setdefault(each.changes, each)
    return list(unique.values())


class Problem(Scope):
    """
    A missing order: the rule of the finding, the operation that it is about and, if known, the
    earlier one, or a variable with barrier objects, and the offsets of those that lack something.
    """

    def __init__(
        self,
        listing: Listing,
        rule: Rule,
        op: Operation,
        related: Operation | None,
        observation: Observation,
    ):
        super().__init__(listing, listing.kernel(observation.kernel.sym_name.data))
        self.rule = rule
        self.op = op
        self.related = related
        self.observation = observation
        self.variable = ""
        self.offsets = frozenset[int]()

    @property
    def accesses(self) -> Sequence[Operation]:
        return [self.op] if self.related is None else [self.op, self.related]

    def between(self, op: Operation, related: Operation | None) -> "Problem":
        """The same problem with other operations."""
        other = copy(self)
        other.op, other.related = op, related
        return other

    def sides(self) -> Iterator[tuple[int, "Problem"]]:
        """The problem with each of its accesses as the first one, by number."""
        yield 0, self
        if self.related is not None:
            yield 1, self.between(self.related, self.op)

    def at(self, variable: str, offsets: Iterable[int] = ()) -> "Problem":
        """The same problem at barrier objects of a variable."""
        other = copy(self)
        other.variable, other.offsets = variable, frozenset(offsets)
        return other

    def objects(self, variable: str) -> list[Object]:
        """The barrier objects of a run in a variable, or in a part of it with a name."""
        objects = self.observation.plain.objects
        return [each for each in objects if variable in self.barriers(each.init)]

    def arrivals_at(self, variable: str) -> list[Operation]:
        """The operations that arrive at the barrier objects in a variable."""
        return [
            op
            for op in self.kernel.walk()
            if effects_of(op).arrives_at and variable in self.barriers(op)
        ]

    def unheeded(self) -> frozenset[str]:
        """The variables with barrier objects at which something arrives, and nothing waits."""
        awaited = frozenset[str]().union(*map(self.barriers, self.ops(*MBARRIER_WAITS)))
        return frozenset(filter(self.arrivals_at, self.barrier_variables - awaited))

    def stuck(self) -> Iterator[tuple[int, "Problem"]]:
        """The problem at the barrier objects for which threads wait in vain: 0 for those whose
        neighbours have had more phases, 1 for others of its operation, 2 for others."""
        mine = self.barriers(self.op)
        for variable in sorted(self.barrier_variables):
            objects = self.objects(variable)
            stuck = [each for each in objects if each.is_stuck]
            most = max((each.over for each in objects), default=0)
            behind = [each for each in stuck if each.over < most]
            if stuck or variable in mine:
                view = self.at(variable, (each.offset for each in behind or stuck))
                yield 0 if behind else 1 if variable in mine else 2, view

    def addresses(self, place: Place, most: int | None = None) -> Iterator[str]:
        """
        The texts of addresses in the variable, the most likely first.

        They are addresses that nothing uses, which may be those of the lost step; those that the
        loop around the place computes; if there is only one of `offsets` into the shared variable,
        the addresses with this offset; and the nearest ones.
        """
        found: list[tuple[float, str]] = []
        loop = self.flow.loop(place.op)
        offset = next(iter(self.offsets)) if len(self.offsets) == 1 else None
        for value in self.addresses_in(place, self.variable):
            name, spots = self.name(value), self.spots(value)
            if name is None:
                continue
            spot = next(iter(spots)) if len(spots) == 1 else None
            if spot is None or not spot.is_exact:
                is_near = loop is not None and self.flow.loop(value) is loop
                found.append((0 if not value.uses else 1 if is_near else 5, name))
            elif offset is None:
                found.append((4, name))
            elif spot.offset <= offset:
                more = offset - spot.offset
                found.append((3, f"{name} + {more}") if more else (2, name))
        found.sort(key=lambda each: each[0])
        return islice(dict.fromkeys(name for _, name in found), most)

    def tcgen05(self, step: str) -> str:
        """The text of a tcgen05 step, in the dialect of the kernel."""
        typed = any(op.name.startswith("tcgen05.") for op in self.kernel.walk())
        near = any(op.name.startswith("ptx.tcgen05.") for op in self.accesses)
        return f"tcgen05.{step}" if typed and not near else f"ptx.tcgen05.{step}"

    @property
    def is_of_pair(self) -> bool:
        """Whether operations of the tensor core are those of a CTA pair."""
        groups = (
            op.properties.get("cta_group", op.attributes.get("cta_group"))
            for op in filter(is_tensor_core, self.kernel.walk())
        )
        return any(
            each.value.data == 2 if isinstance(each, IntegerAttr) else "group_2" in str(each)
            for each in groups
        )
