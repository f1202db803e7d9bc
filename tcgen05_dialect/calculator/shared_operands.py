"""A and B of an MMA in shared memory."""

from __future__ import annotations

from functools import cache

from tcgen05_dialect.calculator.grid import ColourGroup
from tcgen05_dialect.calculator.matrix import Pair, SharedMatrix
from tcgen05_dialect.calculator.multiplication import Multiplication
from tcgen05_dialect.calculator.placement import Placement
from tcgen05_dialect.isa.element import element
from tcgen05_dialect.isa.shared_memory.descriptor import SharedMemoryDescriptor
from tcgen05_dialect.isa.shared_memory.layout import SharedMemoryLayout, swizzle_modes
from tcgen05_dialect.isa.shared_memory.swizzle import ROW_BYTES, UNIT_BYTES, swizzle
from tcgen05_dialect.isa.shared_memory.tile import VARIABLE_ALIGNMENT
from tcgen05_dialect.isa.targets import SHARED_BYTES, SHARED_RULE

_MAX_BYTES = max(SHARED_BYTES.values())
_USUAL_SWIZZLE = "swizzle_128b"


def tile(mma: Multiplication, name: str, placement: Placement) -> SharedMemoryLayout:
    """
    The part of A or B that each CTA holds. Each CTA of a pair holds half of the rows of A or of the
    columns of B. Of a sparse A, it holds the stored elements.

    By default, K is that of one instruction, rounded up to whole atoms. Raises Violation and
    QuestionError.
    """
    bits = element(mma.a if name == "A" else mma.b).bits
    mn = (mma.m if name == "A" else mma.n) // mma.cta_group
    mode = placement.swizzle or _usual_swizzle(bits, placement.major)
    swizzle(mode)

    def made(k: int) -> SharedMemoryLayout:
        return SharedMemoryLayout(
            mn, k, bits, placement.major, mode, placement.atom_order, mma.pads
        )

    of_one = 2 if name == "A" and mma.sparse else 1
    found = made(mma.extent_k(made(1).atom[1] * of_one) // of_one)
    found.verify()
    check_bytes(name, placement.address, found.size_bytes, found.alignment)
    return found


def check_bytes(name: str, address: int, size: int, alignment: int) -> None:
    """Raise Violation if a matrix does not fit into shared memory at this address."""
    if size > _MAX_BYTES:
        raise SHARED_RULE.violation(size, f"up to {_MAX_BYTES}", f"bytes of {name}")
    SharedMemoryDescriptor(address, 0, 0).verify()
    if address % alignment:
        legal = f"multiples of {alignment}"
        raise VARIABLE_ALIGNMENT.violation(address, legal, f"address of {name}")


def _usual_swizzle(bits: int, major: str) -> str:
    """The only legal swizzle mode if there is just one, else swizzle_128b."""
    modes = swizzle_modes(bits, major)
    return modes[0] if len(modes) == 1 else _USUAL_SWIZZLE


def shared_tile(mma: Multiplication, name: str, placement: Placement) -> SharedMatrix:
    """A or B, with one tile in each CTA."""
    layout = tile(mma, name, placement)
    mode, row_bits = swizzle(layout.swizzle), ROW_BYTES * 8
    chunk, unit = mode.chunk * 8 // layout.container_bits, UNIT_BYTES * 8
    other = "m" if name == "A" else "n"

    def offsets(mn: int, k: int) -> tuple[tuple[int, int, int, int], ...]:
        cta, mn = divmod(mn, layout.mn)
        byte, bit = divmod(layout.bit_offset(mn, k), 8)
        return ((cta, byte, layout.linear_byte_offset(mn, k), bit),)

    def find(cta: int, bit: int, swizzled: bool) -> Pair | None:
        found = layout.element(bit, swizzled)
        return None if found is None else (cta * layout.mn + found[0], found[1])

    @cache
    def chunk_group(first: int, shade: int) -> ColourGroup:
        name = other if layout.transposed else "k"
        return ColourGroup(f"{name} {first}-{first + chunk - 1}", first // chunk, shade)

    def group(mn: int, k: int) -> ColourGroup:
        """The colour of a swizzle chunk; successive atoms alternate between two shades."""
        along, across = (mn, k) if layout.transposed else (k, mn)
        return chunk_group(along // chunk * chunk, across // mode.atom_rows % 2)

    return SharedMatrix(
        name=name,
        what=f"{name} of {mma}, {layout.major}, {layout.swizzle}",
        names=(other, "k"),
        extents=(layout.mn * mma.cta_group, layout.k),
        flipped=name == "B",
        bits=layout.bits,
        ctas=mma.cta_group,
        group=group,
        address=placement.address,
        size=layout.size_bytes,
        slots=tuple(
            first + bit
            for first in range(0, row_bits, unit)
            for bit in range(0, unit * layout.bits // layout.container_bits, layout.bits)
        ),
        offsets=offsets,
        find=find,
    )
