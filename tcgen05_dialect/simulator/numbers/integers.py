"""
Functions on integers of registers and memory: arithmetic, combination and comparison (9.3.1, 9.7.1,
9.7.6, 9.7.7.2, 9.7.8, 9.7.13.5, 9.7.13.6).

Choices that the manual leaves open: quotient and remainder of a division by zero have all bits set;
quotients are rounded toward zero; the minimum divided by -1 is the minimum; combinations of
floating-point numbers make the choices of `floats`.

Contents of memory that differ from place to place.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ...isa.instructions.meaning import COMPARISONS, Domain
from ...isa.ptx.ptx_text import TYPE_BITS
from . import floats
from .float_arithmetic import arithmetic
from .floats import FORMATS, Lanes, NumpyFormat, decode, flush, is_nan, unsigned


@cache
def dtype(type_: str) -> Any:
    """numpy type of an integer type; bit-size types are unsigned."""
    return np.dtype(f"{'i' if type_[0] == 's' else 'u'}{TYPE_BITS[type_] // 8}").type


def range_of(type_: str) -> tuple[int, int]:
    """Minimum and maximum of an integer type."""
    limits = np.iinfo(dtype(type_))
    return int(limits.min), int(limits.max)


def low(bits: Lanes, type_: str) -> Lanes:
    """Integers in the low bits of registers, which may be wider than the type."""
    return bits.astype(unsigned(TYPE_BITS[type_]), copy=False).view(dtype(type_))


def extended(values: Lanes, register: Any) -> Lanes:
    """Sign-extend or zero-extend integers to a register type."""
    return values.astype(register)


def on_integers(type_: str, function: Callable[..., Lanes]) -> Callable[..., Lanes]:
    """Convert a function on integers of a type to one on bits."""
    number, word = dtype(type_), unsigned(TYPE_BITS[type_])
    if number is word:
        return function
    return lambda *operands: function(*[bits.view(number) for bits in operands]).view(word)


def magnitude(values: Lanes) -> Lanes:
    """Unsigned absolute values; exact also for the minimum."""
    return np.abs(values).view(unsigned(8 * values.itemsize))


_WIDEST = 64
"""Width of the widest integers of numpy in bits; wider ones are integers of Python."""


_FUNCTIONS: Mapping[str, Any] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "both": np.bitwise_and,
    "either": np.bitwise_or,
    "differing": np.bitwise_xor,
    "inverse": np.invert,
}
"""Method of the domain -> the function of numpy that does the same."""


class WholeLanes(Domain[Lanes]):
    """The domain of registers of several lanes. An amount of at least the width shifts out all
    bits, as in numpy."""

    def _set(self, width: int, is_signed: bool) -> None:
        super()._set(width, is_signed)
        self._word: Any = (
            np.bool_ if width == 1 else unsigned(width) if width <= _WIDEST else object
        )
        self._number: Any = dtype(f"s{width}") if is_signed and width <= _WIDEST else self._word

        double = min(max(2 * width, 16), _WIDEST)
        self._double: Any = unsigned(double)
        self._product: Any = dtype(f"{'s' if is_signed else 'u'}{double}")
        # Attributes hide methods: a call of a numpy function takes half the time of one inside a
        # method.
        vars(self).update(_FUNCTIONS)

    def _read(self, bits: Lanes) -> Lanes:
        return bits.view(self._number) if self.is_signed and self.width <= _WIDEST else bits

    def constant(self, number: int) -> Lanes:
        return self._word(number & self.mask)

    def product(self, a: Lanes, b: Lanes) -> Lanes:
        x, y = self._read(a), self._read(b)
        if self.width == _WIDEST:
            return x.astype(object) * y.astype(object)
        return (x.astype(self._product) * y.astype(self._product)).view(self._double)

    def div(self, a: Lanes, b: Lanes) -> Lanes:
        x, y = self._read(a), self._read(b)
        return self._divided(y, (x - np.fmod(x, y)) // y)

    def rem(self, a: Lanes, b: Lanes) -> Lanes:
        x, y = self._read(a), self._read(b)
        return self._divided(y, np.fmod(x, y))

    def _divided(self, divisor: Lanes, result: Lanes) -> Lanes:
        return np.where(divisor == 0, ~self._number(0), result).view(self._word)

    def min(self, a: Lanes, b: Lanes) -> Lanes:
        return np.minimum(self._read(a), self._read(b)).view(self._word)

    def max(self, a: Lanes, b: Lanes) -> Lanes:
        return np.maximum(self._read(a), self._read(b)).view(self._word)

    def shl(self, a: Lanes, amount: Lanes) -> Lanes:
        return (a << amount).astype(self._word, copy=False)

    def shr(self, a: Lanes, amount: Lanes) -> Lanes:
        if self.width > _WIDEST:
            return a >> int(amount)
        return (self._read(a) >> amount).astype(self._number, copy=False).view(self._word)

    def compare(self, comparison: str, a: Lanes, b: Lanes) -> Lanes:
        return COMPARISONS[comparison](self._read(a), self._read(b))

    def select(self, a: Lanes, b: Lanes, condition: Lanes) -> Lanes:
        return np.where(condition, a, b)

    def resize(self, a: Lanes, width: int) -> Lanes:
        if self.width > _WIDEST:
            return (a & (1 << width) - 1).astype(unsigned(width))
        return self._read(a.astype(self._word, copy=False)).astype(unsigned(width))

    def ones(self, a: Lanes) -> Lanes:
        return np.bitwise_count(a).astype(np.uint32)

    def length(self, a: Lanes) -> Lanes:
        rest, length, shift = a, np.zeros(a.shape, np.uint32), self.width // 2
        while shift:
            high = rest >> self._word(shift)
            length += np.where(high != 0, np.uint32(shift), np.uint32(0))
            rest = np.where(high != 0, high, rest)
            shift //= 2
        return length + (rest != 0)


LANES = WholeLanes()


Combine = Callable[[Lanes, Lanes], Lanes]
"""New bits in memory, from the bits in memory and the bits of an operand."""


def _increased(old: Lanes, last: Lanes) -> Lanes:
    following: Lanes = old + np.ones_like(old)
    return np.where(old >= last, np.zeros_like(old), following)


def _decreased(old: Lanes, last: Lanes) -> Lanes:
    preceding: Lanes = old - np.ones_like(old)
    return np.where((old == 0) | (old > last), last, preceding)


def _exchanged(old: Lanes, new: Lanes) -> Lanes:
    return new


_ON_BITS: Mapping[str, Combine] = {
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "inc": _increased,
    "dec": _decreased,
    "exch": _exchanged,
}
_ON_INTEGERS: Mapping[str, Combine] = {"add": np.add, "min": np.minimum, "max": np.maximum}


def combination(operation: str, type_: str, flushed: bool) -> Combine:
    """The function of an operation on numbers of a type that is not packed."""
    if (on_bits := _ON_BITS.get(operation)) is not None:
        return on_bits
    choose, format_ = _ON_INTEGERS[operation], FORMATS.get(type_)
    if format_ is None:
        return on_integers(type_, choose)
    if operation == "add":
        return arithmetic("add", "rn", format_, flushed)
    return floats.extremum(choose, format_, flushed, False)


Comparison = Callable[[Lanes, Lanes], Lanes]


def compared(comparison: str, type_: str, flushed: bool) -> Comparison:
    """Function that compares two registers and returns predicates."""
    format_ = FORMATS.get(type_)
    if format_ is not None:
        return _of_floats(comparison, format_, flushed)
    return partial(LANES.of_type(type_).compare, comparison)


def _of_floats(comparison: str, format_: NumpyFormat, flushed: bool) -> Comparison:
    """Float comparison; false for NaN unless the comparison is unordered (`equ`, ...)."""
    compare = COMPARISONS.get(comparison.removesuffix("u"))
    holds_for_nan = comparison not in COMPARISONS and comparison != "num"

    def function(a: Lanes, b: Lanes) -> Lanes:
        if flushed:
            a, b = flush(a, format_), flush(b, format_)
        unordered = is_nan(a, format_) | is_nan(b, format_)
        if compare is None:
            return unordered == holds_for_nan
        return np.where(unordered, holds_for_nan, compare(decode(a, format_), decode(b, format_)))

    return function


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


SEEDS = 4
"""Number of contents to try for a kernel that compares data, so that comparisons have both
results."""


def content_of(places: npt.NDArray[Any], seed: int = 0) -> npt.NDArray[np.uint8]:
    """
    The contents of bytes at some places, which are pseudo-random.

    As integers and as floating-point numbers of any format they are neither extreme nor NaN. With a
    `seed` other than 0, signs differ and some words are 0, so that comparisons have both results.
    """
    hashed = mixed(places, seed)
    content = np.where(places & 1, 0x38 | hashed & 0x07, 0x30 + hashed % 0x40).astype(np.uint8)
    if seed:
        words = mixed(places >> 2, seed)
        content |= np.where(places & 1, words & 0x80, 0).astype(np.uint8)
        content[words & 3 == 0] = 0
    return content


def mixed(places: npt.NDArray[Any], seed: int = 0) -> npt.NDArray[np.uint64]:
    """A pseudo-random number for each number (splitmix64)."""
    numbers = (places.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    numbers += np.uint64(seed)
    numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return numbers ^ numbers >> np.uint64(31)
