"""A finding in the text of a kernel, for which candidates are sought."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from ...isa.model.rule import Rule
from ...ptx.syntax import word_of
from .listing import Insertion, Listing, Place
from .scope import Scope
from .steps import kind


class Candidate(NamedTuple):
    """
    Insertions that may be the missing step; the candidates with the lowest rank are tried first.
    """

    rank: float
    insertions: tuple[Insertion, ...]

    @property
    def steps(self) -> tuple[tuple[str, ...], ...]:
        """The inserted operations, without their places."""
        return tuple(each.lines for each in self.insertions)


class Problem(NamedTuple):
    """A finding: its rule, the operation that it is about and, if known, another one."""

    scope: Scope
    rule: Rule
    op: Operation
    related: Operation | None

    @property
    def listing(self) -> Listing:
        return self.scope.listing

    @property
    def accesses(self) -> Sequence[Operation]:
        return [self.op] if self.related is None else [self.op, self.related]

    def ops(self, *kinds: str) -> Iterator[Operation]:
        """The operations of the kernel with one of these names."""
        return (op for op in self.scope.kernel.walk() if kind(op) in kinds)

    def tcgen05(self, step: str) -> str:
        """The text of a tcgen05 step, in the dialect of the kernel."""
        typed = any(op.name.startswith("tcgen05.") for op in self.scope.kernel.walk())
        near = any(op.name.startswith("ptx.tcgen05.") for op in self.accesses)
        return f"tcgen05.{step}" if typed and not near else f"ptx.tcgen05.{step}"

    def spelled(self, place: Place, op: Operation) -> str | None:
        """The text of an operation if its operands have the same names at a place, else None."""
        visible = {*self.scope.visible(place)}
        if op.results or not self.listing.has_text(op) or not visible.issuperset(op.operands):
            return None
        return " ".join(self.listing.text_of(op).split())

    def alike(self, place: Place, *kinds: str) -> Iterator[str]:
        """The texts of operations of the kernel that can be repeated at a place, each once."""
        texts = (self.spelled(place, op) for op in self.ops(*kinds))
        return iter(dict.fromkeys(text for text in texts if text))

    def name(self, value: SSAValue) -> str | None:
        """The name of a value in the text; None if it is not known."""
        return self.listing.name(value)

    def fresh(self, name: str) -> str:
        """A name like this one that the text does not have."""
        text = self.listing.source.text
        names = (name, *(f"{name}_{number}" for number in range(2, 100)))
        return next(each for each in names if f"{each} " not in text)

    def address(self, place: Place, variable: str) -> str | None:
        """The name of the nearest address of a barrier object; None if none is visible."""
        names = map(self.name, self.scope.addresses(place, variable))
        return next(filter(None, names), None)

    def constant(self, place: Place, bits: int) -> str | None:
        """The name of a visible constant; None if none has these bits."""
        found = (value for value, each in self.scope.constants(place) if each == bits)
        return next(filter(None, map(self.name, found)), None)


def one(rank: float, place: Place, *lines: str) -> Candidate:
    """The candidate that inserts operations at one place."""
    return Candidate(rank, (Insertion(place, lines),))


def words(op: Operation, *names: str) -> str:
    """The qualifiers of an operation as IR spells them, with a space before each."""
    found = (word_of(op, name) for name in names if name in op.properties)
    return "".join(f" {each}" for each in found if each)


def distinct(places: Iterable[Place]) -> list[Place]:
    return list(dict.fromkeys(places))
