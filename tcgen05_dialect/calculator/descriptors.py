"""Meaning of the three descriptors of tcgen05.mma, from their encoded words (9.7.16.4)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from tcgen05_dialect.calculator.answer import Answer, Field, Fields, Records
from tcgen05_dialect.calculator.diagram import word_parts
from tcgen05_dialect.calculator.warnings import warning_fields
from tcgen05_dialect.isa.cta_group import CTA_GROUP
from tcgen05_dialect.isa.element import element
from tcgen05_dialect.isa.mma.descriptor_formats import descriptor_layout
from tcgen05_dialect.isa.mma.instruction_descriptor import InstructionDescriptor
from tcgen05_dialect.isa.mma.kinds import KINDS
from tcgen05_dialect.isa.mma.products import product_of
from tcgen05_dialect.isa.mma.shapes import SHAPES, instruction_k_bytes
from tcgen05_dialect.isa.mma.zero_column_mask import MASK_LAYOUT, SUB_MASKS, ZeroColumnMask
from tcgen05_dialect.isa.shared_memory.descriptor import DESCRIPTOR_LAYOUT, SharedMemoryDescriptor

_WS = sorted(SHAPES.values("ws"))
_SHOWN_MASK = 64
"""Maximum length of a mask in an answer; as in the manual, the highest columns are omitted."""


def instruction_descriptor(kind: str, word: int) -> Answer:
    """
    The meaning of a 32-bit instruction descriptor in the format of a kind.

    Raises Violation for an unknown kind and for a wider word.
    """
    readings = InstructionDescriptor.explain(kind, word)
    layout = descriptor_layout(kind)
    fields = [
        *_word_fields(word, layout.width),
        Field("format", layout.name, f"{layout.name} (PTX ISA {layout.section})"),
    ]
    if all(reading.is_legal for reading in readings):
        descriptor = InstructionDescriptor.decode(kind, word)
        fields += [
            Field("says", str(descriptor)),
            Field("K", descriptor.k, _k(descriptor)),
            Field("instructions", list(_instructions(descriptor))),
            *warning_fields(descriptor, product(_WS, CTA_GROUP.spellings)),
        ]
    return Answer(
        f"instruction descriptor {word:#010x} for kind {kind}",
        [Fields("", fields), *word_parts(layout, word, readings)],
    )


def _word_fields(word: int, width: int) -> Iterator[Field]:
    yield Field("value", word, f"{word:#0{width // 4 + 2}x} = {word}")


def _k(descriptor: InstructionDescriptor) -> str:
    size = instruction_k_bytes(
        descriptor.kind, element(descriptor.b).bits, descriptor.sparse, descriptor.k96
    )
    return f"{descriptor.k} elements, {size} bytes of each row of a K-major B"


def _instructions(descriptor: InstructionDescriptor) -> Iterator[str]:
    """The mnemonics of the MMAs that accept the descriptor."""
    for ws in _WS:
        for cta_group in CTA_GROUP.spellings:
            if not descriptor.violations(ws, cta_group):
                yield product_of(ws, descriptor.sparse).mnemonic.mnemonic(
                    kind=descriptor.kind,
                    block_scale=KINDS[descriptor.kind].block_scaled,
                    cta_group=cta_group,
                )


def instruction_descriptor_of_any_kind(word: int) -> Answer:
    """
    The meaning of a 32-bit instruction descriptor for each kind. Raises Violation for a wider word.
    """
    return Answer(
        f"instruction descriptor {word:#010x}; its format depends on the kind of the MMA",
        [Records("kinds", [_reading_of(kind, word) for kind in KINDS])],
    )


def _reading_of(kind: str, word: int) -> dict[str, object]:
    readings = InstructionDescriptor.explain(kind, word)
    wrong = [reading.field for reading in readings if reading.violation is not None]
    if wrong:
        says = f"illegal: {', '.join(wrong)}"
    else:
        says = str(InstructionDescriptor.decode(kind, word))
    return {"kind": kind, "legal": not wrong, "says": says}


def shared_memory_descriptor(word: int) -> Answer:
    """The meaning of a 64-bit shared memory descriptor. Raises Violation for a wider word."""
    readings = SharedMemoryDescriptor.explain(word)
    fields = [*_word_fields(word, DESCRIPTOR_LAYOUT.width)]
    if all(reading.is_legal for reading in readings):
        fields.append(Field("says", str(SharedMemoryDescriptor.decode(word))))
    return Answer(
        f"shared memory descriptor {word:#018x}",
        [Fields("", fields), *word_parts(DESCRIPTOR_LAYOUT, word, readings)],
    )


def zero_column_mask(word: int, m: int | None = None, n: int | None = None) -> Answer:
    """
    The meaning of a 64-bit zero-column mask descriptor, and the columns that it zeroes for M and N.

    Raises Violation for a wider word, and for an M or N that tcgen05.mma.ws does not support.
    """
    readings = ZeroColumnMask.explain(word)
    fields = [*_word_fields(word, MASK_LAYOUT.width)]
    parts = word_parts(MASK_LAYOUT, word, readings)
    if all(reading.is_legal for reading in readings):
        descriptor = ZeroColumnMask.decode(word)
        fields.append(Field("says", str(descriptor)))
        if m is not None and n is not None:
            fields += _columns(descriptor, m, n)
    return Answer(f"zero-column mask descriptor {word:#018x}", [Fields("", fields), *parts])


def sub_masks(descriptor: ZeroColumnMask, m: int, n: int) -> list[str]:
    """
    The sub-masks in the notation of the manual: mask0 first, in each the highest column first, with
    a space between runs.

    Raises Violation for an M that has no mask.
    """
    count: int = SUB_MASKS.value("sub_masks", m=m)
    bits = f"{descriptor.mask(m, n):0{n}b}"
    part = n // count
    parts = [bits[n - (at + 1) * part : n - at * part] for at in range(count)]
    return [each.replace("01", "0 1").replace("10", "1 0") for each in parts]


def zero_columns(descriptor: ZeroColumnMask, m: int, n: int) -> list[int]:
    """The columns that count as zero. Raises Violation for an M that has no mask."""
    generated = descriptor.mask(m, n)
    return [column for column in range(n) if generated >> column & 1]


def _columns(descriptor: ZeroColumnMask, m: int, n: int) -> Iterator[Field]:
    SHAPES.check(ws=True, m=m, n=n)
    descriptor.verify(m)
    generated, zero = descriptor.mask(m, n), zero_columns(descriptor, m, n)
    yield Field("mask", f"{generated:#x}")
    for at, text in enumerate(sub_masks(descriptor, m, n)):
        yield Field(f"mask{at}", text, f"0b {_shortened(text)}")
    yield Field("zero columns", zero, f"{len(zero)} of {n}: {_ranges(zero)}" if zero else "none")
    first = descriptor.column_shift
    columns = range(first, first + n)
    yield Field("columns of B", list(columns), f"{columns[0]} to {columns[-1]}")


def _shortened(text: str) -> str:
    if len(text) <= _SHOWN_MASK:
        return text
    shown = text[-_SHOWN_MASK:]
    return f"... {shown[shown.index(' ') + 1 :]}" if " " in shown else f"... {shown}"


def _ranges(numbers: list[int]) -> str:
    """Ascending numbers as text; consecutive numbers are written as a range."""
    starts = [number for number in numbers if number - 1 not in numbers]
    ends = [number for number in numbers if number + 1 not in numbers]
    return ", ".join(
        str(first) if first == last else f"{first}-{last}"
        for first, last in zip(starts, ends, strict=True)
    )
