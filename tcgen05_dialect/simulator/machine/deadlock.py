"""Diagnosis of a deadlock: the barriers of waiting threads, with present and missing arrivals."""

from collections.abc import Iterable, Mapping
from enum import IntEnum

from xdsl.ir import Operation

from ...ptx.analysis.places import pointees
from ...ptx.effects import effects_of
from ...ptx.instructions import BarrierClusterWaitOp, SetmaxnregOp
from ...ptx.kernel import kernel_around
from .barrier import Came, Contribution, Mbarrier, Meeting, Stuck
from .errors import line_number, place_of
from .machine import Group, Machine
from .state import RegisterPool, Warp

_AWAITED = Mbarrier | Meeting | RegisterPool
"""What the diagnosis describes."""
_States = Mapping[tuple[str, int], str]
"""CTA and index of a warp -> what the warp does."""


class _Rank(IntEnum):
    """How near something that threads wait for is to the cause of a deadlock."""

    CAUSE = 0
    """Nothing can complete it."""
    ENDED = 1
    """A warp that is missing has ended."""
    UNKNOWN = 2
    EFFECT = 3
    """All missing warps wait for something else."""


def stuck_in(machine: Machine) -> tuple[list[Stuck], Operation]:
    """
    What threads wait for in a deadlock, the cause first, and the operation at which they wait for
    the cause.
    """
    waiting: dict[object, list[Group]] = {}
    states: dict[tuple[str, int], str] = {}
    for group in machine.groups:
        assert group.wait is not None
        states.setdefault(_key(group.warp), f"waiting at {place_of(group.op)}")
        barriers = [each for each in group.wait.needs if isinstance(each, _AWAITED)]
        for what in barriers or [(group.warp.cta, group.wait.describe())]:
            waiting.setdefault(what, []).append(group)
    # What is the same in several CTAs is listed once.
    alike: dict[Stuck, tuple[_Rank, list[Group]]] = {}
    for what, groups in waiting.items():
        stuck, rank = _stuck(what, groups, states)
        alike.setdefault(stuck, (rank, []))[1].append(groups[0])
    found = sorted(alike.items(), key=lambda item: item[1][0])
    named = [
        stuck._replace(ctas=tuple(dict.fromkeys(group.warp.cta.name for group in groups)))
        for stuck, (_, groups) in found
    ]
    return named, found[0][1][1][0].op


def _stuck(what: object, groups: list[Group], states: _States) -> tuple[Stuck, _Rank]:
    """Something that groups of a CTA wait for; its CTAs are not set."""
    match what:
        case Mbarrier():
            stuck, rank = _mbarrier(what, groups[0], states)
        case Meeting():
            stuck, rank = _meeting(what, groups[0], states)
        case RegisterPool():
            stuck, rank = _pool(what, groups, states)
        case _:
            assert groups[0].wait is not None
            name = groups[0].wait.describe().removesuffix(f" of {groups[0].warp.cta.name}")
            stuck, rank = Stuck(name, ()), _Rank.UNKNOWN
    came = [group.warp.brings(group.op) for group in groups]
    return stuck._replace(waiting=_contributions(came, groups[0].warp.cta.name)), rank


def _mbarrier(barrier: Mbarrier, group: Group, states: _States) -> tuple[Stuck, _Rank]:
    cta = group.warp.cta
    stuck = Stuck(
        barrier.name.removesuffix(f" in {cta.shared.name}"),
        (),
        barrier.phases.over,
        barrier.count,
        barrier.pending,
        barrier.bytes,
        came=_contributions(barrier.came, cta.name),
        init=line_number(barrier.init),
    )
    if barrier.before:
        came = {(each.op, each.cta, each.warp) for each in barrier.came}
        absent = [
            each
            for each in barrier.before
            if (each.op, each.cta, each.warp) not in came
            and ((each.arrivals and barrier.pending) or (each.completed and barrier.bytes > 0))
        ]
        missing, rank = _contributions(absent, cta.name, states), _rank(absent, states)
    else:
        ops, complete = operations_on(barrier, group)
        executed = {each.op for each in barrier.came}
        missing = tuple(
            Contribution(op.name, line_number(op), "", ()) for op in ops if op not in executed
        )
        rank = _Rank.UNKNOWN
        if complete and not ops and (barrier.pending or barrier.bytes > 0):
            stuck = stuck._replace(reason="no instruction of the kernel provides them")
            rank = _Rank.CAUSE
    # The copies of the phase have come, and bring another number of bytes.
    differs = barrier.bytes > 0 and not barrier.pending and not missing
    is_cause = barrier.bytes < 0 or (differs and any(each.completed for each in barrier.came))
    return stuck._replace(missing=missing), _Rank.CAUSE if is_cause else rank


def _meeting(meeting: Meeting, group: Group, states: _States) -> tuple[Stuck, _Rank]:
    cta = group.warp.cta
    stuck = Stuck(
        meeting.name.removesuffix(f" of {cta.name}"),
        (),
        expected_arrivals=meeting.expected,
        arrivals=meeting.expected - meeting.arrived,
        came=_contributions(meeting.came, cta.name),
    )
    ctas = cta.cluster.ctas if isinstance(group.op, BarrierClusterWaitOp) else [cta]
    warps = [warp for each in ctas for warp in each.warps]
    if meeting.of_all:
        warps = [warp for warp in warps if warp.is_running]
    elif sum(int(warp.initial.sum()) for warp in warps) != meeting.expected:
        # Any warps may take part.
        return stuck, _Rank.UNKNOWN
    came = {(each.cta, each.warp) for each in meeting.came}
    missing = [warp.brings(group.op) for warp in warps if _key(warp) not in came]
    # Where the missing warps would come is not known.
    parts = (
        each._replace(operation="", line=0) for each in _contributions(missing, cta.name, states)
    )
    return stuck._replace(missing=tuple(parts)), _rank(missing, states)


def _pool(pool: RegisterPool, groups: list[Group], states: _States) -> tuple[Stuck, _Rank]:
    cta = groups[0].warp.cta
    required = [
        pool.required(each.warp.maxnreg or 0, each.op.count)
        for each in groups
        if isinstance(each.op, SetmaxnregOp)
    ]
    reason = f"only {pool.free} registers are free, and a warp takes {min(required)}"
    stuck = Stuck(pool.name.removesuffix(f" of {cta.name}"), (), reason=reason)
    running = {index for name, index in states if name == cta.name}
    only = running <= {each.warp.index for each in groups}
    return stuck, _Rank.CAUSE if only else _Rank.UNKNOWN


def _key(warp: Warp) -> tuple[str, int]:
    return warp.cta.name, warp.index


def _rank(missing: list[Came], states: _States) -> _Rank:
    if not missing:
        return _Rank.UNKNOWN
    has_ended = any((each.cta, each.warp) not in states for each in missing)
    return _Rank.ENDED if has_ended else _Rank.EFFECT


def _contributions(
    came: Iterable[Came], cta: str, states: _States | None = None
) -> tuple[Contribution, ...]:
    """The operations with the warps of each CTA; `states` tells what the warps do instead."""
    alike: dict[tuple[Operation, str, str], list[Came]] = {}
    for each in came:
        state = "" if states is None else states.get((each.cta, each.warp), "ended")
        alike.setdefault((each.op, each.cta, state), []).append(each)
    return tuple(
        Contribution(
            op.name,
            line_number(op),
            "" if each_cta == cta else each_cta,
            tuple(sorted({each.warp for each in all_})),
            sum(each.arrivals for each in all_),
            sum(each.expected for each in all_),
            sum(each.completed for each in all_),
            state,
        )
        for (op, each_cta, state), all_ in alike.items()
    )


def operations_on(barrier: Mbarrier, group: Group) -> tuple[list[Operation], bool]:
    """
    The operations of the kernel that bring what a barrier object needs, in program order, and
    whether the list is complete because all addresses are known.
    """
    cta = group.warp.cta
    offset = next(at for at, each in cta.mbarriers.items() if each is barrier)
    variable = cta.shared.variable(offset)
    if variable is None:
        return [], False
    found: list[Operation] = []
    complete = True
    kernel = kernel_around(group.op)
    for op in () if kernel is None else kernel.walk():
        effects = effects_of(type(op))
        brings = (
            (effects.arrives_at, barrier.pending > 0),
            (effects.completes_at, barrier.bytes > 0),
        )
        for operand, is_needed in brings:
            if operand and is_needed:
                names, is_known = pointees(getattr(op, operand))
                complete &= is_known
                if variable.name.removeprefix("@") in names:
                    found.append(op)
    return found, complete
