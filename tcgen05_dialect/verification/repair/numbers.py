"""Candidates for the wrong number of a finding, the most likely first."""

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
from .choices import barriers, masks, rings
from .counts import counts, threads
from .parities import parities
from .problem import Candidate, Problem, ranked

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
    return ranked(problem, _GENERATORS) if problem.rule in _RULES else []
