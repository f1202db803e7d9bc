"""
The steps that may be missing: for each rule, which steps supply what it lacks, between which
operations, at which places, and how the text spells them there.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from xdsl.dialects import scf

from ...isa.mma.products import OVERWRITTEN_A, OVERWRITTEN_SCALE
from ...isa.model.rule import Rule
from ...isa.practice import (
    AFTER_FENCE,
    BARRIER,
    BEFORE_FENCE,
    COLLECTIVE,
    DEADLOCK,
    INIT_FENCE,
    INITIALISATION,
    LIFETIME,
    OVERWRITE_FENCE,
    PHASES,
    PROXY,
    RACE,
    RECONVERGENCE,
    TENSOR_MEMORY,
    TENSOR_ORDER,
    UNWRITTEN,
)
from . import places, spelling
from .flow import MBARRIER_WAITS, kind
from .listing import Insertion, Place
from .problem import Candidate, Problem, ranked

View: TypeAlias = tuple[float, Problem]
"""A view of a problem, such as one of its sides, and how unlikely it is that it lacks a step."""


class Row(NamedTuple):
    """A kind of step that may be missing: its places, its spelling, and the views of the problem,
    such as both of its accesses; the most likely come first everywhere. `cost` tells how unlikely
    the step is."""

    places: Callable[[Problem], Iterable[Place]]
    spelling: spelling.Spelling
    views: Callable[[Problem], Iterable[View]] = lambda problem: ((0, problem),)
    cost: float = 0


def candidates(problem: Problem) -> list[Candidate]:
    """The candidates for the missing step of a problem, the most likely first."""
    return ranked(
        Candidate(cost + row.cost + more + nth / 2 + variant / 2, (Insertion(place, lines),))
        for cost, rows in _ROWS.get(problem.rule, {}).items()
        for row in rows
        for more, view in row.views(problem)
        for nth, place in enumerate(dict.fromkeys(row.places(view)))
        for variant, lines in enumerate(row.spelling(view, place))
    )


def _ignored(problem: Problem, variable: str) -> Problem:
    """The problem at the barrier objects of a variable, and at those without a wait."""
    objects = problem.objects(variable)
    return problem.at(variable, (each.offset for each in objects if each.is_ignored))


def _unheeded(problem: Problem) -> Iterator[View]:
    """The problem at the barrier objects for which nothing waits."""
    return enumerate(_ignored(problem, variable) for variable in sorted(problem.unheeded()))


def _at_barriers(problem: Problem) -> Iterator[View]:
    """Each side of the problem, at the barrier objects for which a wait may be missing there."""
    for side, view in problem.sides():
        for cost, variable in _barriers(view):
            yield side + cost, _ignored(view, variable)


def _barriers(problem: Problem) -> list[tuple[float, str]]:
    """The barrier objects for which a wait before an access may be missing, with their costs."""
    other = problem.related
    signalled = {*problem.barriers(other)} if other is not None else set[str]()
    for each in problem.flow.behind(other) if other is not None else ():
        if kind(each) == "tcgen05.commit" or "mbarrier.arrive" in kind(each):
            signalled |= problem.barriers(each)
    waits = [*problem.ops(*MBARRIER_WAITS)]
    before = filter({*waits}.__contains__, problem.flow.before(problem.op))
    here = frozenset[str]().union(*map(problem.barriers, before))
    unheeded = problem.unheeded()

    def cost(name: str) -> float:
        is_lost = name in unheeded or any(each.is_ignored for each in problem.objects(name))
        return 1.5 * (name not in signalled) + (0 if is_lost else 2 if name in here else 1)

    return [(cost(name), name) for name in sorted(problem.barrier_variables)]


def _of_its_barriers(problem: Problem) -> Iterator[View]:
    """The problem at the barrier objects that its operation uses."""
    uses = (op for op in problem.kernel.walk() if kind(op).startswith("mbarrier."))
    of_barriers = {name for op in uses for name in problem.variables(op.operands[0])}
    variables = {name for value in problem.op.operands for name in problem.variables(value)}
    return enumerate(map(problem.at, sorted(variables & of_barriers)))


def _of_each(name: str) -> Callable[[Problem], Iterable[View]]:
    """The problem at each operation of the kernel with a name."""
    return lambda problem: ((0, problem.between(op, None)) for op in problem.ops(name))


def _of_halves(problem: Problem) -> Iterator[View]:
    """The problem; a missing half is likely if the kernel has more arrivals than waits at the
    barrier of the cluster, or fewer."""
    halves = (problem.ops(f"barrier.cluster.{half}") for half in ("arrive", "wait"))
    arrivals, waits = (sum(1 for _ in ops) for ops in halves)
    yield -4 if arrivals != waits else 0, problem


def _in_one_loop(problem: Problem) -> Iterator[View]:
    """The problem, if one loop contains both operations."""
    loops = {problem.flow.loop(each) for each in problem.accesses}
    if len(problem.accesses) == 2 and len(loops) == 1 and None not in loops:
        yield 0, problem


def _of_later_init(problem: Problem) -> Iterator[View]:
    """The problem, if its barrier object is initialised, but too late."""
    if problem.related is not None and kind(problem.related) == "mbarrier.init":
        yield 0, problem


_RELINQUISH = "tcgen05.relinquish_alloc_permit"
_of_allocations, _of_relinquishments = map(_of_each, ("tcgen05.alloc", _RELINQUISH))


def _after_allocation(problem: Problem) -> Iterator[Place]:
    if not any(kind(each) == _RELINQUISH for each in problem.flow.behind(problem.op)):
        yield Place(problem.op, behind=True)


def _after_branch(problem: Problem) -> Iterator[Place]:
    if isinstance(branch := problem.op.parent_op(), scf.IfOp):
        yield Place(branch, behind=True)


def _stuck(by_commit: bool) -> Callable[[Problem], Iterable[View]]:
    """The problem at barrier objects for which threads wait in vain: those first at which commits
    arrive, or threads."""

    def views(problem: Problem) -> Iterator[View]:
        for cost, view in problem.stuck():
            kinds = {kind(op) == "tcgen05.commit" for op in view.arrivals_at(view.variable)}
            yield cost + (0 if by_commit in kinds or not kinds else 1.5), view

    return views


_AFTER = Row(places.after_waits, spelling.fence("after"))
_BEFORE = Row(places.before_arrivals, spelling.fence("before"))
_PROXY_FENCE = Row(places.around_accesses, spelling.proxy_fence)
_MEMORY_FENCE = Row(places.beside_relaxed, spelling.memory_fence)
_INIT_FENCE = Row(places.after_initialisations, spelling.init_fence)
_TENSOR_WAIT = Row(places.after_access, spelling.tensor_wait, Problem.sides)
_GROUPS = (
    Row(places.after_copies, spelling.group_commit, Problem.sides),
    Row(places.before_uses, spelling.group_wait, Problem.sides),
)
_WAITS = (
    Row(places.lone_fences, spelling.barrier_wait, _unheeded, cost=-1),
    Row(places.before_access, spelling.barrier_wait, _at_barriers),
    Row(places.after_commits, spelling.barrier_wait, _unheeded, cost=1.25),
)
_BYTES = Row(places.before_copies, spelling.expected_bytes, Problem.stuck)
_COMMIT = Row(places.after_products, spelling.commit, _stuck(by_commit=True))
_ARRIVAL = Row(places.after_uses, spelling.arrival, _stuck(by_commit=False), cost=0.5)
_ARRIVAL_OF_ANNOUNCER = Row(
    places.after_announcements, spelling.arrival_after_announcement, Problem.stuck
)
_ARRIVAL_OF_COPIES = Row(places.after_thread_copies, spelling.arrival_of_copies, Problem.stuck)
_HALF_MEETING = Row(places.elsewhere, spelling.counted_meeting)
_ROLE_MEETING = Row(places.between_for_some, spelling.counted_meeting, _in_one_loop)
_MEETINGS = (
    Row(places.gaps, spelling.meeting_of_some, cost=-4),
    Row(places.gaps, spelling.meeting_of_all, cost=-3.5),
    Row(places.gaps, spelling.counted_meeting, cost=-3),
    Row(places.between, spelling.meeting_of_some),
    Row(places.between_for_all, spelling.meeting_of_all, cost=0.5),
    Row(places.between_for_some, spelling.counted_meeting),
    Row(places.between_for_some, spelling.meeting_of_all, cost=3),
    Row(places.between_for_all, spelling.counted_meeting, cost=3),
)
_LATE_INITIALISATION = tuple(row._replace(views=_of_later_init) for row in _MEETINGS)
_LANES = Row(places.beside_leaders, spelling.meeting_of_some, Problem.sides)
_LOOP_MEETING = Row(places.loop_ends, spelling.meeting_of_some)
_CLUSTER = Row(places.between, spelling.whole)
_END = Row(places.ends, spelling.whole)
_HALVES = (
    Row(places.lone_arrivals, spelling.cluster_step("wait"), _of_halves),
    Row(places.lone_waits, spelling.cluster_step("arrive"), _of_halves),
)
_INVALIDATION = Row(places.before_inits, spelling.invalidation)
_INITIALISATION = Row(places.beside_initialisations, spelling.initialisation, _of_its_barriers)
_WARP_INITIALISATION = Row(
    places.beside_initialisations, spelling.initialisation_for_warp, _of_its_barriers, cost=2
)
_DEALLOCATION = Row(places.of_allocating_warp, spelling.deallocation, _of_allocations)
_RELINQUISHMENTS = (
    Row(_after_allocation, spelling.relinquishment, _of_allocations, cost=-1),
    Row(_after_branch, spelling.on_other_side, _of_relinquishments),
)

_ROWS: Mapping[Rule, Mapping[float, Sequence[Row]]] = {
    RACE: {
        -2: (_TENSOR_WAIT, *_GROUPS),
        -1: (_ROLE_MEETING, _LANES),
        0: _WAITS,
        1: (_MEMORY_FENCE,),
        2: _MEETINGS,
        6: _HALVES,
    },
    UNWRITTEN: {-1: (_LANES,), 0: _WAITS, 1: _HALVES, 2: (*_MEETINGS, _TENSOR_WAIT)},
    PROXY: {0: (_PROXY_FENCE,), 1: _WAITS},
    OVERWRITE_FENCE: {0: (_PROXY_FENCE,)},
    TENSOR_ORDER: {0: (_AFTER,), 0.5: (_BEFORE,)},
    AFTER_FENCE: {0: (_AFTER,), 3: (_BEFORE,)},
    BEFORE_FENCE: {0: (_BEFORE,), 3: (_AFTER,)},
    OVERWRITTEN_A: {0: (_AFTER,), 1: (_BEFORE,), 2: _WAITS},
    OVERWRITTEN_SCALE: {0: (_AFTER,), 1: (_BEFORE,), 2: _WAITS},
    INITIALISATION: {0: (_INIT_FENCE,), 1: (*_MEETINGS, *_HALVES)},
    INIT_FENCE: {0: (_INIT_FENCE,)},
    DEADLOCK: {
        -2: (_BYTES,),
        0: (_COMMIT, _ARRIVAL_OF_ANNOUNCER, _ARRIVAL, _ARRIVAL_OF_COPIES),
        1: (*_HALVES, _HALF_MEETING),
        3: _MEETINGS,
    },
    BARRIER: {
        -2: _LATE_INITIALISATION,
        -1: (_INVALIDATION, _INITIALISATION, _WARP_INITIALISATION),
        0: _WAITS,
        1: _HALVES,
        3: (_CLUSTER,),
    },
    PHASES: {0: (*_WAITS, _LOOP_MEETING), 1: _MEETINGS},
    LIFETIME: {-2: _GROUPS, -1: _HALVES, 0: _WAITS, 1: (_END,), 2: (_CLUSTER,)},
    COLLECTIVE: {0: (*_RELINQUISHMENTS, *_HALVES), 0.5: (_CLUSTER,)},
    TENSOR_MEMORY: {0: (_DEALLOCATION,)},
    RECONVERGENCE: {0: _MEETINGS},
}
"""Rule of a finding -> the steps of which one may be missing, by how unlikely that is."""
