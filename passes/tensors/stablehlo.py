"""Reader of functions of StableHLO, with unregistered operations, as expressions of tensors."""

from inspect import signature
from typing import Any, TypeVar, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    ModuleOp,
    UnregisteredOp,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from tcgen05_dialect.contraction.expression import (
    Affine,
    Elementwise,
    Pad,
    Reshape,
    Splat,
    Tensor,
    View,
    loop,
    refused,
)
from tcgen05_dialect.xdsl_support.stablehlo import ComparisonDirectionAttr, ConvAttr, DotAttr

from .functions import (
    EXPRESSIONS,
    FUNCTIONS,
    compared,
    contraction,
    converted,
    expression,
    is_number,
    pointwise,
    reduced,
    require_count,
    require_dimensions,
)
from .linalg import FunctionReader

_Kind = TypeVar("_Kind", bound=Attribute)


class StableHloReader(FunctionReader):
    """Reader of a function of StableHLO."""

    def __init__(self, function: FuncOp, module: ModuleOp) -> None:
        super().__init__(function, module)
        self._known: dict[object, Tensor] = {}
        """Operation with its operands -> its result."""

    def _reduce(self, op: Operation, x: Tensor, start: Tensor) -> Tensor:
        inside = [each for each in op.regions[0].block.ops if isinstance(each, UnregisteredOp)]
        name = inside[0].op_name.data.rpartition(".")[2]
        if len(inside) != 2 or name not in FUNCTIONS or len(inside[0].operands) != 2:
            raise refused(op, "the reduction must be a sum, a product, a maximum or a minimum")
        combined = cast(Elementwise, pointwise(op, name, [start, start]))
        axes = _numbers(op, "dimensions")
        require_dimensions(op, axes, len(x.shape))
        return reduced(op, type(combined.function), x, axes, start)

    def read(self, op: Operation) -> None:
        if not isinstance(op, UnregisteredOp):
            super().read(op)
            return
        dialect, _, name = op.op_name.data.partition(".")
        operands = [self.tensor(each, op) for each in op.operands]
        read = getattr(self, f"_{name}", None) if dialect in ("stablehlo", "chlo") else None
        # JAX repeats products that its function repeats.
        key = name, *map(id, operands), *op.properties.items(), *(each.type for each in op.results)
        if not op.regions and key in self._known:
            result = self._known[key]
        elif name in FUNCTIONS or name in EXPRESSIONS:
            result = pointwise(op, name, operands)
        elif read is not None and len(op.results) == 1:
            require_count(op, operands, len(signature(read).parameters) - 1)
            result = read(op, *operands)
        else:
            raise refused(op, "no kernel can be made of this operation")
        self.tensors[op.results[0]] = self._known[key] = result

    # Elementwise operations.

    def _power(self, op: Operation, x: Tensor, y: Tensor) -> Tensor:
        base = y
        while isinstance(base, View):
            base = base.base
        exponent = base.number.value.data if isinstance(base, Splat) else 0.5
        if exponent != int(exponent) or not 0 < exponent <= 8:
            raise refused(op, "the exponent must be a constant integer from 1 to 8")
        return expression(op, " * ".join("x" * int(exponent)), [x])

    def _compare(self, op: Operation, x: Tensor, y: Tensor) -> Tensor:
        direction = _property(op, "comparison_direction", ComparisonDirectionAttr)
        return compared(op, direction.data, x, y)

    def _convert(self, op: Operation, x: Tensor) -> Tensor:
        _, element = self.type_of(op.results[0], op)
        return converted(op, x, element)

    # Layouts.

    def _constant(self, op: Operation) -> Tensor:
        return self.constant(op, _property(op, "value", Attribute))

    def _broadcast_in_dim(self, op: Operation, x: Tensor) -> Tensor:
        shape, element = self.type_of(op.results[0], op)
        places = _numbers(op, "broadcast_dimensions", len(x.shape))
        indices = [
            loop(place) if extent > 1 else Affine({})
            for place, extent in zip(places, x.shape, strict=True)
        ]
        return View(op, shape, element, x, indices)

    def _transpose(self, op: Operation, x: Tensor) -> Tensor:
        shape, element = self.type_of(op.results[0], op)
        order = _numbers(op, "permutation")
        if sorted(order) != [*range(len(x.shape))]:
            raise refused(op, f"the permutation must be of {len(x.shape)} dimensions")
        return View(op, shape, element, x, [loop(order.index(at)) for at in range(len(order))])

    def _reshape(self, op: Operation, x: Tensor) -> Tensor:
        shape, element = self.type_of(op.results[0], op)
        return Reshape(op, shape, element, x)

    def _slice(self, op: Operation, x: Tensor) -> Tensor:
        shape, element = self.type_of(op.results[0], op)
        starts, steps = (_numbers(op, each, len(x.shape)) for each in ("start_indices", "strides"))
        places = enumerate(zip(starts, steps, strict=True))
        indices = [loop(at).times(step).plus(Affine({}, start)) for at, (start, step) in places]
        return View(op, shape, element, x, indices)

    # Contractions.

    def _dot_general(self, op: Operation, a: Tensor, b: Tensor) -> Tensor:
        numbers = _property(op, "dot_dimension_numbers", DotAttr)
        batch, sums = numbers.data[:2], numbers.data[2:]
        shape, element = self.type_of(op.results[0], op)
        at = len(batch[0])
        indices: list[list[Affine]] = []
        if len(batch[0]) != len(batch[1]) or len(sums[0]) != len(sums[1]):
            raise refused(op, "both operands must have as many batch and contracting dimensions")
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

    def _pad(self, op: Operation, x: Tensor, number: Tensor) -> Tensor:
        names = "edge_padding_low", "edge_padding_high", "interior_padding"
        low, high, inner = (_numbers(op, each, len(x.shape)) for each in names)
        if any(inner) or min(low + high) < 0 or not is_number(number, 0):
            raise refused(op, "the padding must be zeros at the edges")
        shape, _ = self.type_of(op.results[0], op)
        return Pad(op, shape, x.element, x, low)

    def _convolution(self, op: Operation, x: Tensor, filter_: Tensor) -> Tensor:
        numbers = _property(op, "dimension_numbers", ConvAttr)
        given, window, result = numbers.places()
        shape, element = self.type_of(op.results[0], op)
        spatial = sorted(each for each in result if each.isdecimal())
        ones = [1] * len(spatial)
        strides, dilations = (
            _numbers(op, name) if name in op.properties else ones
            for name in ("window_strides", "rhs_dilation")
        )
        groups = [
            _property(op, f"{each}_group_count", IntegerAttr) for each in ("feature", "batch")
        ]
        spread = _numbers(op, "lhs_dilation") if "lhs_dilation" in op.properties else ones
        if spread != ones or any(each.value.data != 1 for each in groups):
            raise refused(op, "the convolution must have no groups, and not dilate its input")
        if "padding" in op.properties:
            edges = [int(each) for each in cast(Any, op.properties["padding"]).get_values()]
            low, padded = [0] * len(given), [*x.shape]
            for at, each in enumerate(spatial):
                low[given[each]] = edges[2 * at]
                padded[given[each]] += edges[2 * at] + edges[2 * at + 1]
            if any(edges):
                x = Pad(op, tuple(padded), x.element, x, low)
        # The loops are the dimensions of the result, then the window, then the features.
        a: list[Affine] = [Affine({})] * len(given)
        b: list[Affine] = [Affine({})] * len(given)
        a[given["b"]], b[window["o"]] = loop(result["b"]), loop(result["f"])
        for at, each in enumerate(spatial):
            own = loop(len(shape) + at)
            a[given[each]] = loop(result[each]).times(strides[at]).plus(own.times(dilations[at]))
            b[window[each]] = own
        last = loop(len(shape) + len(spatial))
        a[given["f"]], b[window["i"]] = last, last
        sums = [*(filter_.shape[window[each]] for each in spatial), x.shape[given["f"]]]
        return contraction(op, shape, element, (x, filter_), (a, b), sums)


def _property(op: Operation, name: str, kind: type[_Kind]) -> _Kind:
    """A property of an operation, which the text may give as an attribute."""
    found = op.properties.get(name, op.attributes.get(name))
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
