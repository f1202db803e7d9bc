"""Expressions of launch files over sizes and arrays of float64, and their functions."""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from functools import reduce
from keyword import kwlist
from math import prod
from typing import Any, NamedTuple, NoReturn, TypeAlias, cast

import numpy as np

from ...isa.model.rule import describe, did_you_mean, extents_text
from ...reporting.diagnostics import excerpt_of
from ..machine.errors import LaunchError

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
    """The result of an operation as an int, a float or an array of float64; true is 1. Raises
    NoValueError for an integer that is too large."""
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
        listed = ", ".join(map(str, order))
        raise NoValueError(f"the axes of an array of {rank} dimensions are not {listed}")
    return np.transpose(array, order)


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
_OPERATORS: Mapping[type[ast.AST], tuple[str, Callable[..., Value]]] = {
    ast.Add: ("+", _elementwise(operator.add)),
    ast.Sub: ("-", _elementwise(operator.sub)),
    ast.Mult: ("*", _elementwise(operator.mul)),
    ast.Div: ("/", _elementwise(_quotient)),
    ast.FloorDiv: ("//", _elementwise(_rounded_down)),
    ast.Mod: ("%", _elementwise(operator.mod)),
    ast.Pow: ("**", _elementwise(_power)),
    ast.MatMult: ("@", _matrix_product),
    ast.Lt: ("<", _elementwise(operator.lt)),
    ast.LtE: ("<=", _elementwise(operator.le)),
    ast.Gt: (">", _elementwise(operator.gt)),
    ast.GtE: (">=", _elementwise(operator.ge)),
    ast.Eq: ("==", _elementwise(operator.eq)),
    ast.NotEq: ("!=", _elementwise(operator.ne)),
}
SYMBOLS = tuple(symbol for symbol, _ in _OPERATORS.values())


_LEGAL = (
    f"numbers, names, the operators {' '.join(SYMBOLS)}, the transpose X.T, and the functions "
    f"{describe(tuple(FUNCTIONS))}"
)
_LONGEST = 1000
"""Limit on the characters of an expression."""
_MOST_COMPUTED = 1 << 24
"""Limit on the elements of all arrays that an expression uses and makes."""
_BLANKS = str.maketrans("\t\r\n", "   ")
_NOT_READ = "syntax error: an operand or an operator is missing or misplaced"
_BRACKET = re.compile(r"'.' was never closed|unmatched '.'")
"""Sentences of Python about brackets; its other sentences are about other statements, too."""
_TOO_DEEP = "the expression is nested too deeply"


_KEYWORD = re.compile(rf"\b(?:{'|'.join({*kwlist} - {'True', 'False', 'None'})})\b")
_OTHER_LETTER = ord("\N{FULLWIDTH LATIN SMALL LETTER A}") - ord("a")


def _with_keywords_as_names(text: str) -> str:
    """The text with keywords of Python such as `in`, which name a parameter here, as other letters.
    Python takes them for the usual ones in a name, but not in a keyword."""
    return _KEYWORD.sub(
        lambda found: "".join(chr(ord(letter) + _OTHER_LETTER) for letter in found[0]), text
    )


class Expression:
    """Expression over named numbers and arrays, in the syntax of Python. Messages call it `what`.
    Raises LaunchError for text that is not an expression."""

    def __init__(self, text: str, what: str):
        self._text, self._what = text.translate(_BLANKS), what
        self._names: list[ast.Name] = []
        self._elements = 0
        if len(text) > _LONGEST:
            raise LaunchError(f"{what} must have at most {_LONGEST} characters; found {len(text)}")
        if not text.strip():
            raise LaunchError(f"{what} is an empty expression")
        self._start = len(self._text) - len(self._text.lstrip())
        stripped = self._text.strip()
        try:
            body = ast.parse(_with_keywords_as_names(stripped), mode="eval").body
            self._value = self._compiled(body)
        except SyntaxError as error:
            # Python gives no place for an error at the end.
            at = error.offset - 1 if error.offset else len(stripped)
            bracket = _BRACKET.match(error.msg)
            message = f"syntax error: {bracket[0]}" if bracket else _NOT_READ
            self._refuse(message, self._start + at)
        except (RecursionError, MemoryError):
            self._refuse(_TOO_DEEP)
        except ValueError:
            # Python refuses some characters and very long numbers.
            self._refuse(_NOT_READ)
        self.names = tuple(dict.fromkeys(node.id for node in self._names))
        """Names of the numbers and arrays that it uses, in order."""

    def value(self, values: Mapping[str, Value]) -> Value:
        """Value of the expression. Raises LaunchError."""
        self._elements = sum(np.size(values[name]) for name in self.names)
        try:
            with np.errstate(all="ignore"):
                return self._value(values)
        except (RecursionError, MemoryError):
            self._refuse(_TOO_DEEP)

    def check_names(self, values: Mapping[str, Value]) -> None:
        """Raise LaunchError for a name without a value."""
        for node in self._names:
            if node.id not in values:
                known = f"; the names are {describe(tuple(values))}" if values else ""
                help = did_you_mean(node.id, values)
                self._refuse_node(node, f"unknown name {node.id}{known}", help)

    def _compiled(self, node: ast.AST) -> Callable[[Mapping[str, Value]], Value]:
        """The function from values of the names to that of a part of the expression. Raises
        LaunchError unless all its parts are legal."""
        match node:
            case ast.Constant(value=int() | float() as number):
                return lambda _: self._computed(node, lambda: number)
            case ast.Name(id=name):
                self._names.append(node)
                return lambda values: values[name]
            case ast.Attribute(attr="T"):
                array = self._compiled(node.value)
                return lambda values: plain(np.transpose(array(values)))
            case ast.UnaryOp(op=ast.UAdd()):
                return self._compiled(node.operand)
            case ast.UnaryOp(op=ast.USub()):
                operand = self._compiled(node.operand)
                return lambda values: -operand(values)
            case ast.Call(func=ast.Name(id=name)):
                self._check_call(node, name)
                call, operands, keywords = FUNCTIONS[name].call, node.args, node.keywords
            case ast.BinOp() if type(node.op) in _OPERATORS:
                call, operands, keywords = _OPERATORS[type(node.op)][1], [node.left, node.right], []
            case ast.Compare(ops=[op]) if type(op) in _OPERATORS:
                call, operands, keywords = (
                    _OPERATORS[type(op)][1],
                    [node.left, *node.comparators],
                    [],
                )
            case _:
                self._refuse_node(node, f"an expression consists of {_LEGAL}")
        parts = [self._compiled(each) for each in operands]
        named = [(each.arg or "", self._compiled(each.value)) for each in keywords]
        return lambda values: self._computed(
            node,
            call,
            *[part(values) for part in parts],
            **{name: part(values) for name, part in named},
        )

    def _check_call(self, node: ast.Call, name: str) -> None:
        function = FUNCTIONS.get(name)
        if function is None:
            message = f"unknown function {name}; the functions are {describe(tuple(FUNCTIONS))}"
            self._refuse_node(node.func, message, did_you_mean(name, FUNCTIONS))
        count, least, most = len(node.args), function.least, function.most
        if count < least or (most is not None and count > most):
            legal = str(least) if least == most else f"{least} or more"
            plural = "" if legal == "1" else "s"
            self._refuse_node(node, f"{name} takes {legal} argument{plural}; found {count}")
        given = [keyword.arg for keyword in node.keywords]
        for at, keyword in enumerate(node.keywords):
            if keyword.arg in given[:at]:
                self._refuse_node(keyword, f"{name} has more than one argument {keyword.arg}")
            if keyword.arg not in function.named:
                names = describe(function.named)
                legal = f"the named arguments of {name} are {names}"
                legal = legal if function.named else f"{name} has no named arguments"
                found = "**" if keyword.arg is None else keyword.arg
                self._refuse_node(keyword, f"{legal}; found {found}")

    def _computed(
        self, node: ast.AST, function: Callable[..., Any], *operands: Value, **named: Value
    ) -> Value:
        """The result of an operation. Raises LaunchError if it has none."""
        try:
            result = plain(function(*operands, **named))
            if not any(np.may_share_memory(result, each) for each in operands):
                self._elements += np.size(result)
            if self._elements > _MOST_COMPUTED:
                raise NoValueError(f"the arrays have more than {_MOST_COMPUTED} elements in all")
            return result
        except NoValueError as error:
            self._refuse_node(node, str(error))
        except ZeroDivisionError:
            self._refuse_node(node, "division by zero")
        except (ArithmeticError, ValueError, TypeError):
            self._refuse_node(node, "the operands do not fit")
        except MemoryError:
            self._refuse_node(node, "not enough memory for the result")

    def _refuse_node(self, node: ast.AST, message: str, help: str = "") -> NoReturn:
        """Raise LaunchError with carets below a part."""
        data = _with_keywords_as_names(self._text[self._start :]).encode()
        start: int = getattr(node, "col_offset", 0)
        end: int | None = getattr(node, "end_col_offset", None)
        before, marked = data[:start].decode(), data[start:end].decode()
        self._refuse(message, self._start + len(before), len(marked), help)

    def _refuse(self, message: str, at: int = 0, width: int = 1, help: str = "") -> NoReturn:
        message = f"{self._what}: {message}"
        excerpt = excerpt_of(self._text, at + 1, width)
        raise LaunchError(message, excerpt=excerpt, help=help)
