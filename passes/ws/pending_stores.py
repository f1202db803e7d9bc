"""Stores to tensor memory that may be pending when a thread accesses the same columns again."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import NamedTuple, Self

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from tcgen05_dialect.tcgen05.tensor_memory import SliceOp
from tcgen05_dialect.tcgen05.wait import WaitOp
from tcgen05_dialect.ws.base import enclosing
from tcgen05_dialect.ws.ranges import Sum, difference, sum_of
from tcgen05_dialect.ws.regions import HoldOp
from tcgen05_dialect.ws.roles import RoleOp
from tcgen05_dialect.xdsl_support.shared_attributes import text

from .emitter import Emitter, Value, known

_REPEATED = (scf.ForOp, scf.WhileOp, RoleOp)


class _Access(NamedTuple):
    """The matrix, its first column, None if it is not known, and the number of columns."""

    matrix: SSAValue
    column: Sum | None
    length: int

    @classmethod
    def of(cls, matrix: SSAValue, column: Value, length: int) -> Self:
        whole = _whole(matrix)
        # A slice may count its columns in other elements.
        return cls(whole, sum_of(column) if whole is matrix else None, length)

    def may_meet(self, other: "_Access", stride: int | None = 0) -> bool:
        """
        Whether both may have a column in common. `stride` is how far their columns move from one
        iteration of a loop to the next, None if that is not known; they are of different ones.
        """
        if self.matrix is not other.matrix:
            return False
        distance = difference(other.column, self.column)
        if distance is None or stride is None:
            return True
        if stride == 0:
            return -other.length < distance < self.length
        return max(self.length, distance + other.length) - min(0, distance) > abs(stride)

    def stride(self, loop: Operation) -> int | None:
        """How far the columns move from one iteration to the next; None if it is not known."""
        stride: int | None = 0
        for source, factor in (self.column or {}).items():
            if source is None or not _is_inside(source, loop):
                continue
            if not isinstance(loop, scf.ForOp) or source is not loop.body.block.args[0]:
                return None
            step = known(loop.step)
            stride = None if step is None else factor * step
        return stride


def _whole(matrix: SSAValue) -> SSAValue:
    """The matrix of which another is a part."""
    while isinstance(owner := matrix.owner, SliceOp):
        matrix = owner.source
    return matrix


def _is_inside(value: SSAValue, op: Operation) -> bool:
    owner = value.owner
    around = owner.parent_op() if isinstance(owner, Block) else owner
    return around is op or any(each is op for each in enclosing(around))


class _Frame(NamedTuple):
    """
    An operation around what is appended: the stores that were pending before it, the number of
    accesses before it, and the stores that are pending at the ends of its regions.
    """

    op: Operation
    before: Sequence[_Access]
    accesses: int
    ends: list[Sequence[_Access]]


class PendingStores:
    """
    Appends waits for stores. The end of a stage waits for its stores; before that, a later access
    to the same columns needs a wait.
    """

    def __init__(self, emit: Emitter) -> None:
        self.emit = emit
        self._pending: list[_Access] = []
        self._accesses: list[_Access] = []
        self._frames: list[_Frame] = []

    @contextmanager
    def inside(self, op: Operation) -> Generator[None]:
        """Continue in the regions of an operation, and behind it."""
        frame = _Frame(op, [*self._pending], len(self._accesses), [])
        self._frames.append(frame)
        yield
        self._frames.pop()
        if not frame.ends:
            return
        may_be_skipped = isinstance(op, _REPEATED) or not all(each.blocks for each in op.regions)
        ends = [*frame.ends, *([frame.before] if may_be_skipped else [])]
        self._pending = [each for at, end in enumerate(ends) for each in _new(end, ends[:at])]
        if isinstance(op, HoldOp):
            self._pending = [each for each in self._pending if each.matrix not in op.buffers]

    def end(self) -> None:
        """End a region; the next iteration of a loop must not access what is still pending."""
        frame = self._frames[-1]
        if isinstance(frame.op, _REPEATED):
            later = self._accesses[frame.accesses :]
            strides = [(store, store.stride(frame.op)) for store in self._pending]
            if any(store.may_meet(each, at) for store, at in strides for each in later):
                self._wait()
        frame.ends.append(self._pending)
        if isinstance(frame.op, scf.IfOp):
            self._pending = [*frame.before]

    def access(self, matrix: SSAValue, column: Value, length: int) -> None:
        """Wait before an access, if a store to the same columns may be pending."""
        access = _Access.of(matrix, column, length)
        if any(store.may_meet(access) for store in self._pending):
            self._wait()
        self._accesses.append(access)

    def store(self, matrix: SSAValue, column: Value, length: int) -> None:
        """Record a store, for which `access` has waited."""
        self._pending.append(_Access.of(matrix, column, length))

    def settle(self, values: Iterable[SSAValue]) -> None:
        """Wait for pending stores to the matrices among some values."""
        matrices = {*map(_whole, values)}
        if any(each.matrix in matrices for each in self._pending):
            self._wait()

    def _wait(self) -> None:
        self.emit.make(WaitOp, properties={"operation": text("st")})
        self._pending = []


def _new(end: Sequence[_Access], others: Sequence[Sequence[_Access]]) -> Sequence[_Access]:
    return [each for each in end if not any(each in other for other in others)]
