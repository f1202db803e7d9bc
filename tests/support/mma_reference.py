"""
Reference of matrix products in plain numpy, and of the positions of their operands.

It is written from the manual (PTX ISA 9.7.16) and shares nothing with the project.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

BITS = {
    "f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "e2m3": 6, "e3m2": 6, "e2m1": 4,
    "s8": 8, "u8": 8, "ue8m0": 8, "ue4m3": 8,
}  # fmt: skip
FLOATS = {
    "f16": (5, 10), "bf16": (8, 7), "e4m3": (4, 3), "e5m2": (5, 2), "e2m3": (2, 3), "e3m2": (3, 2),
    "e2m1": (2, 1), "ue4m3": (4, 3),
}  # fmt: skip
"""Bits of exponent and of mantissa."""


def number(element: str, pattern: int) -> float:
    """What a finite pattern of bits stands for."""
    if element == "u8":
        return pattern
    if element == "s8":
        return pattern - 256 * (pattern >= 128)
    if element == "ue8m0":
        return 2.0 ** (pattern - 127)
    exponent_bits, mantissa_bits = FLOATS[element]
    bias = 2 ** (exponent_bits - 1) - 1
    mantissa = pattern & ((1 << mantissa_bits) - 1)
    exponent = pattern >> mantissa_bits & ((1 << exponent_bits) - 1)
    sign = -1 if pattern >> mantissa_bits + exponent_bits & 1 else 1
    if exponent == 0:
        return sign * mantissa * 2.0 ** (1 - bias - mantissa_bits)
    return sign * (2**mantissa_bits + mantissa) * 2.0 ** (exponent - bias - mantissa_bits)


@cache
def patterns(element: str) -> tuple[Array, Array]:
    """Bits of an element type, and the small integers that they stand for."""
    if element in ("s8", "u8"):
        found = list(range(256))
    elif element == "ue8m0":
        found = list(range(124, 131))
    else:
        width = 1 + sum(FLOATS[element]) - (element == "ue4m3")
        wanted = range(1, 9) if element == "ue4m3" else range(-8, 9)
        found = [bits for bits in range(1 << width) if number(element, bits) in wanted]
    return np.array(found), np.array([number(element, bits) for bits in found])


def draw(rng: np.random.Generator, element: str, rows: int, columns: int) -> tuple[Array, Array]:
    """Bits and numbers of a matrix."""
    if element == "tf32":
        numbers = rng.integers(-512, 513, (rows, columns)).astype(np.float32)
        # The low 13 bits are not part of the number.
        bits = numbers.view(np.uint32) | rng.integers(0, 1 << 13, numbers.shape, np.uint32)
        return bits.astype(np.uint64), numbers.astype(np.float64)
    bits, numbers = patterns(element)
    chosen = rng.integers(0, bits.size, (rows, columns))
    return bits[chosen].astype(np.uint64), numbers[chosen].astype(np.float64)


SWIZZLES = {
    "no_swizzle": (16, 16),
    "swizzle_32b": (32, 16),
    "swizzle_64b": (64, 16),
    "swizzle_128b": (128, 16),
    "swizzle_128b_atom_32b": (128, 32),
}
"""Width of a row of the pattern, and bytes that stay together."""
CODES = dict(zip(SWIZZLES, (0, 6, 4, 2, 1), strict=True))


@dataclass
class Tile:
    """
    A matrix of mn x k elements in shared memory, its atoms apart by more than their size, of which
    a product reads from byte `advance` of each row on; `phase` units of 128 bytes after a boundary.
    """

    element: str
    mn: int
    k: int
    transposed: bool
    swizzle: str
    pads: bool
    start: int
    advance: int = 0
    phase: int = 0

    @property
    def room(self) -> int:
        """Bits of an element with its padding."""
        return max(8, BITS[self.element]) if self.pads else BITS[self.element]

    @property
    def extent(self) -> int:
        return SWIZZLES[self.swizzle][0] * 8 // self.room

    @property
    def atom_rows(self) -> int:
        return 8 * 16 // SWIZZLES[self.swizzle][1]

    @property
    def atom_bytes(self) -> int:
        return SWIZZLES[self.swizzle][0] * self.atom_rows

    @property
    def strides(self) -> tuple[int, int]:
        """Bytes between atoms along the major dimension, and along the other."""
        major = self.mn if self.transposed else self.k + self.advance * 8 // self.room
        # Room for one atom more than there are, so that no two strides are the same.
        across = -(-major // self.extent) + 1
        if self.swizzle == "swizzle_128b_atom_32b":
            return 2 * self.atom_bytes, 2 * across * self.atom_bytes
        return self.atom_bytes, across * self.atom_bytes

    @property
    def end(self) -> int:
        other = self.k if self.transposed else self.mn
        return self.start + 1024 + -(-other // self.atom_rows) * self.strides[1]

    def addresses(self) -> tuple[Array, Array]:
        """The byte, and the bit there, of each element (mn, k)."""
        mn, k = np.meshgrid(np.arange(self.mn), np.arange(self.k), indexing="ij")
        major, row = (mn, k) if self.transposed else (k + self.advance * 8 // self.room, mn)
        width, chunk = SWIZZLES[self.swizzle]
        major_stride, row_stride = self.strides
        linear = row % self.atom_rows * width + row // self.atom_rows * row_stride
        linear = linear + major // self.extent * major_stride
        inside = major % self.extent
        per_unit = 128 // self.room
        linear = linear + inside // per_unit * 16
        bit = inside % per_unit * BITS[self.element]
        linear, bit = linear + bit // 8, bit % 8
        swizzled = linear ^ (linear // 128 % (width // chunk)) * chunk
        return swizzled + self.pattern, bit

    @property
    def pattern(self) -> int:
        """Where the pattern of the swizzle begins."""
        return self.start + 128 * self.phase

    def descriptor(self) -> int:
        """The shared memory descriptor (Table 40)."""
        major, other = self.strides
        leading, stride = major, other
        if self.transposed and self.swizzle == "no_swizzle":
            leading, stride = other, major
        if not self.transposed and self.swizzle != "no_swizzle":
            leading = 16
        start = self.pattern + self.advance
        if self.swizzle == "no_swizzle":
            start = self.pattern + self.advance // 16 * major
        return (
            start >> 4
            | leading >> 4 << 16
            | stride >> 4 << 32
            | 1 << 46
            | self.phase << 49
            | CODES[self.swizzle] << 61
        )

    def write(self, memory: Any, bits: Array) -> None:
        """Put the elements into the shared memory of a CTA; the padding stays unwritten."""
        address, shift = self.addresses()
        at = address - memory.base % (1 << 24)
        for byte in range(-(-BITS[self.element] // 8) + (BITS[self.element] == 6)):
            value = bits << shift.astype(np.uint64) >> np.uint64(8 * byte) & np.uint64(255)
            mask = ((1 << BITS[self.element]) - 1 << shift) >> 8 * byte & 255
            touched = mask != 0
            place = at[touched] + byte
            np.bitwise_or.at(memory.bytes, place, value[touched].astype(np.uint8))
            memory.written[place] = True


def lanes_of(m: int, ctas: int, sparse: bool, ws: bool, half: int = 0) -> Array:
    """The lanes of D as (fold, row of a CTA) by the data path layout (9.7.16.10.5)."""
    match m // ctas, ctas, ws:
        case 128, _, _:
            return np.arange(128)[None]
        case 64, 1, True:
            return np.arange(128).reshape(2, 64)
        case 32, 1, True:
            return np.arange(128).reshape(4, 32)
        case 64, 2, False if not sparse:
            return np.arange(128).reshape(2, 64)
        case 64, _, False:
            row = np.arange(64)
            return (row // 16 * 32 + row % 16 + half)[None]
        case _:
            raise AssertionError


CHUNKS = {"tf32": (2, 1), "mxf4": (8, 4), "mxf4nvf4": (8, 4)}
TWO_OF_FOUR = (0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b0110, 0b1110)


def sparse_indices(rng: np.random.Generator, kind: str, rows: int, k: int) -> Array:
    """Indices of the metadata, those that are meaningful."""
    chunk, _ = CHUNKS.get(kind, (4, 2))
    meaningful = np.array((0b0100, 0b1110) if kind == "tf32" else TWO_OF_FOUR)
    return meaningful[rng.integers(0, meaningful.size, (rows, k // chunk))]


def expand(kind: str, stored: Array, indices: Array) -> Array:
    """A with its zeros (9.7.16.10.8.1 to .3)."""
    chunk, kept = CHUNKS.get(kind, (4, 2))
    rows, chunks = indices.shape
    result = np.zeros((rows, chunks, chunk))
    parts = stored.reshape(rows, chunks, kept)
    row, at = np.indices(indices.shape)
    first, second = indices & 3, indices >> 2
    if kind == "tf32":
        result[row, at, first // 2] = parts[..., 0]
    elif chunk == 4:
        result[row, at, first] = parts[..., 0]
        result[row, at, second] = parts[..., 1]
    else:
        for inside in range(2):
            result[row, at, 2 * first + inside] = parts[..., inside]
            result[row, at, 2 * second + inside] = parts[..., 2 + inside]
    return result.reshape(rows, -1)


def metadata_places(kind: str, row: Array, at: Array) -> tuple[Array, Array, Array]:
    """Row of the data path, column and lowest bit of index `at` of a row of a CTA."""
    if kind in ("f16", "tf32"):
        # Half of K lies in the lanes of each of two rows that are 8 apart.
        half, inside = at // 4, at % 4
        return row % 8 + 16 * (row // 16) + 8 * half, at * 0, 4 * inside + 16 * (row // 8 % 2)
    return row, at // 8, at % 8 * 4


def scale_places(rows: int, factor: int, halves: int) -> tuple[Array, int, Array]:
    """The lanes of (copy, row), byte and column of a scale factor (9.7.16.10.7.2 and .3)."""
    row = np.arange(rows)
    half, row = row // (rows // halves), row % (rows // halves)
    warps = 4 // halves
    lanes = np.stack([32 * (half * warps + copy) + row % 32 for copy in range(warps)])
    group = 4 if rows // halves <= 128 else 8
    return lanes, factor % 4, row // 32 + group * (factor // 4)
