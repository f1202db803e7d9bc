"""
Loops of a kernel: conditions, carried values, the iterations of a run, and scenarios, the sizes of
one run.
"""

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import gcd
from typing import NamedTuple

from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import Pure

from ...ptx.analysis.control_flow import ControlFlowGraph, closure
from ...ptx.analysis.known_values import constant_bits
from ...ptx.analysis.values import computed_from, passed_values
from ...ptx.control_flow import Branch, CondBraOp
from ...ptx.instructions import AddOp, AndOp, MadOp, MulOp, RemOp, SetpOp, ShflSyncOp, SubOp
from ...ptx.kernel import KernelOp
from ...ptx.register_types import register_bits
from ...simulator.machine.machine import Group, Step
from ...simulator.machine.program import Program, Watch
from ...simulator.machine.state import LaunchSizes
from ...simulator.numbers.floats import Lanes, narrowed

MOST_STAGES = 32
"""Largest number of stages of a ring that is recognised."""


@dataclass(eq=False)
class Loop:
    """
    A loop that ends when `condition` is, or is not, true. `carried` are the arguments of its
    header, each with its first value and the value that the next iteration gets.
    """

    condition: SSAValue
    continues_if: bool
    carried: Mapping[SSAValue, tuple[SSAValue, SSAValue]]
    stages: int
    """The largest number by which the body wraps an index that changes in the loop, or 1; a run may
    show another one."""
    branch: Operation
    body: frozenset[Block]
    passed: Mapping[SSAValue, SSAValue]
    """Argument of a block -> the value that all branches to the block pass."""

    @property
    def may_hide_stages(self) -> bool:
        """Whether the loop may go through a ring of more stages: a remainder by 2 may be a
        parity."""
        return self.stages <= 2

    def deciding(self) -> list[SSAValue]:
        """The arguments of the header on which the condition, or the next value of one of them,
        depends."""

        def step(value: SSAValue) -> Iterable[SSAValue]:
            following = self.carried.get(value)
            return self.sources(value) if following is None else following[1:]

        found = closure([self.condition], step)
        return [each for each in self.carried if each in found]

    def sources(self, value: SSAValue) -> Sequence[SSAValue]:
        """The values from which a value is computed that the loop does not carry."""
        return (self.passed[value],) if value in self.passed else _sources(value)

    def is_nested(self, other: "Loop") -> bool:
        """Whether one of two loops contains the other."""
        return self.body < other.body or other.body < self.body


def loops_of(kernel: KernelOp) -> list[Loop]:
    """The loops of a kernel whose header has a single predecessor outside the loop."""
    graph = ControlFlowGraph(kernel.body)
    blocks, before = graph.blocks, graph.predecessors
    passed = {
        argument: values[0]
        for argument, values in passed_values(blocks).items()
        if len({*values}) == 1
    }
    found: list[Loop] = []
    for number, header in enumerate(blocks):
        entries, latches = graph.ways_into(number)
        if len(latches) != 1 or len(entries) != 1:
            continue
        inside = closure([number, *latches], lambda at, of=number: () if at == of else before[at])
        body = [blocks[at] for at in sorted(inside)]
        first, following = (_passed(blocks[at], header) for at in (*entries, *latches))
        carried: dict[SSAValue, tuple[SSAValue, SSAValue]] = {
            argument: (a, b) for argument, a, b in zip(header.args, first, following, strict=True)
        }
        for block in body:
            branch = block.last_op
            if isinstance(branch, CondBraOp):
                inside = [target in body for target, _ in branch.targets()]
                if inside[0] != inside[1]:
                    stages = _stages(body, carried)
                    condition, within = branch.predicate, frozenset(body)
                    found.append(
                        Loop(condition, inside[0], carried, stages, branch, within, passed)
                    )
    return found


def _passed(block: Block, target: Block) -> Sequence[SSAValue]:
    branch = block.last_op
    assert isinstance(branch, Branch)
    return next(values for each, values in branch.targets() if each is target)


def _stages(body: Collection[Block], carried: Mapping[SSAValue, tuple[SSAValue, SSAValue]]) -> int:
    steps = {argument: _step(argument, following) for argument, (_, following) in carried.items()}
    changing = computed_from(carried)
    wraps = (n for block in body for op in block.ops for n in _wraps(op, body, changing, steps))
    return max(wraps, default=1)


def _step(argument: SSAValue, following: SSAValue) -> int:
    """The constant by which each iteration changes a carried value; 1 if there is none."""
    op = following.owner
    if isinstance(op, AddOp) and argument in op.operands:
        addend = constant_bits(op.b if op.a is argument else op.a) or 1
        # A counter may fall: -1 is the largest number of a register.
        return min(addend, (1 << (register_bits(op.d.type) or 0)) - addend)
    return 1


def _wraps(
    op: Operation,
    body: Container[Block],
    changing: Container[SSAValue],
    steps: Mapping[SSAValue, int],
) -> Iterator[int]:
    """Numbers by which an operation of a loop may wrap an index; the index is a value in
    `changing`, and carried values change by `steps`."""
    numbers = [bits for each in op.operands if (bits := constant_bits(each)) is not None]
    # An address advances by the bytes of a stage.
    step = next((steps[each] for each in op.operands if each in steps), 1)
    if isinstance(op, AndOp):
        numbers = [mask + 1 for mask in numbers]
    elif isinstance(op, SubOp) and isinstance(product := op.b.owner, MulOp):
        # A remainder by a constant: index - n * (index / n).
        factors = constant_bits(product.a), constant_bits(product.b)
        numbers = [factor // gcd(factor, step) for factor in factors if factor]
    elif isinstance(op, MadOp):
        modulus = 1 << (register_bits(op.d.type) or 0)
        factors = [-number % modulus for number in numbers]
        numbers = [factor // gcd(factor, step) for factor in factors if factor]
    elif not isinstance(op, RemOp | SetpOp):
        return
    numbers = [number for number in numbers if 1 < number <= MOST_STAGES]
    changed = [operand for operand in op.operands if operand in changing] if numbers else ()
    if changed and not any(_is_relative(each, body) for each in changed):
        yield from numbers


def _is_relative(value: SSAValue, body: Container[Block]) -> bool:
    """Whether a value in a loop also depends on a value from before the loop that is not constant.
    Such a value, for example the number of remaining rows, is not an index that wraps."""

    def is_inside(value: SSAValue) -> bool:
        owner = value.owner
        block = owner if isinstance(owner, Block) else owner.parent_block()
        return block is not None and block in body

    found = closure([value], lambda each: _sources(each) if is_inside(each) else ())
    return any(constant_bits(each) is None and not is_inside(each) for each in found)


def parameters_of(loop: Loop, parameters: Iterable[BlockArgument]) -> list[BlockArgument]:
    """The parameters on which the number of iterations may depend."""
    found = sources_of(loop)
    return [each for each in parameters if each in found]


def sources_of(loop: Loop) -> set[SSAValue]:
    """The values on which the number of iterations may depend."""
    return closure([loop.condition], lambda each: loop.carried.get(each) or loop.sources(each))


def _sources(value: SSAValue) -> Sequence[SSAValue]:
    """The values from which a value is computed, in this or another thread of the warp."""
    op = value.owner
    if isinstance(op, ShflSyncOp) and value is op.d:
        return (op.a,)
    return op.operands if isinstance(op, Operation) and op.has_trait(Pure) else ()


class Visit(NamedTuple):
    """The values of the arguments of a loop's header in an iteration, and the number of copies that
    are pending."""

    values: tuple[Lanes, ...]
    pending: int

    def narrowed(self, kept: Sequence[int]) -> "Visit":
        """The visit in the scenarios `kept` of those that run as one; see `ahead`."""
        return self._replace(values=tuple(narrowed(each, kept) for each in self.values))


@dataclass(eq=False)
class Visits:
    """The iterations of a loop; of each group of lanes, the values of the first lane."""

    _entries: dict[tuple[str, int], list[list[Visit]]] = field(
        default_factory=dict[tuple[str, int], list[list[Visit]]]
    )
    """Warp and lane -> each execution of the loop, as a list of iterations."""

    @property
    def entries(self) -> "Mapping[tuple[str, int], list[list[Visit]]]":
        """The executions of the loop of each warp and lane."""
        return self._entries

    def add(self, entries: "Mapping[tuple[str, int], list[list[Visit]]]") -> None:
        """Add the record of another process."""
        for key, executions in entries.items():
            self._entries.setdefault(key, []).extend(executions)

    def clear(self) -> None:
        """Forget all runs."""
        self._entries.clear()

    def narrow(self, kept: Sequence[int]) -> None:
        """Keep the visits in the scenarios `kept` of those that run as one; see `ahead`."""
        for executions in self._entries.values():
            for each in executions:
                each[:] = [visit.narrowed(kept) for visit in each]

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


def visiting(visits: Mapping[Loop, Visits]) -> Watch:
    """The watch that records an iteration of a loop before the branch of the loop."""
    loops = {loop.branch: loop for loop in visits}

    def before(op: Operation, program: Program) -> Step | None:
        loop = loops.get(op)
        if loop is None:
            return None
        arguments = [program.index(each) for each in loop.carried]
        condition, record = program.index(loop.condition), visits[loop].record

        def visit(group: Group) -> None:
            lane = group.lanes[0]
            values = tuple(group.read(each) for each in arguments)
            continues = bool(group.read(condition)[lane]) == loop.continues_if
            warp = group.warp
            copies = warp.bulk_groups.pending(group.lanes) + warp.thread_copies.pending(group.mask)
            record(warp.name, lane, Visit(values, copies), continues)

        return visit

    return before


MOST_ITERATIONS = 2 * MOST_STAGES + 2
"""Largest number of iterations that is counted; it stands for any larger number."""


class SizedLoop(NamedTuple):
    """A loop, the numbers on which its number of iterations depends, and its smallest and largest
    number of iterations for any of the values that may be chosen."""

    loop: Loop
    numbers: tuple[BlockArgument, ...]
    least: int
    most: int


@dataclass(frozen=True)
class Scenario:
    """
    Values of the numbers among the parameters, by index, the sizes of the launch, and the
    iterations of each loop that depends on them, at most MOST_ITERATIONS.

    `waiting` is the number of clusters that are not launched before others end, so that these may
    take over their work.
    """

    values: Mapping[int, int]
    sizes: LaunchSizes
    iterations: tuple[int, ...] = ()
    loops: "tuple[SizedLoop, ...]" = ()
    waiting: int = 0

    def covers(self, other: "Scenario") -> bool:
        """Whether each loop runs at least as often as in another scenario."""
        return self.waiting >= other.waiting and all(
            a >= b for a, b in zip(self.iterations, other.iterations, strict=True)
        )

    def is_below(self, other: "Scenario") -> bool:
        """Whether loops run less often than in another scenario, and none more often, but each that
        runs there runs here, too."""
        return self.iterations != other.iterations and all(
            min(b, 1) <= a <= b for a, b in zip(self.iterations, other.iterations, strict=True)
        )

    def with_waiting(self, waiting: int) -> "Scenario":
        """The same with a number of clusters that wait."""
        x, y, z = self.sizes.grid
        launched = x // (1 + self.waiting)
        sizes = replace(self.sizes, grid=(launched * (1 + waiting), y, z))
        return replace(self, sizes=sizes, waiting=waiting)
