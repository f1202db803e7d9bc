"""
Types of buffers: tiles in shared memory, and matrices in tensor memory.

Operations that convert numbers and vectors to another type.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IntegerType, Signedness, f8E8M0FNU, f32
from xdsl.ir import Attribute, Operation, SSAValue

from ..isa.element import INDEX, PACKINGS
from ..isa.mma.accumulator import LAYOUT_RULE, LAYOUTS
from ..isa.mma.products import ACCUMULATOR, MATRIX_A, METADATA, SCALE
from ..isa.model.rule import alternatives, raise_any
from ..isa.shared_memory.layout import ATOM_ORDERS, MAJORS, SharedMemoryLayout
from ..isa.shared_memory.swizzle import SWIZZLES, UNIT_BYTES
from ..isa.shared_memory.tensor_map import Box, element_type
from ..operations import ws
from ..tcgen05.types import ELEMENT_TYPES, ROLES, TensorMemoryType
from ..ws.blocks import COPIED_ROLES
from ..ws.types import SharedTileType
from .checks import check_positive, check_word, checked


@checked
def accumulator(rows: int, columns: int, element: Attribute = f32) -> TensorMemoryType:
    """The type of the accumulator of one CTA."""
    return _matrix(rows, columns, element, ACCUMULATOR)


@checked
def matrix_a(
    rows: int, columns: int, element: Attribute, packing: str = PACKINGS[0]
) -> TensorMemoryType:
    """The type of a matrix A in tensor memory; elements of fewer than 8 bits may be `packed`."""
    return _matrix(rows, columns, element, MATRIX_A, packing)


@checked
def scale_factors(rows: int, factors: int, element: Attribute = f8E8M0FNU) -> TensorMemoryType:
    """The type of scale factors in tensor memory, with `factors` for each row."""
    return _matrix(rows, factors, element, SCALE)


@checked
def metadata(rows: int, indices: int) -> TensorMemoryType:
    """The type of the metadata of a sparse A in tensor memory, with `indices` for each row."""
    return _matrix(rows, indices, IntegerType(INDEX.bits), METADATA)


def _matrix(
    rows: int, columns: int, element: Attribute, role: str, packing: str = PACKINGS[0]
) -> TensorMemoryType:
    _check_element(element, ROLES[role])
    check_positive("an extent", rows, columns)
    check_word("packing", packing, PACKINGS)
    legal = frozenset(each.rows for each in LAYOUTS.values())
    if role in (ACCUMULATOR, MATRIX_A) and rows not in legal:
        what = "the number of rows of a matrix that a product has in one CTA"
        raise LAYOUT_RULE.violation(rows, legal, what)
    return TensorMemoryType.get(rows, columns, element, role, packing=packing)


@checked
def copied(matrix: TensorMemoryType) -> SharedTileType:
    """
    The type of the tile in shared memory that is copied to scale factors or metadata in tensor
    memory. Raises TypeError for other types, and ValueError for extents that blocks cannot fill.
    """
    if not _is_copied(matrix):
        raise TypeError(f"expected the type of scale factors or of metadata; found {matrix}")
    tile = SharedTileType(matrix)
    raise_any(tile.violations())
    return tile


def _is_copied(type_: object) -> bool:
    return isinstance(type_, TensorMemoryType) and type_.role.data in COPIED_ROLES


@checked
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
    The type of a tile in shared memory. Columns are contiguous; they are along K, or along M or N
    if the tile is `mn_major`. The default swizzle mode is the widest that fits.

    Consecutive atoms are adjacent along K or, with `atom_order="mn_first"`, along M or N. A tile
    whose rows take several boxes of 128 bytes needs `mn_first`. Elements of fewer than 8 bits
    occupy 8 bits, unless they are `packed`.

    Raises TypeError for an element that is no element type of a matrix, and ValueError for an
    unknown word.
    """
    _check_element(element, ELEMENT_TYPES)
    check_positive("an extent", rows, columns)
    check_word("major", major, MAJORS)
    check_word("atom_order", atom_order, ATOM_ORDERS)
    check_word("packing", packing, PACKINGS)
    mn, k = (rows, columns) if major == MAJORS[0] else (columns, rows)
    bits, pads = ELEMENT_TYPES[element].bits, packing == PACKINGS[0]
    if swizzle is None:
        layout = SharedMemoryLayout(mn, k, bits, major, "no_swizzle", pads=pads)
        swizzle = _widest_swizzle(columns * layout.container_bits // 8)
    check_word("swizzle", swizzle, SWIZZLES)
    return SharedTileType.get(mn, k, element, major, swizzle, atom_order, packing)


def box_of(tile: SharedTileType, outer: Sequence[int], kind: str | None = None) -> Box:
    """
    The box of a tensor map that fills a tile; `outer` holds the extents of further dimensions.
    `kind` is the element type of the map, if it does not follow from the tile.
    """
    layout, element = tile.layout, tile.descriptor.element_type
    kind = element_type(element.name, layout.bits, layout.container_bits) if kind is None else kind
    return Box((*reversed(tile.extents), *reversed(outer)), kind, layout.swizzle)


def _widest_swizzle(row: int) -> str:
    """The swizzle mode with the widest rows that divide a row of `row` bytes."""
    modes = [mode for mode in SWIZZLES.values() if row % mode.width == 0]
    # A mode with larger chunks fits few tiles.
    usual = [mode for mode in modes if mode.chunk == UNIT_BYTES]
    return max(usual, key=lambda mode: mode.width, default=SWIZZLES["no_swizzle"]).name


def _check_element(element: Attribute, legal: Collection[Attribute]) -> None:
    if element not in legal:
        text = alternatives(tuple(map(str, legal)))
        raise TypeError(f"an element must be one of the types of xDSL {text}; found {element!r}")


def conversion(
    old: Attribute, new: Attribute, of_vector: bool
) -> Callable[[SSAValue, Any], Operation] | None:
    """The operation of a conversion; None if there is none."""
    if isinstance(old, AnyFloat) and isinstance(new, AnyFloat):
        return arith.ExtFOp if old.bitwidth < new.bitwidth else arith.TruncFOp
    if isinstance(old, IntegerType) and isinstance(new, AnyFloat):
        is_unsigned = cast("IntegerType", old).signedness.data == Signedness.UNSIGNED
        if not of_vector:
            return arith.UIToFPOp if is_unsigned else arith.SIToFPOp
        op_type = ws.UIToFPOp if is_unsigned else ws.SIToFPOp
        return lambda integers, type_: op_type(integers, result_type=type_)
    if of_vector:
        return None
    if isinstance(old, AnyFloat) and isinstance(new, IntegerType):
        return arith.FPToSIOp
    if isinstance(old, IntegerType) and isinstance(new, IntegerType):
        return arith.ExtUIOp if old.bitwidth < new.bitwidth else arith.TruncIOp
    return None
