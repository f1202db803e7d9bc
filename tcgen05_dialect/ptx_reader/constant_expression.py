"""Evaluation of constants and constant expressions in PTX text (PTX ISA 4.5)."""

import math
import operator
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, cast

from xdsl.dialects.builtin import f32, f64

from ..isa.model.rule import Violation
from ..isa.ptx import kernel as isa
from ..isa.ptx import ptx_text
from ..isa.ptx.kernel import Operator, Type
from ..xdsl_support.attributes import float_of

_MODULUS = 1 << isa.BITS
_SIGNED = range(-_MODULUS // 2, _MODULUS // 2)
_FLOAT_TYPES = {32: f32, 64: f64}
_FLOAT_FORMS = {prefix: width for width, prefix in isa.FLOAT_PREFIXES.items()}
_DECIMAL = re.compile(isa.DECIMAL)
_LONGEST = 1 + isa.BITS
"""One more than the maximum number of digits of a 64-bit integer, without leading zeros."""
_SURELY_SIGNED = len(str(1 << isa.BITS - 1)) - 1
"""The most decimal digits with which each number is a .s64."""


class Number(NamedTuple):
    """A constant and its type."""

    value: int | float
    type: Type


_Function = Callable[[int, int], int]
_INTEGER_FUNCTIONS: Mapping[str, _Function] = {
    "||": lambda a, b: bool(a or b),
    "&&": lambda a, b: bool(a and b),
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "&": lambda a, b: a & b,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "<<": lambda a, b: a << (b % isa.BITS),
    ">>": lambda a, b: a >> (b % isa.BITS),
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "%": operator.mod,
}
_FLOAT_FUNCTIONS: Mapping[str, Callable[[float, float], float]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda a, b: a / b,
}
_UNARY_FUNCTIONS: Mapping[str, Callable[[int], int]] = {
    "+": operator.pos,
    "-": operator.neg,
    "~": operator.invert,
    "!": operator.not_,
}
_DIVISIONS = frozenset(("/", "%"))


def integer(word: str) -> int | None:
    """The value of an integer constant of any size; None for other tokens."""
    digits = word.removesuffix(isa.UNSIGNED_SUFFIX).lower()
    if not digits[:1].isdecimal():
        return None
    base, digits = next(
        (form.base, digits.removeprefix(form.prefix))
        for form in isa.INTEGER_FORMS
        if digits.startswith(form.prefix) and len(digits) > len(form.prefix)
    )
    digits = digits.lstrip("0")
    if not digits.isalnum() and digits:
        return None
    try:
        # A number with more digits is out of range, also after this cut.
        return int(digits[:_LONGEST], base) if digits else 0
    except ValueError:
        return None


def _literal(word: str) -> Number | None:
    """The constant of a token; None for other tokens, and for constants beyond 64 bits."""
    if word in isa.PREDEFINED:
        return Number(isa.PREDEFINED[word], "s64")
    if not (word[0].isdecimal() or word[0] == "."):
        return None
    if (width := _FLOAT_FORMS.get(word[:2].lower())) is not None:
        if len(word) - 2 != width // 4:
            return None
        type_ = _FLOAT_TYPES[width]
        return Number(float_of(int(word[2:], 16), type_), cast(Type, str(type_)))
    if (number := integer(word)) is not None:
        if number >= _MODULUS:
            return None
        is_unsigned = word.endswith(isa.UNSIGNED_SUFFIX) or number not in _SIGNED
        return Number(number, "u64" if is_unsigned else "s64")
    if word.isdecimal() or _DECIMAL.fullmatch(word) is None:
        return None
    value = float(word)
    digits = word.lower().partition("e")[0]
    subnormal = abs(value) < sys.float_info.min and any(digit in "123456789" for digit in digits)
    return None if math.isinf(value) or subnormal else Number(value, "f64")


def evaluate(words: Sequence[str]) -> int | float:
    """The value of a constant expression: a float for .f64 and .f32, a signed 64-bit integer for
    .s64, an unsigned one for .u64. Raises Violation."""
    word = words[0] if len(words) == 1 else ""
    if word.isdecimal() and word[0] != "0" and len(word) <= _SURELY_SIGNED:
        # Large tables have such numbers.
        return int(word)
    return typed(words).value


def typed(words: Sequence[str]) -> Number:
    """The value of a constant expression, and its type. Raises Violation."""
    return _Expression().evaluated(words)


def evaluate_integer(words: Sequence[str]) -> int:
    """The value of an integer constant expression. Raises Violation."""
    number = evaluate(words)
    if isinstance(number, float):
        raise _violation(number, "an integer")
    return number


def in_bits(number: int, bits: int = isa.BITS) -> int:
    """`number` wrapped to a signed integer of `bits` bits (4.5.1)."""
    half = 1 << bits - 1
    return (number + half) % (1 << bits) - half


def _violation(found: object, legal: str, what: str = "") -> Violation:
    return ptx_text.CONSTANT_RULE.violation(found, legal, what)


class _Pending(NamedTuple):
    """An operator, a cast or an opening parenthesis whose operands are not complete."""

    text: str
    precedence: int
    operands: int


_QUESTION = _Pending("?", -1, 0)
_TERNARY = _Pending("?:", isa.TERNARY_PRECEDENCE, 3)
_PARENTHESIS = _Pending("(", -1, 0)
_CASTS = {type_: _Pending(type_, isa.UNARY_PRECEDENCE, 1) for type_ in isa.INTEGER_TYPES}


class _Expression:
    """Evaluation of an expression; without recursion, because any depth of nesting is legal."""

    def __init__(self) -> None:
        self.numbers: list[Number] = []
        self.pending: list[_Pending] = []

    def evaluated(self, words: Sequence[str]) -> Number:
        index, complete = 0, False
        while index < len(words):
            word = words[index]
            if complete:
                complete = self._behind_operand(word)
            elif word == "(" and words[index + 1 : index + 2] and words[index + 1] in _CASTS:
                if words[index + 2 : index + 3] != (")",):
                    raise _violation("an open parenthesis", ")")
                self.pending.append(_CASTS[words[index + 1]])
                index += 2
            else:
                complete = self._operand(word)
            index += 1
        if not complete:
            raise _violation("nothing", "a constant")
        self._reduce_above(-1)
        if self.pending:
            raise _violation(*_unclosed(self.pending[-1]))
        return self.numbers[0]

    def _operand(self, word: str) -> bool:
        """Take a word at the beginning of an operand; return whether the operand is complete."""
        if word == "(":
            self.pending.append(_PARENTHESIS)
        elif (unary := isa.UNARY.get(word)) is not None:
            self.pending.append(_Pending(word, unary.precedence, 1))
        elif (number := _literal(word)) is not None:
            self.numbers.append(number)
            return True
        else:
            raise _violation(word, f"an integer or a float of {isa.BITS} bits")
        return False

    def _behind_operand(self, word: str) -> bool:
        """Take a word after a complete operand; return whether the operand is still complete."""
        if (binary := isa.BINARY.get(word)) is not None:
            self._reduce_above(binary.precedence - 1)
            self.pending.append(_Pending(word, binary.precedence, 2))
        elif word == "?":
            self._reduce_above(isa.TERNARY_PRECEDENCE)
            self.pending.append(_QUESTION)
        elif word in (")", ":"):
            self._reduce_above(-1)
            opening = _PARENTHESIS if word == ")" else _QUESTION
            if not self.pending or self.pending[-1] != opening:
                legal = _unclosed(self.pending[-1])[1] if self.pending else "an operator"
                raise _violation(word, legal)
            self.pending.pop()
            if word == ")":
                return True
            self.pending.append(_TERNARY)
        else:
            raise _violation(word, "an operator")
        return False

    def _reduce_above(self, precedence: int) -> None:
        """Apply pending operators, last first, while their precedence exceeds `precedence`."""
        while self.pending and self.pending[-1].precedence > precedence:
            text, _, count = self.pending.pop()
            operands = self.numbers[-count:]
            del self.numbers[-count:]
            self.numbers.append(_applied(text, operands))


def _unclosed(pending: _Pending) -> tuple[str, str]:
    """Description of an open parenthesis or question mark, and its closing token."""
    return ("an open parenthesis", ")") if pending == _PARENTHESIS else ("?", ":")


def _applied(text: str, operands: Sequence[Number]) -> Number:
    """The result of an operator or a cast. Raises Violation."""
    if text in isa.INTEGER_TYPES:
        return _converted(_integer(text, operands[0]), isa.INTEGER_TYPES[text])
    if text == _TERNARY.text:
        chosen = [_integer(text, each) for each in operands]
        return operands[1] if chosen[0] else operands[2]
    known = isa.UNARY[text] if len(operands) == 1 else isa.BINARY[text]
    if known.floats and all(each.type == "f64" for each in operands):
        return _of_floats(text, known, [float(each.value) for each in operands])
    return _of_integers(text, known, operands)


def _integer(text: str, number: Number, legal: str = "integers") -> int:
    if isinstance(number.value, float):
        raise _violation(f"{number.value}, of type {number.type}", legal, f"operands of {text}")
    return number.value


def _of_integers(text: str, known: Operator, operands: Sequence[Number]) -> Number:
    legal = "integers, or floats of 64 bits" if known.floats else "integers"
    values = [_integer(text, each, legal) for each in operands]
    types: list[Type] = [each.type for each in operands]
    if known.operands != "own":
        common: Type = "u64" if known.operands == "u64" or "u64" in types else "s64"
        types = [common] * len(types)
    values = [_in_range(value, type_) for value, type_ in zip(values, types, strict=True)]
    if len(values) == 1:
        result = _UNARY_FUNCTIONS[text](values[0])
    elif text in _DIVISIONS and values[1] == 0:
        raise _violation(0, "a divisor other than 0", f"operands of {text}")
    else:
        result = _INTEGER_FUNCTIONS[text](values[0], values[1])
    if text in _DIVISIONS and types[0] == "s64" and result not in _SIGNED:
        raise _violation(result, "a quotient of 64 bits", f"operands of {text}")
    return _converted(result, types[0] if known.result == "operand" else known.result)


def _of_floats(text: str, known: Operator, values: Sequence[float]) -> Number:
    if len(values) == 1:
        return Number(-values[0] if text == "-" else values[0], "f64")
    if text in _DIVISIONS and values[1] == 0:
        raise _violation(0.0, "a divisor other than 0", f"operands of {text}")
    result = _FLOAT_FUNCTIONS[text](*values)
    return Number(result, "f64") if known.result == "operand" else Number(int(result), "s64")


def _converted(value: int, type_: Type) -> Number:
    return Number(_in_range(int(value), type_), type_)


def _in_range(value: int, type_: Type) -> int:
    """An integer wrapped to 64 bits; signed for type s64, else unsigned."""
    return in_bits(value) if type_ == "s64" else value % _MODULUS
