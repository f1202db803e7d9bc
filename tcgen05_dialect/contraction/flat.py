"""The loops of one kernel, the values that it computes in each iteration, and the factors of its
contraction as matrices that tensor maps describe."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple, cast

from xdsl.dialects import arith
from xdsl.ir import Attribute, Operation

from ..isa.instructions.copies import DIMENSIONS
from ..isa.shared_memory.descriptor import UNIT_BYTES
from ..isa.shared_memory.tensor_map import Box
from ..tcgen05.types import ELEMENT_TYPES
from .expression import (
    Affine,
    Array,
    Contraction,
    Elementwise,
    Iota,
    Joined,
    Reduction,
    Reshape,
    Splat,
    Tensor,
    View,
    loop,
    row_major,
    total,
)


@dataclass(eq=False)
class Access:
    """An element of an array; `offset` is its distance from the first one, in elements."""

    array: Array
    offset: Affine

    @property
    def element(self) -> Attribute:
        """The type of the element."""
        return self.array.element


@dataclass(eq=False)
class Index:
    """A sum of loop counters, as a number of i32."""

    offset: Affine
    element: Attribute


@dataclass(eq=False)
class Apply:
    """The result of the operation of a tensor on numbers."""

    tensor: Elementwise
    operands: Sequence["Value"]
    element: Attribute


@dataclass(eq=False)
class Product:
    """A sum of products over the loops `sums`; `factors` are in memory, each with the type with
    which it is multiplied."""

    contraction: Contraction
    factors: list[tuple[Access, Attribute]]
    sums: Sequence[int]
    element: Attribute

    @property
    def terms(self) -> list[Mapping[int, int]]:
        """The steps of both factors in loops."""
        return [access.offset.terms for access, _ in self.factors]


@dataclass(eq=False)
class Fold:
    """The reduction of a value over the iterations of a loop."""

    reduction: Reduction
    value: "Value"
    loop: int
    is_of_result: bool
    """Whether the result has the loop, too, or only loops on which the reduction depends."""
    element: Attribute


Value = Access | Index | Apply | Product | Splat | Fold


FOLDS: Mapping[type[Operation], tuple[str, float | int]] = {
    arith.AddfOp: ("add", 0.0),
    arith.MulfOp: ("mul", 1.0),
    arith.MaximumfOp: ("maximumf", -inf),
    arith.MinimumfOp: ("minimumf", inf),
    arith.MaxnumfOp: ("maxnumf", -inf),
    arith.MinnumfOp: ("minnumf", inf),
    arith.AddiOp: ("add", 0),
    arith.MaxSIOp: ("maxsi", -(1 << 31)),
    arith.MinSIOp: ("minsi", (1 << 31) - 1),
    arith.MaxUIOp: ("maxui", 0),
    arith.MinUIOp: ("minui", -1),
    arith.MuliOp: ("mul", 1),
}
"""Operation of a reduction -> its kind for vectors, and the number that changes nothing."""


class Factor(NamedTuple):
    """A factor of a contraction, and the type with which tensor cores multiply its elements."""

    tensor: Tensor
    element: Attribute


class Split(Exception):
    """A loop must be two, because a reshape cuts its range; the arguments are its number, and the
    iterations of the inner one. Without arguments, the tensor that is cut is in memory now."""


class Loops:
    """
    The loops of a kernel.

    Each loop of the program becomes one loop, or several if `factors`, which has the extents by the
    number of the loop of the program, says so.
    """

    def __init__(self, factors: Mapping[int, Sequence[int]]) -> None:
        self.extents: list[int] = []
        self._factors = factors
        self._origins: list[tuple[int, int]] = []
        """For each loop, the loop of the program and the position among its parts."""
        self._asked = 0

    def new(self, extent: int) -> Affine:
        """The next loop of the program."""
        origin, self._asked = self._asked, self._asked + 1
        parts = self._factors.get(origin, (extent,))
        first = len(self.extents)
        self.extents += parts
        self._origins += [(origin, at) for at in range(len(parts))]
        strides = row_major(parts)
        return total(
            (loop(first + at), stride)
            for at, (part, stride) in enumerate(zip(parts, strides, strict=True))
            if part > 1
        )

    def split(self, number: int, inner: int) -> dict[int, Sequence[int]]:
        """The factors with which a loop is divided."""
        origin, at = self._origins[number]
        parts = [*self._factors.get(origin, (self.extents[number],))]
        parts[at : at + 1] = [parts[at] // inner, inner]
        return {**self._factors, origin: parts}

    def digits(self, index: Affine, shape: Sequence[int]) -> list[Affine] | None:
        """
        The indices along the dimensions of a shape of the element with a number; None if they are
        no sums of loops. Raises Split if they are after a loop is divided.
        """
        found: list[Affine] = []
        if min(index.terms.values(), default=0) < 0:
            return None
        rest, constant = dict(index.terms), index.constant
        for stride in row_major(shape):
            for number, factor in rest.items():
                reach = factor * (self.extents[number] - 1)
                if factor < stride <= reach and stride % factor == 0:
                    inner = stride // factor
                    if self.extents[number] % inner == 0:
                        raise Split(number, inner)
            own = {number: factor // stride for number, factor in rest.items() if factor >= stride}
            if any(rest[number] % stride for number in own):
                return None
            found.append(Affine(own, constant // stride))
            rest = {number: factor for number, factor in rest.items() if number not in own}
            constant %= stride
            reach = constant + sum(f * (self.extents[number] - 1) for number, f in rest.items())
            if reach >= stride:
                return None
        return found


@dataclass
class Flattening:
    """
    What a kernel computes for a tensor: the first `outer` loops are those of its elements.

    `stored` gives the array of a tensor that another kernel computes, `store` makes it, and
    `factors_of` gives the factors of a contraction.
    """

    loops: Loops
    stored: Callable[[Tensor], Array | None]
    store: Callable[..., Array]
    factors_of: Callable[[Contraction], tuple[Factor, Factor]]
    outer: int
    loads: list[Access] = field(default_factory=list)
    indices: list[Index] = field(default_factory=list)
    products: list[Product] = field(default_factory=list)
    folds: list[Fold] = field(default_factory=list)
    """The parts of the value; each reduction comes after those that it needs."""
    _values: dict[object, Value] = field(default_factory=dict)

    def value(self, tensor: Tensor, indices: Sequence[Affine]) -> Value:
        """The element of a tensor at these indices. Raises Split."""
        key = tensor, *((frozenset(each.terms.items()), each.constant) for each in indices)
        if key not in self._values:
            found = self._element(tensor, indices, False)
            if isinstance(found, Access) and found not in self.loads:
                self.loads.append(found)
            self._values[key] = found
        return self._values[key]

    def access(self, tensor: Tensor, indices: Sequence[Affine]) -> Access:
        """The place of an element in memory; a tensor that is not in memory is first stored there
        by another kernel. Raises Split."""
        return cast(Access, self._element(tensor, indices, True))

    def _element(self, tensor: Tensor, indices: Sequence[Affine], is_stored: bool) -> Value:
        array, of_base = self._array(tensor), self.access if is_stored else self.value
        if array is None:
            match tensor:
                case View():
                    return of_base(tensor.base, [each.of(indices) for each in tensor.indices])
                case Reshape():
                    number = total(zip(indices, row_major(tensor.shape), strict=True))
                    inner = self.loops.digits(number, tensor.base.shape)
                    if inner is not None:
                        return of_base(tensor.base, inner)
                    array = self._array(tensor.base)
                    if array is None or array.strides != row_major(array.shape):
                        array = self.store(tensor.base, is_dense=True)
                    return Access(array, number)
                case _ if not is_stored and not isinstance(tensor, Joined):
                    return self._computed(tensor, indices)
                case _:
                    array = self.store(tensor)
        return Access(array, total(zip(indices, array.strides, strict=True)))

    def _array(self, tensor: Tensor) -> Array | None:
        return tensor if isinstance(tensor, Array) else self.stored(tensor)

    def _computed(self, tensor: Tensor, indices: Sequence[Affine]) -> Value:
        match tensor:
            case Splat():
                return tensor
            case Iota():
                self.indices.append(Index(indices[tensor.axis], tensor.element))
                return self.indices[-1]
            case Elementwise():
                operands = [self.value(each, indices) for each in tensor.operands]
                return Apply(tensor, operands, tensor.element)
            case Contraction():
                every = [*indices, *map(self.loops.new, tensor.sums)]
                sums = [number for each in every[len(indices) :] for number in each.terms]
                maps = tensor.a_indices, tensor.b_indices
                factors = [
                    (self.access(factor.tensor, [each.of(every) for each in map_]), factor.element)
                    for factor, map_ in zip(self.factors_of(tensor), maps, strict=True)
                ]
                self.products.append(Product(tensor, factors, sums, tensor.element))
                return self.products[-1]
            case Reduction():
                return self._fold(tensor, indices)
            case _:
                raise TypeError(f"no kernel for {type(tensor).__name__}")

    def _fold(self, tensor: Reduction, indices: Sequence[Affine]) -> Value:
        extent = tensor.base.shape[tensor.axis]
        used = {number for each in indices for number in each.terms}
        # A loop of the result reads the same elements: softmax divides those that it has summed.
        extents = self.loops.extents
        free = [each for each in range(self.outer) if each not in used and extents[each] > 1]
        same = [each for each in free if extents[each] == extent]
        index = loop(same[0]) if len(same) == 1 else self.loops.new(extent)
        inner = [*indices[: tensor.axis], index, *indices[tensor.axis :]]
        try:
            value = self.value(tensor.base, inner)
        except Split as split:
            if split.args and split.args[0] in index.terms and split.args[0] >= self.outer:
                # A reduction has one loop.
                self.store(tensor.base)
                raise Split from None
            raise
        if extent == 1:
            return value
        (number,) = index.terms
        is_of_result = number < self.outer or not free
        self.folds.append(Fold(tensor, value, number, is_of_result, tensor.element))
        return self.folds[-1]


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
