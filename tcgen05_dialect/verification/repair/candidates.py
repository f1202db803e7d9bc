"""Candidates for the missing step of a finding, by its rule, the most likely first."""

from collections.abc import Mapping

from ...isa.mma.products import OVERWRITTEN_A, OVERWRITTEN_SCALE
from ...isa.model.rule import Rule
from ...isa.practice import (
    AFTER_FENCE,
    BARRIER,
    BEFORE_FENCE,
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
from .allocations import deallocations, relinquishments
from .arrivals import arrivals, expected_bytes
from .commits import commits
from .fences import (
    after_fences,
    before_fences,
    both_fences,
    init_fences,
    memory_fences,
    proxy_fences,
)
from .groups import group_steps, is_of_group
from .initialisations import initialisations
from .meetings import cluster_meetings, halves, last_meetings, meetings
from .problem import Candidate, Generator, Problem, ranked
from .waits import access_waits, barrier_waits

_BY_RULE: Mapping[Rule, tuple[tuple[float, Generator], ...]] = {
    RACE: (
        (-2, access_waits),
        (-2, group_steps),
        (0, barrier_waits),
        (1, memory_fences),
        (2, meetings),
        (6, halves),
    ),
    UNWRITTEN: ((0, barrier_waits), (1, halves), (2, meetings), (2, access_waits)),
    PROXY: ((0, proxy_fences), (1, barrier_waits)),
    OVERWRITE_FENCE: ((0, proxy_fences),),
    TENSOR_ORDER: ((0, after_fences), (0.5, before_fences), (2, both_fences)),
    AFTER_FENCE: ((0, after_fences), (3, before_fences)),
    BEFORE_FENCE: ((0, before_fences), (3, after_fences)),
    OVERWRITTEN_A: ((0, after_fences), (1, before_fences), (2, barrier_waits)),
    OVERWRITTEN_SCALE: ((0, after_fences), (1, before_fences), (2, barrier_waits)),
    INITIALISATION: ((0, init_fences), (1, meetings), (1, halves)),
    INIT_FENCE: ((0, init_fences),),
    DEADLOCK: ((-2, expected_bytes), (0, commits), (0.5, arrivals), (1, halves), (3, meetings)),
    BARRIER: ((-1, initialisations), (0, barrier_waits), (1, halves), (3, cluster_meetings)),
    PHASES: ((0, barrier_waits), (1, meetings)),
    LIFETIME: ((-2, group_steps), (-1, halves), (0, barrier_waits), (1, last_meetings)),
    COLLECTIVE: ((-1, relinquishments), (0, halves), (0.5, cluster_meetings)),
    TENSOR_MEMORY: ((0, deallocations),),
    RECONVERGENCE: ((0, meetings),),
}


def candidates(problem: Problem) -> list[Candidate]:
    """The candidates for the missing step of a problem, the most likely first."""
    return ranked(problem, _BY_RULE.get(problem.rule, ()))


def has_lost(problem: Problem) -> bool:
    """
    Whether the text or a run shows that a step is missing, not that a number is wrong: nothing
    waits for a copy or for the phases of a barrier object, or nothing arrives at one, or only at
    its neighbours.
    """
    if problem.rule is DEADLOCK:
        return any(not rank or not problem.arrivals_at(each) for rank, each, _ in problem.stuck())
    if any(map(is_of_group, problem.accesses)):
        return True
    if problem.unheeded():
        return True
    return any(each.is_ignored for each in problem.observation.plain.objects)
