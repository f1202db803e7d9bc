"""
Checks of accesses to tensor memory: columns against allocations (9.7.16.7.1), lanes against the
warp (9.7.16.8.1), operands of products against D (9.7.16.10.9), and the agreement of warps.

A condition is the same for all warps if it depends only on constants, parameters, and memory at
addresses that do not depend on the thread.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from ..isa.mma.operation import overlap_violations, tensor_columns
from ..isa.mma.products import TITLES, D
from ..isa.model.rule import Violation, combined, describe
from ..isa.practice import TENSOR_MEMORY, by_habit
from ..isa.tensor_memory import copies, ld_st
from ..isa.tensor_memory.alloc import ADDRESS, ALLOCATION_ADDRESS, COLUMNS, LANE_RULE, warp_lanes
from ..ptx.analysis.control_flow import closure
from ..ptx.control_flow import BrxOp, CondBraOp
from ..ptx.instructions import ElectSyncOp, SpecialRegisterOp
from ..ptx.structure import GuardOp, InlineOp
from ..ptx.tcgen05 import AllocOp, CpOp, DeallocOp, LdOp, LdRedOp, ShiftOp, StOp
from ..ptx.tcgen05_mma import Mma
from ..ptx.text.syntax import offset_of, word_of
from ..reporting.diagnostics import OperationError, located, text_place
from ..uniformity.lane_values import Shared, special_register
from .fact import Fact
from .facts import Facts
from .kernel_facts import KernelFacts
from .numbers import Number, constant, difference, field, signed, total_of


class Access(NamedTuple):
    """An access to `columns` of tensor memory at the address in the operand `name`; `what` is what
    messages call the columns."""

    name: str
    what: str
    address: Fact
    columns: range

    @property
    def first(self) -> Number:
        """The column of the address, relative to its base."""
        return field(self.address.offset, 0, 16)

    @property
    def lane(self) -> Number:
        """The lane of the address."""
        return field(self.address.offset, 16, 16)


def accesses(op: Operation, known: KernelFacts) -> Iterator[Access]:
    """The accesses of an instruction to tensor memory, as far as their columns are known."""
    if isinstance(op, Mma):
        form = op.form()
        cases = known.facts.number(op.idesc).members or ()
        columns = [tensor_columns(form, idesc) for idesc in cases]
        for each in form.matrices_in("tensor"):
            count = range(min((case.get(each.name, 1) for case in columns), default=1))
            yield _access(op, each.name, f"columns of {TITLES[each.name]}", count, known)
    elif isinstance(op, LdOp | LdRedOp | StOp):
        packed = "pack" in op.properties or "unpack" in op.properties
        split = op.properties.get("split_offset")
        distance = split.value.data if isinstance(split, IntegerAttr) else None
        shape, num = word_of(op, "shape") or "", word_of(op, "num") or ""
        for columns in ld_st.footprint(shape, num, packed, distance).columns:
            yield _access(op, "address", ld_st.COLUMN_RULE.subject, columns, known)
    elif isinstance(op, CpOp):
        columns = range(copies.SHAPES[op.shape.data].columns)
        yield _access(op, "address", "columns of the destination of cp", columns, known)
    elif isinstance(op, ShiftOp):
        yield _access(op, "address", "columns that shift moves", range(copies.COLUMNS), known)


def _access(op: Operation, name: str, what: str, columns: range, known: KernelFacts) -> Access:
    return Access(name, what, address(op, name, known.facts), columns)


def address(op: Operation, name: str, facts: Facts) -> Fact:
    """The address in an operand, with the offset that the instruction adds."""
    fact = facts.fact(getattr(op, name))
    width = fact.offset.width
    return fact._replace(offset=total_of(fact.offset, constant(offset_of(op, name), width)))


def allocation_errors(known: KernelFacts) -> Iterator[OperationError]:
    """The errors of instructions that use columns which are certainly not allocated, or free others
    than they should."""
    allocations = [each for each in known.instructions if isinstance(each, AllocOp)]
    if not allocations:
        # The caller of the kernel, or the program that it is a part of, allocates.
        return
    for op in known.instructions:
        if isinstance(op, DeallocOp):
            violation = _wrongly_freed(op, allocations, known)
        else:
            violation = _outside(op, allocations, known)
        if violation is not None:
            yield located(op, violation)
    yield from _never_freed(allocations, known)


def _named(address: Fact, allocations: Sequence[AllocOp], known: KernelFacts) -> Sequence[AllocOp]:
    """The allocations to which an address may belong."""
    return allocations if address.slot is None else known.facts.slots[address.slot]


def _outside(op: Operation, allocations: Sequence[AllocOp], known: KernelFacts) -> Violation | None:
    """The violation by columns after the end of their allocation."""
    for access in accesses(op, known):
        named = _named(access.address, allocations, known)
        if not access.address.is_cell or (access.address.slot is None and len(named) > 1):
            continue
        most = max(known.facts.number(each.columns).high for each in named)
        first = access.first.low
        if first + access.columns.stop > most:
            return _after_end(access, first, most, named)
    return None


def _after_end(access: Access, first: int, most: int, named: Sequence[AllocOp]) -> Violation:
    columns = f"{first + access.columns.start} to {first + access.columns.stop - 1}"
    exact = access.first.constant is not None
    found = columns if exact else f"{columns} or later ones"
    sentence = (
        f"{access.what} {found}, counted from the start of the allocation{_at(named)}, are not "
        f"within its {most} columns"
    )
    help_ = "allocate more columns, or access columns inside the allocation"
    return TENSOR_MEMORY.violation(
        columns, most, sentence=sentence, culprit=access.name, help=help_
    )


def _at(named: Sequence[AllocOp]) -> str:
    """The place of an allocation in a message."""
    place = text_place(named[0].location) if len(named) == 1 else None
    return "" if place is None else f" in line {place.line.data}"


def _wrongly_freed(
    op: DeallocOp, allocations: Sequence[AllocOp], known: KernelFacts
) -> Violation | None:
    """The violation by a dealloc that does not free one whole allocation."""
    fact = known.facts.fact(op.taddr)
    named = _named(fact, allocations, known)
    legal: set[int] = set()
    for each in named:
        members = known.facts.number(each.columns).members
        if members is None:
            return _moved(fact)
        legal.update(members)
    columns = known.facts.number(op.columns).constant
    if columns is not None and columns not in legal:
        sentence = (
            f"dealloc frees {columns} columns of the allocation{_at(named)} of "
            f"{describe(frozenset(legal))} columns"
        )
        return ALLOCATION_ADDRESS.violation(
            columns, frozenset(legal), sentence=sentence, culprit="columns"
        )
    return _moved(fact)


def _moved(fact: Fact) -> Violation | None:
    if fact.slot is None or fact.offset.has(0):
        return None
    distance = fact.offset.low
    sentence = f"the address of dealloc is {distance:#x} after the address that alloc wrote"
    return ALLOCATION_ADDRESS.violation(distance, 0, sentence=sentence, culprit="taddr")


def _never_freed(allocations: Sequence[AllocOp], known: KernelFacts) -> Iterator[OperationError]:
    """The errors of allocations that are used, but that no warp frees."""
    is_used = any(True for op in known.instructions for _ in accesses(op, known))
    if not is_used or not known.graph.ends(0) or _calls(known):
        return
    left = {slot: found for slot, found in known.facts.slots.items() if found}
    if sum(map(len, left.values())) < len(allocations):
        # Where some are freed is not known.
        return
    deallocations = [each for each in known.instructions if isinstance(each, DeallocOp)]
    for warp in range(len(known.facts.threads.warps())):
        for op in deallocations:
            if left and known.may_execute(op, warp):
                slot = known.facts.fact(op.taddr).slot
                if slot is None:
                    # It may free any allocation.
                    return
                left.pop(slot, None)
    for op in (each for found in left.values() for each in found):
        sentence = "no dealloc frees the columns that it allocates"
        help_ = "dealloc the columns before the kernel ends, in a warp that reaches the dealloc"
        violation = TENSOR_MEMORY.says(sentence, help_)
        yield located(op, violation)


def _calls(known: KernelFacts) -> bool:
    """Whether a kernel calls functions, or has instructions on tensor memory that are not known."""
    return any(
        type(op) is InlineOp and op.text.data.startswith(("call", "tcgen05"))
        for block in known.graph.blocks
        for op in block.walk()
    )


class Agreement:
    """The agreement of the warps of a kernel on the execution of its instructions."""

    def __init__(self, known: KernelFacts):
        self._known = known
        self._differ: dict[SSAValue, bool] = {}

    @cached_property
    def _controlling(self) -> Mapping[int, Set[int]]:
        """For each block, the branches that decide whether it is executed."""
        found: dict[int, set[int]] = {}
        for branch in range(len(self._known.graph.blocks)):
            for block in self._known.graph.controlled(branch):
                found.setdefault(block, set()).add(branch)
        return found

    def is_common(self, op: Operation, warps: Iterable[int]) -> bool:
        """Whether some warps, which may execute an instruction, all do so if one does."""
        block = self._known.block(op)
        assert block is not None
        conditions = list(self._conditions(self._deciding(block)))
        guard = op.parent_op()
        if isinstance(guard, GuardOp):
            conditions.append(guard.predicate)
        return not any(
            self._differs(each)
            and any(self._known.in_warp(warp).number(each).constant is None for warp in warps)
            for each in conditions
        )

    def _deciding(self, block: int) -> set[int]:
        """The branches that decide whether a block is executed, also through others."""
        controlling = self._controlling
        return closure(controlling.get(block, ()), lambda each: controlling.get(each, ()))

    def _conditions(self, branches: Iterable[int]) -> Iterator[SSAValue]:
        """The conditions of the branches at the end of blocks."""
        for each in branches:
            branch = self._known.graph.blocks[each].last_op
            if isinstance(branch, CondBraOp):
                yield branch.predicate
            elif isinstance(branch, BrxOp):
                yield branch.index

    def _differs(self, value: SSAValue) -> bool:
        """Whether a value may differ from warp to warp."""
        if value not in self._differ:
            self._differ[value] = any(map(self._is_own, closure([value], self._sources)))
        return self._differ[value]

    def _sources(self, value: SSAValue) -> Iterable[SSAValue]:
        """The values on which a value depends."""
        owner = value.owner
        if isinstance(owner, Block):
            return self._passed(value, owner)
        if isinstance(owner, GuardOp):
            inner = (each for op in owner.body.block.ops for each in op.operands)
            return (*owner.operands, *inner)
        return owner.operands

    def _is_own(self, value: SSAValue) -> bool:
        """Whether a value may be the thread's own, whatever it is computed from."""
        op = value.owner
        if isinstance(op, SpecialRegisterOp):
            found = special_register(op.register.data, self._known.facts.threads)
            return found.agreement is not Shared.CTA
        if isinstance(op, InlineOp):
            return True
        is_elected = isinstance(op, ElectSyncOp)
        return isinstance(op, Operation) and op.name.startswith(_OWN) and not is_elected

    def _passed(self, argument: SSAValue, block: Block) -> Iterator[SSAValue]:
        """What an argument of a block depends on: what is passed, and which way was taken."""
        edges = self._known.edges
        number = self._known.graph.number.get(block)
        if number is None:
            return
        yield from (each for each, _ in edges.passed(argument))
        graph = self._known.graph
        ways = graph.predecessors[number]
        if len(ways) > 1:
            deciding = {each for before in ways for each in (before, *self._deciding(before))}
            # What decides the block before all ways does not decide between them.
            yield from self._conditions(deciding - self._deciding(graph.dominators[number]))


_OWN = ("ptx.atom", "ptx.special_register.", "ptx.activemask", "ptx.match")


def lane_errors(known: KernelFacts) -> Iterator[OperationError]:
    """The errors of loads and stores in lanes that the executing warp certainly cannot access."""
    agreement = Agreement(known)
    for op in known.instructions:
        if isinstance(op, LdOp | LdRedOp | StOp):
            violation = _violation(op, known, agreement)
            if violation is not None:
                yield located(op, violation)


def _violation(
    op: LdOp | LdRedOp | StOp, known: KernelFacts, agreement: Agreement
) -> Violation | None:
    threads = known.facts.threads
    if not threads.extents:
        return None
    wrong: dict[int, Number] = {}
    right: list[int] = []
    for warp in range(len(threads.warps())):
        if not known.may_meet(op, warp):
            continue
        lane = _lane(op, warp, known)
        if lane is None:
            return None
        legal = warp_lanes(warp)
        if lane.members is not None and not any(each in legal for each in lane.members):
            wrong[warp] = lane
        else:
            right.append(warp)
    wrong = {warp: lane for warp, lane in wrong.items() if known.may_execute(op, warp)}
    if not wrong:
        return None
    if any(known.may_execute(op, warp) for warp in right):
        wrong = {warp: lane for warp, lane in wrong.items() if known.exists(warp)}
        if not wrong or not agreement.is_common(op, wrong):
            # Perhaps only the others execute it.
            return None
    warp, lane = next(iter(wrong.items()))
    legal = warp_lanes(warp)
    sentence = (
        f"warp {warp} accesses lane {describe(frozenset(lane.members or ()))}, but it can access "
        f"only lanes {legal.start} to {legal.stop - 1}"
    )
    help_ = "add the first lane of the warp, 32 times its number in the warpgroup, to the address"
    lanes = {0}.union(*(each.members or () for each in wrong.values()))
    rule = by_habit(LANE_RULE, known.kernel.is_read, lanes=lanes)
    return rule.violation(lane.low, legal, sentence=sentence, culprit="address", help=help_)


def _lane(op: LdOp | LdRedOp | StOp, warp: int, known: KernelFacts) -> Number | None:
    """The lane of the address in a warp; None if nothing is known of it."""
    cell = address(op, "address", known.in_warp(warp))
    return field(cell.offset, 16, 16) if cell.is_cell else None


def overlap_errors(known: KernelFacts) -> Iterator[OperationError]:
    """The errors of matrix products with an operand in columns of D. The addresses may be relative
    to any value, but both to the same."""
    for op in known.instructions:
        if isinstance(op, Mma):
            violation = combined(
                overlap_violations(
                    op.form(), known.facts.number(op.idesc).constant, _distances(op, known)
                )
            )
            if violation is not None:
                yield located(op, violation)


def _distances(op: Mma, known: KernelFacts) -> dict[str, int]:
    """The distances in columns from D to other operands in the same lanes, as far as known."""
    found: dict[str, int] = {}
    d = address(op, D.name, known.facts)
    for each in op.form().matrices_in("tensor"):
        if each.name == D.name:
            continue
        other = address(op, each.name, known.facts)
        distance = difference(other.offset, d.offset).constant
        if other.base == d.base and distance is not None:
            columns = signed(distance, ADDRESS.width)
            if abs(columns) <= COLUMNS:
                found[each.name] = columns
    return found
