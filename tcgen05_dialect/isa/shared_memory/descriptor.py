"""The shared memory descriptor (9.7.16.4.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
from tcgen05_dialect.isa.shared_memory.swizzle import (
    PATTERN_ROWS,
    ROW_BYTES,
    SWIZZLE_RULE,
    SWIZZLES,
    UNIT_BYTES,
    swizzle,
)

_SECTION = "9.7.16.4.1"
_ALIGN = f"align to {UNIT_BYTES} bytes, inside shared memory"

LAYOUT_RULE = rule(
    "T5-DESC-001",
    _SECTION,
    subject="fixed bits of the shared memory descriptor",
    statement="The fixed bits of a shared memory descriptor have their constant values.",
    why="Other values select layouts that are not defined; ptxas does not check them.",
    fix="set the constant field of the descriptor, and leave the other fixed bits 0",
)
_CONSTANT_VALUE = 0b001
_CONSTANT = fixed(46, 48, _CONSTANT_VALUE)
UNSET_RULE = rule(
    "T5-DESC-018",
    _SECTION,
    subject=f"{_CONSTANT.place} of the shared memory descriptor",
    statement="The constant field of a shared memory descriptor is not 0.",
    why=(
        "The manual defines the other fields only for descriptors whose constant field is "
        f"{_CONSTANT.binary(_CONSTANT_VALUE)}."
    ),
    fix="set the constant field of the descriptor",
    severity="warning",
    practice="kernels of Triton 3.5 leave these bits 0, and run",
)
START_RULE = rule(
    "T5-DESC-002",
    _SECTION,
    subject="matrix start address",
    statement=(
        "The matrix start address is a multiple of the descriptor's unit, inside shared memory."
    ),
    why=(
        "The descriptor holds the address in this unit: low bits would be lost, and the tile "
        "would be read from another address."
    ),
    fix=_ALIGN,
)
LEADING_RULE = rule(
    "T5-DESC-003",
    _SECTION,
    subject="leading dimension byte offset",
    statement=(
        "The leading dimension byte offset is a multiple of the descriptor's unit, inside shared "
        "memory."
    ),
    why=(
        "The descriptor holds the offset in that unit: the low bits are lost, and the core "
        "matrices are read from elsewhere."
    ),
    fix=_ALIGN,
)
STRIDE_RULE = rule(
    "T5-DESC-004",
    _SECTION,
    subject="stride dimension byte offset",
    statement=(
        "The stride dimension byte offset is a multiple of the descriptor's unit, inside shared "
        "memory."
    ),
    why=(
        "The descriptor holds the offset in that unit: the low bits are lost, and the core "
        "matrices are read from elsewhere."
    ),
    fix=_ALIGN,
)
BASE_OFFSET_RULE = rule(
    "T5-DESC-005",
    _SECTION,
    subject="matrix base offset",
    statement=(
        "A tile begins at a period boundary of its swizzle pattern, or its descriptor has the "
        "base offset that gives the distance from that boundary."
    ),
    why=(
        "The hardware derives the swizzle pattern from the address. If a tile begins elsewhere, "
        "the hardware permutes the rows differently from the program."
    ),
    fix="begin the tile at a multiple of the period of its swizzle, and leave the base offset 0",
)
ABSOLUTE_RULE = rule(
    "T5-DESC-006",
    "9.7.16.3.1.2.1",
    subject="absolute leading dimension address",
    statement=(
        "A product with an absolute leading dimension address needs K-major matrices; the "
        "descriptor with the address needs swizzle_128b and base offset 0."
    ),
    why="In other layouts the hardware interprets the field as a relative offset.",
    fix="use a relative offset, or swizzle_128b with K-major matrices and base offset 0",
)
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
