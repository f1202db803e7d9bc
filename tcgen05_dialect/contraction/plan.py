"""Plans: the kernels that compute an expression, and the arrays between them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, Signedness, f32, tf32
from xdsl.ir import Attribute, Operation

from ..calculator.roofline import MOST_COLUMNS
from ..isa.mma.shapes import SHAPES
from ..isa.shared_memory.descriptor import UNIT_BYTES
from ..tcgen05.types import ELEMENT_TYPES
from .expression import (
    Affine,
    Array,
    Contraction,
    Elementwise,
    Pad,
    Reshape,
    Tensor,
    View,
    loop,
    operands_of,
    refused,
    row_major,
    total,
    unused,
)
from .flat import Access, Apply, Factor, Flattening, Fold, Load, Loops, Product, Split, Value
from .operand import MatrixOperand, matrix_operand


def bytes_of(element: Attribute) -> int:
    """The bytes of an element in memory; truth values have one."""
    return max(1, getattr(element, "bitwidth", 0) // 8)


def is_unsigned(element: Attribute) -> bool:
    """Whether an element is an unsigned integer."""
    if not isinstance(element, IntegerType):
        return False
    return cast("IntegerType", element).signedness.data == Signedness.UNSIGNED


def type_name(element: Attribute) -> str:
    """The name of an element type in launch files; truth values are bytes."""
    known = ELEMENT_TYPES.get(element)
    if known is not None:
        return known.name
    bits = cast("IntegerType", element).bitwidth
    return f"{'u' if is_unsigned(element) else 's'}{max(8, bits)}"


ROWS, COLUMNS, DEPTH = -1, -2, -3
"""Loops with one iteration, of a product without this dimension."""


@dataclass
class KernelPlan:
    """
    One kernel: in each iteration of its loops it stores `value` to `result`.

    `extents` are those of the loops. `rows` and `columns` are the loops of a tile; `outer` are the
    other loops, of which a CTA has one iteration. `a` and `b` are the factors of `product`, which
    is summed over the loops `depth` and `outer_sums`.
    """

    name: str
    op: Operation
    result: Access
    value: Value
    extents: Mapping[int, int]
    rows: int
    columns: int
    outer: Sequence[int]
    product: Product | None = None
    a: MatrixOperand | None = None
    b: MatrixOperand | None = None
    is_folded: bool = False
    """Whether a thread computes reductions along its row, of which a tile has all columns."""
    depth: int = DEPTH
    outer_sums: Sequence[int] = ()

    def extent(self, *loops: int) -> int:
        """The number of iterations of loops."""
        return prod(self.extents.get(each, 1) for each in loops)


@dataclass
class Planner:
    """
    Divides an expression into kernels.

    `name` begins the names of kernels. With `is_tf32`, tensor cores multiply f32 with the precision
    of tf32.
    """

    name: str
    is_tf32: bool = False
    names: Collection[str] = ()
    """The names of other arrays."""
    kernels: list[KernelPlan] = field(default_factory=list)
    arrays: list[Array] = field(default_factory=list)
    """The arrays between kernels."""
    _stored: dict[tuple[int, bool], Array] = field(default_factory=dict)
    _kept: list[Tensor] = field(default_factory=list)

    def plan(self, results: Sequence[tuple[Tensor, Array]]) -> None:
        """Add the kernels that store results. Raises OperationError."""
        own = {id(tensor) for tensor, _ in results}
        for contraction in _shared([tensor for tensor, _ in results]):
            if id(contraction) not in own:
                self._store(contraction)
        # Other results may be computed from results that are sums.
        for tensor, array in sorted(results, key=lambda each: not isinstance(each[0], Contraction)):
            self._add(tensor, array)
            self._stored[id(tensor), True] = array

    def _find(self, tensor: Tensor) -> Array | None:
        return self._stored.get((id(tensor), False)) or self._stored.get((id(tensor), True))

    def _store(self, tensor: Tensor, is_dense: bool = False) -> Array:
        """The array of a tensor that a kernel stores in memory. Its rows begin at multiples of the
        bytes that a tensor map needs, unless it `is_dense`."""
        found = self._stored.get((id(tensor), is_dense))
        if found is None:
            unit = 1 if is_dense else UNIT_BYTES // bytes_of(tensor.element)
            last = tensor.shape[-1:]
            padded = (*tensor.shape[:-1], *(-(-extent // unit) * unit for extent in last))
            name = unused(f"scratch{len(self.arrays)}", self.names)
            found = Array(tensor.op, tensor.shape, tensor.element, name, row_major(padded))
            self.arrays.append(found)
            if isinstance(tensor, Pad):
                self._add(tensor.base, found, tensor.low)
            else:
                self._add(tensor, found)
            self._stored[id(tensor), is_dense] = found
            self._kept.append(tensor)
            if padded == tensor.shape:
                self._stored[id(tensor), not is_dense] = found
        return found

    def _add(self, tensor: Tensor, array: Array, low: Sequence[int] = ()) -> None:
        """Add the kernel that stores a tensor, from the indices `low` of the array on."""
        factors: Mapping[int, Sequence[int]] = {}
        while True:
            loops = Loops(factors)
            flat = Flattening(loops, self._find, self._store, self._factors)
            indices = [loops.new(extent) for extent in tensor.shape]
            try:
                value = flat.root(tensor, indices)
            except Split as split:
                factors = loops.split(split)
                continue
            places = total(zip(indices, array.strides, strict=True))
            if self._divides(flat, array.element, places):
                continue
            if len(flat.products) <= 1:
                break
            most = max(flat.products, key=lambda each: prod(loops.extents[i] for i in each.sums))
            for product in flat.products:
                if product is not most:
                    self._store(product.contraction)
        first = sum(at * stride for at, stride in zip(low, array.strides, strict=False))
        result = Access(array, places.plus(Affine({}, first)))
        extents = {number: extent for number, extent in enumerate(loops.extents) if extent > 1}
        product = flat.products[0] if flat.products else None
        folded = flat.folds[0].loop if flat.folds else None
        result = _merged(result, value, product, extents, folded)
        self._finish(tensor, result, value, product, extents, folded)

    def _divides(self, flat: Flattening, element: Attribute, places: Affine) -> bool:
        """Store tensors that one kernel cannot compute with a result at these places; returns
        whether there are any. A thread has all sums of a row, and stores bytes side by side."""
        loops = [each.loop for each in flat.folds]
        near = [number for number, step in places.terms.items() if step == 1]
        for product in flat.products if bytes_of(element) == 1 else ():
            if all(near[0] in each.offset.terms for each in (product.a, product.b) if near):
                self._store(product.contraction)
                return True
        wrong = (each for each in flat.folds if each.loop != loops[-1] or not each.is_of_result)
        if other := [*wrong]:
            self._store(other[0].reduction)
            return True
        for product in flat.products if loops else ():
            uses = [loops[0] in each.offset.terms for each in (product.a, product.b)]
            if flat.loops.extents[loops[0]] > MOST_COLUMNS or uses[0] == uses[1]:
                self._store(product.contraction)
                return True
        return False

    def _finish(
        self,
        tensor: Tensor,
        result: Access,
        value: Value,
        product: Product | None,
        extents: Mapping[int, int],
        folded: int | None,
    ) -> None:
        strides = result.offset.terms
        own = sorted(strides, key=lambda number: strides[number])
        sums = [each for each in (product.sums if product else ()) if each in extents]
        rows, columns = ROWS, COLUMNS
        if product is None:
            columns = own[0] if own and strides[own[0]] == 1 else COLUMNS
            columns = columns if folded is None else folded
            rest = [each for each in own if each != columns]
            rows = max(rest, key=lambda each: extents[each], default=ROWS)
        else:
            of_a, of_b = product.a.offset.terms, product.b.offset.terms
            only_a, only_b = (
                [each for each in own if each in mine and each not in other]
                for mine, other in ((of_a, of_b), (of_b, of_a))
            )
            first = (own[0] if own else -1) if folded is None else folded
            is_of_a = first in of_a and first not in of_b
            if folded is None and first in of_a and first in of_b:
                # No columns are contiguous: threads have the longer dimension.
                longest = (max((extents[i] for i in each), default=0) for each in (only_a, only_b))
                is_of_a = next(longest) < next(longest)
            if is_of_a:
                product.a, product.b = product.b, product.a
                product.elements = product.elements[1], product.elements[0]
                only_a, only_b = only_b, only_a
            columns = (only_b[0] if only_b else COLUMNS) if folded is None else folded
            rows = max(only_a, key=lambda each: extents[each], default=ROWS)
        outer = [each for each in reversed(own) if each not in (rows, columns)]
        name = f"{self.name}_{len(self.kernels)}" if self.kernels else self.name
        plan = KernelPlan(name, tensor.op, result, value, extents, rows, columns, outer, product)
        plan.is_folded = folded is not None
        if product is not None:
            plan.depth = _depth(product, sums, extents)
            plan.outer_sums = [each for each in sums if each != plan.depth]
            plan.a, plan.b = (
                self._operand(plan, access, element, rows_or_columns)
                for access, element, rows_or_columns in zip(
                    (product.a, product.b), product.elements, (rows, columns), strict=True
                )
            )
            plan.name = f"{self.name}_{len(self.kernels)}" if self.kernels else self.name
        self.kernels.append(plan)

    def _operand(
        self, plan: KernelPlan, access: Access, element: Attribute, own: int
    ) -> MatrixOperand:
        """The matrix of a factor; one that a tensor map cannot describe is copied first."""
        operand = matrix_operand(access, element, own, plan.depth, plan.extents)
        if operand is None:
            terms = access.offset.terms
            order = [*plan.outer, *plan.outer_sums, own, plan.depth]
            # A copy whose rows stay rows reads and writes consecutive elements.
            if terms.get(own) == 1 and bytes_of(access.array.element) < 4:
                order[-2:] = plan.depth, own
            order = [each for each in order if each in terms or each in order[-2:]]
            shape = tuple(plan.extent(each) for each in order)
            factors = {at: terms[each] for at, each in enumerate(order) if each in terms}
            index, base = Affine(factors, access.offset.constant), _flat(access.array)
            array = self._store(View(plan.op, shape, base.element, base, [index]))
            offset = total(zip(map(loop, order), array.strides, strict=True))
            offset = Affine({i: step for i, step in offset.terms.items() if i in terms})
            operand = matrix_operand(Access(array, offset), element, own, plan.depth, plan.extents)
            assert operand is not None
        return operand

    def _factors(self, contraction: Contraction) -> tuple[Factor, Factor]:
        """
        The factors of a contraction. Conversions that the tensor cores make themselves are left
        out. Raises OperationError for types that they do not multiply.
        """
        choices = [_peeled(each) for each in (contraction.a, contraction.b)]
        accumulator = ELEMENT_TYPES[contraction.element].name
        for a in reversed(choices[0]):
            for b in reversed(choices[1]):
                elements = [self._multiplied(each.element) for each in (a, b)]
                names = [getattr(ELEMENT_TYPES.get(each), "name", "") for each in elements]
                cells = {"a": names[0], "b": names[1], "d": accumulator, "scale": None}
                if all(names) and SHAPES.values("kind", ws=False, sparse=False, **cells):
                    return Factor(a.tensor, elements[0]), Factor(b.tensor, elements[1])
        found = " x ".join(str(each[0].element) for each in choices)
        help_ = "convert both to one type, such as bf16"
        if all(each[0].element == f32 for each in choices):
            help_ = "tensor cores can multiply f32 as tf32, with 10 bits after the point: allow it "
            help_ += "with compile --tf32, tf32=True, or the attribute tcgen05.tf32 of the function"
        sentence = f"tensor cores do not multiply {found} to {contraction.element}"
        raise refused(contraction.op, sentence, help_)

    def _multiplied(self, element: Attribute) -> Attribute:
        """The type with which tensor cores multiply elements."""
        if element == f32 and self.is_tf32:
            return tf32
        if element == IntegerType(8):
            return IntegerType(8, Signedness.SIGNED)
        return element


def _flat(array: Array) -> Array:
    """The same memory as an array of one dimension."""
    return Array(array.op, (array.elements,), array.element, array.name, (1,))


def _peeled(tensor: Tensor) -> list[Factor]:
    """A tensor and, if it is the exact conversion of another one, that one."""
    found = [Factor(tensor, tensor.element)]
    wraps: list[Tensor] = []
    inner = tensor
    while isinstance(inner, View | Reshape):
        wraps.append(inner)
        inner = inner.base
    if not isinstance(inner, Elementwise):
        return found
    extends = isinstance(inner.function, arith.ExtFOp | arith.ExtSIOp | arith.ExtUIOp)
    if not extends:
        return found
    base = inner.operands[0]
    element = base.element
    if isinstance(inner.function, arith.ExtUIOp):
        bits = cast("IntegerType", element).bitwidth
        element = IntegerType(bits, Signedness.UNSIGNED)
    for wrap in reversed(wraps):
        if isinstance(wrap, View):
            base = View(wrap.op, wrap.shape, base.element, base, wrap.indices)
        else:
            base = Reshape(wrap.op, wrap.shape, base.element, base)
    return [*found, Factor(base, element)]


def _shared(results: Sequence[Tensor]) -> list[Contraction]:
    """The contractions that several kernels would compute, those that others need first."""
    counts: dict[int, int] = {}
    order: list[Contraction] = []
    roots, done = [*results], set[int]()
    while roots:
        root = roots.pop()
        if id(root) in done:
            continue
        done.add(id(root))
        for tensor in _reached(root):
            if isinstance(tensor, Contraction):
                counts[id(tensor)] = counts.get(id(tensor), 0) + 1
                if tensor not in order:
                    order.append(tensor)
                roots += [_peeled(each)[-1].tensor for each in (tensor.a, tensor.b)]
    return [each for each in reversed(order) if counts[id(each)] > 1]


def _reached(root: Tensor) -> Iterator[Tensor]:
    """The tensors that the kernel of a tensor computes."""
    stack, seen = [root], set[int]()
    while stack:
        tensor = stack.pop()
        if id(tensor) not in seen:
            seen.add(id(tensor))
            yield tensor
            stack += operands_of(tensor)


def loads_of(value: Value) -> list[Load]:
    """The loads of a value, each once, in the order of the program."""
    found: dict[int, Load] = {}
    stack, seen = [value], set[int]()
    while stack:
        each = stack.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, Load):
            found[id(each)] = each
        elif isinstance(each, Apply):
            stack += reversed(each.operands)
        elif isinstance(each, Fold):
            stack.append(each.value)
    return [*found.values()]


def _merged(
    result: Access,
    value: Value,
    product: Product | None,
    extents: dict[int, int],
    folded: int | None,
) -> Access:
    """Make one loop of two wherever the accesses step from the end of the inner one to the next
    iteration of the outer one; returns the access of the result."""
    loads = loads_of(value)
    accesses = [result, *(each.access for each in loads)]
    if product is not None:
        accesses += [product.a, product.b]
    ordering = [result.offset.terms]
    if product is not None:
        ordering.append({each: product.a.offset.terms.get(each, 0) for each in product.sums})
    for terms in ordering:
        order = sorted(terms, key=lambda i: -terms[i])
        order = [each for each in order if each in extents and each != folded]
        inner = order[-1] if order else -1
        for outer in order[-2::-1]:
            if all(
                each.offset.terms.get(outer, 0) == each.offset.terms.get(inner, 0) * extents[inner]
                for each in accesses
            ):
                extents[inner] *= extents.pop(outer)
                accesses = [_without(each, outer) for each in accesses]
            else:
                inner = outer
    result, *others = accesses
    if product is not None:
        *others, product.a, product.b = others
        product.sums = [each for each in product.sums if each in extents]
    for load, access in zip(loads, others, strict=True):
        load.access = access
    return result


def _without(access: Access, number: int) -> Access:
    terms = {each: factor for each, factor in access.offset.terms.items() if each != number}
    return Access(access.array, Affine(terms, access.offset.constant))


def _depth(product: Product, sums: Sequence[int], extents: Mapping[int, int]) -> int:
    """The loop along which a tile is multiplied: contiguous in A or in B, or else the longest."""
    for access in (product.a, product.b):
        for each in sums:
            if access.offset.terms.get(each) == 1:
                return each
    return max(sums, key=lambda each: extents[each], default=DEPTH)
