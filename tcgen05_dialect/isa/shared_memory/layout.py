"""Layouts of the matrices A and B in shared memory (9.7.16.3, 9.7.16.10.3 and .6), and the
canonical layouts in CuTe's notation (9.7.16.3.3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from tcgen05_dialect.isa.element import container_bits
from tcgen05_dialect.isa.model.rule import Violation, raise_any, rule
from tcgen05_dialect.isa.model.table import Table
from tcgen05_dialect.isa.shared_memory.descriptor import (
    ROW_BYTES,
    SWIZZLES,
    UNIT_BYTES,
    SharedMemoryDescriptor,
    Swizzle,
)

MAJORS = ("k_major", "mn_major")
ATOM_ORDERS = ("k_first", "mn_first")

_ATOM_32B = "swizzle_128b_atom_32b"
_CHUNK_16B = tuple(name for name in SWIZZLES if name != _ATOM_32B)

SWIZZLE_COMBINATIONS = Table(
    "Table 52",
    "9.7.16.10.3",
    ("bits", "major", "swizzle"),
    (
        ((4, 6, 8, 16, 32), "k_major", tuple(SWIZZLES)),
        ((8, 16), "mn_major", _CHUNK_16B),
        (32, "mn_major", _ATOM_32B),
    ),
    rule("T5-SWIZZLE-002", atom_32b=_ATOM_32B),
    titles={"bits": "a tile of {}-bit elements"},
)

ATOMS = Table(
    "Table 53",
    "9.7.16.10.6",
    ("swizzle", "major", "leading", "rows"),
    tuple(
        (
            mode.name,
            MAJORS if mode.chunk == UNIT_BYTES else "mn_major",
            mode.atom_units,
            mode.atom_rows,
        )
        for mode in SWIZZLES.values()
    ),
    rule("T5-SWIZZLE-003", atom_32b=_ATOM_32B),
)
"""Extents of the swizzle atom: `leading` along the major dimension in elements of 128 bits, and
`rows` along the other dimension."""


def swizzle_modes(bits: int, major: str) -> tuple[str, ...]:
    """The swizzle modes for a matrix with elements of `bits` bits: the modes of Table 52 with an
    atom in Table 53."""
    return tuple(
        mode
        for mode in SWIZZLES
        if SWIZZLE_COMBINATIONS.row(bits=bits, major=major, swizzle=mode) is not None
        and ATOMS.row(swizzle=mode, major=major) is not None
    )


TILE_RULE = rule("T5-DESC-007")
PADDING_RULE = rule("T5-DESC-009")
ADVANCE_RULE = rule("T5-DESC-008")

LEADING_SECTION = "9.7.16.3.1.1"
STRIDE_SECTION = "9.7.16.3.2"
"""The section that defines the two byte offsets of a descriptor."""


ATOM_DISTANCE = rule("T5-DESC-017")
ATOM_DISTANCE_IN_PTX = rule("T5-DESC-019")
"""Mistakes of ATOM_DISTANCE in PTX text."""


def atom_violations(
    descriptor: SharedMemoryDescriptor, transposed: bool, container: int, mn: int, k: int
) -> list[Violation]:
    """Violations by the distances of the atoms that an instruction reads: `mn` x `k` elements that
    occupy `container` bits each."""
    mode = SWIZZLES[descriptor.swizzle]
    major, atom_bytes = mode.width * 8 // container, mode.atom_rows * mode.width
    atoms_mn, atoms_k = -(-mn // mode.atom_rows), -(-k // major)
    if transposed:
        atoms_mn, atoms_k = -(-mn // major), -(-k // mode.atom_rows)
    steps_mn = leading_steps_mn(mode, transposed)
    leading, stride = (atoms_mn, atoms_k) if steps_mn else (atoms_k, atoms_mn)
    if descriptor.leading_absolute or (mode.is_swizzled and not transposed):
        leading = 1
    found: list[Violation] = []
    offsets = (
        ("leading_byte_offset", "leading dimension byte offset", leading),
        ("stride_byte_offset", "stride dimension byte offset", stride),
    )
    for name, title, atoms in offsets:
        offset: int = getattr(descriptor, name)
        apart = atom_bytes if mode.is_swizzled else 1
        if atoms > 1 and (offset < atom_bytes or offset % apart):
            legal = f"at least {atom_bytes}"
            if mode.is_swizzled:
                legal = f"a multiple of {atom_bytes}, the bytes of an atom of {mode.name}"
            what = f"{title}, from each of {atoms} swizzle atoms to the next,"
            found.append(ATOM_DISTANCE.violation(offset, legal, what, culprit=name))
    return found


class AtomGrid(NamedTuple):
    """A grid of swizzle atoms. The strides are the bytes from one atom to the next along mn and
    along k. An element of `bits` bits occupies `container_bits` bits. `transposed`: mn is the major
    dimension."""

    swizzle: Swizzle
    bits: int
    container_bits: int
    transposed: bool
    mn_stride: int
    k_stride: int

    @classmethod
    def described(
        cls, swizzle: Swizzle, bits: int, pads: bool, transposed: bool, leading: int, stride: int
    ) -> AtomGrid:
        """The grid described by a descriptor with these byte offsets (9.7.16.3.1); `pads` is as in
        `kinds.Kind`."""
        strides = (leading, stride) if leading_steps_mn(swizzle, transposed) else (stride, leading)
        return cls(swizzle, bits, container_bits(bits, pads), transposed, *strides)

    def linear_bits(self, mn: Any, k: Any) -> Any:
        """The bit at which element (mn, k) starts, before swizzling. Takes integers or arrays of
        integers."""
        major, row, major_stride, row_stride = k, mn, self.k_stride, self.mn_stride
        if self.transposed:
            major, row, major_stride, row_stride = mn, k, self.mn_stride, self.k_stride
        extent = self.swizzle.width * 8 // self.container_bits
        atom_major, inside = divmod(major, extent)
        atom_row, row_inside = divmod(row, self.swizzle.atom_rows)
        unit, element = divmod(inside, UNIT_BYTES * 8 // self.container_bits)
        start = atom_major * major_stride + atom_row * row_stride
        start += row_inside * self.swizzle.width + unit * UNIT_BYTES
        return start * 8 + element * self.bits


def leading_steps_mn(swizzle: Swizzle, transposed: bool) -> bool:
    """Whether the leading offset steps along mn and the stride offset along k."""
    return swizzle.is_swizzled and transposed


@dataclass(frozen=True)
class SharedMemoryLayout:
    """A tile of `mn` x `k` elements of `bits` bits in shared memory, made of swizzle atoms.

    `major` is the dimension in which elements are contiguous, `swizzle` the name of a mode, and
    `atom_order` the dimension in which atoms are adjacent. `pads`: elements of fewer than 8 bits
    occupy 8 bits (kinds f8f6f4 and mxf8f6f4). The constructor accepts any values; `verify` refuses
    layouts that the ISA does not have.
    """

    mn: int
    k: int
    bits: int
    major: str
    swizzle: str
    atom_order: str = "k_first"
    pads: bool = False

    @property
    def transposed(self) -> bool:
        """The transpose bit that an instruction descriptor needs for this matrix."""
        return self.major == "mn_major"

    @cached_property
    def container_bits(self) -> int:
        """The number of bits of shared memory that an element occupies."""
        return container_bits(self.bits, self.pads)

    @cached_property
    def _mode(self) -> Swizzle:
        return SWIZZLES[self.swizzle]

    @property
    def _extent(self) -> int:
        """Extent of the atom along the major dimension, in elements."""
        return self._mode.width * 8 // self.container_bits

    @cached_property
    def atom(self) -> tuple[int, int]:
        """Extents (mn, k) of the swizzle atom, in elements."""
        major, rows = self._extent, self._mode.atom_rows
        return (major, rows) if self.transposed else (rows, major)

    @cached_property
    def atom_bytes(self) -> int:
        return self._mode.atom_rows * self._mode.width

    @cached_property
    def _atoms(self) -> tuple[int, int]:
        """Number of atoms along mn and along k."""
        atom_mn, atom_k = self.atom
        return -(-self.mn // atom_mn), -(-self.k // atom_k)

    @property
    def size_bytes(self) -> int:
        atoms_mn, atoms_k = self._atoms
        return atoms_mn * atoms_k * self.atom_bytes

    @property
    def alignment(self) -> int:
        """Alignment in bytes that makes the base offset of the tile 0."""
        return self._mode.pattern_bytes

    @property
    def mn_stride(self) -> int:
        """Bytes from an atom to the next one along mn."""
        return self.atom_bytes * (self._atoms[1] if self.atom_order == "k_first" else 1)

    @property
    def k_stride(self) -> int:
        """Bytes from an atom to the next one along k."""
        return self.atom_bytes * (self._atoms[0] if self.atom_order == "mn_first" else 1)

    @property
    def leading_is_assumed(self) -> bool:
        """Whether the hardware ignores the leading offset: for rows as wide as the swizzle, the
        manual assumes one unit (9.7.16.3.1)."""
        return self._mode.is_swizzled and not self.transposed

    @property
    def leading_steps_mn(self) -> bool:
        """Whether the leading offset steps along mn and the stride offset along k."""
        return leading_steps_mn(self._mode, self.transposed)

    @property
    def leading_byte_offset(self) -> int:
        """Leading dimension byte offset of the descriptor."""
        if self.leading_is_assumed:
            return UNIT_BYTES
        return self.mn_stride if self.leading_steps_mn else self.k_stride

    @property
    def stride_byte_offset(self) -> int:
        """Stride dimension byte offset of the descriptor."""
        return self.k_stride if self.leading_steps_mn else self.mn_stride

    @cached_property
    def _grid(self) -> AtomGrid:
        return AtomGrid(
            self._mode,
            self.bits,
            self.container_bits,
            self.transposed,
            self.mn_stride,
            self.k_stride,
        )

    def _linear_bits(self, mn: int, k: int) -> int:
        return self._grid.linear_bits(mn, k)

    def bit_offset(self, mn: int, k: int) -> int:
        """Bit of the tile at which element (mn, k) starts, after swizzling. The tile must be
        aligned."""
        bits = self._linear_bits(mn, k)
        return self._mode.apply(bits // 8) * 8 + bits % 8

    def byte_offset(self, mn: int, k: int) -> int:
        """Byte of the tile in which element (mn, k) starts, after swizzling. The tile must be
        aligned."""
        return self.bit_offset(mn, k) // 8

    def linear_byte_offset(self, mn: int, k: int) -> int:
        """Byte of the tile in which element (mn, k) starts, before swizzling."""
        return self._linear_bits(mn, k) // 8

    def advance(self, mn: int = 0, k: int = 0) -> int:
        """The number of bytes to add to the start address so that the descriptor begins at element
        (mn, k).

        Raises Violation if (mn, k) is outside the tile, or if a descriptor cannot begin there:
        inside a swizzle chunk, or inside an atom along the dimension that is not major.
        """
        chunk = self._mode.chunk * 8 // self.container_bits
        rows = self._mode.atom_rows
        mn_step, k_step = (chunk, rows) if self.transposed else (rows, chunk)
        for name, step, at, extent in (("mn", mn_step, mn, self.mn), ("k", k_step, k, self.k)):
            if at not in range(0, extent, step):
                raise ADVANCE_RULE.violation(at, range(0, extent, step), f"{name} of the origin")
        return self.linear_byte_offset(mn, k)

    def descriptor(
        self, address: int, mn: int | None = None, k: int | None = None
    ) -> SharedMemoryDescriptor:
        """The descriptor of the tile at byte address `address`, which is an aligned address plus
        `advance`.

        `mn` and `k` are the extents that one instruction reads, by default those of the tile. An
        offset that the instruction does not use is 0. The descriptor is not verified here.
        """
        atom_mn, atom_k = self.atom
        steps_mn = (self.mn if mn is None else mn) > atom_mn
        steps_k = (self.k if k is None else k) > atom_k
        leading_used, stride_used = steps_k, steps_mn
        if self.leading_steps_mn:
            leading_used, stride_used = steps_mn, steps_k
        return SharedMemoryDescriptor(
            address,
            self.leading_byte_offset if leading_used or self.leading_is_assumed else 0,
            self.stride_byte_offset if stride_used else 0,
            swizzle=self.swizzle,
        )

    def violations(self) -> list[Violation]:
        """All violations of the layout: of Tables 52 and 53, and extents that are not whole
        atoms."""
        found: list[Violation] = []
        point = {"major": self.major, "swizzle": self.swizzle}
        if SWIZZLE_COMBINATIONS.row(bits=self.bits, **point) is None:
            found.append(SWIZZLE_COMBINATIONS.violation(bits=self.bits, **point))
        if ATOMS.row(**point) is None:
            return found or [ATOMS.violation(**point)]
        if UNIT_BYTES * 8 % self.container_bits:
            found.append(PADDING_RULE.violation("packed", "padded", f"{self.bits}-bit elements"))
        if self.atom_order not in ATOM_ORDERS:
            found.append(TILE_RULE.violation(self.atom_order, ATOM_ORDERS, "order of the atoms"))
        for name, extent, atom in zip(("mn", "k"), (self.mn, self.k), self.atom, strict=True):
            if extent <= 0 or extent % atom:
                found.append(
                    TILE_RULE.violation(
                        extent,
                        f"a multiple of {atom}, the extent of the swizzle atom",
                        f"{name} of the tile",
                    )
                )
        return found

    def verify(self) -> None:
        """Raise Violation that names all of `violations`."""
        raise_any(self.violations())


SECTION = "9.7.16.3.3"
_UNIT_BITS = 8 * UNIT_BYTES


def swizzle_function(mode: Swizzle) -> str:
    """The swizzle as a function on byte addresses: the number of bits that it changes, the lowest
    of these bits, and the distance to the bits that are xored into them."""
    bits = mode.width // mode.chunk
    return (
        f"Swizzle<{bits.bit_length() - 1},{mode.chunk.bit_length() - 1},"
        f"{(ROW_BYTES // mode.chunk).bit_length() - 1}>"
    )


_Mode = tuple[tuple[str, str], ...]
"""Extents and strides of the modes of one dimension, innermost first, as symbols."""


class CanonicalLayout(NamedTuple):
    """
    A canonical layout: the modes of its two dimensions, mn first, and the values of their symbols
    for one tile, in elements.

    `m` and `k` are the numbers of repetitions along mn and along k. The manual's formulas for
    swizzled K-major matrices give no bound for a row; here a row ends with the atom
    (`SharedMemoryLayout.atom`).
    """

    swizzle: str
    modes: tuple[_Mode, _Mode]
    values: dict[str, int]

    def _text(self, of: dict[str, int]) -> str:
        def tuples(which: int) -> str:
            modes = (",".join(str(of.get(p[which], p[which])) for p in m) for m in self.modes)
            return ",".join(f"({mode})" for mode in modes)

        return f"{self.swizzle} o ({tuples(0)}):({tuples(1)})"

    @property
    def parameters(self) -> tuple[tuple[str, int], ...]:
        """The symbols that are parameters, and their values."""
        k = self.values["2k"] // 2 if "2k" in self.values else self.values["k"]
        return ("T", self.values["T"]), ("m", self.values["m"]), ("k", k)

    @property
    def form(self) -> str:
        """The layout of all tiles with this majorness and swizzle, with symbols."""
        return self._text({})

    @property
    def exact(self) -> str:
        """The layout of the tile, with numbers."""
        return self._text(self.values)


def canonical_layout(tile: SharedMemoryLayout) -> CanonicalLayout:
    """The canonical layout of a legal tile."""
    mode = SWIZZLES[tile.swizzle]
    unit = _UNIT_BITS // tile.container_bits
    leading = tile.leading_byte_offset * 8 // tile.container_bits
    stride = tile.stride_byte_offset * 8 // tile.container_bits
    row = f"{mode.atom_units}T"
    values = {"T": unit, row: mode.atom_units * unit, "LBO": leading, "SBO": stride}
    if tile.transposed:
        along_mn, along_k = ("LBO", "SBO") if leading_steps_mn(mode, True) else ("SBO", "LBO")
        modes = (
            (("T", "1"), (str(mode.atom_units), "T"), ("m", along_mn)),
            ((str(mode.atom_rows), row), ("k", along_k)),
        )
        values |= {"m": tile.mn // tile.atom[0], "k": tile.k // tile.atom[1]}
    else:
        modes = (
            ((str(mode.atom_rows), row), ("m", "SBO")),
            (("T", "1"), ("2k", "T" if mode.is_swizzled else "LBO")),
        )
        values |= {"m": tile.mn // tile.atom[0], "2k": tile.k // unit}
    return CanonicalLayout(swizzle_function(mode), modes, values)
