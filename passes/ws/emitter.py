"""Insertion of operations at the end of a block: control flow, the lanes that execute a role, and
their convergence."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from xdsl.dialects import arith, scf
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IntegerAttr, IntegerType, LocationAttr, UnknownLoc, i1, i32, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from tcgen05_dialect.isa.tensor_memory.alloc import WARP_LANES
from tcgen05_dialect.ptx.analysis.control_flow import operations_of
from tcgen05_dialect.ptx.analysis.known_values import constant_value
from tcgen05_dialect.ptx.effects import may_be_together
from tcgen05_dialect.ptx.instruction import Instruction, InstructionT
from tcgen05_dialect.ptx.instructions import BarWarpSyncOp, ShflSyncOp
from tcgen05_dialect.ptx.structure import GuardOp, YieldOp, is_branch_over_stores
from tcgen05_dialect.tcgen05.base import Tcgen05Operation
from tcgen05_dialect.ws.base import enclosing
from tcgen05_dialect.ws.kernel import Kernel
from tcgen05_dialect.ws.linear import thread_source
from tcgen05_dialect.ws.rings import THREADS, TMA, HoldingOp
from tcgen05_dialect.ws.roles import ElectedOp, RoleBarrierOp, RoleOp
from tcgen05_dialect.xdsl_support.attributes import wrapped_integer
from tcgen05_dialect.xdsl_support.construction import CreatedOperation, OperationT

Value = SSAValue | int
"""A value, or a number that becomes a constant of type i32."""
_PREDICATES = {
    name: IntegerAttr(number, i64)
    for name, number in (("eq", 0), ("ne", 1), ("slt", 2), ("sle", 3), ("ult", 6))
}


class Constants:
    """Integer constants, each defined once, in a block of their own until `prepend`."""

    def __init__(self) -> None:
        self._block = Block()
        # By number and width: types take long to hash.
        self._values: dict[tuple[int, int], SSAValue] = {}

    def value(self, number: int, type_: IntegerType) -> SSAValue:
        """A constant."""
        key = number, type_.width.data
        found = self._values.get(key)
        if found is None:
            attribute = wrapped_integer(number, type_.width.data)
            op = CreatedOperation.made(arith.ConstantOp, (), [type_], {"value": attribute})
            self._block.add_op(op)
            (found,) = op.results
            self._values[key] = found
        return found

    def prepend(self, block: Block) -> None:
        """Move the constants to the beginning of a block."""
        prepend(self._block, block)


def prepend(head: Block, block: Block) -> None:
    """Move all operations of a block to the beginning of another."""
    if (first := block.first_op) is not None:
        move_before(head.ops, first)
    else:
        for op in [*head.ops]:
            op.detach()
            block.add_op(op)


def move_before(ops: Iterable[Operation], place: Operation) -> None:
    """Move operations, in their order, directly before another one."""
    block = place.parent
    assert block is not None
    for op in [*ops]:
        op.detach()
        block.insert_op_before(op, place)


class Emitter:
    """Appends operations to `block`, at the location of the operation that they come from."""

    def __init__(self, block: Block, constants: Constants) -> None:
        self.block, self.constants = block, constants
        self.location: LocationAttr = UnknownLoc()

    def add(self, op: OperationT) -> OperationT:
        """Append an operation."""
        op.location = self.location
        self.block.add_op(op)
        return op

    def make(
        self,
        op_type: type[OperationT],
        operands: Sequence[SSAValue] = (),
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] | None = None,
        regions: Sequence[Region] = (),
    ) -> OperationT:
        """Append a new operation."""
        op = CreatedOperation.made(
            op_type, operands, result_types, properties or {}, regions=regions
        )
        return self.add(op)

    def compute(
        self,
        op_type: type[Operation],
        operands: Sequence[SSAValue],
        type_: Attribute,
        properties: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:
        """Append a new operation, and return its only result."""
        (result,) = self.make(op_type, operands, [type_], properties).results
        return result

    def move(self, op: Operation) -> None:
        """Move an operation here; it keeps its location."""
        op.detach()
        self.block.add_op(op)

    def ptx(
        self,
        op_type: type[InstructionT],
        operands: Mapping[str, Sequence[SSAValue]] | None = None,
        properties: Mapping[str, Attribute | str | int] | None = None,
        result_types: Sequence[Attribute] | None = None,
    ) -> InstructionT:
        """Append an instruction; see `Instruction.assemble`."""
        return self.add(op_type.assemble(operands or {}, result_types, properties))

    def constant(self, value: int, type_: IntegerType = i32) -> SSAValue:
        """An integer constant."""
        return self.constants.value(value, type_)

    def value(self, value: Value) -> SSAValue:
        """A value as it is, or a constant."""
        return self.constant(value) if isinstance(value, int) else value

    def binary(self, op_type: type[Operation], a: Value, b: Value) -> SSAValue:
        """The result of an operation on two values of one type."""
        x, y = self.value(a), self.value(b)
        return self.compute(op_type, [x, y], x.type)

    def plus(self, a: Value, b: Value) -> SSAValue:
        """The sum of two integers of 32 bits."""
        x, y = known(a), known(b)
        if x is not None and y is not None:
            return self.constant(x + y)
        if y == 0:
            return self.value(a)
        return self.value(b) if x == 0 else self.binary(arith.AddiOp, a, b)

    def minus(self, a: Value, b: Value) -> SSAValue:
        """The difference of two integers of 32 bits."""
        return self.value(a) if known(b) == 0 else self.binary(arith.SubiOp, a, b)

    def times(self, a: Value, b: Value) -> SSAValue:
        """The product of two integers of 32 bits."""
        x, y = known(a), known(b)
        if x is not None and y is not None:
            return self.constant(x * y)
        if y == 1:
            return self.value(a)
        return self.value(b) if x == 1 else self.binary(arith.MuliOp, a, b)

    def over(self, a: Value, divisor: int) -> SSAValue:
        """The quotient of an unsigned integer of 32 bits and a number."""
        return self.value(a) if divisor == 1 else self.binary(arith.DivUIOp, a, divisor)

    def compare(self, predicate: str, a: Value, b: Value) -> SSAValue:
        """The comparison of two integers of 32 bits."""
        properties = {"predicate": _PREDICATES[predicate]}
        return self.compute(arith.CmpiOp, [self.value(a), self.value(b)], i1, properties)

    def warp_of(self, thread: SSAValue) -> SSAValue:
        """The number of the warp of a thread, as a value that all lanes of the warp share."""
        operands = {
            "a": (self.binary(arith.DivUIOp, thread, WARP_LANES),),
            "lane": (self.constant(0),),
            "clamp": (self.constant(WARP_LANES - 1),),
            "mask": (self.constant(-1),),
        }
        return self.ptx(ShflSyncOp, operands, {"mode": "idx"}).d

    def both(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """Whether two conditions hold."""
        return self.binary(arith.AndIOp, a, b)

    def select(self, condition: SSAValue, a: Value, b: Value) -> SSAValue:
        """`a` if the condition holds, else `b`."""
        x, y = self.value(a), self.value(b)
        return self.compute(arith.SelectOp, [condition, x, y], x.type)

    @contextmanager
    def inside(self, block: Block) -> Generator[None]:
        """Append to another block."""
        before, self.block = self.block, block
        try:
            yield
        finally:
            self.block = before

    @contextmanager
    def when(self, condition: SSAValue) -> Generator[None]:
        """Append what a condition guards. A conditional just before, with the same condition, is
        continued."""
        last = self.block.last_op
        if (
            isinstance(last, scf.IfOp)
            and last.cond is condition
            and not last.results
            and not (last.false_region.blocks)
        ):
            body = last.true_region.block
            end = body.last_op
            assert end is not None
            end.detach()
            with self.inside(body):
                yield
            body.add_op(end)
            return
        body = Block()
        with self.inside(body):
            yield
            self.make(scf.YieldOp)
        self.make(scf.IfOp, [condition], regions=[Region(body), Region()])

    @contextmanager
    def guard(self, predicate: SSAValue) -> Generator[None]:
        """Append instructions without results that a predicate guards one by one."""
        body = Block()
        with self.inside(body):
            yield
        self.make(GuardOp, [predicate], regions=[Region(body)])

    def guarded(
        self, predicate: SSAValue, op: Instruction, kept: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        """The results of an instruction, or `kept` where the predicate does not hold."""
        body = Block()
        with self.inside(body):
            self.add(op)
            self.make(YieldOp, op.results)
        types = [each.type for each in kept]
        return self.make(GuardOp, [predicate, *kept], types, regions=[Region(body)]).results

    def choose(
        self,
        condition: SSAValue,
        then: Callable[[], Sequence[SSAValue]],
        otherwise: Callable[[], Sequence[SSAValue]],
    ) -> Sequence[SSAValue]:
        """Append two alternatives, and return the values that they give."""
        blocks = [Block(), Block()]
        types: list[Attribute] = []
        for block, emit in zip(blocks, (then, otherwise), strict=True):
            with self.inside(block):
                values = emit()
                types = [each.type for each in values]
                self.make(scf.YieldOp, values)
        regions = [Region(block) for block in blocks]
        return self.make(scf.IfOp, [condition], types, regions=regions).results


def known(value: Value) -> int | None:
    """The number that a value is; None if it is not constant."""
    return value if isinstance(value, int) else constant_value(value)


def is_of_one_lane(role: RoleOp, holdings: Sequence[HoldingOp], kernel: Kernel) -> bool:
    """
    Whether the elected lane alone executes a role, which takes these stages: it saves the joins of
    the warp. In nested loops of one lane, and in loops with commits for several CTAs, ptxas moves
    the operands of each MMA to uniform registers anew.
    """
    kinds = {op.kind for op in holdings}
    if not kinds or THREADS in kinds:
        return False
    if any(
        isinstance(op, Tcgen05Operation | RoleBarrierOp) or may_be_together(type(op))
        for op in operations_of(role)
    ):
        return False
    return kinds == {TMA} or all(
        sum(isinstance(each, scf.ForOp) for each in enclosing(op)) < 2
        and not kernel.rings[op.ring_op].sharings
        for op in holdings
    )


def converge_lanes(role: RoleOp) -> None:
    """
    Synchronise the warp after each operation of a role where its lanes may take different branches.

    Accesses to tensor memory need all lanes of the warp together, and branches that join again do
    not bring them together (9.7.16.6.2). An operation inside such a branch needs nothing.
    """
    if not any(isinstance(op, Tcgen05Operation) for op in operations_of(role)):
        return
    body = role.body.block
    parting = [*_parting(body, role)]
    if not parting:
        return
    all_lanes = ConstantOp(IntegerAttr(-1, i32))
    body.insert_op_before(all_lanes, next(iter(body.ops)))
    for op in parting:
        sync = BarWarpSyncOp.assemble({"mask": (all_lanes.result,)})
        sync.location = op.location
        block = op.parent
        assert block is not None
        block.insert_op_after(sync, op)


def _parting(block: Block, role: RoleOp) -> Iterator[Operation]:
    """The outermost operations in a block that may part lanes, except regions of one thread."""
    for op in block.ops:
        if any(thread_source(each, role) is not None for each in _conditions(op)):
            yield op
        elif not isinstance(op, ElectedOp):
            for region in op.regions:
                for inner in region.blocks:
                    yield from _parting(inner, role)


def _conditions(op: Operation) -> Sequence[SSAValue]:
    """The values that decide which branches of an operation a lane takes."""
    match op:
        case scf.IfOp():
            return [op.cond]
        case scf.ForOp():
            return [op.lb, op.ub, op.step]
        case scf.WhileOp():
            last = op.before_region.block.last_op
            return [] if last is None else [last.operands[0]]
        case GuardOp():
            return [op.predicate] if is_branch_over_stores(op) else []
        case _:
            return []


MOST_STAGES = 8
"""Largest number of stages to unroll a loop by; more would cost instruction cache."""


class Bounds(NamedTuple):
    """The counter at the start and at the end of the whole rounds of a ring."""

    first: SSAValue
    end: SSAValue


def bounds_of(emit: Emitter, op: scf.ForOp, stages: int, stage: SSAValue | None) -> Bounds:
    """The bounds of the whole rounds; `stage` is the stage before the loop, None for stage 0."""
    count = emit.binary(arith.MaxSIOp, emit.minus(op.ub, op.lb), 0)
    if known(op.step) != 1:
        count = emit.binary(arith.CeilDivSIOp, count, op.step)
    first = op.lb
    if stage is not None:
        missing = emit.minus(stages, stage)
        until_zero = emit.binary(arith.RemUIOp, missing, stages)
        before = emit.binary(arith.MinUIOp, until_zero, count)
        first = emit.plus(op.lb, emit.times(before, op.step))
        count = emit.minus(count, before)
    rest = emit.binary(arith.RemUIOp, count, stages)
    rounds = emit.minus(count, rest)
    return Bounds(first, emit.plus(first, emit.times(rounds, op.step)))
