"""
Expressions of tensors: a graph of arrays, views, elementwise functions and contractions.

Each tensor has a shape, an element type of xDSL, and the operation of the program that made it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import NamedTuple

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation

from ..isa.practice import TENSOR_RULE
from ..reporting.diagnostics import OperationError, located


class Affine(NamedTuple):
    """A sum of loop counters, each with a factor, and of a constant."""

    terms: Mapping[int, int]
    """Number of the loop -> its factor, which is not zero."""
    constant: int = 0

    def times(self, factor: int) -> "Affine":
        """The product with a number."""
        return total([(self, factor)])

    def plus(self, other: "Affine") -> "Affine":
        """The sum of two."""
        return total([(self, 1), (other, 1)])

    def of(self, indices: Sequence["Affine"]) -> "Affine":
        """The same sum of other indices: loop i stands for `indices[i]`."""
        parts = [(indices[loop], factor) for loop, factor in self.terms.items()]
        return total([*parts, (Affine({}, self.constant), 1)])


def total(parts: Iterable[tuple[Affine, int]]) -> Affine:
    """The sum of indices, each with a factor."""
    terms, constant = dict[int, int](), 0
    for index, factor in parts:
        constant += index.constant * factor
        for loop, own in index.terms.items():
            terms[loop] = terms.get(loop, 0) + own * factor
    return Affine({loop: factor for loop, factor in terms.items() if factor}, constant)


def loop(number: int) -> Affine:
    """The counter of one loop."""
    return Affine({number: 1})


def row_major(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of an array without gaps, in elements."""
    return tuple(prod(shape[at + 1 :]) for at in range(len(shape)))


def refused(op: Operation, sentence: str, help: str = "") -> OperationError:
    """The error for an operation of which no kernel can be made."""
    return located(op, TENSOR_RULE.says(sentence, help))


def unused(name: str, used: Collection[str]) -> str:
    """The name, with underscores behind it until it differs from others."""
    while name in used:
        name += "_"
    return name


@dataclass(eq=False)
class Tensor:
    """A tensor of an expression; `op` is the operation that made it."""

    op: Operation
    shape: tuple[int, ...]
    element: Attribute


@dataclass(eq=False)
class Array(Tensor):
    """A tensor in global memory; `strides` are in elements."""

    name: str
    strides: tuple[int, ...] = ()

    @property
    def elements(self) -> int:
        """The number of elements from the first one to the end of the last."""
        last = zip(self.shape, self.strides, strict=True)
        return sum((extent - 1) * stride for extent, stride in last) + 1

    @property
    def room(self) -> int:
        """The number of elements of its memory: those of all rows, with the gaps behind them."""
        return self.shape[0] * self.strides[0] if self.shape else 1


@dataclass(eq=False)
class Splat(Tensor):
    """A tensor whose elements are one number."""

    number: IntegerAttr | FloatAttr


@dataclass(eq=False)
class Elementwise(Tensor):
    """The results of an operation of `arith` or `math` on each element of tensors of one shape;
    `function` is that operation on numbers."""

    function: Operation
    operands: Sequence[Tensor]


@dataclass(eq=False)
class View(Tensor):
    """The elements of another tensor at other places: `indices` are those along each dimension of
    `base`, and loop i is the index along dimension i of the view."""

    base: Tensor
    indices: Sequence[Affine]


@dataclass(eq=False)
class Reshape(Tensor):
    """The elements of another tensor in the same order, in another shape."""

    base: Tensor


@dataclass(eq=False)
class Contraction(Tensor):
    """
    Sums of products, in f32 or i32. The first loops are the dimensions of the result, and those
    after them, with the extents `sums`, are summed over.
    """

    a: Tensor
    b: Tensor
    a_indices: Sequence[Affine]
    b_indices: Sequence[Affine]
    sums: Sequence[int] = field(default_factory=tuple)


@dataclass(eq=False)
class Iota(Tensor):
    """The index of each element along a dimension, an i32."""

    axis: int


class Part(NamedTuple):
    """A tensor in a larger one: its index i is the index `low + i * step` there; by default, its
    elements are side by side."""

    tensor: Tensor
    low: Sequence[int]
    steps: Sequence[int] = ()


@dataclass(eq=False)
class Joined(Tensor):
    """Other tensors, and zeros elsewhere. A later part replaces elements of an earlier one."""

    parts: Sequence[Part]

    @property
    def is_whole(self) -> bool:
        """Whether the parts, which overlap only with one of the whole shape, have all elements."""
        return sum(prod(part.tensor.shape) for part in self.parts) >= prod(self.shape)


@dataclass(eq=False)
class Reduction(Tensor):
    """The reduction of another tensor along a dimension, by an operation such as arith.addf."""

    base: Tensor
    axis: int
    function: type[Operation]


def operands_of(tensor: Tensor) -> Sequence[Tensor]:
    """The tensors that a kernel for a tensor computes with it; the factors of a contraction are in
    memory."""
    match tensor:
        case Elementwise():
            return tensor.operands
        case View() | Reshape() | Reduction():
            return (tensor.base,)
        case _:
            return ()
