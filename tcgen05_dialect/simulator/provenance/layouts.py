"""Remarks about tiles that an MMA reads in another layout than the copy wrote."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from ...isa.model.rule import Violation
from ...isa.shared_memory.descriptor import base_offset
from ...isa.shared_memory.layout import MAJORS
from ...isa.shared_memory.swizzle import UNIT_BYTES
from ...isa.shared_memory.tensor_map import FLOATS, ROUNDED_FROM
from ..machine.errors import lines_of, place_of
from ..machine.memory import WINDOW_BYTES
from ..product.gather import SharedMatrix
from .record import Reading
from .remark import Remark
from .sources import Integers, Sources, are_regular_parts, is_regular, plane_of, sources_of


def layout_remark(reading: Reading, name: str) -> Remark | None:
    """
    A remark about the layout of a matrix or the type of its elements; None if they are as the copy
    wrote them. `name` is that of the tensor.
    """
    tile, descriptor = reading.tiles[0], reading.matrix.descriptor
    written = f"{tile.map.swizzle} as {tile.map.element}"
    read = f"{descriptor.swizzle} as {reading.type}"
    found = f"the tile at {tile.place}, written at {place_of(tile.op)} with {written}, is read"
    if reading.is_regular:
        if not _types_differ(tile.map.element, reading.type):
            return None
        found = f"{found} as {reading.type}"
        help = "use the same element type in the tensor map and in the instruction descriptor"
        return Remark(reading.op, found, help)
    if tile.map.swizzle != descriptor.swizzle:
        help = "use the same swizzle mode in the tensor map and in the descriptor"
        return Remark(reading.op, f"{found} with {read}", help)
    if are_regular_parts(reading.sources):
        places = lines_of(each.op for each in reading.tiles)
        found = f"{found} as {reading.name} with other tiles, so that {_evidence(reading, name)}"
        return Remark(reading.op, found, f"check the coordinates of the copies at {places}")
    correction = next(_corrections(reading), None)
    if correction is not None:
        what, help = correction
        found = f"{found} as {reading.name} with {what}, so that {_evidence(reading, name)}"
        return Remark(reading.op, found, help)
    found = f"{found} as {reading.name} with {read}, so that {_evidence(reading, name)}"
    return Remark(
        reading.op, found, "compare the descriptor and its type with the box of the tensor map"
    )


def _types_differ(written: str, read: str) -> bool:
    """Whether elements of a type are certainly not of another; integers may hold any bits."""
    return written in FLOATS and written != read and ROUNDED_FROM.get(read) != written


def _evidence(reading: Reading, name: str) -> str:
    """Text: the first element of the matrix, and one that does not follow it in the tensor."""
    sources, matrix = reading.sources, reading.name
    coordinates = sources.coordinates + np.resize(
        reading.tiles[0].origin, sources.coordinates.shape[-1]
    )
    row, k = _irregular(sources)
    at = [
        f"element {(r, c)} of {matrix} is {name}{_index(coordinates[r, c])}"
        if sources.tile[r, c] >= 0
        else f"element {(r, c)} of {matrix} is in no tile that a copy has loaded"
        for r, c in ((0, 0), (row, k))
    ]
    return " and ".join(at)


def _index(coordinates: Integers) -> str:
    return str(coordinates[::-1].tolist())


def _irregular(sources: Sources) -> tuple[int, int]:
    """The row and the column of the first element that does not continue the steps of the first row
    and the first column."""
    bits = np.where(sources.tile < 0, -1, sources.bits)
    wrong = np.argwhere(bits != plane_of(bits))
    row, k = wrong[0].tolist() if len(wrong) else (0, 0)
    return row, k


_STEPS = tuple(UNIT_BYTES * step for step in range(1, 1025))
"""Byte offsets that are tried."""
_PAIRS = sorted({128 * step for step in range(1, 17)} | {128 << step for step in range(4, 9)})
"""Byte offsets that are tried together."""


def _corrections(reading: Reading) -> Iterator[tuple[str, str]]:
    """Changes of one or two fields that would make the matrix regular: the text of the present
    value, and the help."""
    matrix, name = reading.matrix, reading.name
    descriptor = matrix.descriptor
    given, other = MAJORS[matrix.transposed], MAJORS[not matrix.transposed]
    if _fits(reading, replace(matrix, transposed=not matrix.transposed)):
        yield f"majorness {given}", f"make {name} {other} in the instruction descriptor"
    stride, leading = descriptor.stride_byte_offset, descriptor.leading_byte_offset
    if leading != stride and _fits(
        reading, matrix, stride_byte_offset=leading, leading_byte_offset=stride
    ):
        what = "leading and stride dimension byte offsets"
        yield f"{what} of {leading} and {stride}", "exchange the two offsets in the descriptor"
    for field, found in (("stride", stride), ("leading", leading)):
        for value in _STEPS:
            if value != found and _fits(reading, matrix, **{f"{field}_byte_offset": value}):
                what = f"{field} dimension byte offset"
                yield f"a {what} of {found}", f"set the {what} of the descriptor to {value}"
                break
    for one, other in product(_PAIRS, repeat=2):
        if _fits(reading, matrix, leading_byte_offset=one, stride_byte_offset=other):
            what = "leading and stride dimension byte offsets"
            yield f"{what} of {leading} and {stride}", f"set the {what} to {one} and {other}"
            break
    for tile in reading.near:
        address = tile.address % WINDOW_BYTES
        if address != descriptor.start_address and _fits(reading, matrix, start_address=address):
            what = f"the start address {descriptor.start_address:#x}"
            yield what, f"begin at {address:#x}, the address of {tile.place}"
            break
    value = base_offset(reading.tiles[0].address, descriptor.swizzle)
    if value != descriptor.base_offset and _fits(reading, matrix, base_offset=value):
        what = f"a base offset of {descriptor.base_offset}"
        yield what, f"set the base offset of the descriptor to {value}"


def _fits(reading: Reading, matrix: SharedMatrix, **fields: int) -> bool:
    """Whether a matrix with other fields of the descriptor is regular in the tiles."""
    descriptor = replace(matrix.descriptor, **fields)
    try:
        sources = sources_of(replace(matrix, descriptor=descriptor), reading.near)
    except Violation:
        return False
    return sources.is_complete and is_regular(sources)
