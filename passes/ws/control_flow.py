"""The lowering of the loops and conditionals of a role, which carry the stage and the phase of each
ring."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from tcgen05_dialect.ptx.analysis.control_flow import operations_of
from tcgen05_dialect.ws.base import TokenType
from tcgen05_dialect.ws.products import MmaOp
from tcgen05_dialect.ws.rings import MMA, HoldingOp, RingOp

from .context import Key, RoleContext, RolePlace
from .edges import HeldStages
from .emitter import MOST_STAGES, Bounds, bounds_of, known


class ControlFlow(RoleContext, ABC):
    """Lowers the loops and conditionals of a role."""

    def __init__(self, place: RolePlace) -> None:
        super().__init__(place)
        self.constant_rings: set[RingOp] = set()
        """The rings whose stage is constant, and does not advance, in what is appended."""
        self.stages = HeldStages(self)
        self._steps = [
            op for op in self.kernel.inside[self.role] if isinstance(op, HoldingOp | MmaOp)
        ]
        """The operations, also in copies of loops, that change what is carried."""

    @abstractmethod
    def operations(self, block: Block) -> None:
        """Lower the operations of a block, without its terminator."""

    def changed(self, op: Operation) -> list[Key]:
        """What an operation changes, in the order of the program."""
        keys: dict[Key, None] = {}
        for each in self._steps_of(op):
            if isinstance(each, HoldingOp):
                keys[("phase", each.ring)] = None
                if ("stage", each.ring) in self.state:
                    keys[("stage", each.ring)] = None
            elif ("written", each.d) in self.state:
                keys[("written", each.d)] = None
        return [*keys]

    def keeps(self, op: Operation) -> bool:
        """Whether control flow neither changes what is carried nor passes on tokens."""
        passes_on = any(isinstance(each.type, TokenType) for each in op.results)
        return not passes_on and not self._steps_of(op)

    def _steps_of(self, op: Operation) -> list[HoldingOp | MmaOp]:
        return [each for each in self._steps if op.is_ancestor(each)]

    def _copy(self, op: scf.ForOp) -> scf.ForOp:
        copy = op.clone()
        self._steps.extend(
            each for each in operations_of(copy) if isinstance(each, HoldingOp | MmaOp)
        )
        return copy

    def loop(self, op: scf.ForOp) -> None:
        """Lower a loop."""
        ring = _ring_to_unroll(op, self._steps_of(op))
        if ring is None:
            self.rolled(op)
        else:
            self._split(op, ring)

    def _split(self, op: scf.ForOp, ring: RingOp) -> None:
        """Lower a loop that uses one stage of a ring in each iteration as up to three loops: until
        the ring is at stage 0; whole rounds, with constant stages; and what is left."""
        emit = self.emit
        stage = self.state["stage", ring.ring]
        starts_at_zero = known(stage) == 0
        bounds = bounds_of(emit, op, ring.stages, None if starts_at_zero else stage)
        if not starts_at_zero:
            until_zero = self._copy(op)
            until_zero.operands = [op.lb, bounds.first, op.step]
            self.rolled(until_zero)
            emit.location = op.location
        self._rounds(op, ring, bounds)
        emit.location = op.location
        op.operands = [bounds.end, op.ub, op.step]
        self.rolled(op)

    def _rounds(self, op: scf.ForOp, ring: RingOp, bounds: Bounds) -> None:
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
                copy = self._copy(op)
                counter = emit.plus(body.args[0], emit.times(op.step, number))
                copy.body.block.args[0].replace_all_uses_with(counter)
                self.state[key] = emit.constant(number)
                self.operations(copy.body.block)
                copy.drop_all_references()
                emit.location = op.location
            phase = "phase", ring.ring
            self.state[phase] = emit.binary(arith.XOrIOp, self.state[phase], 1)
            self.emit.make(scf.YieldOp, [self.state[each] for each in keys])
        self.constant_rings.remove(ring)
        operands = [bounds.first, bounds.end, emit.times(op.step, ring.stages), *before]
        types = [each.type for each in before]
        loop = emit.make(scf.ForOp, operands, types, regions=[Region(body)])
        loop.attributes.update(op.attributes)
        for each, result in zip(keys, loop.results, strict=True):
            self.carry(each, result)
        self.state[key] = first_stage

    def rolled(self, op: scf.ForOp) -> None:
        """Lower a loop without unrolling; values that its body changes become loop-carried."""
        keys = self.changed(op)
        old, end = op.body.block, op.body.block.last_op
        carried = [*op.iter_args]
        before = [*self.stages.passed(carried), *(self.state[key] for key in keys)]
        types = [each.type for each in before]
        counter, *arguments = old.args
        body = Block(arg_types=[counter.type, *types])
        replace_all([counter], body.args)
        with self.emit.inside(body):
            self._continue(carried, arguments, keys, body.args[1:])
            self.operations(old)
            self.emit.location = op.location
            # Read only now, because the lowering replaces values.
            given = self.stages.passed(() if end is None else end.operands)
            after = [self.state[key] for key in keys]
            self.emit.make(scf.YieldOp, [*given, *after])
        new = scf.ForOp.create(
            operands=[op.lb, op.ub, op.step, *before], result_types=types, regions=[Region(body)]
        )
        self._finish(op, new, carried, keys)

    def repeated(self, op: scf.WhileOp) -> None:
        """Lower a loop whose iterations each decide whether another one follows."""
        keys = self.changed(op)
        before = [self.state[key] for key in keys]
        regions: list[Region] = []
        for region in op.regions:
            old, end = region.block, region.block.last_op
            assert end is not None
            types = [*(each.type for each in old.args), *(each.type for each in before)]
            body = Block(arg_types=types)
            replace_all(old.args, body.args)
            for key, argument in zip(keys, body.args[len(old.args) :], strict=True):
                self.carry(key, argument)
            with self.emit.inside(body):
                self.operations(old)
                self.emit.location = op.location
                given = [*end.operands, *(self.state[key] for key in keys)]
                self.emit.make(type(end), given)
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
                self.emit.make(scf.YieldOp, passed)
            types = [each.type for each in passed]
            regions.append(Region(body))
        self.state = before
        new = scf.IfOp.create(operands=[op.cond], result_types=types, regions=regions)
        self._finish(op, new, given, keys)

    def _finish(
        self, op: Operation, new: Operation, given: Sequence[SSAValue], keys: Sequence[Key]
    ) -> None:
        """Append the new operation, and continue with its results."""
        new.attributes.update(op.attributes)
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
        """Continue with what control flow passes on: the values `given`, by other names, and what
        it changes. `values` are what the lowered control flow has for both."""
        rest = self.stages.rename(given, names, values)
        for key, value in zip(keys, rest, strict=True):
            self.carry(key, value)

    def carry(self, key: Key, value: SSAValue) -> None:
        """Continue with a new value."""
        self.state[key] = value
        name, of = key
        value.name_hint = f"{of.name_hint}_{name}" if of.name_hint else name


def replace_all(old: Sequence[SSAValue], new: Sequence[SSAValue]) -> None:
    """Replace values; a new value without a name takes the name of the old one."""
    for before, after in zip(old, new, strict=False):
        before.replace_all_uses_with(after)


def _ring_to_unroll(op: scf.ForOp, inside: Sequence[Operation]) -> RingOp | None:
    """
    The ring by whose stages a loop is unrolled; None if it is not. `inside` has the operations in
    the loop that hold stages.

    Its body holds one stage by mma, directly and once, and no other stage of a ring with several;
    the loop carries nothing.
    """
    held = [each for each in inside if isinstance(each, HoldingOp)]
    several = [each for each in held if each.ring_op.stages > 1]
    if len(several) != 1 or op.iter_args or op.lb.type != i32:
        return None
    (holding,) = several
    is_direct = holding.parent is op.body.block
    is_short = holding.ring_op.stages <= MOST_STAGES
    return holding.ring_op if is_direct and is_short and holding.kind == MMA else None
