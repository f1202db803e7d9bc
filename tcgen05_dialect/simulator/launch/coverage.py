"""Coverage of a kernel by its runs: operations, branches and waits that no run has reached."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from xdsl.ir import Block, Operation

from ...ptx.control_flow import BrxOp, CondBraOp, traps
from ...ptx.structure import GuardOp
from ...reporting.diagnostics import Source, remark
from ...reporting.findings import Finding
from ...reporting.locations import text_place
from ..machine.coverage import Waits, Ways
from ..machine.program import Program


class Point(NamedTuple):
    """
    Unit of coverage: an operation that is run, a branch that goes one way, or a barrier object
    whose last phase a thread waits for. Equal points of two runs are the same point.
    """

    kind: str
    file: str
    line: int
    column: int
    detail: str


@dataclass(frozen=True)
class Coverage:
    """Points of a kernel, each with a remark, or None if it is covered; in order of the source."""

    points: Mapping[Point, Finding | None] = field(default_factory=dict[Point, "Finding | None"])

    @classmethod
    def of_all(cls, runs: Iterable["Coverage"]) -> "Coverage":
        """The coverage by several runs: a point is covered if one of them covers it."""
        points: dict[Point, Finding | None] = {}
        for run in runs:
            for point, found in run.points.items():
                points[point] = points.get(point, found) and found
        return cls(points)

    def _open(self, kind: str) -> list[Finding]:
        return [found for point, found in self.points.items() if found and point.kind == kind]

    @property
    def unreached(self) -> list[list[Point]]:
        """The operations that are not run; those that follow each other are in one list."""
        points = sorted(point for point in self.points if point.kind == _OPERATION)
        groups = groupby(points, lambda point: self.points[point] is not None)
        return [list(group) for is_open, group in groups if is_open]

    @property
    def findings(self) -> list[Finding]:
        """Remarks about what is not covered; operations that follow each other have one."""
        found = map(self._not_run, self.unreached)
        return [*found, *self._open(_BRANCH), *self._open(_BARRIER)]

    def _not_run(self, points: list[Point]) -> Finding:
        first = self.points[points[0]]
        assert first is not None
        if len(points) == 1:
            return first
        message = f"{len(points)} operations are not run, up to line {points[-1].line}"
        return first._replace(message=message)

    @property
    def summary(self) -> str:
        """Text: the numbers of operations and branches that are not covered; empty if there are
        none."""
        operations, branches = len(self._open(_OPERATION)), len(self._open(_BRANCH))
        parts = [
            f"{operations} operation{'s were' if operations > 1 else ' was'} not run",
            f"{branches} branch{'es' * (branches > 1)} went one way only",
        ]
        counts = operations, branches
        return " and ".join(part for part, count in zip(parts, counts, strict=True) if count)


_OPERATION, _BRANCH, _BARRIER = "operation", "branch", "barrier"


def coverage_of(program: Program, waits: Waits, source: Source | None) -> Coverage:
    """The coverage of a kernel by a run that has ended."""
    points: dict[Point, Finding | None] = {}

    def add(kind: str, op: Operation, message: str, is_covered: bool, detail: str = "") -> None:
        point = _point(kind, op, detail)
        # Operations of one place are parts of one operation of the source.
        if is_covered:
            points[point] = None
        elif point not in points:
            points[point] = remark(op, message, "", source, is_named=False)

    reached = _reached(program)
    for block in program.blocks:
        is_run = block in reached
        if not is_run and traps(block.ops):
            continue
        for op in block.ops:
            inner = op.instructions if isinstance(op, GuardOp) else ()
            if traps(inner):
                inner = ()
            for each in (op, *inner):
                is_held = each is op or program.ways[op].held
                add(_OPERATION, each, "this operation is not run", is_run and is_held)
            if is_run and op in program.ways:
                for what, is_gone, detail in _ways(op, program.ways[op]):
                    add(_BRANCH, op, f"the condition is {what}", is_gone, detail)
    for (op, name), is_awaited in waits.is_awaited.items():
        message = f"nothing waits for the last phase of {name}, which this operation ends"
        add(_BARRIER, op, message, is_awaited, name)
    return Coverage(points)


def _ways(op: Operation, ways: Ways) -> Iterator[tuple[str, bool, str]]:
    """The ways of a branch or guard, except those to a trap: what to say of the condition if no
    thread went this way, whether one did, and a name of the way."""
    held, failed = ("never true", ways.held, "true"), ("always true", ways.failed, "false")
    if isinstance(op, CondBraOp):
        (then, _), (other, _) = op.targets()
        if not traps(then.ops):
            yield held
        if not traps(other.ops):
            yield failed
    elif isinstance(op, GuardOp):
        if not traps(op.body.block.ops):
            yield held
        yield failed


def _reached(program: Program) -> set[Block]:
    """The blocks that were run."""
    found: set[Block] = set()
    pending = [program.kernel.body.blocks[0]]
    while pending:
        block = pending.pop()
        if block in found or block.last_op is None:
            continue
        found.add(block)
        last = block.last_op
        if isinstance(last, CondBraOp):
            (then, _), (other, _) = last.targets()
            ways = program.ways[last]
            pending += [then] * ways.held + [other] * ways.failed
        elif isinstance(last, BrxOp):
            pending += [last.blocks[entry] for entry in program.ways[last].entries]
        else:
            pending += last.successors
    return found


def _point(kind: str, op: Operation, detail: str) -> Point:
    location = text_place(op.location)
    if location is not None:
        return Point(kind, location.filename.data, location.line.data, location.column.data, detail)
    return Point(kind, "", 0, 0, f"{op.name} {detail}")
