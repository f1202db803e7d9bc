"""The shared memory descriptor, swizzle modes (9.7.16.4.1, 9.7.16.10.6), and the rules on tiles in
shared memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tcgen05_dialect.isa.model.bitfield import (
    BitLayout,
    FieldReading,
    FieldViolation,
    coded,
    fixed,
    flag,
    number,
    with_conflicts,
)
from tcgen05_dialect.isa.model.rule import Violation, raise_any, rule

UNIT_BYTES = 16
"""Size in bytes of the unit of addresses in descriptors and of extents of atoms."""
ROW_BYTES = 128
"""Size in bytes of a row of shared memory; the row number selects the permutation of the chunks."""
PATTERN_ROWS = 8

SWIZZLE_RULE = rule("T5-SWIZZLE-001")


class Swizzle(NamedTuple):
    """A swizzle mode: its `code` in the descriptor, the `width` of a row of the swizzle atom in
    bytes, and the size `chunk` of the bytes that stay together (the atomicity)."""

    name: str
    code: int
    width: int
    chunk: int = UNIT_BYTES

    @property
    def is_swizzled(self) -> bool:
        return self.width > self.chunk

    @property
    def atom_units(self) -> int:
        """Extent of the swizzle atom along the major dimension, in elements of 128 bits
        (Table 53)."""
        return self.width // UNIT_BYTES

    @property
    def atom_rows(self) -> int:
        """Extent of the swizzle atom along the other dimension (Table 53)."""
        return PATTERN_ROWS * UNIT_BYTES // self.chunk

    @property
    def pattern_bytes(self) -> int:
        """Period of the swizzle pattern in bytes, to which its start is aligned (Table 41); without
        swizzling, the unit of addresses in the descriptor."""
        return PATTERN_ROWS * self.width if self.is_swizzled else UNIT_BYTES

    def apply(self, address: int) -> int:
        """The swizzled address of the byte at linear address `address`, or the reverse: the
        function is its own inverse."""
        return address ^ (address // ROW_BYTES % (self.width // self.chunk)) * self.chunk


SWIZZLES = {
    swizzle.name: swizzle
    for swizzle in (
        Swizzle("no_swizzle", 0, 16),
        Swizzle("swizzle_128b_atom_32b", 1, 128, 32),
        Swizzle("swizzle_128b", 2, 128),
        Swizzle("swizzle_64b", 4, 64),
        Swizzle("swizzle_32b", 6, 32),
    )
}


def swizzle(name: str) -> Swizzle:
    """The swizzle mode called `name`. Raises Violation."""
    if name not in SWIZZLES:
        raise SWIZZLE_RULE.violation(name, tuple(SWIZZLES))
    return SWIZZLES[name]


_SECTION = "9.7.16.4.1"

LAYOUT_RULE = rule("T5-DESC-001")
_CONSTANT_VALUE = 0b001
_CONSTANT = fixed(46, 48, _CONSTANT_VALUE)
UNSET_RULE = rule("T5-DESC-018", place=_CONSTANT.place, value=_CONSTANT.binary(_CONSTANT_VALUE))
START_RULE = rule("T5-DESC-002", unit_bytes=UNIT_BYTES)
LEADING_RULE = rule("T5-DESC-003", unit_bytes=UNIT_BYTES)
STRIDE_RULE = rule("T5-DESC-004", unit_bytes=UNIT_BYTES)
BASE_OFFSET_RULE = rule("T5-DESC-005")
ABSOLUTE_RULE = rule("T5-DESC-006")
ABSOLUTE_SWIZZLE = "swizzle_128b"
"""The only mode with an absolute leading dimension address."""

_SWIZZLES = {mode.name: mode.code for mode in SWIZZLES.values()}
DESCRIPTOR_LAYOUT = BitLayout(
    "shared memory descriptor",
    _SECTION,
    64,
    (
        number("start_address", 0, 13, None, 4, START_RULE, START_RULE.subject),
        fixed(14, 15),
        number("leading_byte_offset", 16, 29, None, 4, LEADING_RULE, LEADING_RULE.subject),
        fixed(30, 31),
        number("stride_byte_offset", 32, 45, None, 4, STRIDE_RULE, STRIDE_RULE.subject),
        _CONSTANT,
        number("base_offset", 49, 51, rule=BASE_OFFSET_RULE, title=BASE_OFFSET_RULE.subject),
        flag("leading_absolute", 52),
        fixed(53, 60),
        coded("swizzle", 61, 63, _SWIZZLES, SWIZZLE_RULE, title=SWIZZLE_RULE.subject),
    ),
    LAYOUT_RULE,
)
CONSTANT_BITS = (1 << _CONSTANT.hi + 1) - (1 << _CONSTANT.lo)
"""Mask of the constant field."""


def is_unset(word: int, known: int = -1) -> bool:
    """Whether the constant field of a descriptor is 0; only the bits in the mask `known` of the
    word are known."""
    return _CONSTANT.raw(word) == 0 and not _CONSTANT.raw(~known)


def with_constant(word: int) -> int:
    """A descriptor with the constant value of the manual in its constant field, if that is 0."""
    return word | _CONSTANT_VALUE << _CONSTANT.lo if is_unset(word) else word


def unset_violation(name: str, title: str = "") -> Violation:
    """The warning of the operand `name`, a descriptor in PTX text whose constant field is 0."""
    found, legal = map(_CONSTANT.binary, (0, _CONSTANT_VALUE))
    violation = UNSET_RULE.violation(found, legal, culprit=name)
    return violation.about(title) if title else violation


def base_offset(pattern_start: int, mode: str) -> int:
    """The base offset of a swizzle pattern that starts at byte address `pattern_start`; 0 at a
    boundary of Table 41."""
    if pattern_start % swizzle(mode).pattern_bytes == 0:
        return 0
    return pattern_start // ROW_BYTES % PATTERN_ROWS


@dataclass(frozen=True, slots=True)
class SharedMemoryDescriptor:
    """A matrix in shared memory. Addresses and offsets are in bytes; `swizzle` names a mode.

    If `leading_absolute`, the leading byte offset is the absolute address of the second chunk.
    """

    start_address: int
    leading_byte_offset: int
    stride_byte_offset: int
    base_offset: int = 0
    leading_absolute: bool = False
    swizzle: str = "no_swizzle"

    def _fields(self) -> dict[str, int | bool | str]:
        return {
            "start_address": self.start_address,
            "leading_byte_offset": self.leading_byte_offset,
            "stride_byte_offset": self.stride_byte_offset,
            "base_offset": self.base_offset,
            "leading_absolute": self.leading_absolute,
            "swizzle": self.swizzle,
        }

    def encode(self) -> int:
        """The 64-bit value. Raises Violation that names every field without an encoding."""
        return DESCRIPTOR_LAYOUT.encode(**self._fields())

    @classmethod
    def decode(cls, value: int) -> SharedMemoryDescriptor:
        """The descriptor with this 64-bit value. Raises Violation that names every wrong field."""
        return cls(**DESCRIPTOR_LAYOUT.decode(value))

    @staticmethod
    def explain(value: int) -> list[FieldReading]:
        """The fields of a 64-bit value, each with its violation."""
        readings = DESCRIPTOR_LAYOUT.explain(value)
        if not all(reading.is_legal for reading in readings):
            return readings
        return with_conflicts(readings, SharedMemoryDescriptor.decode(value)._conflicts())

    def __str__(self) -> str:
        leading = "absolute" if self.leading_absolute else "leading"
        text = (
            f"{self.swizzle} at {self.start_address:#x}, {leading} {self.leading_byte_offset:#x}, "
            f"stride {self.stride_byte_offset:#x}"
        )
        return f"{text}, base offset {self.base_offset}" if self.base_offset else text

    def _conflicts(self) -> Iterator[FieldViolation]:
        """Conflicts between fields, for any matrix."""
        if self.leading_absolute:
            if self.swizzle != ABSOLUTE_SWIZZLE:
                yield (
                    "swizzle",
                    ABSOLUTE_RULE.violation(
                        self.swizzle,
                        ABSOLUTE_SWIZZLE,
                        "swizzle mode with an absolute leading dimension address",
                    ),
                )
            if self.base_offset:
                what = "base offset with an absolute leading dimension address"
                yield "base_offset", ABSOLUTE_RULE.violation(self.base_offset, 0, what)

    def violations(
        self, transposed: bool | None = None, pattern_start: int | None = None
    ) -> list[Violation]:
        """All violations of the descriptor. `transposed`, whether a matrix of the product is
        MN-major, and `pattern_start`, the byte address at which the swizzle pattern starts, are
        checked if known."""
        found = DESCRIPTOR_LAYOUT.violations(**self._fields())
        if found:
            return found
        found = [violation for _, violation in self._conflicts()]
        if self.leading_absolute and transposed:
            found.append(
                ABSOLUTE_RULE.violation(
                    "MN-major",
                    "K-major",
                    "each matrix of a product with an absolute leading dimension address",
                )
            )
        if pattern_start is not None:
            expected = base_offset(pattern_start, self.swizzle)
            if self.base_offset != expected:
                found.append(self._pattern_violation(pattern_start, expected))
        return found

    def _pattern_violation(self, start: int, expected: int) -> Violation:
        rule, culprit = BASE_OFFSET_RULE, "base_offset"
        if self.base_offset:
            return rule.violation(self.base_offset, expected, culprit=culprit)
        period = swizzle(self.swizzle).pattern_bytes
        legal = f"a multiple of {period}, the period of {self.swizzle}"
        return rule.violation(start, legal, "address of the tile", culprit=culprit)

    def verify(self, transposed: bool | None = None, pattern_start: int | None = None) -> None:
        """Raise Violation that names all of `violations`."""
        raise_any(self.violations(transposed, pattern_start))

    def required_features(self) -> tuple[str, ...]:
        """Features (see `targets.FEATURES`) that a target must have for this descriptor."""
        return ("lbo_absolute",) if self.leading_absolute else ("base",)


def value_violations(value: int, transposed: bool | None = None) -> list[Violation]:
    """All violations of the descriptor with this 64-bit value; see
    `SharedMemoryDescriptor.violations`."""
    try:
        return SharedMemoryDescriptor.decode(value).violations(transposed)
    except Violation as violation:
        return [violation]


def required_features(value: int) -> tuple[str, ...]:
    """Features that a target must have for the descriptor with this 64-bit value; none if the
    value is illegal."""
    try:
        return SharedMemoryDescriptor.decode(with_constant(value)).required_features()
    except Violation:
        return ()


DESCRIPTOR_TYPE = rule("T5-DESC-016")

VARIABLE_ALIGNMENT = rule("T5-DESC-014")

VARIABLE_SIZE = rule("T5-DESC-015")

K_EXTENT = rule("T5-DESC-013")
