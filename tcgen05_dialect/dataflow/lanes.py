"""Lanes of tensor memory against the warp that executes ld and st (9.7.16.8.1)."""

from collections.abc import Iterator

from ..isa.model.rule import Violation, describe
from ..isa.practice import FIRST_LANES
from ..isa.tensor_memory.cells import WARP_LANES, warp_lanes
from ..isa.tensor_memory.ld_st import LANE_RULE
from ..ptx.tcgen05 import LdOp, LdRedOp, StOp
from ..reporting.operation_error import OperationError, located
from .accesses import address
from .agreement import Agreement
from .kernel_facts import KernelFacts
from .numbers import Number, field


def lane_errors(known: KernelFacts) -> Iterator[OperationError]:
    """
    The errors of loads and stores in lanes that the executing warp certainly cannot access.

    In a kernel of PTX text that gives a lane of warp 0 to other warps, too, only the first such
    instruction is in an error, which is a warning.
    """
    agreement = Agreement(known)
    warned = False
    for op in known.instructions:
        if isinstance(op, LdOp | LdRedOp | StOp):
            violation = _violation(op, known, agreement)
            if violation is None or (warned and violation.rule is FIRST_LANES):
                continue
            warned |= violation.rule is FIRST_LANES
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
    is_first = all(max(each.members or (0,)) < WARP_LANES for each in wrong.values())
    rule = FIRST_LANES if known.kernel.is_read and is_first else LANE_RULE
    return rule.violation(lane.low, legal, sentence=sentence, culprit="address", help=help_)


def _lane(op: LdOp | LdRedOp | StOp, warp: int, known: KernelFacts) -> Number | None:
    """The lane of the address in a warp; None if nothing is known of it."""
    cell = address(op, "address", known.in_warp(warp))
    return field(cell.offset, 16, 16) if cell.is_cell else None
