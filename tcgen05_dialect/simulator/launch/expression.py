"""Expressions of launch files: sizes and expected results."""

import ast
import operator
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import numpy as np

from ...isa.model.rule import describe
from ..machine.errors import LaunchError, refused

_BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    node: getattr(operator, name)
    for node, name in (
        (ast.Add, "add"),
        (ast.Sub, "sub"),
        (ast.Mult, "mul"),
        (ast.FloorDiv, "floordiv"),
        (ast.Mod, "mod"),
        (ast.MatMult, "matmul"),
    )
}


def _ceildiv(a: Any, b: Any) -> Any:
    return -(-a // b)


def _of_all(function: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Extend a binary function to more operands; numpy would take a third one as output array."""

    def of_all(first: Any, *others: Any) -> Any:
        return reduce(function, others, first)

    return of_all


def _exp2(a: Any) -> Any:
    return np.exp2(a)


_FUNCTIONS: Mapping[str, Any] = {
    "ceildiv": _ceildiv,
    "max": _of_all(np.maximum),
    "min": _of_all(np.minimum),
    "exp2": _exp2,
}
_LEGAL = (
    "numbers, names, + - * // % @, the transpose X.T, and "
    f"{describe(frozenset(f'{name}(...)' for name in _FUNCTIONS))}"
)

_FAILURES = (ValueError, TypeError, ArithmeticError, RecursionError, MemoryError)
_LONGEST = 1000
"""Maximum number of characters of an expression; it limits the size of integers."""


def evaluate(text: str | int, names: Mapping[str, Any]) -> Any:
    """Evaluate an expression over named integers and arrays. Raises LaunchError."""
    if isinstance(text, int):
        return text
    if len(text) > _LONGEST:
        raise refused(len(text), f"at most {_LONGEST}", "the number of characters of an expression")
    try:
        return _value(ast.parse(text.strip(), mode="eval").body, names)
    except SyntaxError as error:
        raise refused(repr(text), _LEGAL, "an expression") from error
    except _FAILURES as error:
        raise LaunchError(f"cannot compute {text!r}: its operands do not fit") from error


def names_in(text: str | int) -> list[str]:
    """Names in an expression that `evaluate` accepts."""
    if isinstance(text, int):
        return []
    tree = ast.parse(text.strip(), mode="eval")
    return list(dict.fromkeys(node.id for node in ast.walk(tree) if isinstance(node, ast.Name)))


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.Name(id=name):
            raise refused(name, tuple(names), "a name in an expression")
        case ast.BinOp() if type(node.op) in _BINARY:
            return _BINARY[type(node.op)](_value(node.left, names), _value(node.right, names))
        case ast.UnaryOp(op=ast.USub()):
            return -_value(node.operand, names)
        case ast.Attribute(attr="T"):
            return np.transpose(_value(node.value, names))
        case ast.Call(func=ast.Name(id=name)) if name in _FUNCTIONS and not node.keywords:
            return _FUNCTIONS[name](*(_value(argument, names) for argument in node.args))
        case _:
            raise refused(ast.unparse(node), _LEGAL, "an expression")
