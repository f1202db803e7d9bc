"""
Steps of synchronisation in a kernel, and the operands from which values come, through loops and
branches.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, cast

from xdsl.dialects import cf, scf
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator

from ...isa.effects.model import (
    COMMITTED,
    Actor,
    Choice,
    Effects,
    Ordering,
    Orderings,
    StateSpace,
    is_strong,
)
from ...isa.effects.table import EFFECTS, NONE, steps_to
from ...ptx.analysis.known_values import constant_bits
from ...ptx.control_flow import Branch
from ...ptx.text.syntax import word_of
from .listing import Operand, Place

MBARRIER_WAITS = ("mbarrier.wait", "mbarrier.try_wait.parity")


def kind(op: Operation) -> str:
    """The name of an operation, the same in both dialects."""
    return op.name.removeprefix("ptx.")


def effects_of(op: Operation) -> Effects:
    """The row of effects of an operation of either dialect."""
    return EFFECTS.get(kind(op), NONE)


def _usual_orders(op: Operation) -> Orderings:
    """What an operation orders without qualifiers."""
    orders = effects_of(op).orders
    return orders.cases.get(None, ()) if isinstance(orders, Choice) else orders


def is_wait(op: Operation) -> bool:
    """Whether the operation acquires what other threads released."""
    is_flag = kind(op) == "ld" and is_strong(word_of(op, "semantics"))
    return is_flag or Ordering.ACQUIRE in _usual_orders(op)


def is_arrival(op: Operation) -> bool:
    """Whether the operation releases the thread's earlier accesses."""
    is_flag = kind(op) == "st" and is_strong(word_of(op, "semantics"))
    by_thread = effects_of(op).actor is Actor.THREAD
    return is_flag or (by_thread and Ordering.RELEASE in _usual_orders(op))


def is_tensor_core(op: Operation) -> bool:
    """Whether an operation is one that a commit tracks."""
    return any(area.completion is COMMITTED for area in effects_of(op).areas)


def wait_for(op: Operation) -> str | None:
    """The text of the tcgen05 wait for an access to tensor memory; None if the operation needs
    none."""
    for area in effects_of(op).areas:
        for step in steps_to(area.completion) if area.completion else ():
            if step.instruction == "tcgen05.wait":
                return f"wait {step.qualifiers['operation']}"
    return None


def is_fence(op: Operation, order: str) -> bool:
    """Whether an operation is the tcgen05 fence before or after threads synchronise."""
    return kind(op) == "tcgen05.fence" and word_of(op, "order") == order


def has_effects(op: Operation) -> bool:
    """Whether an operation does more than compute or branch."""
    return bool(op.regions) or (
        kind(op).startswith(("mbarrier.", "cp.async.", "tcgen05.", "st", "ld"))
        and kind(op)
        not in ("tcgen05.descriptor", "tcgen05.slice", "tcgen05.tile", "tcgen05.advance")
    )


def computations_behind(op: Operation) -> Iterator[Operation]:
    """The operations after another one, up to the next that does more than compute."""
    following = op.next_op
    while following is not None and not (
        has_effects(following) or is_wait(following) or following.has_trait(IsTerminator)
    ):
        yield following
        following = following.next_op


def is_empty(op: Operation) -> bool:
    """Whether the first region of an operation has no text, as if a step had been there."""
    return bool(op.regions) and all(
        has_no_text(each) for block in op.regions[0].blocks for each in block.ops
    )


def has_no_text(op: Operation) -> bool:
    """Whether the text may leave out an operation."""
    return isinstance(op, scf.YieldOp) and not op.operands


def last_place(block: Block) -> Place | None:
    """The place after the last operation of a block, or before its terminator."""
    last = block.last_op
    if last is not None and has_no_text(last):
        last = last.prev_op
    if last is None:
        return None
    return Place(last, behind=not last.has_trait(IsTerminator))


Feeds: TypeAlias = Callable[[SSAValue], Iterable[Operand]]


def sources(value: SSAValue) -> Iterator[SSAValue]:
    """The values from which a value is computed, without a load from memory."""
    return (each.value for each in feeds(value))


def feeds(value: SSAValue) -> Iterator[Operand]:
    """The operands from which a value is computed, without a load from memory."""
    owner = value.owner
    if isinstance(owner, Block):
        yield from _passed(cast("BlockArgument", value))
    elif owner.regions:
        index = [*owner.results].index(cast("OpResult", value))
        if isinstance(owner, scf.WhileOp):
            condition = owner.before_region.block.last_op
            assert condition is not None
            # The first operand is the condition.
            yield Operand(condition, index + 1)
            return
        for region in owner.regions:
            for block in region.blocks:
                if isinstance(block.last_op, scf.YieldOp):
                    yield Operand(block.last_op, index)
    elif not _is_load(owner):
        yield from (Operand(owner, index) for index in range(len(owner.operands)))


def _is_load(op: Operation) -> bool:
    """Whether the results come from memory, not from the operands."""
    return kind(op) == "tcgen05.load_address" or any(
        each.space is not StateSpace.REGISTERS for each in effects_of(op).reads
    )


def _passed(argument: BlockArgument) -> Iterator[Operand]:
    """The operands that an argument of a block may take."""
    block, index = argument.block, argument.index
    op = block.parent_op()
    if isinstance(op, scf.ForOp):
        # The operands are the bounds and the step, and then the initial values.
        yield Operand(op, index + 2 if index else 0)
        if index and block.last_op is not None:
            yield Operand(block.last_op, index - 1)
    elif isinstance(op, scf.WhileOp):
        condition, last = op.before_region.block.last_op, op.after_region.block.last_op
        assert condition is not None and last is not None
        if block is op.after_region.block:
            # The first operand is the condition.
            yield Operand(condition, index + 1)
        else:
            yield Operand(op, index)
            if index < len(last.operands):
                yield Operand(last, index)
    else:
        region = block.parent
        for each in () if region is None else region.blocks:
            if each.last_op is not None:
                yield from _passed_by(each.last_op, block, index)


def _passed_by(branch: Operation, block: Block, index: int) -> Iterator[Operand]:
    """The operands that a branch passes to an argument of a block."""
    match branch:
        case Branch():
            targets = branch.targets()
        case cf.BranchOp():
            targets = [(branch.successor, branch.arguments)]
        case cf.ConditionalBranchOp():
            targets = [
                (branch.then_block, branch.then_arguments),
                (branch.else_block, branch.else_arguments),
            ]
        case _:
            return
    # The last operands are the arguments of all targets.
    at = len(branch.operands) - sum(len(values) for _, values in targets)
    for target, values in targets:
        if target is block:
            yield Operand(branch, at + index)
        at += len(values)


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
    owner = value.owner
    return (
        isinstance(owner, Operation)
        and not owner.regions
        and bool(owner.operands)
        and not _is_load(owner)
        and all(map(is_fixed, owner.operands))
    )
