"""Memories of bytes: global buffers, shared memory and parameters."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ..isa.simulation import ALIGNMENT, BOUNDS, UNWRITTEN
from .errors import fault
from .lanes import Lanes, unsigned

Bytes = npt.NDArray[np.uint8]


@dataclass(eq=False)
class Memory:
    """
    Bytes that begin at address `base` of a state space; `written` says of each whether it holds
    what anyone wrote.
    """

    name: str
    base: int
    bytes: Bytes
    written: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, name: str, base: int, size: int) -> "Memory":
        """Bytes that no one has written yet."""
        return cls(name, base, np.zeros(size, np.uint8), np.zeros(size, np.bool_))

    @property
    def end(self) -> int:
        return self.base + self.bytes.size


@dataclass(eq=False)
class Space:
    """A state space: memories that lie at addresses of their own, with gaps between them."""

    name: str
    memories: list[Memory] = field(default_factory=list[Memory])
    _bases: list[int] = field(default_factory=list[int])

    def add(self, memory: Memory) -> None:
        """Place a memory, behind those that the space has."""
        assert not self.memories or self.memories[-1].end <= memory.base
        self.memories.append(memory)
        self._bases.append(memory.base)

    def find(self, op: Operation, address: int, size: int) -> tuple[Memory, int]:
        """
        The memory that `size` bytes at an address lie in, and the offset there.

        Raises OperationError.
        """
        index = bisect_right(self._bases, address) - 1
        if index >= 0:
            memory = self.memories[index]
            if address + size <= memory.end:
                return memory, address - memory.base
        raise fault(
            op,
            BOUNDS,
            f"{size} bytes at {address:#x} of {self.name} memory",
            "; ".join(f"{m.base:#x} to {m.end:#x} ({m.name})" for m in self.memories) or "none",
        )

    def parts(
        self, op: Operation, addresses: Lanes, active: Lanes, size: int
    ) -> Iterator[tuple[Memory, Lanes, Any]]:
        """
        The memories that an access of `size` bytes of each active lane touches: the memory, the
        lanes, and the offsets of all their bytes, an array of lanes x size.

        Raises OperationError for an address that is misaligned or outside.
        """
        lanes = np.flatnonzero(active)
        given = addresses[lanes].astype(np.int64)
        if (given % size).any():
            wrong = int(given[given % size != 0][0])
            raise fault(op, ALIGNMENT, f"{wrong:#x}", f"a multiple of {size}")
        while lanes.size:
            memory, _ = self.find(op, int(given[0]), size)
            inside = (given >= memory.base) & (given + size <= memory.end)
            offsets = given[inside] - memory.base
            yield memory, lanes[inside], offsets[:, None] + np.arange(size)
            lanes, given = lanes[~inside], given[~inside]

    def load(self, op: Operation, addresses: Lanes, active: Lanes, size: int) -> Bytes:
        """What the active lanes read, as lanes x size bytes. Raises OperationError."""
        result = np.zeros((active.size, size), np.uint8)
        for memory, lanes, offsets in self.parts(op, addresses, active, size):
            if not memory.written[offsets].all():
                lane = int(lanes[~memory.written[offsets].all(axis=1)][0])
                raise fault(
                    op,
                    UNWRITTEN,
                    f"{size} bytes at {int(addresses[lane]):#x} of {memory.name}, never written",
                    "bytes that were written",
                )
            result[lanes] = memory.bytes[offsets]
        return result

    def store(self, op: Operation, addresses: Lanes, active: Lanes, values: Bytes) -> None:
        """Write lanes x size bytes of the active lanes. Raises OperationError."""
        for memory, lanes, offsets in self.parts(op, addresses, active, values.shape[1]):
            memory.bytes[offsets] = values[lanes]
            memory.written[offsets] = True


def words(data: Bytes, bits: int) -> list[Lanes]:
    """The elements of `bits` bits of lanes x bytes, one array of lanes for each element."""
    elements = np.ascontiguousarray(data).view(unsigned(bits))
    return [elements[:, index] for index in range(elements.shape[1])]


def data_of(values: list[Lanes]) -> Bytes:
    """The bytes of registers that are stored together, as lanes x bytes."""
    return np.ascontiguousarray(np.stack(values, axis=1)).view(np.uint8)
