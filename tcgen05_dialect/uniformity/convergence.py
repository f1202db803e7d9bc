"""Check that all threads of a warp execute the instructions that need all of them (9.7.16.5,
9.7.13, 9.7.19.5)."""

from collections.abc import Iterator, Sequence

from xdsl.ir import Operation

from ..isa.effects.model import Participants
from ..isa.model.rule import describe
from ..isa.simulation import DIVERGENCE
from ..ptx.effects import participants_of
from ..ptx.known_values import constant_bits
from ..ptx.structure import GuardOp
from ..ptx.synchronization import BarWarpSyncOp, ElectSyncOp, ShflSyncOp
from ..reporting.locations import text_place
from ..reporting.operation_error import OperationError, located
from .execution import Execution
from .presence import ALL_LANES, Gate, Missing, Presence


def divergence(presence: Presence, executed: Sequence[Execution]) -> Iterator[OperationError]:
    """The errors of instructions that are certainly executed without some threads of a warp."""
    for op, block, gates, _ in executed:
        if (who := participants_of(op)).together:
            error = _error(op, who, presence, block, gates)
            if error is not None:
                yield error


def _error(
    op: Operation, who: Participants, presence: Presence, block: int, gates: Sequence[Gate]
) -> OperationError | None:
    """The error of an instruction in a block, behind gates; None if it may be right."""
    mask = ALL_LANES
    if isinstance(op, ElectSyncOp | ShflSyncOp | BarWarpSyncOp):
        known = constant_bits(op.mask)
        if known is not None and presence.lacks(block, gates, known):
            return _failed(op, f"the mask {known:#x} lacks lanes that execute the instruction")
        if known is None or not isinstance(op, ElectSyncOp):
            # Lanes may wait for lanes at another shfl.sync or bar.warp.sync.
            return None
        mask = known
    missing = presence.missing(block, gates, mask, who is Participants.WHOLE)
    return None if missing is None else _missed(op, missing)


def _missed(op: Operation, missing: Missing) -> OperationError:
    gate, lanes = missing.gate, missing.lanes
    if lanes is None:
        who = "only some lanes of a warp execute"
    elif len(lanes) == 1:
        who = f"only lane {lanes[0]} of warp {missing.warp} executes"
    else:
        who = f"only lanes {describe(lanes)} of warp {missing.warp} execute"
    sentence, help = f"{who} the instruction", ""
    if gate is not None and (line := _line(gate.operation)):
        kind = "guard" if isinstance(gate.operation, GuardOp) else "condition"
        sentence += f", because of the {kind} {line}"
        help = f"move the instruction to where the {kind} {line} no longer divides warps"
    return _failed(op, sentence, help)


def _failed(op: Operation, sentence: str, help: str = "") -> OperationError:
    return located(op, DIVERGENCE.violation(None, None, sentence=sentence, help=help))


def _line(op: Operation) -> str:
    location = text_place(op.location)
    return "" if location is None else f"in line {location.line.data}"
