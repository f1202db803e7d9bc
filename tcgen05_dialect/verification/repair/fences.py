"""
Candidates: fences.

Candidates: commits of and waits for groups of copies.
"""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from xdsl.ir import Operation

from ...isa.effects.table import steps_to
from ...ptx.syntax import word_of
from .listing import Insertion, Place, enclosing
from .problem import Candidate, Problem, distinct, one
from .steps import computations_behind, effects_of, is_arrival, is_empty, is_wait, kind

_AFTER = "fence after_thread_sync"
_BEFORE = "fence before_thread_sync"
_MOST_PLACES = 3


def _after_waits(problem: Problem, op: Operation) -> list[Place]:
    """Places before an operation for what must follow a wait."""
    waits = [problem.past(each) for each in problem.flow.before(op) if is_wait(each)]
    return distinct((*waits[:1], Place(op), *waits[1:_MOST_PLACES]))


def _before_arrivals(problem: Problem, op: Operation) -> list[Place]:
    """Places after an operation for what must precede an arrival."""
    arrivals = [Place(each) for each in problem.flow.behind(op) if is_arrival(each)]
    return distinct((*arrivals[:1], Place(op, behind=True), *arrivals[1:_MOST_PLACES]))


def after_fences(problem: Problem) -> Iterator[Candidate]:
    """The tcgen05 fence after a wait before the later access."""
    for rank, place in enumerate(_after_waits(problem, problem.op)):
        yield one(rank, place, problem.tcgen05(_AFTER))


def before_fences(problem: Problem) -> Iterator[Candidate]:
    """The tcgen05 fence before an arrival after the earlier access."""
    if problem.related is not None:
        for rank, place in enumerate(_before_arrivals(problem, problem.related)):
            yield one(rank, place, problem.tcgen05(_BEFORE))


def both_fences(problem: Problem) -> Iterator[Candidate]:
    """The tcgen05 fences on both sides."""
    if problem.related is None:
        return
    for rank, last in enumerate(_after_waits(problem, problem.op)[:2]):
        for more, first in enumerate(_before_arrivals(problem, problem.related)[:2]):
            both = (
                Insertion(first, (problem.tcgen05(_BEFORE),)),
                Insertion(last, (problem.tcgen05(_AFTER),)),
            )
            yield Candidate(rank + more, both)


def proxy_fences(problem: Problem) -> Iterator[Candidate]:
    """The proxy fence after a write by threads."""
    if problem.related is None:
        return
    spaces = dict.fromkeys((_space(problem.related), ""))
    places = [*_before_arrivals(problem, problem.related), Place(problem.op)]
    for rank, place in enumerate(distinct(places)):
        for more, space in enumerate(spaces):
            yield one(rank + 2 * more, place, f"ptx.fence.proxy.async{space}")


def _space(op: Operation) -> str:
    """The state space of an access, as a proxy fence names it."""
    space = word_of(op, "space") if "space" in op.properties else None
    if space in ("shared::cta", "shared::cluster"):
        return f' "{space}"'
    return f" {space}" if space else ""


def init_fences(problem: Problem) -> Iterator[Candidate]:
    """The fence after the initialisation of barrier objects."""
    inits = [*problem.ops("mbarrier.init")]
    if not inits:
        return
    last = inits[-1]
    if last.parent is not None and any(
        kind(each) == "fence.mbarrier_init" for each in last.parent.ops
    ):
        return
    places = distinct((Place(last, behind=True), *_before_arrivals(problem, last)))
    for rank, place in enumerate(places):
        yield one(rank, place, "ptx.fence.mbarrier_init")
        yield one(rank + 0.5, place, 'ptx.fence.proxy.async "shared::cta"')


def _is_relaxed(op: Operation) -> bool:
    return word_of(op, "semantics") in ("relaxed", "volatile")


def memory_fences(problem: Problem) -> Iterator[Candidate]:
    """Fences around relaxed accesses by which threads synchronise."""
    relaxed = [op for op in problem.scope.kernel.walk() if _is_relaxed(op)]
    if not relaxed:
        return
    places = [
        *(Place(each, behind=True) for each in relaxed if is_wait(each)),
        *(Place(each) for each in relaxed if is_arrival(each)),
        Place(problem.op),
    ]
    for rank, place in enumerate(distinct(places)):
        texts = [*problem.alike(place, "fence")] or ["ptx.fence acq_rel gpu"]
        for more, text in enumerate(texts):
            yield one(rank + more, place, text)


class _Steps(NamedTuple):
    """The commit of a group, and the waits for it: the weakest first."""

    commit: str
    waits: tuple[str, ...]


def _steps(op: Operation) -> _Steps | None:
    """The steps by which a thread learns that a copy is complete; None without groups."""
    steps = [
        step
        for area in effects_of(op).areas
        if area.completion is not None
        for step in steps_to(area.completion)
    ]
    commits = [step.instruction for step in steps if step.instruction.endswith("commit_group")]
    waits = dict.fromkeys(
        f"ptx.{step.instruction}{' read' if step.qualifiers.get('read') else ''} 0"
        for step in steps
        if step.instruction.endswith("wait_group")
    )
    if not commits:
        return None
    return _Steps(f"ptx.{commits[0]}", tuple(sorted(waits, key=len, reverse=True)))


def is_of_group(op: Operation) -> bool:
    """Whether a thread learns by the wait for a group that an operation is complete."""
    return _steps(op) is not None


def group_steps(problem: Problem) -> Iterator[Candidate]:
    """The commit of a group of copies, and the wait for it."""
    for copy in problem.accesses:
        steps = _steps(copy)
        if steps is None:
            continue
        last = _last_of_row(copy)
        commit = _commit_of(problem, last, steps)
        yield one(0 if commit is None else 8, Place(last, behind=True), steps.commit)
        for rank, place in _wait_places(problem, copy, commit or last):
            spelled = problem.alike(place, kind_of_wait(steps))
            texts = dict.fromkeys((steps.waits[0], *spelled, *steps.waits))
            for more, text in enumerate(texts):
                yield one(rank + more, place, text)
            if commit is None:
                yield one(rank + 0.5, place, steps.commit, steps.waits[0])


def _last_of_row(copy: Operation) -> Operation:
    """The last of the copies that follow each other, with only computations between them."""
    last = copy
    while True:
        *_, behind = last, *computations_behind(last)
        following = behind.next_op
        if following is None or kind(following) != kind(copy):
            return last
        last = following


def _commit_of(problem: Problem, copy: Operation, steps: _Steps) -> Operation | None:
    """The commit after a copy or, in a loop, before it; None if a wait comes first."""
    for each in (*problem.flow.behind(copy), *_around(copy)):
        if each.name == steps.commit:
            return each
        if kind(each) == kind_of_wait(steps):
            return None
    return None


def kind_of_wait(steps: _Steps) -> str:
    """The name of the wait for a group, the same in both dialects."""
    return steps.waits[0].split()[0].removeprefix("ptx.")


def _wait_places(
    problem: Problem, copy: Operation, commit: Operation
) -> Iterator[tuple[float, Place]]:
    flow = problem.flow
    other = next((op for op in problem.accesses if op is not copy), None)
    empty: list[Operation] = []
    if other is not None:
        yield 2, Place(other)
        # The threads that have issued the copies wait, before they tell others.
        yield from ((1, Place(each)) for each in islice(filter(is_arrival, flow.before(other)), 1))
        empty += islice(filter(is_empty, flow.before(other)), 1)
    empty += islice(filter(is_empty, flow.behind(copy)), 1)
    yield from ((0, Place(each, inside=True)) for each in empty)
    yield 1, Place(commit, behind=True)


def _around(op: Operation) -> Iterator[Operation]:
    """The operations of the loops and branches around an operation."""
    for each in enclosing(op):
        yield from each.walk()
