"""
Candidates that order accesses: fences, commits of tensor core operations, and commits and waits for
groups of copies.
"""

from collections.abc import Collection, Iterator
from itertools import islice
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerAttr, i1, i16
from xdsl.ir import Operation

from ...isa.effects.table import steps_to
from ...ptx.control_flow import CondBraOp
from ...ptx.text.syntax import word_of
from .listing import Insertion, Place, enclosing
from .problem import Candidate, Problem, distinct, one
from .scope import Exit
from .steps import (
    computations_behind,
    effects_of,
    has_no_text,
    is_arrival,
    is_empty,
    is_tensor_core,
    is_wait,
    kind,
)

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
    """Fences around the relaxed accesses that synchronise threads."""
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
    """The steps that tell a thread that a copy is complete; None without groups."""
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


_MOST_ADDRESSES = 2
_UNUSUAL = 1.5
"""How much less likely a commit is at a barrier object at which only threads arrive."""
_ENDS_A_RUN = "mbarrier.", "tcgen05.commit", "bar"
"""Beginnings of the names of operations that end a run of tensor core operations."""


def commits(problem: Problem) -> Iterator[Candidate]:
    """The commit after operations of the tensor core."""
    for rank, variable, offsets in problem.stuck():
        others = problem.arrivals_at(variable)
        if others and not any(kind(each) == "tcgen05.commit" for each in others):
            rank += _UNUSUAL
        for more, place in _places(problem, variable):
            for other, text in enumerate(_texts(problem, place, variable, offsets)):
                yield one(rank + more + 0.5 * other, place, text)
        for place, elected in _unused_elections(problem):
            for other, text in enumerate(_texts(problem, place, variable, offsets)):
                step = f"ptx.guard {elected} {{", f"  {text}", "}"
                yield one(rank + 0.5 * other - 1, place, *step)


def _unused_elections(problem: Problem) -> Iterator[tuple[Place, str]]:
    """The places after elections of a lane whose result nothing uses, as if a step had been there,
    and the names of the results."""
    for elect in problem.ops("elect.sync"):
        for value in elect.results:
            if value.type == i1 and not value.uses and (name := problem.name(value)) is not None:
                yield Place(elect, behind=True), name


def _places(problem: Problem, variable: str) -> list[tuple[float, Place]]:
    """After each run of tensor core operations, and after the loops around it."""
    found: list[tuple[float, Place]] = []
    for op in filter(is_tensor_core, reversed([*problem.scope.kernel.walk()])):
        if not _is_last_of_run(problem, op):
            continue
        last, others = op, list[Operation]()
        for each in problem.flow.following(op):
            if kind(each) != "tcgen05.commit":
                break
            last = each
            others.append(each)
        # A run without a commit shows where one is missing.
        if not any(variable in problem.scope.barriers(each) for each in others):
            found.append((1 if others else 0, Place(_with_unused(problem, last), behind=True)))
        found += _behind_loops(problem, op)
    ranked = sorted(dict.fromkeys(found), key=lambda each: each[0])
    return [(0.5 * at + rank, place) for at, (rank, place) in enumerate(ranked)]


def _with_unused(problem: Problem, op: Operation) -> Operation:
    """The last computation after an operation whose result nothing uses, which may be an address
    of the lost step; without one, the operation."""
    if problem.flow.unguarded(op) is not op:
        return op
    unused = (
        each
        for each in computations_behind(op)
        if each.results and not any(value.uses for value in each.results)
    )
    *_, last = op, *unused
    return last


def _is_last_of_run(problem: Problem, op: Operation) -> bool:
    for following in problem.flow.following(op):
        if is_tensor_core(following):
            return False
        if kind(following).startswith(_ENDS_A_RUN):
            return True
    return True


def _behind_loops(problem: Problem, op: Operation) -> Iterator[tuple[float, Place]]:
    """Places after the loops around an operation, under the same conditions. An empty branch shows
    where a step is missing."""
    condition: Operation | None = None
    for each in enclosing(op):
        if isinstance(each, scf.IfOp):
            condition = each
        if not isinstance(each, scf.ForOp | scf.WhileOp):
            continue
        if condition is None:
            yield 0.5, Place(each, behind=True)
            continue
        following = each.next_op
        while following is not None:
            if isinstance(following, scf.IfOp) and following.cond is condition.operands[0]:
                first = following.true_region.block.first_op
                if first is None or has_no_text(first):
                    yield -1, Place(following, inside=True)
                else:
                    yield 0.5, Place(first)
            following = following.next_op
    for each in problem.flow.exits(op):
        yield from _in_branch(problem, op, each)


def _in_branch(problem: Problem, op: Operation, way: Exit) -> Iterator[tuple[float, Place]]:
    """The place after a loop, or where a branch after it goes if it goes to an operation in the
    loop, too."""
    block, last = way.block, way.block.last_op
    if isinstance(last, CondBraOp) and last.predicate in problem.flow.conditions(op):
        for target in last.successors:
            start = target.first_op
            if start is not None and [*target.predecessors()] == [block]:
                yield -1 if start is target.last_op else 0.5, problem.before(start)
    yield 0.5, problem.beyond(way)


def _texts(
    problem: Problem, place: Place, variable: str, offsets: Collection[int]
) -> Iterator[str]:
    """The commits possible at a place; copies of existing commits first."""
    step = problem.tcgen05("commit")
    addresses = (
        each
        for each in problem.addresses(place, variable, offsets)
        # An operation of `tcgen05` takes no offset.
        if step.startswith("ptx.") or " + " not in each
    )
    for address in islice(addresses, _MOST_ADDRESSES):
        yield from _with_address(problem, place, variable, step, address)


def _with_address(
    problem: Problem, place: Place, variable: str, step: str, address: str
) -> Iterator[str]:
    is_pair = any(map(_is_of_pair, problem.scope.kernel.walk()))
    masks = [
        name
        for value in problem.scope.visible(place)
        if value.type == i16 and (name := problem.name(value))
    ]
    others = [*problem.ops("tcgen05.commit")]
    same = [op for op in others if variable in problem.scope.barriers(op)]
    is_multicast = bool(masks) and all(len(op.operands) > 1 for op in same or others)
    for mask in (*masks, None) if is_multicast else (None, *masks):
        if step.startswith("ptx."):
            multicast = "" if mask is None else f" multicast_mask({mask})"
            yield f"{step} cta_group_{1 + is_pair} shared_cluster{multicast} [{address}]"
        else:
            multicast = "" if mask is None else f" multicast {mask}"
            yield f"{step}{' cta_group_2' if is_pair else ''} {address}{multicast}"


def _is_of_pair(op: Operation) -> bool:
    """Whether an operation of the tensor core is one of a CTA pair."""
    if not is_tensor_core(op):
        return False
    group = op.properties.get("cta_group", op.attributes.get("cta_group"))
    if isinstance(group, IntegerAttr):
        return group.value.data == 2
    return group is not None and "group_2" in str(group)
