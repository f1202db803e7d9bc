"""
A finding in the text of a kernel, for which candidates are sought: from what its values are
computed, their names in the text, and those that operations at a place may use, such as addresses
of barrier objects, parities and constants.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from functools import cached_property
from itertools import islice
from typing import NamedTuple, TypeAlias, cast

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr, i1, i32
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from ...isa.effects.model import StateSpace
from ...isa.model.rule import Rule
from ...ptx import instructions as ptx
from ...ptx.analysis.known_values import constant_bits, constant_value
from ...ptx.structure import AddressOfOp
from ...ptx.text.syntax import values_of, word_of
from .flow import MBARRIER_WAITS, Flow, effects_of, is_tensor_core, kind
from .listing import Change, Insertion, Listing, Operand, Place, Replacement
from .trial import Object, Observation

Feeds: TypeAlias = Callable[[SSAValue], Iterable[Operand]]


def feeds(value: SSAValue) -> Iterator[Operand]:
    """The operands from which a value is computed, without a load from memory."""
    owner = value.owner
    if isinstance(owner, Block):
        yield from _passed(cast("BlockArgument", value))
    elif isinstance(owner, scf.WhileOp):
        # The first operand is the condition.
        yield _last(owner.before_region.block, owner.results.index(cast("OpResult", value)) + 1)
    elif owner.regions:
        index = owner.results.index(cast("OpResult", value))
        for block in (block for region in owner.regions for block in region.blocks):
            if isinstance(block.last_op, scf.YieldOp):
                yield Operand(block.last_op, index)
    elif not _is_load(owner):
        yield from (Operand(owner, index) for index in range(len(owner.operands)))


def _is_load(op: Operation) -> bool:
    """Whether the results come from memory, not from the operands."""
    return kind(op) == "tcgen05.load_address" or any(
        each.space is not StateSpace.REGISTERS for each in effects_of(op).reads
    )


def _last(block: Block, index: int) -> Operand:
    """An operand of the last operation of a block."""
    assert block.last_op is not None
    return Operand(block.last_op, index)


def _passed(argument: BlockArgument) -> Iterator[Operand]:
    """The operands that an argument of a block may take."""
    block, index = argument.block, argument.index
    op = block.parent_op()
    if isinstance(op, scf.ForOp):
        # The operands are the bounds and the step, and then the initial values.
        yield Operand(op, index + 2 if index else 0)
        if index:
            yield _last(block, index - 1)
    elif isinstance(op, scf.WhileOp):
        if block is op.after_region.block:
            yield _last(op.before_region.block, index + 1)
        else:
            yield Operand(op, index)
            yield _last(op.after_region.block, index)
    else:
        for above in block.predecessors():
            branch = above.last_op
            assert branch is not None
            # The last operands are the arguments of all targets.
            at = len(branch.operands) - sum(len(each.args) for each in branch.successors)
            for target in branch.successors:
                if target is block:
                    yield Operand(branch, at + index)
                at += len(target.args)


def sources(value: SSAValue) -> Iterator[SSAValue]:
    """The values from which a value is computed, without a load from memory."""
    return (each.value for each in feeds(value))


def constants(root: Operand, through: Feeds = feeds) -> list[Operand]:
    """The constant operands from which an operand is computed, the nearest first."""
    found: list[Operand] = []
    seen: set[SSAValue] = set()
    pending = [root]
    for operand in pending:
        value = operand.value
        if constant_bits(value) is not None:
            found.append(operand)
        elif value not in seen:
            seen.add(value)
            pending += through(value)
    return found


def is_fixed(value: SSAValue) -> bool:
    """Whether a value is computed only from constants."""
    if constant_bits(value) is not None:
        return True
    op = value.owner
    if not isinstance(op, Operation) or op.regions or not op.operands or _is_load(op):
        return False
    return all(map(is_fixed, op.operands))


def named(op: Operation, name: str) -> Operand | None:
    """The operand of an operation of `ptx` with a name; None if it has none."""
    values = values_of(op, name) if hasattr(op, name) else ()
    if len(values) != 1:
        return None
    return Operand(op, next(at for at, value in enumerate(op.operands) if value is values[0]))


def words(op: Operation, *names: str) -> str:
    """The qualifiers of an operation as IR spells them, with a space before each."""
    found = (word_of(op, name) for name in names if name in op.properties)
    return "".join(f" {each}" for each in found if each)


_MOST = 1 << 32
"""Bound of values that may be any number."""


class Spot(NamedTuple):
    """A byte of a shared variable to which an address points or, if it is not exact, the first one
    to which it may point."""

    variable: str
    offset: int
    is_exact: bool = True


class Candidate(NamedTuple):
    """Changes that may be the fix; the candidates with the lowest rank are tried first."""

    rank: float
    changes: tuple[Change, ...]

    @property
    def steps(self) -> tuple[object, ...]:
        """The inserted operations without their places, and the replacements."""
        return tuple(each.lines if isinstance(each, Insertion) else each for each in self.changes)

    @property
    def places(self) -> tuple[object, ...]:
        """The places of the changes."""
        return tuple(each.place if isinstance(each, Insertion) else each for each in self.changes)


def ranked(found: Iterable[Candidate]) -> list[Candidate]:
    """Different candidates, the most likely first."""
    unique: dict[object, Candidate] = {}
    for each in sorted(found, key=lambda each: each.rank):
        unique.setdefault(each.changes, each)
    return list(unique.values())


class Problem:
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
        self.listing = listing
        self.kernel = listing.kernel(observation.kernel.sym_name.data)
        self.flow = Flow()
        self._spots: dict[SSAValue, frozenset[Spot]] = {}
        self._bounds: dict[SSAValue, int] = {}
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
        """The problem at the barrier objects for which threads wait in vain: -2 for those at which
        nothing arrives, 0 for those whose neighbours have had more phases, 1 for others of its
        operation, 2 for others."""
        mine = self.barriers(self.op)
        for variable in sorted(self.barrier_variables):
            objects = self.objects(variable)
            stuck = [each for each in objects if each.is_stuck]
            most = max((each.over for each in objects), default=0)
            behind = [each for each in stuck if each.over < most]
            if stuck or variable in mine:
                view = self.at(variable, (each.offset for each in behind or stuck))
                is_near = 0 if behind else 1 if variable in mine else 2
                yield is_near if self.arrivals_at(variable) else -2, view

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

    def ops(self, *kinds: str) -> Iterator[Operation]:
        """The operations of the kernel with one of these names."""
        return (op for op in self.kernel.walk() if kind(op) in kinds)

    def name(self, value: SSAValue) -> str | None:
        """The name of a value in the text; None if it is not known."""
        return self.listing.name(value)

    def names(self, values: Iterable[SSAValue]) -> Iterator[str]:
        """The known names of values in the text."""
        return filter(None, map(self.listing.name, values))

    def fresh(self, name: str) -> str:
        """A name like this one that the text does not have."""
        text = self.listing.source.text
        names = (name, *(f"{name}_{number}" for number in range(2, 100)))
        return next(each for each in names if f"{each} " not in text)

    def visible(self, place: Place, type_: Attribute | None = None) -> Iterator[SSAValue]:
        """The values, of a type, that operations at a place may use, the nearest first."""
        found: list[SSAValue] = [*reversed(place.op.results)] if place.behind else []
        for each in self.flow.above(place.op):
            found += reversed(each.args if isinstance(each, Block) else each.results)
        # A register of PTX text holds its last value.
        seen: set[str] = set()
        for value in found:
            register = (value.name_hint or "") if self.kernel.is_read else ""
            if register not in seen and type_ in (None, value.type):
                yield value
            if register:
                seen.add(register)

    def constant(self, place: Place, bits: int, type_: Attribute = i32) -> str | None:
        """The name of a visible constant; None if none has these bits, and operations need one."""
        if type_ == i32 and (name := self.listing.literal(bits)) is not None:
            return name
        found = (each for each in self.visible(place, type_) if constant_bits(each) == bits)
        return next(self.names(found), None)

    def made(
        self,
        place: Place,
        bits: int,
        fresh: str,
        type_: Attribute = i32,
        by: str = "arith.constant",
    ) -> tuple[str, tuple[str, ...]]:
        """The name of a constant, and the operation that defines it if none is visible."""
        if (name := self.constant(place, bits, type_)) is not None:
            return name, ()
        name = self.fresh(fresh)
        return name, (f"{name} = {by} {bits} : {type_}",)

    def text(self, op: Operation) -> str:
        """The text of an operation in one line."""
        return " ".join(self.listing.text_of(op).split())

    def alike(self, place: Place, *kinds: str) -> dict[str, None]:
        """The texts of operations of the kernel that can be repeated at a place, each once: their
        operands have the same names there."""
        visible = {*self.visible(place)}
        ops = (op for op in self.ops(*kinds) if not op.results and visible.issuperset(op.operands))
        return dict.fromkeys(map(self.text, ops))

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

    def beyond(self, block: Block) -> Place:
        """The place at the beginning of a block."""
        assert block.first_op is not None
        return self.before(block.first_op)

    def barriers(self, op: Operation) -> frozenset[str]:
        """The variables with the barrier objects at the addresses among the operands of an
        operation."""
        found = frozenset[str]().union(*map(self.variables, op.operands))
        return found & self.barrier_variables

    @cached_property
    def barrier_variables(self) -> frozenset[str]:
        """The variables with barrier objects."""
        inits = self.ops("mbarrier.init")
        return frozenset(name for op in inits for name in self.variables(op.operands[0]))

    def addresses_in(self, place: Place, variable: str) -> Iterator[SSAValue]:
        """The visible addresses of barrier objects in a variable of the executing CTA."""
        for value in self.visible(place, i32):
            if self.variables(value) == frozenset((variable,)) and not self.is_mapped(value):
                yield value

    def variables(self, value: SSAValue) -> frozenset[str]:
        """The shared variables from whose addresses a value is computed; in PTX text, where one
        variable often holds all of shared memory, with their offsets."""
        is_read = self.kernel.is_read
        return frozenset(
            f"{each.variable}+{each.offset}" if is_read else each.variable
            for each in self.spots(value)
        )

    def spots(self, value: SSAValue) -> frozenset[Spot]:
        """Where an address may point; empty if no address of a shared variable is in it."""
        known = self._spots.get(value)
        if known is None:
            self._spots[value] = frozenset()
            known = self._spots[value] = self._computed(value)
        return known

    def _computed(self, value: SSAValue) -> frozenset[Spot]:
        owner = value.owner
        if isinstance(owner, AddressOfOp):
            return frozenset((Spot(owner.variable.string_value(), owner.start),))
        if isinstance(owner, ptx.AddOp | arith.AddiOp):
            for one, other in (owner.operands, reversed(owner.operands)):
                if (distance := constant_value(other)) is not None:
                    return frozenset(
                        each._replace(offset=each.offset + distance) for each in self.spots(one)
                    )
        found = [self.spots(each) for each in sources(value)]
        spots = frozenset[Spot]().union(*found)
        # A value that a loop computes from itself moves from iteration to iteration.
        if all(found) and (isinstance(value, BlockArgument) or isinstance(owner, ptx.MovOp)):
            return spots
        return frozenset(each._replace(is_exact=False) for each in spots)

    def is_mapped(self, value: SSAValue) -> bool:
        """Whether an address may be in another CTA."""
        op = value.owner
        return isinstance(op, ptx.MapaOp) or (
            isinstance(op, Operation)
            and any(self.is_mapped(each) for each in op.operands if self.variables(each))
        )

    def parities(self, place: Place) -> list[SSAValue]:
        """The visible values that are 0 or 1 and no constants, values that nothing uses first."""
        found = [
            value
            for value in self.visible(place, i32)
            if constant_bits(value) is None and self._bound(value) <= 2
        ]
        return sorted(found, key=lambda value: bool(value.uses))

    def _bound(self, value: SSAValue) -> int:
        """A number that a value does not reach."""
        if (known := self._bounds.get(value)) is None:
            # A value carried around a loop keeps a bound that its first value has.
            self._bounds[value] = 2
            known = self._bounds[value] = self._computed_bound(value)
        return known

    def _computed_bound(self, value: SSAValue) -> int:
        if (bits := constant_bits(value)) is not None:
            return bits + 1
        op = value.owner
        if isinstance(op, Block):
            loop = op.parent_op()
            if isinstance(loop, scf.ForOp) and value is op.args[0]:
                return self._bound(loop.ub) - 1
            return max(map(self._bound, sources(value)), default=_MOST)
        bounds = (self._bound(each) for each in op.operands if each.type == value.type)
        last = constant_bits(op.operands[-1]) if op.operands else None
        match op:
            case arith.AndIOp() | ptx.AndOp():
                return min(bounds)
            case arith.OrIOp() | arith.XOrIOp() | ptx.OrOp() | ptx.XorOp():
                return 1 << (max(bounds) - 1).bit_length()
            case ptx.MovOp() | arith.SelectOp() | ptx.SelpOp():
                return max(bounds)
            case arith.RemUIOp() | ptx.RemOp():
                return last or _MOST
            case arith.DivUIOp() | ptx.DivOp():
                return -(-next(bounds) // (last or 1))
            case arith.ExtUIOp():
                return 2 if op.input.type == i1 else _MOST
            case ptx.BfeOp():
                length = constant_bits(op.length)
                return _MOST if length is None else 1 << length
            case _:
                return _MOST

    def number(self, operand: Operand, number: int) -> Replacement | None:
        """Another number for an operand, or for that of the `ptx.mov` that copies it: a visible
        constant, or else a new one. None if the text has no such operand."""
        while not self.listing.can_replace(operand):
            if not isinstance(owner := operand.value.owner, ptx.MovOp):
                return None
            operand = Operand(owner, 0)
        type_, owner = operand.value.type, operand.value.owner
        is_raw = isinstance(owner, Operation) and owner.name == "ptx.constant"
        by = "ptx.constant" if is_raw else "arith.constant"
        name, lines = self.made(Place(operand.op), number, f"%c{number}", type_, by)
        return Replacement(operand, name, lines, str(number))
