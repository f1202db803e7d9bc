"""
The token game: whether the roles of a kernel produce and consume equally often, and finish
(T5-WS-011, T5-WS-012).

Rings are bounded queues, and the control of each role is the same for all of its threads, so the
result does not depend on the schedule: one run decides. The game is played for a few sizes; what
depends on data is not decided.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import islice, product
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, Operation, SSAValue

from ..isa.model.rule import Violation, plural
from ..isa.warp_specialization import BALANCE_RULE, DEADLOCK_RULE
from ..ptx.contract import AssumeOp
from ..ptx.kernel import KernelOp
from ..ptx.structure import SpecialRegisterOp
from ..reporting.locations import text_place
from .base import enclosing
from .evaluation import Environment, deciding, kept, unit_of
from .holdings import HoldingOp
from .kernel import Kernel
from .regions import HoldOp
from .rings import RingOp
from .roles import RoleOp
from .sources import holding_of
from .tma import TmaLoadOp
from .tokens import AcquireOp, EndOp

_MOST_STEPS = 20_000
_MOST_GAMES = 60


class Step(NamedTuple):
    """
    The begin or the end of the time for which a role holds a stage; `number` counts the stages that
    the role has taken from this ring.
    """

    op: HoldingOp
    ring: RingOp
    begins: bool
    number: int


class Undecided(Exception):
    """What a role does depends on data, or takes too long."""


class Excluded(Exception):
    """An assumption of the kernel does not hold."""


def game_findings(function: KernelOp, kernel: Kernel) -> Iterator[tuple[Operation, Violation]]:
    """The violations that a game finds: those of the first size with any."""
    needed = _deciding(function, kernel)
    for sizes in sizes_of(function, kernel, needed):
        run = partial(run_of, function, kernel, sizes, needed)
        try:
            steps = {role: run(role).steps for role in kernel.roles}
        except Undecided:
            return
        except Excluded:
            continue
        found = [*_imbalances(kernel, steps, sizes_text(sizes))] or [
            *_deadlock(kernel, steps, sizes)
        ]
        if found:
            yield from found
            return


Sizes = Mapping[SSAValue, int]


def sizes_text(sizes: Sizes) -> str:
    """The sizes as the begin of a sentence."""
    named = [f"%{value.name_hint} = {number}" for value, number in sizes.items() if value.name_hint]
    return f"for {' and '.join(named)}, " if named else ""


def _deciding(function: KernelOp, kernel: Kernel) -> Set[SSAValue]:
    """The values on which it depends how often and in which order the regions run."""
    acts = [op for use in kernel.rings.values() for _, op in (*use.holdings, *use.token_ops)]
    return {*deciding(acts, assumptions(function)), *kernel.op.sizes}


def assumptions(function: KernelOp) -> list[AssumeOp]:
    """The assumptions of a kernel."""
    return [op for block in function.body.blocks for op in block.ops if isinstance(op, AssumeOp)]


_POSITIONS = (0, 1, 3)


def sizes_of(
    function: KernelOp,
    kernel: Kernel,
    needed: Set[SSAValue],
    positions: Sequence[int] = _POSITIONS,
) -> Iterator[Sizes]:
    """Values of the parameters, tiles and positions on which the regions depend."""
    depths = {ring.stages for ring in kernel.rings}
    counts = sorted({1, 2, 3, *(n for s in depths for n in (s, s + 1, 2 * s + 1))})
    contracts = function.contracts()
    lengths: list[tuple[SSAValue, Sequence[int]]] = []
    for parameter, contract in zip(function.body.blocks[0].args, contracts, strict=True):
        if parameter in needed and isinstance(parameter.type, IntegerType):
            unit = unit_of(parameter, needed)
            lengths.append((parameter, [kept(count * unit, contract) for count in counts]))
    choices = [(index, positions) for index in kernel.op.indices if index in needed]
    tiles: list[tuple[SSAValue, Sequence[int]]] = []
    if kernel.op.takes_tiles:
        first, *_ = kernel.op.sizes
        if all(value is not first for value, _ in lengths):
            tiles.append((first, [kernel.op.tile[0] * count for count in (1, 2, 3)]))
    # All lengths grow together; tiles and positions vary beside them.
    growing = [{value: ns[at] for value, ns in lengths} for at in range(len(counts))]
    others = [[{value: n} for n in ns] for value, ns in (*tiles, *choices)]
    for parts in islice(product(growing if lengths else growing[:1], *others), _MOST_GAMES):
        yield {value: number for part in parts for value, number in part.items()}


def run_of(
    function: KernelOp,
    kernel: Kernel,
    sizes: Sizes,
    needed: Set[SSAValue],
    role: RoleOp,
    registers: Mapping[str, int] | None = None,
    events: Iterable[Operation] = (),
) -> "ControlRun":
    """
    The run of a role for all of its tiles. `registers` are the special registers of the place of
    the CTA; those of the position are else 0. `events` are operations whose order is recorded.
    """
    run = ControlRun(needed, registers or {}, events)
    for value, number in sizes.items():
        run.values.set(value, number)
    run.block(function.body.blocks[0])
    op = kernel.op
    tiles = 1
    if op.takes_tiles:
        numbers = [run.values.number(size) for size in op.sizes]
        tiles = 1
        for number, extent in zip(numbers, op.tile, strict=True):
            tiles *= 1 if number is None else -(-number // extent)
    for tile in range(tiles):
        if op.takes_tiles and op.indices:
            run.values.set(op.indices[0], sizes.get(op.indices[0], tile))
        run.block(op.body.block)
        run.block(role.body.block)
    return run


class ControlRun:
    """
    The execution of the control flow of a role: its regions, the indices of its multicast loads,
    and the `events` that it has passed, in order; and the ways that conditionals went.
    """

    def __init__(
        self,
        needed: Set[SSAValue],
        registers: Mapping[str, int],
        events: Iterable[Operation] = (),
    ) -> None:
        self._needed, self._registers = needed, registers
        self._events = frozenset(events)
        self._around = {each for event in self._events for each in enclosing(event)}
        self.passed: list[Operation] = []
        self.ways: set[tuple[Operation, bool]] = set()
        self.values = Environment()
        self.steps: list[Step] = []
        self.loads: list[tuple[TmaLoadOp, list[int | None]]] = []
        self._count = 0
        self._taken: dict[SSAValue, int] = {}

    def block(self, block: Block) -> None:
        """Execute the operations of a block, but not those of other roles."""
        for op in block.ops:
            self._count += 1
            if self._count > _MOST_STEPS:
                raise Undecided
            if op in self._events:
                self.passed.append(op)
            match op:
                case HoldOp():
                    self._hold(op)
                case AcquireOp():
                    self.values.set(op.token, self._take(op))
                case EndOp():
                    self._end(op)
                case scf.ForOp():
                    self._loop(op)
                case scf.IfOp():
                    self._conditional(op)
                case AssumeOp():
                    if self.values.number(op.condition) == 0:
                        raise Excluded
                case SpecialRegisterOp():
                    name = op.register.data
                    default = 0 if name.startswith(("ctaid", "cluster_ctaid")) else None
                    self.values.set(op.d, self._registers.get(name, default))
                case TmaLoadOp() if op.multicast is not None:
                    self.loads.append((op, [self._index(each) for each in op.mixed_indices]))
                case _:
                    if len(op.results) == 1 and op.results[0] in self._needed:
                        self.values.evaluate(op)

    def _index(self, index: SSAValue | int) -> int | None:
        return index if isinstance(index, int) else self.values.number(index)

    def _hold(self, op: HoldOp) -> None:
        number = self._take(op)
        self.block(op.body.block)
        for result, value in zip(op.results, op.end.operands, strict=True):
            self.values.copy_from(result, value)
        self.steps.append(Step(op, op.ring_op, begins=False, number=number))

    def _take(self, op: HoldingOp) -> int:
        number = self._taken.get(op.ring, 0)
        self._taken[op.ring] = number + 1
        self.steps.append(Step(op, op.ring_op, begins=True, number=number))
        return number

    def _end(self, op: EndOp) -> None:
        holding, number = holding_of(op.token), self.values.number(op.token)
        if holding is None or number is None:
            raise Undecided
        self.steps.append(Step(holding, holding.ring_op, begins=False, number=number))

    def _loop(self, op: scf.ForOp) -> None:
        first, end, step = (self.values.signed(each) for each in (op.lb, op.ub, op.step))
        if first is None or end is None or step is None or step <= 0:
            if self._decides(op):
                raise Undecided
            for result in op.results:
                self.values.set(result, None)
            return
        counter, *carried = op.body.block.args
        numbers = [self.values.number(each) for each in op.iter_args]
        if not self._decides(op) and not carried:
            return
        for at in range(first, end, step):
            self.values.set(counter, at)
            self._assign(carried, numbers)
            self.block(op.body.block)
            numbers = self._yielded(op.body.block)
        self._assign(op.results, numbers)

    def _conditional(self, op: scf.IfOp) -> None:
        condition = self.values.number(op.cond)
        if condition is None:
            if self._decides(op):
                raise Undecided
            self._assign(op.results, [None] * len(op.results))
            return
        self.ways.add((op, bool(condition)))
        region = op.true_region if condition else op.false_region
        if region.blocks:
            self.block(region.block)
            self._assign(op.results, self._yielded(region.block))

    def _decides(self, op: Operation) -> bool:
        """Whether it matters how often the operations inside run."""
        return op in self._around or _holds(op)

    def _assign(self, values: Sequence[SSAValue], numbers: Sequence[int | None]) -> None:
        for value, number in zip(values, numbers, strict=True):
            self.values.set(value, number)

    def _yielded(self, block: Block) -> list[int | None]:
        end = block.last_op
        return [] if end is None else [self.values.number(each) for each in end.operands]


def _holds(op: Operation) -> bool:
    return any(isinstance(each, HoldingOp | EndOp) for each in op.walk())


Steps = Mapping[RoleOp, Sequence[Step]]


def _imbalances(kernel: Kernel, steps: Steps, text: str) -> Iterator[tuple[Operation, Violation]]:
    for ring, use in kernel.rings.items():
        if use.is_stored and len(use.producers) == 1:
            continue
        counts = {
            role: sum(step.begins and step.ring is ring for step in steps[role])
            for role in (*use.producers, *use.consumers)
        }
        producer, *others = use.producers
        made = counts[producer]
        for role in (*others, *use.consumers):
            if counts[role] != made:
                region = next(each for owner, each in use.holdings if owner is role)
                verb = f"{region.SIDE}s"
                times = [f"{n} {plural('stage', n)}" for n in (made, counts[role])]
                sentence = (
                    f"{text}@{producer.sym_name.data} produces {times[0]} of %{use.name}, but "
                    f"@{role.sym_name.data} {verb} {times[1]}"
                )
                yield region, BALANCE_RULE.violation(None, None, sentence=sentence)
                return


def _deadlock(kernel: Kernel, steps: Steps, sizes: Sizes) -> list[tuple[Operation, Violation]]:
    at = dict.fromkeys(steps, 0)
    ended: dict[tuple[RoleOp, RingOp], set[int]] = {}
    opposite: dict[tuple[RingOp, str], Sequence[RoleOp]] = {}
    for ring, use in kernel.rings.items():
        opposite[ring, "produce"], opposite[ring, "consume"] = [*use.consumers], [*use.producers]
    is_moving = True
    while is_moving:
        is_moving = False
        for role, own in steps.items():
            while at[role] < len(own):
                step = own[at[role]]
                if not step.begins:
                    ended.setdefault((role, step.ring), set()).add(step.number)
                elif not _may_begin(step, opposite[step.ring, step.op.SIDE] or [role], ended):
                    break
                at[role] += 1
                is_moving = True
    waiting = {role: own[at[role]].op for role, own in steps.items() if at[role] < len(own)}
    if not waiting:
        return []
    clauses = [_clause(role, op) for role, op in waiting.items()]
    sentence = f"{sizes_text(sizes)}the roles never finish: {'; '.join(clauses)}"
    first = next(iter(waiting.values()))
    return [(first, DEADLOCK_RULE.violation(None, None, sentence=sentence))]


def _may_begin(
    step: Step, others: Sequence[RoleOp], ended: Mapping[tuple[RoleOp, RingOp], Set[int]]
) -> bool:
    """
    Whether a role need not wait for the stage that it takes. It waits for the roles on the other
    side or, if TMA stores the stages, for itself.
    """
    # A stage is free when the roles have ended the time for which they held it last.
    awaited = step.number - step.ring.stages if step.op.SIDE == "produce" else step.number
    return awaited < 0 or all(awaited in ended.get((role, step.ring), ()) for role in others)


def _clause(role: RoleOp, op: HoldingOp) -> str:
    place = text_place(op.location)
    line = "" if place is None else f" (line {place.line.data})"
    verb = "a free stage" if op.SIDE == "produce" else "the next stage"
    name = op.ring.name_hint or "a ring"
    return f"@{role.sym_name.data} waits for {verb} of %{name}{line}"
