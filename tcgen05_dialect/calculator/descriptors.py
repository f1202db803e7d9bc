"""The three descriptors of tcgen05.mma: meaning (9.7.16.4), and derivation from a tile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import NamedTuple

from ..isa.element import element
from ..isa.mma.instruction_descriptor import InstructionDescriptor, descriptor_layout
from ..isa.mma.products import EXTENT, product_of
from ..isa.mma.shapes import KINDS, SHAPES, instruction_k_bytes
from ..isa.mma.sparse import MASK_LAYOUT, SUB_MASKS, ZeroColumnMask
from ..isa.model.bitfield import BitLayout, FieldReading
from ..isa.shared_memory.descriptor import (
    BASE_OFFSET_RULE,
    DESCRIPTOR_LAYOUT,
    K_EXTENT,
    PATTERN_ROWS,
    ROW_BYTES,
    START_RULE,
    SWIZZLE_RULE,
    SWIZZLES,
    UNIT_BYTES,
    SharedMemoryDescriptor,
    base_offset,
)
from ..isa.shared_memory.layout import (
    ATOMS,
    LEADING_SECTION,
    PADDING_RULE,
    SECTION,
    STRIDE_SECTION,
    SharedMemoryLayout,
    canonical_layout,
)
from ..isa.shared_memory.tensor_map import CUDA_ELEMENTS, CUDA_SWIZZLES
from ..isa.targets import CTA_GROUP
from . import QuestionError, ranges_text
from .answer import (
    Answer,
    Field,
    Fields,
    Records,
    warning_fields,
    word_parts,
)
from .operands import box_of

_WS = sorted(SHAPES.values("ws"))
_SHOWN_MASK = 64
"""Maximum length of a mask in an answer; as in the manual, the highest columns are omitted."""


def _of_word(
    title: str,
    layout: BitLayout,
    word: int,
    readings: Sequence[FieldReading],
    says: Callable[[], Iterable[Field]],
    *fields: Field,
) -> Answer:
    """The meaning of a word: its value, fields, what it says if all its bits are legal, and the
    bits."""
    value = Field("value", word, f"{word:#0{layout.width // 4 + 2}x} = {word}")
    legal = says() if all(reading.is_legal for reading in readings) else ()
    parts = word_parts(layout, word, readings)
    return Answer(title, [Fields("", [value, *fields, *legal]), *parts])


def instruction_descriptor(kind: str, word: int) -> Answer:
    """The meaning of a 32-bit instruction descriptor in the format of a kind. Raises Violation for
    an unknown kind and for a wider word."""

    def says() -> Iterator[Field]:
        descriptor = InstructionDescriptor.decode(kind, word)
        bits = element(descriptor.b).bits
        size = instruction_k_bytes(kind, bits, descriptor.sparse, descriptor.k96)
        k = f"{descriptor.k} elements, {size} bytes of each row of a K-major B"
        yield Field("says", str(descriptor))
        yield Field("K", descriptor.k, k)
        yield Field("instructions", list(_instructions(descriptor)))
        yield from warning_fields(descriptor, product(_WS, CTA_GROUP.spellings))

    readings, layout = InstructionDescriptor.explain(kind, word), descriptor_layout(kind)
    format_ = Field("format", layout.name, f"{layout.name} (PTX ISA {layout.section})")
    title = f"instruction descriptor {word:#010x} for kind {kind}"
    return _of_word(title, layout, word, readings, says, format_)


def _instructions(descriptor: InstructionDescriptor) -> Iterator[str]:
    """The mnemonics of the MMAs that accept the descriptor."""
    for ws, cta_group in product(_WS, CTA_GROUP.spellings):
        if not descriptor.violations(ws, cta_group):
            yield product_of(ws, descriptor.sparse).mnemonic.mnemonic(
                kind=descriptor.kind,
                block_scale=KINDS[descriptor.kind].block_scaled,
                cta_group=cta_group,
            )


def instruction_descriptor_of_any_kind(word: int) -> Answer:
    """The meaning of a 32-bit instruction descriptor for each kind. Raises Violation for a wider
    word."""
    records: list[dict[str, object]] = []
    for kind in KINDS:
        readings = InstructionDescriptor.explain(kind, word)
        wrong = [reading.field for reading in readings if reading.violation is not None]
        says = f"illegal: {', '.join(wrong)}"
        if not wrong:
            says = str(InstructionDescriptor.decode(kind, word))
        records.append({"kind": kind, "legal": not wrong, "says": says})
    return Answer(
        f"instruction descriptor {word:#010x}; its format depends on the kind of the MMA",
        [Records("kinds", records)],
    )


def shared_memory_descriptor(word: int) -> Answer:
    """The meaning of a 64-bit shared memory descriptor. Raises Violation for a wider word."""
    return _of_word(
        f"shared memory descriptor {word:#018x}",
        DESCRIPTOR_LAYOUT,
        word,
        SharedMemoryDescriptor.explain(word),
        lambda: [Field("says", str(SharedMemoryDescriptor.decode(word)))],
    )


def zero_column_mask(word: int, m: int | None = None, n: int | None = None) -> Answer:
    """The meaning of a 64-bit zero-column mask descriptor, and the columns that it zeroes for M and
    N. Raises Violation for a wider word, and for an M or N that tcgen05.mma.ws does not support."""

    def says() -> Iterator[Field]:
        descriptor = ZeroColumnMask.decode(word)
        yield Field("says", str(descriptor))
        if m is not None and n is not None:
            yield from _columns(descriptor, m, n)

    title = f"zero-column mask descriptor {word:#018x}"
    return _of_word(title, MASK_LAYOUT, word, ZeroColumnMask.explain(word), says)


def sub_masks(descriptor: ZeroColumnMask, m: int, n: int) -> list[str]:
    """The sub-masks in the notation of the manual: mask0 first, in each the highest column first,
    with a space between runs. Raises Violation for an M that has no mask."""
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
    yield Field(
        "zero columns", zero, f"{len(zero)} of {n}: {ranges_text(zero)}" if zero else "none"
    )
    first = descriptor.column_shift
    columns = range(first, first + n)
    yield Field("columns of B", list(columns), f"{columns[0]} to {columns[-1]}")


def _shortened(text: str) -> str:
    if len(text) <= _SHOWN_MASK:
        return text
    shown = text[-_SHOWN_MASK:]
    return f"... {shown[shown.index(' ') + 1 :]}" if " " in shown else f"... {shown}"


class Step(NamedTuple):
    """One MMA of the tile: its first element (mn, k), the byte offset of that element, its
    descriptor."""

    mn: int
    k: int
    offset: int
    descriptor: SharedMemoryDescriptor


@dataclass(frozen=True, slots=True)
class Derivation:
    """The descriptors of a tile at byte `address` of shared memory. One MMA reads `mma_mn` by
    `mma_k` elements of type `element`. Raises Violation for an illegal tile, address or extent."""

    tile: SharedMemoryLayout
    element: str
    address: int
    mma_mn: int
    mma_k: int

    def __post_init__(self) -> None:
        self.tile.verify()
        for rule, name, of_mma, of_tile in (
            (EXTENT, "mn", self.mma_mn, self.tile.mn),
            (K_EXTENT, "k", self.mma_k, self.tile.k),
        ):
            if of_mma not in range(1, of_tile + 1) or of_tile % of_mma:
                legal = f"a divisor of {of_tile}, the tile's"
                raise rule.violation(of_mma, legal, f"{name} of one MMA")
        last = max(DESCRIPTOR_LAYOUT.field("start_address").numbers)
        if not 0 <= self.address <= last + UNIT_BYTES - self.tile.size_bytes:
            found = f"{self.tile.size_bytes} bytes at {self.address:#x}"
            legal = f"within bytes 0 to {last + UNIT_BYTES - 1:#x}"
            raise START_RULE.violation(found, legal, "tile in shared memory")
        # The base offset counts rows of shared memory.
        boundary = SWIZZLES[self.tile.swizzle].pattern_bytes
        if boundary > ROW_BYTES and self.address % ROW_BYTES:
            legal = f"a multiple of {ROW_BYTES}, or for base offset 0 of {boundary}"
            raise BASE_OFFSET_RULE.violation(f"{self.address:#x}", legal, "address of the tile")

    @property
    def descriptor(self) -> SharedMemoryDescriptor:
        """The descriptor of the first MMA."""
        return self._at(0)

    def _at(self, offset: int) -> SharedMemoryDescriptor:
        made = self.tile.descriptor(self.address + offset, self.mma_mn, self.mma_k)
        return replace(made, base_offset=base_offset(self.address, self.tile.swizzle))

    def steps(self) -> Iterator[Step]:
        """The descriptors of all MMAs of the tile; k varies fastest. Raises Violation."""
        for mn in range(0, self.tile.mn, self.mma_mn):
            for k in range(0, self.tile.k, self.mma_k):
                offset = self.tile.advance(mn, k)
                yield Step(mn, k, offset, self._at(offset))

    def lines(self) -> list[tuple[str, str, str, str]]:
        """The lines of the derivation: a result, its value, how it is derived, and the section of
        the manual."""
        tile, mode, descriptor = self.tile, SWIZZLES[self.tile.swizzle], self.descriptor
        bits = f"{tile.bits} bits"
        if tile.container_bits != tile.bits:
            bits += f", padded: {UNIT_BYTES * 8 // tile.container_bits} in {UNIT_BYTES} bytes"
        (atom_mn, atom_k), along = tile.atom, "mn" if tile.transposed else "k"
        rows = f"{mode.width} bytes of {along} x {mode.atom_rows} rows = {tile.atom_bytes} bytes"
        steps = f"{tile.mn_stride} bytes to the next of mn, {tile.k_stride} of k"
        read = f"{self.mma_k} rows"
        if not tile.transposed:
            read = f"{self.mma_k * tile.container_bits // 8} bytes of each row"
        leads, strides = ("mn", "k") if tile.leading_steps_mn else ("k", "mn")
        leading, stride = descriptor.leading_byte_offset, descriptor.stride_byte_offset
        lead = self._stride_meaning(leading, leads)
        if tile.leading_is_assumed:
            lead = f"not used: assumed to be {leading // UNIT_BYTES}"
        base = f"the tile begins at a multiple of {mode.pattern_bytes}"
        if descriptor.base_offset:
            row = f"start address / {ROW_BYTES} mod {PATTERN_ROWS}"
            base = f"{row}; 0 at a multiple of {mode.pattern_bytes}"
        atoms, start = f"{tile.mn // atom_mn} x {tile.k // atom_k}", f"{self.address:#x}"
        meaning = self._stride_meaning(stride, strides)
        return [
            ("element", self.element, bits, PADDING_RULE.section),
            ("swizzle atom", f"{atom_mn} x {atom_k}", rows, ATOMS.section),
            ("atoms of the tile", atoms, f"{tile.atom_order}: {steps}", SECTION),
            ("one MMA reads", f"{self.mma_mn} x {self.mma_k}", read, SHAPES.section),
            ("start address", start, _encoded(self.address), START_RULE.section),
            ("leading byte offset", str(leading), lead, LEADING_SECTION),
            ("stride byte offset", str(stride), meaning, STRIDE_SECTION),
            ("base offset", str(descriptor.base_offset), base, BASE_OFFSET_RULE.section),
            ("swizzle mode", str(mode.code), tile.swizzle, SWIZZLE_RULE.section),
        ]

    @staticmethod
    def _stride_meaning(offset: int, along: str) -> str:
        if not offset:
            return f"not used: one MMA reads one atom of {along}"
        return f"from atom to atom of {along}; {_encoded(offset)}"

    def canonical(self) -> Iterator[tuple[str, str]]:
        """The canonical layout and its parameters, in the notation of the manual."""
        layout = canonical_layout(self.tile)
        yield "Exact layout", layout.exact
        yield "Canonical layout", layout.form
        yield from ((name, str(value)) for name, value in layout.parameters)
        assumed = self.tile.leading_is_assumed
        leading, stride = self.tile.leading_byte_offset, self.tile.stride_byte_offset
        yield "LBO (relative offset)", "NA" if assumed else self._sized(leading)
        yield "SBO", self._sized(stride)
        one = f"{leading // UNIT_BYTES} (assumed)"
        made = self.descriptor
        lead = _encoding("LBO", leading, made.leading_byte_offset)
        yield "Encoding of LBO in descriptor", one if assumed else lead
        yield "Encoding of SBO in descriptor", _encoding("SBO", stride, made.stride_byte_offset)
        extent = self.tile.atom[1]
        if assumed and self.tile.k > extent:
            more = f"k = {extent} begins another atom, {self.tile.k_stride} bytes further"
            yield "Not in the form", more

    def _sized(self, offset: int) -> str:
        return f"{offset * 8 // self.tile.container_bits}*sizeof({self.element})"


def _encoding(name: str, of_tile: int, of_mma: int) -> str:
    """The encoding of an offset in a descriptor; it is used only if one MMA reads several atoms."""
    return f"({name}) {_shifted(of_tile)}" if of_mma else "0, not used: one MMA reads one atom"


def _shifted(number: int) -> str:
    return f">> 4 = {number >> 4}"


def _encoded(number: int) -> str:
    return f"{number:#x} {_shifted(number)}"


def kind_of(element: str, kind: str | None = None) -> str:
    """A kind that supports the element type: `kind`, or by default the first one. Raises Violation
    if there is none."""
    if kind is not None:
        SHAPES.check(kind=kind, a=element)
        return kind
    SHAPES.check(a=element)
    return next(each for each in KINDS if element in SHAPES.values("a", kind=each))


def derivation(derived: Derivation) -> Answer:
    """The derivation, the descriptors of all MMAs, and the tensor map box that fills the tile.
    Raises Violation if a value does not fit into its descriptor field."""
    tile = derived.tile
    title = f"{tile.mn} x {tile.k} {derived.element}, {tile.major}, {tile.swizzle}"
    steps = list(derived.steps())
    records = [
        {
            "mn": step.mn,
            "k": step.k,
            "bytes": step.offset,
            "start address": f"{step.descriptor.start_address:#x}",
            "descriptor": f"{step.descriptor.encode():#018x}",
        }
        for step in steps
    ]
    lines = [
        {"name": name, "value": value, "how": how, "section": section}
        for name, value, how, section in derived.lines()
    ]
    canonical = [Field(name, value) for name, value in derived.canonical()]
    return Answer(
        f"shared memory descriptor of {title}",
        [
            Records("derivation", lines),
            Fields(f"canonical layout (PTX ISA {SECTION})", canonical),
            Records("descriptors", records),
            Fields("tensor map", list(_box_fields(derived))),
        ],
    )


def _box_fields(derived: Derivation) -> Iterator[Field]:
    try:
        box = box_of(derived.tile, derived.element)
    except QuestionError as error:
        yield Field("box", None, f"none: {error}")
        return
    inner, outer = ("mn", "k") if derived.tile.transposed else ("k", "mn")
    yield Field("data type", f"CU_TENSOR_MAP_DATA_TYPE_{CUDA_ELEMENTS[box.element]}")
    yield Field("swizzle", f"CU_TENSOR_MAP_SWIZZLE_{CUDA_SWIZZLES[box.swizzle]}")
    extents = f"{box.extents[0]} along {inner}, {box.extents[1]} along {outer}"
    yield Field("box", box.extents, f"{extents}; {inner} is the innermost dimension")
    yield Field("copies", prod(box.copies))
    for along, extent, count, step in zip(
        (inner, outer), box.extents, box.copies, box.steps, strict=True
    ):
        if count > 1:
            how = f"{count}: {extent} elements and {step} bytes of the tile from one to the next"
            yield Field(f"copies along {along}", {"count": count, "bytes": step}, how)
