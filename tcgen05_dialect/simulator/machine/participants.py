"""Gathering of the threads of a warp before an instruction that they execute together."""

from xdsl.ir import Operation

from ...isa.effects.model import Participants
from ...isa.simulation import DIVERGENCE, RECONVERGENCE
from ...ptx.effects import participants_of
from ..numbers.lanes import Lanes, some
from .errors import fault, place_of
from .gathering import gather
from .machine import Group, Step, Wait


def together(op: Operation, step: Step) -> Step:
    """
    Wrap an instruction to gather its participants, unless it has a mask. The step raises
    OperationError if some can never come. For an instruction of a whole warp, it warns if the lanes
    took different branches and nothing has made them converge.
    """
    who = participants_of(op)
    if not who.together or who is Participants.NAMED:
        return step

    def gathered(group: Group) -> Wait | None:
        warp = group.warp
        wait = gather(group, warp.initial, op)
        if wait is not None:
            return wait
        is_whole = who is Participants.WHOLE
        _check_lanes(op, group, warp.initial if is_whole else warp.lanes)
        branch = warp.parts.branch(group.mask) if is_whole else None
        if branch is not None:
            found = f"lanes of {warp.name} took different branches, {place_of(branch)}"
            found += ", and nothing makes them converge"
            group.machine.judge.report(op, RECONVERGENCE, found)
        warp.parts.bring_together(group.mask)
        return step(group)

    return gathered


def _check_lanes(op: Operation, group: Group, lanes: Lanes) -> None:
    if some(lanes & ~group.mask):
        executing = group.warp.name_of(group.mask)
        raise fault(op, DIVERGENCE, f"only {executing} came to the instruction")
