"""Candidates: waits for asynchronous operations and for the phases of barrier objects."""

from collections.abc import Iterator, Sequence
from itertools import islice

from xdsl.dialects import scf
from xdsl.ir import Operation, SSAValue

from ...ptx.known_values import constant_bits
from .listing import Place, enclosing
from .problem import Candidate, Problem, distinct, one, words
from .steps import (
    before,
    behind,
    is_arrival,
    is_fence,
    is_in_loop,
    is_tensor_core,
    is_wait,
    kind,
    wait_for,
)

_MOST_LEVELS = 3
"""Number of operations around an access before which a wait is tried."""
_MOST_PARITIES = 3
_MOST_WAITS = 2
"""Number of earlier waits behind which another one is tried."""


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
        for at, arrival in enumerate(_arrivals_behind(op)):
            yield one(rank + 1 + at, Place(arrival), step)


def _arrivals_behind(op: Operation, most: int = 2) -> Iterator[Operation]:
    """The first arrivals behind an operation, with the fences that belong to them."""
    for each in islice(filter(is_arrival, behind(op)), most):
        first = each
        while first.prev_op is not None and is_fence(first.prev_op, "before_thread_sync"):
            first = first.prev_op
        yield first


def barrier_waits(problem: Problem) -> Iterator[Candidate]:
    """Waits for barrier objects, before each of the operations of the problem."""
    first, *others = problem.accesses
    other = others[0] if others else None
    yield from _waits_before(problem, first, other, 0)
    if other is not None:
        yield from _waits_before(problem, other, first, 1)


def _waits_before(
    problem: Problem, op: Operation, other: Operation | None, rank: float
) -> Iterator[Candidate]:
    for place_rank, place in _places(op):
        for barrier_rank, variable in _barriers(problem, place.op, other):
            for wait_rank, lines in _waits(problem, place, variable):
                yield one(rank + place_rank + barrier_rank + wait_rank, place, *lines)


def _places(op: Operation) -> list[tuple[float, Place]]:
    """Places before an operation for a wait."""
    found: list[tuple[float, Place]] = []
    first = op
    for each in before(op):
        if is_fence(each, "after_thread_sync") or kind(each) == "fence.proxy.async":
            # A fence that follows no wait shows where one is missing.
            found.append((0.25 if _follows_a_wait(each) else -1, Place(each)))
            break
    while first.prev_op is not None and not is_wait(first.prev_op):
        first = first.prev_op
    while first is not op and not _has_effects(first):
        assert first.next_op is not None
        first = first.next_op
    meeting = next((Place(each) for each in before(op) if _is_meeting(each)), None)
    levels = [*enclosing(op)][1 : 1 + _MOST_LEVELS]
    places = [Place(first), Place(op), *([meeting] if meeting else [])]
    places += [Place(each) for each in levels]
    found += [(0.75 * at, place) for at, place in enumerate(distinct(places))]
    earlier = [each for each in before(op) if is_wait(each) and each.parent is op.parent]
    found += [(1.5, Place(each, behind=True)) for each in earlier[:_MOST_WAITS]]
    return found


def _is_meeting(op: Operation) -> bool:
    """Whether threads begin to wait for each other."""
    return kind(op) in ("bar.sync", "barrier.cluster.arrive")


def _has_effects(op: Operation) -> bool:
    return bool(op.regions) or (
        kind(op).startswith(("mbarrier.", "cp.async.", "tcgen05.", "st", "ld"))
        and kind(op)
        not in ("tcgen05.descriptor", "tcgen05.slice", "tcgen05.tile", "tcgen05.advance")
    )


def _follows_a_wait(op: Operation) -> bool:
    """Whether a fence follows a wait, other than that of the lanes of a warp for each other."""
    for each in before(op):
        if is_wait(each) and kind(each) != "bar.warp.sync":
            return True
        if _has_effects(each):
            return False
    return False


def _barriers(problem: Problem, op: Operation, other: Operation | None) -> list[tuple[float, str]]:
    """The barrier objects for which a wait before an operation may be missing."""
    scope = problem.scope
    signalled: list[str] = []
    for source in _writers(problem, op) if other is None else (other,):
        if not is_tensor_core(source):
            signalled += sorted(scope.barriers(source) - {*signalled})
        for each in behind(source, of_all_roles=True):
            is_commit = kind(each) == "tcgen05.commit" and is_tensor_core(source)
            if is_commit or "mbarrier.arrive" in kind(each):
                signalled += sorted(scope.barriers(each) - {*signalled})
    waited = [name for each in problem.ops(*_MBARRIER_WAITS) for name in scope.barriers(each)]
    here = [
        name
        for each in before(op)
        if kind(each) in _MBARRIER_WAITS
        for name in scope.barriers(each)
    ]
    found: list[tuple[float, str]] = []
    for name in sorted(scope.barrier_variables):
        rank = 0.5 * signalled.index(name) if name in signalled else 2
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


_MBARRIER_WAITS = ("mbarrier.wait", "mbarrier.try_wait.parity")


def _waits(
    problem: Problem, place: Place, variable: str
) -> Iterator[tuple[float, tuple[str, ...]]]:
    """The waits for a barrier object that are possible at a place."""
    scope = problem.scope
    address = next(
        (name for each in scope.addresses(place, variable) if (name := problem.name(each))), None
    )
    if address is None:
        return
    for rank, (lines, parity) in enumerate(_parities(problem, place, variable)):
        for more, each in enumerate(_qualifiers(problem, variable)):
            line = f"ptx.mbarrier.wait{each} [{address}], {parity}"
            yield 0.5 * rank + 3 * more, (*lines, line)


def _qualifiers(problem: Problem, variable: str) -> Iterator[str]:
    """The semantics and scope of waits for a barrier object: those of others, or the default."""
    found = dict.fromkeys(
        words(op, "semantics", "scope")
        for op in problem.ops("mbarrier.wait")
        if variable in problem.scope.barriers(op)
    )
    yield from found or ("",)
    if not found and any(problem.ops("barrier.cluster.arrive", "mapa")):
        yield " acquire cluster"


def _parities(problem: Problem, place: Place, variable: str) -> list[tuple[tuple[str, ...], str]]:
    """
    The names of values that may be the parity of a wait, the most likely first, each with the
    operations that compute it.
    """
    scope = problem.scope
    values = scope.parities(place)
    changing = [each for each in values if constant_bits(each) is None]
    constants = {constant_bits(each): each for each in reversed(values)}
    fixed = [constants[bit] for bit in (0, 1) if bit in constants]
    for each in before(place.op):
        if kind(each) == "mbarrier.wait" and variable in scope.barriers(each):
            # The next phase has the other parity.
            if constant_bits(each.operands[1]) == 0:
                fixed.reverse()
            break
    if not is_in_loop(place.op):
        return [((), name) for name in filter(None, map(problem.name, fixed))]
    chosen = filter(None, map(problem.name, (*changing[:_MOST_PARITIES], *fixed)))
    return [*(((), name) for name in chosen), *_computed(problem, place, changing)]


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
