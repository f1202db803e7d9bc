"""Readers of functions of tensors as expressions, and the elementwise operations, products and sums
of which they build them."""

import ast
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite, prod
from typing import Any, cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    bf16,
    f8E4M3FN,
    f8E5M2,
    f16,
    f32,
    i1,
    i32,
)
from xdsl.ir import Attribute, Block, Operation

from tcgen05_dialect.contraction.expression import (
    Affine,
    Contraction,
    Elementwise,
    Joined,
    Part,
    Reduction,
    Reshape,
    Splat,
    Tensor,
    View,
    loop,
    refused,
)
from tcgen05_dialect.contraction.flat import FOLDS
from tcgen05_dialect.contraction.plan import is_unsigned
from tcgen05_dialect.xdsl_support.linalg import conversion

FLOATS = (bf16, f16, f32, f8E4M3FN, f8E5M2)
"""The types of floats that kernels compute with."""
FUNCTIONS: Mapping[str, Sequence[type[Operation] | None]] = {
    "add": (arith.AddfOp, arith.AddiOp, arith.AddiOp, arith.OrIOp),
    "subtract": (arith.SubfOp, *[arith.SubiOp] * 3),
    "multiply": (arith.MulfOp, arith.MuliOp, arith.MuliOp, arith.AndIOp),
    "divide": (arith.DivfOp, arith.DivSIOp, arith.DivUIOp, arith.DivSIOp),
    "maximum": (arith.MaximumfOp, arith.MaxSIOp, arith.MaxUIOp, arith.OrIOp),
    "minimum": (arith.MinimumfOp, arith.MinSIOp, arith.MinUIOp, arith.AndIOp),
    "and": [arith.AndIOp] * 4,
    "or": [arith.OrIOp] * 4,
    "remainder": (None, arith.RemSIOp, arith.RemUIOp),
    "xor": [arith.XOrIOp] * 4,
    "shift_left": [arith.ShLIOp] * 4,
    "shift_right_arithmetic": [arith.ShRSIOp] * 4,
    "shift_right_logical": [arith.ShRUIOp] * 4,
    "select": [arith.SelectOp] * 4,
    "abs": (math.AbsFOp,),
    "ceil": (math.CeilOp,),
    "cosine": (math.CosOp,),
    "exponential": (math.ExpOp,),
    "floor": (math.FloorOp,),
    "log": (math.LogOp,),
    "negate": (arith.NegfOp,),
    "round_nearest_even": (math.RoundEvenOp,),
    "rsqrt": (math.RsqrtOp,),
    "sine": (math.SinOp,),
    "sqrt": (math.SqrtOp,),
    "tanh": (math.TanhOp,),
    "truncate": (math.TruncOp,),
}
"""Operation -> its operations on floats, on signed and unsigned integers, and on truth values."""
EXPRESSIONS = {
    "abs": "maximum(x, 0 - x)",
    "clamp": "minimum(maximum(x, y), z)",
    # Abramowitz and Stegun, 7.1.26, with an error of at most 1.5e-7; a series near 0.
    "erf": """select(abs(x) < 0.03, x * (1.128379167 - x * x * 0.376126389), sign(x) * (1
        - (t := 1 / (1 + 0.3275911 * abs(x))) * (0.254829592
        - t * (0.284496736 - t * (1.421413741 - t * (1.453152027 - t * 1.061405429))))
        * exponential(negate(x * x))))""",
    "erfc": "1 - erf(x)",
    # exp(x) - 1 loses digits near 0.
    "exponential_minus_one": "(exponential(x) + 1) * tanh(x * 0.5)",
    "log_plus_one": """select(abs(x) < 0.01,
        x * (1 - x * (0.5 - x * (0.333333333 - x * 0.25))), log(x + 1))""",
    "logistic": "1 / (1 + exponential(negate(x)))",
    "negate": "0 - x",
    "not": "xor(x, -1)",
    "round_nearest_afz": "(t := truncate(x)) + select(abs(x - t) < 0.5, 0, sign(x))",
    "sign": "select(x > 0, 1, select(x < 0, -1, x))",
    "square": "x * x",
    "tan": "sine(x) / cosine(x)",
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
_NAMES: Mapping[type[Operation], str] = {
    math.AbsIOp: "abs",
    math.ErfOp: "erf",
    math.ExpM1Op: "exponential_minus_one",
    math.Log1pOp: "log_plus_one",
    math.RoundOp: "round_nearest_afz",
}
"""Operation of math without a lowering -> its expression."""
_OF_TRUTH: Mapping[type[Operation], type[Operation]] = {
    arith.AndIOp: arith.MinUIOp,
    arith.OrIOp: arith.MaxUIOp,
}
"""Operation on truth values -> the reduction of 0 and 1 that is the same."""


def splat(op: Operation, shape: tuple[int, ...], element: Attribute, number: float) -> Tensor:
    """A tensor whose elements are one number."""
    if isinstance(element, AnyFloat):
        return Splat(op, shape, element, FloatAttr(float(number), element))
    signless = IntegerType(cast(IntegerType, element).bitwidth)
    return Splat(op, shape, element, IntegerAttr(int(number), signless))


def make(
    op: Operation,
    op_type: type[Operation],
    element: Attribute,
    *operands: Tensor,
    **properties: Attribute,
) -> Tensor:
    """An operation of arith or math on each element; an operand may be one number."""
    shape = max((each.shape for each in operands), key=len)
    wide = [x if x.shape == shape else View(x.op, shape, x.element, x, []) for x in operands]
    block = Block(arg_types=[each.element for each in operands])
    function = op_type.create(operands=block.args, result_types=[element], properties=properties)
    return Elementwise(op, shape, element, function, wide)


def applied(op: Operation, function: Operation, element: Attribute, x: Sequence[Tensor]) -> Tensor:
    """An operation of arith or math, on numbers or on tensors, on each element."""
    if isinstance(function, arith.IndexCastOp):
        return converted(op, x[0], element)
    if isinstance(function, math.PowFOp):
        return power(op, *x)
    if isinstance(function, arith.BitcastOp):
        return bitcast(op, x[0], element)
    name = _NAMES.get(type(function))
    if name is None:
        return Elementwise(op, x[0].shape, element, function, x)
    return pointwise(op, name, x)


def pointwise(op: Operation, name: str, operands: Sequence[Tensor]) -> Tensor:
    """A function of `FUNCTIONS` or `EXPRESSIONS` on each element. Raises OperationError."""
    if not operands:
        raise refused(op, "the operation needs operands")
    element = operands[-1].element
    is_float, op_types = isinstance(element, AnyFloat), FUNCTIONS.get(name, ())
    column = 0 if is_float else 3 if element == i1 else 1 + is_unsigned(element)
    op_type: Any = op_types[column] if column < len(op_types) else None
    text = EXPRESSIONS.get(name, "")
    if op_type is None and not text:
        raise refused(op, f"kernels do not compute this operation on {element}")
    if op_type is not None:
        require_count(op, operands, len(op_type.get_irdl_definition().operands))
        return make(op, op_type, element, *operands)
    parts = ast.walk(ast.parse(text, mode="eval"))
    names = {each.id for each in parts if isinstance(each, ast.Name)}
    require_count(op, operands, len(names & {*"xyz"}))
    return expression(op, text, operands)


def require_count(op: Operation, operands: Sequence[Tensor], count: int) -> None:
    """Raise OperationError for another number of operands."""
    if len(operands) != count:
        raise refused(op, f"the number of operands must be {count}; found {len(operands)}")


def expression(op: Operation, text: str, operands: Sequence[Tensor]) -> Tensor:
    """An expression of operands; that of floats is computed in f32, and rounded once."""
    element = operands[0].element
    if isinstance(element, AnyFloat):
        operands = [converted(op, each, f32) for each in operands]
    x, *_ = operands
    names = dict(zip("xyz", operands, strict=False))

    def compute(node: ast.expr) -> Tensor:
        match node:
            case ast.Name(name):
                return names[name]
            case ast.NamedExpr(ast.Name(name), value):
                return names.setdefault(name, compute(value))
            case ast.Compare(left, [sign], [right]):
                return compared(op, _SIGNS[type(sign)], compute(left), compute(right))
            case ast.BinOp(left, sign, right):
                return pointwise(op, _SIGNS[type(sign)], [compute(left), compute(right)])
            case ast.Call(ast.Name(name), parts):
                return pointwise(op, name, [*map(compute, parts)])
            case _:
                return splat(x.op, x.shape, x.element, ast.literal_eval(node))

    return converted(op, compute(ast.parse(text, mode="eval").body), element)


def power(op: Operation, x: Tensor, y: Tensor) -> Tensor:
    """A power of each element. Raises OperationError."""
    base, exponent = number_of(x), number_of(y)
    is_float, is_whole = isinstance(x.element, AnyFloat), float(exponent or 0.5).is_integer()
    if exponent and is_whole and abs(exponent) <= 8 and (is_float or exponent > 0):
        product = " * ".join("x" * int(abs(exponent)))
        return expression(op, product if exponent > 0 else f"1 / ({product})", [x])
    if is_float and exponent and is_whole:
        text = "exponential(y * log(abs(x)))"
        return expression(op, f"sign(x) * {text}" if exponent % 2 else text, [x, y])
    if is_float and (isfinite(exponent) if exponent else base is not None and base > 0):
        return expression(op, "exponential(y * log(x))", [x, y])
    sentence = "the exponent must be a constant (integers: 1 to 8), or the base a positive constant"
    raise refused(op, sentence)


def compared(op: Operation, direction: str, x: Tensor, y: Tensor) -> Tensor:
    """A comparison, such as LT, of each element."""
    word = direction.lower()
    if isinstance(x.element, AnyFloat):
        ordered = f"{'u' if word == 'ne' else 'o'}{word}"
        code = arith.CMPF_COMPARISON_OPERATIONS.index(ordered)
        op_type: type[Operation] = arith.CmpfOp
    else:
        is_positive = is_unsigned(x.element) or x.element == i1
        letter = "" if word in ("eq", "ne") else "u" if is_positive else "s"
        code = arith.CMPI_COMPARISON_OPERATIONS.index(letter + word)
        op_type = arith.CmpiOp
    return make(op, op_type, i1, x, y, predicate=IntegerAttr(code, 64))


def converted(op: Operation, x: Tensor, new: Attribute) -> Tensor:
    """The conversion of each element to a type."""
    old = x.element
    if old == new:
        return x
    if new == i1:
        return compared(op, "NE", x, splat(x.op, x.shape, old, 0))
    is_positive = is_unsigned(old) or old == i1
    if isinstance(x, Splat) and isinstance(new, AnyFloat) and not is_positive:
        return splat(op, x.shape, new, x.number.value.data)
    floats = [isinstance(each, AnyFloat) for each in (old, new)]
    bits = getattr(new, "bitwidth", 32)
    if floats == [True, False] and bits < 32:
        low = 0 if is_unsigned(new) else -(1 << bits - 1)
        ends = (splat(op, x.shape, f32, each) for each in (low, low + (1 << bits) - 1))
        x = pointwise(op, "clamp", [next(ends), converted(op, x, f32), next(ends)])
    if all(floats) and cast(Any, old).bitwidth == cast(Any, new).bitwidth:
        return converted(op, converted(op, x, f32), new)
    is_positive = is_unsigned(new) if floats[0] else is_positive
    return make(op, conversion(old, new, not is_positive), new, x)


def bitcast(op: Operation, x: Tensor, new: Attribute) -> Tensor:
    """The bits of each element as another type. Raises OperationError."""
    if getattr(x.element, "bitwidth", 0) != getattr(new, "bitwidth", 0):
        raise refused(op, f"element types must have the same width; found {x.element} and {new}")
    return make(op, arith.BitcastOp, new, x)


def contraction(
    op: Operation,
    shape: tuple[int, ...],
    element: Attribute,
    factors: tuple[Tensor, Tensor],
    indices: Sequence[Sequence[Affine]],
    sums: Sequence[int],
) -> Tensor:
    """
    A contraction, converted from the type of its sums to `element`. If both factors are floats of
    different widths, the narrower is converted. Threads, not tensor cores, compute an f32
    contraction that sums nothing, or in which a factor has no dimension of its own.
    """
    accumulator = f32 if isinstance(element, AnyFloat) else i32
    (a, b), (of_a, of_b) = factors, indices
    if isinstance(a.element, AnyFloat) and isinstance(b.element, AnyFloat):
        longer = max(a.element, b.element, key=lambda each: each.bitwidth)
        if a.element.bitwidth != b.element.bitwidth:
            a, b = (converted(op, each, longer) for each in (a, b))
    loops = [{number for index in each for number in index.terms} for each in indices]
    is_small = prod(sums) == 1 or loops[0] <= loops[1] or loops[1] <= loops[0]
    if a.element == b.element == f32 and is_small:
        every = (*shape, *sums)
        x, y = (View(op, every, f32, each, own) for each, own in zip((a, b), indices, strict=True))
        zero, axes = splat(op, shape, f32, 0), range(len(shape), len(every))
        product = reduced(op, arith.AddfOp, make(op, arith.MulfOp, f32, x, y), axes, zero)
        return converted(op, product, element)
    product = Contraction(op, shape, accumulator, a, b, of_a, of_b, sums)
    return converted(op, product, element)


def reduced(
    op: Operation, function: type[Operation], x: Tensor, axes: Iterable[int], start: Tensor
) -> Tensor:
    """The reduction of a tensor along dimensions. Raises OperationError."""
    if x.element == i1 and function in _OF_TRUTH:
        wide = (converted(op, each, i32) for each in (x, start))
        return converted(op, reduced(op, _OF_TRUTH[function], next(wide), axes, next(wide)), i1)
    if function not in FOLDS or x.element == i1:
        raise refused(op, "the reduction must be a sum, a product, a maximum or a minimum")
    element = x.element
    for axis in sorted(axes, reverse=True):
        shape = (*x.shape[:axis], *x.shape[axis + 1 :])
        x = Reduction(op, shape, element, x, axis, function)
    if is_number(start, FOLDS[function][1]):
        return x
    return make(op, function, element, start, x)


def sliced(
    op: Operation, x: Tensor, starts: Sequence[int], steps: Sequence[int], shape: Sequence[int]
) -> Tensor:
    """The elements of a tensor from indices on, with a step along each dimension."""
    places = enumerate(zip(starts, steps, strict=True))
    indices = [loop(at).times(step).plus(Affine({}, start)) for at, (start, step) in places]
    return View(op, tuple(shape), x.element, x, indices)


def padded(
    op: Operation, x: Tensor, edges: Sequence[tuple[int, int, int]], number: Tensor
) -> Tensor:
    """A tensor with a number before, after and between its elements: `edges` has these three counts
    for each dimension; negative ones remove elements. Raises OperationError."""
    if any(min(edge) < 0 for edge in edges):
        grown = [(max(low, 0), max(high, 0), inner) for low, high, inner in edges]
        x, starts = padded(op, x, grown, number), [max(-low, 0) for low, _, _ in edges]
        pairs = zip(x.shape, starts, edges, strict=True)
        shape = [n - start + min(high, 0) for n, start, (_, high, _) in pairs]
        if min(shape) < 1 or any(inner < 0 for _, _, inner in edges):
            sentence = "negative padding must leave elements, and be only at the edges"
            raise refused(op, sentence)
        return sliced(op, x, starts, [1] * len(starts), shape)
    if not any(map(any, edges)):
        return x
    low, steps = [each[0] for each in edges], [each[2] + 1 for each in edges]
    if steps[-1] > 1 and getattr(x.element, "bitwidth", 0) <= 8:
        raise refused(op, f"rows of {x.element} must have padding only at their ends")
    pairs = zip(edges, x.shape, strict=True)
    shape = tuple(first + last + n + inner * (n - 1) for (first, last, inner), n in pairs)
    parts = [Part(x, low, steps)]
    if not is_number(number, 0):
        parts.insert(0, Part(View(op, shape, x.element, number, []), [0] * len(shape)))
    return Joined(op, shape, x.element, parts)


def concatenated(op: Operation, parts: Sequence[Tensor], axis: int) -> Tensor:
    """Tensors side by side along a dimension. Raises OperationError."""
    found, at, shape = list[Part](), 0, [*parts[0].shape]
    require_dimensions(op, [axis], len(shape))
    for part in parts:
        if part.shape[:axis] + part.shape[axis + 1 :] != (*shape[:axis], *shape[axis + 1 :]):
            sentence = "operands must agree outside of the concatenated dimension"
            raise refused(op, f"{sentence}; found {shape} and {[*part.shape]}")
        found.append(Part(part, [at if each == axis else 0 for each in range(len(shape))]))
        at += part.shape[axis]
    shape[axis] = at
    return Joined(op, tuple(shape), parts[0].element, found)


def require_dimensions(op: Operation, numbers: Sequence[int], count: int) -> None:
    """Raise OperationError unless numbers are distinct dimensions, each less than `count`."""
    if len({*numbers}) < len(numbers) or not {*numbers} <= {*range(count)}:
        sentence = f"the dimensions must be distinct numbers from 0 to {count - 1}"
        raise refused(op, f"{sentence}; found {[*numbers]}")


def number_of(tensor: Tensor) -> float | None:
    """The number that all elements of a tensor are equal to, if it is known."""
    while isinstance(tensor, View | Reshape):
        tensor = tensor.base
    return tensor.number.value.data if isinstance(tensor, Splat) else None


def is_number(tensor: Tensor, number: float) -> bool:
    """Whether all elements of a tensor are a number; 0.0 is not -0.0."""
    found = number_of(tensor)
    return found is not None and str(float(found)) == str(float(number))
