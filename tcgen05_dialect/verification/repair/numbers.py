"""
Candidates for the wrong number of a finding: parities, counts, bytes, numbers of threads, of
barriers and of stages, and masks of CTAs.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from xdsl.dialects import arith, scf
from xdsl.ir import Operation, SSAValue

from ...isa.instructions.barriers import BARRIER_THREADS, BARRIERS
from ...isa.instructions.mbarrier import COUNT
from ...isa.practice import (
    BARRIER,
    BOUNDS,
    COLLECTIVE,
    DEADLOCK,
    INITIALISATION,
    LIFETIME,
    PHASES,
    RACE,
    TENSOR_MEMORY,
    TENSOR_ORDER,
    UNWRITTEN,
)
from ...ptx import instructions as ptx
from ...ptx.analysis.known_values import constant_bits
from .flow import kind
from .listing import Operand, Place, Replacement
from .problem import Candidate, Problem, constants, feeds, is_fixed, named, ranked
from .trial import Object

_BARRIERS = "bar.sync", "bar.arrive", "bar.red"
_MOST_COUNTS = 2
"""Number of different counts that are tried for a barrier object."""


def counts(problem: Problem) -> Iterator[Candidate]:
    """
    The counts of barrier objects and the bytes that are announced at them.

    If a barrier object expects more arrivals than can come, its first phase gets exactly those that
    it should expect, and all bytes.
    """
    for init in problem.ops("mbarrier.init"):
        operand = named(init, "count")
        if operand is None or not is_fixed(operand.value):
            continue
        observed = problem.observation.with_number([operand], max(COUNT.values))
        objects = [each for each in observed.objects if each.init is init]
        yield from _changed(problem, operand, (each.arrivals for each in objects))
        yield from _bytes(problem, objects)


def _bytes(problem: Problem, objects: Iterable[Object]) -> Iterator[Candidate]:
    """The bytes with which the announcements for barrier objects agree with the copies."""
    for each in objects:
        announced = [
            (op, came.expected) for op, came in each.came if op is not None and came.expected
        ]
        for op, times in Counter(op for op, _ in announced).items():
            operand = named(op, "bytes")
            expected = {bytes_ for other, bytes_ in announced if other is op}
            more, rest = divmod(-each.missing_bytes, times)
            if operand is not None and is_fixed(operand.value) and not rest and len(expected) == 1:
                yield from _changed(problem, operand, [expected.pop() + more])


def threads(problem: Problem) -> Iterator[Candidate]:
    """
    The numbers of threads at barriers of the CTA.

    If a barrier expects more threads than a CTA has, those arrive that it should expect.
    """
    barriers: dict[int, list[Operand]] = {}
    for op in problem.ops(*_BARRIERS):
        number, operand = named(op, "barrier"), named(op, "threads")
        bits = None if number is None else constant_bits(number.value)
        if bits is not None and operand is not None and is_fixed(operand.value):
            barriers.setdefault(bits, []).append(operand)
    for bits, operands in barriers.items():
        observed = problem.observation.with_number(operands, max(BARRIER_THREADS.values))
        found = observed.threads.get(bits, 0)
        wrong = [each for each in operands if constant_bits(each.value) != found]
        changes = [problem.number(each, found) for each in wrong]
        known = tuple(each for each in changes if each is not None)
        if found and known and len(known) == len(wrong):
            yield Candidate(0, known)


def _changed(problem: Problem, operand: Operand, numbers: Iterable[int]) -> Iterator[Candidate]:
    """The most frequent of other numbers for an operand."""
    found = Counter(each for each in numbers if each > 0).most_common(_MOST_COUNTS)
    return _others(problem, operand, (number for number, _ in found))


def _others(
    problem: Problem, operand: Operand, numbers: Iterable[int], rank: float = 0
) -> Iterator[Candidate]:
    """Other numbers for an operand, the most likely first."""
    for more, number in enumerate(dict.fromkeys(numbers)):
        if constant_bits(operand.value) != number:
            change = problem.number(operand, number)
            if change is not None:
                yield Candidate(rank + more, (change,))


def _agreeing(
    problem: Problem, sites: Iterable[Operand], more: Iterable[int]
) -> Iterator[Candidate]:
    """The numbers with which a constant agrees with another one, or with more numbers."""
    sites = [*dict.fromkeys(sites)]
    used = sorted((constant_bits(each.value) or 0 for each in sites), reverse=True)
    numbers = [*used, *more]
    for rank, site in enumerate(sites):
        yield from _others(problem, site, numbers, rank)


_SUMS = arith.XOrIOp, arith.AddiOp, arith.SubiOp, ptx.XorOp, ptx.AddOp, ptx.SubOp
"""Operations whose operands all decide the lowest bit of the result."""
_MOST_CONSTANTS = 3
"""Number of constants that are tried for a wait."""
_MOST_WAITS = 8


def parities(problem: Problem) -> Iterator[Candidate]:
    """The other parity for waits: for those before the accesses first, the nearest first."""
    every = [op for op in problem.kernel.walk() if _parity(op) is not None]
    near = [
        each for op in problem.accesses for each in (op, *problem.flow.before(op)) if each in every
    ]
    for at, wait in enumerate([*dict.fromkeys((*near, *every))][:_MOST_WAITS]):
        operand = _parity(wait)
        assert operand is not None
        for more, change in enumerate(_flipped(problem, operand)):
            yield Candidate(at + more, (change,))


def _parity(op: Operation) -> Operand | None:
    """The parity of a wait for a barrier object; None for other operations."""
    return named(op, "parity") if kind(op).startswith("mbarrier.") else None


def _flipped(problem: Problem, operand: Operand) -> Iterator[Replacement]:
    """Changes with which a wait has the other parity."""
    place, can_replace = Place(operand.op), problem.listing.can_replace(operand)
    owner = operand.value.owner
    if can_replace and isinstance(owner, arith.XOrIOp | ptx.XorOp):
        # The parity is the inverse of another one.
        first, second = owner.operands
        name = problem.name(first)
        if constant_bits(second) == 1 and name and first in {*problem.visible(place)}:
            yield Replacement(operand, name)
    found = [each for each in constants(operand, _summands) if constant_bits(each.value) in (0, 1)]
    for each in found[:_MOST_CONSTANTS]:
        change = problem.number(each, 1 - (constant_bits(each.value) or 0))
        if change is not None:
            yield change
    name, one = problem.name(operand.value), problem.constant(place, 1)
    if can_replace and constant_bits(operand.value) is None and name and one:
        parity = problem.fresh("%parity_of_wait")
        line = f"{parity} = arith.xori {name}, {one} : i32"
        yield Replacement(operand, parity, (line,), f"`{line}`")


def _summands(value: SSAValue) -> Iterable[Operand]:
    """The operands that decide the lowest bit of a value."""
    owner = value.owner
    match owner:
        case Operation() if isinstance(owner, _SUMS):
            return feeds(value)
        case arith.AndIOp() | ptx.AndOp():
            return [each for each in feeds(value) if constant_bits(each.value) is None]
        case arith.SelectOp() | ptx.SelpOp():
            return [each for each in feeds(value) if each.value.type == value.type]
        case Operation() if not owner.regions:
            return ()
        case _:
            return feeds(value)


_WRAPS = arith.CmpiOp, arith.RemUIOp, arith.RemSIOp, arith.SelectOp, ptx.RemOp, ptx.SetpOp


def rings(problem: Problem) -> Iterator[Candidate]:
    """
    The numbers of stages with which the indices of a ring wrap, and the stages where they begin.

    The stages of all indices into the barrier objects of a variable agree, with each other or with
    the number of barrier objects. The indices begin at the same stage, or at the first one.
    """
    for variable in sorted(problem.barrier_variables):
        indices = [*_of_indices(problem, variable)]
        yield from _agreeing(problem, [each for each in indices if _begins(each)], (0,))
        sites = [each for each in indices if not _begins(each)]
        of_cta = Counter(each.cta for each in problem.objects(variable))
        yield from _agreeing(problem, sites, of_cta.values())


def _begins(operand: Operand) -> bool:
    """Whether an index begins with an operand."""
    return isinstance(operand.op, scf.ForOp | scf.WhileOp) and operand.position > 1


def _of_indices(problem: Problem, variable: str) -> Iterator[Operand]:
    """The constants with which the indices of addresses in a variable begin, with which they are
    compared or divided, or which bound the loops over them."""
    for op in problem.kernel.walk():
        if not kind(op).startswith(("mbarrier.", "tcgen05.commit", "cp.async.bulk")):
            continue
        for index, value in enumerate(op.operands):
            if problem.variables(value) != frozenset((variable,)):
                continue
            for each in constants(Operand(op, index)):
                if _begins(each) or (isinstance(each.op, _WRAPS) and constant_bits(each.value)):
                    yield each
            loop = op.parent_op() if kind(op) == "mbarrier.init" else None
            if isinstance(loop, scf.ForOp) and constant_bits(loop.ub) is not None:
                yield Operand(loop, 1)


def masks(problem: Problem) -> Iterator[Candidate]:
    """The masks of the CTAs at whose barrier objects commits and copies arrive."""
    ops = problem.kernel.walk()
    masks = (mask for op in ops if (mask := named(op, "multicast_mask")) is not None)
    sites = [site for mask in masks for site in constants(mask) if constant_bits(site.value)]
    used = [constant_bits(site.value) or 0 for site in sites]
    every = sum(1 << cta for cta in {each.cta for each in problem.observation.plain.objects})
    for rank, (site, mine) in enumerate(zip(sites, used, strict=True)):
        flipped = (mine ^ 1 << cta for cta in range(every.bit_length()))
        yield from _others(problem, site, filter(None, (*used, every, *flipped)), rank)


def barriers(problem: Problem) -> Iterator[Candidate]:
    """The numbers of other barriers of the CTA, and one that the kernel does not use."""
    sites = [
        site
        for op in problem.ops(*_BARRIERS)
        if (site := named(op, "barrier")) is not None and constant_bits(site.value) is not None
    ]
    used = {constant_bits(each.value) for each in sites}
    near = (each for each in sites if each.op in problem.accesses)
    unused = [each for each in BARRIERS[1:] if each not in used]
    return _agreeing(problem, (*near, *sites), unused[:1])


_RULES = frozenset(
    (
        *(BARRIER, BOUNDS, COLLECTIVE, DEADLOCK, INITIALISATION, LIFETIME, PHASES, RACE),
        *(TENSOR_MEMORY, TENSOR_ORDER, UNWRITTEN),
    )
)
"""Rules that a wrong number may break."""
_GENERATORS = (
    *((0, counts), (0, threads)),
    *((2, parities), (2, rings), (2, masks), (3, barriers)),
)
"""What a run shows comes before what the kernel only suggests."""


def numbers(problem: Problem) -> list[Candidate]:
    """The candidates for the wrong number of a problem, the most likely first."""
    return ranked(
        candidate._replace(rank=rank + candidate.rank)
        for rank, generate in _GENERATORS
        for candidate in (generate(problem) if problem.rule in _RULES else ())
    )
