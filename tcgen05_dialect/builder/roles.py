"""
Roles and their regions as context managers, the results of regions, and the Python variables that a
loop should carry.

Python executes the body of a loop once. A variable that the body reads and then changes therefore
has its first value in every iteration, unless the loop carries it.
"""

import dis
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from types import CodeType, FrameType, TracebackType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    Literal,
    NamedTuple,
    Self,
    TypeAlias,
    cast,
    overload,
)

from typing_extensions import TypeVar
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    VectorType,
    f32,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.rewriter import Rewriter

from ..isa.model.rule import plural
from ..isa.ptx.kernel import STEP_RULE
from ..operations import ws
from ..ptx.analysis.known_values import constant_value
from ..ws.base import Buffer, TokenType
from ..xdsl_support.construction import value_of as value_in
from .buffers import BuffersT, Ring, Token, handle_for
from .insertion import Checked, Insertion, check_positive, users_frame, users_place
from .values import Handle, Index, Number, Value, check_condition, value_of

_ACCESS = re.compile("(LOAD|STORE)_(?:FAST|NAME|GLOBAL|DEREF)")
"""An access to a variable in the name of an instruction of Python, which may make two."""


class Variables(NamedTuple):
    """The variables of the user's function at the beginning of a loop."""

    frame: FrameType
    held: Mapping[str, object]
    start: int
    """The offset of the instruction that enters the loop."""

    @staticmethod
    def now() -> "Variables | None":
        """The variables of the user's function that is executed."""
        frame = users_frame()
        return None if frame is None else Variables(frame, dict(frame.f_locals), frame.f_lasti)

    def check_carried(self, block: Block) -> None:
        """Raise ValueError at the end of a loop that should carry a variable; `block` is its
        body."""
        if users_frame() is not self.frame:
            return
        now = self.frame.f_locals
        for name in _changed(self.frame.f_code, self.start, self.frame.f_lasti):
            before, after = self.held.get(name), now.get(name)
            if (
                isinstance(after, Handle)
                and after is not before
                and block.is_ancestor(after.ssa_value.owner)
                and _is_used(before, block)
            ):
                raise ValueError(
                    f"the loop reads the variable {name} and then changes it, but Python executes "
                    f"the body once: every iteration would read the first value. Let the loop "
                    f"carry it: loop = role.carry(..., values=[{name}]); with loop as (index, "
                    f"{name}): ...; loop.give(the next value), and loop.results after the loop"
                )


def _changed(code: CodeType, start: int, end: int) -> Iterator[str]:
    """The variables that the instructions of the body of a loop write, and whose first occurrence
    there is a read."""
    first: dict[str, str] = {}
    for each in dis.get_instructions(code):
        if each.offset == start and each.opname.startswith("FOR_ITER"):
            end = each.argval
        if start < each.offset < end:
            given: object = each.argval
            names = cast("tuple[str, ...]", given if isinstance(given, tuple) else (given,))
            for access, name in zip(_ACCESS.findall(each.opname), names, strict=False):
                if first.setdefault(name, access) == "LOAD" and access == "STORE":
                    yield name


def _is_used(before: object, block: Block) -> bool:
    """Whether operations in a block use what a variable held: a value, or a number."""
    operands = (value for op in block.walk() for value in op.operands)
    if isinstance(before, Handle):
        return before.ssa_value in operands
    return isinstance(before, int | float) and any(
        isinstance(value.owner, arith.ConstantOp) and _number(value.owner.value) == before
        for value in operands
    )


def _number(attribute: Attribute) -> object:
    match attribute:
        case IntegerAttr(value=value) | FloatAttr(value=value):
            return value.data
        case DenseIntOrFPElementsAttr():
            return next(iter(attribute.get_values()), None)
        case _:
            return None


GivenT = TypeVar("GivenT", covariant=True)
OtherT = TypeVar("OtherT")
_Finish = Callable[[Block, Sequence[SSAValue]], Operation]


class Held(Checked, Generic[GivenT]):
    """
    A region of a kernel: operations that are created inside `with`, or inside the `for` of a loop,
    are in its block.

    A region may give values: `results` holds those of `give` after the region.
    """

    def __init__(
        self,
        insertion: Insertion,
        arguments: Sequence[Attribute],
        enter: Callable[[Block], GivenT],
        finish: _Finish,
    ) -> None:
        self._insertion = insertion
        self._block = Block(arg_types=arguments)
        self._enter, self._finish = enter, finish
        self._place = users_place()
        self._given: list[SSAValue] = []
        self._gives = True
        self._stack = ExitStack()
        self.op: Operation | None = None
        """The operation, after the region."""

    def __enter__(self) -> GivenT:
        if self._block.parent is not None:
            raise RuntimeError("a region is entered once: make another one")
        self._stack.enter_context(self._insertion.inside(self._block))
        return self._enter(self._block)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()
        if error is not None:
            if isinstance(error, GeneratorExit):
                self._insertion.left = self._place
            return
        with self._insertion.here():
            self.op = self._finish(self._block, self._given)
        if self._place is not None:
            self.op.location = self._place

    def __iter__(self) -> Iterator[GivenT]:
        """The region as the body of `for`, which Python executes once."""
        with self as given:
            yield given

    def without_results(self) -> Self:
        """The same region, in which `give` raises TypeError."""
        self._gives = False
        return self

    def with_entered(self, enter: Callable[[GivenT], OtherT]) -> "Held[OtherT]":
        """The same region, which begins with something else."""
        before = self._enter
        return Held(
            self._insertion,
            [each.type for each in self._block.args],
            lambda block: enter(before(block)),
            self._finish,
        )

    def give(self, *values: Number | Handle) -> None:
        """Give values, as the last statement of the region. Raises TypeError for a region that has
        no results, such as a role."""
        if not self._gives:
            raise TypeError(
                "this region gives no values: give them in role.carry, role.if_, role.produce or "
                "role.consume"
            )
        self._given = [value_of(self._insertion, each) for each in values]

    @property
    def results(self) -> list[Any]:
        """The values, tokens and buffers that the region gave. Raises RuntimeError inside the
        region."""
        if self.op is None:
            raise RuntimeError("the results of a region are known after the region")
        return [handle_for(self._insertion, each) for each in self.op.results]


class Branch(Held["Branch"]):
    """The region for a condition that holds; `otherwise` is the one for a condition that does not.
    Entering the region returns the region itself, for `give`."""

    def __init__(self, insertion: Insertion, condition: Value) -> None:
        def finish(block: Block, given: Sequence[SSAValue]) -> Operation:
            with insertion.inside(block):
                scf.YieldOp(*given)
            types = [each.type for each in given]
            return scf.IfOp(condition.ssa_value, types, Region(block))

        super().__init__(insertion, (), lambda _: self, finish)

    def otherwise(self) -> Held[Held[Any]]:
        """The region for a condition that does not hold; it gives as many values."""

        def finish(block: Block, given: Sequence[SSAValue]) -> Operation:
            op = self.op
            if not isinstance(op, scf.IfOp) or op.false_region.blocks:
                raise RuntimeError("`otherwise` comes once, after the region of the condition")
            with self._insertion.inside(block):
                scf.YieldOp(*given)
            op.false_region.add_block(block)
            return op

        region: Held[Held[Any]] = Held(self._insertion, (), lambda _: region, finish)
        return region


def loop(
    insertion: Insertion, bounds: Sequence[Number], carried: Sequence[Number | Handle]
) -> Held[tuple[Any, ...]]:
    """A loop from a start to a stop by a step: its counter, and the values that it carries. Raises
    TypeError for bounds of different types, and Violation for a step that is not positive."""
    typed = [each for each in bounds if isinstance(each, Value)]
    type_ = typed[0].type if typed else i32
    start, stop, step = (value_of(insertion, each, type_) for each in bounds)
    if len({start.type, stop.type, step.type}) > 1:
        raise TypeError(f"the bounds of a loop have different types: {typed}")
    number = constant_value(step)
    if number is not None and number < 1:
        raise STEP_RULE.violation(number, "a positive number")
    first = [value_of(insertion, each) for each in carried]
    entered: list[Variables | None] = []

    def enter(block: Block) -> tuple[Any, ...]:
        entered.append(Variables.now())
        return tuple(handle_for(insertion, each) for each in block.args)

    def finish(block: Block, given: Sequence[SSAValue]) -> Operation:
        if (variables := entered.pop()) is not None:
            variables.check_carried(block)
        if len(given) != len(first):
            raise TypeError(
                f"the loop carries {len(first)} {plural('value', len(first))}, and give got "
                f"{len(given)}"
            )
        with insertion.inside(block):
            scf.YieldOp(*given)
        return scf.ForOp(start, stop, step, first, block)

    arguments = [type_, *(each.type for each in first)]
    return Held(insertion, arguments, enter, finish)


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
        """A loop over `range(stop)`, `range(start, stop)` or `range(start, stop, step)`, for `for`
        or `with`. Python executes its body once."""
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


def give_used_values(kernel: Operation) -> None:
    """
    Let productions and consumptions give the values that are used after them.

    In Python, a variable of a `with` statement lives on after it; in IR, its value must be a result
    of the operation. Buffers and tokens of a region remain in it.
    """
    # The innermost region first: its results may be used after the next one, too.
    for op in reversed([*kernel.walk()]):
        if isinstance(op, ws.ProduceOp | ws.ConsumeOp):
            used = [
                result
                for inner in op.body.block.ops
                for result in inner.results
                if not isinstance(result.type, Buffer | TokenType)
                and not all(_is_in_region(use.operation, op) for use in result.uses)
            ]
            if used:
                _give(op, used)


def _is_in_region(op: Operation, around: ws.ProduceOp | ws.ConsumeOp) -> bool:
    return around.body.block.find_ancestor_op_in_block(op) is not None


def _give(op: ws.ProduceOp | ws.ConsumeOp, values: Sequence[OpResult]) -> None:
    """Replace an operation by one that gives these values, too."""
    end = op.body.block.last_op
    assert isinstance(end, ws.YieldOp)
    end.operands = [*end.operands, *values]
    new = type(op).create(
        operands=op.operands,
        result_types=[each.type for each in (*op.results, *values)],
        properties=op.properties,
        attributes=op.attributes,
        regions=[op.detach_region(0)],
        location=op.location,
    )
    results = new.results[len(op.results) :]
    Rewriter.replace_op(op, new, new.results[: len(op.results)])
    for value, result in zip(values, results, strict=True):
        value.replace_uses_with_if(result, lambda use: not _is_in_region(use.operation, new))
