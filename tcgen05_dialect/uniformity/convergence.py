"""
Checks of a lowered kernel without a run: that all threads of a warp execute the instructions that
need all of them, and one thread those that several must not repeat (9.7.16.5, 9.7.13, 9.7.19.5).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from operator import is_
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ..isa.effects.model import Participants, StateSpace
from ..isa.model.rule import Rule, describe
from ..isa.practice import BARRIER, DIVERGENCE, RACE, by_habit
from ..ptx import instructions as ptx
from ..ptx.analysis.control_flow import closure
from ..ptx.analysis.known_values import constant_bits
from ..ptx.control_flow import BrxOp
from ..ptx.effects import effects_of, may_be_together, participants_of
from ..ptx.kernel import KernelOp
from ..ptx.structure import AddressOfOp, GuardOp
from ..ptx.tcgen05_mma import Mma
from ..ptx.text.syntax import values_of
from ..reporting.diagnostics import OperationError, located, text_place
from .lane_values import Shared
from .presence import ALL_LANES, Gate, Missing, Presence, early_accesses, exit_gate, guard_gate
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
    """The instructions of some types in the reachable blocks of a kernel, guarded ones included."""
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
    if isinstance(op, ptx.ElectSyncOp | ptx.ShflSyncOp | ptx.BarWarpSyncOp):
        known = constant_bits(op.mask)
        if known is not None and presence.lacks(block, gates, known):
            return _failed(op, f"the mask {known:#x} lacks lanes that execute the instruction")
        if known is None or not isinstance(op, ptx.ElectSyncOp):
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
    return located(op, DIVERGENCE.says(sentence, help))


def _line(op: Operation) -> str:
    location = text_place(op.location)
    return "" if location is None else f"in line {location.line.data}"


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
        and not (kernel.is_read and _is_habit(each.operation))
    ]
    lanes = min(warp.bit_count() for warp in uniformity.threads.warps())
    if not issued or lanes == 1:
        return
    values = Uniformity(kernel, [place for each in issued for place in _places(each.operation)])
    counts = _counts(executed)
    wrong: set[int] = set()
    for op, block, _, _ in issued:
        agree = all(values.value(place).agreement is not Shared.NONE for place in _places(op))
        if agree and block not in wrong and (error := _repeated(op, lanes, counts)) is not None:
            # One branch around the block corrects all its instructions.
            wrong.add(block)
            yield error


def _rule(op: Operation) -> Rule:
    """The rule that threads break that repeat an instruction."""
    effects = effects_of(type(op))
    is_of_barrier = effects.arrives_at or effects.writes[0].space is StateSpace.BARRIER
    return BARRIER if is_of_barrier else RACE


def _is_habit(op: Operation) -> bool:
    """Whether compilers let several threads repeat an instruction; of this, a run warns."""
    rule = _rule(op)
    return by_habit(rule, True, repeated=effects_of(type(op))) is not rule


def _repeated(op: Operation, lanes: int, counts: Mapping[str, int]) -> OperationError | None:
    """The error of an instruction that so many lanes execute; None if it may be right."""
    effects = effects_of(type(op))
    if not effects.arrives_at:
        space = effects.writes[0].space
        does = "writes the same accumulator" if isinstance(op, Mma) else _DOES[space]
        sentence = f"all lanes of a warp execute it, and each {does}"
    else:
        variable = _variable(_places(op)[0])
        count = None if variable is None else counts.get(variable)
        if count is None or count >= lanes:
            return None
        arrivals = f"{count} arrival{'s' if count > 1 else ''}"
        sentence = f"{lanes} lanes of a warp arrive at @{variable}, which expects {arrivals}"
    return located(op, _rule(op).says(sentence, help=_HELP))


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
        if isinstance(init, ptx.MbarrierInitOp):
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
    owners = (each.owner for each in closure([address], _moved))
    found = {each.variable.string_value() for each in owners if isinstance(each, AddressOfOp)}
    return found.pop() if len(found) == 1 else None


def _moved(address: SSAValue) -> Sequence[SSAValue]:
    return address.owner.operands if isinstance(address.owner, _MOVING) else ()


_MOVING = (ptx.AddOp, ptx.SubOp, ptx.OrOp, ptx.MadOp, ptx.MovOp, ptx.MapaOp)
"""Instructions that compute an address in a variable from another one."""


def kernel_errors(module: ModuleOp) -> Iterator[OperationError]:
    """The errors of the kernels of a lowered module."""
    for block in module.body.blocks:
        for op in block.ops:
            if isinstance(op, KernelOp) and not _has_table(op):
                uniformity = Uniformity(op)
                yield from early_accesses(op, uniformity)
                found = [*executions(uniformity, _is_checked)]
                if not found:
                    continue
                presence = Presence(uniformity)
                executed = [each for each in found if presence.reaching(each.block, each.gates)]
                yield from divergence(presence, executed)
                yield from repetition(op, uniformity, executed)


def parting_barriers(kernel: KernelOp) -> Iterator[ptx.BarWarpSyncOp]:
    """The barriers of a whole warp in a lowered kernel that certainly only some of its lanes
    reach. The others may meet them at another barrier, so they are no errors."""
    if _has_table(kernel):
        return
    uniformity = Uniformity(kernel)
    presence = Presence(uniformity)
    for op, block, gates, _ in executions(uniformity, partial(is_, ptx.BarWarpSyncOp)):
        assert isinstance(op, ptx.BarWarpSyncOp)
        if constant_bits(op.mask) == ALL_LANES and presence.missing(block, gates) is not None:
            yield op


def _has_table(kernel: KernelOp) -> bool:
    """Whether a branch of a kernel has more than two targets, which this room does not follow."""
    return any(isinstance(block.last_op, BrxOp) for block in kernel.body.blocks)


@cache
def _is_checked(op_type: type[Operation]) -> bool:
    return may_be_together(op_type) or may_repeat(op_type)
