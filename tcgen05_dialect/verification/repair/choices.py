"""Candidates: the numbers of other barriers and rings, and other CTAs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from xdsl.dialects import arith, scf

from ...ptx import instructions as ptx
from ...ptx.known_values import constant_bits
from .counts import named
from .listing import Operand
from .problem import Candidate, Problem
from .steps import kind
from .uses import constants

_MOST_BARRIERS = 16
"""Number of barriers of a CTA."""
_WRAPS = arith.CmpiOp, arith.RemUIOp, arith.RemSIOp, arith.SelectOp, ptx.RemOp, ptx.SetpOp


def rings(problem: Problem) -> Iterator[Candidate]:
    """
    The numbers of stages with which the indices of a ring wrap, and the stages where they begin.

    The stages of all indices into the barrier objects of a variable agree, with each other or with
    the number of barrier objects. The indices begin at the same stage, or at the first one.
    """
    for variable in sorted(problem.scope.barrier_variables):
        indices = [*dict.fromkeys(_of_indices(problem, variable))]
        yield from _agreeing(problem, [each for each in indices if _begins(each)], (0,))
        sites = [each for each in indices if not _begins(each)]
        of_cta = Counter(each.cta for each in problem.objects(variable))
        yield from _agreeing(problem, sites, of_cta.values())


def _agreeing(
    problem: Problem, sites: Sequence[Operand], more: Iterable[int]
) -> Iterator[Candidate]:
    """The numbers with which one of the constants agrees with another one, or with more numbers."""
    used = (constant_bits(each.value) or 0 for each in sites)
    for rank, number in enumerate(dict.fromkeys((*sorted(used, reverse=True), *more))):
        for at, site in enumerate(sites):
            if constant_bits(site.value) != number:
                yield from _one(problem, rank + at, site, number)


def _begins(operand: Operand) -> bool:
    """Whether an index begins with an operand."""
    return isinstance(operand.op, scf.ForOp | scf.WhileOp) and operand.position > 1


def _of_indices(problem: Problem, variable: str) -> Iterator[Operand]:
    """The constants with which the indices of addresses in a variable begin, with which they are
    compared or divided, or which bound the loops over them."""
    for op in problem.scope.kernel.walk():
        if not kind(op).startswith(("mbarrier.", "tcgen05.commit", "cp.async.bulk")):
            continue
        for index, value in enumerate(op.operands):
            if problem.scope.variables(value) != frozenset((variable,)):
                continue
            for each in constants(Operand(op, index)):
                if _begins(each) or (isinstance(each.op, _WRAPS) and constant_bits(each.value)):
                    yield each
            loop = op.parent_op() if kind(op) == "mbarrier.init" else None
            if isinstance(loop, scf.ForOp) and constant_bits(loop.ub) is not None:
                yield Operand(loop, 1)


def masks(problem: Problem) -> Iterator[Candidate]:
    """The masks of the CTAs at whose barrier objects commits and copies arrive."""
    sites = [
        each
        for op in problem.scope.kernel.walk()
        if (mask := named(op, "multicast_mask")) is not None
        for each in constants(mask)
        if constant_bits(each.value)
    ]
    used = [constant_bits(each.value) or 0 for each in sites]
    every = sum(1 << cta for cta in {each.cta for each in problem.observation.plain.objects})
    for at, site in enumerate(sites):
        mine = constant_bits(site.value) or 0
        flipped = (mine ^ 1 << cta for cta in range(every.bit_length()))
        for rank, number in enumerate(dict.fromkeys((*used, every, *flipped))):
            if number and number != mine:
                yield from _one(problem, rank + at, site, number)


def barriers(problem: Problem) -> Iterator[Candidate]:
    """The numbers of other barriers of the CTA, and one that the kernel does not use."""
    sites = [
        site
        for op in problem.ops("bar.sync", "bar.arrive", "bar.red")
        if (site := named(op, "barrier")) is not None and constant_bits(site.value) is not None
    ]
    near = [each for each in sites if each.op in problem.accesses]
    used = [constant_bits(each.value) or 0 for each in sites]
    unused = next((each for each in range(1, _MOST_BARRIERS) if each not in used), None)
    for at, site in enumerate(dict.fromkeys((*near, *sites))):
        mine = constant_bits(site.value)
        for rank, number in enumerate(dict.fromkeys((*used, unused))):
            if number is not None and number != mine:
                yield from _one(problem, rank + at, site, number)


def _one(problem: Problem, rank: float, site: Operand, number: int) -> Iterable[Candidate]:
    change = problem.number(site, number)
    return () if change is None else (Candidate(rank, (change,)),)
