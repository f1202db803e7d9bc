"""The partition of the sequential form: a role for each kind of operation, and a ring for each
buffer that roles hand to each other."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr, i1, i32
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue

from ...isa.practice import TURN_RULE, VALUE_RULE
from ...ptx.instruction import segment_sizes
from ...ptx.kernel import KernelOp
from ..base import SharedTileType, enclosing
from ..copies import TmemCopyOp
from ..kernel import Kernel
from ..linear import thread_source
from ..products import MmaOp
from ..regions import ConsumeOp, ProduceOp, YieldOp
from ..rings import MMA, THREADS, TMA, AllocOp
from ..roles import RoleBarrierOp, RoleOp, WarpSpecializeOp
from ..uses import Use
from ..vectors import LocalLoadOp, LocalStoreOp
from .plan import MOST_STAGES, Needs, RingPlan, choose_stages, implicit_products, rings_of
from .turns import (
    ROLES,
    Refusal,
    Turns,
    accesses,
    check_forms,
    kind_of,
    move_slices,
    name_of,
    turns_of,
)


@dataclass
class Span:
    """The operations of a block, from number `first` to number `last`, that hold a stage."""

    plan: RingPlan
    produces: bool
    first: int
    last: int


def spans_of(kind: str, plans: Sequence[RingPlan]) -> dict[Block, list[Span]]:
    """The spans of the role of a kind, by block. Raises Refusal."""
    found: dict[Block, list[Span]] = {}
    numbers: dict[Block, dict[Operation, int]] = {}
    for plan in plans:
        columns = [turns.of(kind) for turns in plan.turns]
        for runs in zip(*columns, strict=True):
            block = runs[0].block
            if block not in numbers:
                numbers[block] = {op: at for at, op in enumerate(block.ops)}
            at = [numbers[block][op] for run in runs for op in run.statements]
            produces = kind == plan.first.producer
            span = Span(plan, produces, min(at), max(at))
            found.setdefault(block, []).append(span)
    for block, spans in found.items():
        _nest(spans)
        _check(block, spans)
    return found


def _nest(spans: Sequence[Span]) -> None:
    """Extend spans that overlap, until each pair is nested or apart."""
    is_changing = True
    while is_changing:
        is_changing = False
        for one in spans:
            for other in spans:
                if one.first < other.first <= one.last < other.last:
                    one.last = other.last
                    is_changing = True


def _check(block: Block, spans: Sequence[Span]) -> None:
    for one in spans:
        for other in spans:
            if other is not one and other.plan is one.plan and one.first <= other.first <= one.last:
                buffer = one.plan.first.buffer
                op = [*block.ops][other.first]
                sentence = (
                    f"the turns at {name_of(buffer)} and at another buffer overlap, so that the "
                    f"role would take its next turn at {name_of(buffer)} within an earlier one"
                )
                help_ = "finish the use of one buffer before that of the other"
                violation = TURN_RULE.says(sentence, help_)
                raise Refusal(op, violation)


class RoleBuilder:
    """Builds the role of a kind. `implicit` are products that need no condition, and `exchanges`
    the operations by which threads hand data to each other in shared memory."""

    def __init__(
        self,
        needs: Needs,
        spans: Mapping[Block, Sequence[Span]],
        implicit: Set[Operation],
        exchanges: Set[Operation],
    ) -> None:
        self._needs, self._spans = needs, spans
        self._implicit, self._exchanges = implicit, exchanges
        self._values: dict[SSAValue, SSAValue] = {}
        self._out = Block()

    def build(self) -> RoleOp:
        """The role."""
        old, kind = self._needs.role, self._needs.kind
        around = old.parent_op()
        assert isinstance(around, WarpSpecializeOp)
        is_mma = kind == MMA and around.pair is not None
        properties: dict[str, Attribute] = {"sym_name": StringAttr(ROLES[kind])}
        properties["warps"] = old.warps if kind == THREADS else IntegerAttr(1, i32)
        if is_mma:
            properties["leader"] = UnitAttr()
        if kind == THREADS and old.registers is not None:
            properties["registers"] = old.registers
        arguments = old.body.block.args if kind == THREADS else ()
        body = self._block(arguments)
        self._into(body, old.body.block)
        role = RoleOp.create(properties=properties, regions=[Region(body)])
        role.location = old.location
        return role

    def _block(self, arguments: Sequence[BlockArgument]) -> Block:
        """A block with arguments in the places of others."""
        block = Block(arg_types=[each.type for each in arguments])
        for old, new in zip(arguments, block.args, strict=True):
            new.name_hint = old.name_hint
            self._values[old] = new
        return block

    def _into(self, target: Block, source: Block) -> None:
        """Append what the role needs of a block to another one."""
        operations = [*source.ops]
        self._inside(target, operations, 0, [*self._spans.get(source, ())])

    def _inside(
        self, target: Block, operations: Sequence[Operation], first: int, spans: Sequence[Span]
    ) -> None:
        outer, self._out = self._out, target
        self._append(operations, first, spans)
        self._out = outer

    def _append(self, operations: Sequence[Operation], first: int, spans: Sequence[Span]) -> None:
        """Append operations; the first has the number `first` in its block."""
        at = first
        end = first + len(operations)
        while at < end:
            starting = [span for span in spans if span.first == at]
            if starting:
                # The longest span is outside; data is awaited before a free stage.
                span = max(starting, key=lambda each: (each.last, not each.produces))
                inner = [
                    each
                    for each in spans
                    if each is not span and span.first <= each.first <= span.last
                ]
                self._hold(span, operations[at - first : span.last + 1 - first], inner)
                at = span.last + 1
                continue
            op = operations[at - first]
            if op in self._needs.operations:
                self._operation(op)
            at += 1

    def _add(self, op: Operation, old: Operation) -> None:
        op.location = old.location
        self._out.add_op(op)

    def _hold(self, span: Span, operations: Sequence[Operation], spans: Sequence[Span]) -> None:
        """Append a region in which the role holds a stage."""
        plan = span.plan
        buffers = [each.buffer for each in plan.turns]
        body = Block(arg_types=[each.type for each in buffers])
        before = {each: self._values.get(each) for each in buffers}
        for buffer, argument in zip(buffers, body.args, strict=True):
            argument.name_hint = buffer.name_hint
            self._values[buffer] = argument
        kept = [
            result
            for op in operations
            for result in op.results
            if self._is_available(result) and self._is_used_behind(result, operations)
        ]
        self._inside(body, operations, span.first, spans)
        end = YieldOp.create(operands=[self._values[each] for each in kept])
        end.location = operations[-1].location
        body.add_op(end)
        assert plan.ring is not None
        hold = (ProduceOp if span.produces else ConsumeOp).create(
            operands=[plan.ring],
            properties={"by": StringAttr(self._needs.kind)},
            result_types=[each.type for each in kept],
            regions=[Region(body)],
        )
        self._add(hold, operations[0])
        for old, new in zip(kept, hold.results, strict=True):
            new.name_hint = old.name_hint
            self._values[old] = new
        for buffer, value in before.items():
            if value is None:
                del self._values[buffer]
            else:
                self._values[buffer] = value

    def _is_available(self, value: OpResult) -> bool:
        """Whether the role computes a value."""
        owner = value.owner
        if isinstance(owner, scf.ForOp | scf.IfOp):
            return (owner, value.index) in self._needs.results
        return owner in self._needs.operations

    def _is_used_behind(self, value: SSAValue, operations: Sequence[Operation]) -> bool:
        """Whether the role uses a value of some operations of a block outside of them."""
        inside, block = {*operations}, operations[0].parent
        for use in value.uses:
            op: Operation | None = use.operation
            while op is not None and op.parent is not block:
                op = op.parent_op()
            if op not in inside and self._needs.uses(use.operation, value):
                return True
        return False

    def _operation(self, op: Operation) -> None:
        if isinstance(op, scf.ForOp):
            self._loop(op)
        elif isinstance(op, scf.IfOp):
            self._conditional(op)
        elif isinstance(op, MmaOp):
            self._multiply(op)
        else:
            if op in self._exchanges:
                self._barrier(op)
            self._add(op.clone(self._values), op)
            if op in self._exchanges:
                self._barrier(op)

    def _barrier(self, op: Operation) -> None:
        if not isinstance(self._out.last_op, RoleBarrierOp):
            self._add(RoleBarrierOp.create(), op)

    def _new(self, value: SSAValue) -> SSAValue:
        return self._values.get(value, value)

    def _end(self, old: Block, kept: Sequence[int]) -> scf.YieldOp:
        """The end of a block, which gives only some of its values."""
        end = old.last_op
        given = () if end is None else tuple(end.operands)
        new = scf.YieldOp.create(operands=[self._new(given[at]) for at in kept])
        if end is not None:
            new.location = end.location
        return new

    def _results(self, old: Operation, new: Operation, kept: Sequence[int]) -> None:
        for at, result in zip(kept, new.results, strict=True):
            result.name_hint = old.results[at].name_hint
            self._values[old.results[at]] = result

    def _kept(self, op: Operation) -> list[int]:
        """The numbers of the results of a loop or a conditional that the role needs."""
        return [at for at in range(len(op.results)) if (op, at) in self._needs.results]

    def _loop(self, op: scf.ForOp) -> None:
        kept = self._kept(op)
        old = op.body.block
        body = self._block([old.args[0], *(old.args[at + 1] for at in kept)])
        operands = [*(op.lb, op.ub, op.step), *(op.iter_args[at] for at in kept)]
        given = [self._new(each) for each in operands]
        self._into(body, old)
        body.add_op(self._end(old, kept))
        types = [op.results[at].type for at in kept]
        new = scf.ForOp.create(operands=given, result_types=types, regions=[Region(body)])
        self._add(new, op)
        self._results(op, new, kept)

    def _conditional(self, op: scf.IfOp) -> None:
        kept = self._kept(op)
        condition = self._new(op.cond)
        regions: list[Region] = []
        for region in op.regions:
            body = Block()
            if region.blocks:
                self._into(body, region.block)
            if regions and not body.ops and not kept:
                regions.append(Region())
                continue
            body.add_op(self._end(region.block, kept) if region.blocks else scf.YieldOp.create())
            regions.append(Region(body))
        types = [op.results[at].type for at in kept]
        new = scf.IfOp.create(operands=[condition], result_types=types, regions=regions)
        self._add(new, op)
        self._results(op, new, kept)

    def _multiply(self, op: MmaOp) -> None:
        """Append a product; without a condition, it overwrites D."""
        read = op.read
        accumulate: list[SSAValue] = []
        if op not in self._implicit:
            if op.accumulate is None:
                zero = arith.ConstantOp(IntegerAttr(0, i1))
                self._add(zero, op)
                accumulate = [zero.result]
            else:
                accumulate = [self._new(op.accumulate)]
        optional = [each for each in (op.metadata, op.scale_a, op.scale_b) if each is not None]
        names = ("metadata", "scale_a", "scale_b")
        present = (1, 1, 1, *(int(name in read) for name in names), len(accumulate))
        operands = [self._new(each) for each in (op.d, op.a, op.b, *optional)]
        new = MmaOp.create(
            operands=[*operands, *accumulate],
            properties={**op.properties, "operandSegmentSizes": segment_sizes(present)},
            attributes=op.attributes,
        )
        self._add(new, op)


def partition(op: WarpSpecializeOp, stages: int = MOST_STAGES) -> None:
    """Replace the only role of a kernel, which has the sequential form, by roles and rings. A ring
    that TMA fills has at most so many stages. Raises Refusal."""
    (role,), function = op.roles, op.parent_op()
    assert isinstance(function, KernelOp)
    _hoist_allocs(op, role)
    check_forms(role)
    move_slices(role)
    kernel = Kernel(op)
    uses: dict[SSAValue, list[Use]] = {
        each.buffer: _in_order(role, [*accesses(each.buffer)]) for each in kernel.allocs
    }
    for kind in (TMA, MMA):
        # Refuses what depends on data, before the turns depend on it.
        Needs(kind, role, frozenset())
    copied = _copied(uses)
    for matrix, tile in copied.items():
        # The tile is in use until the last product that reads its copy.
        readers = [use for use in uses[matrix] if not isinstance(use.op, TmemCopyOp)]
        uses[tile] = _in_order(
            role, [*uses[tile], *(use._replace(writes=False) for use in readers)]
        )
    turns: list[Turns] = []
    for buffer, own in uses.items():
        if buffer not in copied and own:
            found = turns_of(function, kernel, buffer, own)
            turns.extend([] if found is None else [found])
    turns.sort(key=lambda each: _place(role, each))
    plans = rings_of(kernel, turns, stages)
    choose_stages(kernel, plans, copied)
    _rewrite(kernel, role, plans, _exchanges(role, uses))


def _hoist_allocs(op: WarpSpecializeOp, role: RoleOp) -> None:
    block = op.parent
    assert block is not None
    for each in [*role.walk()]:
        if isinstance(each, AllocOp):
            each.detach()
            block.insert_op_before(each, op)


def _in_order(role: RoleOp, uses: Sequence[Use]) -> list[Use]:
    numbers = {op: at for at, op in enumerate(role.walk())}
    return sorted(uses, key=lambda use: numbers[use.op])


def _place(role: RoleOp, turns: Turns) -> int:
    """The number of the first operation that uses a buffer."""
    first = turns.runs[0].uses[0].op
    return next(at for at, op in enumerate(role.walk()) if op is first)


def _copied(uses: dict[SSAValue, list[Use]]) -> dict[SSAValue, SSAValue]:
    """By matrix, the tile that is copied to it, for products."""
    return {
        use.op.matrix: use.op.tile
        for own in uses.values()
        for use in own
        if isinstance(use.op, TmemCopyOp)
    }


def _exchanges(role: RoleOp, uses: dict[SSAValue, list[Use]]) -> set[Operation]:
    """The stores by which threads hand data to each other in shared memory. Raises Refusal."""
    found: set[Operation] = set()
    for buffer, own in uses.items():
        inside = [use.op for use in own]
        if isinstance(buffer.type, SharedTileType) and any(
            isinstance(op, LocalLoadOp) for op in inside
        ):
            found.update(op for op in inside if isinstance(op, LocalStoreOp))
    for op in found:
        _check_together(role, op)
    return found


def _check_together(role: RoleOp, op: Operation) -> None:
    """Refuse a store that not all threads execute together. Raises Refusal."""
    for around in enclosing(op):
        if around is role:
            return
        for value in around.operands:
            source = thread_source(value, role)
            if source is not None:
                name = name_of(source) if source.name_hint else "a value of the thread"
                sentence = (
                    f"the condition depends on {name}, but other threads read what {op.name} stores"
                )
                help_ = "let all threads store, or use a tile that they do not load"
                violation = VALUE_RULE.says(sentence, help_)
                raise Refusal(around, violation)


def _rewrite(
    kernel: Kernel, role: RoleOp, plans: Sequence[RingPlan], exchanges: set[Operation]
) -> None:
    """Replace the role, and the buffers that rings own."""
    block = kernel.op.parent
    assert block is not None
    owned = {each.buffer for plan in plans for each in plan.turns}
    first = next((each for each in kernel.allocs if each.parent is block), kernel.op)
    for plan in plans:
        new = plan.make()
        owner = plan.first.buffer.owner
        assert isinstance(owner, AllocOp)
        new.location = owner.location
        block.insert_op_before(new, first)
    accumulators = [
        each.runs
        for plan in plans
        for each in plan.turns
        if not each.in_place
        if each.producer == MMA
    ]
    implicit = implicit_products(accumulators)
    present = {kind_of(op) for op in role.walk() if op is not role}
    for kind in ROLES:
        if kind in present:
            needs = Needs(kind, role, implicit)
            spans = spans_of(kind, plans)
            made = RoleBuilder(needs, spans, implicit, exchanges).build()
            kernel.op.body.block.insert_op_before(made, role)
    role.detach()
    role.drop_all_references()
    for alloc in kernel.allocs:
        if alloc.buffer in owned:
            alloc.detach()
            alloc.erase()
