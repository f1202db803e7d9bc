"""Check that a kernel waits for the grids on which it depends before it accesses their memory
(9.7.13.13)."""

from collections.abc import Iterator, Sequence

from xdsl.ir import BlockArgument, Operation, SSAValue

from ..isa.effects.model import Area, StateSpace
from ..isa.ptx.synchronization import EARLY_ACCESS, GRID_WAIT
from ..ptx.analysis.control_flow_graph import ControlFlowGraph
from ..ptx.analysis.value_flow import passed_values
from ..ptx.arithmetic import AddOp, MadOp, MadWideOp, MovOp
from ..ptx.effects import effects_of
from ..ptx.kernel import KernelOp
from ..ptx.memory import CvtaOp, CvtaToOp, LdOp
from ..ptx.parameters import LoadParameterOp
from ..ptx.structure import GuardOp
from ..ptx.synchronization import GriddepcontrolOp
from ..ptx.syntax import offset_of, values_of, word_of
from ..reporting.operation_error import OperationError, located
from .uniformity import Uniformity

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
        sentence = f"before griddepcontrol.wait it {does}"
        yield located(op, EARLY_ACCESS.violation(None, None, sentence=sentence))


def _is_wait(op: Operation) -> bool:
    return isinstance(op, GriddepcontrolOp) and op.action.data == GRID_WAIT


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
        pending = [
            value
            for area in _of_global(op, areas)
            for name in area.operands
            if name != "coordinates"
            for value in values_of(op, name)
        ]
        found: set[object] = set()
        seen: set[SSAValue] = set()
        while pending:
            value = pending.pop()
            if value not in seen:
                seen.add(value)
                pending += self._sources(value, found)
        return found

    def _sources(self, value: SSAValue, found: set[object]) -> Sequence[SSAValue]:
        """The values from which an address is computed; a base is added to `found`."""
        if isinstance(value, BlockArgument):
            if value.block is self._entry:
                found.add(value)
            return self._passed.get(value, ())
        match value.owner:
            case AddOp(a=a, b=b):
                return a, b
            case MadOp(c=c) | MadWideOp(c=c):
                return (c,)
            case CvtaOp(a=a) | CvtaToOp(a=a) | MovOp(a=a):
                return (a,)
            case LoadParameterOp(parameter=parameter):
                return (parameter,)
            case LdOp() as load if word_of(load, "space") == "param":
                found.add((load.address, offset_of(load, "address")))
                return ()
            case _:
                return ()
