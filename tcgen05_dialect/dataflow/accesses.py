"""
The columns of tensor memory that instructions access, relative to their addresses.

Checks of accesses and deallocations of tensor memory against the allocations (9.7.16.7.1).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from ..isa.mma.operation import tensor_columns
from ..isa.mma.products import TITLES
from ..isa.model.rule import Violation, describe
from ..isa.practice import TENSOR_MEMORY
from ..isa.tensor_memory import copies, ld_st
from ..isa.tensor_memory.alloc import ALLOCATION_ADDRESS
from ..ptx.inline import InlineOp
from ..ptx.syntax import offset_of, word_of
from ..ptx.tcgen05 import AllocOp, CpOp, DeallocOp, LdOp, LdRedOp, ShiftOp, StOp
from ..ptx.tcgen05_mma import Mma
from ..reporting.diagnostics import OperationError, located, text_place
from .fact import Fact
from .facts import Facts
from .kernel_facts import KernelFacts
from .numbers import Number, constant, field, total_of


class Access(NamedTuple):
    """
    An access to `columns` of tensor memory at the address in the operand `name`; `what` is what
    messages call the columns.
    """

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
        violation = TENSOR_MEMORY.violation(None, None, sentence=sentence, help=help_)
        yield located(op, violation)


def _calls(known: KernelFacts) -> bool:
    """Whether a kernel calls functions, or has instructions on tensor memory that are not known."""
    return any(
        type(op) is InlineOp and op.text.data.startswith(("call", "tcgen05"))
        for block in known.graph.blocks
        for op in block.walk()
    )
