"""
Integers and texts as attributes, each made once.

xDSL verifies each attribute that it makes, which takes 6 µs for an integer: as long as making an
operation. Few different ones occur. Uses no private names. It can be deleted when xDSL makes
attributes as fast as a lookup.
"""

from functools import lru_cache

from xdsl.dialects.builtin import IntegerAttr, IntegerType, StringAttr


@lru_cache(maxsize=4096)
def integer(value: int, width: int = 32) -> IntegerAttr[IntegerType]:
    """An integer of a type `iN`. Raises VerifyException if it has more bits."""
    return IntegerAttr(value, IntegerType(width))


@lru_cache(maxsize=4096)
def wrapped_integer(value: int, width: int) -> IntegerAttr[IntegerType]:
    """An integer of a type `iN`, modulo two to the power of its width."""
    return IntegerAttr(value, IntegerType(width), truncate_bits=True)


@lru_cache(maxsize=1024)
def text(value: str) -> StringAttr:
    """A text, such as a qualifier."""
    return StringAttr(value)
