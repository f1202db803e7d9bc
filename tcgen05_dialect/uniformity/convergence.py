"""
Checks of a lowered kernel without a run: that all threads of a warp execute the instructions that
need all of them, and one thread those that several must not repeat (9.7.16.5, 9.7.13, 9.7.19.5);
and that no access comes before griddepcontrol.wait that must not (9.7.13.13).

A branch divides the threads by its condition. Up to the block where its paths join, the threads on
one path execute instructions without the others. `Presence` knows which threads of a warp can
execute an instruction together.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from operator import is_
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ..isa.effects.model import Area, Participants, StateSpace
from ..isa.instructions.barriers import EARLY_ACCESS, GRID_WAIT
from ..isa.model.rule import Rule, describe
from ..isa.practice import BARRIER, DIVERGENCE, RACE, by_habit
from ..isa.tensor_memory.alloc import WARP_LANES
from ..ptx import instructions as ptx
from ..ptx.analysis.control_flow import END, ControlFlowGraph, closure
from ..ptx.analysis.known_values import constant_bits
from ..ptx.analysis.values import backwards, loads_parameter, passed_values
from ..ptx.control_flow import BrxOp
from ..ptx.effects import effects_of, may_be_together, participants_of
from ..ptx.kernel import KernelOp
from ..ptx.structure import AddressOfOp, GuardOp
from ..ptx.tcgen05_mma import Mma
from ..ptx.text.syntax import offset_of, values_of, word_of
from ..ptx.variables import LoadParameterOp
from ..reporting.diagnostics import OperationError, located, text_place
from .lane_values import Shared, Value, differs
from .uniformity import Uniformity, ends_threads

ALL_LANES = (1 << WARP_LANES) - 1


class Gate(NamedTuple):
    """
    A branch or guard that lets through only the threads for which a condition is `expected`. The
    instructions that only these threads reach are behind the gate. If `parts`, the other threads
    may end before they join these again.
    """

    operation: Operation
    condition: Value
    expected: bool
    parts: bool = False

    @property
    def is_known(self) -> bool:
        return self.condition.shared is Shared.KNOWN

    @property
    def divides(self) -> bool:
        """Whether each warp with a thread that passes the gate certainly has another one that does
        not, although it is not known which one."""
        return not self.is_known and differs(self.condition, self.expected)


def guard_gate(guard: GuardOp, uniformity: Uniformity) -> Gate:
    """The gate before the instructions of a guard."""
    return Gate(guard, uniformity.value(guard.predicate), guard.negated is None)


def exit_gate(guard: GuardOp, uniformity: Uniformity) -> Gate:
    """The gate after a guard that ends threads."""
    return Gate(guard, uniformity.value(guard.predicate), guard.negated is not None, parts=True)


class Missing(NamedTuple):
    """The gate that keeps threads from an instruction, None if it is not known; and the lanes of
    the warp `warp` that execute the instruction, None if they are not known."""

    gate: Gate | None
    lanes: tuple[int, ...] | None = None
    warp: int = 0


class Presence:
    """For each block of a kernel, the threads that may execute it and the threads that cannot."""

    def __init__(self, uniformity: Uniformity):
        self._uniformity = uniformity
        self._graph = uniformity.graph
        self._threads = uniformity.threads
        self._exits = [
            [exit_gate(op, uniformity) for op in ops if type(op) is GuardOp and ends_threads(op)]
            for ops in uniformity.operations
        ]
        """For each block, the gates after its guards that end threads."""
        self._reaching = self._reached()
        self._gates = [self._gate_before(block) for block in range(len(self._graph.blocks))]
        """For each block, the gate that is the only way to it from its dominator."""
        self._behind: list[_Behind] = []
        for block, gate in enumerate(self._gates):
            before = self._graph.dominators[block]
            gates = [*self._exits[before], *([] if gate is None else [gate])] if block else []
            outer = self._behind[before] if block else _Behind()
            self._behind.append(self._passed(outer, gates, before))

    def reaching(self, block: int, gates: Sequence[Gate]) -> int:
        """The set of threads that may execute an instruction behind gates in a block."""
        return self._holding(self._reaching[block], gates)

    def missing(
        self, block: int, gates: Sequence[Gate], mask: int = ALL_LANES, ended: bool = False
    ) -> Missing | None:
        """
        The threads that are missing at an instruction behind gates in a block: if the instruction
        is executed, then certainly without some lanes in `mask`. Otherwise None. Threads that may
        have ended count as missing only if `ended`.
        """
        reaching = self.reaching(block, gates)
        behind = self._passed(self._behind[block], gates, block)
        gate = behind.divided if ended else behind.parted
        if gate is not None and mask == ALL_LANES:
            return Missing(gate)
        out = ~reaching if ended else behind.waiting & ~reaching
        partial: int | None = None
        whole = False
        for index, warp in enumerate(self._threads.warps()):
            if reaching & warp:
                lacks = warp & mask << index * WARP_LANES & out
                whole |= not lacks
                partial = index if lacks and partial is None else partial
        if partial is None or (whole and not self._is_certain(block, gates)):
            return None
        here = reaching >> partial * WARP_LANES
        lanes = tuple(lane for lane in range(WARP_LANES) if here >> lane & 1)
        return Missing(self._cause(block, gates), lanes, partial)

    def lacks(self, block: int, gates: Sequence[Gate], mask: int) -> bool:
        """Whether lanes that are not in `mask` certainly execute an instruction behind gates."""
        reaching = self.reaching(block, gates)
        shares = [self._uniformity.together[block], *(gate.condition.agreement for gate in gates)]
        whole = max(shares) is not Shared.NONE
        outside: list[bool] = []
        for index, warp in enumerate(self._threads.warps()):
            if here := reaching & warp:
                named = mask << index * WARP_LANES
                outside.append(bool(here & ~named) if whole else not here & named)
        return bool(outside) and all(outside)

    def _holding(self, threads: int, gates: Sequence[Gate]) -> int:
        """The threads that may pass all gates."""
        for gate in gates:
            threads &= self._threads.holding(gate.condition, gate.expected)
        return threads

    def _reached(self) -> list[int]:
        """For each block, the set of threads that may execute it."""
        graph, found = self._graph, [0] * len(self._graph.blocks)
        found[0] = self._threads.all
        changed = True
        while changed:
            changed = False
            for block, successors in enumerate(graph.successors):
                leaving = self._holding(found[block], self._exits[block])
                for index, successor in enumerate(successors):
                    gate = self._gate(block, index)
                    coming = leaving if gate is None else self._holding(leaving, [gate])
                    if coming & ~found[successor]:
                        found[successor] |= coming
                        changed = True
        return found

    def _gate(self, block: int, index: int) -> Gate | None:
        """The gate on the way from a block to one of its successors; None if all threads reach the
        successor in the end, or if the threads that go the other way trap."""
        graph, successors = self._graph, self._graph.successors[block]
        condition = self._uniformity.conditions[block]
        if (
            condition is None
            or successors[0] == successors[1]
            or successors[index] == graph.joins[block]
            or not all(map(graph.ends, successors))
        ):
            return None
        branch = graph.blocks[block].last_op
        assert branch is not None
        parts = graph.joins[block] == END
        return Gate(branch, self._uniformity.value(condition), index == 0, parts)

    def _gate_before(self, block: int) -> Gate | None:
        # A loop is entered through the gate before its first block.
        graph = self._graph
        match [each for each in graph.predecessors[block] if not graph.dominates(block, each)]:
            case [before]:
                return self._gate(before, graph.successors[before].index(block))
            case _:
                return None

    def _passed(self, behind: "_Behind", gates: Sequence[Gate], block: int) -> "_Behind":
        """The effect of gates in a block, added to the effect `behind` of the gates before the
        block."""
        parted = self._uniformity.together[block] is Shared.NONE
        for gate in gates:
            if gate.divides:
                behind = behind._replace(divided=gate)
            parted |= gate.parts
            if parted:
                # The others may have ended before, or may end before they come back.
                continue
            if gate.divides:
                behind = behind._replace(parted=gate)
            kept = self._reaching[block] & ~self._holding(self._threads.all, [gate])
            behind = behind._replace(waiting=behind.waiting | kept)
        return behind

    def _is_certain(self, block: int, gates: Sequence[Gate]) -> bool:
        """Whether, if the CTA reaches the block, all threads that can pass the gates certainly
        do."""
        certain = self._threads.exist and self._uniformity.is_certain(block)
        return certain and all(gate.is_known for gate in gates)

    def _cause(self, block: int, gates: Sequence[Gate]) -> Gate | None:
        """The innermost gate with a known condition that differs within a warp."""
        inner = [*gates]
        while True:
            for gate in reversed(inner):
                if gate.is_known and gate.condition.agreement is Shared.NONE:
                    return gate
            if block == 0:
                return None
            gate = self._gates[block]
            block = self._graph.dominators[block]
            inner = [*self._exits[block], *([] if gate is None else [gate])]


class _Behind(NamedTuple):
    """
    The effect of the gates before an instruction. `divided` is the innermost gate that divides
    warps. `parted` is the innermost of these whose other threads come back. `waiting` are the
    threads that wait for the threads behind the gates.
    """

    divided: Gate | None = None
    parted: Gate | None = None
    waiting: int = 0


_Place = tuple[int, int]
"""Block and number of an instruction in it."""


def early_accesses(kernel: KernelOp, uniformity: Uniformity) -> Iterator[OperationError]:
    """The warnings of accesses to global memory that come before griddepcontrol.wait."""
    found = [
        ((block, number), each)
        for block, ops in enumerate(uniformity.operations)
        for number, op in enumerate(ops)
        for each in (op.instructions if isinstance(op, GuardOp) else (op,))
    ]
    syncs = ((place, op) for place, op in found if isinstance(op, ptx.GriddepcontrolOp))
    waits = [place for place, op in syncs if op.action.data == GRID_WAIT]
    if not waits:
        return
    graph = uniformity.graph
    bases = _Bases(kernel)
    written = {base for _, op in found for base in bases.of(op, effects_of(type(op)).writes)}
    for place, op in found:
        effects = effects_of(type(op))
        if not any(_may_follow(graph, place, wait) for wait in waits):
            continue
        if any(_may_follow(graph, wait, place) for wait in waits):
            continue
        if _of_global(op, effects.writes):
            does = "writes global memory"
        elif not written.isdisjoint(bases.of(op, effects.reads)):
            does = "reads global memory that the kernel writes"
        else:
            continue
        yield located(op, EARLY_ACCESS.says(f"before griddepcontrol.wait it {does}"))


def _may_follow(graph: ControlFlowGraph, first: _Place, second: _Place) -> bool:
    """Whether a thread may execute the second of two instructions after the first."""
    is_behind = first[0] == second[0] and first[1] < second[1]
    return is_behind or second[0] in graph.following(first[0])


def _of_global(op: Operation, areas: Sequence[Area]) -> list[Area]:
    """The areas that are certainly in global memory."""
    return [
        area
        for area in areas
        if area.space is StateSpace.GLOBAL
        or (area.space is StateSpace.MEMORY and word_of(op, "space") == "global")
    ]


class _Bases:
    """The parameters from which addresses in global memory are computed: pointers, tensor maps, or
    the places from which they are loaded."""

    def __init__(self, kernel: KernelOp):
        self._entry = kernel.body.blocks[0]
        self._passed = passed_values(kernel.body.blocks)

    def of(self, op: Operation, areas: Sequence[Area]) -> set[object]:
        """The bases of the accesses of an operation to some areas."""
        names = (name for area in _of_global(op, areas) for name in area.operands)
        addresses = [
            value for name in names if name != "coordinates" for value in values_of(op, name)
        ]
        found: set[object] = set()
        for value in backwards(addresses, self._passed, _terms):
            load = value.owner
            if load is self._entry:
                found.add(value)
            elif isinstance(load, ptx.LdOp) and loads_parameter(load):
                found.add((load.address, offset_of(load, "address")))
        return found


def _terms(op: Operation) -> Sequence[SSAValue]:
    """The operands from which an address is computed."""
    match op:
        case ptx.AddOp(a=a, b=b):
            return a, b
        case ptx.MadOp(c=c) | ptx.MadWideOp(c=c):
            return (c,)
        case ptx.CvtaOp(a=a) | ptx.CvtaToOp(a=a) | ptx.MovOp(a=a):
            return (a,)
        case LoadParameterOp(parameter=parameter):
            return (parameter,)
        case _:
            return ()


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
