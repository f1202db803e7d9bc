"""
Facts about the values of a kernel.

Facts are computed on demand, for a value and for those on which it depends. The fact about a block
argument starts with the value that is passed to it first; the values that loops pass to it are
added until nothing changes. xDSL's dataflow framework is not used, because it does not support
branches and visits all values.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ..isa.ptx.ptx_text import TYPE_BITS
from ..isa.tensor_memory.alloc import ALLOCATION_UNIT, COLUMNS, WARP_LANES
from ..ptx import instructions
from ..ptx.analysis.control_flow import closure
from ..ptx.analysis.known_values import constant_bits
from ..ptx.analysis.symbols import find_symbol
from ..ptx.analysis.values import guarded
from ..ptx.instructions import LdOp, ShflSyncOp, SpecialRegisterOp
from ..ptx.kernel import KernelOp, SharedMemoryOp
from ..ptx.structure import AddressOfOp, ConstantOp, GuardOp, UndefinedOp
from ..ptx.tcgen05 import AllocOp
from ..ptx.text.syntax import offset_of
from ..uniformity.lane_values import Shared, Threads, special_register, threads_of
from .fact import (
    ALLOCATION,
    VALUE,
    VARIABLE,
    Base,
    Condition,
    Edges,
    Fact,
    Slot,
    either,
    placed,
    plain,
    refined,
    relative_to,
)
from .numbers import (
    MOST_MEMBERS,
    Number,
    anything,
    computed,
    constant,
    is_pure,
    joined,
    limited,
    one_of,
    total,
    total_of,
    width_of,
)

_MOST_CHANGES = 17
"""The changes of an argument after which its interval is no longer followed step by step."""


class Facts:
    """
    The facts about a kernel in any thread or, if `warp` is given, in the threads of this warp; then
    `of_all` are those in any thread.

    A carry out of the start address into the bits above it would make a shared memory descriptor
    illegal. So values in `aligned`, which are descriptors or their lower halves, have none: only
    the lowest `address_bits` change.
    """

    def __init__(
        self,
        kernel: KernelOp,
        edges: Edges,
        aligned: Iterable[SSAValue] = (),
        address_bits: int = 0,
        warp: int | None = None,
        of_all: "Facts | None" = None,
    ):
        self._kernel = kernel
        self.threads = of_all.threads if of_all else threads_of(kernel)
        self._edges = edges
        self._aligned = set(aligned)
        self._address_bits = address_bits
        self._warp = warp
        self._of_all = of_all
        self._differing: set[SSAValue] = set()
        """The values that depend on the thread; only if `of_all` is given."""
        self._facts: dict[SSAValue, Fact | None] = {}
        self._keys: dict[SSAValue, int] = of_all._keys if of_all else {}
        self._interned: dict[Hashable, int] = of_all._interned if of_all else {}
        self.slots: dict[Slot, list[AllocOp]] = of_all.slots if of_all else {}
        """The allocations of tensor memory by the place to which they write the address."""
        self.contents: Mapping[SSAValue, Number] = {}
        """The possible numbers of loaded values, where others know them."""

    def of_warp(self, warp: int) -> "Facts":
        """The facts about the threads of one warp."""
        return type(self)(self._kernel, self._edges, self._aligned, self._address_bits, warp, self)

    def learn(self, allocations: Iterable[AllocOp]) -> None:
        """Learn where allocations write their addresses, before other values are asked for."""
        for each in allocations:
            slot = _slot(self.fact(each.address), offset_of(each, "address"))
            if slot is not None:
                self.slots.setdefault(slot, []).append(each)

    def fact(self, value: SSAValue) -> Fact:
        """The fact about a value."""
        if value not in self._facts:
            self.ask((value,))
        # An undefined value may be another one at each use.
        return self._facts[value] or relative_to(Base(VALUE, object()), anything(width_of(value)))

    def number(self, value: SSAValue) -> Number:
        """The possible numbers of a value."""
        return self.fact(value).number

    def key(self, value: SSAValue) -> int:
        """The identity of a value: the same for values that are computed equally."""
        if (known := self._keys.get(value)) is not None:
            return known
        owner, identity = value.owner, None
        kind = type(owner)
        if isinstance(owner, Operation) and (is_pure(kind) or kind in _ALIKE):
            properties = tuple(sorted(owner.properties.items(), key=lambda item: item[0]))
            operands = tuple(map(self.key, owner.operands))
            identity = kind, properties, operands, owner.results.index(value)
        found = self._keys[value] = self._interned.setdefault(
            identity or value, len(self._interned)
        )
        return found

    def ask(self, values: Iterable[SSAValue]) -> None:
        """Compute the facts about values."""
        needed, users = self._needed(values)
        if self._of_all is not None:
            needed = self._taken_from(self._of_all, needed, users)
        if self._is_straight(needed):
            for value in needed:
                self._facts[value] = self._computed(value)
            return
        order = {value: index for index, value in enumerate(needed)}
        pending = list(range(len(needed)))
        heapify(pending)
        waiting = set(pending)
        changes: dict[SSAValue, int] = {}
        while pending:
            index = heappop(pending)
            waiting.discard(index)
            value = needed[index]
            if self._changes(value, changes):
                for user in users.get(value, ()):
                    place = order[user]
                    if place not in waiting:
                        waiting.add(place)
                        heappush(pending, place)
        if any(count > _MOST_CHANGES for count in changes.values()):
            # Intervals that were given up may be bounded by a condition, or by a counter.
            for value in (*needed, *needed):
                fact = self._computed(value)
                if changes.get(value, 0) > _MOST_CHANGES:
                    fact = self._counted(value, fact)
                self._facts[value] = fact

    def _is_straight(self, values: Sequence[SSAValue]) -> bool:
        """Whether each value comes after those that it depends on: none is passed by branches, and
        all have places of their own."""
        if any(isinstance(each, BlockArgument) for each in values):
            return False
        return len(set(map(self._edges.place, values))) == len(values)

    def _counted(self, value: SSAValue, fact: Fact | None) -> Fact | None:
        """The fact about an argument that grows by the same number in each iteration, if another
        argument bounds the number of iterations."""
        owner = value.owner
        induction = self._edges.induction(value)
        if fact is None or induction is None or not induction.step or not isinstance(owner, Block):
            return fact
        most = min(filter(None, map(self._iterations, owner.args)), default=None)
        first = [self._facts.get(each) for each in induction.first]
        if most is None or None in first:
            return fact
        steps = range(0, most * induction.step, induction.step)
        width = fact.number.width
        distance = one_of(steps, width) if most <= MOST_MEMBERS else None
        if distance is None:
            if steps[-1] not in range(1 << width - 1):
                return fact
            distance = limited(width, high=steps[-1])
        found: Fact | None = None
        for each in first:
            assert each is not None
            offset = total_of(each.offset, distance)
            number = offset if each.base is None else total_of(each.number, distance)
            moved = Fact(number, each.base, offset)
            found = moved if found is None else self._either(value, found, moved)
        return found

    def _iterations(self, argument: SSAValue) -> int | None:
        """The most iterations in which an argument, which changes in each, has its numbers."""
        fact, induction = self._facts.get(argument), self._edges.induction(argument)
        if fact is None or induction is None or not induction.step:
            return None
        number = fact.offset
        if number.members is not None:
            return len(number.members)
        spread = number.high - number.low
        return spread // abs(induction.step) + 1 if spread >> number.width - 1 == 0 else None

    # The values that are needed.

    def _needed(
        self, values: Iterable[SSAValue]
    ) -> tuple[list[SSAValue], Mapping[SSAValue, list[SSAValue]]]:
        """The values without facts that some values depend on, in program order, and the users of
        each."""
        users: dict[SSAValue, list[SSAValue]] = {}

        def step(value: SSAValue) -> Iterator[SSAValue]:
            for source in self._sources(value):
                users.setdefault(source, []).append(value)
                if source not in self._facts:
                    yield source

        found = closure((each for each in values if each not in self._facts), step)
        for value in found:
            self._facts[value] = None
        return sorted(found, key=self._edges.place), users

    def _taken_from(
        self,
        of_all: "Facts",
        needed: Sequence[SSAValue],
        users: Mapping[SSAValue, list[SSAValue]],
    ) -> list[SSAValue]:
        """Take the facts that are the same in all warps; returns the other values."""
        registers = (each for each in needed if isinstance(each.owner, SpecialRegisterOp))
        differing = [*registers, *(each for each in users if each in self._differing)]
        found = closure(differing, lambda value: users.get(value, ()))
        self._differing |= found
        same = [each for each in needed if each not in found]
        of_all.ask(same)
        for each in same:
            self._facts[each] = of_all._facts[each]
        return [each for each in needed if each in found]

    def _sources(self, value: SSAValue) -> Sequence[SSAValue]:
        """The values that decide a value."""
        owner = value.owner
        kind = type(owner)
        if is_pure(kind):
            return owner.operands if isinstance(owner, Operation) else ()
        if isinstance(owner, Block):
            passed = self._edges.passed(value)
            predicates = [each for _, conditions in passed for each, _ in conditions]
            return [*(each for each, _ in passed), *predicates]
        if isinstance(owner, GuardOp):
            inner, kept = guarded(value, owner)
            return (owner.predicate, inner, kept)
        if isinstance(owner, LdOp):
            return (owner.address,)
        return (owner.a,) if isinstance(owner, ShflSyncOp) else ()

    # Facts.

    def _changes(self, value: SSAValue, changes: dict[SSAValue, int]) -> bool:
        """Compute the fact about a value; returns whether it has changed."""
        before, found = self._facts[value], self._computed(value)
        if before is not None and found is not None and isinstance(value, BlockArgument):
            # What was possible before still is.
            found = self._either(value, before, found)
            if found != before:
                count = changes[value] = changes.get(value, 0) + 1
                if count > _MOST_CHANGES:
                    found = _widened(before, found)
        if found == before:
            return False
        self._facts[value] = found
        return True

    def _computed(self, value: SSAValue) -> Fact | None:
        """The fact about a value from those it depends on; None if one of these is not known
        yet."""
        owner = value.owner
        kind = type(owner)
        if is_pure(kind):
            assert isinstance(owner, Operation)
            return self._pure(value, owner)
        if isinstance(owner, Block):
            return self._argument(value)
        if kind is UndefinedOp:
            return None
        if isinstance(owner, ConstantOp):
            bits = constant_bits(value)
            return self._unknown(value) if bits is None else plain(constant(bits, width_of(value)))
        if isinstance(owner, AddressOfOp):
            return _variable(owner)
        if isinstance(owner, SpecialRegisterOp):
            known = _in_warp(owner.register.data, self.threads, self._warp)
            return self._unknown(value) if known is None else plain(one_of(known, width_of(value)))
        if isinstance(owner, GuardOp):
            inner, kept = guarded(value, owner)
            return self._chosen(value, owner.predicate, owner.negated is None, inner, kept)
        if isinstance(owner, LdOp):
            return self._loaded(value, owner)
        if isinstance(owner, ShflSyncOp) and value is owner.d:
            # All lanes have values of the same set.
            return self._facts[owner.a]
        return self._unknown(value)

    def _unknown(self, value: SSAValue, number: Number | None = None) -> Fact:
        """A value that is relative to itself."""
        base = Base(VALUE, self.key(value))
        return relative_to(base, number or anything(width_of(value)))

    def _either(self, value: SSAValue, first: Fact, second: Fact) -> Fact:
        """The fact about a value that is the first or the second."""
        found = either(first, second)
        return found or self._unknown(value, joined(first.number, second.number))

    def _argument(self, value: SSAValue) -> Fact | None:
        passed = self._edges.passed(value)
        if not passed:
            return self._unknown(value)
        found: Fact | None = None
        for each, conditions in passed:
            fact = self._under(each, conditions)
            if fact is not None:
                found = fact if found is None else self._either(value, found, fact)
        return found

    def _under(self, value: SSAValue, conditions: Iterable[Condition]) -> Fact | None:
        """What is known of a value under conditions; None if they never hold together, or if
        nothing is known yet."""
        fact = self._facts[value]
        for predicate, expected in conditions:
            if fact is None:
                return None
            known = self._facts.get(predicate)
            if known is not None and known.number.constant == (not expected):
                return None
            number = refined(value, fact.number, (predicate, expected), self._known)
            if number is None:
                return None
            if number is not fact.number:
                offset = number if fact.base is None else fact.offset
                fact = Fact(number, fact.base, offset)
        return fact

    def _known(self, value: SSAValue) -> Number:
        known = self._facts.get(value)
        return anything(width_of(value)) if known is None else known.number

    def _chosen(
        self, value: SSAValue, predicate: SSAValue, expected: bool, one: SSAValue, other: SSAValue
    ) -> Fact | None:
        """The fact about a value that is one if the predicate has the expected value, or else the
        other."""
        first = self._under(one, ((predicate, expected),))
        second = self._under(other, ((predicate, not expected),))
        if first is None or second is None:
            return first or second
        return self._either(value, first, second)

    def _loaded(self, value: SSAValue, op: LdOp) -> Fact | None:
        if (number := self.contents.get(value)) is not None:
            return plain(number)
        address = self._facts[op.address]
        if address is None:
            return None
        width, size = width_of(value), TYPE_BITS.get(op.type.data, 0)
        if size == width and len(op.values) == 1 and self.slots:
            slot = _slot(address, offset_of(op, "address"))
            if slot in self.slots:
                zeros = ~(COLUMNS - 1) | (ALLOCATION_UNIT - 1)
                return relative_to(Base(ALLOCATION, slot), limited(width, 0, zeros))
        if size < width and not op.type.data.startswith("s"):
            return self._unknown(value, limited(width, high=(1 << size) - 1))
        return self._unknown(value)

    def _pure(self, value: SSAValue, op: Operation) -> Fact | None:
        known: list[Fact] = []
        for operand in op.operands:
            fact = self._facts[operand]
            if fact is None:
                return None
            known.append(fact)
        self.key(value)
        if not known or not width_of(value):
            return self._unknown(value)
        kind = type(op)
        if kind is instructions.SelpOp:
            return self._chosen(value, op.operands[2], True, op.operands[0], op.operands[1])
        index = op.results.index(value)
        if kind is instructions.UnpackOp and (part := _packed_part(op, index)) is not None:
            return self._facts[part]
        numbers = [each.number for each in known]
        number = computed(op, numbers)[index]
        if kind is instructions.AddOp and value in self._aligned:
            number = self._without_carry(numbers, number)
        return placed(op, known, number) or self._unknown(value, number)

    def _without_carry(self, numbers: Sequence[Number], number: Number) -> Number:
        """The sum of a descriptor and a small distance, which changes only the start address. The
        bits above the start address are all ones in a negative distance, and in no descriptor."""
        if number.members is not None:
            return number
        above = (1 << number.width) - (1 << self._address_bits)
        ones, zeros = number.ones, number.zeros
        for one, other in (numbers, reversed(numbers)):
            is_distance = other.high < 1 << self._address_bits or other.ones & above == above
            if is_distance and one.ones & above != above:
                ones |= one.ones & above
                zeros |= one.zeros & above
        return limited(number.width, ones, zeros)


_ALIKE = (ConstantOp, AddressOfOp)
"""Operations without operands whose results are equal if their properties are."""


def _slot(fact: Fact, offset: int) -> Slot | None:
    """The place at an address; None if it is not exact."""
    known = fact.offset.constant
    return None if known is None else Slot(fact.base, known + offset)


def _packed_part(op: Operation, index: int) -> SSAValue | None:
    """The register that was packed into a value that is unpacked again."""
    pack = op.operands[0].owner
    if type(pack) is not instructions.PackOp:
        return None
    parts = pack.operands
    same = [each.type for each in parts] == [each.type for each in op.results]
    return parts[index] if same else None


def _variable(op: AddressOfOp) -> Fact:
    name, width = op.variable.string_value(), width_of(op.result)
    variable = find_symbol(op, name)
    aligned = variable.alignment.value.data if isinstance(variable, SharedMemoryOp) else 1
    number = total(limited(width, 0, aligned - 1), constant(op.start, width))
    return Fact(number, Base(VARIABLE, name), constant(op.start, width))


def _widened(before: Fact, found: Fact) -> Fact:
    """A fact without the interval that grows in a loop."""
    numbers = zip((before.number, before.offset), (found.number, found.offset), strict=True)
    number, offset = (
        new if old == new else limited(new.width, old.ones & new.ones, old.zeros & new.zeros)
        for old, new in numbers
    )
    return Fact(number, found.base, number if found.base is None else offset)


def _in_warp(name: str, threads: Threads, warp: int | None) -> Iterable[int] | None:
    """The values of a special register in the threads of a warp; None if they are not known."""
    found = special_register(name, threads)
    if found.shared is not Shared.KNOWN:
        return None
    if warp is None or len(found.known) == 1:
        return found.known
    first = warp * WARP_LANES
    return found.known[first : first + WARP_LANES]
