"""
The plan of a partition: the rings and their stages, and what each role needs of the sequential form
(T5-WS-031).

A ring has several stages only if each production overwrites the whole buffer: another stage does
not have what earlier operations wrote.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator

from ...isa.practice import VALUE_RULE
from ...isa.targets import SHARED_BYTES
from ...isa.tensor_memory.alloc import COLUMNS, WARP_LANES
from ...ptx.analysis.control_flow import closure
from ...ptx.analysis.known_values import constant_value
from ...ptx.types import TensorMapType
from ...tcgen05.types import TensorMemoryType
from ..base import Buffer, RingType, SharedTileType, buffer_of, enclosing, only_computes
from ..kernel import Kernel, Wanted, arranged
from ..linear import thread_source
from ..products import MmaOp
from ..rings import MMA, THREADS, TMA, RingOp
from ..roles import RoleOp
from ..tma import TmaStoreOp
from ..vectors import GlobalLoadOp, GlobalStoreOp, LocalStoreOp, TmemStoreOp, vector_shape
from .turns import ROLES, Refusal, Run, Turns, kind_of, with_line


class Needs:
    """The operations that a role needs, and the results of loops and conditionals: pairs of an
    operation and the number of a result. `implicit` are products that need no condition."""

    def __init__(self, kind: str, role: RoleOp, implicit: Set[Operation]) -> None:
        self.kind, self.role = kind, role
        self._implicit = implicit
        stores = (op for op in role.walk() if isinstance(op, GlobalStoreOp))
        self._stored = {origin for op in stores for origin in _origins(op.pointer)}
        self.operations: set[Operation] = set()
        self.results: set[tuple[Operation, int]] = set()
        for op in role.walk():
            if op is not role and kind_of(op) == kind:
                self._for = op
                self._add(op)
                if kind != THREADS:
                    self._check_uniform(op)

    def _add(self, op: Operation) -> None:
        """Add an operation, what it uses, and the control around it."""
        pending = [op]
        while pending:
            each = pending.pop()
            if each in self.operations:
                continue
            self._check(each)
            self.operations.add(each)
            around = each.parent_op()
            if around is not None and around is not self.role:
                pending.append(around)
            for value in self._operands(each):
                pending.extend(self._sources(value))

    def _operands(self, op: Operation) -> list[SSAValue]:
        if isinstance(op, scf.ForOp):
            return [op.lb, op.ub, op.step]
        if isinstance(op, scf.IfOp):
            return [op.cond]
        if isinstance(op, MmaOp) and op in self._implicit:
            return [op.d, *op.read.values()]
        return [value for each in op.walk() for value in each.operands]

    def _sources(self, value: SSAValue) -> list[Operation]:
        """The operations that give a value, with what loops and conditionals carry for it."""
        found: list[Operation] = []
        pending = [value]
        while pending:
            each = pending.pop()
            if isinstance(each, BlockArgument):
                owner, index = each.owner.parent_op(), each.index - 1
                if not isinstance(owner, scf.ForOp):
                    continue
            elif isinstance(each, OpResult):
                owner, index = each.owner, each.index
            else:
                continue
            if owner is self.role or not self.role.is_ancestor(owner):
                continue
            found.append(owner)
            key = owner, index
            if index < 0 or key in self.results or not isinstance(owner, scf.ForOp | scf.IfOp):
                continue
            self.results.add(key)
            if isinstance(owner, scf.ForOp):
                pending.append(owner.iter_args[index])
            for region in owner.regions:
                end = region.block.last_op
                if end is not None:
                    pending.append(end.operands[index])
        return found

    def _check(self, op: Operation) -> None:
        """Refuse a value of another role. Raises Refusal."""
        kind = kind_of(op)
        if kind is None or kind == self.kind:
            return
        if isinstance(op, GlobalLoadOp) and self._stored.isdisjoint(_origins(op.pointer)):
            return
        sentence = (
            f"{with_line(self._for)} depends on what {op.name} gives, but only @{ROLES[kind]} has "
            f"this value, and @{ROLES[self.kind]} needs it"
        )
        raise Refusal(op, VALUE_RULE.says(sentence))

    def _check_uniform(self, op: Operation) -> None:
        """Refuse what depends on the thread. Raises Refusal."""
        values = self._operands(op)
        for around in enclosing(op):
            if around is self.role:
                break
            values.extend(self._operands(around))
        for value in values:
            if buffer_of(value) is None and not isinstance(value.type, TensorMapType):
                source = thread_source(value, self.role)
                if source is not None:
                    name = f"%{source.name_hint}" if source.name_hint else "a value of the thread"
                    sentence = f"one thread executes it for all, but it depends on {name}"
                    raise Refusal(op, VALUE_RULE.says(sentence))

    def uses(self, op: Operation, value: SSAValue) -> bool:
        """Whether a role needs an operation that uses a value, for this value."""
        if op.has_trait(IsTerminator) and isinstance(
            around := op.parent_op(), scf.ForOp | scf.IfOp
        ):
            return any(
                operand is value and (around, index) in self.results
                for index, operand in enumerate(op.operands)
            )
        if isinstance(op, scf.ForOp):
            kept = [each for at, each in enumerate(op.iter_args) if (op, at) in self.results]
            return op in self.operations and value in (op.lb, op.ub, op.step, *kept)
        if isinstance(op, MmaOp) and op in self._implicit and value is op.accumulate:
            return op in self.operations and value in (op.d, *op.read.values())
        # An operation inside of another one that has regions, such as scf.while, comes with it.
        return any(each in self.operations for each in (op, *_opaque(op)))


def _origins(pointer: SSAValue) -> set[SSAValue]:
    """The values from which a pointer is computed, as far as they may be pointers."""

    def step(value: SSAValue) -> Iterator[SSAValue]:
        op = value.owner if isinstance(value, OpResult) else value.owner.parent_op()
        is_result = isinstance(value, OpResult)
        if isinstance(op, scf.ForOp) or (
            is_result and op is not None and (isinstance(op, scf.IfOp) or only_computes(op))
        ):
            operands = (each for inner in op.walk() for each in inner.operands)
            yield from (each for each in operands if each.type == pointer.type)

    # Equal constants make no pointers equal.
    return {each for each in closure([pointer], step) if not isinstance(each.owner, ConstantOp)}


def _opaque(op: Operation) -> list[Operation]:
    """The operations around one that are neither loops, conditionals nor roles."""
    found: list[Operation] = []
    for each in enclosing(op):
        if isinstance(each, scf.ForOp | scf.IfOp | RoleOp):
            break
        found.append(each)
    return found


def overwrites(run: Run, buffer: SSAValue, role: RoleOp) -> bool:
    """Whether every path writes the whole buffer before reading any of it."""
    if run.kind == TMA:
        return True
    if run.kind == MMA:
        return starts_anew(run)
    if any(use.reads and not isinstance(use.op, TmaStoreOp) for use in run.uses):
        return False
    parts = [part for use in run.uses for part in _written(use.op, run, buffer, role)]
    reached = 0
    for first, end in sorted(parts):
        if first > reached:
            return False
        reached = max(reached, end)
    return reached >= _columns(buffer)


def _columns(buffer: SSAValue) -> int:
    type_ = buffer.type
    if isinstance(type_, SharedTileType):
        return type_.extents[1]
    assert isinstance(type_, TensorMemoryType)
    return type_.columns.data


def _written(op: Operation, run: Run, buffer: SSAValue, role: RoleOp) -> Iterator[tuple[int, int]]:
    """The columns that a store of threads certainly writes in all rows: the first, and the end."""
    if not isinstance(op, TmemStoreOp | LocalStoreOp) or op.memory is not buffer:
        return
    shape = vector_shape(op.value.type)
    assert shape is not None
    *rows, column = op.mixed_indices
    if isinstance(buffer.type, SharedTileType) and (
        rows != [role.thread] or buffer.type.extents[0] > role.warps_count * WARP_LANES
    ):
        return
    loop = op.parent_op()
    if isinstance(column, int):
        number: int | None = column
    else:
        number = constant_value(column)
    if number is not None and op.parent is run.block:
        yield number, number + shape[0]
    elif isinstance(loop, scf.ForOp) and loop.parent is run.block:
        bounds = [constant_value(each) for each in (loop.lb, loop.ub, loop.step)]
        first, end, step = bounds
        if column is loop.body.block.args[0] and None not in bounds:
            # Later columns are outside of the buffer.
            for at in range(first or 0, min(end or 0, _columns(buffer)), step or 1):
                yield at, at + shape[0]


def starts_anew(run: Run) -> bool:
    """Whether the first product of a run, and no other, overwrites D: it is unconditional, or in a
    loop under a condition that is false in the first iteration only."""
    products = [use.op for use in run.uses if isinstance(use.op, MmaOp) and use.writes]
    if not products or len(products) != len([use for use in run.uses if use.writes]):
        return False
    first, *others = products
    if not all(_is_constant(each, True) for each in others):
        return False
    if first.parent is run.block:
        return _is_constant(first, False)
    loop = first.parent_op()
    return (
        isinstance(loop, scf.ForOp)
        and loop.parent is run.block
        and all(map(loop.is_ancestor, others))
        and first.accumulate is not None
        and _is_later(first.accumulate, loop)
    )


def _is_constant(op: MmaOp, accumulates: bool) -> bool:
    if op.accumulate is None:
        return not accumulates
    number = constant_value(op.accumulate)
    return number is not None and bool(number) == accumulates


def _is_later(condition: SSAValue, loop: scf.ForOp) -> bool:
    """Whether a condition is false in the first iteration of a loop, and true in all others."""
    op = condition.owner
    if not isinstance(op, arith.CmpiOp):
        return False
    comparison = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
    counter = loop.body.block.args[0]
    if op.lhs is counter and comparison in ("ne", "sgt"):
        other = op.rhs
    elif op.rhs is counter and comparison in ("ne", "slt"):
        other = op.lhs
    else:
        return False
    number = constant_value(other)
    return other is loop.lb or (number is not None and number == constant_value(loop.lb))


def implicit_products(runs: Iterable[Sequence[Run]]) -> set[Operation]:
    """The products of runs that need no condition, because the first one in each run overwrites."""
    return {
        use.op
        for several in runs
        for run in several
        if run.kind == MMA and starts_anew(run)
        for use in run.uses
        if use.writes
    }


MOST_STAGES = 4
"""The most stages of a ring that TMA fills, by default."""
_OTHER_STAGES = 2
"""The most stages of another ring: one is used while the next is written."""


@dataclass
class RingPlan:
    """Buffers that a ring hands over together, and the turns that their roles take."""

    turns: list[Turns]
    most_stages: int
    stages: int = 1
    ring: SSAValue | None = None

    @property
    def first(self) -> Turns:
        return self.turns[0]

    @property
    def types(self) -> list[Buffer]:
        """The types of the buffers."""
        return [type_ for each in self.turns if isinstance(type_ := each.buffer.type, Buffer)]

    def make(self) -> RingOp:
        """The operation that makes the ring."""
        properties = {"in_place": UnitAttr()} if self.first.in_place else {}
        type_ = RingType.get(self.stages, self.types)
        op = RingOp.create(properties=properties, result_types=[type_])
        names = [each.buffer.name_hint or "buffer" for each in self.turns]
        op.ring.name_hint = f"{'_'.join(names)}_ring"
        self.ring = op.ring
        return op


def rings_of(kernel: Kernel, turns: Sequence[Turns], most: int) -> list[RingPlan]:
    """The rings, without their stages."""
    plans: list[RingPlan] = []
    for each in turns:
        for plan in plans:
            if _share(plan, each):
                plan.turns.append(each)
                break
        else:
            plans.append(RingPlan([each], _most_stages(kernel, each, most)))
    return plans


def _most_stages(kernel: Kernel, turns: Turns, most: int) -> int:
    (role,) = kernel.roles
    runs = turns.of(turns.producer)
    is_repeated = (
        len(runs) > 1
        or kernel.op.takes_tiles
        or any(isinstance(each, scf.ForOp) for each in enclosing(runs[0].statements[0]))
    )
    if (
        not is_repeated
        or turns.in_place
        or not all(overwrites(run, turns.buffer, role) for run in runs)
    ):
        return 1
    return most if turns.producer == TMA else min(most, _OTHER_STAGES)


def _share(plan: RingPlan, turns: Turns) -> bool:
    """Whether a buffer is loaded and used where those of a ring are: each role holds them in the
    same places, and needs no other role in between."""
    first = plan.first
    if first.producer != TMA or turns.producer != TMA or first.in_place or turns.in_place:
        return False
    kinds = [[run.kind for run in each.runs] for each in (first, turns)]
    if kinds[0] != kinds[1]:
        return False
    for at, run in enumerate(turns.runs):
        together = [run, *(each.runs[at] for each in plan.turns)]
        if any(each.block is not run.block for each in together):
            return False
        own = [op for each in together for op in each.statements]
        if not _is_alone(run.kind, own):
            return False
    return True


def _is_alone(kind: str, own: Sequence[Operation]) -> bool:
    """Whether, from the first to the last of some operations of a block, no other role works, but
    one that loads; if they are loads, there are no others."""
    block = own[0].parent
    assert block is not None
    inside = False
    missing = {*own}
    for op in block.ops:
        inside = inside or op in missing
        if op in missing:
            missing.remove(op)
        elif inside:
            kinds = {kind_of(each) for each in op.walk()} - {None}
            if TMA in kinds if kind == TMA else kinds - {TMA, kind}:
                return False
        if not missing:
            return True
    return True


def choose_stages(
    kernel: Kernel, plans: Sequence[RingPlan], copied: dict[SSAValue, SSAValue]
) -> None:
    """Give each ring the stages that memory leaves, the rings with the fewest stages first.
    `copied` gives, for the buffer of a `ws.alloc`, the tile that is copied to it."""
    growing = [*plans]
    while growing:
        plan = min(growing, key=lambda each: each.stages)
        plan.stages += 1
        if plan.stages > plan.most_stages or not _fits(kernel, plans, copied):
            plan.stages -= 1
            growing.remove(plan)


def _fits(kernel: Kernel, plans: Sequence[RingPlan], copied: dict[SSAValue, SSAValue]) -> bool:
    held = {each.buffer: plan for plan in plans for each in plan.turns}
    wanted = [Wanted(plan.first.buffer, plan.stages, plan.types) for plan in plans]
    for alloc in kernel.allocs:
        type_ = alloc.buffer.type
        if alloc.buffer not in held and isinstance(type_, Buffer):
            source = held.get(copied[alloc.buffer]) if alloc.buffer in copied else None
            wanted.append(Wanted(alloc.buffer, 1 if source is None else source.stages, [type_]))
    memory = arranged(wanted, kernel.op)
    # The barrier objects come before the tiles, which are aligned.
    return (
        memory.shared_bytes + memory.alignment <= max(SHARED_BYTES.values())
        and memory.columns <= COLUMNS
    )
