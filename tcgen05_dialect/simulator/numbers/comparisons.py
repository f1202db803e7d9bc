"""Comparison and selection (9.3.1, 9.7.6.2, 9.7.6.3, 9.7.7.2)."""

from collections.abc import Callable

import numpy as np

from .floats import FORMATS, NumpyFormat, decode, flush, is_nan
from .integers import dtype
from .lanes import Lanes

Comparison = Callable[[Lanes, Lanes], Lanes]

_COMPARISONS: dict[str, Comparison] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "lo": np.less,
    "ls": np.less_equal,
    "hi": np.greater,
    "hs": np.greater_equal,
}


def compared(comparison: str, type_: str, flushed: bool) -> Comparison:
    """Function that compares two registers and returns predicates."""
    format_ = FORMATS.get(type_)
    if format_ is not None:
        return _of_floats(comparison, format_, flushed)
    compare, number = _COMPARISONS[comparison], dtype(type_)
    return lambda a, b: compare(a.view(number), b.view(number))


def _of_floats(comparison: str, format_: NumpyFormat, flushed: bool) -> Comparison:
    """Float comparison; false for NaN unless the comparison is unordered (`equ`, ...)."""
    compare = _COMPARISONS.get(comparison.removesuffix("u"))
    holds_for_nan = comparison not in _COMPARISONS and comparison != "num"

    def function(a: Lanes, b: Lanes) -> Lanes:
        if flushed:
            a, b = flush(a, format_), flush(b, format_)
        unordered = is_nan(a, format_) | is_nan(b, format_)
        if compare is None:
            return unordered == holds_for_nan
        return np.where(unordered, holds_for_nan, compare(decode(a, format_), decode(b, format_)))

    return function


def selected(a: Lanes, b: Lanes, condition: Lanes) -> Lanes:
    """`a` where the condition holds, else `b`."""
    return np.where(condition, a, b)


def tested(test: str, format_: NumpyFormat) -> Callable[[Lanes], Lanes]:
    """Function that tells whether floats belong to a class (9.7.3.1)."""

    def function(bits: Lanes) -> Lanes:
        exponent, nan = bits & format_.infinity, is_nan(bits, format_)
        infinite = (bits & ~format_.sign) == format_.infinity
        zero = bits & ~format_.sign == 0
        match test:
            case "finite":
                return exponent != format_.infinity
            case "infinite":
                return infinite
            case "number":
                return ~nan
            case "notanumber":
                return nan
            case "normal":
                return zero | (exponent != 0) & (exponent != format_.infinity)
            case _:
                return (exponent == 0) & ~zero

    return function
