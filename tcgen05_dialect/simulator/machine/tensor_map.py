"""Tensor maps (5.5.8): descriptions of tensors for the tensor memory accelerator."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import prod
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

from ...isa.model.rule import Violation, describe, raise_any
from ...isa.shared_memory import tensor_map as isa
from ...isa.shared_memory.swizzle import SWIZZLES, UNIT_BYTES, Swizzle
from ...isa.simulation import TENSOR_MAP
from ..numbers.floats import FORMATS, decode, encode
from ..numbers.lanes import unsigned

_ELEMENTS = {
    "int8": "u8",
    "uint8": "u8",
    "int16": "u16",
    "uint16": "u16",
    "uint32": "u32",
    "int32": "s32",
    "uint64": "u64",
    "int64": "s64",
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
}
"""Name of a dtype -> element type."""


@dataclass(frozen=True, eq=False)
class TensorMap:
    """
    A tensor in global memory, and the box that one copy moves.

    As in hardware, the innermost dimension comes first. The tensor starts at element 0 of `array`
    and has `extents` elements; `strides` are in bytes, for every dimension except the innermost. A
    copy moves every `element_strides`-th element of a `box`. Elements outside the tensor are read
    as `fill` and never written. `address` is the address of the array in global memory; None until
    it is placed there. Elements of fewer than 8 bits are packed in an array of bytes, lowest bits
    first.

    Raises Violation for maps that cuTensorMapEncodeTiled of the CUDA driver API refuses.
    """

    array: npt.NDArray[Any]
    element: str
    extents: tuple[int, ...]
    strides: tuple[int, ...]
    box: tuple[int, ...]
    element_strides: tuple[int, ...]
    swizzle: str = "no_swizzle"
    fill: str = "zero"
    address: int | None = None

    def __post_init__(self) -> None:
        raise_any(self._violations())

    @classmethod
    def of(
        cls,
        array: npt.NDArray[Any],
        box: Sequence[int],
        element: str | None = None,
        swizzle: str = "no_swizzle",
        fill: str = "zero",
        element_strides: Sequence[int] | None = None,
    ) -> "TensorMap":
        """
        The map of a whole C-contiguous array; its last dimension is the innermost.

        `box` is in elements, innermost dimension first. `element` is required if the dtype does not
        imply it: uint16 may hold bf16, and uint8 b4x16_p64 or b6x16_p32, with 8 or 12 bytes for
        each 16 elements. Raises Violation.
        """
        if not array.flags.c_contiguous:
            raise _violation("array", "an array with gaps", "a C-contiguous array")
        if element is None:
            element = _ELEMENTS.get(array.dtype.name)
            if element is None:
                raise _violation("type of the array", array.dtype.name, tuple(_ELEMENTS))
        kind, item_bits = isa.ELEMENTS.get(element), 8 * array.dtype.itemsize
        if kind is not None and item_bits != kind.item_bits:
            found = f"{element} in an array of {array.dtype.name}"
            raise _violation("element type", found, f"items of {kind.item_bits} bits")
        bits = item_bits if kind is None else kind.bits
        return cls(
            array,
            element,
            (
                *(items * item_bits // bits for items in array.shape[-1:]),
                *reversed(array.shape[:-1]),
            ),
            tuple(reversed(array.strides[:-1])),
            tuple(map(index, box)),
            (1,) * len(box) if element_strides is None else tuple(map(index, element_strides)),
            swizzle,
            fill,
        )

    def at(self, address: int) -> "TensorMap":
        """The same map with its array at an address. Raises Violation."""
        return replace(self, address=address)

    @cached_property
    def tile(self) -> tuple[int, ...]:
        """Number of copied elements along each dimension."""
        return tuple(-(-e // step) for e, step in zip(self.box, self._steps, strict=True))

    @cached_property
    def tile_bytes(self) -> int:
        """
        The bytes that complete on a barrier object: those of all elements of the tile, including
        elements outside the tensor, without padding.
        """
        return prod(self._items(self.tile)) * self._item_bytes

    @cached_property
    def tensor_bytes(self) -> int:
        """Bytes from the first element of the tensor to the end of the last."""
        last = (e - 1 for e in self._items(self.extents))
        return _inner(last, self._all_strides) + self._item_bytes

    @cached_property
    def _kind(self) -> isa.Element:
        return isa.ELEMENTS[self.element]

    @property
    def can_store(self) -> bool:
        return self._kind.stored_bits is not None

    def _items(self, elements: Sequence[int]) -> tuple[int, ...]:
        """Convert extents or coordinates to items of `dtype`."""
        kind = self._kind
        return (elements[0] * kind.bits // kind.item_bits, *elements[1:])

    @property
    def _item_bytes(self) -> int:
        return self._kind.item_bits // 8

    @property
    def _all_strides(self) -> tuple[int, ...]:
        return (self._item_bytes, *self.strides)

    @property
    def _steps(self) -> tuple[int, ...]:
        """Element strides; the innermost stride has no effect."""
        return (1, *self.element_strides[1:])

    @property
    def _mode(self) -> Swizzle:
        return SWIZZLES[self.swizzle]

    @property
    def dtype(self) -> Any:
        """The unsigned integer type of an item: one element, or a byte with several elements."""
        return unsigned(self._kind.item_bits)

    def filled(self) -> npt.NDArray[Any]:
        """Tile of fill elements, outermost dimension first."""
        bits = isa.nan_bits(self.element) if self.fill == "nan" else 0
        return np.full(self._items(self.tile)[::-1], bits, self.dtype)

    def rounded(self, elements: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Round elements of the tensor as a load to shared memory does."""
        source = isa.ROUNDED_FROM.get(self.element)
        if source is None:
            return elements
        return encode(decode(elements, FORMATS[source]), FORMATS[self.element])

    def padded(self, tile: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
        """Bytes of a tile with zeros for the padding."""
        payload = self._kind.unit_payload
        packed = tile.reshape(-1).view(np.uint8)
        if payload == UNIT_BYTES:
            return packed
        return np.pad(packed.reshape(-1, payload), ((0, 0), (0, UNIT_BYTES - payload))).reshape(-1)

    def written(self) -> npt.NDArray[np.bool_]:
        """Mask of the bytes in a unit of UNIT_BYTES that are not padding."""
        return np.arange(UNIT_BYTES) < self._kind.unit_payload

    def stored(self, content: npt.NDArray[np.uint8]) -> npt.NDArray[Any]:
        """The tile that a store reads from bytes of shared memory."""
        kind = self._kind
        if kind.stored_bits not in (None, kind.bits):
            bits = np.unpackbits(content, bitorder="little").reshape(-1, kind.stored_bits)
            content = np.packbits(bits[:, : kind.bits], bitorder="little")
        return content.view(self.dtype).reshape(self._items(self.tile)[::-1])

    def inside(self, origin: Sequence[int]) -> tuple[slice, ...]:
        """The part of a tile inside the tensor, for a box that starts at element `origin`."""
        return tuple(slice(first, max(first, end)) for first, end in reversed(self._ranges(origin)))

    def window(self, content: npt.NDArray[Any], origin: Sequence[int]) -> npt.NDArray[Any]:
        """
        View of the part of a tile inside the tensor. `content` has one item for each byte of global
        memory, beginning at the first byte of the tensor.
        """
        ranges = self._ranges(origin)
        shape = tuple(max(0, end - first) for first, end in reversed(ranges))
        if not prod(shape):
            return np.empty(shape, self.dtype)
        corner = (
            o + first * step
            for o, (first, _), step in zip(self._items(origin), ranges, self._steps, strict=True)
        )
        between = (s * step for s, step in zip(self._all_strides, self._steps, strict=True))
        start = _inner(corner, self._all_strides)
        return as_strided(content[start:].view(self.dtype), shape, tuple(between)[::-1])

    def _ranges(self, origin: Sequence[int]) -> list[tuple[int, int]]:
        """For each dimension the range (first, end) of tile indices inside the tensor."""
        return [
            (max(0, -(o // step)), min(tile, -(-(extent - o) // step)))
            for o, step, tile, extent in zip(
                self._items(origin),
                self._steps,
                self._items(self.tile),
                self._items(self.extents),
                strict=True,
            )
        ]

    def places(self, address: int) -> npt.NDArray[np.int64]:
        """
        Placement of a tile at an address of shared memory: the offset of each 16-byte unit from the
        address, in units. Swizzling uses the absolute address.
        """
        phase = address % self._mode.pattern_bytes
        return _places(self._mode, phase, self.tile_bytes // self._kind.unit_payload)

    def origin_violations(self, origin: Sequence[int]) -> Iterator[Violation]:
        """Violations in the coordinates of a box."""
        # For b4x16 this is a limit of the emulator, which moves whole bytes.
        if origin[0] % self._kind.multiple:
            legal = f"a multiple of {self._kind.multiple} for {self.element}"
            yield _violation("first coordinate of a box", origin[0], legal)

    def _violations(self) -> Iterator[Violation]:
        if self.element not in isa.ELEMENTS:
            yield _violation("element type", self.element, tuple(isa.ELEMENTS))
            return
        found = list(self._number_violations())
        yield from found
        yield from self._fill_violations()
        if not found:
            yield from self._swizzle_violations()
            yield from self._place_violations()

    def _number_violations(self) -> Iterator[Violation]:
        rank = len(self.extents)
        if rank not in isa.RANKS:
            yield _violation("number of dimensions", rank, isa.RANKS)
        for what, values, count, innermost, legal in (
            ("extents", self.extents, rank, self._kind.extents, isa.EXTENTS),
            ("strides", self.strides, rank - 1, self._kind.strides, self._kind.strides),
            ("extents of the box", self.box, rank, self._kind.box_extents, isa.BOX_EXTENTS),
            ("element strides", self.element_strides, rank, *2 * (isa.ELEMENT_STRIDES,)),
        ):
            if len(values) != count:
                yield _violation(f"number of {what}", len(values), count)
            elif any(value not in legal for value in values):
                numbers = ", ".join(map(str, values))
                yield _violation(what, numbers, f"each one of {describe(legal)}")
            elif values and values[0] not in innermost:
                legal = f"{describe(innermost)} for {self.element}"
                yield _violation(f"first of the {what}", values[0], legal)

    def _fill_violations(self) -> Iterator[Violation]:
        if self.fill not in isa.FILLS:
            yield _violation("fill", self.fill, isa.FILLS)
        elif self.fill == "nan" and self.element not in isa.FLOATS:
            yield _violation("fill", f"nan for {self.element}", f"nan for {describe(isa.FLOATS)}")

    def _swizzle_violations(self) -> Iterator[Violation]:
        if self.swizzle not in self._kind.swizzles:
            legal = f"{describe(self._kind.swizzles)} for {self.element}"
            yield _violation("swizzle mode", self.swizzle, legal)
            return
        row = self.box[0] * self._kind.unit_bytes // isa.PACKED
        legal = isa.box_row_bytes(self._mode)
        what = f"bytes of the box along the innermost dimension, {self.swizzle}"
        if row not in legal:
            yield _violation(what, row, legal)
        elif self._mode.is_swizzled and row < self._mode.width and prod(self.tile[1:]) > 1:
            # The documentation does not say whether such rows are contiguous.
            legal = f"{self._mode.width}, or a box of one row; the emulator supports no others"
            yield _violation(what, row, legal)

    def _place_violations(self) -> Iterator[Violation]:
        if self.tensor_bytes > self.array.nbytes:
            found = f"{self.tensor_bytes} bytes in an array of {self.array.nbytes}"
            yield _violation("tensor", found, "a tensor inside the array")
        if self.address is not None and self.address % self._kind.alignment:
            legal = f"a multiple of {self._kind.alignment}"
            yield _violation("address of the tensor", f"{self.address:#x}", legal)


@cache
def _places(mode: Swizzle, phase: int, units: int) -> npt.NDArray[np.int64]:
    behind = (mode.apply(phase + unit * UNIT_BYTES) - phase for unit in range(units))
    return np.fromiter((distance // UNIT_BYTES for distance in behind), np.int64, units)


def _inner(a: Iterable[int], b: Iterable[int]) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _violation(what: str, found: object, legal: object) -> Violation:
    return TENSOR_MAP.violation(found, legal, f"{what} of a tensor map")
