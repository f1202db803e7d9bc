"""
Tensor maps (5.5.8): descriptions of tensors for the tensor memory accelerator.

Tensor maps as bytes in memory, which threads copy and change (5.5.8, 9.7.9.26.1).

The manual leaves the layout open. This one has a number for each field of `tensormap.replace`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate
from math import prod
from operator import index
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.instructions.copies import (
    ATOMICITIES,
    DIMENSIONS,
    ELEMENT_TYPES,
    FILL_MODES,
    ROW_COPY_RANK,
    SWIZZLE_MODES,
    TENSOR_REDUCTION,
)
from ...isa.model.rule import Violation, blamed, extents_text, plural, raise_any
from ...isa.practice import TENSOR_MAP
from ...isa.ptx.kernel import TENSOR_MAP_BYTES
from ...isa.shared_memory import tensor_map as isa
from ...isa.shared_memory.descriptor import SWIZZLES, UNIT_BYTES, Swizzle
from ...isa.shared_memory.tensor_map import CUDA_SWIZZLES, ELEMENTS, Box
from ..numbers.floats import FORMATS, decode, encode, unsigned
from ..numbers.integers import Combine, combination
from .errors import fault
from .tensor_memory import Space

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
    "float8_e4m3fn": "u8",
    "float8_e5m2": "u8",
    "float8_e8m0fnu": "u8",
    "float32": "f32",
    "float64": "f64",
}
"""Name of a dtype -> element type."""


class Window(NamedTuple):
    """
    Part of a tensor: `inside` is its position in the tile of a box; it starts at byte `first` of
    the tensor and has `strides` in bytes.
    """

    inside: tuple[slice, ...]
    first: int
    strides: tuple[int, ...]
    dtype: Any

    def of(self, content: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """View of the part in an array with one item for each byte of the tensor."""
        shape = tuple(each.stop - each.start for each in self.inside)
        if not prod(shape):
            return np.empty(shape, self.dtype)
        return np.ndarray(shape, self.dtype, content.data, self.first, self.strides)


@dataclass(frozen=True, eq=False)
class TensorMap:
    """
    A tensor in global memory, and the box that one copy moves.

    As in hardware, the innermost dimension comes first. The tensor starts at element 0 of `array`
    and has `extents` elements; `strides` are in bytes, for every dimension except the innermost. A
    copy moves every `element_strides`-th element of a `box`. Elements outside the tensor are read
    as `fill` and never written. `address` is the address of the array in global memory; None until
    it is placed there. Elements of fewer than 8 bits are packed in an array of bytes, lowest bits
    first. `name` is the name of the map in a launch file.

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
    name: str | None = None
    has_im2col_mode: ClassVar[bool] = False
    """Whether copies in im2col mode may use the map."""

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
        extents: Sequence[int] | None = None,
        strides: Sequence[int] | None = None,
    ) -> "TensorMap":
        """
        The map of a whole C-contiguous array; its last dimension is the innermost.

        `box` is in elements, innermost dimension first. `extents`, innermost dimension first, and
        `strides` describe another tensor in the memory of the array. `element` is required if the
        dtype does not imply it: uint16 may hold bf16, and uint8 b4x16_p64 or b6x16_p32, with 8 or
        12 bytes for each 16 elements. Raises Violation.
        """
        if not isinstance(cast("object", array), np.ndarray):
            legal = "a numpy array"
            raise _violation("the array of a tensor map", f"a {type(array).__name__}", legal)
        if not array.flags.c_contiguous:
            legal = "C-contiguous (numpy.ascontiguousarray makes a copy that is)"
            raise _violation("the array of a tensor map", "an array with gaps", legal)
        if element is None:
            element = element_of(array)
            if element is None:
                what = "the element type of a tensor map's array"
                raise _violation(what, array.dtype.name, tuple(_ELEMENTS))
        kind, item_bits = isa.ELEMENTS.get(element), 8 * array.dtype.itemsize
        if kind is not None and item_bits != kind.item_bits:
            what = f"the element type of the array of a tensor map of {element}"
            legal = f"a type of {kind.item_bits} bits"
            raise _violation(what, array.dtype.name, legal, "element")
        bits = item_bits if kind is None else kind.bits
        if extents is None:
            inner = (items * item_bits // bits for items in array.shape[-1:])
            extents = (*inner, *reversed(array.shape[:-1]))
        if strides is None:
            strides = tuple(reversed(array.strides[:-1]))
        return cls(
            array,
            element,
            _integers(extents, "the extents"),
            _integers(strides, "the strides"),
            _integers(box, "the box"),
            (1,) * len(extents)
            if element_strides is None
            else _integers(element_strides, "the element strides"),
            swizzle,
            fill,
        )

    def at(self, address: int) -> "TensorMap":
        """The same map with its array at an address. Raises Violation."""
        return replace(self, address=address)

    @cached_property
    def copied(self) -> isa.Box:
        """The box, its elements and its arrangement in shared memory."""
        return isa.Box(self.box, self.element, self.swizzle, self.element_strides)

    @property
    def tile(self) -> tuple[int, ...]:
        """Number of copied elements along each dimension."""
        return self.copied.tile

    @property
    def row_violation(self) -> str:
        """Text: why copies of four rows cannot use the map; empty if they can."""
        if len(self.extents) == ROW_COPY_RANK and self.box[-1] == 1:
            return ""
        shape = "x".join(map(str, reversed(self.box)))
        needed = "the copy of four rows needs a matrix and a box of one row"
        return f"{needed}, but the box of the map is {shape}"

    @property
    def tile_bytes(self) -> int:
        """The bytes that complete on a barrier object."""
        return self.copied.bytes

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

    def can_store_at(self, origin: Sequence[int]) -> bool:
        """Whether a store may begin at these coordinates: see the CUDA programming guide, tensor
        memory accelerator."""
        return min(origin) >= 0

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

    def combination(self, operation: str) -> Combine:
        """The function of a reduction on elements. Raises Violation if they have none."""
        TENSOR_REDUCTION.check(operation=operation, element=self.element)
        # The manual says of sums of f32 without a tensor map that they flush subnormal numbers.
        return combination(operation, self.element, self.element == "f32")

    def window(self, origin: Sequence[int]) -> "Window":
        """The part of the tensor in a box that starts at element `origin`."""
        ranges = self._ranges(origin)
        corner = (
            o + first * step
            for o, (first, _), step in zip(self._items(origin), ranges, self._steps, strict=True)
        )
        between = (s * step for s, step in zip(self._all_strides, self._steps, strict=True))
        return Window(
            tuple(slice(first, max(first, end)) for first, end in reversed(ranges)),
            _inner(corner, self._all_strides),
            tuple(between)[::-1],
            self.dtype,
        )

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
            what = f"for {self.element}, the innermost coordinate of a box"
            yield _violation(what, origin[0], f"a multiple of {self._kind.multiple}")

    def _violations(self) -> Iterator[Violation]:
        if self.element not in isa.ELEMENTS:
            what, legal = "the element type of a tensor map", tuple(isa.ELEMENTS)
            yield _violation(what, self.element, legal, "element")
            return
        rank = len(self.extents)
        if rank not in isa.RANKS:
            legal = f"{min(isa.RANKS)} to {max(isa.RANKS)}"
            yield _violation("the number of dimensions of a tensor map", rank, legal)
            return
        found = list(self._number_violations(rank))
        yield from found
        yield from self._fill_violations()
        if not found:
            culprit = "box" if self.swizzle in self._kind.swizzles else "swizzle"
            boxes = [*self.copied.violations()] or self.copied.open_violations()
            yield from blamed(boxes, culprit)
            yield from self._place_violations()

    def _number_violations(self, rank: int) -> Iterator[Violation]:
        kind = self._kind
        for what, values, count, innermost, legal in (
            ("extents of the tensor", self.extents, rank, kind.extents, isa.EXTENTS),
            ("strides of the tensor in bytes", self.strides, rank - 1, *2 * (kind.strides,)),
            ("extents of the box", self.box, rank, None, None),
            ("element strides", self.element_strides, rank, *2 * (isa.ELEMENT_STRIDES,)),
        ):
            if len(values) != count:
                known = f"{count}, because the tensor has {rank} {plural('dimension', rank)}"
                culprit = "box" if values is self.box else ""
                yield _violation(f"the number of {what}", len(values), known, culprit)
            elif legal is None or innermost is None:
                # The box is checked with its elements and its swizzle mode.
                continue
            elif any(value not in legal for value in values):
                found = extents_text(values)
                yield _violation(f"each of the {what}", found, isa.numbers_text(legal))
            elif values and values[0] not in innermost:
                what = f"for {self.element}, the innermost of the {what}"
                yield _violation(what, values[0], isa.numbers_text(innermost))

    def _fill_violations(self) -> Iterator[Violation]:
        if self.fill not in isa.FILLS:
            yield _violation("the fill of a tensor map", self.fill, isa.FILLS, "fill")
        elif self.fill == "nan" and self.element not in isa.FLOATS:
            what = "the element type of a tensor map with fill nan"
            yield _violation(what, self.element, isa.FLOATS, "fill")

    def _place_violations(self) -> Iterator[Violation]:
        if self.tensor_bytes > self.array.nbytes:
            legal = f"at most {self.array.nbytes}, the bytes of its array"
            yield _violation("the number of bytes of a tensor", self.tensor_bytes, legal)
        if self.address is not None and self.address % self._kind.alignment:
            legal = f"a multiple of {self._kind.alignment}"
            yield _violation("the address of a tensor", f"{self.address:#x}", legal)


def element_of(array: npt.NDArray[Any]) -> str | None:
    """The element type that the dtype of an array implies; None if it implies none."""
    return _ELEMENTS.get(array.dtype.name)


def _integers(given: Sequence[int], what: str) -> tuple[int, ...]:
    """The numbers of a sequence. Raises Violation unless they are integers."""
    try:
        return tuple(map(index, given))
    except TypeError as error:
        raise _violation(f"{what} of a tensor map", repr(given), "integers") from error


@lru_cache(maxsize=64)
def _places(mode: Swizzle, phase: int, units: int) -> npt.NDArray[np.int64]:
    behind = (mode.apply(phase + unit * UNIT_BYTES) - phase for unit in range(units))
    return np.fromiter((distance // UNIT_BYTES for distance in behind), np.int64, units)


def _inner(a: Iterable[int], b: Iterable[int]) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _violation(what: str, found: object, legal: object, culprit: str = "") -> Violation:
    return TENSOR_MAP.violation(found, legal, what, culprit=culprit)


_RANK = max(DIMENSIONS.values)
_FIELDS = {
    "global_address": (64, 1),
    "global_stride": (40, _RANK - 1),
    "global_dim": (32, _RANK),
    "box_dim": (9, _RANK),
    "element_stride": (4, _RANK),
    "rank": (3, 1),
    "elemtype": (4, 1),
    "interleave_layout": (2, 1),
    "swizzle_mode": (3, 1),
    "swizzle_atomicity": (2, 1),
    "fill_mode": (1, 1),
}
"""Field -> the bits of a number, and how many numbers: a map in memory, in the first 64 bytes, the
part that compilers copy."""
_FIRST = dict(zip(_FIELDS, accumulate(map(prod, _FIELDS.values()), initial=0), strict=False))
"""Field -> its first bit."""


def replaced(content: bytes, field: str, ordinal: int, value: int) -> bytes:
    """The bytes of a map with another number in a field."""
    bits, _ = _FIELDS[field]
    first, mask = _FIRST[field] + ordinal * bits, (1 << bits) - 1
    word = int.from_bytes(content, "little") & ~(mask << first)
    return (word | (value & mask) << first).to_bytes(TENSOR_MAP_BYTES, "little")


def _field(content: bytes, field: str) -> tuple[int, ...]:
    """The numbers in a field of a map in bytes."""
    bits, count = _FIELDS[field]
    word = int.from_bytes(content, "little") >> _FIRST[field]
    return tuple(word >> at * bits & (1 << bits) - 1 for at in range(count))


def _modes(swizzle: str) -> tuple[int, int]:
    """The values of the fields of a swizzle mode."""
    for mode, name in reversed([*enumerate(SWIZZLE_MODES)]):
        if swizzle.startswith(name):
            return mode, ATOMICITIES.index(swizzle.removeprefix(name))
    raise LookupError(swizzle)


def encoded(tensor_map: TensorMap) -> bytes:
    """The bytes of a map whose tensor is in global memory."""
    swizzle, atomicity = _modes(tensor_map.swizzle)
    fields = {
        "global_address": [tensor_map.address or 0],
        "global_stride": tensor_map.strides,
        # The largest extent does not fit and becomes zero.
        "global_dim": tensor_map.extents,
        "box_dim": tensor_map.box,
        "element_stride": tensor_map.element_strides,
        "rank": [len(tensor_map.extents) - 1],
        "elemtype": [ELEMENT_TYPES.index(tensor_map.element)],
        "swizzle_mode": [swizzle],
        "swizzle_atomicity": [atomicity],
        "fill_mode": [FILL_MODES.index(tensor_map.fill)],
    }
    content = bytes(TENSOR_MAP_BYTES)
    for field, numbers in fields.items():
        for ordinal, number in enumerate(numbers):
            content = replaced(content, field, ordinal, number)
    return content


def box_in(op: Operation, content: bytes) -> Box:
    """The box of the map in bytes, for an operation that uses it. Raises OperationError."""
    rank = _field(content, "rank")[0] + 1
    element = ELEMENT_TYPES[_field(content, "elemtype")[0]]
    mode = SWIZZLE_MODES[_field(content, "swizzle_mode")[0] % len(SWIZZLE_MODES)]
    swizzle = mode + ATOMICITIES[_field(content, "swizzle_atomicity")[0]]
    is_interleaved = any(_field(content, "interleave_layout"))
    if element not in ELEMENTS or swizzle not in CUDA_SWIZZLES or is_interleaved:
        text = f"the emulator does not support tensor maps of {element} with {swizzle}"
        raise fault(op, TENSOR_MAP, text + " interleaved" * is_interleaved)
    extents, steps = (_field(content, each)[:rank] for each in ("box_dim", "element_stride"))
    return Box(extents, element, swizzle, steps)


def decoded(op: Operation, content: bytes, space: Space) -> TensorMap:
    """The map in bytes, for an operation that uses it. Raises OperationError, and Violation for a
    map that the driver refuses to encode."""
    box = box_in(op, content)
    rank = len(box.extents)
    (address,) = _field(content, "global_address")
    memory, start = space.find(op, address, 1)
    extents = (each or 1 << 32 for each in _field(content, "global_dim")[:rank])
    return TensorMap(
        memory.bytes[start:],
        box.element,
        tuple(extents),
        _field(content, "global_stride")[: rank - 1],
        box.extents,
        box.steps,
        box.swizzle,
        FILL_MODES[_field(content, "fill_mode")[0]],
        address,
    )
