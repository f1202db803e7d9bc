"""Candidates: barriers at which the threads of a warp, a CTA or a cluster meet."""

from collections.abc import Iterator

from xdsl.ir import Operation

from .listing import Place, enclosing
from .problem import Candidate, Problem, distinct, one
from .steps import is_fence, kind

_MOST_PLACES = 6
_FENCES = "tcgen05.fence", "fence"
_GAP = 4
"""How much likelier a place between two fences is than others."""


def _cluster(problem: Problem) -> tuple[str, str]:
    """The barrier of the cluster, as the kernel spells it."""
    used = next(problem.ops("barrier.cluster.arrive", "barrier.cluster.wait"), None)
    aligned = "" if used is not None and "aligned" not in used.properties else " aligned"
    return f"ptx.barrier.cluster.arrive{aligned}", f"ptx.barrier.cluster.wait{aligned}"


def meetings(problem: Problem) -> Iterator[Candidate]:
    """Barriers between the two operations, from small to large."""
    is_cluster = any(problem.ops("barrier.cluster.arrive", "mapa")) or "cluster_dims" in str(
        problem.scope.kernel.attributes
    )
    places = [(at - _GAP, place) for at, place in enumerate(_gaps(problem))]
    places += enumerate(_places(problem)[:_MOST_PLACES])
    for rank, place in places:
        all_lanes = problem.constant(place, 0xFFFFFFFF)
        if all_lanes is not None:
            yield one(rank, place, f"ptx.bar.warp.sync {all_lanes}")
        zero = problem.constant(place, 0)
        texts = dict.fromkeys(
            (*((f"ptx.bar.sync {zero}",) if zero else ()), *problem.alike(place, "bar.sync"))
        )
        for more, text in enumerate(texts):
            yield one(rank + 0.5 + 0.5 * more, place, text)
        if is_cluster:
            yield one(rank, place, *_cluster(problem))


def cluster_meetings(problem: Problem) -> Iterator[Candidate]:
    """Barriers of the cluster, outside loops first: the CTAs need to meet only once."""
    places = sorted(_places(problem), key=lambda place: problem.flow.is_in_loop(place.op))
    for rank, place in enumerate(places[:_MOST_PLACES]):
        yield one(rank, place, *_cluster(problem))


def last_meetings(problem: Problem) -> Iterator[Candidate]:
    """Barriers of the cluster before the threads end, or before they free tensor memory."""
    *_, outermost = enclosing(problem.op)
    ends = [Place(each) for each in problem.ops("ret", "exit")]
    frees = [Place([*enclosing(each)][-1]) for each in problem.ops("tcgen05.dealloc")]
    behind = [] if kind(outermost) == "ret" else [Place(outermost, behind=True)]
    for rank, place in enumerate(distinct((*behind, *frees, *ends))):
        yield one(rank, place, *_cluster(problem))


def halves(problem: Problem) -> Iterator[Candidate]:
    """The other half of a barrier whose arrival or wait is there."""
    for arrive in problem.ops("barrier.cluster.arrive"):
        following = arrive.next_op
        if following is None or kind(following) != "barrier.cluster.wait":
            qualifier = " aligned" if "aligned" in arrive.properties else ""
            ends = [Place(each) for each in problem.ops("ret")]
            places = (Place(arrive, behind=True), *_places(problem), *ends)
            for rank, place in enumerate(distinct(places)):
                yield one(rank, place, f"ptx.barrier.cluster.wait{qualifier}")
    for wait in problem.ops("barrier.cluster.wait"):
        previous = wait.prev_op
        if previous is None or kind(previous) != "barrier.cluster.arrive":
            qualifier = " aligned" if "aligned" in wait.properties else ""
            yield one(0, Place(wait), f"ptx.barrier.cluster.arrive{qualifier}")


def _places(problem: Problem) -> list[Place]:
    """Places between the two operations, in the blocks that contain both."""
    later, earlier = problem.op, problem.related
    levels = [*enclosing(later)]
    if earlier is None:
        return [Place(each) for each in levels]
    found: list[Place] = []
    earlier_levels = [*enclosing(earlier)]
    for each in levels:
        mate = next((other for other in earlier_levels if other.parent is each.parent), None)
        if mate is None:
            continue
        if mate is not each:
            first, last = (mate, each) if mate.is_before_in_block(each) else (each, mate)
            found += [Place(last), Place(first, behind=True)]
            found += [Place(other) for other in _between(first, last)]
        elif not found:
            found += [Place(each, behind=True), Place(each)]
        else:
            found += [Place(each), Place(each, behind=True)]
    found += _joins(problem, later, earlier)
    return distinct((*found, Place(later), Place(earlier, behind=True)))


def _joins(problem: Problem, later: Operation, earlier: Operation) -> Iterator[Place]:
    """Places in the blocks before the later operation where the ways of threads that execute the
    earlier one, and others, have met."""
    flow = problem.flow
    before_branch = {earlier.parent, *flow.dominators(earlier)}
    for block in (later.parent, *flow.dominators(later)):
        if block is None or block in before_branch or block.first_op is None:
            return
        yield problem.before(block.first_op)
        yield from (Place(op) for op in block.ops if kind(op).startswith(_FENCES))


def _gaps(problem: Problem) -> Iterator[Place]:
    """Places between two tcgen05 fences, where threads should synchronise."""
    for op in problem.ops("tcgen05.fence"):
        last = op.next_op
        is_before = is_fence(op, "before_thread_sync")
        if is_before and last is not None and is_fence(last, "after_thread_sync"):
            yield Place(last)


def _between(first: Operation, last: Operation) -> Iterator[Operation]:
    following = first.next_op
    while following is not None and following is not last:
        if kind(following).startswith(_FENCES) or following.regions:
            yield following
        following = following.next_op
