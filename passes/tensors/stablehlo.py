"""Reader of functions of StableHLO, with unregistered operations, as expressions of tensors."""

import ast
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseArrayBase,
    IntegerAttr,
    ModuleOp,
    UnregisteredOp,
    f32,
    i1,
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
from tcgen05_dialect.contraction.plan import is_unsigned
from tcgen05_dialect.xdsl_support.linalg import conversion
from tcgen05_dialect.xdsl_support.stablehlo import ComparisonDirectionAttr, ConvAttr, DotAttr

from .linalg import FunctionReader, is_number

_OperationType = type[Operation]
_Kind = TypeVar("_Kind", bound=Attribute)
FUNCTIONS: Mapping[str, Sequence[_OperationType]] = {
    "add": (arith.AddfOp, arith.AddiOp, arith.AddiOp, arith.OrIOp),
    "subtract": (arith.SubfOp, *[arith.SubiOp] * 3),
    "multiply": (arith.MulfOp, arith.MuliOp, arith.MuliOp, arith.AndIOp),
    "divide": (arith.DivfOp, arith.DivSIOp, arith.DivUIOp, arith.DivSIOp),
    "maximum": (arith.MaximumfOp, arith.MaxSIOp, arith.MaxUIOp, arith.OrIOp),
    "minimum": (arith.MinimumfOp, arith.MinSIOp, arith.MinUIOp, arith.AndIOp),
    "and": [arith.AndIOp] * 4,
    "or": [arith.OrIOp] * 4,
    "xor": [arith.XOrIOp] * 4,
    "shift_left": [arith.ShLIOp] * 4,
    "shift_right_arithmetic": [arith.ShRSIOp] * 4,
    "shift_right_logical": [arith.ShRUIOp] * 4,
    "select": [arith.SelectOp] * 4,
    "abs": (math.AbsFOp,),
    "cosine": (math.CosOp,),
    "exponential": (math.ExpOp,),
    "log": (math.LogOp,),
    "negate": (arith.NegfOp,),
    "rsqrt": (math.RsqrtOp,),
    "sine": (math.SinOp,),
    "sqrt": (math.SqrtOp,),
    "tanh": (math.TanhOp,),
}
"""Operation -> its operations on floats, on signed and unsigned integers, and on truth values."""
_EXPRESSIONS = {
    "abs": "maximum(x, 0 - x)",
    "clamp": "minimum(maximum(x, y), z)",
    # Abramowitz and Stegun, 7.1.26; the error is at most 1.5e-7.
    "erf": """sign(x) * (1 - (t := 1 / (1 + 0.3275911 * abs(x))) * (0.254829592
        - t * (0.284496736 - t * (1.421413741 - t * (1.453152027 - t * 1.061405429))))
        * exponential(negate(x * x)))""",
    "erfc": "1 - erf(x)",
    # exp(x) - 1 loses digits near 0.
    "exponential_minus_one": "(exponential(x) + 1) * tanh(x * 0.5)",
    "log_plus_one": "log(x + 1)",
    "logistic": "1 / (1 + exponential(negate(x)))",
    "negate": "0 - x",
    "not": "xor(x, -1)",
    "sign": "select(x > 0, 1, select(x < 0, -1, x))",
    "square": "x * x",
}
"""Operation without one of `FUNCTIONS` for its type -> an expression of its operands x, y and z."""
_SIGNS: Mapping[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.Gt: "GT",
    ast.Lt: "LT",
}
"""Operator of an expression -> operation, or direction of a comparison."""


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
        elif name in FUNCTIONS or name in _EXPRESSIONS:
            result = self._pointwise(op, name, operands)
        elif read is not None and len(op.results) == 1:
            result = read(op, *operands)
        else:
            raise refused(op, "no kernel can be made of this operation")
        self.tensors[op.results[0]] = self._known[key] = result

    # Elementwise operations.

    def _number(self, like: Tensor, number: float) -> Tensor:
        return self.splat(like.op, like.shape, like.element, number)

    def _pointwise(self, op: Operation, name: str, operands: Sequence[Tensor]) -> Tensor:
        element = operands[-1].element
        is_float, op_types = isinstance(element, AnyFloat), FUNCTIONS.get(name, ())
        column = 0 if is_float else 3 if element == i1 else 1 + is_unsigned(element)
        if column < len(op_types):
            return self.make(op, op_types[column], element, *operands)
        if name in _EXPRESSIONS:
            return self._expression(op, _EXPRESSIONS[name], operands)
        raise refused(op, f"the elements must be floats; found {element}")

    def _expression(self, op: Operation, text: str, operands: Sequence[Tensor]) -> Tensor:
        """An expression of operands; that of floats is computed in f32, and rounded once."""
        element = operands[0].element
        if isinstance(element, AnyFloat):
            operands = [self._converted(op, each, f32) for each in operands]
        x, *_ = operands
        names = dict(zip("xyz", operands, strict=False))

        def compute(node: ast.expr) -> Tensor:
            match node:
                case ast.Name(name):
                    return names[name]
                case ast.NamedExpr(ast.Name(name), value):
                    return names.setdefault(name, compute(value))
                case ast.Compare(left, [sign], [right]):
                    return self._compared(op, _SIGNS[type(sign)], compute(left), compute(right))
                case ast.BinOp(left, sign, right):
                    return self._pointwise(op, _SIGNS[type(sign)], [compute(left), compute(right)])
                case ast.Call(ast.Name(name), parts):
                    return self._pointwise(op, name, [*map(compute, parts)])
                case _:
                    return self._number(x, ast.literal_eval(node))

        return self._converted(op, compute(ast.parse(text, mode="eval").body), element)

    def _power(self, op: Operation, x: Tensor, y: Tensor) -> Tensor:
        base = y
        while isinstance(base, View):
            base = base.base
        exponent = base.number.value.data if isinstance(base, Splat) else 0.5
        if exponent != int(exponent) or not 0 < exponent <= 8:
            raise refused(op, "the exponent must be a constant integer from 1 to 8")
        return self._expression(op, " * ".join("x" * int(exponent)), [x])

    def _compare(self, op: Operation, x: Tensor, y: Tensor) -> Tensor:
        direction = _property(op, "comparison_direction", ComparisonDirectionAttr)
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
        return self.make(op, op_type, i1, x, y, predicate=IntegerAttr(code, 64))

    def _convert(self, op: Operation, x: Tensor) -> Tensor:
        _, element = self.type_of(op.results[0], op)
        return self._converted(op, x, element)

    def _converted(self, op: Operation, x: Tensor, new: Attribute) -> Tensor:
        old = x.element
        if old == new:
            return x
        if new == i1:
            return self._compared(op, "NE", x, self._number(x, 0))
        is_positive = is_unsigned(old) or old == i1
        if isinstance(x, Splat) and isinstance(new, AnyFloat) and not is_positive:
            return self.splat(op, x.shape, new, x.number.value.data)
        floats = [isinstance(each, AnyFloat) for each in (old, new)]
        if all(floats) and cast(Any, old).bitwidth == cast(Any, new).bitwidth:
            return self._converted(op, self._converted(op, x, f32), new)
        is_positive = is_unsigned(new) if floats[0] else is_positive
        return self.make(op, conversion(old, new, not is_positive), new, x)

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
        for tensor, own_batch, own_sums in zip((a, b), batch, sums, strict=True):
            places = {each: place for place, each in enumerate(own_batch)}
            places |= {each: len(shape) + n for n, each in enumerate(own_sums)}
            for each in range(len(tensor.shape)):
                if each not in places:
                    places[each] = at
                    at += 1
            indices.append([loop(places[each]) for each in range(len(tensor.shape))])
        extents = [a.shape[each] for each in sums[0]]
        return self.contraction(op, shape, element, a, b, indices[0], indices[1], extents)

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
        return self.contraction(op, shape, element, x, filter_, a, b, sums)


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
