"""Candidates: waits for asynchronous operations and for the phases of barrier objects."""

from collections.abc import Iterator
from itertools import islice

from xdsl.ir import Operation

from .listing import Place
from .phases import parities_of_wait
from .problem import Candidate, Problem, distinct, one, words
from .steps import (
    MBARRIER_WAITS,
    has_effects,
    is_arrival,
    is_fence,
    is_tensor_core,
    is_wait,
    kind,
    wait_for,
)

_MOST_LEVELS = 3
"""Number of operations around an access before which a wait is tried."""
_MOST_ADDRESSES = 2
_MOST_FENCES = 4
"""Number of fences before an access that are looked at."""
_MOST_WAITS = 2
"""Number of earlier waits after which another one is tried."""


def access_waits(problem: Problem) -> Iterator[Candidate]:
    """Waits for loads and stores of tensor memory."""
    for rank, op in enumerate(problem.accesses):
        if (wait := wait_for(op)) is None:
            continue
        step = problem.tcgen05(wait)
        last = op
        # A group of loads or stores has one wait.
        while last.next_op is not None and wait_for(last.next_op) == wait:
            last = last.next_op
        yield one(rank, Place(last, behind=True), step)
        if last is not op:
            yield one(rank + 0.5, Place(op, behind=True), step)
        for at, arrival in enumerate(_arrivals_behind(problem, op)):
            yield one(rank + 1 + at, Place(arrival), step)


def _arrivals_behind(problem: Problem, op: Operation, most: int = 2) -> Iterator[Operation]:
    """The first arrivals after an operation, with the fences that belong to them."""
    for each in islice(filter(is_arrival, problem.flow.behind(op)), most):
        first = each
        while first.prev_op is not None and is_fence(first.prev_op, "before_thread_sync"):
            first = first.prev_op
        yield first


def barrier_waits(problem: Problem) -> Iterator[Candidate]:
    """Waits for barrier objects, before each of the operations of the problem; and for those that
    nothing waits for."""
    yield from _waits_at_fences(problem)
    first, *others = problem.accesses
    other = others[0] if others else None
    yield from _waits_before(problem, first, other, 0)
    if other is not None:
        yield from _waits_before(problem, other, first, 1)


def _waits_at_fences(problem: Problem) -> Iterator[Candidate]:
    """Waits for barrier objects that nothing waits for, before fences that follow no wait."""
    unheeded = sorted(problem.unheeded())
    for fence in problem.ops("tcgen05.fence") if unheeded else ():
        if is_fence(fence, "after_thread_sync") and not _follows_a_wait(problem, fence):
            for rank, variable in enumerate(unheeded):
                for wait_rank, lines in _waits(problem, Place(fence), variable):
                    yield one(rank + wait_rank - 1, Place(fence), *lines)


def _waits_before(
    problem: Problem, op: Operation, other: Operation | None, rank: float
) -> Iterator[Candidate]:
    places = _places(problem, op)
    if other is not None:
        places += [(0.5, each) for each in _ends_of_iterations(problem, op, other)]
    for place_rank, place in places:
        for barrier_rank, variable in _barriers(problem, place.op, other):
            for wait_rank, lines in _waits(problem, place, variable):
                yield one(rank + place_rank + barrier_rank + wait_rank, place, *lines)


def _places(problem: Problem, op: Operation) -> list[tuple[float, Place]]:
    """Places before an operation for a wait."""
    flow, found = problem.flow, list[tuple[float, Place]]()
    fences = [
        each
        for each in flow.before(op)
        if is_fence(each, "after_thread_sync") or kind(each) == "fence.proxy.async"
    ]
    for nearest, fence in enumerate(fences[:_MOST_FENCES]):
        # A fence that follows no wait shows where one is missing.
        if not _follows_a_wait(problem, fence):
            found.append((-1, Place(fence)))
        elif not nearest:
            found.append((0.25, Place(fence)))
    meeting = next((Place(each) for each in flow.before(op) if _is_meeting(each)), None)
    levels = islice(flow.around(op), _MOST_LEVELS)
    places = [*_beginnings(flow.unguarded(op)), *([meeting] if meeting else [])]
    places += map(problem.before, levels)
    found += [(0.75 * at, place) for at, place in enumerate(distinct(places))]
    earlier = [each for each in flow.before(op) if is_wait(each) and flow.is_beside(each, op)]
    found += [(1.5, problem.past(each)) for each in earlier[:_MOST_WAITS]]
    return found


def _ends_of_iterations(problem: Problem, op: Operation, other: Operation) -> Iterator[Place]:
    """Places after what the loops around both accesses do: the earlier one may have been in the
    iteration before."""
    both = {*problem.flow.ends_of_iterations(other)}
    for end in filter(both.__contains__, problem.flow.ends_of_iterations(op)):
        last = end.prev_op
        while last is not None and not (is_wait(last) or has_effects(last)):
            last = last.prev_op
        if last is not None:
            yield Place(last, behind=True)


def _beginnings(op: Operation) -> Iterator[Place]:
    """Places before an operation in its block: after the last wait, after the last operation by
    which other threads may go on, and immediately before it."""
    for ends in is_wait, is_arrival:
        first = op
        while first.prev_op is not None and not ends(first.prev_op):
            first = first.prev_op
        while first is not op and not has_effects(first):
            assert first.next_op is not None
            first = first.next_op
        yield Place(first)
    yield Place(op)


def _is_meeting(op: Operation) -> bool:
    """Whether threads begin to wait for each other."""
    return kind(op) in ("bar.sync", "barrier.cluster.arrive")


def _follows_a_wait(problem: Problem, op: Operation) -> bool:
    """Whether a fence follows a wait, other than that of the lanes of a warp for each other."""
    for each in problem.flow.before(op):
        if is_wait(each) and kind(each) != "bar.warp.sync":
            return True
        if has_effects(each):
            return False
    return False


def _barriers(problem: Problem, op: Operation, other: Operation | None) -> list[tuple[float, str]]:
    """The barrier objects for which a wait before an operation may be missing."""
    scope = problem.scope
    signalled: list[str] = []
    for source in _writers(problem, op) if other is None else (other,):
        if not is_tensor_core(source):
            signalled += sorted(scope.barriers(source) - {*signalled})
        for each in problem.flow.behind(source, of_all_roles=True):
            is_commit = kind(each) == "tcgen05.commit" and is_tensor_core(source)
            if is_commit or "mbarrier.arrive" in kind(each):
                signalled += sorted(scope.barriers(each) - {*signalled})
    waited = [name for each in problem.ops(*MBARRIER_WAITS) for name in scope.barriers(each)]
    here = [
        name
        for each in problem.flow.before(op)
        if kind(each) in MBARRIER_WAITS
        for name in scope.barriers(each)
    ]
    unheeded = problem.unheeded()
    found: list[tuple[float, str]] = []
    for name in sorted(scope.barrier_variables):
        rank = 0.5 * signalled.index(name) if name in signalled else 2
        if name in unheeded or any(each.is_ignored for each in problem.objects(name)):
            rank -= 1
        else:
            rank += 1.5 if name in here else (1 if name in waited else -0.5)
        found.append((rank, name))
    return sorted(found)


def _writers(problem: Problem, op: Operation) -> Iterator[Operation]:
    """The operations that may write what an operation reads."""
    reads = {name for value in op.operands for name in problem.scope.variables(value)}
    ops = [*problem.scope.kernel.walk()]
    if wait_for(op) or is_tensor_core(op):
        yield from filter(is_tensor_core, ops)
        yield from (each for each in ops if kind(each) == "tcgen05.st")
    for each in ops:
        if kind(each) in ("st", "cp.async.bulk.tensor.load") and not reads.isdisjoint(
            problem.scope.variables(each.operands[0])
        ):
            yield each


def _waits(
    problem: Problem, place: Place, variable: str
) -> Iterator[tuple[float, tuple[str, ...]]]:
    """The waits for a barrier object that are possible at a place."""
    ignored = {each.offset for each in problem.objects(variable) if each.is_ignored}
    addresses = [*islice(problem.addresses(place, variable, ignored), _MOST_ADDRESSES)]
    parities = parities_of_wait(problem, place, variable) if addresses else []
    for rank, (lines, parity) in enumerate(parities):
        for more, each in enumerate(_qualifiers(problem, variable)):
            for at, address in enumerate(addresses):
                line = f"ptx.mbarrier.wait{each} [{address}], {parity}"
                yield 0.5 * rank + 3 * more + at, (*lines, line)


def _qualifiers(problem: Problem, variable: str) -> Iterator[str]:
    """The semantics and scope of waits for a barrier object: those of others, or the default."""
    found = dict.fromkeys(
        words(op, "semantics", "scope")
        for op in problem.ops(*MBARRIER_WAITS)
        if variable in problem.scope.barriers(op)
    )
    yield from found or ("",)
    if not found and any(problem.ops("barrier.cluster.arrive", "mapa")):
        yield " acquire cluster"
