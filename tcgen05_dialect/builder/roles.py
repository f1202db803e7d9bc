"""Roles: the programs of some warps, and the methods that they share with kernels."""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, overload

from xdsl.dialects.builtin import VectorType, f32, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ..operations import ws
from ..xdsl_support.construction import value_of as value_in
from .buffers import BuffersT, Ring, Token
from .checks import Checked, check_positive
from .insertion import Insertion
from .regions import Branch, Held, loop
from .values import Handle, Index, Number, Value, check_condition, value_of

Kind: TypeAlias = Literal["tma", "mma", "threads"]
"""Who works on the buffers of a stage."""
Shape: TypeAlias = Annotated[
    tuple[Index, Index], "the two extents of a matrix, such as (m, n), each a value or an int"
]


class Scope(Checked):
    """A kernel or a role: where loops and conditions may be."""

    def __init__(self, insertion: Insertion) -> None:
        self._insertion = insertion

    def constant(self, number: float, type_: Attribute | None = None) -> Value:
        """A constant of a number or of a vector, by default an i32 or, of a float, an f32."""
        return Value(self._insertion, self._insertion.constant(number, type_))

    def value(self, result: Operation | SSAValue | Value) -> Value:
        """The value of an operation of any dialect, with the operators of Python."""
        return Value(self._insertion, value_in(result, "value"))

    def range(self, *bounds: Number) -> Held[Value]:
        """
        A loop over `range(stop)`, `range(start, stop)` or `range(start, stop, step)`, for `for` or
        `with`. Python executes its body once.
        """
        held = loop(self._insertion, _three(bounds), ())
        return held.with_entered(lambda values: values[0])

    @overload
    def carry(self, *bounds: Number, values: Sequence[Number]) -> Held[tuple[Value, ...]]: ...
    @overload
    def carry(
        self, *bounds: Number, values: Sequence[Number | Handle]
    ) -> Held[tuple[Any, ...]]: ...
    def carry(self, *bounds: Number, values: Sequence[Number | Handle]) -> Held[tuple[Any, ...]]:
        """
        A loop that carries values, tokens and buffers. The region begins with the loop counter and
        the carried values; `give` passes values to the next iteration, and `results` holds those
        of the last one. The bounds are as for `range`.
        """
        return loop(self._insertion, _three(bounds), values)

    def _extents(
        self, shape: Shape, stride: Index | None
    ) -> tuple[SSAValue, SSAValue, SSAValue | None]:
        """The rows, the columns, and the stride if it is given."""
        rows, columns = (value_of(self._insertion, each, i32) for each in shape)
        return rows, columns, None if stride is None else value_of(self._insertion, stride, i32)

    def if_(self, condition: Value) -> Branch:
        """The region for a condition that holds. Raises TypeError for what is no condition."""
        check_condition(condition)
        return Branch(self._insertion, condition)

    def store(
        self,
        vector: Value,
        pointer: Value,
        row: Index,
        column: Index,
        shape: Shape,
        stride: Index | None = None,
    ) -> None:
        """
        Store the vector of each thread to a row of a row-major matrix in global memory, with the
        extents `shape`. Nothing is stored outside of the matrix. `stride` is the leading dimension,
        by default the number of columns.
        """
        rows, columns, leading = self._extents(shape, stride)
        with self._insertion.here():
            ws.GlobalStoreOp(vector, pointer, rows, columns, [row, column], stride=leading)

    def load(
        self,
        pointer: Value,
        row: Index,
        column: Index,
        count: int,
        shape: Shape,
        element: Attribute = f32,
        stride: Index | None = None,
    ) -> Value:
        """
        Load `count` elements for each thread from a row of a row-major matrix in global memory,
        with the extents `shape`. Elements outside of the matrix are zero. `stride` is the leading
        dimension, by default the number of columns.
        """
        rows, columns, leading = self._extents(shape, stride)
        check_positive("count", count)
        type_ = VectorType(element, [count])
        with self._insertion.here():
            op = ws.GlobalLoadOp(
                pointer, rows, columns, [row, column], stride=leading, result_type=type_
            )
        return Value(self._insertion, op.result)


def _three(bounds: Sequence[Number]) -> Sequence[Number]:
    match bounds:
        case (stop,):
            return 0, stop, 1
        case (start, stop):
            return start, stop, 1
        case (_, _, _):
            return bounds
        case _:
            raise TypeError(f"a range has one to three bounds; found {len(bounds)}")


class Role(Scope):
    """The program of some warps."""

    KIND: ClassVar[str] = "a role"

    def __init__(self, insertion: Insertion, block: Block) -> None:
        super().__init__(insertion)
        self._block = block

    @property
    def thread(self) -> Value:
        """The number of the thread in the role."""
        if not self._block.args:
            self._block.insert_arg(i32, 0).name_hint = "t"
        return Value(self._insertion, self._block.args[0])

    def produce(self, ring: Ring[BuffersT], by: Kind) -> Held[BuffersT]:
        """Fill the next stage of a ring."""
        return self._hold(ws.ProduceOp, ring, by)

    def consume(self, ring: Ring[BuffersT], by: Kind) -> Held[BuffersT]:
        """Use the next stage of a ring."""
        return self._hold(ws.ConsumeOp, ring, by)

    def acquire(self, ring: Ring[BuffersT], by: Kind) -> tuple[Token, BuffersT]:
        """Take the next stage of a ring, to produce it: a token, and the buffers of the stage."""
        return self._take(ws.ProducerAcquireOp, ring, by)

    def wait(self, ring: Ring[BuffersT], by: Kind) -> tuple[Token, BuffersT]:
        """Take the next stage of a ring, to consume it: a token, and the buffers of the stage."""
        return self._take(ws.ConsumerWaitOp, ring, by)

    def _take(
        self,
        op_type: type[ws.ProducerAcquireOp | ws.ConsumerWaitOp],
        ring: Ring[BuffersT],
        by: Kind,
    ) -> tuple[Token, BuffersT]:
        with self._insertion.here():
            op = op_type(ring, by=by)
        return Token(self._insertion, op.token), ring.held(op.held)

    def _hold(
        self, op_type: type[ws.ProduceOp | ws.ConsumeOp], ring: Ring[BuffersT], by: Kind
    ) -> Held[BuffersT]:
        def finish(block: Block, given: Sequence[SSAValue]) -> Operation:
            with self._insertion.inside(block):
                ws.YieldOp(given)
            types = [each.type for each in given]
            return op_type(ring, by=by, result_types=types, body=block)

        return Held(self._insertion, ring.buffers, lambda block: ring.held(block.args), finish)

    def elected(self) -> Held[None]:
        """Raw operations of TMA and tcgen05 that one thread of the role executes."""
        elected: Held[None] = Held(
            self._insertion, (), lambda _: None, lambda block, _: ws.ElectedOp(body=block)
        )
        return elected.without_results()

    def barrier(self) -> None:
        """A barrier of all threads of the role."""
        with self._insertion.here():
            ws.RoleBarrierOp()
