"""Types of buffers: tiles in shared memory, and matrices in tensor memory."""

from collections.abc import Collection, Sequence

from xdsl.dialects.builtin import IntegerType, f8E8M0FNU, f32
from xdsl.ir import Attribute

from ..isa.element import INDEX, PACKINGS
from ..isa.mma.products import ACCUMULATOR, MATRIX_A, METADATA, SCALE
from ..isa.model.rule import alternatives
from ..isa.shared_memory.layout import ATOM_ORDERS, MAJORS, SharedMemoryLayout
from ..isa.shared_memory.swizzle import SWIZZLES, UNIT_BYTES
from ..isa.shared_memory.tensor_map import Box, element_type
from ..tcgen05.types import ELEMENT_TYPES, ROLES, TensorMemoryType
from ..ws.blocks import COPIED_ROLES
from ..ws.types import SharedTileType


def accumulator(rows: int, columns: int, element: Attribute = f32) -> TensorMemoryType:
    """The type of the accumulator of one CTA."""
    return _matrix(rows, columns, element, ACCUMULATOR)


def matrix_a(
    rows: int, columns: int, element: Attribute, packing: str = PACKINGS[0]
) -> TensorMemoryType:
    """The type of a matrix A in tensor memory; elements of fewer than 8 bits may be `packed`."""
    return _matrix(rows, columns, element, MATRIX_A, packing)


def scale_factors(rows: int, factors: int, element: Attribute = f8E8M0FNU) -> TensorMemoryType:
    """The type of scale factors in tensor memory, with `factors` for each row."""
    return _matrix(rows, factors, element, SCALE)


def metadata(rows: int, indices: int) -> TensorMemoryType:
    """The type of the metadata of a sparse A in tensor memory, with `indices` for each row."""
    return _matrix(rows, indices, IntegerType(INDEX.bits), METADATA)


def _matrix(
    rows: int, columns: int, element: Attribute, role: str, packing: str = PACKINGS[0]
) -> TensorMemoryType:
    _check_element(element, ROLES[role])
    _check_word("packing", packing, PACKINGS)
    return TensorMemoryType.get(rows, columns, element, role, packing=packing)


def copied(matrix: TensorMemoryType) -> SharedTileType:
    """
    The type of the tile in shared memory that is copied to a matrix in tensor memory. Raises
    TypeError for a matrix of other roles than scale factors and metadata.
    """
    if matrix.role.data not in COPIED_ROLES:
        raise TypeError(f"expected the type of scale factors or of metadata; found {matrix}")
    return SharedTileType(matrix)


def tile(
    rows: int,
    columns: int,
    element: Attribute,
    major: str = MAJORS[0],
    swizzle: str | None = None,
    atom_order: str = ATOM_ORDERS[0],
    packing: str = PACKINGS[0],
) -> SharedTileType:
    """
    The type of a tile in shared memory; columns are contiguous, and are along M or N if the tile
    is `mn_major`. The swizzle mode is by default the widest that fits.

    Atoms are adjacent along K or, with the order `mn_first`, along M or N; a tile of several boxes
    of 128 bytes needs that. Elements of fewer than 8 bits occupy 8 bits, unless they are `packed`.

    Raises TypeError for an element that is no element type of a matrix, and ValueError for a word
    that is not one of those above.
    """
    _check_element(element, ELEMENT_TYPES)
    _check_word("major", major, MAJORS)
    _check_word("atom_order", atom_order, ATOM_ORDERS)
    _check_word("packing", packing, PACKINGS)
    mn, k = (rows, columns) if major == MAJORS[0] else (columns, rows)
    bits, pads = ELEMENT_TYPES[element].bits, packing == PACKINGS[0]
    if swizzle is None:
        layout = SharedMemoryLayout(mn, k, bits, major, "no_swizzle", pads=pads)
        swizzle = _widest_swizzle(columns * layout.container_bits // 8)
    _check_word("swizzle", swizzle, SWIZZLES)
    return SharedTileType.get(mn, k, element, major, swizzle, atom_order, packing)


def box_of(tile: SharedTileType, outer: Sequence[int], kind: str | None = None) -> Box:
    """
    The box of a tensor map that fills a tile, with more extents around those of the tile. `kind`
    is the element type of the map, where it does not follow from the tile.
    """
    layout, element = tile.layout, tile.descriptor.element_type
    kind = element_type(element.name, layout.bits, layout.container_bits) if kind is None else kind
    return Box((*reversed(tile.extents), *reversed(outer)), kind, layout.swizzle)


def _widest_swizzle(row: int) -> str:
    """The swizzle mode with the widest rows that divide a row of so many bytes."""
    modes = [mode for mode in SWIZZLES.values() if row % mode.width == 0]
    # A mode that keeps more bytes together is for few tiles.
    usual = [mode for mode in modes if mode.chunk == UNIT_BYTES]
    return max(usual, key=lambda mode: mode.width, default=SWIZZLES["no_swizzle"]).name


def _check_element(element: Attribute, legal: Collection[Attribute]) -> None:
    if element not in legal:
        text = alternatives(tuple(map(str, legal)))
        raise TypeError(f"an element must be a type of xDSL, {text}; found {element!r}")


def _check_word(name: str, found: str, legal: Collection[str]) -> None:
    if found not in legal:
        raise ValueError(f"{name} must be {alternatives(tuple(legal))}; found {found!r}")
