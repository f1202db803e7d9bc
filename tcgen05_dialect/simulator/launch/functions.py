"""Operators and functions of the expressions of launch files, on numbers and arrays of float64."""

import ast
import operator
from collections.abc import Callable, Mapping
from functools import reduce
from math import prod
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np

from ...isa.model.rule import extents_text

Value: TypeAlias = Any
"""An int, a float or an array of float64."""

_MOST_ELEMENTS = 1 << 23
"""Maximum number of elements of the result of an operation."""
_MOST_BITS = 1024
"""Limit on the bits of an integer, which keeps each operation fast."""


class NoValueError(Exception):
    """An operation has no value for its operands; the text says why."""


class Function(NamedTuple):
    """Function of expressions: the numbers of arguments that it takes, and its named arguments."""

    call: Callable[..., Value]
    least: int
    most: int | None
    named: tuple[str, ...] = ()


def plain(value: Any) -> Value:
    """
    The result of an operation as an int, a float or an array of float64; true is 1.

    Raises NoValueError for an integer that is too large.
    """
    if _shape(value):
        return value.astype(np.float64, copy=False)
    number: int | float = np.asarray(value).item()
    if isinstance(number, float):
        return number
    if number.bit_length() > _MOST_BITS:
        raise NoValueError("the number is too large")
    return int(number)


def _check_size(*shape: int) -> None:
    if prod(shape) > _MOST_ELEMENTS:
        raise NoValueError(f"the result of shape {extents_text(shape)} is too large")


def _shape(value: Value) -> tuple[int, ...]:
    """Shape of an array; a number has none."""
    return cast("tuple[int, ...]", value.shape) if isinstance(value, np.ndarray) else ()


def _misfit(*shapes: tuple[int, ...]) -> NoValueError:
    texts = [extents_text(shape) for shape in shapes if shape]
    return NoValueError(f"the shapes {' and '.join(texts)} do not fit")


def _check_broadcast(*operands: Value) -> None:
    """Raise NoValueError unless the shapes of the operands fit."""
    shapes = [_shape(operand) for operand in operands]
    try:
        shape = np.broadcast_shapes(*shapes)
    except ValueError as error:
        raise _misfit(*shapes) from error
    _check_size(*shape)


def _elementwise(function: Callable[..., Value]) -> Callable[..., Value]:
    def on_elements(*operands: Value) -> Value:
        _check_broadcast(*operands)
        return function(*operands)

    return on_elements


def _power(base: Value, exponent: Value) -> Value:
    if isinstance(base, int) and isinstance(exponent, int) and exponent >= 0:
        if base.bit_length() * exponent > _MOST_BITS:
            raise NoValueError("the number is too large")
        return base**exponent
    # Unlike Python, numpy has no complex number for the root of a negative one.
    return np.power(np.float64(base) if _shape(base) == () else base, exponent)


def _matrix_product(a: Value, b: Value) -> Value:
    left, right = _shape(a), _shape(b)
    if not left or not right:
        raise NoValueError("@ needs two arrays")
    try:
        batch = np.broadcast_shapes(left[:-2], right[:-2])
    except ValueError as error:
        raise _misfit(left, right) from error
    if left[-1] != right[max(0, len(right) - 2)]:
        raise _misfit(left, right)
    _check_size(*batch, *left[-2:-1], *(right[-1:] if len(right) > 1 else ()))
    return np.matmul(a, b)


def _axis(array: Value, axis: Value) -> int:
    rank = len(_shape(array))
    if not isinstance(axis, int) or not -rank <= axis < rank:
        raise NoValueError(f"an array of {rank} dimensions has no axis {axis}")
    return axis


def _reduction(of_all: Callable[..., Value]) -> Callable[..., Value]:
    def reduced(array: Value, axis: Value = None, keepdims: Value = 0) -> Value:
        axis = None if axis is None else _axis(array, axis)
        return of_all(array, axis=axis, keepdims=bool(keepdims))

    return reduced


def _extremum(
    of_two: Callable[[Value, Value], Value], of_all: Callable[..., Value]
) -> Callable[..., Value]:
    """Extremum of one array, or of the elements of several operands."""
    reduced = _reduction(of_all)

    def extremum(first: Value, *others: Value, **named: Value) -> Value:
        if not others:
            return reduced(first, **named)
        if named:
            raise NoValueError("axis and keepdims need a single array")
        _check_broadcast(first, *others)
        return reduce(of_two, others, first)

    return extremum


def _integers(numbers: tuple[Value, ...], what: str) -> tuple[int, ...]:
    if not all(isinstance(number, int) for number in numbers):
        raise NoValueError(f"{what} must be integers; found {', '.join(map(_text, numbers))}")
    return numbers


def _text(value: Value) -> str:
    return f"an array of shape {extents_text(value.shape)}" if _shape(value) else str(value)


def _reshape(array: Value, *extents: Value) -> Value:
    shape = _integers(extents, "extents")
    try:
        return np.reshape(array, shape)
    except ValueError as error:
        found = f"{extents_text(_shape(array)) if _shape(array) else 'a number'}"
        raise NoValueError(f"{found} cannot become {extents_text(shape)}") from error


def _repeat(array: Value, count: Value, axis: Value = None) -> Value:
    (times,) = _integers((count,), "the number of repetitions")
    if times < 0:
        raise NoValueError(f"the number of repetitions must be 0 or more; found {times}")
    _check_size(*(_shape(array) or (1,)), times)
    return np.repeat(array, times, None if axis is None else _axis(array, axis))


def _transpose(array: Value, *axes: Value) -> Value:
    if not axes:
        return np.transpose(array)
    order = _integers(axes, "axes")
    rank = len(_shape(array))
    if sorted(axis % max(rank, 1) for axis in order) != list(range(rank)):
        raise NoValueError(f"the axes of an array of {rank} dimensions are not {_listed(order)}")
    return np.transpose(array, order)


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))


def _on_floats(function: Callable[[Any], Value]) -> Function:
    def on_floats(a: Value) -> Value:
        return function(a if _shape(a) else float(a))

    return Function(on_floats, 1, 1)


def _quotient(a: Value, b: Value) -> Value:
    return a / b


def _rounded_down(a: Value, b: Value) -> Value:
    return a // b


def _rounded_up(a: Value, b: Value) -> Value:
    return -(-a // b)


def _chosen(condition: Value, a: Value, b: Value) -> Value:
    return cast(Value, np.where(condition != 0, a, b))


_AXIS = ("axis", "keepdims")
FUNCTIONS: Mapping[str, Function] = {
    "abs": Function(abs, 1, 1),
    "ceildiv": Function(_elementwise(_rounded_up), 2, 2),
    "exp": _on_floats(np.exp),
    "exp2": _on_floats(np.exp2),
    "max": Function(_extremum(np.maximum, np.max), 1, None, _AXIS),
    "min": Function(_extremum(np.minimum, np.min), 1, None, _AXIS),
    "repeat": Function(_repeat, 2, 2, ("axis",)),
    "reshape": Function(_reshape, 2, None),
    "sqrt": _on_floats(np.sqrt),
    "sum": Function(_reduction(np.sum), 1, 1, _AXIS),
    "tanh": _on_floats(np.tanh),
    "transpose": Function(_transpose, 1, None),
    "where": Function(_elementwise(_chosen), 3, 3),
}
_OPERATORS: tuple[tuple[type[ast.AST], str, Callable[..., Value]], ...] = (
    (ast.Add, "+", _elementwise(operator.add)),
    (ast.Sub, "-", _elementwise(operator.sub)),
    (ast.Mult, "*", _elementwise(operator.mul)),
    (ast.Div, "/", _elementwise(_quotient)),
    (ast.FloorDiv, "//", _elementwise(_rounded_down)),
    (ast.Mod, "%", _elementwise(operator.mod)),
    (ast.Pow, "**", _elementwise(_power)),
    (ast.MatMult, "@", _matrix_product),
    (ast.Lt, "<", _elementwise(operator.lt)),
    (ast.LtE, "<=", _elementwise(operator.le)),
    (ast.Gt, ">", _elementwise(operator.gt)),
    (ast.GtE, ">=", _elementwise(operator.ge)),
    (ast.Eq, "==", _elementwise(operator.eq)),
    (ast.NotEq, "!=", _elementwise(operator.ne)),
)
OPERATORS: Mapping[type[ast.AST], Callable[..., Value]] = {
    node: function for node, _, function in _OPERATORS
}
SYMBOLS = tuple(symbol for _, symbol, _ in _OPERATORS)
