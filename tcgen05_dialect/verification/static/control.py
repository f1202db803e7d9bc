"""
Values that decide what a kernel does to barriers, shared memory and tensor memory, and polls, whose
result depends on the schedule.

A wait with a time limit may give up, and a load with semantics may read a flag before or after
another thread sets it. A loop that only asks again is a wait. Any other use of the result is a
choice that the schedule makes.

If a parameter gives the number of stages of a ring, or the index of a stage went through memory, a
run shows how many barrier objects the loop goes through.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import Pure

from ...isa.effects.model import StateSpace, is_strong
from ...ptx import instructions as ptx
from ...ptx.analysis.places import pointees
from ...ptx.analysis.symbols import find_symbol
from ...ptx.analysis.values import (
    STORING,
    computed_from,
    control_operands,
    deciding,
    operations,
)
from ...ptx.contract import AssumeOp
from ...ptx.control_flow import Branch, CondBraOp, traps
from ...ptx.effects import effects_of, global_places, is_strong_access
from ...ptx.kernel import SharedMemoryOp
from ...ptx.structure import GuardOp
from ...ptx.text.syntax import offset_of, values_of, word_of
from ...simulator.machine.machine import Group, Step
from ...simulator.machine.program import Program
from .inventory import Inventory
from .loops import Loop, sources_of

ASKING = (
    ptx.MbarrierTryWaitParityOp
    | ptx.MbarrierTestWaitParityOp
    | ptx.MbarrierTryWaitOp
    | ptx.MbarrierTestWaitOp
)
"""Operations whose result `done` tells whether a phase is over."""


def is_flag(op: Operation) -> bool:
    """Whether an operation reads what another thread may write at the same time."""
    return isinstance(op, ptx.LdOp) and is_strong(word_of(op, "semantics"))


def choices_of(ops: Inventory) -> list[Operation]:
    """The polls of a kernel whose results decide more than whether to ask again."""
    return [
        op
        for op in ops.reached
        if (isinstance(op, ASKING) or (is_flag(op) and not is_settled(op, ops.reached)))
        and not _is_loop(op)
    ]


def is_settled(flag: Operation, ops: Iterable[Operation]) -> bool:
    """
    Whether a load with semantics certainly reads shared memory that no thread writes at the same
    time, as the address that alloc has stored: there is a race with any write that is not strong.
    """
    read = _shared_variables(flag, "address")
    written = (
        _shared_variables(op, operand)
        for op in ops
        if is_strong_access(op)
        for area in effects_of(type(op)).writes
        if area.space in (StateSpace.MEMORY, StateSpace.SHARED)
        and not (area.space is StateSpace.MEMORY and word_of(op, "space") == "global")
        for operand in area.operands
    )
    return bool(read) and all(names and names.isdisjoint(read) for names in written)


def _shared_variables(op: Operation, operand: str) -> frozenset[str]:
    """The shared variables to which an address may point; empty if it may point elsewhere."""
    found = [pointees(value) for value in values_of(op, operand)]
    names = frozenset(name for each in found for name in each.names)
    is_shared = all(isinstance(find_symbol(op, name), SharedMemoryOp) for name in names)
    return names if is_shared and all(each.complete for each in found) else frozenset()


def _is_loop(op: Operation) -> bool:
    """Whether the results of a poll only decide whether to ask, or to wait, again."""
    return all(
        _only_sleeps(branch) or (isinstance(branch, CondBraOp) and _only_asks_again(branch, op))
        for branch, _ in deciding(op.results)
    )


def _only_sleeps(op: Operation) -> bool:
    """Whether an operation guards nothing but pauses."""
    return isinstance(op, GuardOp) and all(
        isinstance(each, ptx.NanosleepOp) for each in op.instructions
    )


def _only_asks_again(branch: CondBraOp, poll: Operation) -> bool:
    """Whether one way of a branch asks again, with nothing on the way that another thread might
    see."""
    ways = [_silent_way(target) for target, _ in branch.targets()]
    for way, other in (ways, reversed(ways)):
        asked = False
        for at in way:
            if at is poll:
                return True
            if asked and (at is branch or at in other):
                return True
            asked |= isinstance(at, Operation) and _is_same(at, poll)
    return False


_SILENT = ptx.NanosleepOp | ptx.FenceOp | Branch | ASKING | ptx.MbarrierWaitOp


def _silent_way(block: Block) -> list[Block | Operation]:
    """The blocks and operations from the start of a block, up to one that may have an effect or
    that may go on in several ways."""
    found: list[Block | Operation] = []
    while block not in found:
        found.append(block)
        for op in block.ops:
            found.append(op)
            is_silent = isinstance(op, _SILENT) or is_flag(op) or op.has_trait(Pure)
            if not is_silent and not _only_sleeps(op):
                return found
        branch = block.last_op
        targets = [target for target, _ in branch.targets()] if isinstance(branch, Branch) else []
        if len(targets) > 1:
            # A wait may give up with a trap.
            targets = [each for each in targets if not _traps(each)]
        if len(targets) != 1:
            return found
        block = targets[0]
    return found


def _traps(block: Block) -> bool:
    """Whether a block does nothing before a trap."""
    others = (op for op in block.ops if not op.has_trait(Pure))
    return traps(islice(others, 1))


def _is_same(op: Operation, poll: Operation) -> bool:
    """Whether an operation waits for the phase for which a poll asks."""
    if not isinstance(
        op, ptx.MbarrierWaitOp | ptx.MbarrierTryWaitParityOp | ptx.MbarrierTestWaitParityOp
    ):
        return False
    if not isinstance(poll, ptx.MbarrierTryWaitParityOp | ptx.MbarrierTestWaitParityOp):
        return False
    is_same = op.address is poll.address and op.parity is poll.parity
    return is_same and offset_of(op, "address") == offset_of(poll, "address")


def decisive_values(ops: Inventory) -> set[SSAValue]:
    """The values on which control, barriers and addresses in shared and tensor memory depend; not
    those that only lead to places in global memory."""
    return sources_of_values(
        ops,
        (
            operand
            for op in ops.reached
            if not isinstance(op, AssumeOp)
            for operand, kind in kinds_of(op)
            if kind != "global"
        ),
    )


def sources_of_values(ops: Inventory, values: Iterable[SSAValue]) -> set[SSAValue]:
    """Values, and all from which they are computed; what a load gives may come from any store."""
    found = ops.behind(values)
    if any(type(op) is ptx.LdOp and not found.isdisjoint(op.results) for op in ops.reached):
        found |= ops.behind(v for op in ops.reached if isinstance(op, STORING) for v in op.values)
    return found


def barriers_of(op: Operation) -> list[SSAValue]:
    """The operands of an operation that are addresses of barrier objects."""
    effects = effects_of(type(op))
    names = [
        name for area in effects.areas if area.space is StateSpace.BARRIER for name in area.operands
    ]
    names += filter(None, (effects.arrives_at, effects.completes_at))
    return [value for name in dict.fromkeys(names) for value in values_of(op, name)]


def _moves_global_data(op: Operation) -> bool:
    """Whether an operation only loads or stores global data that is not a flag."""
    if not isinstance(op, ptx.LdOp | ptx.StOp) or is_strong(word_of(op, "semantics")):
        return False
    return op.space is not None and op.space.data == "global"


def kinds_of(op: Operation) -> Iterator[tuple[SSAValue, str]]:
    """The operands on which the effects of an operation depend, each with what it is."""
    places = {value for name in global_places(op) for value in values_of(op, name)}
    moves = isinstance(op, GuardOp) and all(map(_moves_global_data, op.instructions))
    for operand in control_operands(op):
        if operand in places or moves:
            yield operand, "global"
        elif isinstance(op, ptx.MbarrierWaitOp | ASKING) and operand is getattr(op, "parity", None):
            yield operand, "parity"
        else:
            yield operand, ""


def is_poll(loop: Loop) -> bool:
    """Whether a loop only asks for the end of a phase again."""
    return any(isinstance(each.owner, ASKING) for each in sources_of(loop))


def direct_operations(loop: Loop, loops: Iterable[Loop]) -> list[Operation]:
    """The operations of a loop, without other loops in it that are no polls."""
    inner = {
        block
        for each in loops
        if each.body < loop.body and not is_poll(each)
        for block in each.body
    }
    return [*operations(each for each in loop.body if each not in inner)]


def ring_operations(loops: Iterable[Loop]) -> dict[Loop, list[Operation]]:
    """The loops whose barrier objects change, with the operations on these."""
    loops = [each for each in loops if not is_poll(each)]
    found: dict[Loop, list[Operation]] = {}
    for loop in loops:
        direct = direct_operations(loop, loops)
        loaded = [result for op in direct if isinstance(op, ptx.LdOp) for result in op.results]
        changing = computed_from([*loop.carried, *loaded])
        if ops := [op for op in direct if any(each in changing for each in barriers_of(op))]:
            found[loop] = ops
    return found


def stage_numbers(
    ops: Inventory, numbers: Iterable[BlockArgument], loops: Iterable[Loop]
) -> list[BlockArgument]:
    """The numbers that wrap an index of barrier objects: they are numbers of stages."""
    reaching = ops.behind(value for op in ops.reached for value in barriers_of(op))
    wraps = {
        operand
        for value in reaching
        if isinstance(op := value.owner, ptx.RemOp | ptx.SetpOp)
        for operand in op.operands
    }
    counting = {each for loop in loops for each in sources_of(loop)}
    return [p for p in numbers if p in wraps and p in reaching and p not in counting]


@dataclass(eq=False)
class Touched:
    """Record of the barrier objects that operations of loops use, in the order of each warp."""

    _ops: frozenset[Operation]
    _found: dict[Operation, dict[str, list[int]]] = field(
        default_factory=dict[Operation, dict[str, list[int]]]
    )

    def before(self, op: Operation, program: Program) -> Step | None:
        """Record the barrier objects that an operation uses."""
        if op not in self._ops:
            return None
        addresses = [program.index(each) for each in barriers_of(op)]

        def record(group: Group) -> None:
            warps = self._found.setdefault(op, {})
            used = warps.setdefault(group.warp.name, [])
            for each in addresses:
                address = int(group.read(each)[group.lanes[0]])
                # A thread may ask again.
                if used[-1:] != [address]:
                    used.append(address)

        return record

    def begin(self) -> None:
        """Begin the record of another run."""
        self._found.clear()

    def barriers(self, ops: Iterable[Operation]) -> set[int]:
        """The barrier objects that operations use."""
        return {each for op in ops for used in self._found.get(op, {}).values() for each in used}

    def stages(self, ops: Iterable[Operation]) -> int | None:
        """The number of barrier objects that operations of a loop go through; None if no operation
        has come back to one."""
        found = [
            len({*used})
            for op in ops
            for used in self._found.get(op, {}).values()
            if len(used) > len({*used})
        ]
        return max(found, default=None)
