"""
Candidates: waits for asynchronous operations and for the phases of barrier objects, with the
parities that they may have.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from ...ptx.analysis.known_values import constant_bits
from .listing import Place, enclosing
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

_MOST_PARITIES = 3


def parities_of_wait(
    problem: Problem, place: Place, variable: str
) -> list[tuple[tuple[str, ...], str]]:
    """
    The names of values that may be the parity of a wait, the most likely first, each with the
    operations that compute it.
    """
    scope, flow = problem.scope, problem.flow
    loop = next(flow.loops(place.op), None)
    waits = [each for each in problem.ops(*MBARRIER_WAITS) if variable in scope.barriers(each)]
    # The waits for the stages of a round have the same parity.
    beside = {each.operands[1] for each in waits if next(flow.loops(each), None) is loop}
    changing = [
        value
        for value in scope.parities(place)
        if constant_bits(value) is None and (not value.uses or flow.changes(value))
    ]
    changing.sort(key=lambda value: _usual_rank(problem, value, loop, value in beside))
    fixed = [0, 1]
    for each in flow.before(place.op):
        if each in waits:
            # The next phase has the other parity.
            if constant_bits(each.operands[1]) == 0:
                fixed.reverse()
            break
    constants = [_constant(problem, place, bit) for bit in fixed]
    if loop is None:
        changing = [value for value in changing if not value.uses]
    names = filter(None, map(problem.name, changing[:_MOST_PARITIES]))
    found = [*((tuple[str, ...](), name) for name in names), *constants]
    return found if loop is None else [*found, *_computed(problem, place, changing)]


def _usual_rank(
    problem: Problem, value: SSAValue, loop: Operation | Block | None, is_beside: bool
) -> int:
    """How unusual a value is as the parity of a lost wait: it is likely that nothing uses it."""
    if not value.uses and problem.flow.loop_of(value) is loop:
        return 0
    return 1 if is_beside else 2 if value.uses else 3


def _constant(problem: Problem, place: Place, bit: int) -> tuple[tuple[str, ...], str]:
    """The name of a constant, and the operation that defines it if none is visible."""
    name = problem.constant(place, bit)
    if name is not None:
        return (), name
    name = problem.fresh("%parity_of_wait")
    return (f"{name} = arith.constant {bit} : i32",), name


def _computed(
    problem: Problem, place: Place, known: Sequence[SSAValue]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Parities that the kernel does not compute yet: the inverse of another one, or one from the
    counter of the loop."""
    one_ = problem.constant(place, 1)
    if one_ is None:
        return

    parity, before_parity = map(problem.fresh, ("%parity_of_wait", "%parity_before_wait"))
    for name in filter(None, map(problem.name, known[:1])):
        yield (f"{parity} = arith.xori {name}, {one_} : i32",), parity
    loop = next((each for each in enclosing(place.op) if isinstance(each, scf.ForOp)), None)
    if known or loop is None or (counter := problem.name(loop.body.block.args[0])) is None:
        return
    lines: tuple[str, ...] = ()
    for op in loop.body.block.ops:
        if op.name == "arith.remui" and op.operands[0] is loop.body.block.args[0]:
            # The round of a ring has the parity.
            stages = problem.name(op.operands[1])
            round_ = problem.fresh("%round_of_wait")
            lines = (f"{round_} = arith.divui {counter}, {stages} : i32",)
            counter = round_
            break
    lines = *lines, f"{parity} = arith.andi {counter}, {one_} : i32"
    yield lines, parity
    inverse = f"{before_parity} = arith.xori {parity}, {one_} : i32"
    yield (*lines, inverse), before_parity


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
    """The waits for a barrier object possible at a place."""
    ignored = {each.offset for each in problem.objects(variable) if each.is_ignored}
    addresses = [*islice(problem.addresses(place, variable, ignored), _MOST_ADDRESSES)]
    parities = parities_of_wait(problem, place, variable) if addresses else []
    for rank, (lines, parity) in enumerate(parities):
        for more, each in enumerate(_qualifiers(problem, variable)):
            for at, address in enumerate(addresses):
                line = f"ptx.mbarrier.wait{each} [{address}], {parity}"
                yield 0.5 * rank + 3 * more + at, (*lines, line)


def _qualifiers(problem: Problem, variable: str) -> Iterator[str]:
    """The semantics and scope of waits for a barrier object: as in other waits, or the default."""
    found = dict.fromkeys(
        words(op, "semantics", "scope")
        for op in problem.ops(*MBARRIER_WAITS)
        if variable in problem.scope.barriers(op)
    )
    yield from found or ("",)
    if not found and any(problem.ops("barrier.cluster.arrive", "mapa")):
        yield " acquire cluster"
