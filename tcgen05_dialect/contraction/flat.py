"""The loops of one kernel, and what it computes for each of their iterations."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from xdsl.dialects import arith
from xdsl.ir import Attribute, Operation

from .expression import (
    Affine,
    Array,
    Contraction,
    Elementwise,
    Pad,
    Reduction,
    Reshape,
    Splat,
    Tensor,
    View,
    loop,
    row_major,
    total,
)


class Access(NamedTuple):
    """An element of an array; `offset` is its distance from the first one, in elements."""

    array: Array
    offset: Affine


@dataclass(eq=False)
class Load:
    """The element of an array that an iteration reads."""

    access: Access

    @property
    def element(self) -> Attribute:
        """The type of the element."""
        return self.access.array.element


@dataclass(eq=False)
class Apply:
    """The result of an operation on numbers."""

    function: Operation
    operands: Sequence["Value"]
    op: Operation
    element: Attribute


@dataclass(eq=False)
class Product:
    """A sum of products over the loops `sums`."""

    contraction: Contraction
    a: Access
    b: Access
    elements: tuple[Attribute, Attribute]
    """The types of the elements that are multiplied."""
    sums: Sequence[int]

    @property
    def element(self) -> Attribute:
        """The type of the sum."""
        return self.contraction.element


@dataclass(eq=False)
class Fold:
    """The reduction of a value over the iterations of a loop."""

    reduction: Reduction
    value: "Value"
    loop: int
    is_of_result: bool
    """Whether the result has the loop, too, or only loops on which the reduction depends."""

    @property
    def element(self) -> Attribute:
        """The type of the result."""
        return self.reduction.element


Value = Load | Apply | Product | Splat | Fold


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
}
"""Operation of a reduction -> its kind for vectors, and the number that changes nothing."""


def folds_of(value: Value) -> list[Fold]:
    """The reductions in a value, each after those that it needs."""
    found: list[Fold] = []
    seen = set[int]()

    def visit(value: Value) -> None:
        if id(value) in seen:
            return
        seen.add(id(value))
        if isinstance(value, Apply):
            for each in value.operands:
                visit(each)
        elif isinstance(value, Fold):
            visit(value.value)
            found.append(value)

    visit(value)
    return found


class Factor(NamedTuple):
    """A factor of a contraction, and the type with which tensor cores multiply its elements."""

    tensor: Tensor
    element: Attribute


class Split(Exception):
    """A loop must be two, because a reshape cuts its range into parts of `inner` iterations."""

    def __init__(self, number: int, inner: int) -> None:
        super().__init__(number, inner)
        self.number, self.inner = number, inner


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

    def split(self, split: Split) -> dict[int, Sequence[int]]:
        """The factors with which a loop is divided."""
        origin, at = self._origins[split.number]
        parts = [*self._factors.get(origin, (self.extents[split.number],))]
        parts[at : at + 1] = [parts[at] // split.inner, split.inner]
        return {**self._factors, origin: parts}

    def digits(self, index: Affine, shape: Sequence[int]) -> list[Affine] | None:
        """
        The indices along the dimensions of a shape of the element with a number; None if they are
        no sums of loops. Raises Split if they are after a loop is divided.
        """
        found: list[Affine] = []
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


class Flattening:
    """What a kernel computes for a tensor; `stored` gives the array of a tensor that another kernel
    computes, and `factors` the arrays with the factors of a contraction."""

    def __init__(
        self,
        loops: Loops,
        stored: Callable[[Tensor], Array | None],
        store: Callable[..., Array],
        factors: Callable[[Contraction], "tuple[Factor, Factor]"],
    ) -> None:
        self.loops = loops
        self.products: list[Product] = []
        self.folds: list[Fold] = []
        self._stored, self._store, self._factors = stored, store, factors
        self._values: dict[object, Value] = {}

    def root(self, tensor: Tensor, indices: Sequence[Affine]) -> Value:
        """The element of the tensor that the kernel stores. Raises Split."""
        self.outer = [*range(len(self.loops.extents))]
        return self._computed(tensor, indices)

    def value(self, tensor: Tensor, indices: Sequence[Affine]) -> Value:
        """The element of a tensor at these indices. Raises Split."""
        key = id(tensor), tuple((tuple(sorted(each.terms.items())), each[1]) for each in indices)
        if key not in self._values:
            self._values[key] = self._value(tensor, indices)
        return self._values[key]

    def _value(self, tensor: Tensor, indices: Sequence[Affine]) -> Value:
        array = self._stored(tensor)
        if array is not None:
            return Load(self.access(array, indices))
        return self._computed(tensor, indices)

    def _computed(self, tensor: Tensor, indices: Sequence[Affine]) -> Value:
        match tensor:
            case Array():
                return Load(self.access(tensor, indices))
            case Splat():
                return tensor
            case View():
                return self.value(tensor.base, [each.of(indices) for each in tensor.indices])
            case Reshape():
                inner = self._reshaped(tensor, indices)
                if inner is None:
                    return Load(self.access(tensor, indices))
                return self.value(tensor.base, inner)
            case Elementwise():
                operands = [self.value(each, indices) for each in tensor.operands]
                return Apply(tensor.function, operands, tensor.op, tensor.element)
            case Contraction():
                every = [*indices, *map(self.loops.new, tensor.sums)]
                sums = [number for each in every[len(indices) :] for number in each.terms]
                a, b = self._factors(tensor)
                a_access = self.access(a.tensor, [each.of(every) for each in tensor.a_indices])
                b_access = self.access(b.tensor, [each.of(every) for each in tensor.b_indices])
                product = Product(tensor, a_access, b_access, (a.element, b.element), sums)
                self.products.append(product)
                return product
            case Pad():
                return Load(self.access(tensor, indices))
            case Reduction():
                return self._fold(tensor, indices)
            case _:
                raise TypeError(f"no kernel for {type(tensor).__name__}")

    def _fold(self, tensor: Reduction, indices: Sequence[Affine]) -> Value:
        extent = tensor.base.shape[tensor.axis]
        if extent == 1:
            inner = [*indices[: tensor.axis], Affine({}), *indices[tensor.axis :]]
            return self.value(tensor.base, inner)
        used = {number for each in indices for number in each.terms}
        # A loop of the result reads the same elements: softmax divides those that it has summed.
        extents = self.loops.extents
        free = [each for each in self.outer if each not in used and extents[each] > 1]
        same = [each for each in free if extents[each] == extent]
        index = loop(same[0]) if len(same) == 1 else self.loops.new(extent)
        inner = [*indices[: tensor.axis], index, *indices[tensor.axis :]]
        (number,) = index.terms
        value = self.value(tensor.base, inner)
        fold = Fold(tensor, value, number, number in self.outer or not free)
        self.folds.append(fold)
        return fold

    def access(self, tensor: Tensor, indices: Sequence[Affine]) -> Access:
        """The place of an element in memory; a tensor that is not in memory is first stored there
        by another kernel. Raises Split."""
        array = self._stored(tensor)
        if isinstance(tensor, Array):
            array = tensor
        if array is not None:
            return Access(array, total(zip(indices, array.strides, strict=True)))
        if isinstance(tensor, View):
            return self.access(tensor.base, [each.of(indices) for each in tensor.indices])
        if isinstance(tensor, Reshape):
            base = tensor.base
            array = base if isinstance(base, Array) else self._stored(base)
            inner = self._reshaped(tensor, indices)
            if inner is not None:
                return self.access(base, inner)
            if array is None or array.strides != row_major(array.shape):
                array = self._store(base, is_dense=True)
            number = total(zip(indices, row_major(tensor.shape), strict=True))
            return Access(array, number)
        return self.access(self._store(tensor), indices)

    def _reshaped(self, tensor: Reshape, indices: Sequence[Affine]) -> list[Affine] | None:
        """The indices in the tensor before it was reshaped."""
        number = total(zip(indices, row_major(tensor.shape), strict=True))
        return self.loops.digits(number, tensor.base.shape)
