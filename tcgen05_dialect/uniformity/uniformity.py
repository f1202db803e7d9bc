"""
Uniformity: which threads of a CTA agree on a condition, and which execute a block.

Only the conditions of branches and guards are computed, and the values on which they depend.
Branches decide which threads pass which arguments to a block, and the values of arguments decide
branches. Both are computed in turn until neither changes; each change makes threads agree less.

xDSL's dataflow framework is not used, because it does not support branches.
"""

from collections.abc import Iterable
from functools import cache

from xdsl.ir import Block, Operation, SSAValue

from ..isa.instructions.warp import ShuffleBounds
from ..isa.ptx.kernel import LOCAL
from ..isa.tensor_memory.alloc import WARP_LANES
from ..ptx import instructions as ptx
from ..ptx.analysis.control_flow import ControlFlowGraph, closure
from ..ptx.analysis.known_values import constant_bits
from ..ptx.control_flow import CondBraOp
from ..ptx.instruction import PureInstruction
from ..ptx.kernel import KernelOp
from ..ptx.structure import AddressOfOp, ConstantOp, GuardOp
from ..ptx.types import ParamArrayType
from ..ptx.variables import VariableAddressOp, local_variables
from .lane_values import (
    UNKNOWN,
    Shared,
    Threads,
    Value,
    agreeing,
    computed,
    joined,
    of_lane,
    special_register,
    threads_of,
)

VOTES = ptx.VoteSyncOp | ptx.VoteSyncBallotOp | ptx.MatchSyncAllOp | ptx.ReduxSyncOp
"""Operations whose results are the same in all threads of their mask."""


class Uniformity:
    """
    The uniformity of a kernel: the value of each condition, and of the values `asked`, in the
    threads of a CTA; for each block, by number, which threads execute it `together`: the whole CTA,
    whole warps, or perhaps less.
    """

    def __init__(self, kernel: KernelOp, asked: Iterable[SSAValue] = ()):
        self.graph = ControlFlowGraph(kernel.body)
        self.threads = threads_of(kernel)
        self._has_local = any(local_variables(kernel))
        self.together = [Shared.CTA] * len(self.graph.blocks)
        self.conditions = [_condition(block) for block in self.graph.blocks]
        """The predicate of the branch at the end of each block; None if it has none."""
        self._values: dict[SSAValue, Value] = {}
        self._inputs: dict[Operation, list[Value]] = {}
        self._incoming: dict[SSAValue, list[tuple[int, SSAValue]]] = {}
        self.operations = [[*block.ops] for block in self.graph.blocks]
        """The operations of each block."""
        guards = [op for ops in self.operations for op in ops if type(op) is GuardOp]
        self._exits = [
            (block, op.predicate)
            for block, ops in enumerate(self.operations)
            for op in ops
            if type(op) is GuardOp and ends_threads(op)
        ]
        roots = [*filter(None, self.conditions), *(op.predicate for op in guards), *asked]
        needed = closure(roots, self._sources)
        definitions = {id(value.owner) for value in needed}
        self._steps = [
            (
                [each for each in block.args if each in needed],
                [op for op in ops if id(op) in definitions],
            )
            for block, ops in zip(self.graph.blocks, self.operations, strict=True)
        ]
        while self._changes_values() | self._changes_blocks():
            pass
        self._uncertain = self._decided_by_data()

    def value(self, value: SSAValue) -> Value:
        """The value of a condition, or of a value that was asked for, in the threads."""
        return self._values.get(value, UNKNOWN)

    def is_certain(self, block: int) -> bool:
        """Whether only known conditions, and conditions on which the CTA agrees, decide which
        threads execute a block."""
        return block not in self._uncertain

    def _sources(self, value: SSAValue) -> Iterable[SSAValue]:
        """The values from which a value is computed."""
        owner = value.owner
        if isinstance(owner, Block):
            return [each for _, each in self._passed(value)]
        if isinstance(owner, ptx.LdOp):
            return (owner.address,)
        if isinstance(owner, VOTES):
            return (owner.mask,)
        return owner.operands if _is_pure(type(owner)) or type(owner) is ptx.ShflSyncOp else ()

    def _passed(self, argument: SSAValue) -> list[tuple[int, SSAValue]]:
        """The values passed to an argument of a block, each with the block that passes it."""
        if (known := self._incoming.get(argument)) is not None:
            return known
        found = [(before, value) for before, _, value in self.graph.passed(argument)]
        self._incoming[argument] = found
        return found

    def _changes_values(self) -> bool:
        """Compute all values that are needed; returns whether one has changed."""
        changed = False
        for block, (arguments, ops) in enumerate(self._steps):
            for argument in arguments:
                changed |= self._set(argument, self._argument(block, argument))
            for op in ops:
                operands = [self.value(each) for each in self._sources(op.results[0])]
                if self._inputs.get(op) == operands and _is_pure(type(op)):
                    continue
                self._inputs[op] = operands
                for result in op.results:
                    found = self._result(op, result, operands)
                    changed |= self._set(result, self._executed(op, found, block))
        return changed

    def _set(self, value: SSAValue, found: Value | None) -> bool:
        before = self._values.get(value)
        if found is None or found == before:
            return False
        self._values[value] = found
        return True

    def _argument(self, block: int, argument: SSAValue) -> Value | None:
        """The value of an argument of a block; None if no value passed to it is known yet."""
        if block == 0:
            return Value(Shared.CTA)
        passed = self._passed(argument)
        if len({each for _, each in passed}) == 1:
            return self._values.get(passed[0][1])
        found = self._values.get(argument)
        choice = max((self.together[before] for before, _ in passed), default=Shared.CTA)
        for before, each in passed:
            condition = self.conditions[before]
            if condition is not None and len(set(self.graph.successors[before])) == 1:
                choice = max(choice, self.value(condition).agreement)
            if (value := self._values.get(each)) is not None:
                found = value if found is None else joined(found, value, choice)
        return found

    def _executed(self, op: Operation, found: Value, block: int) -> Value:
        """The result of an instruction in a block. Threads that do not execute it together may
        execute it at different times, and get different results."""
        if _is_pure(type(op)) or found.shared in (Shared.KNOWN, Shared.NONE):
            return found
        shared = max(found.shared, self.together[block])
        return UNKNOWN if shared is Shared.NONE else found._replace(shared=shared)

    def _result(self, op: Operation, result: SSAValue, operands: list[Value]) -> Value:
        kind = type(op)
        if kind is ConstantOp:
            bits = constant_bits(result)
            return Value(Shared.CTA) if bits is None else Value(Shared.KNOWN, (bits,))
        if kind is AddressOfOp or kind is VariableAddressOp:
            return Value(Shared.CTA)
        if isinstance(op, ptx.SpecialRegisterOp | ptx.SpecialRegisterVolatileOp):
            return special_register(op.register.data, self.threads)
        if _is_pure(kind):
            return computed(op, operands)
        if isinstance(op, ptx.LdOp) and operands[0].agreement is not Shared.NONE:
            is_parameter = isinstance(op.address.type, ParamArrayType)
            if self._is_local(op):
                return UNKNOWN
            return agreeing(operands) if is_parameter else Value(Shared.WARP)
        if isinstance(op, ptx.ShflSyncOp):
            return _shuffled(op, result, operands)
        if isinstance(op, VOTES):
            return UNKNOWN if operands[0].agreement is Shared.NONE else Value(Shared.WARP)
        if isinstance(op, ptx.ElectSyncOp):
            return _elected(op, result, self.threads)
        return UNKNOWN

    def _is_local(self, op: ptx.LdOp) -> bool:
        """Whether a load may be from local memory, which each thread has for itself."""
        if op.space is not None:
            return op.space.data == LOCAL
        return self._has_local

    def _changes_blocks(self) -> bool:
        """Compute which threads execute each block together; returns whether that has changed."""
        before = [*self.together]
        for exit_, condition in self._exits:
            remain = self.value(condition).agreement
            for block in self.graph.following(exit_):
                self.together[block] = max(self.together[block], remain)
        pending = [*range(len(self.together))]
        while pending:
            branch = pending.pop()
            condition = self.conditions[branch]
            if not self.graph.ends(branch):
                self.together[branch] = Shared.NONE
            elif condition is not None:
                agreement = max(self.value(condition).agreement, self.together[branch])
                for block in self.graph.controlled(branch):
                    if self.together[block] < agreement:
                        self.together[block] = agreement
                        pending.append(block)
        return self.together != before

    def _decided_by_data(self) -> set[int]:
        """The blocks that are not certain."""
        if self._exits:
            return {*range(len(self.together))}
        deciding = [
            block
            for branch, condition in enumerate(self.conditions)
            if condition is not None and self.value(condition).shared > Shared.CTA
            for block in self.graph.controlled(branch)
        ]
        return closure(deciding, self.graph.controlled)


@cache
def _is_pure(op_type: type[Operation]) -> bool:
    """Whether an operation only computes; cached, because checks of abstract classes are slow."""
    return issubclass(op_type, PureInstruction | ConstantOp | AddressOfOp | VariableAddressOp)


def _condition(block: Block) -> SSAValue | None:
    branch = block.last_op
    return branch.predicate if isinstance(branch, CondBraOp) else None


def ends_threads(guard: GuardOp) -> bool:
    """Whether a guard ends the threads for which its predicate holds."""
    return any(isinstance(op, ptx.ExitOp | ptx.RetOp) for op in guard.body.block.ops)


def _shuffled(op: ptx.ShflSyncOp, result: SSAValue, operands: list[Value]) -> Value:
    """A result of shfl: known if all lanes read the same one."""
    value, lane, clamp, mask = operands
    bounds = None if clamp.constant is None else ShuffleBounds.decode(clamp.constant)
    last = WARP_LANES - 1
    if (
        op.mode.data != "idx"
        or bounds != (last, 0)
        or mask.constant != (1 << WARP_LANES) - 1
        or lane.constant is None
    ):
        return UNKNOWN
    return of_lane(value, lane.constant & last) if result is op.d else Value(Shared.KNOWN, (1,))


def _elected(op: ptx.ElectSyncOp, result: SSAValue, threads: Threads) -> Value:
    if result is op.leader:
        return Value(Shared.WARP)
    several = all(warp.bit_count() > 1 for warp in threads.warps())
    return UNKNOWN._replace(if_true=several, if_false=several)
