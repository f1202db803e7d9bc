"""The instructions of a kernel, each with the conditions that decide which threads execute it."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from xdsl.ir import Operation

from ..ptx.structure import GuardOp
from .lane_values import Shared
from .presence import Gate, exit_gate, guard_gate
from .uniformity import Uniformity, ends_threads


class Execution(NamedTuple):
    """An instruction in a block, by number, behind gates in this block; `together` is the largest
    kind of group whose threads all execute it, or none of them."""

    operation: Operation
    block: int
    gates: Sequence[Gate]
    together: Shared


def executions(
    uniformity: Uniformity, wanted: Callable[[type[Operation]], bool]
) -> Iterator[Execution]:
    """The instructions of some types in the reachable blocks of a kernel, also behind guards."""
    for block, ops in enumerate(uniformity.operations):
        gates: list[Gate] = []
        together = uniformity.together[block]
        for op in ops:
            if type(op) is not GuardOp:
                if wanted(type(op)):
                    yield Execution(op, block, gates, together)
                continue
            guarded = [*gates, guard_gate(op, uniformity)]
            agreement = max(together, guarded[-1].condition.agreement)
            for inner in op.body.block.ops:
                if wanted(type(inner)):
                    yield Execution(inner, block, guarded, agreement)
            if ends_threads(op):
                gates = [*gates, exit_gate(op, uniformity)]
                together = agreement
