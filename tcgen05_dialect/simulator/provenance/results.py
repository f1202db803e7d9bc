"""Remarks about an array that differs from its expected content, from its numbers and from the
layouts of its tiles."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.model.rule import Violation
from ...isa.shared_memory.descriptor import UNIT_BYTES, base_offset
from ...isa.shared_memory.layout import MAJORS
from ...isa.shared_memory.tensor_map import FLOATS, ROUNDED_FROM
from ..machine.errors import lines_of, place_of
from ..machine.operands import SharedMatrix
from ..machine.tensor_memory import WINDOW_BYTES
from .record import Reading, are_regular_parts, is_regular, plane_of, sources_of


class Remark(NamedTuple):
    """A sentence about an operation, or about the whole kernel, and what may help."""

    op: Operation | None
    sentence: str
    help: str


Flags = npt.NDArray[np.bool_]


def region(mask: Flags) -> str:
    """The smallest part of an array with all marked elements, in the notation of numpy."""
    return indices([_range(mask, axis) for axis in range(mask.ndim)], mask.shape)


def fills(mask: Flags) -> bool:
    """Whether the marked elements are all of their region."""
    size = prod(len(_range(mask, axis)) for axis in range(mask.ndim))
    return int(np.count_nonzero(mask)) == size


def indices(ranges: Sequence[range], shape: Sequence[int]) -> str:
    """A part of an array with a range of indices along each axis, in the notation of numpy."""
    parts: list[str] = []
    for each, extent in zip(ranges, shape, strict=True):
        some = f"{each.start}:{each.stop}" if len(each) != 1 else str(each.start)
        parts.append(":" if len(each) == extent else some)
    return f"[{', '.join(parts)}]"


def _range(mask: Flags, axis: int) -> range:
    others = tuple(other for other in range(mask.ndim) if other != axis)
    found = np.flatnonzero(mask.any(axis=others))
    return range(int(found[0]), int(found[-1]) + 1) if found.size else range(0)


Matrix = npt.NDArray[Any]
_MOST = 0.5
"""Least fraction of the wrong elements that another place must explain, and of a row that must be
wrong."""
_PLENTY = 0.2
"""The same for segments of a transposed result, none of which matches by chance."""
_SEGMENT = 8
"""Number of elements that are compared as one with those at another place."""


@dataclass(eq=False)
class Result:
    """An array after a run, its expected content, which elements are wrong, and which elements the
    kernel has stored. `stores` are the operations that stored elements."""

    name: str
    found: Matrix
    expected: Matrix
    wrong: Flags
    stored: Flags
    stores: Sequence[Operation]

    @cached_property
    def count(self) -> int:
        """Number of wrong elements."""
        return int(np.count_nonzero(self.wrong))

    @property
    def store(self) -> Operation | None:
        return self.stores[0] if self.stores else None


def has_nan(numbers: Matrix) -> bool:
    """Whether there may be NaN among numbers; integers may be the bits of any numbers."""
    return bool(numbers.size and (numbers.dtype.kind in "iu" or np.isnan(numbers).any()))


def never_stored(result: Result) -> Remark | None:
    """A remark about wrong elements that the kernel has not stored."""
    missing = result.wrong & ~result.stored
    count = int(np.count_nonzero(missing))
    if not count:
        return None
    part = f"{result.name}{region(missing)}"
    where = f"they are {part}" if fills(missing) else f"they are in {part}"
    what = f"{count} of the {result.count} wrong elements of {result.name} were never stored"
    help = "check the rows and columns that the stores cover, and their predicate"
    return Remark(result.store, f"{what}; {where}", help)


def only_stored(result: Result) -> Remark | None:
    """The same if these are all wrong elements."""
    return None if (result.wrong & result.stored).any() else never_stored(result)


def multiple(result: Result) -> Remark | None:
    """A remark if all wrong elements are the same multiple of what is expected."""
    wrong = result.wrong & result.stored
    if not wrong.any():
        return None
    found, expected = (each[wrong].astype(np.float64) for each in (result.found, result.expected))
    if not np.isfinite(found).all() or not np.isfinite(expected).all():
        return None
    if not found.any():
        help = "check that the stored registers hold the sums"
        return Remark(
            result.store, f"all wrong elements of {result.name} that are stored are 0", help
        )
    parts = expected != 0
    if len(found) < _SEGMENT or not parts.any():
        return None
    ratio = float(found[parts][0] / expected[parts][0])
    if not np.array_equal(found, expected * ratio):
        return None
    what = f"all wrong elements of {result.name} are {ratio:g} times the expected ones"
    help = "check how often each product is added, and that the first MMA overwrites D"
    return Remark(result.store, what, help)


def moved(result: Result) -> Remark | None:
    """A remark if wrong elements are those expected at another place."""
    help = "compare the rows and columns that the loads and the stores of a CTA name"
    return _found_by(result, (_lines, _segments), help)


def exchanged(result: Result) -> Remark | None:
    """A remark if wrong elements are those expected with rows and columns exchanged."""
    help = "check that A and B are not exchanged, as arguments, in the copies and in the MMA"
    return _found_by(result, (_transposed,), help)


def _found_by(result: Result, searches: Sequence[Callable[..., str]], help: str) -> Remark | None:
    wrong = result.wrong & result.stored
    if result.found.ndim < 2 or not wrong.any() or result.found.itemsize > 8:
        return None
    columns = result.found.shape[-1]
    parts = [each.reshape(-1, columns) for each in (result.found, result.expected, wrong)]
    for search in searches:
        if sentence := search(result, *parts):
            return Remark(result.store, sentence, help)
    return None


def _lines(result: Result, found: Matrix, expected: Matrix, wrong: Flags) -> str:
    whole = found, expected, wrong
    for what, parts in (("row", whole), ("column", [each.T for each in whole])):
        if (match := _best(*parts)) is not None:
            at, other = match
            return f"{what} {at} of {result.name} holds the expected {what} {other}"
    return ""


def _best(found: Matrix, expected: Matrix, wrong: Flags) -> tuple[int, int] | None:
    """The first wrong row that is another expected row, if that explains most wrong elements."""
    known = {_key(row): at for at, row in enumerate(expected)}
    explained, first = 0, None
    for at in np.flatnonzero(wrong.any(axis=1)).tolist():
        other = known.get(_key(found[at]))
        if np.count_nonzero(wrong[at]) <= _MOST * wrong.shape[1]:
            continue
        if other is not None and other != at and len(np.unique(found[at].view(_bits(found)))) > 1:
            explained += int(np.count_nonzero(wrong[at]))
            first = first or (at, other)
    return first if explained > _MOST * np.count_nonzero(wrong) else None


def _segments(result: Result, found: Matrix, expected: Matrix, wrong: Flags) -> str:
    known = dict(_pieces(expected))
    return _displaced(result, found, wrong, known, _along_row, "", _MOST)


def _transposed(result: Result, found: Matrix, expected: Matrix, wrong: Flags) -> str:
    def along_column(column: int, row: int) -> str:
        return f"[{row}:{row + _SEGMENT}, {column}]"

    known = dict(_pieces(np.ascontiguousarray(expected.T)))
    how = ", with rows and columns exchanged"
    return _displaced(result, found, wrong, known, along_column, how, _PLENTY)


def _along_row(row: int, column: int) -> str:
    return f"[{row}, {column}:{column + _SEGMENT}]"


def _displaced(
    result: Result,
    found: Matrix,
    wrong: Flags,
    known: dict[bytes, tuple[int, int]],
    shown: Callable[[int, int], str],
    how: str,
    least: float,
) -> str:
    """Sentence, if most wrong segments of rows are known ones at another place."""
    explained, first = 0, None
    for key, (row, column) in _pieces(found):
        count = int(np.count_nonzero(wrong[row, column : column + _SEGMENT]))
        other = known.get(key) if count > 1 else None
        if other is not None:
            explained += count
            first = first or ((row, column), other)
    if first is None or explained <= least * np.count_nonzero(wrong):
        return ""
    (at, other), name = first, result.name
    return (
        f"{explained} of the {result.count} wrong elements of {name} are those expected elsewhere"
        f"{how}: {name}{_along_row(*at)} holds what is expected at {name}{shown(*other)}"
    )


def _pieces(matrix: Matrix) -> Iterator[tuple[bytes, tuple[int, int]]]:
    """Segments of rows that are not all the same number, with their places."""
    bits = matrix.view(_bits(matrix))
    for column in range(0, matrix.shape[1] - _SEGMENT + 1, _SEGMENT):
        part = bits[:, column : column + _SEGMENT]
        varied = np.flatnonzero((part != part[:, :1]).any(axis=1))
        for row in varied.tolist():
            yield part[row].tobytes(), (row, column)


def _key(row: Matrix) -> bytes:
    return np.ascontiguousarray(row).tobytes()


def _bits(matrix: Matrix) -> str:
    return f"u{matrix.itemsize}"


def layout_remark(reading: Reading, name: str) -> Remark | None:
    """A remark about the layout of a matrix or the type of its elements; None if they are as the
    copy wrote them. `name` is that of the tensor."""
    tile, descriptor = reading.tiles[0], reading.matrix.descriptor
    written = f"{tile.map.swizzle} as {tile.map.element}"
    read = f"{descriptor.swizzle} as {reading.type}"
    found = f"the tile at {tile.place}, written at {place_of(tile.op)} with {written}, is read"
    if reading.is_regular:
        # Integers may hold the bits of any type.
        made, used = tile.map.element, reading.type
        if made not in FLOATS or made == used or ROUNDED_FROM.get(used) == made:
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


def _evidence(reading: Reading, name: str) -> str:
    """Text: the first element of the matrix, and one that does not follow it in the tensor."""
    sources, matrix = reading.sources, reading.name
    coordinates = sources.coordinates + np.resize(
        reading.tiles[0].origin, sources.coordinates.shape[-1]
    )
    # The first element that does not continue the steps of the first row and the first column.
    bits = np.where(sources.tile < 0, -1, sources.bits)
    wrong = np.argwhere(bits != plane_of(bits))
    row, k = wrong[0].tolist() if len(wrong) else (0, 0)
    at = [
        f"element {(r, c)} of {matrix} is {name}{coordinates[r, c][::-1].tolist()}"
        if sources.tile[r, c] >= 0
        else f"element {(r, c)} of {matrix} is in no tile that a copy has loaded"
        for r, c in ((0, 0), (row, k))
    ]
    return " and ".join(at)


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
