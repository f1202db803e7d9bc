"""
Candidates for the repair of a finding.

The steps that may be missing: for each rule, which steps supply what it lacks, between which
operations, at which places, and how the text spells them there.

The numbers that may be wrong: parities, counts, bytes, numbers of threads, of barriers and of
stages, and masks of CTAs.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from xdsl.dialects import arith, scf
from xdsl.ir import Operation, SSAValue

from ...isa.instructions.barriers import BARRIER_THREADS, BARRIERS
from ...isa.instructions.mbarrier import COUNT
from ...isa.mma.products import OVERWRITTEN_A, OVERWRITTEN_SCALE
from ...isa.model.rule import Rule
from ...isa.practice import (
    AFTER_FENCE,
    BARRIER,
    BEFORE_FENCE,
    BOUNDS,
    COLLECTIVE,
    DEADLOCK,
    INIT_FENCE,
    INITIALISATION,
    LIFETIME,
    OVERWRITE_FENCE,
    PHASES,
    PROXY,
    RACE,
    RECONVERGENCE,
    TENSOR_MEMORY,
    TENSOR_ORDER,
    UNWRITTEN,
)
from ...ptx import instructions as ptx
from ...ptx.analysis.known_values import constant_bits
from . import places, spelling
from .flow import MBARRIER_WAITS, kind
from .listing import Insertion, Operand, Place, Replacement
from .problem import Candidate, Problem, constants, feeds, is_fixed, named, ranked
from .trial import Object

View: TypeAlias = tuple[float, Problem]
"""A view of a problem, such as one of its sides, and how unlikely it is that it lacks a step."""


class Row(NamedTuple):
    """A kind of step that may be missing: its places, its spelling, and the views of the problem,
    such as both of its accesses; the most likely come first everywhere. `cost` tells how unlikely
    the step is."""

    places: Callable[[Problem], Iterable[Place]]
    spelling: spelling.Spelling
    views: Callable[[Problem], Iterable[View]] = lambda problem: ((0, problem),)
    cost: float = 0


def missing_steps(problem: Problem) -> list[Candidate]:
    """The candidates for the missing step of a problem, the most likely first."""
    return ranked(
        Candidate(cost + row.cost + more + nth / 2 + variant / 2, (Insertion(place, lines),))
        for cost, rows in _ROWS.get(problem.rule, {}).items()
        for row in rows
        for more, view in row.views(problem)
        for nth, place in enumerate(dict.fromkeys(row.places(view)))
        for variant, lines in enumerate(row.spelling(view, place))
    )


def _ignored(problem: Problem, variable: str) -> Problem:
    """The problem at the barrier objects of a variable, and at those without a wait."""
    objects = problem.objects(variable)
    return problem.at(variable, (each.offset for each in objects if each.is_ignored))


def _unheeded(problem: Problem) -> Iterator[View]:
    """The problem at the barrier objects for which nothing waits."""
    return enumerate(_ignored(problem, variable) for variable in sorted(problem.unheeded()))


def _at_barriers(problem: Problem) -> Iterator[View]:
    """Each side of the problem, at the barrier objects for which a wait may be missing there."""
    for side, view in problem.sides():
        for cost, variable in _barriers(view):
            yield side + cost, _ignored(view, variable)


def _barriers(problem: Problem) -> list[tuple[float, str]]:
    """The barrier objects for which a wait before an access may be missing, with their costs."""
    other = problem.related
    signalled = {*problem.barriers(other)} if other is not None else set[str]()
    for each in problem.flow.behind(other) if other is not None else ():
        if kind(each) == "tcgen05.commit" or "mbarrier.arrive" in kind(each):
            signalled |= problem.barriers(each)
    waits = [*problem.ops(*MBARRIER_WAITS)]
    before = filter({*waits}.__contains__, problem.flow.before(problem.op))
    here = frozenset[str]().union(*map(problem.barriers, before))
    unheeded = problem.unheeded()

    def cost(name: str) -> float:
        is_lost = name in unheeded or any(each.is_ignored for each in problem.objects(name))
        return 1.5 * (name not in signalled) + (0 if is_lost else 2 if name in here else 1)

    return [(cost(name), name) for name in sorted(problem.barrier_variables)]


def _of_its_barriers(problem: Problem) -> Iterator[View]:
    """The problem at the barrier objects that its operation uses."""
    uses = (op for op in problem.kernel.walk() if kind(op).startswith("mbarrier."))
    of_barriers = {name for op in uses for name in problem.variables(op.operands[0])}
    variables = {name for value in problem.op.operands for name in problem.variables(value)}
    return enumerate(map(problem.at, sorted(variables & of_barriers)))


def _of_each(name: str) -> Callable[[Problem], Iterable[View]]:
    """The problem at each operation of the kernel with a name."""
    return lambda problem: ((0, problem.between(op, None)) for op in problem.ops(name))


def _of_halves(problem: Problem) -> Iterator[View]:
    """The problem; a missing half is likely if the kernel has more arrivals than waits at the
    barrier of the cluster, or fewer."""
    halves = (problem.ops(f"barrier.cluster.{half}") for half in ("arrive", "wait"))
    arrivals, waits = (sum(1 for _ in ops) for ops in halves)
    yield -4 if arrivals != waits else 0, problem


def _in_one_loop(problem: Problem) -> Iterator[View]:
    """The problem, if one loop contains both operations."""
    loops = {problem.flow.loop(each) for each in problem.accesses}
    if len(problem.accesses) == 2 and len(loops) == 1 and None not in loops:
        yield 0, problem


def _of_later_init(problem: Problem) -> Iterator[View]:
    """The problem, if its barrier object is initialised, but too late."""
    if problem.related is not None and kind(problem.related) == "mbarrier.init":
        yield 0, problem


_RELINQUISH = "tcgen05.relinquish_alloc_permit"
_of_allocations, _of_relinquishments = map(_of_each, ("tcgen05.alloc", _RELINQUISH))


def _after_allocation(problem: Problem) -> Iterator[Place]:
    if not any(kind(each) == _RELINQUISH for each in problem.flow.behind(problem.op)):
        yield Place(problem.op, behind=True)


def _after_branch(problem: Problem) -> Iterator[Place]:
    if isinstance(branch := problem.op.parent_op(), scf.IfOp):
        yield Place(branch, behind=True)


def _stuck(by_commit: bool) -> Callable[[Problem], Iterable[View]]:
    """The problem at barrier objects for which threads wait in vain: those first at which commits
    arrive, or threads."""

    def views(problem: Problem) -> Iterator[View]:
        for cost, view in problem.stuck():
            kinds = {kind(op) == "tcgen05.commit" for op in view.arrivals_at(view.variable)}
            yield cost + (0 if by_commit in kinds or not kinds else 1.5), view

    return views


_AFTER = Row(places.after_waits, spelling.fence("after"))
_BEFORE = Row(places.before_arrivals, spelling.fence("before"))
_PROXY_FENCE = Row(places.around_accesses, spelling.proxy_fence)
_MEMORY_FENCE = Row(places.beside_relaxed, spelling.memory_fence)
_INIT_FENCE = Row(places.after_initialisations, spelling.init_fence)
_TENSOR_WAIT = Row(places.after_access, spelling.tensor_wait, Problem.sides)
_GROUPS = (
    Row(places.after_copies, spelling.group_commit, Problem.sides),
    Row(places.before_uses, spelling.group_wait, Problem.sides),
)
_WAITS = (
    Row(places.lone_fences, spelling.barrier_wait, _unheeded, cost=-1),
    Row(places.empty_branches, spelling.barrier_wait, _at_barriers, cost=-1),
    Row(places.before_access, spelling.barrier_wait, _at_barriers),
    Row(places.after_commits, spelling.barrier_wait, _unheeded, cost=1.25),
)
_BYTES = Row(places.before_copies, spelling.expected_bytes, Problem.stuck)
_COMMIT = Row(places.after_products, spelling.commit, _stuck(by_commit=True))
_ARRIVAL = Row(places.after_uses, spelling.arrival, _stuck(by_commit=False), cost=0.5)
_ARRIVAL_OF_ANNOUNCER = Row(
    places.after_announcements, spelling.arrival_after_announcement, Problem.stuck
)
_ARRIVAL_OF_COPIES = Row(places.after_thread_copies, spelling.arrival_of_copies, Problem.stuck)
_HALF_MEETING = Row(places.elsewhere, spelling.counted_meeting)
_ROLE_MEETING = Row(places.between_for_some, spelling.counted_meeting, _in_one_loop)
_MEETINGS = (
    Row(places.gaps, spelling.meeting_of_some, cost=-4),
    Row(places.gaps, spelling.meeting_of_all, cost=-3.5),
    Row(places.gaps, spelling.counted_meeting, cost=-3),
    Row(places.between, spelling.meeting_of_some),
    Row(places.between_for_all, spelling.meeting_of_all, cost=0.5),
    Row(places.between_for_some, spelling.counted_meeting),
    Row(places.between_for_some, spelling.meeting_of_all, cost=3),
    Row(places.between_for_all, spelling.counted_meeting, cost=3),
)
_LATE_INITIALISATION = tuple(row._replace(views=_of_later_init) for row in _MEETINGS)
_LANES = Row(places.beside_leaders, spelling.meeting_of_some, Problem.sides)
_LOOP_MEETING = Row(places.loop_ends, spelling.meeting_of_some)
_CLUSTER = Row(places.between, spelling.whole)
_END = Row(places.ends, spelling.whole)
_HALVES = (
    Row(places.lone_arrivals, spelling.cluster_step("wait"), _of_halves),
    Row(places.lone_waits, spelling.cluster_step("arrive"), _of_halves),
)
_INVALIDATION = Row(places.before_inits, spelling.invalidation)
_INITIALISATION = Row(places.beside_initialisations, spelling.initialisation, _of_its_barriers)
_WARP_INITIALISATION = Row(
    places.beside_initialisations, spelling.initialisation_for_warp, _of_its_barriers, cost=2
)
_DEALLOCATION = Row(places.of_allocating_warp, spelling.deallocation, _of_allocations)
_RELINQUISHMENTS = (
    Row(_after_allocation, spelling.relinquishment, _of_allocations, cost=-1),
    Row(_after_branch, spelling.on_other_side, _of_relinquishments),
)

_ROWS: Mapping[Rule, Mapping[float, Sequence[Row]]] = {
    RACE: {
        -2: (_TENSOR_WAIT, *_GROUPS),
        -1: (_ROLE_MEETING, _LANES),
        0: _WAITS,
        1: (_MEMORY_FENCE,),
        2: _MEETINGS,
        6: _HALVES,
    },
    UNWRITTEN: {-1: (_LANES,), 0: _WAITS, 1: _HALVES, 2: (*_MEETINGS, _TENSOR_WAIT)},
    PROXY: {0: (_PROXY_FENCE,), 1: _WAITS},
    OVERWRITE_FENCE: {0: (_PROXY_FENCE,)},
    TENSOR_ORDER: {0: (_AFTER,), 0.5: (_BEFORE,)},
    AFTER_FENCE: {0: (_AFTER,), 3: (_BEFORE,)},
    BEFORE_FENCE: {0: (_BEFORE,), 3: (_AFTER,)},
    OVERWRITTEN_A: {0: (_AFTER,), 1: (_BEFORE,), 2: _WAITS},
    OVERWRITTEN_SCALE: {0: (_AFTER,), 1: (_BEFORE,), 2: _WAITS},
    INITIALISATION: {0: (_INIT_FENCE,), 1: (*_MEETINGS, *_HALVES)},
    INIT_FENCE: {0: (_INIT_FENCE,)},
    DEADLOCK: {
        -2: (_BYTES,),
        0: (_COMMIT, _ARRIVAL_OF_ANNOUNCER, _ARRIVAL, _ARRIVAL_OF_COPIES),
        1: (*_HALVES, _HALF_MEETING),
        3: _MEETINGS,
    },
    BARRIER: {
        -2: _LATE_INITIALISATION,
        -1: (_INVALIDATION, _INITIALISATION, _WARP_INITIALISATION),
        0: _WAITS,
        1: _HALVES,
        3: (_CLUSTER,),
    },
    PHASES: {0: (*_WAITS, _LOOP_MEETING), 1: _MEETINGS},
    LIFETIME: {-2: _GROUPS, -1: _HALVES, 0: _WAITS, 1: (_END,), 2: (_CLUSTER,)},
    COLLECTIVE: {0: (*_RELINQUISHMENTS, *_HALVES), 0.5: (_CLUSTER,)},
    TENSOR_MEMORY: {0: (_DEALLOCATION,)},
    RECONVERGENCE: {0: _MEETINGS},
}
"""Rule of a finding -> the steps of which one may be missing, by how unlikely that is."""


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


def other_barriers(problem: Problem) -> Iterator[Candidate]:
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
    *((2, parities), (2, rings), (2, masks), (3, other_barriers)),
)
"""What a run shows comes before what the kernel only suggests."""


def wrong_numbers(problem: Problem) -> list[Candidate]:
    """The candidates for the wrong number of a problem, the most likely first."""
    return ranked(
        candidate._replace(rank=rank + candidate.rank)
        for rank, generate in _GENERATORS
        for candidate in (generate(problem) if problem.rule in _RULES else ())
    )
