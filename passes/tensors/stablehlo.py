"""Reader of functions of StableHLO, with unregistered operations, as expressions of tensors."""

from collections.abc import Sequence
from inspect import signature
from math import inf
from typing import Any, TypeVar, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    ModuleOp,
    UnregisteredOp,
    i32,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from tcgen05_dialect.contraction.expression import (
    Affine,
    Elementwise,
    Iota,
    Reshape,
    Tensor,
    View,
    loop,
    refused,
)
from tcgen05_dialect.stablehlo import ComparisonDirectionAttr, ConvAttr, DotAttr

from . import (
    EXPRESSIONS,
    FUNCTIONS,
    bitcast,
    compared,
    concatenated,
    contraction,
    converted,
    padded,
    pointwise,
    power,
    reduced,
    require_count,
    require_dimensions,
    sliced,
    splat,
)
from .linalg import FunctionReader

_Kind = TypeVar("_Kind", bound=Attribute)


class StableHloReader(FunctionReader):
    """Reader of a function of StableHLO."""

    def __init__(self, function: FuncOp, module: ModuleOp) -> None:
        super().__init__(function, module)
        self._known: dict[object, Tensor] = {}
        """Operation with its operands -> its result."""

    def _fold(self, op: Operation, start: Tensor) -> type[Operation]:
        """The operation of a reduction from a number on."""
        inside = [each for each in op.regions[0].block.ops if isinstance(each, UnregisteredOp)]
        name = inside[0].op_name.data.rpartition(".")[2] if inside else ""
        if len(inside) != 2 or name not in FUNCTIONS or len(inside[0].operands) != 2:
            raise refused(op, "the reduction must be a sum, a product, a maximum or a minimum")
        return type(cast(Elementwise, pointwise(op, name, [start, start])).function)

    def _read_reduce(self, op: Operation, x: Tensor, start: Tensor) -> Tensor:
        axes = _numbers(op, "dimensions")
        require_dimensions(op, axes, len(x.shape))
        return reduced(op, self._fold(op, start), x, axes, start)

    def read(self, op: Operation) -> None:
        if not isinstance(op, UnregisteredOp):
            super().read(op)
            return
        # The text may give properties as attributes.
        op.properties = {**op.attributes, **op.properties}
        dialect, _, name = op.op_name.data.partition(".")
        operands = [self.tensor(each, op) for each in op.operands]
        read = getattr(self, f"_read_{name}", None) if dialect in ("stablehlo", "chlo") else None
        # JAX repeats products that its function repeats.
        key = name, *map(id, operands), *op.properties.items(), *(each.type for each in op.results)
        if not op.regions and key in self._known:
            result = self._known[key]
        elif name in FUNCTIONS or name in EXPRESSIONS:
            result = pointwise(op, name, operands)
        elif name == "optimization_barrier" and len(op.results) == len(operands):
            self.tensors |= zip(op.results, operands, strict=True)
            return
        elif read is not None and len(op.results) == 1:
            if name != "concatenate":
                require_count(op, operands, len(signature(read).parameters) - 1)
            result = read(op, *operands)
        else:
            raise refused(op, "no kernel can be made of this operation")
        self.tensors[op.results[0]] = self._known[key] = result

    # Elementwise operations.

    def _read_power(self, op: Operation, x: Tensor, y: Tensor) -> Tensor:
        return power(op, x, y)

    def _read_is_finite(self, op: Operation, x: Tensor) -> Tensor:
        return compared(op, "LT", pointwise(op, "abs", [x]), splat(op, x.shape, x.element, inf))

    def _read_iota(self, op: Operation) -> Tensor:
        shape, element = self.type_of(op.results[0], op)
        axis = _property(op, "iota_dimension", IntegerAttr).value.data
        require_dimensions(op, [axis], len(shape))
        return converted(op, Iota(op, shape, i32, axis), element)

    def _read_compare(self, op: Operation, x: Tensor, y: Tensor) -> Tensor:
        direction = _property(op, "comparison_direction", ComparisonDirectionAttr)
        return compared(op, direction.data, x, y)

    def _read_convert(self, op: Operation, x: Tensor) -> Tensor:
        _, element = self.type_of(op.results[0], op)
        return converted(op, x, element)

    # Layouts.

    def _read_constant(self, op: Operation) -> Tensor:
        return self.constant(op, _property(op, "value", Attribute))

    def _read_broadcast_in_dim(self, op: Operation, x: Tensor) -> Tensor:
        shape, element = self.type_of(op.results[0], op)
        places = _numbers(op, "broadcast_dimensions", len(x.shape))
        indices = [
            loop(place) if extent > 1 else Affine({})
            for place, extent in zip(places, x.shape, strict=True)
        ]
        return View(op, shape, element, x, indices)

    def _read_transpose(self, op: Operation, x: Tensor) -> Tensor:
        shape, element = self.type_of(op.results[0], op)
        order = _numbers(op, "permutation")
        if sorted(order) != [*range(len(x.shape))]:
            raise refused(op, f"the permutation must be of {len(x.shape)} dimensions")
        return View(op, shape, element, x, [loop(order.index(at)) for at in range(len(order))])

    def _read_reshape(self, op: Operation, x: Tensor) -> Tensor:
        shape, element = self.type_of(op.results[0], op)
        return Reshape(op, shape, element, x)

    def _read_slice(self, op: Operation, x: Tensor) -> Tensor:
        shape, _ = self.type_of(op.results[0], op)
        starts, steps = (_numbers(op, each, len(x.shape)) for each in ("start_indices", "strides"))
        return sliced(op, x, starts, steps, shape)

    def _read_reverse(self, op: Operation, x: Tensor) -> Tensor:
        axes = _numbers(op, "dimensions")
        require_dimensions(op, axes, len(x.shape))
        steps = [-1 if at in axes else 1 for at in range(len(x.shape))]
        starts = [n - 1 if step < 0 else 0 for n, step in zip(x.shape, steps, strict=True)]
        return sliced(op, x, starts, steps, x.shape)

    def _read_bitcast_convert(self, op: Operation, x: Tensor) -> Tensor:
        _, element = self.type_of(op.results[0], op)
        return bitcast(op, x, element)

    def _read_pad(self, op: Operation, x: Tensor, number: Tensor) -> Tensor:
        names = "edge_padding_low", "edge_padding_high", "interior_padding"
        counts = (_numbers(op, each, len(x.shape)) for each in names)
        return padded(op, x, [*zip(*counts, strict=True)], number)

    def _read_concatenate(self, op: Operation, *parts: Tensor) -> Tensor:
        return concatenated(op, parts, _property(op, "dimension", IntegerAttr).value.data)

    # Contractions.

    def _read_dot_general(self, op: Operation, a: Tensor, b: Tensor) -> Tensor:
        return self._product(op, a, b, _property(op, "dot_dimension_numbers", DotAttr).data)

    def _read_dot(self, op: Operation, a: Tensor, b: Tensor) -> Tensor:
        return self._product(op, a, b, ((), (), (len(a.shape) - 1,), (0,)))

    def _product(
        self, op: Operation, a: Tensor, b: Tensor, dimensions: Sequence[Sequence[int]]
    ) -> Tensor:
        """A product; `dimensions` are those of the batch in A and B, and those of the sums."""
        batch, sums = dimensions[:2], dimensions[2:]
        shape, element = self.type_of(op.results[0], op)
        at = len(batch[0])
        indices: list[list[Affine]] = []
        if len(batch[0]) != len(batch[1]) or len(sums[0]) != len(sums[1]):
            raise refused(
                op, "the operands must agree in the numbers of batch and contracting dimensions"
            )
        for tensor, own_batch, own_sums in zip((a, b), batch, sums, strict=True):
            require_dimensions(op, [*own_batch, *own_sums], len(tensor.shape))
            places = {each: place for place, each in enumerate(own_batch)}
            places |= {each: len(shape) + n for n, each in enumerate(own_sums)}
            for each in range(len(tensor.shape)):
                if each not in places:
                    places[each] = at
                    at += 1
            indices.append([loop(places[each]) for each in range(len(tensor.shape))])
        extents = [a.shape[each] for each in sums[0]]
        return contraction(op, shape, element, (a, b), indices, extents)

    def _read_reduce_window(self, op: Operation, x: Tensor, start: Tensor) -> Tensor:
        rank = len(x.shape)
        ones, (result,) = [1] * rank, (self.type_of(each, op)[0] for each in op.results)
        window = _numbers(op, "window_dimensions", rank)
        strides, spread, dilations = (
            _numbers(op, name, rank) if name in op.properties else ones
            for name in ("window_strides", "base_dilations", "window_dilations")
        )
        fold = self._fold(op, start)
        x = padded(op, x, _edges(op, spread), start)
        places = zip(range(rank), strides, dilations, strict=True)
        indices = [
            loop(at).times(stride).plus(loop(rank + at).times(gap)) for at, stride, gap in places
        ]
        view = View(op, (*result, *window), x.element, x, indices)
        return reduced(op, fold, view, range(rank, 2 * rank), start)

    def _read_convolution(self, op: Operation, x: Tensor, filter_: Tensor) -> Tensor:
        numbers = _property(op, "dimension_numbers", ConvAttr)
        given, window, result = numbers.places()
        shape, element = self.type_of(op.results[0], op)
        spatial = sorted(each for each in result if each.isdecimal())
        ones = [1] * len(spatial)
        strides, spread, dilations = (
            _numbers(op, name, len(spatial)) if name in op.properties else ones
            for name in ("window_strides", "lhs_dilation", "rhs_dilation")
        )
        groups, batches = (
            _property(op, f"{each}_group_count", IntegerAttr).value.data
            for each in ("feature", "batch")
        )
        if batches != 1:
            raise refused(op, "the convolution must have no batch groups")
        own, features = filter_.shape[window["i"]], shape[result["f"]]
        if groups < 1 or features % groups or x.shape[given["f"]] != own * groups:
            raise refused(op, f"the feature groups must divide the features; found {groups} groups")
        edges = [(0, 0, 0)] * len(given)
        for each, edge in zip(spatial, _edges(op, spread), strict=True):
            edges[given[each]] = edge
        x = padded(op, x, edges, splat(op, (), x.element, 0))
        # The loops are the dimensions of the result, then the window, then the features. The
        # features of the result are two loops if there are groups.
        at, o, split = result["f"], window["o"], int(groups > 1)
        rank, per_group = len(shape) + split, features // groups
        a: list[Affine] = [Affine({})] * len(given)
        b: list[Affine] = [Affine({})] * len(given)

        def of_result(dimension: int) -> Affine:
            return loop(dimension + split * (dimension > at))

        a[given["b"]], last = of_result(result["b"]), loop(rank + len(spatial))
        for number, each in enumerate(spatial):
            inside = b[window[each]] = loop(rank + number)
            place = of_result(result[each]).times(strides[number])
            a[given[each]] = place.plus(inside.times(dilations[number]))
        a[given["f"]] = last.plus(loop(at).times(own)) if split else last
        b[window["i"]], b[o] = last, loop(at)
        sums = [*(filter_.shape[window[each]] for each in spatial), own]
        if not split:
            return contraction(op, shape, element, (x, filter_), (a, b), sums)
        b.insert(o + 1, loop(at + 1))
        parts = (*filter_.shape[:o], groups, per_group, *filter_.shape[o + 1 :])
        filter_ = Reshape(op, parts, filter_.element, filter_)
        inner = (*shape[:at], groups, per_group, *shape[at + 1 :])
        product = contraction(op, inner, element, (x, filter_), (a, b), sums)
        return Reshape(op, shape, element, product)


def _edges(op: Operation, spread: Sequence[int]) -> list[tuple[int, int, int]]:
    """The padding of each dimension before, behind and, by its dilation, between elements."""
    numbers = [0]
    if "padding" in op.properties:
        numbers = [int(each) for each in cast(Any, op.properties["padding"]).get_values()]
    count = 2 * len(spread)
    if len(numbers) not in (1, count):
        raise refused(op, f"padding must have {count} numbers; found {len(numbers)}")
    numbers *= count if len(numbers) == 1 else 1
    inner = [each - 1 for each in spread]
    return [*zip(numbers[::2], numbers[1::2], inner, strict=True)]


def _property(op: Operation, name: str, kind: type[_Kind]) -> _Kind:
    """A property of an operation. Raises OperationError."""
    found = op.properties.get(name)
    if found is None:
        raise refused(op, f"{name} is missing")
    if not isinstance(found, kind):
        raise refused(op, f"{name} must be a {kind.name}; found {found}")
    return found


def _numbers(op: Operation, name: str, count: int | None = None) -> list[int]:
    """The numbers of a property, as many as `count` says."""
    array = cast(Any, _property(op, name, DenseArrayBase))
    found = [int(each) for each in array.get_values()]
    if count is not None and len(found) != count:
        raise refused(op, f"{name} must have {count} numbers; found {len(found)}")
    return found
