"""Kernels and their roles."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, overload

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FixedBitwidthType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ..isa.shared_memory.layout import MAJORS
from ..isa.shared_memory.tensor_map import ELEMENTS, Box
from ..operations import ptx, ws
from ..ptx.contract import AT_LEAST, MULTIPLE_OF, SAME_ARRAY
from ..ptx.types import TensorMapType
from ..tcgen05.types import ELEMENT_TYPES, TensorMemoryType
from ..ws.types import RingType, SharedTileType
from .buffers import BuffersT, Map, Matrix, Ring, Tile, Token, buffer_for, indices, tile
from .insertion import Insertion, users_place
from .regions import Branch, Held, loop
from .values import Handle, Number, Value

Kind: TypeAlias = Literal["tma", "mma", "threads"]
"""Who works on the buffers of a stage."""


class _Scope:
    """A kernel or a role: where loops and conditions may be."""

    def __init__(self, insertion: Insertion) -> None:
        self._insertion = insertion

    def constant(self, number: float, type_: Attribute = i32) -> Value:
        """A constant."""
        return Value(self._insertion, self._insertion.constant(number, type_))

    def value(self, result: Operation | SSAValue) -> Value:
        """The value of an operation of any dialect, with the operators of Python."""
        return Value(self._insertion, SSAValue.get(result))

    def range(self, *bounds: Number) -> Held[Value]:
        """
        A loop over `range(stop)`, `range(start, stop)` or `range(start, stop, step)`, for `for` or
        `with`. Python executes its body once.
        """
        held = loop(self._insertion, _three(bounds), ())
        return held.with_entered(lambda values: values[0])

    @overload
    def carry(self, *bounds: Number, values: Sequence[Value]) -> Held[tuple[Value, ...]]: ...
    @overload
    def carry(self, *bounds: Number, values: Sequence[Handle]) -> Held[tuple[Any, ...]]: ...
    def carry(self, *bounds: Number, values: Sequence[Handle]) -> Held[tuple[Any, ...]]:
        """
        A loop that carries values, tokens and buffers: the region has its number and what it
        carries, gives the next ones, and `results` are the last ones. The bounds are as for
        `range`.
        """
        return loop(self._insertion, _three(bounds), values)

    def if_(self, condition: Value) -> Branch:
        """The operations for a condition that holds."""
        return Branch(self._insertion, condition)

    def store(
        self, vector: Value, pointer: Value, row: Number, column: Number, shape: Sequence[Value]
    ) -> None:
        """Store the vector of each thread to a row of a row-major matrix in global memory."""
        rows, columns = shape
        with self._insertion.here():
            ws.GlobalStoreOp(vector, pointer, rows, columns, indices(row, column))

    def load(
        self, pointer: Value, row: Number, column: Number, shape: Sequence[Value], type_: Attribute
    ) -> Value:
        """Load a vector for each thread from a row of a row-major matrix in global memory."""
        rows, columns = shape
        with self._insertion.here():
            op = ws.GlobalLoadOp(pointer, rows, columns, indices(row, column), result_type=type_)
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


class Role(_Scope):
    """The program of some warps."""

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
        return Held(self._insertion, (), lambda _: None, lambda block, _: ws.ElectedOp(body=block))

    def barrier(self) -> None:
        """A barrier of all threads of the role."""
        with self._insertion.here():
            ws.RoleBarrierOp()


class Kernel(_Scope):
    """
    A kernel of `ws`.

    Operations of any dialect that are created inside the `with` statement of a region are inserted
    into the region. The location of an operation is the line that creates it.
    """

    def __init__(self, name: str, cluster: Sequence[int] = ()) -> None:
        self.op = ptx.KernelOp(sym_name=name, cluster_dims=list(cluster) or None)
        """The operation of the kernel."""
        self.op.location = users_place() or self.op.location
        self._block = self.op.body.block
        self._contracts: list[DictionaryAttr] = []
        super().__init__(Insertion(self._block))

    def parameter(
        self,
        name: str,
        type_: Attribute = i32,
        at_least: int | None = None,
        multiple_of: int | None = None,
        same_array: str | None = None,
    ) -> Value:
        """The next parameter, and its contract."""
        return Value(
            self._insertion, self._parameter(name, type_, at_least, multiple_of, same_array)
        )

    def _parameter(
        self,
        name: str,
        type_: Attribute,
        at_least: int | None = None,
        multiple_of: int | None = None,
        same_array: str | None = None,
    ) -> SSAValue:
        given: dict[str, Attribute] = {
            key: IntegerAttr(number, i64)
            for key, number in ((AT_LEAST, at_least), (MULTIPLE_OF, multiple_of))
            if number is not None
        }
        if same_array is not None:
            given[SAME_ARRAY] = StringAttr(same_array)
        self._contracts.append(DictionaryAttr(given))
        argument = self._block.insert_arg(type_, len(self._block.args))
        argument.name_hint = name
        return argument

    def tensor_map(
        self,
        name: str,
        *extents: int,
        element: Attribute,
        major: str = MAJORS[0],
        swizzle: str | None = None,
        kind: str | None = None,
        same_array: str | None = None,
    ) -> Map:
        """
        The next parameter: the tensor map of a tensor with boxes of these extents, the contiguous
        one last.

        `tile` of the result is the type of a box in shared memory. `kind` is the element type of
        the tensor map, where it does not follow. The swizzle mode is by default the widest that
        fits.
        """
        own = tile(extents[-2], extents[-1], element, major, swizzle)
        kind = _kind(element) if kind is None else kind
        box = Box(tuple(reversed(extents)), kind, own.descriptor.swizzle.data)
        value = self._parameter(name, TensorMapType(box), same_array=same_array)
        return Map(self._insertion, value, own)

    @overload
    def ring(
        self, name: str, stages: int, buffer: SharedTileType, /, *, in_place: bool = ...
    ) -> Ring[Tile]: ...
    @overload
    def ring(
        self, name: str, stages: int, buffer: TensorMemoryType, /, *, in_place: bool = ...
    ) -> Ring[Matrix]: ...
    @overload
    def ring(
        self,
        name: str,
        stages: int,
        buffer: SharedTileType,
        second: SharedTileType,
        /,
        *more: SharedTileType,
    ) -> Ring[tuple[Tile, ...]]: ...
    @overload
    def ring(
        self,
        name: str,
        stages: int,
        buffer: TensorMemoryType,
        second: TensorMemoryType,
        /,
        *more: TensorMemoryType,
    ) -> Ring[tuple[Matrix, ...]]: ...
    def ring(self, name: str, stages: int, /, *buffers: Any, in_place: bool = False) -> Ring[Any]:
        """A ring of stages, each with these buffers; its barrier objects have its name. Raises
        TypeError without buffers."""
        if not buffers:
            raise TypeError(f"ring {name}: give the type of at least one buffer of a stage")
        with self._insertion.here():
            op = ws.RingOp(in_place=in_place, result_type=RingType.get(stages, buffers))
        op.ring.name_hint = name
        return Ring(self._insertion, op.ring)

    @overload
    def alloc(self, name: str, type_: SharedTileType) -> Tile: ...
    @overload
    def alloc(self, name: str, type_: TensorMemoryType) -> Matrix: ...
    def alloc(self, name: str, type_: SharedTileType | TensorMemoryType) -> Tile | Matrix:
        """A buffer of one role, or of the sequential form."""
        with self._insertion.here():
            op = ws.AllocOp(result_type=type_)
        op.buffer.name_hint = name
        return buffer_for(self._insertion, op.buffer)

    def warp_specialize(
        self,
        tiles: Sequence[tuple[Value, int]] = (),
        persistent: bool = False,
        clc: bool = False,
        pair: bool = False,
        group: int | None = None,
        **more: Any,
    ) -> Held[tuple[Value, ...]]:
        """
        The roles; the region has the number of the tile along each dimension of `tiles`, which are
        pairs of a size and the extent of a tile. `more` are other arguments of
        `ws.WarpSpecializeOp`.
        """

        def finish(block: Block, given: Sequence[SSAValue]) -> Operation:
            return ws.WarpSpecializeOp(
                [size for size, _ in tiles],
                extents=[extent for _, extent in tiles],
                persistent=persistent,
                clc=clc,
                pair=pair,
                group=group,
                body=block,
                **more,
            )

        def enter(block: Block) -> tuple[Value, ...]:
            return tuple(Value(self._insertion, each) for each in block.args)

        return Held(self._insertion, [i32] * len(tiles), enter, finish)

    def role(self, name: str, warps: int, leader: bool = False, **more: Any) -> Held[Role]:
        """The program of some warps; `more` are other arguments of `ws.RoleOp`."""

        def finish(block: Block, given: Sequence[SSAValue]) -> Operation:
            return ws.RoleOp(sym_name=name, warps=warps, leader=leader, body=block, **more)

        return Held(self._insertion, (), lambda block: Role(self._insertion, block), finish)

    def module(self) -> ModuleOp:
        """
        The module with this kernel. It is not verified; `check_source`, `compile_to_ptx` and
        `simulate` do that, and name the lines that created the operations.
        """
        if (left := self._insertion.left) is not None:
            place = f"{left.filename.data}:{left.line.data}"
            raise RuntimeError(f"{place}: break and return cannot leave a loop of a kernel")
        if not isinstance(self._block.last_op, ptx.RetOp):
            with self._insertion.here():
                ptx.RetOp()
        if any(each.data for each in self._contracts):
            self.op.arg_attrs = ArrayAttr[Attribute](self._contracts)
        return ModuleOp([self.op.clone()])


def _kind(element: Attribute) -> str:
    """The element type of a tensor map: that of the tile, or else bytes."""
    name = ELEMENT_TYPES[element].name
    if name in ELEMENTS:
        return name
    assert isinstance(element, FixedBitwidthType)
    return f"u{element.bitwidth}"
