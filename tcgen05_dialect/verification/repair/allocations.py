"""Candidates: deallocations of tensor memory, and the end of allocation."""

from collections.abc import Iterator

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from ...ptx.syntax import word_of
from .listing import Place
from .problem import Candidate, Problem, one
from .steps import is_empty, kind, last_place


def deallocations(problem: Problem) -> Iterator[Candidate]:
    """The deallocation of what a warp has allocated, by the same warp."""
    for alloc in problem.ops("tcgen05.alloc"):
        branch = alloc.parent_op()
        condition = branch.cond if isinstance(branch, scf.IfOp) else None
        again = [
            op
            for op in problem.ops("scf.if")
            if isinstance(op, scf.IfOp) and op.cond is condition and op is not branch
        ]
        for rank, op in enumerate(reversed(again)):
            place = last_place(op.true_region.block)
            if is_empty(op) or place is None:
                place = Place(op, inside=True)
            for text in _texts(problem, place, alloc):
                yield one(rank, place, text)
        for end in problem.ops("ret"):
            place = Place(end)
            for text in _texts(problem, place, alloc):
                if condition is None:
                    yield one(1, place, text)
                elif (name := problem.name(condition)) is not None:
                    yield one(1, place, f"scf.if {name} {{", f"  {text}", "}")


def relinquishments(problem: Problem) -> Iterator[Candidate]:
    """The end of allocation by the warps that have allocated, or by those that take the other side
    of a branch."""
    ops = [op for op in problem.ops(_RELINQUISH) if problem.listing.has_text(op)]
    texts = sorted({" ".join(problem.listing.text_of(op).split()) for op in ops})
    for alloc in problem.ops("tcgen05.alloc"):
        if not any(kind(each) == _RELINQUISH for each in problem.flow.behind(alloc)):
            for rank, text in enumerate(texts):
                yield one(rank, Place(alloc, behind=True), text)
    for op in ops:
        branch = op.parent_op()
        if isinstance(branch, scf.IfOp) and (name := problem.name(branch.cond)) is not None:
            yes, other = map(problem.fresh, ("%yes", "%is_other"))
            yield one(
                1,
                Place(branch, behind=True),
                f"{yes} = arith.constant true",
                f"{other} = arith.xori {name}, {yes} : i1",
                f"scf.if {other} {{",
                f"  {' '.join(problem.listing.text_of(op).split())}",
                "}",
            )


_RELINQUISH = "tcgen05.relinquish_alloc_permit"


def _texts(problem: Problem, place: Place, alloc: Operation) -> Iterator[str]:
    """The deallocations of what `alloc` has allocated that are possible at a place."""
    slot = problem.scope.variables(alloc.operands[0])
    columns = problem.name(alloc.operands[1])
    for value in problem.scope.visible(place):
        op, name = value.owner, problem.name(value)
        if not isinstance(op, Operation) or name is None or columns is None:
            continue
        if not op.operands or problem.scope.variables(op.operands[0]) != slot:
            continue
        if kind(op) == "tcgen05.load_address" and problem.listing.has_text(op):
            group = alloc.properties.get("cta_group")
            is_pair = isinstance(group, IntegerAttr) and group.value.data == 2
            pair = " cta_group_2" if is_pair else ""
            type_ = problem.listing.text_of(op).rpartition(" : ")[2]
            yield f"tcgen05.dealloc{pair} {name}, {columns} : {type_}"
        elif kind(op) == "ld":
            yield f"ptx.tcgen05.dealloc {word_of(alloc, 'cta_group')} {name}, {columns}"
