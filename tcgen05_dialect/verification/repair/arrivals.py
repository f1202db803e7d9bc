"""Candidates: arrivals and bytes that a barrier object lacks in a deadlock."""

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import islice, takewhile

from xdsl.dialects import scf
from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue

from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx.analysis.known_values import constant_bits
from ...ptx.structure import GuardOp
from .listing import Place
from .numbers import named
from .problem import Candidate, Problem, one, words
from .steps import (
    MBARRIER_WAITS,
    effects_of,
    has_effects,
    is_arrival,
    is_empty,
    is_fence,
    kind,
    last_place,
)

_ANNOUNCEMENTS = "mbarrier.arrive.expect_tx", "mbarrier.expect_tx"
_USES = frozenset(
    (
        *("ld", "st", "fence.proxy.async"),
        *("tcgen05.ld", "tcgen05.st", "tcgen05.wait"),
    )
)
"""Operations after which a thread may hand on what it used."""
_MOST_CONDITIONS = 4
_MOST_LEADERS = 2
_UNUSUAL = 1.5
"""How much less likely an arrival is at a barrier object at which only commits arrive."""


def arrivals(problem: Problem) -> Iterator[Candidate]:
    """The arrival of threads that have used what the barrier object guards."""
    for rank, variable, offsets in problem.stuck():
        others = problem.arrivals_at(variable)
        if others and all(kind(each) == "tcgen05.commit" for each in others):
            rank += _UNUSUAL
        for more, place in _places(problem, variable):
            for other, lines in enumerate(_texts(problem, place, variable, offsets)):
                yield one(rank + more + 0.5 * other, place, *lines)


def _places(problem: Problem, variable: str) -> Iterator[tuple[float, Place]]:
    """Places where threads may have used what they waited for."""
    for fence in problem.ops("tcgen05.fence"):
        if is_fence(fence, "before_thread_sync"):
            last, following = _synchronised(problem, fence)
            if following is None or not is_arrival(following):
                yield 0, Place(last, behind=True)
    for op in problem.scope.kernel.walk():
        if isinstance(op, scf.IfOp) and is_empty(op):
            yield 0.5, Place(op, inside=True)
        if problem.flow.is_empty_branch(op):
            yield 0.5, problem.before(op)
    for wait in problem.ops(*MBARRIER_WAITS):
        if variable in problem.scope.barriers(wait):
            continue
        uses = [each for each in _up_to_wait(problem, wait) if kind(each) in _USES]
        if uses:
            yield 1, _behind(problem, uses[-1], wait)
            yield 1.5, _behind(problem, uses[0], wait)
        if wait.parent is not None and (last := last_place(wait.parent)) is not None:
            yield 2, last


def _synchronised(problem: Problem, op: Operation) -> tuple[Operation, Operation | None]:
    """The last operation by which the lanes of a warp meet after another one, or that one, and the
    next one with effects."""
    for each in problem.flow.following(op):
        if kind(each) == "bar.warp.sync":
            op = each
        elif has_effects(each):
            return op, each
    return op, None


def _up_to_wait(problem: Problem, wait: Operation) -> Iterator[Operation]:
    return takewhile(lambda each: kind(each) not in MBARRIER_WAITS, problem.flow.behind(wait))


def _behind(problem: Problem, op: Operation, wait: Operation) -> Place:
    """The place after an operation, and after the loops around it that do not contain a wait."""
    around = {*problem.flow.loops(wait)}
    place = Place(op, behind=True)
    for loop in problem.flow.loops(op):
        if loop in around:
            break
        if isinstance(loop, Operation):
            place = Place(loop, behind=True)
        elif (way := problem.flow.exit_of(loop)) is not None:
            place = problem.beyond(way)
    return place


def _texts(
    problem: Problem, place: Place, variable: str, offsets: Collection[int]
) -> Iterator[tuple[str, ...]]:
    """The arrivals possible at a place, the usual one first: of each thread, or of one."""
    leaders = [*islice(_leaders(problem, place), _MOST_LEADERS)]
    inits = (named(each.init, "count") for each in problem.objects(variable))
    counts = (constant_bits(each.value) for each in inits if each is not None)
    is_of_all = not (next(counts, None) or 1) % WARP_LANES
    for text in _arrivals(problem, place, variable, offsets):
        by_one = ((f"ptx.guard {each} {{", f"  {text}", "}") for each in leaders)
        yield from ((text,), *by_one) if is_of_all else (*by_one, (text,))


def _leaders(problem: Problem, place: Place) -> Iterator[str]:
    """The conditions that hold in one thread of a warp, or that let one thread arrive."""
    known = {*problem.flow.conditions(place.op)}
    found = [
        value
        for value in problem.scope.visible(place)
        if value.type == i1 and value not in known and _is_leader(value)
    ]
    return filter(None, map(problem.name, sorted(found, key=lambda value: bool(value.uses))))


def _is_leader(value: SSAValue) -> bool:
    owner = value.owner
    if isinstance(owner, Operation) and kind(owner) == "elect.sync":
        return True
    users = (use.operation for use in value.uses)
    return any(
        isinstance(each, GuardOp) and any(map(is_arrival, each.body.block.ops)) for each in users
    )


def _arrivals(
    problem: Problem, place: Place, variable: str, offsets: Collection[int]
) -> Iterator[str]:
    """The operations that arrive at a barrier object, in this CTA or another one."""
    address = next(problem.addresses(place, variable, offsets), None)
    if address is not None:
        qualifiers = dict.fromkeys(
            words(op, "semantics", "scope")
            for op in problem.ops("mbarrier.arrive", "mbarrier.wait")
            if variable in problem.scope.barriers(op)
        )
        for each in dict.fromkeys(("", *qualifiers)):
            if "acquire" not in each:
                yield f"ptx.mbarrier.arrive{each} [{address}]"
    for value in problem.scope.visible(place):
        name = problem.name(value)
        if problem.scope.variables(value) == frozenset((variable,)) and name not in (None, address):
            yield f"ptx.mbarrier.arrive.remote [{name}]"
            yield f"ptx.mbarrier.arrive.remote release cluster [{name}]"


def expected_bytes(problem: Problem) -> Iterator[Candidate]:
    """The announcement of the bytes that copies bring, as the run shows them."""
    for _, variable, offsets in problem.stuck():
        announced = any(
            variable in problem.scope.barriers(op) for op in problem.ops(*_ANNOUNCEMENTS)
        )
        objects = problem.objects(variable)
        brought = Counter(-each.missing_bytes for each in objects)
        sizes = [size for size, _ in brought.most_common() if size > 0]
        ctas = {each.cta for each in objects}
        needing = {each.cta for each in objects if each.missing_bytes < 0}
        for copy in filter(_completes_bytes, problem.scope.kernel.walk()):
            place = Place(copy)
            address = next(problem.addresses(place, variable, offsets), None)
            if address is None or not _lacks_bytes(problem, copy, variable):
                continue
            for rank, size in enumerate(sizes):
                name, lines = problem.constant(place, size), ()
                if name is None:
                    name = problem.fresh("%bytes_of_phase")
                    lines = (f"{name} = arith.constant {size} : i32",)
                text = f"ptx.mbarrier.arrive.expect_tx [{address}], {name}"
                conditions = _conditions(problem, place) if needing < ctas else ("",)
                for more, condition in enumerate(conditions):
                    step = (f"scf.if {condition} {{", f"  {text}", "}") if condition else (text,)
                    yield one(rank + 0.5 * more + 4 * announced, place, *lines, *step)


def _conditions(problem: Problem, place: Place) -> list[str]:
    """The nearest visible conditions of branches: some CTAs may do more than others."""
    found = (
        problem.name(value)
        for value in problem.scope.visible(place)
        if value.type == i1 and any(isinstance(use.operation, scf.IfOp) for use in value.uses)
    )
    return [*islice(filter(None, found), _MOST_CONDITIONS)]


def _completes_bytes(op: Operation) -> bool:
    """Whether an operation brings bytes to a barrier object."""
    return bool(effects_of(op).completes_at)


def _lacks_bytes(problem: Problem, copy: Operation, variable: str) -> bool:
    """Whether a copy is the first in its block on a barrier object, and nothing in the block
    announces its bytes."""
    previous, block = copy.prev_op, copy.parent
    assert block is not None
    if variable not in problem.scope.barriers(copy) or (previous and _completes_bytes(previous)):
        return False
    return not any(
        kind(each) in _ANNOUNCEMENTS and variable in problem.scope.barriers(each)
        for each in block.walk()
    )
