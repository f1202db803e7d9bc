"""
Operations on numbers in memory (9.7.13.5, 9.7.13.6).

Choices that the manual leaves open: those of `floats`.
"""

from collections.abc import Callable, Mapping

import numpy as np

from . import floats
from .float_arithmetic import arithmetic
from .floats import FORMATS
from .integers import on_integers
from .lanes import Lanes

Combine = Callable[[Lanes, Lanes], Lanes]
"""New bits in memory, from the bits in memory and those of an operand."""


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
