"""Check that several threads do not repeat an instruction that one thread must execute (9.7.16.5,
9.7.13.15)."""

from collections.abc import Iterator, Mapping, Sequence

from xdsl.ir import Operation, SSAValue

from ..isa.effects.model import Participants, StateSpace
from ..isa.simulation import BARRIER, RACE
from ..ptx.arithmetic import AddOp, MadOp, MovOp, OrOp, SubOp
from ..ptx.effects import effects_of
from ..ptx.kernel import KernelOp
from ..ptx.known_values import constant_bits
from ..ptx.mbarrier import MbarrierInitOp
from ..ptx.memory import MapaOp
from ..ptx.structure import AddressOfOp
from ..ptx.syntax import values_of
from ..ptx.tcgen05_mma import Mma
from ..reporting.operation_error import OperationError, located
from .execution import Execution
from .lane_values import Shared
from .uniformity import Uniformity

_HELP = "let one thread execute it, such as the one that elect.sync chooses"


_DOES = {
    StateSpace.TENSOR: "writes the same tensor memory",
    StateSpace.SHARED: "writes the same shared memory",
    StateSpace.GLOBAL: "writes the same global memory",
    StateSpace.BARRIER: "initialises the same barrier object",
}
"""Written state space -> the mistake of several threads that execute an instruction for one."""


def may_repeat(op_type: type[Operation]) -> bool:
    """Whether several threads that execute an instruction may be wrong."""
    effects = effects_of(op_type)
    return effects.executed_by is Participants.ONE or bool(effects.arrives_at)


def repetition(
    kernel: KernelOp, uniformity: Uniformity, executed: Sequence[Execution]
) -> Iterator[OperationError]:
    """The errors of instructions for one thread that certainly several threads of a warp
    execute."""
    if not uniformity.threads.exist:
        return
    issued = [
        each
        for each in executed
        if may_repeat(type(each.operation))
        and each.together is not Shared.NONE
        and not (kernel.is_read and _is_warning(each.operation))
    ]
    lanes = min(warp.bit_count() for warp in uniformity.threads.warps())
    if not issued or lanes == 1:
        return
    values = Uniformity(kernel, [place for each in issued for place in _places(each.operation)])
    counts = _counts(executed)
    wrong: set[int] = set()
    for op, block, _, _ in issued:
        agree = all(values.value(place).agreement is not Shared.NONE for place in _places(op))
        if agree and block not in wrong and (error := _error(op, lanes, counts)) is not None:
            # One branch around the block corrects all its instructions.
            wrong.add(block)
            yield error


def _is_warning(op: Operation) -> bool:
    """Whether, in PTX text, a run warns of the repetition of an instruction: of a copy to global
    memory, or of mbarrier.init."""
    effects = effects_of(type(op))
    spaces = (StateSpace.GLOBAL, StateSpace.BARRIER)
    return not effects.arrives_at and effects.writes[0].space in spaces


def _error(op: Operation, lanes: int, counts: Mapping[str, int]) -> OperationError | None:
    """The error of an instruction that so many lanes execute; None if it may be right."""
    effects = effects_of(type(op))
    if not effects.arrives_at:
        space = effects.writes[0].space
        rule = BARRIER if space is StateSpace.BARRIER else RACE
        does = "writes the same accumulator" if isinstance(op, Mma) else _DOES[space]
        sentence = f"all lanes of a warp execute it, and each {does}"
    else:
        variable = _variable(_places(op)[0])
        count = None if variable is None else counts.get(variable)
        if count is None or count >= lanes:
            return None
        rule = BARRIER
        arrivals = f"{count} arrival{'s' if count > 1 else ''}"
        sentence = f"{lanes} lanes of a warp arrive at @{variable}, which expects {arrivals}"
    return located(op, rule.violation(None, None, sentence=sentence, help=_HELP))


def _places(op: Operation) -> Sequence[SSAValue]:
    """The operands that say where an instruction writes, or arrives."""
    effects = effects_of(type(op))
    names = (effects.arrives_at,) if effects.arrives_at else effects.writes[0].operands
    return [value for name in names for value in values_of(op, name)]


def _counts(executed: Sequence[Execution]) -> dict[str, int]:
    """The largest number of arrivals that a barrier object in each variable expects; empty if there
    are barrier objects elsewhere. Variables with numbers that are not known are left out."""
    found: dict[str, int] = {}
    unknown: set[str] = set()
    for init in (each.operation for each in executed):
        if isinstance(init, MbarrierInitOp):
            variable, count = _variable(init.address), constant_bits(init.count)
            if variable is None:
                return {}
            if count is None:
                unknown.add(variable)
            else:
                found[variable] = max(found.get(variable, 0), count)
    return {variable: count for variable, count in found.items() if variable not in unknown}


def _variable(address: SSAValue) -> str | None:
    """The shared variable in which an address is; None if that is not clear."""
    found: set[str] = set()
    pending = [address]
    seen = {address}
    for value in pending:
        owner = value.owner
        if isinstance(owner, AddressOfOp):
            found.add(owner.variable.string_value())
        elif isinstance(owner, _MOVING):
            new = [operand for operand in owner.operands if operand not in seen]
            seen.update(new)
            pending += new
    return found.pop() if len(found) == 1 else None


_MOVING = (AddOp, SubOp, OrOp, MadOp, MovOp, MapaOp)
"""Instructions that compute an address in a variable from another one."""
