"""Plans: the kernels that compute an expression, and the arrays between them."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, Signedness, f32, tf32
from xdsl.ir import Attribute, Operation

from ..calculator.roofline import MOST_COLUMNS
from ..isa.instructions.copies import DIMENSIONS
from ..isa.mma.shapes import SHAPES
from ..isa.shared_memory.descriptor import UNIT_BYTES
from ..tcgen05.types import ELEMENT_TYPES
from .expression import (
    Affine,
    Array,
    Contraction,
    Elementwise,
    Joined,
    Part,
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
from .flat import (
    Access,
    Factor,
    Flattening,
    Fold,
    Index,
    Loops,
    MatrixOperand,
    Product,
    Split,
    Value,
    matrix_operand,
)


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
    other loops, of which a CTA has one iteration. `factors` are those of `product`, which is summed
    over the loops `depth` and `outer_sums`.
    """

    name: str
    op: Operation
    result: Access
    value: Value
    loads: Sequence[Access]
    indices: Sequence[Index]
    folds: Sequence[Fold]
    """Reductions that a thread computes along its row, of which a tile has all columns."""
    product: Product | None
    extents: dict[int, int]
    rows: int = ROWS
    columns: int = COLUMNS
    outer: Sequence[int] = ()
    factors: Sequence[MatrixOperand] = ()
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
    _stored: dict[tuple[Tensor, bool], Array] = field(default_factory=dict)
    """Tensor, and whether its rows have no gaps -> the array in which it is."""

    def plan(self, results: Sequence[tuple[Tensor, Array]]) -> None:
        """Add the kernels that store results. Raises OperationError."""
        own = [tensor for tensor, _ in results]
        for contraction in _shared(own):
            if contraction not in own:
                self._store(contraction)
        # Other results may be computed from results that are sums.
        for tensor, array in sorted(results, key=lambda each: not isinstance(each[0], Contraction)):
            self._fill(tensor, array)
            self._stored[tensor, True] = array

    def _find(self, tensor: Tensor) -> Array | None:
        return self._stored.get((tensor, False)) or self._stored.get((tensor, True))

    def _store(self, tensor: Tensor, is_dense: bool = False) -> Array:
        """The array of a tensor that a kernel stores in memory. Its rows begin at multiples of the
        bytes that a tensor map needs, unless it `is_dense`."""
        found = self._stored.get((tensor, is_dense))
        if found is None:
            unit = 1 if is_dense else UNIT_BYTES // bytes_of(tensor.element)
            last = tensor.shape[-1:]
            padded = (*tensor.shape[:-1], *(-(-extent // unit) * unit for extent in last))
            name = unused(f"scratch{len(self.arrays)}", self.names)
            found = Array(tensor.op, tensor.shape, tensor.element, name, row_major(padded))
            self.arrays.append(found)
            self._fill(tensor, found, has_zeros=True)
            self._stored[tensor, is_dense] = found
            if padded == tensor.shape:
                self._stored[tensor, not is_dense] = found
        return found

    def _fill(self, tensor: Tensor, array: Array, has_zeros: bool = False) -> None:
        """Add the kernels that store a tensor to an array, which may have zeros before."""
        if isinstance(tensor, Joined) and (has_zeros or tensor.is_whole):
            for part in tensor.parts:
                self._add(part, array)
        else:
            self._add(Part(tensor, ()), array)

    def _add(self, part: Part, array: Array) -> None:
        """Add the kernel that stores a part of an array."""
        tensor, steps = part.tensor, part.steps or [1] * len(array.shape)
        strides = [stride * step for stride, step in zip(array.strides, steps, strict=True)]
        factors: Mapping[int, Sequence[int]] = {}
        while True:
            loops = Loops(factors)
            indices = [loops.new(extent) for extent in tensor.shape]
            outer = len(loops.extents)
            flat = Flattening(loops, self._find, self._store, self._factors, outer)
            try:
                value = flat.value(tensor, indices)
            except Split as split:
                factors = loops.split(*split.args) if split.args else {}
                continue
            places = total(zip(indices, strides, strict=True))
            other = _other(flat, array.element, places)
            if not other:
                break
            for each in other:
                self._store(each)
        first = sum(at * stride for at, stride in zip(part.low, array.strides, strict=False))
        result = Access(array, places.plus(Affine({}, first)))
        extents = {number: extent for number, extent in enumerate(loops.extents) if extent > 1}
        product = flat.products[0] if flat.products else None
        parts = flat.loads, flat.indices, flat.folds
        plan = KernelPlan("", tensor.op, result, value, *parts, product, extents)
        _merge(plan)
        self._choose_tile(plan)
        plan.name = f"{self.name}_{len(self.kernels)}" if self.kernels else self.name
        self.kernels.append(plan)

    def _choose_tile(self, plan: KernelPlan) -> None:
        extents, product, strides = plan.extents, plan.product, plan.result.offset.terms
        own = sorted(strides, key=lambda number: strides[number])
        first = plan.folds[0].loop if plan.folds else own[0] if own else COLUMNS
        if product is None:
            rows, columns = own, [first] if strides.get(first) == 1 else []
        else:
            rows, columns = _sides(plan, product, own, first)
        plan.columns = first if plan.folds else columns[0] if columns else COLUMNS
        rows = [each for each in rows if each != plan.columns]
        plan.rows = max(rows, key=lambda each: extents[each], default=ROWS)
        plan.outer = [each for each in reversed(own) if each not in (plan.rows, plan.columns)]
        if product is not None:
            self._choose_factors(plan, product)

    def _choose_factors(self, plan: KernelPlan, product: Product) -> None:
        sums = [each for each in product.sums if each in plan.extents]
        # Contiguous in A or in B, or else the longest.
        near = [each for terms in product.terms for each in sums if terms.get(each) == 1]
        longest = max(sums, key=lambda each: plan.extents[each], default=DEPTH)
        plan.depth = near[0] if near else longest
        plan.outer_sums = [each for each in sums if each != plan.depth]
        if self._gather(plan, product):
            self._choose_tile(plan)
            return
        plan.factors = [
            self._operand(plan, *factor, own)
            for factor, own in zip(product.factors, (plan.rows, plan.columns), strict=True)
        ]

    def _gather(self, plan: KernelPlan, product: Product) -> bool:
        """
        Copy a factor that has more dimensions than a tensor map, or the other one, so that the
        sums of both have one order and become one loop; returns whether one is copied. Raises
        OperationError if that does not help.
        """
        own = plan.rows, plan.columns
        counts = [len({*terms, i, plan.depth}) for terms, i in zip(product.terms, own, strict=True)]
        if max(counts) <= max(DIMENSIONS.values):
            return False
        # The smaller one first: the larger one may then be read in place.
        for at in sorted(range(2), key=lambda at: product.factors[at][0].array.elements):
            access, element = product.factors[at]
            terms, other = access.offset.terms, product.terms[1 - at]
            order = sorted(product.sums, key=lambda i: -other.get(i, 0))
            sums = [i for i in order if i in terms and i in plan.extents]
            rows = [i for i in (*plan.outer, plan.rows, plan.columns) if i in terms]
            rows.sort(key=lambda i: -plan.result.offset.terms[i])
            steps = row_major([*map(plan.extent, sums)])
            if all(terms[i] == step for i, step in zip(sums, steps, strict=True)):
                continue
            product.factors[at] = self._copied(plan, access, rows, sums), element
            _merge(plan)
            return True
        most = max(DIMENSIONS.values)
        raise refused(plan.op, f"each factor must have at most {most} dimensions that do not join")

    def _operand(
        self, plan: KernelPlan, access: Access, element: Attribute, own: int
    ) -> MatrixOperand:
        """The matrix of a factor; one that a tensor map cannot describe is copied first."""
        operand = matrix_operand(access, element, own, plan.depth, plan.extents)
        if operand is None:
            terms, array = access.offset.terms, access.array
            order = [*plan.outer, *plan.outer_sums, own, plan.depth]
            # A copy whose rows stay rows reads and writes consecutive elements.
            if terms.get(own) == 1 and bytes_of(array.element) < 4:
                order[-2:] = plan.depth, own
            order = [each for each in order if each in terms or each in order[-2:]]
            copy = self._copied(plan, access, order[:-1], order[-1:])
            operand = matrix_operand(copy, element, own, plan.depth, plan.extents)
            assert operand is not None
        return operand

    def _copied(
        self, plan: KernelPlan, access: Access, outer: Sequence[int], inner: Sequence[int]
    ) -> Access:
        """A copy of a factor, whose dimensions are the loops `outer`, and one of the loops
        `inner`."""
        array, order, terms = access.array, (*outer, *inner), access.offset.terms
        flat = Array(array.op, (array.elements,), array.element, array.name, (1,))
        factors = {at: terms[each] for at, each in enumerate(order) if each in terms}
        index = Affine(factors, access.offset.constant)
        view = View(plan.op, tuple(map(plan.extent, order)), array.element, flat, [index])
        joined = (*view.shape[: len(outer)], plan.extent(*inner))
        copy = self._store(Reshape(plan.op, joined, array.element, view))
        strides = (*copy.strides[: len(outer)], *row_major(view.shape[len(outer) :]))
        return Access(copy, total(zip(map(loop, order), strides, strict=True)))

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
            help_ += (
                "with --tf32 of compile and check, tf32=True, or the attribute tcgen05.tf32 of "
            )
            help_ += "the function"
        sentence = f"tensor cores do not multiply {found} to {contraction.element}"
        raise refused(contraction.op, sentence, help_)

    def _multiplied(self, element: Attribute) -> Attribute:
        """The type with which tensor cores multiply elements."""
        if element == f32 and self.is_tf32:
            return tf32
        if element == IntegerType(8):
            return IntegerType(8, Signedness.SIGNED)
        return element


def _peeled(tensor: Tensor) -> list[Factor]:
    """A tensor and, if it is the exact conversion of another one, that one."""
    found = [Factor(tensor, tensor.element)]
    match tensor:
        case Elementwise(function=arith.ExtFOp() | arith.ExtSIOp(), operands=[base]):
            found.append(Factor(base, base.element))
        case Elementwise(function=arith.ExtUIOp(), operands=[base]):
            bits = cast("IntegerType", base.element).bitwidth
            found.append(Factor(base, IntegerType(bits, Signedness.UNSIGNED)))
        case View() | Reshape():
            for base, element in _peeled(tensor.base)[1:]:
                found.append(Factor(replace(tensor, element=base.element, base=base), element))
        case _:
            pass
    return found


def _shared(results: Sequence[Tensor]) -> list[Contraction]:
    """The contractions that several kernels would compute, those that others need first."""
    counts = Counter[Contraction]()
    roots, done = [*results], set[Tensor]()
    while roots:
        root = roots.pop()
        if root in done:
            continue
        done.add(root)
        for tensor in _reached(root):
            if isinstance(tensor, Contraction):
                counts[tensor] += 1
                roots += [_peeled(each)[-1].tensor for each in (tensor.a, tensor.b)]
    return [each for each in reversed(counts) if counts[each] > 1]


def _reached(root: Tensor) -> Iterator[Tensor]:
    """The tensors that the kernel of a tensor computes."""
    stack, seen = [root], set[Tensor]()
    while stack:
        tensor = stack.pop()
        if tensor not in seen:
            seen.add(tensor)
            yield tensor
            stack += operands_of(tensor)


def _other(flat: Flattening, element: Attribute, places: Affine) -> Sequence[Tensor]:
    """The tensors that one kernel cannot compute with a result of a type at these places. A thread
    has all sums of a row, stores bytes side by side, and has the sums of one contraction."""
    loops, extents = [each.loop for each in flat.folds], flat.loops.extents
    near = [number for number, step in places.terms.items() if step == 1][:1]
    for product in flat.products if bytes_of(element) == 1 and near else ():
        if all(near[0] in each for each in product.terms):
            return [product.contraction]
    for fold in flat.folds:
        is_apart = bytes_of(element) == 1 and places.terms.get(fold.loop, 0) > 1
        if fold.loop != loops[-1] or not fold.is_of_result or is_apart:
            return [fold.reduction]
    for product in flat.products if loops else ():
        uses = [loops[0] in each for each in product.terms]
        if extents[loops[0]] > MOST_COLUMNS or uses[0] == uses[1]:
            return [product.contraction]
    longest = max(flat.products, key=lambda p: prod(extents[i] for i in p.sums), default=None)
    return [each.contraction for each in flat.products if each is not longest]


def _sides(
    plan: KernelPlan, product: Product, own: Sequence[int], first: int
) -> tuple[list[int], list[int]]:
    """The loops of the rows and those of the columns of a product. The factor with the loop `first`
    has the columns; the factors are exchanged for that."""
    a, b = product.terms
    rows = [i for i in own if i in a and i not in b]
    columns = [i for i in own if i in b and i not in a]
    is_of_a = first in a and first not in b
    if first in a and first in b and not plan.folds:
        # No columns are contiguous: threads have the longer dimension.
        longest = [max((plan.extents[i] for i in each), default=0) for each in (rows, columns)]
        is_of_a = longest[0] < longest[1]
    if is_of_a:
        product.factors.reverse()
        return columns, rows
    return rows, columns


def _merge(plan: KernelPlan) -> None:
    """Make one loop of two wherever the accesses step from the end of the inner one to the next
    iteration of the outer one."""
    accesses, product, extents = (
        [plan.result, *plan.loads, *plan.indices],
        plan.product,
        plan.extents,
    )
    ordering = [plan.result.offset.terms]
    if product is not None:
        accesses += [access for access, _ in product.factors]
        a, _ = product.terms
        ordering.append({each: a.get(each, 0) for each in product.sums})
    folded = plan.folds[0].loop if plan.folds else None
    for terms in ordering:
        order = sorted(terms, key=lambda i: -terms[i])
        order = [each for each in order if each in extents and each != folded]
        inner = order[-1] if order else -1
        for outer in order[-2::-1]:
            steps = ([each.offset.terms.get(i, 0) for i in (outer, inner)] for each in accesses)
            if any(step != own * extents[inner] for step, own in steps):
                inner = outer
                continue
            extents[inner] *= extents.pop(outer)
            for each in accesses:
                rest = {i: step for i, step in each.offset.terms.items() if i != outer}
                each.offset = Affine(rest, each.offset.constant)
