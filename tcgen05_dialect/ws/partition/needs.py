"""What a role needs of the sequential form: its operations, the control around them, and the values
that it computes for itself (T5-WS-031)."""

from collections.abc import Set

from xdsl.dialects import scf
from xdsl.dialects.arith import ConstantOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator

from ...isa.warp_specialization import VALUE_RULE
from ...ptx.types import TensorMapType
from ..base import buffer_of, enclosing, only_computes
from ..holdings import THREADS
from ..mma import MmaOp
from ..roles import RoleOp
from ..uniform import thread_source
from ..vectors import GlobalLoadOp, GlobalStoreOp
from .kinds import ROLES, Refusal, kind_of, with_line


class Needs:
    """
    The operations that a role needs, and the results of loops and conditionals: pairs of an
    operation and the number of a result. `implicit` are products that need no condition.
    """

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
            if not self._is_inside(owner):
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

    def _is_inside(self, op: Operation) -> bool:
        return any(each is self.role for each in enclosing(op))

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
        raise Refusal(op, VALUE_RULE.violation(None, None, sentence=sentence))

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
                    raise Refusal(op, VALUE_RULE.violation(None, None, sentence=sentence))

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
    found: set[SSAValue] = set()
    pending = [pointer]
    while pending:
        value = pending.pop()
        if value in found or value.type != pointer.type:
            continue
        found.add(value)
        op = value.owner if isinstance(value, OpResult) else value.owner.parent_op()
        is_result = isinstance(value, OpResult)
        if isinstance(op, scf.ForOp) or (
            is_result and op is not None and (isinstance(op, scf.IfOp) or only_computes(op))
        ):
            pending.extend(each for inner in op.walk() for each in inner.operands)
    # Equal constants make no pointers equal.
    return {each for each in found if not isinstance(each.owner, ConstantOp)}


def _opaque(op: Operation) -> list[Operation]:
    """The operations around one that are neither loops, conditionals nor roles."""
    found: list[Operation] = []
    for each in enclosing(op):
        if isinstance(each, scf.ForOp | scf.IfOp | RoleOp):
            break
        found.append(each)
    return found
