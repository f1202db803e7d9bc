"""
Presence: the threads of a warp that can execute an instruction together, and the accesses that they
may make before griddepcontrol.wait (9.7.13.13).

A branch divides the threads by its condition. Up to the block where its paths join, the threads on
one path execute instructions without the others.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from ..isa.effects.model import Area, StateSpace
from ..isa.instructions.barriers import EARLY_ACCESS, GRID_WAIT
from ..isa.tensor_memory.alloc import WARP_LANES
from ..ptx import instructions as ptx
from ..ptx.analysis.control_flow import END, ControlFlowGraph
from ..ptx.analysis.values import backwards, loads_parameter, passed_values
from ..ptx.effects import effects_of
from ..ptx.kernel import KernelOp
from ..ptx.structure import GuardOp
from ..ptx.text.syntax import offset_of, values_of, word_of
from ..ptx.variables import LoadParameterOp
from ..reporting.diagnostics import OperationError, located
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
        self._exits = [list(self._exits_of(block)) for block in range(len(self._graph.blocks))]
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

    def _exits_of(self, block: int) -> Iterator[Gate]:
        for op in self._uniformity.operations[block]:
            if type(op) is GuardOp and ends_threads(op):
                yield exit_gate(op, self._uniformity)

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
    waits = [place for place, op in found if _is_wait(op)]
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


def _is_wait(op: Operation) -> bool:
    return isinstance(op, ptx.GriddepcontrolOp) and op.action.data == GRID_WAIT


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
        for value in backwards(addresses, self._passed, _moved):
            load = value.owner
            if load is self._entry:
                found.add(value)
            elif isinstance(load, ptx.LdOp) and loads_parameter(load):
                found.add((load.address, offset_of(load, "address")))
        return found


def _moved(op: Operation) -> Sequence[SSAValue]:
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
