"""
Floating-point arithmetic with a single rounding (9.7.3, 9.7.4).

numpy rounds to nearest in f16, f32 and f64. Other results narrower than f64 are computed in f64 and
rounded to odd: the last bit of an inexact result is one. f64 has at least two more bits than each
of these formats. The odd bit therefore keeps the result on the correct side of every number and
midpoint, and the second rounding is correct in every direction. No sum, product or quotient of f32,
the widest of these formats, leaves the range of f64.
"""

from collections.abc import Callable

import numpy as np

from .floats import F64, F64_UPPER, Lanes, NumpyFormat, decode, encode, flush, is_nan, nan_of, some

Compute = Callable[..., Lanes]
"""Function of a rounding and f64 operands; it applies the rounding if the format is f64."""

_SPLIT = 134217729.0
"""2^27 + 1; it splits a significand of 53 bits into halves."""
_LARGE_DIVISOR = 2.0**126


def _to_odd(near: Lanes, error: Lanes) -> Lanes:
    """Round the exact value `near + error` to odd. `near` is the nearest f64; only the sign of
    `error` matters."""
    inexact = ((error > 0) | (error < 0)) & np.isfinite(near)
    even = near.view(np.uint64) & np.uint64(1) == 0
    return np.where(inexact & even, np.nextafter(near, np.copysign(np.inf, error)), near)


def _product_error(x: Lanes, y: Lanes, product: Lanes) -> Lanes:
    """Exact rounding error of a product (Dekker)."""
    x_high, y_high = (_SPLIT * z - (_SPLIT * z - z) for z in (x, y))
    x_low, y_low = x - x_high, y - y_high
    return x_low * y_low - (((product - x_high * y_high) - x_low * y_high) - x_high * y_low)


def _add(rounding: str, x: Lanes, y: Lanes) -> Lanes:
    """`x + y` rounded to odd; x + (-x) is -0 with rounding toward negative infinity."""
    near = x + y
    y_part = near - x
    error = (x - (near - y_part)) + (y - y_part)  # exact rounding error (Knuth)
    if rounding == "rm":
        near = np.where((near == 0) & (np.signbit(x) | np.signbit(y)), -0.0, near)
    return _to_odd(near, error)


def _subtract(rounding: str, x: Lanes, y: Lanes) -> Lanes:
    return _add(rounding, x, -y)


def _multiply(rounding: str, x: Lanes, y: Lanes) -> Lanes:
    """`x * y`, exact for factors of at most 26 bits."""
    return x * y


def _fused(rounding: str, x: Lanes, y: Lanes, z: Lanes) -> Lanes:
    """`x * y + z` rounded to odd, for factors of at most 26 bits."""
    return _add(rounding, x * y, z)


def _divide(rounding: str, x: Lanes, y: Lanes) -> Lanes:
    """`x / y` rounded to odd."""
    near = x / y
    product = near * y
    rest = (x - product) - _product_error(near, y, product)
    return _to_odd(near, rest * np.sign(y))


def _reciprocal(rounding: str, x: Lanes) -> Lanes:
    return _divide(rounding, np.ones_like(x), x)


def _square_root(rounding: str, x: Lanes) -> Lanes:
    """Square root rounded to odd."""
    near = np.sqrt(x)
    square = near * near
    return _to_odd(near, (x - square) - _product_error(near, near, square))


def _quotient(rounding: str, x: Lanes, y: Lanes) -> Lanes:
    """div.approx: divisors above 2^126 count as infinite (9.7.3.8)."""
    return x / np.where(np.abs(y) > _LARGE_DIVISOR, np.copysign(np.inf, y), y)


def _reciprocal_root(rounding: str, x: Lanes) -> Lanes:
    return 1 / np.sqrt(x)


def _approximation(function: Callable[[Lanes], Lanes], of_turns: bool = False) -> Compute:
    """A function in f64 of radians or turns, which no rounding changes."""

    def compute(rounding: str, x: Lanes) -> Lanes:
        return function(2 * np.pi * np.remainder(x, 1) if of_turns else x)

    return compute


_ROUNDED: dict[str, Compute] = {
    "add": _add,
    "sub": _subtract,
    "mul": _multiply,
    "fma": _fused,
    "div": _divide,
    "rcp": _reciprocal,
    "sqrt": _square_root,
}
"""Operation -> its function for formats narrower than f64."""
_APPROXIMATE: dict[tuple[str, str], Compute] = {
    ("ex2", "approx"): _approximation(np.exp2),
    ("lg2", "approx"): _approximation(np.log2),
    ("div", "approx"): _quotient,
    ("div", "full"): _divide,
    ("rcp", "approx"): _reciprocal,
    ("sqrt", "approx"): _square_root,
    ("rsqrt", "approx"): _reciprocal_root,
    ("tanh", "approx"): _approximation(np.tanh),
    ("sin", "approx"): _approximation(np.sin),
    ("cos", "approx"): _approximation(np.cos),
    ("sin.turns", "approx"): _approximation(np.sin, of_turns=True),
    ("cos.turns", "approx"): _approximation(np.cos, of_turns=True),
}
"""Operations whose error the manual only bounds; they are rounded to nearest."""


def arithmetic(
    operation: str, rounding: str, format_: NumpyFormat, flushed: bool
) -> Callable[..., Lanes]:
    """Function of an operation such as `add` on the bits of a format."""
    approximate = _APPROXIMATE.get((operation, rounding))
    if approximate is not None and (format_ is not F64 or flushed):
        # rcp.approx and rsqrt.approx of f64 with .ftz use the upper words of operands and result.
        narrow = F64_UPPER if format_ is F64 else format_
        return _on_bits(approximate, "rn", narrow, flushed)
    # Imported here, because few kernels need it in a run without data.
    from . import exact

    nearest = exact.NEAREST.get(operation)
    if rounding == "rn" and format_.native and nearest is not None:
        return _native(nearest, format_, flushed)
    rounding = "rn" if approximate is not None else rounding
    compute = exact.f64(operation) if format_ is F64 else _ROUNDED[operation]
    return _on_bits(compute, rounding, format_, flushed)


def _native(compute: Compute, format_: NumpyFormat, flushed: bool) -> Callable[..., Lanes]:
    """Function on bits: numpy computes and rounds to nearest in the format itself."""

    def function(*operands: Lanes) -> Lanes:
        result: Lanes = compute(*(bits.view(format_.carrier) for bits in operands))
        return result.view(format_.unsigned)

    return _flushing(function, format_, flushed)


def _on_bits(
    compute: Compute, rounding: str, format_: NumpyFormat, flushed: bool
) -> Callable[..., Lanes]:
    """Function on bits: compute in f64 and round to the format."""

    def function(*operands: Lanes) -> Lanes:
        result = compute(rounding, *(decode(bits, format_) for bits in operands))
        return encode(result, format_, rounding)

    return _flushing(function, format_, flushed)


def _flushing(
    function: Callable[..., Lanes], format_: NumpyFormat, flushed: bool
) -> Callable[..., Lanes]:
    """Add canonical NaNs and, if `flushed`, the flush of subnormals to a function on bits."""

    def whole(*operands: Lanes) -> Lanes:
        if flushed:
            operands = tuple(flush(bits, format_) for bits in operands)
        bits = function(*operands)
        nan = is_nan(bits, format_)
        if some(nan):
            bits = np.where(nan, nan_of(format_, *operands), bits)
        return flush(bits, format_) if flushed else bits

    return whole
