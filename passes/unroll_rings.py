"""The pass `tcgen05-unroll-rings`: unrolls loops by the stages of their rings."""

from collections.abc import Sequence
from math import lcm

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import FixedBitwidthType, IntegerType, ModuleOp, i32
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from tcgen05_dialect.ptx.analysis.control_flow import (
    closure,
    operations_inside_first,
    operations_of,
)
from tcgen05_dialect.ptx.analysis.known_values import arith_bits, constant_bits, constant_value

from .support.conversion import replace
from .ws.emitter import MOST_STAGES, Constants, Emitter, bounds_of

_MMA = ("tcgen05.mma", "ptx.tcgen05.mma")
"""Beginnings of the names of operations that multiply matrices."""
_IS_ZERO, _IS_MORE = (0, 3, 7), (1, 4, 8)
"""The predicates of `arith.cmpi` that compare a number that is not negative with 0."""


class _Ring:
    """
    A loop whose iterations use the stages of a ring in turn, waiting for each.

    The stage is a remainder of the counter, or a value that the loop carries: its first value is a
    constant, each iteration computes the next value from the current one alone, and the values form
    a cycle.
    """

    def __init__(self, op: scf.ForOp) -> None:
        self.op = op
        self.block = op.body.block
        self.counter, *self.arguments = self.block.args
        self.inside = operations_of(op)[1:]
        end = self.block.last_op
        self.passed = [] if end is None else [*end.operands]
        """The values for the next iteration."""
        self.sequences = {
            at: found for at in range(len(self.passed)) if len(found := self._sequence(at)) > 1
        }
        """Index of each carried value that cycles -> its values in the iterations of a round."""
        divisors = (self.divisor(each) for each in self.inside)
        self.stages = lcm(*filter(None, divisors), *map(len, self.sequences.values()))

    @property
    def is_plain(self) -> bool:
        """Whether the loop can be unrolled and benefits from it."""
        names = [each.name for each in self.inside]
        return (
            constant_bits(self.op.lb) == 0
            and self.op.lb.type == i32
            and 1 < self.stages <= MOST_STAGES
            and 0 < (constant_value(self.op.step) or 0) * self.stages < 1 << 31
            and "scf.for" not in names
            and any("mbarrier" in each for each in names)
            and self._multiplies()
        )

    def divisor(self, op: Operation) -> int | None:
        """The divisor of an operation that computes a remainder of the counter; None for others."""
        if not self._takes_count(op):
            return None
        if isinstance(op, arith.RemUIOp):
            return constant_bits(op.rhs) or None
        if isinstance(op, arith.AndIOp) and (mask := constant_bits(op.rhs)):
            return None if mask & mask + 1 else mask + 1
        return None

    def is_round(self, op: Operation) -> bool:
        """Whether an operation computes the number of the round."""
        if not self._takes_count(op):
            return False
        if isinstance(op, arith.DivUIOp):
            return constant_bits(op.rhs) == self.stages
        shift = constant_bits(op.rhs) if isinstance(op, arith.ShRUIOp) else None
        return shift is not None and shift < MOST_STAGES and 1 << shift == self.stages

    def _takes_count(self, op: Operation) -> bool:
        """Whether the first operand of an operation is the number of iterations so far."""
        is_counter = bool(op.operands) and op.operands[0] is self.counter
        return is_counter and constant_bits(self.op.step) == 1

    def _sequence(self, at: int) -> Sequence[int]:
        """What a carried value is in the iterations of a round; empty if it does not cycle."""
        first = following = constant_bits(self.op.iter_args[at])
        if first is None:
            return ()
        steps = self._steps(self.passed[at])
        found: list[int] = []
        while following is not None and len(found) < MOST_STAGES:
            found.append(following)
            following = _evaluated(self.passed[at], steps, {self.arguments[at]: following})
            if following == first:
                return found
        return ()

    def _steps(self, value: SSAValue) -> list[Operation]:
        """The operations of an iteration from which a value is computed, in program order."""
        needed, found = {value}, list[Operation]()
        op = self.block.last_op
        while op is not None:
            if not needed.isdisjoint(op.results):
                found.append(op)
                needed.update(op.operands)
            op = op.prev_op
        return found[::-1]

    def _multiplies(self) -> bool:
        """Whether the loop multiplies matrices that it chooses by the stage."""
        operands = [each for op in self.inside if op.name.startswith(_MMA) for each in op.operands]
        cycling = [self.arguments[at] for at in self.sequences]
        return any(
            value in cycling
            if isinstance(value.owner, Block)
            else self.divisor(value.owner) is not None
            for value in closure(operands, self._sources)
        )

    def _sources(self, value: SSAValue) -> Sequence[SSAValue]:
        op = value.owner
        if isinstance(op, Block) or not self.op.is_ancestor(op):
            return ()
        return op.operands if self.divisor(op) is None else ()


def _evaluated(
    value: SSAValue, steps: Sequence[Operation], known: dict[SSAValue, int]
) -> int | None:
    """A value that operations compute from known ones; None if it is not known."""
    for op in steps:
        bits = [known[each] if each in known else constant_bits(each) for each in op.operands]
        found = arith_bits(op, bits) if bits else None
        if found is not None:
            known[op.results[0]] = found
        elif bits:
            return None
    return known[value] if value in known else constant_bits(value)


class _Unrolling:
    """The loop over whole rounds of a ring, in which each stage is constant."""

    def __init__(self, ring: _Ring) -> None:
        self._ring = ring
        self._emit = Emitter(Block(), Constants())
        self._emit.location = ring.op.location

    def run(self) -> None:
        """Insert the loop before the one that it is made from, which runs what is left."""
        ring, emit = self._ring, self._emit
        op, arguments = ring.op, ring.arguments
        bounds = bounds_of(emit, op, ring.stages, None)
        kept = [at for at in range(len(arguments)) if at not in ring.sequences]
        types = [arguments[at].type for at in kept]
        body = Block(arg_types=[i32, *types])
        body.args[0].name_hint = ring.counter.name_hint
        state: dict[int, SSAValue] = dict(zip(kept, body.args[1:], strict=True))
        for at, argument in state.items():
            argument.name_hint = arguments[at].name_hint
        with emit.inside(body):
            round_ = self._round(body.args[0])
            for number in range(ring.stages):
                state = self._copy(body.args[0], number, state, round_)
            emit.make(scf.YieldOp, [state[at] for at in kept])
        before = [op.iter_args[at] for at in kept]
        step = emit.times(op.step, ring.stages)
        operands = [bounds.first, bounds.end, step, *before]
        loop = emit.make(scf.ForOp, operands, types, regions=[Region(body)])
        rest = dict(zip(kept, loop.results, strict=True))
        carried = [rest.get(at, each) for at, each in enumerate(op.iter_args)]
        op.operands = [bounds.end, op.ub, op.step, *carried]
        emit.constants.prepend(emit.block)
        assert op.parent is not None
        for each in [*emit.block.ops]:
            each.detach()
            op.parent.insert_op_before(each, op)

    def _round(self, counter: SSAValue) -> SSAValue | None:
        """Append the number of the round, if the loop uses it."""
        ring = self._ring
        used = any(map(ring.is_round, ring.inside))
        return self._emit.over(counter, ring.stages) if used else None

    def _copy(
        self, counter: SSAValue, number: int, state: dict[int, SSAValue], round_: SSAValue | None
    ) -> dict[int, SSAValue]:
        """Append an iteration of the loop; return what it carries on."""
        ring, emit = self._ring, self._emit
        emit.location = ring.op.location
        own = emit.plus(counter, emit.times(ring.op.step, number))
        values: dict[SSAValue, SSAValue] = {ring.counter: own}
        for at, argument in enumerate(ring.arguments):
            if (sequence := ring.sequences.get(at)) is None:
                values[argument] = state[at]
            else:
                values[argument] = self._constant(sequence[number % len(sequence)], argument)
        for op in ring.block.ops:
            if op is ring.block.last_op:
                break
            copy = op.clone(values)
            emit.block.add_op(copy)
            for original, new in zip(operations_of(op), operations_of(copy), strict=True):
                if (value := self._known(original, new, number, round_)) is not None:
                    replace(new, (value,))
                    values[original.results[0]] = value
        passed = {at: values.get(ring.passed[at], ring.passed[at]) for at in state}
        is_used = own is counter or own.uses or any(each is own for each in passed.values())
        if not is_used and isinstance(own.owner, Operation):
            own.owner.detach()
        return passed

    def _known(
        self, original: Operation, new: Operation, number: int, round_: SSAValue | None
    ) -> SSAValue | None:
        """The value of the operation `new`, which is the copy of an operation for a stage."""
        ring = self._ring
        if (divisor := ring.divisor(original)) is not None:
            return self._constant(number % divisor, new.results[0])
        if ring.is_round(original):
            return round_
        if number and isinstance(original, arith.CmpiOp) and original.lhs is ring.counter:
            predicate = original.predicate.value.data
            if constant_bits(original.rhs) == 0 and predicate in _IS_ZERO + _IS_MORE:
                return self._constant(predicate in _IS_MORE, new.results[0])
        return self._simplified(new)

    def _simplified(self, op: Operation) -> SSAValue | None:
        """The value of an operation with constant operands."""
        if len(op.results) != 1 or op.regions or not op.name.startswith("arith."):
            return None
        bits = [constant_bits(each) for each in op.operands]
        if bits and None not in bits:
            found = arith_bits(op, bits)
            return None if found is None else self._constant(found, op.results[0])
        if isinstance(op, arith.SelectOp) and bits[0] is not None:
            return op.lhs if bits[0] else op.rhs
        if isinstance(op, arith.XOrIOp | arith.OrIOp | arith.AddiOp) and 0 in bits:
            return op.operands[1 - bits.index(0)]
        return None

    def _constant(self, number: int, like: SSAValue) -> SSAValue:
        """A number, of the type of a value."""
        assert isinstance(like.type, FixedBitwidthType)
        return self._emit.constant(number, IntegerType(like.type.bitwidth))


def unroll_rings(root: Operation) -> bool:
    """Unroll the loops over rings in an operation; return whether there are any."""
    loops = [op for op in operations_inside_first(root) if isinstance(op, scf.ForOp)]
    rings = [ring for op in loops if (ring := _Ring(op)).is_plain]
    for ring in rings:
        _Unrolling(ring).run()
    return bool(rings)


class UnrollRings(ModulePass):
    """
    Unrolls loops with matrix products by the number of stages of their ring, so that the addresses
    and descriptors of each stage are constants. The loop as written runs the remaining iterations.
    """

    name = "tcgen05-unroll-rings"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        unroll_rings(op)
