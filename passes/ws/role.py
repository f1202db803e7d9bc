"""
The lowering of one role: it waits for stages, issues and arrives, and the stage and the phase of
each ring are carried through its loops and conditionals.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from tcgen05_dialect.ptx.analysis.walk import operations_of
from tcgen05_dialect.ptx.synchronization import BarWarpSyncOp
from tcgen05_dialect.tcgen05.types import TensorMemoryType
from tcgen05_dialect.ws.address import AddressOp
from tcgen05_dialect.ws.copies import TmemCopyOp, copies_to
from tcgen05_dialect.ws.holdings import HoldingOp
from tcgen05_dialect.ws.kernel import Kernel, inside_of
from tcgen05_dialect.ws.mma import MmaOp
from tcgen05_dialect.ws.regions import ConsumeOp, HoldOp, ProduceOp, YieldOp
from tcgen05_dialect.ws.responses import TryCancelOp
from tcgen05_dialect.ws.rings import RingOp
from tcgen05_dialect.ws.roles import ElectedOp, RoleBarrierOp, RoleOp
from tcgen05_dialect.ws.tma import TmaLoadOp, TmaStoreOp
from tcgen05_dialect.ws.tokens import (
    AcquireOp,
    ConsumerReleaseOp,
    ConsumerWaitOp,
    EndOp,
    MbarrierOp,
    ProducerAcquireOp,
    ProducerCommitOp,
)

from . import edges, issue, unrolled
from .context import Key, Pair, RoleContext, RolePlace
from .emitter import Constants, known, prepend
from .lanes import is_of_one_lane
from .matrices import place_copies, place_matrix
from .memory import KernelMemory, erase
from .stages import HeldStages


class RoleLowering(RoleContext):
    """Lowers a role into a new block."""

    def __init__(
        self,
        role: RoleOp,
        kernel: Kernel,
        memory: KernelMemory,
        constants: Constants,
        place: RolePlace,
        pair: Pair | None,
    ) -> None:
        self.holdings = [op for op in operations_of(role) if isinstance(op, HoldingOp)]
        one_lane = is_of_one_lane(role, self.holdings, kernel)
        super().__init__(role, kernel, memory, constants, place, pair, one_lane)
        self.constant_rings: set[RingOp] = set()
        """The rings whose stage is constant, and does not advance, in what is appended."""
        self._work = edges.Work.of(role)
        self.stages = HeldStages(self)

    def lower(self) -> Block:
        """The operations of the role."""
        for holding in self.holdings:
            self._begin(holding)
        block = self.role.body.block
        with self.emit.inside(self.head.block):
            for alloc in self.kernel.allocs:
                if isinstance(alloc.buffer.type, TensorMemoryType) and not copies_to(alloc):
                    place_matrix(self, alloc, self.zero, partial(inside_of, outer=self.role))
        if self.on_one_lane:
            with self.emit.when(self.elected):
                self.operations(block)
                self._tail()
            self.emit.ptx(BarWarpSyncOp, {"mask": (self.all_lanes,)})
        else:
            self.operations(block)
            self.emit.location = self.role.location
            if any(self.kernel.rings[op.ring_op].is_stored for op in self.holdings):
                edges.wait_for_stores(self)
            self._tail()
        body = self.emit.block
        prepend(self.head.block, body)
        return body

    def _begin(self, holding: HoldingOp) -> None:
        """The state of a ring before its first stage is taken."""
        ring = holding.ring
        produces = holding.SIDE == "produce"
        if ("phase", ring) not in self.state:
            # The phase before the first one counts as complete, so a producer begins at once.
            self.state["phase", ring] = self.head.constant(int(produces))
            if holding.ring_op.stages > 1:
                self.state["stage", ring] = self.zero

    def _tail(self) -> None:
        """
        Append the wait for the last stages that the role has produced: no arrival of another CTA
        may meet a CTA that has ended.
        """
        produced = {op.ring_op: None for op in self.holdings if op.SIDE == "produce"}
        self.emit.location = self.role.location
        for ring in produced:
            use = self.kernel.rings[ring]
            if not use.is_stored and (self.pair is not None or use.sharings):
                for _ in range(ring.stages):
                    stage = self.state.get(("stage", ring.ring), self.zero)
                    edges.wait(self, ring, "empty", stage, self.state["phase", ring.ring])
                    self._advance(ring)

    def operations(self, block: Block) -> None:
        """Lower the operations of a block, without its terminator."""
        for op in [*block.ops]:
            if not isinstance(op, scf.YieldOp | scf.ConditionOp | YieldOp):
                self.operation(op)

    def operation(self, op: Operation) -> None:
        """Append the lowering of an operation."""
        self.emit.location = op.location
        lower = _LOWERINGS.get(type(op))
        if lower is not None:
            lower(self, op)
            return
        self.emit.move(op)
        # No other operation with regions holds a stage; it may use buffers.
        for region in op.regions:
            for block in region.blocks:
                inner = [*block.ops]
                with self.emit.inside(block):
                    for each in inner:
                        self.operation(each)

    # Control flow.

    def changed(self, op: Operation) -> list[Key]:
        """What an operation changes, in the order of the program."""
        keys: dict[Key, None] = {}
        for each in operations_of(op):
            if isinstance(each, HoldingOp):
                keys[("phase", each.ring)] = None
                if ("stage", each.ring) in self.state:
                    keys[("stage", each.ring)] = None
            elif isinstance(each, MmaOp) and ("written", each.d) in self.state:
                keys[("written", each.d)] = None
        return [*keys]

    def loop(self, op: scf.ForOp) -> None:
        """Lower a loop."""
        ring = unrolled.ring_of(op)
        if ring is None:
            self.rolled(op)
        else:
            self._split(op, ring)

    def _split(self, op: scf.ForOp, ring: RingOp) -> None:
        """
        Lower a loop that uses one stage of a ring in each iteration as up to three loops: until the
        ring is at stage 0; whole rounds, with constant stages; and what is left.
        """
        emit = self.emit
        stage = self.state["stage", ring.ring]
        starts_at_zero = known(stage) == 0
        bounds = unrolled.bounds_of(emit, op, ring.stages, None if starts_at_zero else stage)
        if not starts_at_zero:
            self.rolled(unrolled.part_of(op, op.lb, bounds.first))
            emit.location = op.location
        self._rounds(op, ring, bounds)
        emit.location = op.location
        self.rolled(unrolled.part_of(op, bounds.end, op.ub))
        op.detach()
        op.drop_all_references()

    def _rounds(self, op: scf.ForOp, ring: RingOp, bounds: unrolled.Bounds) -> None:
        """Append the loop over whole rounds of a ring, in which each stage is constant."""
        emit, key = self.emit, ("stage", ring.ring)
        first_stage = self.state[key]
        keys = [each for each in self.changed(op) if each != key]
        before = [self.state[each] for each in keys]
        body = Block(arg_types=[i32, *(each.type for each in before)])
        for each, argument in zip(keys, body.args[1:], strict=True):
            self.carry(each, argument)
        body.args[0].name_hint = op.body.block.args[0].name_hint
        self.constant_rings.add(ring)
        with emit.inside(body):
            for number in range(ring.stages):
                copy = op.clone()
                counter = emit.plus(body.args[0], emit.times(op.step, number))
                copy.body.block.args[0].replace_all_uses_with(counter)
                self.state[key] = emit.constant(number)
                self.operations(copy.body.block)
                copy.drop_all_references()
                emit.location = op.location
            phase = "phase", ring.ring
            self.state[phase] = emit.binary(arith.XOrIOp, self.state[phase], 1)
            self.emit.add(scf.YieldOp.create(operands=[self.state[each] for each in keys]))
        self.constant_rings.remove(ring)
        loop = scf.ForOp.create(
            operands=[bounds.first, bounds.end, emit.times(op.step, ring.stages), *before],
            result_types=[each.type for each in before],
            regions=[Region(body)],
        )
        emit.add(loop)
        for each, result in zip(keys, loop.results, strict=True):
            self.carry(each, result)
        self.state[key] = first_stage

    def rolled(self, op: scf.ForOp) -> None:
        """Lower a loop as it is; it carries what it changes."""
        keys = self.changed(op)
        old, end = op.body.block, op.body.block.last_op
        carried = [*op.iter_args]
        before = [*self.stages.passed(carried), *(self.state[key] for key in keys)]
        types = [each.type for each in before]
        counter, *arguments = old.args
        body = Block(arg_types=[counter.type, *types])
        _replace([counter], body.args)
        with self.emit.inside(body):
            self._continue(carried, arguments, keys, body.args[1:])
            self.operations(old)
            self.emit.location = op.location
            # Read only now, because the lowering replaces values.
            given = self.stages.passed(() if end is None else end.operands)
            after = [self.state[key] for key in keys]
            self.emit.add(scf.YieldOp.create(operands=[*given, *after]))
        new = scf.ForOp.create(
            operands=[op.lb, op.ub, op.step, *before], result_types=types, regions=[Region(body)]
        )
        self._finish(op, new, carried, keys)

    def repeated(self, op: scf.WhileOp) -> None:
        """Lower a loop of which each iteration decides whether there is another one."""
        keys = self.changed(op)
        before = [self.state[key] for key in keys]
        regions: list[Region] = []
        for region in op.regions:
            old, end = region.block, region.block.last_op
            assert end is not None
            types = [*(each.type for each in old.args), *(each.type for each in before)]
            body = Block(arg_types=types)
            _replace(old.args, body.args)
            for key, argument in zip(keys, body.args[len(old.args) :], strict=True):
                self.carry(key, argument)
            with self.emit.inside(body):
                self.operations(old)
                self.emit.location = op.location
                given = [*end.operands, *(self.state[key] for key in keys)]
                self.emit.add(type(end).create(operands=given))
            regions.append(Region(body))
        new = scf.WhileOp.create(
            operands=[*op.operands, *before],
            result_types=[*op.result_types, *(each.type for each in before)],
            regions=regions,
        )
        self._finish(op, new, op.results, keys)

    def conditional(self, op: scf.IfOp) -> None:
        """Lower a conditional, which gives what either side changes."""
        keys = self.changed(op)
        before = dict(self.state)
        regions: list[Region] = []
        given: list[SSAValue] = []
        types: list[Attribute] = []
        for region in op.regions:
            if not region.blocks and not keys:
                regions.append(Region())
                continue
            self.state = dict(before)
            body = Block()
            with self.emit.inside(body):
                if region.blocks:
                    end = region.block.last_op
                    self.operations(region.block)
                    # Read only now, because the lowering replaces values.
                    given = [] if end is None else [*end.operands]
                self.emit.location = op.location
                passed = self.stages.passed(given) if region.blocks else []
                passed.extend(self.state[key] for key in keys)
                self.emit.add(scf.YieldOp.create(operands=passed))
            types = [each.type for each in passed]
            regions.append(Region(body))
        self.state = before
        new = scf.IfOp.create(operands=[op.cond], result_types=types, regions=regions)
        self._finish(op, new, given, keys)

    def _finish(
        self, op: Operation, new: Operation, given: Sequence[SSAValue], keys: Sequence[Key]
    ) -> None:
        """Append the new operation, and continue with its results."""
        self.emit.location = op.location
        self.emit.add(new)
        self._continue(given, op.results, keys, new.results)
        if op.parent is not None:
            op.detach()
        op.drop_all_references()

    def _continue(
        self,
        given: Sequence[SSAValue],
        names: Sequence[SSAValue],
        keys: Sequence[Key],
        values: Sequence[SSAValue],
    ) -> None:
        """
        Continue with what control flow passes on: the values `given`, by other names, and what it
        changes. `values` are what the lowered control flow has for both.
        """
        rest = self.stages.rename(given, names, values)
        for key, value in zip(keys, rest, strict=True):
            self.carry(key, value)

    def carry(self, key: Key, value: SSAValue) -> None:
        """Continue with a new value."""
        self.state[key] = value
        name, of = key
        value.name_hint = f"{of.name_hint}_{name}" if of.name_hint else name

    # Regions.

    def hold(self, op: HoldOp) -> None:
        """Lower a region: wait, work, hand over."""
        work, end = edges.Work.of(op), op.end
        stage = self._wait(op, work)
        buffers = self.stages.hold(op, stage)
        place_copies(self, op, stage)
        self.operations(op.body.block)
        self.emit.location = op.location
        _replace(op.results, end.operands)
        edges.Release(op, work).emit(self, stage)
        self._advance(op.ring_op)
        for buffer in buffers:
            self.state.pop(("written", buffer), None)
        op.detach()
        op.drop_all_references()

    def acquire(self, op: AcquireOp) -> None:
        """Lower the begin of a stage that is held by a token."""
        stage = self._wait(op, self._work)
        self.stages.take(op, self._work, stage)
        place_copies(self, op, stage)
        self._advance(op.ring_op)
        op.detach()
        op.drop_all_references()

    def _wait(self, op: HoldingOp, work: edges.Work) -> SSAValue:
        """Append the wait for the next stage of a ring, and return the number of the stage."""
        stage = self.state.get(("stage", op.ring), self.zero)
        edges.acquire(self, op, work, stage, self.state["phase", op.ring])
        return stage

    def end(self, op: EndOp) -> None:
        """Lower the end of a stage that is held by a token."""
        self.stages.end(op.token)
        erase(op)

    def barrier_address(self, op: MbarrierOp) -> None:
        """Lower the address of a barrier object of a stage."""
        holding, stage = self.stages.stage(op.token)
        address, _ = self.shared_barrier(holding.ring_op, op.barrier.data, stage)
        op.address.replace_all_uses_with(address)
        erase(op)

    def _advance(self, ring: RingOp) -> None:
        """The next stage of a ring, and its phase."""
        if ring in self.constant_rings:
            return
        emit, value = self.emit, ring.ring
        phase = self.state["phase", value]
        if ring.stages == 1:
            self.carry(("phase", value), emit.binary(arith.XOrIOp, phase, 1))
            return
        following = emit.plus(self.state["stage", value], 1)
        wraps = emit.compare("eq", following, ring.stages)
        self.carry(("stage", value), emit.select(wraps, 0, following))
        flipped = emit.binary(arith.XOrIOp, phase, 1)
        self.carry(("phase", value), emit.select(wraps, flipped, phase))

    # Operations on buffers.

    def address(self, op: AddressOp) -> None:
        """Lower the address of a tile."""
        held = self.place_of(op.tile)
        address = self.memory.address(self.emit, held.place, held.stage)
        op.result.replace_all_uses_with(address)
        erase(op)

    def elected_region(self, op: ElectedOp) -> None:
        """Lower what one thread executes."""
        with self.one_thread():
            self.operations(op.body.block)
        self.emit.location = op.location
        self.sync_warp()
        erase(op)

    def barrier(self, op: RoleBarrierOp) -> None:
        """Lower a barrier of the threads of the role."""
        self.sync_role()
        erase(op)


def _replace(old: Sequence[SSAValue], new: Sequence[SSAValue]) -> None:
    for before, after in zip(old, new, strict=False):
        before.replace_all_uses_with(after)
        if after.name_hint is None:
            after.name_hint = before.name_hint


_LOWERINGS: Mapping[type[Operation], Callable[[RoleLowering, Any], None]] = {
    ProduceOp: RoleLowering.hold,
    ConsumeOp: RoleLowering.hold,
    ProducerAcquireOp: RoleLowering.acquire,
    ConsumerWaitOp: RoleLowering.acquire,
    ProducerCommitOp: RoleLowering.end,
    ConsumerReleaseOp: RoleLowering.end,
    MbarrierOp: RoleLowering.barrier_address,
    scf.ForOp: RoleLowering.loop,
    scf.IfOp: RoleLowering.conditional,
    scf.WhileOp: RoleLowering.repeated,
    AddressOp: RoleLowering.address,
    ElectedOp: RoleLowering.elected_region,
    RoleBarrierOp: RoleLowering.barrier,
    TmaLoadOp: issue.load,
    TmaStoreOp: issue.store,
    MmaOp: issue.multiply,
    TmemCopyOp: issue.copy,
    TryCancelOp: issue.request,
}
