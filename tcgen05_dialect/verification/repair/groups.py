"""Candidates: commits of and waits for groups of copies."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from xdsl.ir import Operation

from ...isa.effects.table import steps_to
from .listing import Place, enclosing
from .problem import Candidate, Problem, one
from .steps import computations_behind, effects_of, is_arrival, is_empty, kind


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
