"""
The registers of the threads of a kernel with setmaxnreg (PTX ISA 9.7.19.5).

Coalescing: values that share one register, so that passing them on needs no move.

Values are related if one is passed to the other: as the argument of a block, or as what a guarded
instruction keeps. Related values share a register unless their live ranges overlap. The test walks
the values of each group once, in order of dominance, as in Boissinot, Darte, Rastello, de Dinechin
and Guillon, "Revisiting Out-of-SSA Translation" (2009).

The contents of the condition code register (9.7.2).

The text of an instruction does not name the carry that it reads. A carry may therefore be read only
where the register still holds it: on no path does another instruction write the register between
the one that sets the carry and the one that reads it.

The permit of a CTA to allocate tensor memory (PTX ISA 9.7.16.7.1).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Protocol, TypeGuard

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ...isa.instructions.arithmetic import CARRY_RULE, sets_condition_code
from ...isa.instructions.barriers import (
    ENTRY_REGISTERS,
    REGISTER_BUDGET,
    most_registers,
    registers_at_start,
)
from ...isa.model.rule import Violation
from ...isa.ptx.ptx_text import OF_GRID
from ...isa.targets import REGISTERS, RESERVED_SHARED_BYTES, SHARED_BYTES
from ...isa.tensor_memory.alloc import COLUMNS, PERMIT
from ...reporting.diagnostics import located
from ..control_flow import Branch, CallOp
from ..kernel import KernelOp, kernel_around
from ..structure import ConstantOp, GuardOp, InlineOp, UndefinedOp, unguarded
from ..text.syntax import word_of
from ..types import CarryType
from ..variables import used_variables
from .control_flow import Dominance, operations_of
from .known_values import constant_value


class RegisterChange(Protocol):
    """A setmaxnreg; its class imports this module."""

    @property
    def takes(self) -> bool: ...

    @property
    def count(self) -> int: ...


def register_changes(ops: Sequence[Operation]) -> list[RegisterChange]:
    """The setmaxnreg among operations."""
    return [op for op in ops if _is_change(op)]


def _is_change(op: Operation) -> TypeGuard[RegisterChange]:
    """Whether an operation is a setmaxnreg."""
    return op.name == "ptx.setmaxnreg"


def entry_registers(kernel: KernelOp, changes: Sequence[RegisterChange]) -> int | None:
    """The registers of each thread at the start of a kernel; None if they are unknown, or if it has
    no setmaxnreg, without which ptxas chooses their number."""
    if not changes:
        return None
    numbers = dict(kernel.numbers())
    increases = [op.count for op in changes if op.takes]
    return registers_at_start(
        numbers.get("maxnreg"), numbers.get("minnctapersm"), _threads(kernel), increases
    )


def _threads(kernel: KernelOp) -> int:
    """The largest number of threads of a CTA; 0 if the kernel does not limit it."""
    return prod(kernel.extents("reqntid") or kernel.extents("maxntid") or (0,))


def register_warnings(op: Operation) -> Iterator[Violation]:
    """The warning about the first setmaxnreg of a kernel without a number of registers."""
    kernel = kernel_around(op)
    if kernel is None or not _is_change(op):
        return
    changes = register_changes(operations_of(kernel))
    if changes[0] is op and entry_registers(kernel, changes) is None:
        sentence = "the kernel does not say how many registers its threads have at the start"
        yield ENTRY_REGISTERS.says(sentence)


def register_violations(op: Operation) -> Iterator[Violation]:
    """The violations by a setmaxnreg that are certain if a warp executes it."""
    kernel = kernel_around(op)
    if kernel is None or not _is_change(op):
        return
    changes = register_changes(operations_of(kernel))
    start = entry_registers(kernel, changes)
    if start is None:
        return
    most = max([start, *(each.count for each in changes if each.takes)])
    if not op.takes and op.count > most:
        sentence = f"no thread has more than {most} registers; found dec {op.count}"
        yield REGISTER_BUDGET.says(sentence)
    elif op.takes and op.count > start and all(each.takes for each in changes):
        sentence = (
            f"the threads have {start} registers at the start, and no setmaxnreg.dec gives up any; "
            f"found inc {op.count}"
        )
        yield REGISTER_BUDGET.says(sentence)
    required = prod(kernel.extents("reqntid") or (0,))
    if op is changes[0] and required and start > most_registers(required):
        sentence = (
            f"{required} threads with {start} registers each at the start do not fit into a "
            f"multiprocessor; at most {most_registers(required)} do"
        )
        help_ = f"lower maxnreg to {most_registers(required)}"
        yield REGISTER_BUDGET.says(sentence, help_)


def kept_values(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Each result of an operation that shares a register with a value before it, and that value."""
    if isinstance(op, GuardOp | InlineOp) and op.kept:
        yield from zip(op.outputs, op.kept, strict=True)


def _passed(blocks: Iterable[Block]) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Each argument of a block and the values passed to it."""
    for block in blocks:
        if isinstance(last := block.last_op, Branch):
            for target, arguments in last.targets():
                yield from zip(target.args, arguments, strict=True)


def shared_registers(
    blocks: Sequence[Block], dominance: Dominance, arguments: bool
) -> Mapping[SSAValue, SSAValue]:
    """
    Value -> the value whose register it has, for values that share a register with another one.

    `blocks` are the reachable blocks of a kernel. Without `arguments`, the arguments of blocks have
    registers of their own.
    """
    related = list(_passed(blocks)) if arguments else []
    related += [pair for block in blocks for op in block.ops for pair in kept_values(op)]
    if not related:
        return {}
    entry = blocks[0]
    groups = _Groups()
    for one, other in related:
        if not any(_is_fixed(each, entry) for each in (one, other)):
            groups.join(one, other)
    ranges = _LiveRanges(blocks, dominance, groups.members())
    found: dict[SSAValue, SSAValue] = {}
    for group in groups.sets():
        for values in ranges.disjoint(group):
            found.update(dict.fromkeys(values[1:], values[0]))
    return found


def _is_fixed(value: SSAValue, entry: Block) -> bool:
    """Whether a value has no register that others may share."""
    return isinstance(value.owner, ConstantOp | UndefinedOp) or value.owner is entry


class _Groups:
    """Disjoint sets of related values."""

    def __init__(self) -> None:
        self._parent: dict[SSAValue, SSAValue] = {}

    def _root(self, value: SSAValue) -> SSAValue:
        parent = self._parent.setdefault(value, value)
        while parent is not value:
            above = self._parent[parent]
            self._parent[value] = above
            value, parent = parent, above
        return value

    def join(self, one: SSAValue, other: SSAValue) -> None:
        self._parent[self._root(one)] = self._root(other)

    def members(self) -> Iterable[SSAValue]:
        return self._parent

    def sets(self) -> Iterable[list[SSAValue]]:
        found: dict[SSAValue, list[SSAValue]] = {}
        for value in self._parent:
            found.setdefault(self._root(value), []).append(value)
        return found.values()


class _Place:
    """The definition of a value: its block and its position there; -1 for an argument."""

    __slots__ = ("block", "order", "position")

    def __init__(self, block: Block, order: int, position: int):
        self.block = block
        self.order = order
        self.position = position


class _LiveRanges:
    """The live ranges of some values."""

    def __init__(self, blocks: Sequence[Block], dominance: Dominance, values: Iterable[SSAValue]):
        self._dominance = dominance
        self._position: dict[Operation, int] = {}
        self._end: dict[Block, int] = {}
        self._before: dict[Block, list[Block]] = {block: [] for block in blocks}
        for block in blocks:
            position = 0
            for position, op in enumerate(block.ops):
                self._position[op] = position
            self._end[block] = position
            if block.last_op is not None:
                for successor in dict.fromkeys(block.last_op.successors):
                    self._before[successor].append(block)
        self._places = {value: self._place(value) for value in values}
        self._last: dict[tuple[SSAValue, Block], int] = {}
        """The last position in a block where a value is used."""
        self._out: dict[SSAValue, set[Block]] = {}
        """The blocks at whose end a value is live, because a block after them uses it."""
        for value in self._places:
            self._measure(value)

    def _place(self, value: SSAValue) -> _Place:
        if isinstance(value, BlockArgument):
            block, position = value.block, -1
        else:
            op = _owner(value)
            assert op.parent is not None
            block, position = op.parent, self._position[op]
        return _Place(block, self._dominance.number(block), position)

    def _measure(self, value: SSAValue) -> None:
        home = self._places[value].block
        live_in: set[Block] = set()
        out = self._out[value] = set[Block]()
        pending: list[Block] = []
        for use in value.uses:
            op = use.operation
            while op not in self._position:
                if (above := op.parent_op()) is None:
                    break
                op = above
            block = op.parent
            if block is None or block not in self._end:
                continue  # An unreachable block.
            key = value, block
            # The arguments of a branch are read after everything else in its block.
            position = self._position[op] + isinstance(op, Branch)
            self._last[key] = max(self._last.get(key, -1), position)
            if block is not home and block not in live_in:
                live_in.add(block)
                pending.append(block)
        while pending:
            for block in self._before[pending.pop()]:
                out.add(block)
                if block is not home and block not in live_in:
                    live_in.add(block)
                    pending.append(block)

    def disjoint(self, values: Iterable[SSAValue]) -> Iterator[list[SSAValue]]:
        """Partition values into sets without overlapping live ranges."""
        places = self._places
        rest = sorted(values, key=lambda value: (places[value].order, places[value].position))
        while rest:
            chosen: list[SSAValue] = []
            left: list[SSAValue] = []
            around: list[SSAValue] = []
            for value in rest:
                while around and not self._precedes(around[-1], value):
                    around.pop()
                if around and self._overlap(around[-1], value):
                    left.append(value)
                    continue
                around.append(value)
                chosen.append(value)
            yield chosen
            rest = left

    def _precedes(self, one: SSAValue, other: SSAValue) -> bool:
        """Whether the definition of a value dominates that of another, or is at the same place."""
        first, second = self._places[one], self._places[other]
        if first.block is second.block:
            return first.position <= second.position
        return self._dominance.dominates(first.block, second.block)

    def _overlap(self, one: SSAValue, other: SSAValue) -> bool:
        """Whether a value is live at the definition of another value, which its own dominates."""
        place = self._places[other]
        if place.block in self._out[one]:
            return True
        first = self._places[one]
        if first.block is place.block and first.position == place.position:
            return True
        last = self._last.get((one, place.block), -2)
        if last > place.position:
            return True
        # A register that keeps its old value is written before the instruction reads its operands.
        return last == place.position >= 0 and any(
            result is other and kept is not one for result, kept in kept_values(_owner(other))
        )


def _owner(value: SSAValue) -> Operation:
    assert isinstance(value.owner, Operation)
    return value.owner


def carries_of(values: Iterable[SSAValue]) -> list[SSAValue]:
    """The carries among some values."""
    return [value for value in values if isinstance(value.type, CarryType)]


def check_carry(op: Operation, carry: SSAValue) -> None:
    """
    Check that the condition code register holds `carry` where `op` reads it. What comes before a
    region is not followed, except before a guard. Raises Violation.
    """
    if isinstance(carry.owner, UndefinedOp):
        return
    place = unguarded(op)
    pending: list[tuple[Block | None, Operation | None]] = [(place.parent, place.prev_op)]
    seen: set[Block] = set()
    while pending:
        block, last = pending.pop()
        writer = _writer(last)
        if writer is not None:
            if carry not in writer.results:
                raise CARRY_RULE.violation(f"that of {writer.name}", "the one that it reads")
        elif block is not None and carry.owner is not block:
            if carries_of(block.args):
                raise CARRY_RULE.violation("the argument of a block", "the one that it reads")
            before = [each for each in block.predecessors() if each not in seen]
            seen.update(before)
            pending += [(each, each.last_op) for each in before]


def check_carries(blocks: Iterable[Block]) -> None:
    """Check all carries that are read in some blocks. Raises OperationError."""
    for block in blocks:
        for op in block.ops:
            for carry in carries_of(op.operands):
                try:
                    check_carry(op, carry)
                except Violation as violation:
                    raise located(op, violation) from violation


def _writer(last: Operation | None) -> Operation | None:
    """The last operation, from `last` backwards in its block, that may write the register."""
    while last is not None and not _writes(last):
        last = last.prev_op
    return last


def _writes(op: Operation) -> bool:
    if isinstance(op, CallOp) or carries_of(op.results):
        return True
    if isinstance(op, InlineOp):
        return sets_condition_code(op.text.data.partition(" ")[0].split("."))
    return any(_writes(each) for each in _inside(op))


def _inside(op: Operation) -> Sequence[Operation]:
    return [each for region in op.regions for block in region.blocks for each in block.ops]


_CTAS = 2
"""Number of CTAs of a kernel on a multiprocessor when one waits for the permit of the other."""


def permit_violations(alloc: Operation, ctas: int) -> Iterator[Violation]:
    """
    The violation by a typed or raw alloc, of one CTA or a pair of `ctas`, after which a CTA keeps
    the permit, although another CTA of the kernel can run beside it. Of several allocations, it is
    that of the last one in the text.
    """
    kernel = kernel_around(alloc)
    if kernel is None:
        return
    ops = operations_of(kernel)
    allocations = [each for each in ops if _is(each, "alloc")]
    if allocations[-1] is not alloc or any(map(_may_relinquish, ops)):
        return
    columns = [constant_value(each.operands[1]) for each in allocations]
    known = [each for each in columns if each is not None]
    if len(known) < len(columns) or _CTAS * sum(known) > COLUMNS:
        return
    if _has_more_ctas(kernel, ops, ctas) and not _fills_multiprocessor(kernel, ops):
        sentence = (
            "no relinquish_alloc_permit follows: another CTA of the kernel on the "
            "multiprocessor waits in alloc until this CTA ends, although "
            f"{COLUMNS - sum(known)} columns are free"
        )
        yield PERMIT.says(sentence)


def _is(op: Operation, step: str) -> bool:
    """Whether an operation of either dialect is a tcgen05 instruction."""
    return op.name.removeprefix("ptx.") == f"tcgen05.{step}"


def _may_relinquish(op: Operation) -> bool:
    """Whether an operation relinquishes the permit, or runs code that is not known."""
    is_unknown = isinstance(op, InlineOp) or op.name == "ptx.call"
    return is_unknown or _is(op, "relinquish_alloc_permit")


def _has_more_ctas(kernel: KernelOp, ops: Sequence[Operation], ctas: int) -> bool:
    """Whether a kernel is for more than `ctas` CTAs: it has larger clusters, or asks for a place in
    the grid."""
    return prod(kernel.extents("cluster_dims") or ()) > ctas or any(
        op.name == "ptx.special_register" and word_of(op, "register") in OF_GRID for op in ops
    )


def _fills_multiprocessor(kernel: KernelOp, ops: Sequence[Operation]) -> bool:
    """Whether a second CTA certainly does not fit on the multiprocessor, or is not asked for."""
    numbers = dict(kernel.numbers())
    if numbers.get("minnctapersm") == 1:
        return True
    threads = prod(kernel.extents("reqntid") or (0,))
    registers = entry_registers(kernel, register_changes(ops)) or 0
    sizes = (each.size for each in used_variables(kernel, kernel.body.blocks))
    shared = sum(size.value.data for size in sizes if size is not None) + RESERVED_SHARED_BYTES
    return (
        _CTAS * threads * registers > REGISTERS
        or _CTAS * shared > SHARED_BYTES["a"] + RESERVED_SHARED_BYTES
    )
