"""
Rules whose violations runs and the checks of `ws` find, and the habits of compilers: rules of which
PTX text gets only a warning (see also `mma/products.py`).

The rules of `ws` determine the waits of each role and the arrivals that end them. The lowering of
`ws` writes only kernels that need no other synchronisation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import cache
from operator import methodcaller
from typing import Any, NamedTuple

from tcgen05_dialect.isa.effects.model import Effects, StateSpace
from tcgen05_dialect.isa.mma.instruction_descriptor import BITS_RULE, LATER_K_RULE
from tcgen05_dialect.isa.model.rule import Rule, rule
from tcgen05_dialect.isa.ptx.kernel import TENSOR_MAP_BYTES
from tcgen05_dialect.isa.shared_memory.descriptor import LAYOUT_RULE, UNSET_RULE
from tcgen05_dialect.isa.shared_memory.layout import ATOM_DISTANCE, ATOM_DISTANCE_IN_PTX
from tcgen05_dialect.isa.tensor_memory.alloc import LANE_RULE, WARP_LANES

from .model.rule import Violation

UNSUPPORTED = rule("T5-SIM-001")
BOUNDS = rule("T5-SIM-002")
ALIGNMENT = rule("T5-SIM-003")
DIVERGENCE = rule("T5-SIM-004")
RECONVERGENCE = rule("T5-SIM-030")
DEADLOCK = rule("T5-SIM-005")
STEPS = rule("T5-SIM-006")
TRAP = rule("T5-SIM-007")
BARRIER = rule("T5-SIM-008")
PHASES = rule("T5-SIM-022")
TENSOR_MEMORY = rule("T5-SIM-009")
TENSOR_MAP = rule("T5-SIM-012")
CHANGED_MAP = rule("T5-SIM-047")
UNWRITTEN = rule("T5-SIM-013")
UNDEFINED = rule("T5-SIM-042")
SCALE_COPIES = rule("T5-SIM-020")
COLLECTOR = rule("T5-SIM-021")
RACE = rule("T5-SIM-014")
PROXY = rule("T5-SIM-015")
TENSOR_ORDER = rule("T5-SIM-016")
INITIALISATION = rule("T5-SIM-017")
LIFETIME = rule("T5-SIM-018")
COLLECTIVE = rule("T5-SIM-023")
WARPGROUP = rule("T5-SIM-024")
REGISTER_POOL = rule("T5-SIM-052")
LAST_REQUEST = rule("T5-SIM-053")
FAILED_COORDINATES = rule("T5-SIM-054")
COMMIT = rule("T5-SIM-019")


BEFORE_FENCE = rule("T5-SIM-028")
AFTER_FENCE = rule("T5-SIM-029")
OVERWRITE_FENCE = rule("T5-SIM-031")
SAME_VALUE = rule("T5-SIM-032")
INIT_FENCE = rule("T5-SIM-033")
PEER_START = rule("T5-SIM-034")
PEER_USES = rule("T5-SIM-035")
FIRST_LANES = rule("T5-SIM-036")
RELAXED_BARRIER = rule("T5-SIM-037")
SAME_STORE = rule("T5-SIM-038")
GENERIC_ADDRESS = rule("T5-SIM-039")
LOAD_READ = rule("T5-SIM-040")
LAST_STORE = rule("T5-SIM-041")
LATE_WAIT = rule("T5-SIM-043")
LANE_READS = rule("T5-SIM-044")
PEER_ALLOC = rule("T5-SIM-045")
REMOTE_INIT = rule("T5-SIM-046")
EMPTY_LANES = rule("T5-SIM-048")
LAST_COMMIT = rule("T5-SIM-049")
UNEQUAL_DECREASE = rule("T5-SIM-050")
REPEATED_INIT = rule("T5-SIM-051")
WAIT_SCOPE = rule("T5-SIM-055")
RELAXED_ARRIVAL = rule("T5-SIM-058")
END_OF_THREADS = rule("T5-SIM-057")
HALF_MAP = rule("T5-SIM-056", bytes=TENSOR_MAP_BYTES)


class Habit(NamedTuple):
    """
    A habit of compilers: in PTX text, a mistake of this kind is a `warning`, once for each kernel.

    In IR, which people write, it breaks a `rule` of the manual, which is an error; or, if `rule` is
    None, it is the same warning, which PTX text does not get. `when` tells whether a finding that
    breaks the rule shows the habit, by its fact called `of`; a finding may also be the warning
    itself.
    """

    warning: Rule
    rule: Rule | None
    of: str = ""
    when: Callable[[Any], bool] = bool


def _repeats(space: StateSpace) -> Callable[[Effects], bool]:
    return lambda effects: not effects.arrives_at and effects.writes[0].space is space


HABITS = (
    # Two accesses that nothing orders. The first habit that they show counts.
    Habit(BEFORE_FENCE, None, "pair", methodcaller("lacks_before_fence")),
    Habit(AFTER_FENCE, None, "pair", methodcaller("lacks_fence")),
    Habit(LOAD_READ, RACE, "pair", methodcaller("reads_registers")),
    Habit(LANE_READS, RACE, "pair", methodcaller("knows_lane")),
    Habit(PEER_ALLOC, RACE, "pair", methodcaller("knows_own_half")),
    Habit(RELAXED_BARRIER, RACE, "pair", methodcaller("met_at_barrier")),
    Habit(END_OF_THREADS, RACE, "pair", methodcaller("ended_before")),
    Habit(WAIT_SCOPE, RACE, "pair", methodcaller("waits_narrowly")),
    Habit(WAIT_SCOPE, TENSOR_ORDER, "pair", methodcaller("waits_narrowly")),
    Habit(RELAXED_ARRIVAL, RACE, "pair", methodcaller("arrived_relaxed")),
    Habit(RELAXED_ARRIVAL, TENSOR_ORDER, "pair", methodcaller("arrived_relaxed")),
    Habit(SAME_VALUE, None, "overwriting", methodcaller("keep_the_value")),
    Habit(OVERWRITE_FENCE, None, "overwriting", methodcaller("lack_fence_after_reads")),
    # What may take place after the end of the CTA whose shared memory it uses.
    Habit(LAST_STORE, LIFETIME, "bulk_store"),
    Habit(WAIT_SCOPE, LIFETIME, "awaited_in_cta_scope"),
    # Instructions for one thread that several threads execute.
    Habit(SAME_STORE, RACE, "repeated", _repeats(StateSpace.GLOBAL)),
    Habit(REPEATED_INIT, BARRIER, "repeated", _repeats(StateSpace.BARRIER)),
    Habit(REPEATED_INIT, BARRIER, "equal_counts"),
    # Operands.
    Habit(FIRST_LANES, BOUNDS, "lanes", frozenset(range(WARP_LANES)).issuperset),
    Habit(FIRST_LANES, LANE_RULE, "lanes", frozenset(range(WARP_LANES)).issuperset),
    Habit(UNEQUAL_DECREASE, WARPGROUP, "actions", frozenset({"dec"}).issuperset),
    Habit(ATOM_DISTANCE_IN_PTX, ATOM_DISTANCE, "is_operand"),
    Habit(UNSET_RULE, LAYOUT_RULE),
    Habit(LATER_K_RULE, BITS_RULE),
    Habit(GENERIC_ADDRESS, BOUNDS),
    Habit(HALF_MAP, UNWRITTEN, "written_of_map", frozenset(range(TENSOR_MAP_BYTES // 2)).issubset),
    # The use of an object whose initialisation may not be visible.
    Habit(RELAXED_BARRIER, INITIALISATION, "met_at_barrier"),
    # Findings that are a habit in any case.
    Habit(EMPTY_LANES, UNWRITTEN),
    Habit(LAST_COMMIT, RACE),
    Habit(LATE_WAIT, PHASES),
    Habit(REMOTE_INIT, INITIALISATION),
    Habit(INIT_FENCE, None),
    Habit(PEER_START, None),
    Habit(PEER_USES, None),
    Habit(RECONVERGENCE, None),
)
"""The habits of compilers. What else differs between PTX text and IR asks `is_read`."""
RULES_IN_IR = {habit.warning: habit.rule for habit in reversed(HABITS) if habit.rule is not None}
"""Warning about PTX text -> the rule whose violation is an error in IR."""


def by_habit(rule: Rule, is_read: bool, **facts: object) -> Rule:
    """The rule to report for a finding that breaks `rule`, with facts about it by name: the warning
    of the habit that it shows, if there is one. `is_read`: the kernel was read from PTX text."""
    for habit in _habits_of(rule, frozenset(facts)):
        if rule is habit.warning:
            return habit.warning if is_read or habit.rule is None else habit.rule
        if habit.when(facts[habit.of]):
            return habit.warning if is_read or habit.rule is None else rule
    return rule


@cache
def _habits_of(rule: Rule, facts: frozenset[str]) -> Sequence[Habit]:
    """The habits with a rule as their warning, and those that facts about a violation may show."""
    return [
        each
        for each in HABITS
        if rule is each.warning or (each.rule in (None, rule) and each.of in facts)
    ]


def kept_in_ptx(rules: Iterable[Rule], told: Iterable[Rule] = ()) -> Iterator[bool]:
    """Which findings about a kernel of PTX text to report, given their rules: a habit that is an
    error in IR once, and one that is a warning in IR never. `told` are rules of earlier
    findings."""
    seen = set(told)
    for each in rules:
        yield not each.practice or (each in RULES_IN_IR and each not in seen)
        seen.add(each)


def warnings_in_ptx(error: Rule) -> list[Rule]:
    """The warnings that a kernel of PTX text may get where one of IR gets the error."""
    return sorted({each.warning for each in HABITS if each.rule is error}, key=lambda rule: rule.id)


_COMPILERS = {
    "Generated by LLVM NVPTX Back-End": frozenset({"Triton"}),
    "Generated by NVIDIA NVVM Compiler": frozenset(
        {"CUTLASS", "CuTe", "DeepGEMM", "ThunderKittens", "TileLang", "cuDNN"}
    ),
}
"""Comment at the head of PTX text -> the compilers and libraries whose kernels have it."""
_HEAD = 1 << 9
"""Number of characters at the start of the text among which the comment is searched."""


def _compilers_of(text: str) -> frozenset[str]:
    """The compilers that may have written PTX text, by its head."""
    head = text[:_HEAD]
    return frozenset[str]().union(*(_COMPILERS[each] for each in _COMPILERS if each in head))


def is_habit_in(rule: Rule, text: str) -> bool:
    """Whether a compiler that may have written PTX text has the habit of which a rule warns."""
    return any(map(rule.practice.__contains__, _compilers_of(text)))


def without_other_compilers(violation: Violation, text: str) -> Violation:
    """The violation without the practice of other compilers, if the head of the PTX text names its
    compiler."""
    own = _compilers_of(text)
    return without_compilers(violation, own) if own else violation


def without_compilers(violation: Violation, own: Set[str] = frozenset()) -> Violation:
    """The violation without practice that names compilers, unless it names one of `own`."""
    others = frozenset[str]().union(*_COMPILERS.values()) - own

    def said(part: Violation) -> Violation:
        practice = part.rule.practice
        if any(map(practice.__contains__, own)) or not any(map(practice.__contains__, others)):
            return part
        return part.replaced(practice="")

    return violation.mapped(said)


TMA_RULE = rule("T5-WS-001")
MMA_RULE = rule("T5-WS-002")
THREADS_RULE = rule("T5-WS-003")
WRITE_RULE = rule("T5-WS-004")
PLACE_RULE = rule("T5-WS-005")
UNIFORM_RULE = rule("T5-WS-006")
TOKEN_RULE = rule("T5-WS-007")
SIZE_RULE = rule("T5-WS-009")
BALANCE_RULE = rule("T5-WS-011")
DEADLOCK_RULE = rule("T5-WS-012")
ROWS_RULE = rule("T5-WS-014")
BOX_RULE = rule("T5-WS-015")
RING_RULE = rule("T5-WS-016")
ROLE_RULE = rule("T5-WS-017")
OPERAND_RULE = rule("T5-WS-018")
COPY_RULE = rule("T5-WS-019")
REGISTERS_RULE = rule("T5-WS-020")
STORE_RULE = rule("T5-WS-021")
MULTICAST_RULE = rule("T5-WS-022")
TURN_RULE = rule("T5-WS-030")
VALUE_RULE = rule("T5-WS-031")
FORM_RULE = rule("T5-WS-032")
TENSOR_RULE = rule("T5-TENSOR-001")


CONTRACT_RULE = rule("T5-CONTRACT-001")
ASSUMPTION_RULE = rule("T5-CONTRACT-002")
