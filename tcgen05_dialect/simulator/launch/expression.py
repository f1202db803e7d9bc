"""Expressions of launch files: sizes and expected results."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from keyword import kwlist
from typing import Any, NoReturn

import numpy as np

from ...isa.model.rule import describe, did_you_mean
from ...reporting.diagnostics import excerpt_of
from ..machine.errors import LaunchError
from .functions import FUNCTIONS, OPERATORS, SYMBOLS, NoValueError, Value, plain

_LEGAL = (
    f"numbers, names, the operators {' '.join(SYMBOLS)}, the transpose X.T, and the functions "
    f"{describe(tuple(FUNCTIONS))}"
)
_LONGEST = 1000
"""Limit on the characters of an expression."""
_MOST_ELEMENTS = 1 << 24
"""Limit on the elements of all arrays that an expression uses and makes."""
_BLANKS = str.maketrans("\t\r\n", "   ")
_NOT_READ = "syntax error: an operand or an operator is missing or misplaced"
_BRACKET = re.compile(r"'.' was never closed|unmatched '.'")
"""Sentences of Python about brackets; its other sentences are about other statements, too."""
_TOO_DEEP = "the expression is nested too deeply"


_KEYWORD = re.compile(rf"\b(?:{'|'.join({*kwlist} - {'True', 'False', 'None'})})\b")
_OTHER_LETTER = ord("\N{FULLWIDTH LATIN SMALL LETTER A}") - ord("a")


def _with_keywords_as_names(text: str) -> str:
    """
    The text with keywords of Python such as `in`, which name a parameter here, as other letters.
    Python takes them for the usual ones in a name, but not in a keyword.
    """
    return _KEYWORD.sub(
        lambda found: "".join(chr(ord(letter) + _OTHER_LETTER) for letter in found[0]), text
    )


class Expression:
    """
    Expression over named numbers and arrays, in the syntax of Python. Messages call it `what`.

    Raises LaunchError for text that is not an expression.
    """

    def __init__(self, text: str, what: str):
        self._text = text.translate(_BLANKS)
        self._what = what
        if len(text) > _LONGEST:
            raise LaunchError(f"{what} must have at most {_LONGEST} characters; found {len(text)}")
        if not text.strip():
            raise LaunchError(f"{what} is an empty expression")
        self._start = len(self._text) - len(self._text.lstrip())
        stripped = self._text.strip()
        try:
            self._body = ast.parse(_with_keywords_as_names(stripped), mode="eval").body
            self._names = tuple(self._names_in(self._body))
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
        self._elements = 0
        self.names = tuple(dict.fromkeys(node.id for node in self._names))
        """Names of the numbers and arrays that it uses, in order."""

    def value(self, values: Mapping[str, Value]) -> Value:
        """Value of the expression. Raises LaunchError."""
        self._elements = sum(np.size(values[name]) for name in self.names)
        try:
            with np.errstate(all="ignore"):
                return self._value(self._body, values)
        except (RecursionError, MemoryError):
            self._refuse(_TOO_DEEP)

    def check_names(self, values: Mapping[str, Value]) -> None:
        """Raise LaunchError for a name without a value."""
        for node in self._names:
            if node.id not in values:
                known = f"; the names are {describe(tuple(values))}" if values else ""
                help = did_you_mean(node.id, values)
                self._refuse_node(node, f"unknown name {node.id}{known}", help)

    def _names_in(self, node: ast.AST) -> Iterator[ast.Name]:
        """Names in a part of the expression. Raises LaunchError unless all its parts are legal."""
        match node:
            case ast.Constant(value=int() | float()):
                return
            case ast.Name():
                yield node
                return
            case ast.Call(func=ast.Name(id=name)):
                self._check_call(node, name)
                parts = [*node.args, *(keyword.value for keyword in node.keywords)]
            case ast.BinOp() if type(node.op) in OPERATORS:
                parts = [node.left, node.right]
            case ast.Compare(ops=[op]) if type(op) in OPERATORS:
                parts = [node.left, *node.comparators]
            case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
                parts = [node.operand]
            case ast.Attribute(attr="T"):
                parts = [node.value]
            case _:
                self._refuse_node(node, f"an expression consists of {_LEGAL}")
        for part in parts:
            yield from self._names_in(part)

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

    def _value(self, node: ast.expr, values: Mapping[str, Value]) -> Value:
        match node:
            case ast.Constant(value=value):
                return self._computed(node, lambda: value)
            case ast.Name(id=name):
                return values[name]
            case ast.BinOp():
                a, b = self._value(node.left, values), self._value(node.right, values)
                return self._computed(node, OPERATORS[type(node.op)], a, b)
            case ast.Compare():
                a, b = self._value(node.left, values), self._value(node.comparators[0], values)
                return self._computed(node, OPERATORS[type(node.ops[0])], a, b)
            case ast.UnaryOp(op=ast.USub()):
                return -self._value(node.operand, values)
            case ast.UnaryOp():
                return self._value(node.operand, values)
            case ast.Attribute():
                return plain(np.transpose(self._value(node.value, values)))
            case ast.Call(func=ast.Name(id=name)):
                operands = [self._value(argument, values) for argument in node.args]
                named = {each.arg or "": self._value(each.value, values) for each in node.keywords}
                return self._computed(node, FUNCTIONS[name].call, *operands, **named)
            case _:
                raise AssertionError

    def _computed(
        self, node: ast.expr, function: Callable[..., Any], *operands: Value, **named: Value
    ) -> Value:
        """The result of an operation. Raises LaunchError if it has none."""
        try:
            result = plain(function(*operands, **named))
            if not any(np.may_share_memory(result, each) for each in operands):
                self._elements += np.size(result)
            if self._elements > _MOST_ELEMENTS:
                raise NoValueError(f"the arrays have more than {_MOST_ELEMENTS} elements in all")
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
