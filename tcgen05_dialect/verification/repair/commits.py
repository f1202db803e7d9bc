"""Candidates: commits of tensor core operations."""

from collections.abc import Collection, Iterator
from itertools import islice

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerAttr, i1, i16
from xdsl.ir import Operation

from ...ptx.control_flow import CondBraOp
from .flow import Exit
from .listing import Place, enclosing
from .problem import Candidate, Problem, one
from .steps import computations_behind, has_no_text, is_tensor_core, kind

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
