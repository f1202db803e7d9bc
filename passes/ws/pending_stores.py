"""Stores to tensor memory that may be pending when a thread accesses the same columns again."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from xdsl.dialects import scf
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue

from tcgen05_dialect.tcgen05.wait import WaitOp
from tcgen05_dialect.ws.regions import HoldOp

from .emitter import Emitter, Value, known


class PendingStores:
    """
    Appends waits for stores. The end of a stage waits for its stores; before that, a later access
    to the same columns needs a wait.
    """

    def __init__(self, emit: Emitter, is_repeated: bool) -> None:
        self.emit = emit
        self._pending: list[tuple[SSAValue, Value, int]] = []
        self._is_repeated = is_repeated

    @contextmanager
    def inside(self, op: Operation) -> Generator[None]:
        """Continue in the regions of an operation."""
        before = self._is_repeated
        if isinstance(op, scf.ForOp | HoldOp):
            self._is_repeated = isinstance(op, scf.ForOp)
        yield
        self._is_repeated = before
        if isinstance(op, HoldOp):
            self._pending = [each for each in self._pending if each[0] not in op.buffers]

    def access(self, matrix: SSAValue, column: Value, length: int) -> None:
        """Wait before an access, if a store to the same columns may be pending."""
        if any(
            other is matrix and _may_overlap((first, count), (column, length))
            for other, first, count in self._pending
        ):
            self._wait()

    def store(self, matrix: SSAValue, column: Value, length: int) -> None:
        """Record a store. In a loop, the next iteration stores to the same constant columns."""
        self._pending.append((matrix, column, length))
        if self._is_repeated and known(column) is not None:
            self._wait()

    def pass_on(self, values: Sequence[SSAValue]) -> None:
        """Wait before matrices with pending stores get other names, in control flow."""
        if any(matrix in values for matrix, _, _ in self._pending):
            self._wait()

    def _wait(self) -> None:
        self.emit.add(WaitOp.create(properties={"operation": StringAttr("st")}))
        self._pending = []


def _may_overlap(a: tuple[Value, int], b: tuple[Value, int]) -> bool:
    first, second = known(a[0]), known(b[0])
    if first is None or second is None:
        return True
    return first < second + b[1] and second < first + a[1]
