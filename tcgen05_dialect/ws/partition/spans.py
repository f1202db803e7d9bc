"""The spans of a role's operations in which it holds a stage: each pair is nested, or apart."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Block, Operation

from ...isa.warp_specialization import TURN_RULE
from .kinds import Refusal, name_of
from .plan import RingPlan


@dataclass
class Span:
    """The operations of a block, from number `first` to number `last`, that hold a stage."""

    plan: RingPlan
    produces: bool
    first: int
    last: int


def spans_of(kind: str, plans: Sequence[RingPlan]) -> dict[Block, list[Span]]:
    """The spans of the role of a kind, by block. Raises Refusal."""
    found: dict[Block, list[Span]] = {}
    numbers: dict[Block, dict[Operation, int]] = {}
    for plan in plans:
        columns = [turns.of(kind) for turns in plan.turns]
        for runs in zip(*columns, strict=True):
            block = runs[0].block
            if block not in numbers:
                numbers[block] = {op: at for at, op in enumerate(block.ops)}
            at = [numbers[block][op] for run in runs for op in run.statements]
            produces = kind == plan.first.producer
            span = Span(plan, produces, min(at), max(at))
            found.setdefault(block, []).append(span)
    for block, spans in found.items():
        _nest(spans)
        _check(block, spans)
    return found


def _nest(spans: Sequence[Span]) -> None:
    """Extend spans that overlap, until each pair is nested or apart."""
    is_changing = True
    while is_changing:
        is_changing = False
        for one in spans:
            for other in spans:
                if one.first < other.first <= one.last < other.last:
                    one.last = other.last
                    is_changing = True


def _check(block: Block, spans: Sequence[Span]) -> None:
    for one in spans:
        for other in spans:
            if other is not one and other.plan is one.plan and one.first <= other.first <= one.last:
                buffer = one.plan.first.buffer
                op = [*block.ops][other.first]
                sentence = (
                    f"the turns at {name_of(buffer)} and at another buffer overlap, so that the "
                    f"role would take its next turn at {name_of(buffer)} within an earlier one"
                )
                help_ = "finish the use of one buffer before that of the other"
                violation = TURN_RULE.violation(None, None, sentence=sentence, help=help_)
                raise Refusal(op, violation)
