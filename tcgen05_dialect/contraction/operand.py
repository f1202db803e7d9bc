"""Factors of contractions as matrices that tensor maps describe."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xdsl.ir import Attribute

from ..isa.instructions.copies import DIMENSIONS
from ..isa.shared_memory.descriptor import UNIT_BYTES
from ..isa.shared_memory.tensor_map import Box
from ..tcgen05.types import ELEMENT_TYPES
from .expression import Array
from .flat import Access


class Dimension(NamedTuple):
    """A dimension of a tensor map: its extent, its stride in elements, and its loop."""

    extent: int
    stride: int
    number: int


class MatrixOperand(NamedTuple):
    """
    A factor: the dimensions of its tensor map, outermost first.

    The last two are those of a tile. They are along the rows of the factor and along K, in this
    order, or in the other one if `is_transposed`.
    """

    array: Array
    element: Attribute
    dimensions: Sequence[Dimension]
    is_transposed: bool
    box: Box | None = None
    """The box of the tensor map, of a kernel that is built."""

    @property
    def bytes(self) -> int:
        """The bytes of an element."""
        return ELEMENT_TYPES[self.element].bits // 8

    @property
    def extents(self) -> list[int]:
        """The extents of the tensor map, innermost first."""
        return [each.extent for each in reversed(self.dimensions)]

    @property
    def strides(self) -> list[int]:
        """The strides of the tensor map in bytes, without that of the innermost dimension."""
        return [each.stride * self.bytes for each in self.dimensions[-2::-1]]


def matrix_operand(
    access: Access, element: Attribute, own: int, depth: int, extents: Mapping[int, int]
) -> MatrixOperand | None:
    """
    The matrix of a factor, whose rows are the loop `own` and whose K is the loop `depth`; None if
    no tensor map describes it.
    """
    bits = ELEMENT_TYPES[element].bits
    unit = UNIT_BYTES * 8 // bits
    terms = access.offset.terms
    if any(each not in terms and extents.get(each, 1) > 1 for each in (own, depth)):
        # Elements that are the same in all iterations have no stride.
        return None

    def dimension(number: int) -> Dimension:
        # A dimension of one element may have any stride.
        return Dimension(extents.get(number, 1), terms.get(number, 0) or unit, number)

    tile = [dimension(own), dimension(depth)]
    is_transposed = terms.get(own) == 1 and terms.get(depth, 0) != 1
    if is_transposed:
        # Elements of 32 bits need a swizzle mode of their own.
        if bits == 32:
            return None
        tile = tile[::-1]
    elif terms.get(depth, 1) != 1:
        return None
    if depth not in terms:
        tile[-1] = tile[-1]._replace(stride=1)
    outer = [dimension(each) for each in terms if each not in (own, depth)]
    outer.sort(key=lambda each: -each.stride)
    dimensions = [*outer, *tile]
    if len(dimensions) > max(DIMENSIONS.values) or access.offset.constant:
        return None
    if any(each.stride % unit for each in dimensions[:-1]):
        return None
    return MatrixOperand(access.array, element, dimensions, is_transposed)
