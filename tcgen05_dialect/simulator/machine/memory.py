"""Memories of bytes: global buffers, shared memory and parameters."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.simulation import ALIGNMENT, BARRIER, BOUNDS, LIFETIME, UNWRITTEN
from ..numbers.lanes import Lanes, unsigned
from ..order.clocks import Clock, Clocks, Message
from ..order.shadow import Shadow
from .errors import fault

RANK_SHIFT = 24
"""Where the rank of the CTA lies in an address of shared memory: in the window of the cluster, in
which each CTA has so many bits of address, and of which its own window is a part."""

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
    clock: Clock = Clock.ASYNC_GLOBAL
    over: bool = field(default=False, init=False)
    """Whether the CTA, whose shared memory it is, has ended."""
    opaque: npt.NDArray[np.bool_] = field(init=False)
    """Bytes of barrier objects, which only their instructions may access (9.7.13.15.1)."""
    messages: dict[int, tuple[Clocks, Message]] = field(
        default_factory=dict[int, "tuple[Clocks, Message]"], init=False
    )
    """What the last write with semantics hands on to those who read it, by offset."""
    shadow: Shadow = field(init=False)
    variables: Sequence[tuple[int, str]] = field(default=(), init=False)
    """The offset and the name of each variable, in the order of their offsets."""

    def __post_init__(self) -> None:
        self.opaque = np.zeros(self.bytes.size, np.bool_)
        self.shadow = Shadow((self.bytes.size,), self.clock)

    @classmethod
    def shared(cls, name: str, base: int, size: int) -> "Memory":
        """The shared memory of a CTA, which no one has written yet."""
        clock = Clock.ASYNC_SHARED
        return cls(name, base, np.zeros(size, np.uint8), np.zeros(size, np.bool_), clock)

    def check_opaque(self, op: Operation, offsets: Any) -> None:
        """Raise OperationError for bytes of a barrier object."""
        if self.opaque[offsets].any():
            at = int(offsets[self.opaque[offsets]][0])
            found = f"the access is to {self.place(at)}, which belongs to an mbarrier"
            raise fault(op, BARRIER, found, "access an mbarrier with its own instructions only")

    def place(self, cell: int) -> str:
        """The name of a byte in messages: by the variable that it lies in, if that is known."""
        index = bisect_right(self.variables, cell, key=itemgetter(0)) - 1
        if index < 0:
            return f"byte {cell} of {self.name}"
        first, variable = self.variables[index]
        return f"{variable}{f'+{cell - first}' * (cell > first)} in {self.name}"

    @property
    def end(self) -> int:
        return self.base + self.bytes.size


Touch: TypeAlias = Callable[[Memory, Lanes, Any, bool], None]
"""Is told what lanes read or write: the memory, the lanes, the offsets of their bytes, and whether
they write. Raises OperationError for what is not in order."""


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
                if memory.over:
                    place = memory.place(address - memory.base)
                    found = f"the access is to {place}, and the CTA has ended"
                    raise fault(op, LIFETIME, found)
                return memory, address - memory.base
        found = f"{size} bytes at {address:#x} are not in {self.name} memory"
        raise fault(op, BOUNDS, found + self._near(address, index))

    def _near(self, address: int, index: int) -> str:
        """Where an address lies, from the end of the memory below it or the begin of the first."""
        if not self.memories:
            return ""
        if index < 0:
            first = self.memories[0]
            return f": they begin {first.base - address} bytes before {first.name}"
        below = self.memories[index]
        if address < below.end:
            return f": they pass the end of {below.name} ({below.bytes.size} bytes)"
        distance = address - below.end
        place = f"{distance} bytes behind" if distance else "right behind"
        return f": they begin {place} {below.name} ({below.bytes.size} bytes)"

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
            memory, offset = self.find(op, wrong, 1)
            found = f"the address {wrong:#x} ({memory.place(offset)}) is no multiple of {size}"
            raise fault(op, ALIGNMENT, f"{found}, the size of the access")
        while lanes.size:
            memory, _ = self.find(op, int(given[0]), size)
            inside = (given >= memory.base) & (given + size <= memory.end)
            offsets = given[inside] - memory.base
            yield memory, lanes[inside], offsets[:, None] + np.arange(size)
            lanes, given = lanes[~inside], given[~inside]

    def load(
        self, op: Operation, addresses: Lanes, active: Lanes, size: int, judge: Touch
    ) -> Bytes:
        """What the active lanes read, as lanes x size bytes. Raises OperationError."""
        result = np.zeros((active.size, size), np.uint8)
        for memory, lanes, offsets in self.parts(op, addresses, active, size):
            memory.check_opaque(op, offsets)
            judge(memory, lanes, offsets, False)
            if not memory.written[offsets].all():
                lane = int(lanes[~memory.written[offsets].all(axis=1)][0])
                place = memory.place(int(addresses[lane]) - memory.base)
                raise fault(op, UNWRITTEN, f"{size} bytes at {place} were never written")
            result[lanes] = memory.bytes[offsets]
        return result

    def store(
        self, op: Operation, addresses: Lanes, active: Lanes, values: Bytes, judge: Touch
    ) -> None:
        """Write lanes x size bytes of the active lanes. Raises OperationError."""
        for memory, lanes, offsets in self.parts(op, addresses, active, values.shape[1]):
            memory.check_opaque(op, offsets)
            judge(memory, lanes, offsets, True)
            memory.bytes[offsets] = values[lanes]
            memory.written[offsets] = True


def aligned(address: int, alignment: int) -> int:
    """The next address with an alignment."""
    return -(-address // alignment) * alignment


def words(data: Bytes, bits: int) -> list[Lanes]:
    """The elements of `bits` bits of lanes x bytes, one array of lanes for each element."""
    elements = np.ascontiguousarray(data).view(unsigned(bits))
    return [elements[:, index] for index in range(elements.shape[1])]


def data_of(values: list[Lanes]) -> Bytes:
    """The bytes of registers that are stored together, as lanes x bytes."""
    return np.ascontiguousarray(np.stack(values, axis=1)).view(np.uint8)
