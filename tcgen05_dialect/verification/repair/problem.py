"""
A finding in the text of a kernel, for which candidates are sought, and what runs with other numbers
show of its barriers.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue

from ...isa.model.rule import Rule
from ...ptx.analysis.known_values import constant_bits
from ...ptx.instructions import MovOp
from ...ptx.kernel import KernelOp
from ...ptx.register_types import register_bits
from ...ptx.structure import ConstantOp
from ...ptx.text.syntax import word_of
from ...reporting.diagnostics import read_place
from ...simulator.machine.barrier import Came
from ...simulator.machine.errors import LaunchError
from ...simulator.machine.machine import Machine
from ...simulator.machine.state import Cluster, Cta
from ..execution import Skeleton
from ..judgement import Setting
from ..knowledge import Undecided
from ..static.outline import Box
from .listing import Change, Insertion, Listing, Operand, Place, Replacement
from .scope import Exit, Flow, Scope
from .steps import MBARRIER_WAITS, effects_of, kind

_Place = tuple[str, int, int]
"""The name of an operation, its line and its column."""


class Object(NamedTuple):
    """A barrier object at the end of a run: the operation that initialised it, the rank of its CTA,
    its variable, its first byte there, what came in its last phase, by operation, the number of
    phases that are over, and for how many of all phases threads have waited."""

    init: Operation
    cta: int
    variable: str
    offset: int
    came: tuple[tuple[Operation | None, Came], ...]
    over: int
    awaited: int

    @property
    def arrivals(self) -> int:
        return sum(each.arrivals for _, each in self.came)

    @property
    def missing_bytes(self) -> int:
        """Bytes that are expected and have not come; negative if more came."""
        return sum(each.expected - each.completed for _, each in self.came)

    @property
    def is_ignored(self) -> bool:
        """Whether threads go on without waiting for its phases."""
        return self.over > self.awaited + (1 if self.awaited else 0)

    @property
    def is_stuck(self) -> bool:
        """Whether threads wait for a phase that is not over."""
        return self.awaited > self.over


class Observed(NamedTuple):
    """The barrier objects of a run, and the most threads of a CTA that have arrived by its end at a
    barrier of the CTA, by its number."""

    objects: tuple[Object, ...]
    threads: Mapping[int, int]


class Observation:
    """A kernel at the sizes of a finding, for runs that judge no access."""

    def __init__(self, listing: Listing, kernel: KernelOp, setting: Setting):
        self._listing = listing
        self._kernel = kernel
        self._setting = setting

    @cached_property
    def _boxes(self) -> Mapping[int, Box]:
        """The boxes of tensor maps, from a run without other numbers. Raises Undecided."""
        return Skeleton(self._kernel).infer_boxes(*self._setting[:2])

    @cached_property
    def plain(self) -> Observed:
        """What a run without other numbers shows, in which whatever can be complete is complete."""
        return self._observed("eager")

    @cached_property
    def _lowered(self) -> Mapping[_Place, Operation]:
        return {place: op for op in self._kernel.walk() if (place := _place(op))}

    def with_number(self, operands: Iterable[Operand], number: int) -> Observed:
        """What a run shows in which operands of the text are another number. It counts the clusters
        that end, too."""
        changed: list[tuple[Operand, SSAValue]] = []
        for op, index in operands:
            place = _place(op)
            lowered = None if place is None else self._lowered.get(place)
            if lowered is not None:
                operand = Operand(lowered, index)
                changed.append((operand, operand.value))
                lowered.operands[index] = _constant(operand, number)
        try:
            return self._observed("lazy", with_ended=True)
        finally:
            for (op, index), before in changed:
                constant = op.operands[index].owner
                op.operands[index] = before
                assert isinstance(constant, Operation)
                constant.detach()
                constant.erase()

    def _observed(self, schedule: str, with_ended: bool = False) -> Observed:
        objects: list[Object] = []
        threads: dict[int, int] = {}

        def look(cluster: Cluster) -> None:
            for cta in cluster.ctas:
                objects.extend(self._objects(cta))
                for number, barrier in cta.barriers.items():
                    threads[number] = max(threads.get(number, 0), barrier.arrived)

        def look_at_all(machine: Machine) -> None:
            for cluster in machine.clusters:
                look(cluster)

        try:
            Skeleton(self._kernel).observe(
                *self._setting[:2],
                self._boxes,
                look_at_all,
                schedule=schedule,
                ended=look if with_ended else None,
            )
        except (Undecided, LaunchError):
            return Observed((), {})
        return Observed(tuple(objects), threads)

    def _objects(self, cta: Cta) -> Iterator[Object]:
        for at, barrier in cta.mbarriers.items():
            init, variable = self._listing.find(barrier.init), cta.shared.variable(at)
            came = tuple((self._listing.find(each.op), each) for each in barrier.came)
            if init is not None and variable is not None:
                name = variable.name.removeprefix("@")
                offset = at - variable.offset
                phases = barrier.phases
                yield Object(init, cta.rank, name, offset, came, phases.over, phases.awaited)


def _constant(operand: Operand, number: int) -> SSAValue:
    """A new constant before an operation, as wide as its operand."""
    type_ = operand.value.type
    bits = register_bits(type_)
    assert bits is not None and operand.op.parent is not None
    value = IntegerAttr(number, bits)
    constant = ConstantOp.create(properties={"value": value}, result_types=(type_,))
    operand.op.parent.insert_op_before(constant, operand.op)
    return constant.result


def _place(op: Operation) -> _Place | None:
    place = read_place(op.location)
    return None if place is None else (op.name, place.line.data, place.column.data)


class Candidate(NamedTuple):
    """
    Changes that may be the fix; the candidates with the lowest rank are tried first.
    """

    rank: float
    changes: tuple[Change, ...]

    @property
    def steps(self) -> tuple[object, ...]:
        """The inserted operations without their places, and the replacements."""
        return tuple(each.lines if isinstance(each, Insertion) else each for each in self.changes)

    @property
    def ops(self) -> Iterator[Operation]:
        """The operations at the places of the changes."""
        for each in self.changes:
            yield each.place.op if isinstance(each, Insertion) else each.operand.op


class Problem(NamedTuple):
    """A finding: its rule, the operation that it is about and, if known, another one."""

    scope: Scope
    rule: Rule
    op: Operation
    related: Operation | None
    observation: Observation

    @property
    def listing(self) -> Listing:
        return self.scope.listing

    @property
    def flow(self) -> Flow:
        return self.scope.flow

    @property
    def accesses(self) -> Sequence[Operation]:
        return [self.op] if self.related is None else [self.op, self.related]

    def before(self, op: Operation) -> Place:
        """The place before an operation, which the text may leave out."""
        if self.listing.has_text(op):
            return Place(op)
        last, block = op.prev_op, op.parent
        if last is None and block is not None and (above := block.prev_block) is not None:
            # Control comes only from the branch above, which it does not take.
            last = above.last_op if [*block.predecessors()] == [above] else None
        return Place(op) if last is None else Place(last, behind=True)

    def past(self, op: Operation) -> Place:
        """The place after an operation or, if it asks whether to wait again, after this loop."""
        place = self.flow.past(op)
        return place if place.behind else self.before(place.op)

    def beyond(self, way: Exit) -> Place:
        """The place after a loop. In PTX text it is at a label, which may be one of several of the
        block where other ways end, too."""
        first = way.block.first_op
        assert first is not None
        is_shared = len([*way.block.predecessors()]) > 1
        if is_shared and self.listing.has_label(way.branch):
            return Place(way.branch, inside=True)
        return self.before(first)

    def objects(self, variable: str) -> list[Object]:
        """The barrier objects of a run in a variable, or in a part of it with a name."""
        objects = self.observation.plain.objects
        return [each for each in objects if variable in self.scope.barriers(each.init)]

    def arrivals_at(self, variable: str) -> list[Operation]:
        """The operations that arrive at the barrier objects in a variable."""
        return [
            op
            for op in self.scope.kernel.walk()
            if effects_of(op).arrives_at and variable in self.scope.barriers(op)
        ]

    def unheeded(self) -> frozenset[str]:
        """The variables with barrier objects at which something arrives, and nothing waits."""
        waits = self.ops(*MBARRIER_WAITS)
        awaited = frozenset[str]().union(*map(self.scope.barriers, waits))
        return frozenset(filter(self.arrivals_at, self.scope.barrier_variables - awaited))

    def stuck(self) -> Iterator[tuple[float, str, frozenset[int]]]:
        """The variables with barrier objects for which threads wait in vain, each with a rank and
        the offsets of these barrier objects. Those come first whose neighbours have had more
        phases."""
        mine = self.scope.barriers(self.op)
        for variable in sorted(self.scope.barrier_variables):
            objects = self.objects(variable)
            stuck = [each for each in objects if each.is_stuck]
            most = max((each.over for each in objects), default=0)
            behind = [each for each in stuck if each.over < most]
            if stuck or variable in mine:
                offsets = frozenset(each.offset for each in behind or stuck)
                yield (0 if behind else 1 if variable in mine else 2), variable, offsets

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

    def addresses(
        self, place: Place, variable: str, offsets: Collection[int] = ()
    ) -> Iterator[str]:
        """
        The texts of addresses in a variable, the most likely first.

        They are addresses that nothing uses, which may be those of the lost step; those that the
        loop around the place computes; if there is only one of `offsets` into the shared variable,
        the addresses with this offset; and the nearest ones.
        """
        found: list[tuple[float, str]] = []
        loop = next(self.flow.loops(place.op), None)
        offset = next(iter(offsets)) if len(offsets) == 1 else None
        for value in self.scope.addresses(place, variable):
            name, spots = self.name(value), self.scope.spots(value)
            if name is None:
                continue
            spot = next(iter(spots)) if len(spots) == 1 else None
            if spot is None or not spot.is_exact:
                is_near = loop is not None and self.flow.loop_of(value) is loop
                found.append((0 if not value.uses else 1 if is_near else 5, name))
            elif offset is None:
                found.append((4, name))
            elif spot.offset <= offset:
                more = offset - spot.offset
                found.append((3, f"{name} + {more}") if more else (2, name))
        found.sort(key=lambda each: each[0])
        yield from dict.fromkeys(name for _, name in found)

    def constant(self, place: Place, bits: int) -> str | None:
        """The name of a visible constant; None if none has these bits, and operations need one."""
        if (name := self.listing.literal(bits)) is not None:
            return name
        found = (value for value, each in self.scope.constants(place) if each == bits)
        return next(filter(None, map(self.name, found)), None)

    def number(self, operand: Operand, number: int) -> Replacement | None:
        """Another number for an operand, or for that of the `ptx.mov` that copies it: a visible
        constant, or else a new one. None if the text has no such operand."""
        while not self.listing.can_replace(operand):
            owner = operand.value.owner
            if not isinstance(owner, MovOp):
                return None
            operand = Operand(owner, 0)
        value = operand.value
        constants = (
            self.name(each)
            for each in self.scope.visible(Place(operand.op))
            if each.type == value.type and constant_bits(each) == number
        )
        if (name := next(filter(None, constants), None)) is not None:
            return Replacement(operand, name, (), str(number))
        name = self.fresh(f"%c{number}")
        owner = value.owner.name if isinstance(value.owner, Operation) else ""
        constant = owner if owner == "ptx.constant" else "arith.constant"
        line = f"{name} = {constant} {number} : {value.type}"
        return Replacement(operand, name, (line,), str(number))


Generator: TypeAlias = Callable[[Problem], Iterator[Candidate]]


def ranked(problem: Problem, generators: Iterable[tuple[float, Generator]]) -> list[Candidate]:
    """The candidates of generators, each with a rank to add to theirs, the most likely first."""
    found = [
        candidate._replace(rank=rank + candidate.rank)
        for rank, generate in generators
        for candidate in generate(problem)
    ]
    unique: dict[object, Candidate] = {}
    for each in sorted(found, key=lambda each: each.rank):
        unique.setdefault(each.changes, each)
    return list(unique.values())


def one(rank: float, place: Place, *lines: str) -> Candidate:
    """The candidate that inserts operations at one place."""
    return Candidate(rank, (Insertion(place, lines),))


def words(op: Operation, *names: str) -> str:
    """The qualifiers of an operation as IR spells them, with a space before each."""
    found = (word_of(op, name) for name in names if name in op.properties)
    return "".join(f" {each}" for each in found if each)


def distinct(places: Iterable[Place]) -> list[Place]:
    return list(dict.fromkeys(places))
