"""Candidates: commits of tensor core operations."""

from collections.abc import Iterator

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerAttr, i16
from xdsl.ir import Operation

from .listing import Place, enclosing
from .problem import Candidate, Problem, distinct, one
from .steps import has_no_text, is_tensor_core, kind

_ENDS_A_RUN = "mbarrier.", "tcgen05.commit", "bar"
"""Beginnings of the names of operations that end a run of tensor core operations."""


def commits(problem: Problem) -> Iterator[Candidate]:
    """The commit behind operations of the tensor core."""
    for variable in sorted(problem.scope.barriers(problem.op)):
        for rank, place in enumerate(_places(problem, variable)):
            for more, text in enumerate(_texts(problem, place, variable)):
                yield one(rank + 0.5 * more, place, text)


def _places(problem: Problem, variable: str) -> list[Place]:
    """Behind each run of tensor core operations, and behind the loops around it."""
    runs: list[Place] = []
    later: list[Place] = []
    for op in filter(is_tensor_core, problem.scope.kernel.walk()):
        if not _is_last_of_run(op):
            continue
        last, is_committed = op, False
        while last.next_op is not None and kind(last.next_op) == "tcgen05.commit":
            last = last.next_op
            is_committed |= variable in problem.scope.barriers(last)
        if not is_committed:
            runs.append(Place(last, behind=True))
        later += _behind_loops(op)
    # An empty branch shows where a step is missing.
    if any(place.inside for place in later):
        return distinct((*later, *runs))
    return distinct((*runs, *later))


def _is_last_of_run(op: Operation) -> bool:
    following = op.next_op
    while following is not None and not is_tensor_core(following):
        if kind(following).startswith(_ENDS_A_RUN):
            return True
        following = following.next_op
    return following is None


def _behind_loops(op: Operation) -> Iterator[Place]:
    """Places behind the loops around an operation, under the same conditions."""
    condition: Operation | None = None
    for each in enclosing(op):
        if isinstance(each, scf.IfOp):
            condition = each
        if not isinstance(each, scf.ForOp | scf.WhileOp):
            continue
        if condition is None:
            yield Place(each, behind=True)
            continue
        following = each.next_op
        while following is not None:
            if isinstance(following, scf.IfOp) and following.cond is condition.operands[0]:
                first = following.true_region.block.first_op
                if first is None or has_no_text(first):
                    yield Place(following, inside=True)
                else:
                    yield Place(first)
            following = following.next_op


def _texts(problem: Problem, place: Place, variable: str) -> Iterator[str]:
    """The commits that are possible at a place, those alike others first."""
    address = problem.address(place, variable)
    if address is None:
        return
    is_pair = any(map(_is_of_pair, problem.scope.kernel.walk()))
    masks = [
        name
        for value in problem.scope.visible(place)
        if value.type == i16 and (name := problem.name(value))
    ]
    others = [*problem.ops("tcgen05.commit")]
    same = [op for op in others if variable in problem.scope.barriers(op)]
    is_multicast = bool(masks) and all(len(op.operands) > 1 for op in same or others)
    step = problem.tcgen05("commit")
    for mask in (*masks, None) if is_multicast else (None, *masks):
        if step.startswith("ptx."):
            multicast = "" if mask is None else f" multicast_mask({mask})"
            yield f"{step} cta_group_{1 + is_pair}{multicast} [{address}]"
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
