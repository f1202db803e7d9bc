"""Record of the iterations of loops in a run: the values that each iteration begins with."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.ir import Operation

from ..ptx.control_flow import CondBraOp
from ..simulator.instructions import HANDLERS
from ..simulator.machine.machine import Group, Step, Wait
from ..simulator.machine.program import Handler, Program
from ..simulator.numbers.floats import Lanes
from .loops import Loop


class Visit(NamedTuple):
    """The values of the arguments of a loop's header in an iteration, and the number of copies that
    are pending."""

    values: tuple[Lanes, ...]
    pending: int


@dataclass(eq=False)
class Visits:
    """The iterations of a loop; of each group of lanes, the values of the first lane."""

    _entries: dict[tuple[str, int], list[list[Visit]]] = field(
        default_factory=dict[tuple[str, int], list[list[Visit]]]
    )
    """Warp and lane -> each execution of the loop, as a list of iterations."""

    def begin(self) -> None:
        """Begin the record of another run."""
        for entries in self._entries.values():
            entries.append([])

    def record(self, warp: str, lane: int, visit: Visit, continues: bool) -> None:
        """Record an iteration of a warp, or the end of the loop."""
        entries = self._entries.setdefault((warp, lane), [[]])
        entries[-1].append(visit)
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
            [[int(each[lane]) for each in visit.values] for visit in execution]
            for (_, lane), all_ in self._entries.items()
            for execution in all_
            if len(execution) > 1
        ]
        columns = [[*zip(*execution, strict=True)] for execution in executions]
        yield from zip(*columns, strict=True)

    def is_steady(self, period: int) -> bool:
        """Whether no more copies are pending at the end of long executions than one period before,
        and no fewer."""
        executions = [each for all_ in self._entries.values() for each in all_]
        longest = max(map(len, executions), default=0)
        return all(
            each[-1].pending == each[-1 - period].pending
            for each in executions
            if len(each) == longest > period
        )


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
            warp = group.warp
            copies = warp.bulk_groups.pending(group.lanes) + warp.thread_copies.pending(group.mask)
            record(warp.name, lane, Visit(values, copies), continues)
            return step(group)

        return recorded

    return {CondBraOp: branch}
