"""Record of the iterations of loops in a run: the values that each iteration begins with."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Operation

from ..ptx.control_flow import CondBraOp
from ..simulator.instructions import HANDLERS
from ..simulator.machine.machine import Group, Step, Wait
from ..simulator.machine.program import Handler, Program
from ..simulator.numbers.lanes import Lanes
from .loops import Loop


@dataclass(eq=False)
class Visits:
    """The values of the arguments of a loop's header in each iteration; of each group of lanes, the
    values of the first lane."""

    _entries: dict[tuple[str, int], list[list[tuple[Lanes, ...]]]] = field(
        default_factory=dict[tuple[str, int], list[list[tuple[Lanes, ...]]]]
    )
    """Warp and lane -> each execution of the loop, as a list of iterations."""

    def begin(self) -> None:
        """Begin the record of another run."""
        for entries in self._entries.values():
            entries.append([])

    def record(self, warp: str, lane: int, values: tuple[Lanes, ...], continues: bool) -> None:
        """Record an iteration of a warp, or the end of the loop."""
        entries = self._entries.setdefault((warp, lane), [[]])
        entries[-1].append(values)
        if not continues:
            entries.append([])

    @property
    def most(self) -> int:
        """The largest number of iterations that were followed by another one."""
        executions = (each for all_ in self._entries.values() for each in all_)
        return max((len(each) - 1 for each in executions), default=0)

    def columns(self) -> Iterator[Sequence[Sequence[int]]]:
        """For each argument: its values in the iterations of each execution of the loop."""
        executions = [
            [[int(each[lane]) for each in values] for values in execution]
            for (_, lane), all_ in self._entries.items()
            for execution in all_
            if len(execution) > 1
        ]
        columns = [[*zip(*execution, strict=True)] for execution in executions]
        yield from zip(*columns, strict=True)


def visiting(visits: Mapping[Loop, Visits]) -> dict[type[Operation], Handler]:
    """The handler of branches that records the iterations of loops."""
    loops = {loop.branch: loop for loop in visits}

    def branch(op: CondBraOp, program: Program) -> Step:
        step = HANDLERS[CondBraOp](op, program)
        loop = loops.get(op)
        if loop is None:
            return step
        arguments = [program.index(each) for each in loop.carried]
        condition, record = program.index(loop.condition), visits[loop].record

        def recorded(group: Group) -> Wait | None:
            lane = group.lanes[0]
            values = tuple(group.read(each) for each in arguments)
            continues = bool(group.read(condition)[lane]) == loop.continues_if
            record(group.warp.name, lane, values, continues)
            return step(group)

        return recorded

    return {CondBraOp: branch}
