"""Tensor maps, tiles in shared memory, matrices in tensor memory, rings, and tokens."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, TypeAlias, cast

from typing_extensions import TypeVar
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, SSAValue

from ..operations import ws
from ..tcgen05.types import TensorMemoryType
from ..ws.base import Buffer, RingType, SharedTileType, TokenType
from .insertion import Checked, Insertion, check_positive, checked
from .values import Handle, Index, Value

BuffersT = TypeVar("BuffersT")
Reduction: TypeAlias = Literal["add", "and", "dec", "inc", "max", "min", "or", "xor"]
"""How a store combines a tile with the tensor."""


@dataclass(frozen=True)
class Half(Checked):
    """The index of a tile of which each CTA of a pair has one half."""

    KIND: ClassVar[str] = "half(index)"
    index: Index


@checked
def half(index: Index) -> Half:
    """The half of this CTA of the tile `index` of a pair."""
    return Half(index)


class Tile(Handle):
    """A tile in shared memory."""

    KIND: ClassVar[str] = "a tile in shared memory"

    def load(self, row: Index, column: int, count: int) -> Value:
        """`count` elements of a row of the tile, for each thread."""
        check_positive("count", count)
        type_ = cast(SharedTileType, self.type)
        vector = VectorType(type_.descriptor.element, [count])
        with self._insertion.here():
            op = ws.LocalLoadOp(self, [row, column], result_type=vector)
        return Value(self._insertion, op.result)

    def store(self, vector: Value, row: Index, column: int) -> None:
        """Store the vector of each thread to a row of the tile."""
        with self._insertion.here():
            ws.LocalStoreOp(vector, self, [row, column])

    @property
    def address(self) -> Value:
        """The address of the tile, for raw operations."""
        with self._insertion.here():
            return Value(self._insertion, ws.AddressOp(self).result)


class Matrix(Handle):
    """A matrix in tensor memory."""

    KIND: ClassVar[str] = "a matrix in tensor memory"

    def mma(
        self, a: "Tile | Matrix", b: Tile, accumulate: Value | None = None, **more: Any
    ) -> None:
        """Multiply two tiles into this accumulator; `more` are other arguments of `ws.MmaOp`."""
        with self._insertion.here():
            ws.MmaOp(self, a, b, accumulate=accumulate, **more)

    def copy(self, tile: Tile) -> None:
        """Copy scale factors or metadata from shared memory."""
        with self._insertion.here():
            ws.TmemCopyOp(tile, self)

    def load(self, column: Index, count: int) -> Value:
        """`count` columns of the row of each thread."""
        check_positive("count", count)
        vector = VectorType(cast(TensorMemoryType, self.type).element, [count])
        with self._insertion.here():
            op = ws.TmemLoadOp(self, [column], result_type=vector)
        return Value(self._insertion, op.result)

    def store(self, vector: Value, column: Index) -> None:
        """Store the vector of each thread to columns of its row."""
        with self._insertion.here():
            ws.TmemStoreOp(vector, self, [column])


class Map(Handle):
    """A tensor map, a parameter of a kernel; `tile` is the type of its box in shared memory."""

    KIND: ClassVar[str] = "a tensor map"

    def __init__(self, insertion: Insertion, value: SSAValue, tile: SharedTileType) -> None:
        super().__init__(insertion, value)
        self.tile = tile

    def load(
        self,
        tile: Tile,
        *index: Index | Half,
        elements: bool = False,
        rows: Value | Sequence[Value] = (),
        multicast: Literal["x", "y", "z"] | None = None,
    ) -> None:
        """
        Load a tile. The indices count tiles or, with `elements`, elements. The CTAs of a cluster
        along the dimension `multicast`, such as "x", load it together. `rows`, a vector of row
        numbers or a list of values, selects arbitrary rows of a matrix for the tile; then the only
        index is the one along the rows.
        """
        more = _where(index, elements, rows)
        with self._insertion.here():
            ws.TmaLoadOp(self, tile, _places(index), multicast=multicast, **more)

    def store(
        self,
        tile: Tile,
        *index: Index | Half,
        elements: bool = False,
        rows: Value | Sequence[Value] = (),
        reduction: Reduction | None = None,
    ) -> None:
        """Store a tile that the threads have written, or combine it with the tensor by `reduction`,
        such as "add"; see `load`."""
        more = _where(index, elements, rows)
        with self._insertion.here():
            ws.TmaStoreOp(self, tile, _places(index), reduction=reduction, **more)


def _places(index: Sequence[Index | Half]) -> list[Index]:
    return [each.index if isinstance(each, Half) else each for each in index]


def _where(
    index: Sequence[Index | Half], elements: bool, rows: Value | Sequence[Value]
) -> dict[str, Any]:
    """The arguments of a copy by TMA that say what the indices mean."""
    halves = [int(isinstance(each, Half)) for each in index]
    listed = [rows] if isinstance(rows, Value) else rows
    return {"elements": elements, "halves": halves if any(halves) else None, "rows": listed}


class Ring(Handle, Generic[BuffersT]):
    """A ring of stages; a region that holds a stage gives its buffers, or the only one."""

    KIND: ClassVar[str] = "a ring"

    def held(self, buffers: Sequence[SSAValue]) -> BuffersT:
        """The buffers of a stage that a region holds."""
        found = [buffer_for(self._insertion, each) for each in buffers]
        return cast(BuffersT, found[0] if len(found) == 1 else tuple(found))

    @property
    def buffers(self) -> Sequence[Attribute]:
        """The types of the buffers of a stage."""
        return cast(RingType, self.type).buffers.data


class Token(Handle):
    """A stage that a role holds until `end`."""

    KIND: ClassVar[str] = "a token"

    def end(self) -> None:
        """Commit or release the stage."""
        is_produced = self.type == TokenType.get("produce")
        with self._insertion.here():
            (ws.ProducerCommitOp if is_produced else ws.ConsumerReleaseOp)(self)

    def mbarrier(self) -> Value:
        """The address of the barrier object at which the end of the stage arrives."""
        is_produced = self.type == TokenType.get("produce")
        with self._insertion.here():
            op = ws.MbarrierOp(self, barrier="full" if is_produced else "empty")
        return Value(self._insertion, op.address)


def handle_for(insertion: Insertion, value: SSAValue) -> Handle:
    """The number, token or buffer that a value stands for."""
    if isinstance(value.type, TokenType):
        return Token(insertion, value)
    if isinstance(value.type, Buffer):
        return buffer_for(insertion, value)
    return Value(insertion, value)


def buffer_for(insertion: Insertion, value: SSAValue) -> Tile | Matrix:
    """The buffer that a value stands for."""
    kind: Callable[[Insertion, SSAValue], Tile | Matrix]
    kind = Tile if isinstance(value.type, SharedTileType) else Matrix
    return kind(insertion, value)
