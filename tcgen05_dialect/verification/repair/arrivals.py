"""Candidates: arrivals and bytes that a barrier object lacks in a deadlock."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from xdsl.dialects import scf
from xdsl.dialects.builtin import i1
from xdsl.ir import Operation

from .listing import Place
from .problem import Candidate, Problem, one, words
from .steps import effects_of, is_empty, is_fence, kind, last_place

_ANNOUNCEMENTS = "mbarrier.arrive.expect_tx", "mbarrier.expect_tx"
_USES = frozenset(
    (
        *("ld", "st", "fence.proxy.async"),
        *("tcgen05.ld", "tcgen05.st", "tcgen05.wait"),
    )
)
"""Operations of threads behind which they may hand on what they used."""
_MOST_CONDITIONS = 4


def arrivals(problem: Problem) -> Iterator[Candidate]:
    """The arrival of threads that have used what the barrier object guards."""
    for variable in sorted(problem.scope.barriers(problem.op)):
        for rank, place in _places(problem, variable):
            for more, text in enumerate(_texts(problem, place, variable)):
                yield one(rank + 0.5 * more, place, text)


def _places(problem: Problem, variable: str) -> Iterator[tuple[float, Place]]:
    """Places where threads may have used what they waited for."""
    for fence in problem.ops("tcgen05.fence"):
        if is_fence(fence, "before_thread_sync") and not _precedes_an_arrival(fence):
            yield 0, Place(fence, behind=True)
    for op in problem.ops("scf.if"):
        if is_empty(op):
            yield 0.5, Place(op, inside=True)
    for wait in problem.ops("mbarrier.wait"):
        if variable in problem.scope.barriers(wait):
            continue
        uses = [each for each in _up_to_wait(wait) if kind(each) in _USES]
        if uses:
            yield 1, Place(uses[-1], behind=True)
            yield 1.5, Place(uses[0], behind=True)
        if wait.parent is not None and (last := last_place(wait.parent)) is not None:
            yield 2, last


def _precedes_an_arrival(op: Operation) -> bool:
    following = op.next_op
    return following is not None and kind(following).startswith(
        ("mbarrier", "bar", "tcgen05.commit")
    )


def _up_to_wait(wait: Operation) -> Iterator[Operation]:
    following = wait.next_op
    while following is not None and kind(following) != "mbarrier.wait":
        yield following
        following = following.next_op


def _texts(problem: Problem, place: Place, variable: str) -> Iterator[str]:
    """The arrivals that are possible at a place, the usual one first."""
    address = problem.address(place, variable)
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
    objects = problem.observation.with_number((), 0).objects
    for variable in sorted(problem.scope.barriers(problem.op)):
        announced = any(
            variable in problem.scope.barriers(op) for op in problem.ops(*_ANNOUNCEMENTS)
        )
        brought = Counter(-each.missing_bytes for each in objects if each.variable == variable)
        sizes = [size for size, _ in brought.most_common() if size > 0]
        ctas = {each.cta for each in objects if each.variable == variable}
        needing = {each.cta for each in objects if each.missing_bytes < 0}
        for copy in filter(_completes_bytes, problem.scope.kernel.walk()):
            place = Place(copy)
            address = problem.address(place, variable)
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
    """The nearest visible conditions of branches, by which some CTAs may do more than others."""
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
