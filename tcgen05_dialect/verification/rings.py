"""
Rings whose number of stages the text of a loop does not tell: a parameter gives it, or the index of
the stage went through memory. A run shows how many barrier objects the loop goes through.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from xdsl.ir import BlockArgument, Operation

from ..ptx.analysis.control_flow import reverse_postorder
from ..ptx.analysis.control_slice import computed_from, operations, read_operands
from ..ptx.analysis.values import backwards, passed_values
from ..ptx.instructions import LdOp, RemOp, SetpOp
from ..ptx.kernel import KernelOp
from ..simulator.machine.machine import Group, Step, Wait
from ..simulator.machine.program import Handler, Program
from .control import ASKING, barriers_of
from .loops import Loop, sources_of


def is_poll(loop: Loop) -> bool:
    """Whether a loop only asks for the end of a phase again."""
    return any(isinstance(each.owner, ASKING) for each in sources_of(loop))


def direct_operations(loop: Loop, loops: Iterable[Loop]) -> list[Operation]:
    """The operations of a loop, except those of other loops in it that are no polls."""
    inner = {
        block
        for each in loops
        if each.body < loop.body and not is_poll(each)
        for block in each.body
    }
    return [*operations(each for each in loop.body if each not in inner)]


def ring_operations(loops: Iterable[Loop]) -> dict[Loop, list[Operation]]:
    """The loops whose barrier objects change, with the operations on these."""
    loops = [each for each in loops if not is_poll(each)]
    found: dict[Loop, list[Operation]] = {}
    for loop in loops:
        direct = direct_operations(loop, loops)
        loaded = [result for op in direct if isinstance(op, LdOp) for result in op.results]
        changing = computed_from([*loop.carried, *loaded])
        if ops := [op for op in direct if any(each in changing for each in barriers_of(op))]:
            found[loop] = ops
    return found


def stage_numbers(
    kernel: KernelOp, numbers: Iterable[BlockArgument], loops: Iterable[Loop]
) -> list[BlockArgument]:
    """The numbers that wrap an index of barrier objects: they are numbers of stages."""
    blocks = reverse_postorder(kernel.body)
    roots = (value for op in operations(blocks) for value in barriers_of(op))
    reaching = backwards(roots, passed_values(blocks), read_operands)
    wraps = {
        operand
        for value in reaching
        if isinstance(op := value.owner, RemOp | SetpOp)
        for operand in op.operands
    }
    counting = {each for loop in loops for each in sources_of(loop)}
    return [p for p in numbers if p in wraps and p in reaching and p not in counting]


@dataclass(eq=False)
class Touched:
    """Record of the barrier objects that operations of loops use, in the order of each warp."""

    _ops: frozenset[Operation]
    _found: dict[Operation, dict[str, list[int]]] = field(
        default_factory=dict[Operation, dict[str, list[int]]]
    )

    def recording(
        self, handlers: Mapping[type[Operation], Handler]
    ) -> dict[type[Operation], Handler]:
        """The handlers, which record the barrier objects that operations use."""
        types = {type(op) for op in self._ops}
        return {
            op_type: self._recorded(handler) if op_type in types else handler
            for op_type, handler in handlers.items()
        }

    def _recorded(self, handler: Handler) -> Handler:
        def recorded(op: Operation, program: Program) -> Step:
            step = handler(op, program)
            if op not in self._ops:
                return step
            addresses = [program.index(each) for each in barriers_of(op)]

            def run(group: Group) -> Wait | None:
                warps = self._found.setdefault(op, {})
                used = warps.setdefault(group.warp.name, [])
                for each in addresses:
                    address = int(group.read(each)[group.lanes[0]])
                    # A thread may ask again.
                    if used[-1:] != [address]:
                        used.append(address)
                return step(group)

            return run

        return recorded

    def begin(self) -> None:
        """Begin the record of another run."""
        self._found.clear()

    def barriers(self, ops: Iterable[Operation]) -> set[int]:
        """The barrier objects that operations use."""
        return {each for op in ops for used in self._found.get(op, {}).values() for each in used}

    def stages(self, ops: Iterable[Operation]) -> int | None:
        """The number of barrier objects that operations of a loop go through; None if no operation
        has come back to one."""
        found = [
            len({*used})
            for op in ops
            for used in self._found.get(op, {}).values()
            if len(used) > len({*used})
        ]
        return max(found, default=None)
