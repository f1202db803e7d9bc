"""Reader of functions of StableHLO, with unregistered operations, as expressions of tensors."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    UnregisteredOp,
    f32,
    i1,
    i32,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation

from tcgen05_dialect.contraction.expression import (
    Affine,
    Contraction,
    Elementwise,
    Pad,
    Reshape,
    Splat,
    Tensor,
    View,
    loop,
    refused,
)
from tcgen05_dialect.contraction.plan import is_unsigned
from tcgen05_dialect.xdsl_support.stablehlo import ComparisonDirectionAttr, ConvAttr, DotAttr

from .linalg import FunctionReader, is_number

_OperationType = type[Operation]
_BINARY: Mapping[str, tuple[_OperationType, _OperationType, _OperationType]] = {
    "add": (arith.AddfOp, arith.AddiOp, arith.AddiOp),
    "subtract": (arith.SubfOp, arith.SubiOp, arith.SubiOp),
    "multiply": (arith.MulfOp, arith.MuliOp, arith.MuliOp),
    "divide": (arith.DivfOp, arith.DivSIOp, arith.DivUIOp),
    "maximum": (arith.MaximumfOp, arith.MaxSIOp, arith.MaxUIOp),
    "minimum": (arith.MinimumfOp, arith.MinSIOp, arith.MinUIOp),
    "and": (arith.AndIOp, arith.AndIOp, arith.AndIOp),
    "or": (arith.OrIOp, arith.OrIOp, arith.OrIOp),
    "xor": (arith.XOrIOp, arith.XOrIOp, arith.XOrIOp),
    "shift_left": (arith.ShLIOp, arith.ShLIOp, arith.ShLIOp),
    "shift_right_arithmetic": (arith.ShRSIOp, arith.ShRSIOp, arith.ShRSIOp),
    "shift_right_logical": (arith.ShRUIOp, arith.ShRUIOp, arith.ShRUIOp),
}
"""Operation -> its operations on floats, on signed and on unsigned integers."""
_TRUTHS = {
    "add": arith.OrIOp,
    "multiply": arith.AndIOp,
    "maximum": arith.OrIOp,
    "minimum": arith.AndIOp,
}
"""Operation -> its operation on truth values."""
_UNARY: Mapping[str, _OperationType] = {
    "abs": math.AbsFOp,
    "cosine": math.CosOp,
    "exponential": math.ExpOp,
    "log": math.LogOp,
    "negate": arith.NegfOp,
    "rsqrt": math.RsqrtOp,
    "sine": math.SinOp,
    "sqrt": math.SqrtOp,
    "tanh": math.TanhOp,
}
"""Operation -> its operation on floats."""


class StableHloReader(FunctionReader):
    """Reader of a function of StableHLO."""

    def __init__(self, function: FuncOp, module: ModuleOp) -> None:
        super().__init__(function, module)
        self._known: dict[object, Tensor] = {}
        """Operation with its operands -> its result."""

    def _reduce(self, op: Operation, x: Tensor, start: Tensor) -> Tensor:
        inside = [each for each in op.regions[0].block.ops if isinstance(each, UnregisteredOp)]
        name = inside[0].op_name.data.rpartition(".")[2]
        if len(inside) != 2 or name not in _BINARY:
            raise refused(op, "the reduction must be a sum, a product, a maximum or a minimum")
        combined = cast(Elementwise, self._pointwise(op, name, [start, start]))
        axes = sorted(_numbers(op, "dimensions"), reverse=True)
        return self.reduced(op, combined.function, x, axes, start)

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
        elif name in _BINARY or name in _UNARY:
            result = self._pointwise(op, name, operands)
        elif read is not None and len(op.results) == 1:
            result = read(op, *operands)
        else:
            raise refused(op, "no kernel can be made of this operation")
        self.tensors[op.results[0]] = self._known[key] = result

    # Elementwise operations.

    def _make(
        self,
        op: Operation,
        op_type: _OperationType,
        element: Attribute,
        *operands: Tensor,
        **properties: Attribute,
    ) -> Tensor:
        block = Block(arg_types=[each.element for each in operands])
        function = op_type.create(
            operands=block.args, result_types=[element], properties=properties
        )
        return Elementwise(op, operands[0].shape, element, function, operands)

    def _number(self, like: Tensor, number: float) -> Tensor:
        make: Any = FloatAttr if isinstance(like.element, AnyFloat) else IntegerAttr
        kind = like.element if isinstance(like.element, AnyFloat) else _signless(like.element)
        return Splat(like.op, like.shape, like.element, make(number, kind))

    def _pointwise(self, op: Operation, name: str, operands: Sequence[Tensor]) -> Tensor:
        element = operands[0].element
        if name in _UNARY:
            if isinstance(element, AnyFloat):
                return self._make(op, _UNARY[name], element, *operands)
            zero = self._number(operands[0], 0)
            negative = self._make(op, arith.SubiOp, element, zero, operands[0])
            if name == "negate":
                return negative
            if name == "abs":
                return self._make(op, arith.MaxSIOp, element, operands[0], negative)
            raise refused(op, f"the elements must be floats; found {element}")
        of_floats, of_signed, of_unsigned = _BINARY[name]
        op_type = of_floats if isinstance(element, AnyFloat) else of_signed
        if element == i1:
            op_type = _TRUTHS.get(name, of_signed)
        elif is_unsigned(element):
            op_type = of_unsigned
        return self._make(op, op_type, element, *operands)

    def _wide(self, op: Operation, x: Tensor, compute: Callable[[Tensor], Tensor]) -> Tensor:
        """A function of f32, whose result is rounded once."""
        return self._converted(op, compute(self._converted(op, x, f32)), x.element)

    def _logistic(self, op: Operation, x: Tensor) -> Tensor:
        def compute(x: Tensor) -> Tensor:
            power = self._make(op, math.ExpOp, f32, self._make(op, arith.NegfOp, f32, x))
            one = self._number(x, 1.0)
            return self._make(
                op, arith.DivfOp, f32, one, self._make(op, arith.AddfOp, f32, one, power)
            )

        return self._wide(op, x, compute)

    def _exponential_minus_one(self, op: Operation, x: Tensor) -> Tensor:
        def compute(x: Tensor) -> Tensor:
            # exp(x) - 1 = (exp(x) + 1) * tanh(x / 2) loses no digits near 0.
            half = self._make(op, arith.MulfOp, f32, x, self._number(x, 0.5))
            power = self._make(op, math.ExpOp, f32, x)
            more = self._make(op, arith.AddfOp, f32, power, self._number(x, 1.0))
            return self._make(op, arith.MulfOp, f32, more, self._make(op, math.TanhOp, f32, half))

        return self._wide(op, x, compute)

    def _log_plus_one(self, op: Operation, x: Tensor) -> Tensor:
        def compute(x: Tensor) -> Tensor:
            return self._make(
                op, math.LogOp, f32, self._make(op, arith.AddfOp, f32, x, self._number(x, 1.0))
            )

        return self._wide(op, x, compute)

    def _power(self, op: Operation, x: Tensor, y: Tensor) -> Tensor:
        if not isinstance(y, View | Splat):
            raise refused(op, "the exponent must be a constant integer from 1 to 8")
        base: Tensor = y
        while isinstance(base, View):
            base = base.base
        exponent = base.number.value.data if isinstance(base, Splat) else 0.5
        if exponent != int(exponent) or not 0 < exponent <= 8:
            raise refused(op, "the exponent must be a constant integer from 1 to 8")
        result = x
        for _ in range(int(exponent) - 1):
            result = self._pointwise(op, "multiply", [result, x])
        return result

    def _square(self, op: Operation, x: Tensor) -> Tensor:
        return self._pointwise(op, "multiply", [x, x])

    def _erf(self, op: Operation, x: Tensor) -> Tensor:
        def compute(x: Tensor) -> Tensor:
            # Abramowitz and Stegun, 7.1.26; the error is at most 1.5e-7.
            def add(a: Tensor, b: Tensor) -> Tensor:
                return self._make(op, arith.AddfOp, f32, a, b)

            def times(a: Tensor, b: Tensor) -> Tensor:
                return self._make(op, arith.MulfOp, f32, a, b)

            one, size = self._number(x, 1.0), self._make(op, math.AbsFOp, f32, x)
            scaled = add(one, times(self._number(x, 0.3275911), size))
            t = self._make(op, arith.DivfOp, f32, one, scaled)
            sum_ = self._number(x, _ERF[0])
            for factor in _ERF[1:]:
                sum_ = add(self._number(x, factor), times(t, sum_))
            square = self._make(op, arith.NegfOp, f32, times(x, x))
            rest = times(times(t, sum_), self._make(op, math.ExpOp, f32, square))
            value = self._make(op, arith.SubfOp, f32, one, rest)
            is_less = self._compared(op, "LT", x, self._number(x, 0.0))
            return self._make(
                op, arith.SelectOp, f32, is_less, self._make(op, arith.NegfOp, f32, value), value
            )

        return self._wide(op, x, compute)

    def _erfc(self, op: Operation, x: Tensor) -> Tensor:
        return self._pointwise(op, "subtract", [self._number(x, 1.0), self._erf(op, x)])

    def _not(self, op: Operation, x: Tensor) -> Tensor:
        return self._pointwise(op, "xor", [x, self._number(x, -1)])

    def _sign(self, op: Operation, x: Tensor) -> Tensor:
        zero = self._number(x, 0)
        one, less = self._number(x, 1), self._number(x, -1)
        positive = self._make(
            op, arith.SelectOp, x.element, self._compared(op, "GT", x, zero), one, x
        )
        return self._make(
            op, arith.SelectOp, x.element, self._compared(op, "LT", x, zero), less, positive
        )

    def _compare(self, op: Operation, x: Tensor, y: Tensor) -> Tensor:
        direction = _property(op, "comparison_direction")
        assert isinstance(direction, ComparisonDirectionAttr)
        return self._compared(op, direction.data, x, y)

    def _compared(self, op: Operation, direction: str, x: Tensor, y: Tensor) -> Tensor:
        word = direction.lower()
        if isinstance(x.element, AnyFloat):
            ordered = f"{'u' if word == 'ne' else 'o'}{word}"
            code = arith.CMPF_COMPARISON_OPERATIONS.index(ordered)
            op_type: _OperationType = arith.CmpfOp
        else:
            letter = "" if word in ("eq", "ne") else "u" if is_unsigned(x.element) else "s"
            code = arith.CMPI_COMPARISON_OPERATIONS.index(letter + word)
            op_type = arith.CmpiOp
        return self._make(op, op_type, i1, x, y, predicate=IntegerAttr(code, 64))

    def _select(self, op: Operation, condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
        return self._make(op, arith.SelectOp, x.element, self._spread(condition, x), x, y)

    def _clamp(self, op: Operation, least: Tensor, x: Tensor, most: Tensor) -> Tensor:
        higher = self._pointwise(op, "maximum", [self._spread(least, x), x])
        return self._pointwise(op, "minimum", [self._spread(most, x), higher])

    def _spread(self, x: Tensor, like: Tensor) -> Tensor:
        """A number as a tensor of a shape."""
        return x if x.shape == like.shape else View(x.op, like.shape, x.element, x, [])

    def _convert(self, op: Operation, x: Tensor) -> Tensor:
        _, element = self.type_of(op.results[0], op)
        return self._converted(op, x, element)

    def _converted(self, op: Operation, x: Tensor, new: Attribute) -> Tensor:
        old = x.element
        if old == new:
            return x
        sizes = [cast(Any, each).bitwidth for each in (old, new)]
        floats = isinstance(old, AnyFloat), isinstance(new, AnyFloat)
        if new == i1:
            return self._compared(op, "NE", x, self._number(x, 0))
        is_positive = is_unsigned(old) or old == i1
        match floats:
            case (True, True):
                if sizes[0] == sizes[1]:
                    return self._converted(op, self._converted(op, x, f32), new)
                op_type = arith.ExtFOp if sizes[0] < sizes[1] else arith.TruncFOp
            case (False, True):
                op_type = arith.UIToFPOp if is_positive else arith.SIToFPOp
            case (True, False):
                op_type = arith.FPToUIOp if is_unsigned(new) else arith.FPToSIOp
            case _:
                extend = arith.ExtUIOp if is_positive else arith.ExtSIOp
                op_type = extend if sizes[0] < sizes[1] else arith.TruncIOp
        return self._make(op, op_type, new, x)

    # Layouts.

    def _constant(self, op: Operation) -> Tensor:
        return self.constant(op, _property(op, "value"))

    def _broadcast_in_dim(self, op: Operation, x: Tensor) -> Tensor:
        shape, element = self.type_of(op.results[0], op)
        places = _numbers(op, "broadcast_dimensions")
        indices = [
            loop(place) if extent > 1 else Affine({})
            for place, extent in zip(places, x.shape, strict=True)
        ]
        return View(op, shape, element, x, indices)

    def _transpose(self, op: Operation, x: Tensor) -> Tensor:
        shape, element = self.type_of(op.results[0], op)
        order = _numbers(op, "permutation")
        return View(op, shape, element, x, [loop(order.index(at)) for at in range(len(order))])

    def _reshape(self, op: Operation, x: Tensor) -> Tensor:
        shape, element = self.type_of(op.results[0], op)
        return Reshape(op, shape, element, x)

    def _slice(self, op: Operation, x: Tensor) -> Tensor:
        shape, element = self.type_of(op.results[0], op)
        starts, steps = _numbers(op, "start_indices"), _numbers(op, "strides")
        places = enumerate(zip(starts, steps, strict=True))
        indices = [loop(at).times(step).plus(Affine({}, start)) for at, (start, step) in places]
        return View(op, shape, element, x, indices)

    # Contractions.

    def _dot_general(self, op: Operation, a: Tensor, b: Tensor) -> Tensor:
        numbers = _property(op, "dot_dimension_numbers")
        assert isinstance(numbers, DotAttr)
        batch, sums = numbers.data[:2], numbers.data[2:]
        shape, element = self.type_of(op.results[0], op)
        at = len(batch[0])
        indices: list[list[Affine]] = []
        for tensor, own_batch, own_sums in zip((a, b), batch, sums, strict=True):
            places = {each: place for place, each in enumerate(own_batch)}
            places |= {each: len(shape) + n for n, each in enumerate(own_sums)}
            for each in range(len(tensor.shape)):
                if each not in places:
                    places[each] = at
                    at += 1
            indices.append([loop(places[each]) for each in range(len(tensor.shape))])
        extents = [a.shape[each] for each in sums[0]]
        accumulator = f32 if isinstance(element, AnyFloat) else i32
        product = Contraction(op, shape, accumulator, a, b, indices[0], indices[1], extents)
        return self._converted(op, product, element)

    def _pad(self, op: Operation, x: Tensor, number: Tensor) -> Tensor:
        names = "edge_padding_low", "edge_padding_high", "interior_padding"
        low, high, inner = (_numbers(op, each) for each in names)
        if any(inner) or min(low + high) < 0 or not is_number(number, 0):
            raise refused(op, "the padding must be zeros at the edges")
        shape, _ = self.type_of(op.results[0], op)
        return Pad(op, shape, x.element, x, low)

    def _convolution(self, op: Operation, x: Tensor, filter_: Tensor) -> Tensor:
        numbers = _property(op, "dimension_numbers")
        assert isinstance(numbers, ConvAttr)
        given, window, result = numbers.places()
        shape, element = self.type_of(op.results[0], op)
        spatial = sorted(each for each in result if each.isdecimal())
        ones = [1] * len(spatial)
        strides, dilations = (
            _numbers(op, name) if name in op.properties else ones
            for name in ("window_strides", "rhs_dilation")
        )
        groups = [_property(op, f"{each}_group_count") for each in ("feature", "batch")]
        spread = _numbers(op, "lhs_dilation") if "lhs_dilation" in op.properties else ones
        if spread != ones or any(cast(IntegerAttr, each).value.data != 1 for each in groups):
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
        accumulator = f32 if isinstance(element, AnyFloat) else i32
        product = Contraction(op, shape, accumulator, x, filter_, a, b, sums)
        return self._converted(op, product, element)


_ERF = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)


def _property(op: Operation, name: str) -> Attribute:
    """A property of an operation, which the text may give as an attribute."""
    found = op.properties.get(name, op.attributes.get(name))
    if found is None:
        raise refused(op, f"{name} is missing")
    return found


def _numbers(op: Operation, name: str) -> list[int]:
    found = _property(op, name)
    assert isinstance(found, DenseArrayBase)
    return [int(each) for each in found.get_values()]


def _signless(element: Attribute) -> IntegerType:
    return IntegerType(cast(IntegerType, element).bitwidth)
