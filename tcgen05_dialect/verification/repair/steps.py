"""Steps of synchronisation in a kernel."""

from collections.abc import Iterator

from xdsl.dialects import scf
from xdsl.ir import Block, Operation
from xdsl.traits import IsTerminator

from ...isa.completion import COMMITTED
from ...isa.effects.model import Actor, Choice, Effects, Ordering, Orderings, is_strong
from ...isa.effects.table import EFFECTS, NONE, steps_to
from ...ptx.syntax import word_of
from .listing import Place

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
