"""Candidates: fences."""

from collections.abc import Iterator

from xdsl.ir import Operation

from ...ptx.syntax import word_of
from .listing import Insertion, Place
from .problem import Candidate, Problem, distinct, one
from .steps import is_arrival, is_wait, kind

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
