"""
Which findings of runs at invented sizes count: an error may show only that a kernel is not made for
some sizes.
"""

from collections.abc import Hashable, Sequence

from ..isa.model.rule import Rule
from ..isa.practice import ALIGNMENT, ASSUMPTION_RULE, BOUNDS, PHASES
from ..ptx.instructions import LdOp, StOp
from ..reporting.diagnostics import OperationError
from ..simulator.machine.errors import line_key
from .execution import AT_ANY_SIZE, Outcome, rule_of
from .origins import is_global
from .scenario import Scenario


def is_of_sizes(
    error: OperationError, scenario: Scenario, runs: Sequence[tuple[Scenario, Outcome]]
) -> bool:
    """
    Whether a finding shows only that the kernel is not made for these sizes.

    An assumption says for which sizes a kernel is made. A kernel of PTX text, which has none, need
    not be made for an empty array. The addresses of global memory depend on
    sizes, so a finding there counts only if all sizes have it that are not smaller throughout; for
    a violation of `AT_ANY_SIZE`, all sizes where the loops run at least as often. Elsewhere
    warnings and violations of `AT_ANY_SIZE` always count, and so does a violation of the order of
    phases, which more iterations do not undo. Another error does not count if, at other
    sizes where the loops run at least as often, there is no error or only a violation of
    `AT_ANY_SIZE`. If they run more often and there is a different error, that one counts. But a
    limit is a least size: an error counts if the kernel passes where its loops run less often.
    """
    rule = rule_of(error)
    if rule is ASSUMPTION_RULE:
        return True
    if any(is_empty(outcome, scenario) for _, outcome in runs):
        return True
    longer = [
        (other, outcome)
        for other, outcome in runs
        if other is not scenario and other.covers(scenario)
    ]
    if _depends_on_addresses(error):
        others = [each for each in runs if not each[0].is_within(scenario)]
        return any(
            outcome.passes and key_of(error) not in map(key_of, outcome.warnings)
            for _, outcome in (longer if rule in AT_ANY_SIZE else others)
        )
    if rule.severity == "warning" or rule in AT_ANY_SIZE or rule is PHASES:
        return False
    if any(outcome.passes and other.is_below(scenario) for other, outcome in runs):
        return False
    return any(
        outcome.error is None
        or rule_of(outcome.error) in AT_ANY_SIZE
        or (
            not scenario.covers(other)
            and key_of(outcome.error) != key_of(error)
            and rule_of(outcome.error) is not ASSUMPTION_RULE
            and not _depends_on_addresses(outcome.error)
        )
        for other, outcome in longer
    )


def bounds_loops(error: OperationError, scenario: Scenario) -> bool:
    """Whether a finding that shows that a kernel is not made for some sizes excludes numbers of
    iterations of its loops, other than the least one. An assumption is a contract."""
    busy = {
        p
        for each, count in zip(scenario.loops, scenario.iterations, strict=True)
        for p in each.numbers
        if count > each.least
    }
    is_busy = all(p in busy for each in scenario.loops for p in each.numbers)
    is_contract = rule_of(error) is ASSUMPTION_RULE
    return is_busy and not is_contract and not _depends_on_addresses(error)


def is_empty(outcome: Outcome, scenario: Scenario) -> bool:
    """Whether a size of a kernel of PTX text, on which loops depend, is 0."""
    return outcome.is_read and any(
        scenario.values[p.index] == 0 for loop in scenario.loops for p in loop.numbers
    )


def _depends_on_addresses(error: OperationError) -> bool:
    """Whether a finding depends on addresses in global memory, and so on sizes."""
    op = error.operation
    is_access = isinstance(op, LdOp | StOp) and is_global(op)
    return rule_of(error) in (BOUNDS, ALIGNMENT) or is_access


def breaks_assumption(outcome: Outcome) -> bool:
    return outcome.error is not None and rule_of(outcome.error) is ASSUMPTION_RULE


def key_of(error: OperationError) -> tuple[Rule, Hashable]:
    """Identity of a finding at different sizes."""
    return rule_of(error), line_key(error.operation)
