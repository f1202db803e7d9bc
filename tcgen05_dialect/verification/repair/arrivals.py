"""Candidates: what a barrier object waits for in a deadlock."""

from collections.abc import Iterator

from xdsl.ir import Operation

from .listing import Place
from .problem import Candidate, Problem, one, words
from .steps import is_empty, is_fence, kind, last_place

_COPY = "cp.async.bulk.tensor.load"
_ANNOUNCEMENTS = "mbarrier.arrive.expect_tx", "mbarrier.expect_tx"
_USES = frozenset(
    (
        *("ld", "st", "fence.proxy.async"),
        *("tcgen05.ld", "tcgen05.st", "tcgen05.wait"),
    )
)
"""Operations of threads behind which they may hand on what they used."""
_LEAST_BYTES = 16
"""Bytes of the smallest copy."""
_MOST_SIZES = 6


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
    """The announcement of the bytes that copies bring."""
    for variable in sorted(problem.scope.barriers(problem.op)):
        announced = any(
            variable in problem.scope.barriers(op) for op in problem.ops(*_ANNOUNCEMENTS)
        )
        for copy in problem.ops(_COPY):
            place = Place(copy)
            address = problem.address(place, variable)
            if address is None or not _lacks_bytes(problem, copy, variable):
                continue
            sizes = [
                (name, value)
                for value, bits in problem.scope.constants(place)
                if bits and bits % _LEAST_BYTES == 0 and (name := problem.name(value))
            ]
            # Nothing uses the number if the operation that did is missing.
            sizes.sort(key=lambda each: any(each[1].uses))
            for rank, (size, _) in enumerate(sizes[:_MOST_SIZES]):
                text = f"ptx.mbarrier.arrive.expect_tx [{address}], {size}"
                yield one(rank + 4 * announced, place, text)


def _lacks_bytes(problem: Problem, copy: Operation, variable: str) -> bool:
    """Whether a copy is the first in its block on a barrier object, and nothing in the block
    announces its bytes."""
    previous, block = copy.prev_op, copy.parent
    assert block is not None
    if variable not in problem.scope.barriers(copy) or (previous and kind(previous) == _COPY):
        return False
    return not any(
        kind(each) in _ANNOUNCEMENTS and variable in problem.scope.barriers(each)
        for each in block.walk()
    )
