"""Copy of one box of a tensor between global and shared memory (5.5, 9.7.9.25)."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.model.rule import raise_any
from ...isa.practice import UNWRITTEN
from ...isa.shared_memory.descriptor import UNIT_BYTES
from ..machine.errors import fault
from ..machine.memory import Memory, Space
from ..machine.tensor_map import TensorMap
from ..numbers.floats import every
from ..numbers.integers import Combine
from ..order.events import Access
from ..order.race_detector import Judge, Touched
from ..order.where import Where
from ..provenance.sources import Tile

_UNIT = np.dtype((np.void, UNIT_BYTES))
"""Item type of a swizzling unit, which numpy copies as a whole."""


class Copy:
    """
    Copy of a box of a tensor between global and shared memory. Call one of the methods that read,
    then one of those that write.

    Raises OperationError if the tile at `address` is out of bounds, or if no box may begin at
    `origin`.
    """

    def __init__(
        self,
        op: Operation,
        tensor_map: TensorMap,
        origin: Sequence[int],
        tensors: Space,
        tiles: Space,
        address: int,
    ):
        assert tensor_map.address is not None
        raise_any(tensor_map.origin_violations(origin))
        self.op, self.map, self.origin = op, tensor_map, origin
        self._address, self._places = address, tensor_map.places(address)
        size = shared_bytes(tensor_map, address)
        self.shared, start = tiles.find(op, address, size)
        self._shared_bytes = slice(start, start + size)
        size = tensor_map.tensor_bytes
        self._global, start = tensors.find(op, tensor_map.address, size)
        self._global_bytes = slice(start, start + size)
        self._part = tensor_map.window(origin)
        self._tile = tensor_map.filled()

    @property
    def tile(self) -> Tile:
        """The tile in shared memory, as the record of a run keeps it."""
        first, end, memory = self._shared_bytes.start, self._shared_bytes.stop, self.shared
        place = memory.place(first)
        origin = tuple(self.origin)
        return Tile(self.op, self.map, origin, first, end - first, self._address, place)

    def read_global(self) -> None:
        written = self._window(self._global.written) == self._written
        self._check_written(written, self._global)
        self._tile[self._part.inside] = self.map.rounded(self._window(self._global.bytes))

    def write_shared(self) -> None:
        self._units(self.shared.bytes)[self._places] = self.map.padded(self._tile).view(_UNIT)
        # The manual leaves padding uninitialised, so it is recorded as unwritten.
        self._units(self.shared.written)[self._places] = self.map.written().view(_UNIT)

    def read_shared(self) -> None:
        # Each written byte is 0xff, so all bits of a written element are set.
        ones = self.map.stored(np.negative(self._content(self.shared.written)))
        self._check_written(~ones[self._part.inside] == 0, self.shared)
        self._tile = self.map.stored(self._content(self.shared.bytes))

    def write_global(self) -> None:
        self._window(self._global.bytes)[...] = self._tile[self._part.inside]
        self._window(self._global.written)[...] = self._written

    def combine_global(self, combine: Combine) -> None:
        """Combine the elements of the tensor with those of the tile. Raises OperationError if one
        was never written."""
        self._check_written(self._window(self._global.written) == self._written, self._global)
        window = self._window(self._global.bytes)
        window[...] = combine(window.copy(), self._tile[self._part.inside])

    @property
    def _written(self) -> int:
        """The flags in `Memory.written` of a written element, as one integer."""
        return int.from_bytes(b"\1" * self._tile.itemsize)

    def touch(self, judge: Judge, reading: Access, writing: Access, loads: bool) -> None:
        """Check the accesses of the copy for races. Raises OperationError."""
        tile = self._shared_bytes
        shared = Touched(self.shared, Where.span(tile.start, tile.stop), loads)
        tensor = Where.of_view(self._window(self._global.bytes), self._global.bytes)
        touched = [shared] if tensor is None else [shared, Touched(self._global, tensor, not loads)]
        for memory, where, written, *_ in sorted(touched, key=attrgetter("written")):
            if written:
                judge.write(writing, memory, where)
            else:
                # Only copies of the same thread are ordered.
                key = where.bounds, id(self.map), *self.origin, int(reading.rows[0])
                judge.read(reading, memory, where, key)

    def _window(self, content: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return self._part.of(content[self._global_bytes])

    def _units(self, content: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return content[self._shared_bytes].view(_UNIT)

    def _content(self, content: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
        """Bytes of the tile in shared memory, unswizzled."""
        return self._units(content)[self._places].view(np.uint8)

    def _check_written(self, written: npt.NDArray[np.bool_], memory: Memory) -> None:
        if not every(written):
            found = f"the box at {self.origin} has bytes of {memory.name} that were never written"
            raise fault(self.op, UNWRITTEN, found)


def shared_bytes(tensor_map: TensorMap, address: int) -> int:
    """Number of bytes from an address of shared memory to the end of a tile there."""
    return (int(tensor_map.places(address).max()) + 1) * UNIT_BYTES
