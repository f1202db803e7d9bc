"""Candidates: commits of and waits for groups of copies."""

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.ir import Operation

from ...isa.effects.table import steps_to
from .listing import Place, enclosing
from .problem import Candidate, Problem, one
from .steps import before, behind, effects_of, is_arrival, is_empty, kind


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


def group_steps(problem: Problem) -> Iterator[Candidate]:
    """The commit of a group of copies, and the wait for it."""
    for copy in problem.accesses:
        steps = _steps(copy)
        if steps is None:
            continue
        last = copy
        while last.next_op is not None and kind(last.next_op) == kind(copy):
            last = last.next_op
        commit = next(
            (each for each in (*behind(last), *_around(last)) if each.name == steps.commit), None
        )
        yield one(0 if commit is None else 8, Place(last, behind=True), steps.commit)
        for rank, place in _wait_places(problem, copy, commit or last):
            spelled = problem.alike(place, kind_of_wait(steps))
            texts = dict.fromkeys((steps.waits[0], *spelled, *steps.waits))
            for more, text in enumerate(texts):
                yield one(rank + more, place, text)
            if commit is None:
                yield one(rank + 0.5, place, steps.commit, steps.waits[0])


def kind_of_wait(steps: _Steps) -> str:
    """The name of the wait for a group, the same in both dialects."""
    return steps.waits[0].split()[0].removeprefix("ptx.")


def _wait_places(
    problem: Problem, copy: Operation, commit: Operation
) -> Iterator[tuple[float, Place]]:
    other = next((op for op in problem.accesses if op is not copy), None)
    if other is not None:
        yield 2, Place(other)
        # The threads that have issued the copies wait, before they tell others.
        yield from ((1, Place(each)) for each in [*filter(is_arrival, before(other))][:1])
        yield from (
            (0, Place(each, inside=True)) for each in [*filter(is_empty, before(other))][:1]
        )
    yield from ((0, Place(each, inside=True)) for each in [*filter(is_empty, behind(copy))][:1])
    yield 1, Place(commit, behind=True)


def _around(op: Operation) -> Iterator[Operation]:
    """The operations of the loops and branches around an operation."""
    for each in enclosing(op):
        yield from each.walk()
