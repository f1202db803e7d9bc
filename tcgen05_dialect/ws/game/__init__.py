"""The control flow of the roles of a `ws` kernel, executed without data: how often and in which
order a role takes and ends stages, and the integers that decide it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from math import lcm
from typing import NamedTuple

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Block, Operation, SSAValue

from ...ptx.analysis.control_flow import closure
from ...ptx.analysis.known_values import INDEX_BITS, arith_bits, constant_value
from ...ptx.contract import AssumeOp
from ...ptx.instructions import SpecialRegisterOp
from ...ptx.kernel import KernelOp
from ..base import TokenType, enclosing
from ..kernel import Kernel
from ..regions import AcquireOp, EndOp, HoldOp, holding_of, sources_of
from ..rings import HoldingOp, RingOp
from ..roles import RoleOp, WarpSpecializeOp
from ..tma import TmaLoadOp


def _bits(value: SSAValue) -> int | None:
    match value.type:
        case IntegerType(width=width):
            return width.data
        case IndexType() | TokenType():
            # The number of a token is that of its stage, of all that the role takes.
            return INDEX_BITS
        case _:
            return None


_SHIFTS = (arith.ShRUIOp, arith.ShRSIOp)
_DIVISIONS = (
    *_SHIFTS,
    arith.DivUIOp,
    arith.DivSIOp,
    arith.CeilDivUIOp,
    arith.CeilDivSIOp,
    arith.FloorDivSIOp,
    arith.RemUIOp,
    arith.RemSIOp,
)
_LARGEST_UNIT = 1 << 16


class Environment(dict[SSAValue, int]):
    """The numbers of values, without sign. A value that is not known is absent."""

    def number(self, value: SSAValue) -> int | None:
        """The number of a value; None if it is not known."""
        found = self.get(value)
        if found is None and (constant := constant_value(value)) is not None:
            bits = _bits(value)
            return None if bits is None else constant % (1 << bits)
        return found

    def signed(self, value: SSAValue) -> int | None:
        """The number of a value with its sign."""
        number, bits = self.number(value), _bits(value)
        if number is None or bits is None:
            return None
        return number - (1 << bits) if number >> bits - 1 else number

    def copy_from(self, target: SSAValue, source: SSAValue) -> None:
        """Let a value have the number of another."""
        self.set(target, self.number(source))

    def set(self, target: SSAValue, number: int | None) -> None:
        """Let a value have a number, or none."""
        bits = _bits(target)
        if number is None or bits is None:
            self.pop(target, None)
        else:
            self[target] = number % (1 << bits)

    def evaluate(self, op: Operation) -> None:
        """Compute the results of an operation as far as they are known."""
        if len(op.results) == 1:
            self.set(op.results[0], arith_bits(op, [*map(self.number, op.operands)]))


def deciding(
    acts: Iterable[Operation], assumed: Iterable[AssumeOp], others: Iterable[SSAValue] = ()
) -> set[SSAValue]:
    """The values on which it depends how often and in which order operations take, pass on and end
    stages, and which numbers other values have."""
    pending: list[SSAValue] = [*others, *(op.condition for op in assumed)]
    for act in acts:
        if isinstance(act, EndOp):
            pending.append(act.token)
        around = act.parent_op()
        while around is not None and not isinstance(around, WarpSpecializeOp):
            if isinstance(around, scf.IfOp):
                pending.append(around.cond)
            elif isinstance(around, scf.ForOp):
                pending.extend((around.lb, around.ub, around.step))
            around = around.parent_op()
    return closure(pending, sources_of)


def unit_of(parameter: SSAValue, deciding_values: Set[SSAValue]) -> int:
    """The number whose multiples a parameter takes as representative values: the least common
    multiple of the constants that divide what is computed from it."""
    unit = 1

    def step(value: SSAValue) -> Iterator[SSAValue]:
        nonlocal unit
        for use in value.uses:
            divisor = _divisor(use.operation, use.index)
            if divisor is None:
                yield from (each for each in use.operation.results if each in deciding_values)
            else:
                unit = lcm(unit, divisor)

    closure([parameter], step)
    return unit if unit <= _LARGEST_UNIT else 1


def _divisor(op: Operation, index: int) -> int | None:
    """The constant, 1 if it is unknown, by which an operation divides an operand; None if it does
    not divide it."""
    if isinstance(op, WarpSpecializeOp):
        return op.tile[index]
    if index or not isinstance(op, _DIVISIONS):
        return None
    number = constant_value(op.operands[1])
    if number is not None and isinstance(op, _SHIFTS):
        number = 1 << number if 0 <= number < _LARGEST_UNIT.bit_length() else None
    return number if number is not None and 0 < number <= _LARGEST_UNIT else 1


_MOST_STEPS = 20_000

Sizes = Mapping[SSAValue, int]
"""The numbers of parameters, tiles and positions."""


class Step(NamedTuple):
    """The begin or the end of the time for which a role holds a stage; `number` counts the stages
    that the role has taken from this ring."""

    op: HoldingOp
    ring: RingOp
    begins: bool
    number: int


class Undecided(Exception):
    """What a role does depends on data, or takes too long."""


class Excluded(Exception):
    """An assumption of the kernel does not hold."""


class _Hold(NamedTuple):
    """The parts of a region of a ring, which xDSL looks up slowly."""

    op: HoldOp
    ring: RingOp
    body: Block
    results: Sequence[tuple[SSAValue, SSAValue]]
    """The results that matter, and the values at the end of the region."""


class _Loop(NamedTuple):
    """The parts of a loop, which xDSL looks up slowly."""

    op: scf.ForOp
    bounds: Sequence[SSAValue]
    counter: SSAValue
    body: Block
    carried: Sequence[tuple[SSAValue, SSAValue, SSAValue, SSAValue]]
    """What matters of it: the results, the arguments, the first values, and those passed on."""
    decides: bool
    """Whether it matters how often the loop runs, apart from its results."""


class ControlFlow:
    """
    What decides how often and in which order the roles of a kernel execute some operations: the
    values `needed` for it, and the operations of each block that matter. The `events` are
    operations whose order is recorded.
    """

    def __init__(self, needed: Set[SSAValue], events: Iterable[Operation] = ()) -> None:
        self.needed, self.events = needed, frozenset(events)
        self._around = {each for event in self.events for each in enclosing(event)}
        self._operations: dict[Block, Sequence[Operation | _Hold | _Loop]] = {}

    def operations(self, block: Block) -> Sequence[Operation | _Hold | _Loop]:
        """The operations of a block that matter."""
        found = self._operations.get(block)
        if found is None:
            found = [self._parts(op) for op in block.ops if self._matters(op)]
            self._operations[block] = found
        return found

    def decides(self, op: Operation) -> bool:
        """Whether it matters how often the operations inside of a loop or a conditional run."""
        return op in self._around or _holds(op)

    def _parts(self, op: Operation) -> Operation | _Hold | _Loop:
        match op:
            case HoldOp():
                ends = zip(op.results, op.end.operands, strict=True)
                results = [each for each in ends if each[0] in self.needed]
                return _Hold(op, op.ring_op, op.body.block, results)
            case scf.ForOp():
                body = op.body.block
                counter, *arguments = body.args
                passed = () if body.last_op is None else body.last_op.operands
                carried = zip(op.results, arguments, op.iter_args, passed, strict=True)
                kept = [each for each in carried if not self.needed.isdisjoint(each[:2])]
                bounds = op.lb, op.ub, op.step
                return _Loop(op, bounds, counter, body, kept, self.decides(op))
            case _:
                return op

    def _matters(self, op: Operation) -> bool:
        if op in self.events or not self.needed.isdisjoint(op.results):
            return True
        match op:
            case HoldingOp() | EndOp() | AssumeOp():
                return True
            case TmaLoadOp():
                return op.multicast is not None
            case scf.ForOp() | scf.IfOp():
                blocks = [block for region in op.regions for block in region.blocks]
                return any(self.operations(block) for block in blocks)
            case _:
                return False


def run_of(
    function: KernelOp,
    kernel: Kernel,
    sizes: Sizes,
    flow: ControlFlow,
    role: RoleOp,
    registers: Mapping[str, int] | None = None,
) -> "ControlRun":
    """The run of a role for all of its tiles. `registers` are the special registers of the place of
    the CTA; those of the position are else 0."""
    run = ControlRun(flow, registers or {})
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
    """The execution of the control flow of a role: its regions, the indices of its multicast loads,
    and the events that it has passed, in order; and the ways that conditionals went."""

    def __init__(self, flow: ControlFlow, registers: Mapping[str, int]) -> None:
        self._flow, self._registers = flow, registers
        self.passed: list[Operation] = []
        self.ways: set[tuple[Operation, bool]] = set()
        self.values = Environment()
        self.steps: list[Step] = []
        self.loads: list[tuple[TmaLoadOp, list[int | None]]] = []
        self._count = 0
        self._taken: dict[RingOp, int] = {}

    def block(self, block: Block) -> None:
        """Execute the operations of a block that matter to this role."""
        for op in self._flow.operations(block):
            self._count_step()
            match op:
                case _Hold():
                    self._hold(op)
                case _Loop():
                    self._loop(op)
                case _:
                    self._operation(op)

    def _count_step(self) -> None:
        self._count += 1
        if self._count > _MOST_STEPS:
            raise Undecided

    def _pass(self, op: Operation) -> None:
        if op in self._flow.events:
            self.passed.append(op)

    def _operation(self, op: Operation) -> None:
        self._pass(op)
        match op:
            case AcquireOp():
                self.values.set(op.token, self._take(op, op.ring_op))
            case EndOp():
                self._end(op)
            case scf.IfOp():
                self._conditional(op)
            case AssumeOp():
                if self.values.number(op.condition) == 0:
                    raise Excluded
            case SpecialRegisterOp():
                name = op.register.data
                default = 0 if name.startswith(("ctaid", "cluster_ctaid")) else None
                self.values.set(op.d, self._registers.get(name, default))
            case TmaLoadOp():
                if op.multicast is not None:
                    self.loads.append((op, [self._index(each) for each in op.mixed_indices]))
            case _:
                self.values.evaluate(op)

    def _index(self, index: SSAValue | int) -> int | None:
        return index if isinstance(index, int) else self.values.number(index)

    def _hold(self, hold: _Hold) -> None:
        self._pass(hold.op)
        number = self._take(hold.op, hold.ring)
        self.block(hold.body)
        for result, value in hold.results:
            self.values.copy_from(result, value)
        self.steps.append(Step(hold.op, hold.ring, begins=False, number=number))

    def _take(self, op: HoldingOp, ring: RingOp) -> int:
        number = self._taken.get(ring, 0)
        self._taken[ring] = number + 1
        self.steps.append(Step(op, ring, begins=True, number=number))
        return number

    def _end(self, op: EndOp) -> None:
        holding, number = holding_of(op.token), self.values.number(op.token)
        if holding is None or number is None:
            raise Undecided
        self.steps.append(Step(holding, holding.ring_op, begins=False, number=number))

    def _loop(self, loop: _Loop) -> None:
        self._pass(loop.op)
        first, end, step = (self.values.signed(each) for each in loop.bounds)
        if first is None or end is None or step is None or step <= 0:
            if loop.decides:
                raise Undecided
            for result, *_ in loop.carried:
                self.values.set(result, None)
            return
        if not (loop.decides or loop.carried):
            return
        numbers = [self.values.number(start) for _, _, start, _ in loop.carried]
        for at in range(first, end, step):
            self._count_step()
            self.values.set(loop.counter, at)
            for (_, argument, _, _), number in zip(loop.carried, numbers, strict=True):
                self.values.set(argument, number)
            self.block(loop.body)
            numbers = [self.values.number(passed) for *_, passed in loop.carried]
        for (result, *_), number in zip(loop.carried, numbers, strict=True):
            self.values.set(result, number)

    def _conditional(self, op: scf.IfOp) -> None:
        condition = self.values.number(op.cond)
        if condition is None:
            if self._flow.decides(op):
                raise Undecided
            self._assign(op.results, [None] * len(op.results))
            return
        self.ways.add((op, bool(condition)))
        region = op.true_region if condition else op.false_region
        if region.blocks:
            self.block(region.block)
            self._assign(op.results, self._yielded(region.block))

    def _assign(self, values: Sequence[SSAValue], numbers: Sequence[int | None]) -> None:
        for value, number in zip(values, numbers, strict=True):
            self.values.set(value, number)

    def _yielded(self, block: Block) -> list[int | None]:
        end = block.last_op
        return [] if end is None else [self.values.number(each) for each in end.operands]


def _holds(op: Operation) -> bool:
    return any(isinstance(each, HoldingOp | EndOp) for each in op.walk())
