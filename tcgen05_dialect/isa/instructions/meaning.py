"""
The meaning of the instructions that compute with integers (9.7.1, 9.7.6 to 9.7.9), for any domain.

A `Domain` is a way to describe the contents of a register: the number itself, the numbers of all
lanes of a warp, the bits and the interval that are certain, the course through the iterations of a
loop. A domain defines some primitive operations on these descriptions; `MEANINGS` composes each
instruction from them. So each instruction has one meaning, and a domain needs no table of
instructions.
"""

import operator
from collections.abc import Callable, Mapping
from copy import copy
from functools import partial
from typing import Any, Protocol, TypeAlias, TypeVar

from tcgen05_dialect.isa.ptx.ptx_text import TYPE_BITS

N = TypeVar("N")

WHOLE = frozenset(
    type_ for type_, bits in TYPE_BITS.items() if type_[0] in "bsu" and 16 <= bits <= 64
)
"""Types of whole numbers of at least 16 bits."""
NARROW = frozenset(("u8", "s8"))
"""Types of whole numbers that only conversions and accesses to memory have."""
PREDICATE = "pred"
_BYTE = 8
_DIGIT = 4
"""Bits of the selector of prmt for each byte."""

Function: TypeAlias = Callable[..., Any]
Word: TypeAlias = "Callable[[str], str | int | None]"
"""Name of a qualifier or an immediate of an instruction -> its word or its number."""


class Unknown(Exception):
    """A domain knows nothing of a result."""


class Domain(Protocol[N]):
    """
    Registers of whole numbers of `width` bits, and what instructions make of them.

    `N` is the type of the description of a register. Results are taken modulo two to the power of
    the width. A domain raises Unknown if it knows nothing of a result.
    """

    width: int
    is_signed: bool
    mask: int
    _others: "dict[tuple[int, bool], Domain[N]]"

    def __init__(self, width: int = 32, is_signed: bool = False):
        self._others = {}
        self._set(width, is_signed)

    def _set(self, width: int, is_signed: bool) -> None:
        self.width, self.is_signed, self.mask = width, is_signed, (1 << width) - 1

    def of(self, width: int, is_signed: bool = False) -> "Domain[N]":
        """The domain of registers of another width or sign."""
        found = self._others.get((width, is_signed))
        if found is None:
            found = self._others[width, is_signed] = copy(self)
            found._set(width, is_signed)
        return found

    def of_type(self, type_: str) -> "Domain[N]":
        """The domain of registers of a type."""
        return self.of(1 if type_ == PREDICATE else int(type_[1:]), type_.startswith("s"))

    @property
    def double(self) -> "Domain[N]":
        """The domain of registers of twice the width."""
        return self.of(2 * self.width, self.is_signed)

    def constant(self, number: int) -> N: ...
    def add(self, a: N, b: N) -> N:
        raise Unknown

    def sub(self, a: N, b: N) -> N:
        raise Unknown

    def mul(self, a: N, b: N) -> N:
        raise Unknown

    def product(self, a: N, b: N) -> N:
        """The whole product, of twice the width."""
        ...

    def div(self, a: N, b: N) -> N:
        """The quotient, rounded to zero."""
        ...

    def rem(self, a: N, b: N) -> N: ...
    def min(self, a: N, b: N) -> N: ...
    def max(self, a: N, b: N) -> N: ...
    def both(self, a: N, b: N) -> N:
        raise Unknown

    def either(self, a: N, b: N) -> N:
        raise Unknown

    def differing(self, a: N, b: N) -> N:
        raise Unknown

    def inverse(self, a: N) -> N:
        raise Unknown

    def merged(self, mask: N, a: N, b: N) -> N:
        """The bits of `a` where those of the mask are set, else those of `b`."""
        return self.differing(b, self.both(mask, self.differing(a, b)))

    def shl(self, a: N, amount: N) -> N:
        """A shift to the left by any amount, a word."""
        ...

    def shr(self, a: N, amount: N) -> N:
        """A shift to the right by any amount, a word; a signed number is filled with its sign."""
        ...

    def compare(self, comparison: str, a: N, b: N) -> N:
        """The predicate that tells whether a comparison holds."""
        ...

    def select(self, a: N, b: N, condition: N) -> N: ...
    def resize(self, a: N, width: int) -> N:
        """The low bits of a number, or the number in a wider register, filled with its sign."""
        ...

    def ones(self, a: N) -> N:
        """The number of bits that are set, as a word."""
        raise Unknown

    def length(self, a: N) -> N:
        """The number of bits up to the highest one that is set, as a word."""
        raise Unknown


Meaning: TypeAlias = Callable[[Domain[Any], Word], Function]
"""The domain of the type of an instruction, and the words of the instruction -> its function."""


def _same(a: N) -> N:
    return a


def _plain(function: Callable[..., Any]) -> Meaning:
    """The meaning of an instruction whose words say nothing but the type."""
    return lambda domain, word: partial(function, domain)


def _high_product(d: Domain[N], a: N, b: N) -> N:
    product = d.product(a, b)
    return d.double.resize(d.double.shr(product, d.of(32).constant(d.width)), d.width)


def _product_and_sum(product: Function, add: Function) -> Function:
    def function(a: Any, b: Any, c: Any) -> Any:
        return add(product(a, b), c)

    return function


def _negative(d: Domain[N], a: N) -> N:
    return d.sub(d.constant(0), a)


def _magnitude(d: Domain[N], a: N) -> N:
    return d.max(a, _negative(d, a))


def _leading_zeros(d: Domain[N], a: N) -> N:
    word = d.of(32)
    return word.sub(word.constant(d.width), d.length(a))


def _low_byte(d: Domain[N], number: N) -> N:
    """The low byte of a position or a length; instructions on bit fields ignore the rest."""
    word = d.of(32)
    return word.both(number, word.constant((1 << _BYTE) - 1))


def _mask(d: Domain[N], length: N) -> N:
    """A mask with `length` ones in the low bits, or with all ones if `length` exceeds the width."""
    return d.sub(d.shl(d.constant(1), length), d.constant(1))


def _extracted(d: Domain[N], a: N, position: N, length: N) -> N:
    """bfe: a field, filled with its highest bit if the type is signed (9.7.1.19)."""
    position, length = _low_byte(d, position), _low_byte(d, length)
    if not d.is_signed:
        return d.both(d.shr(a, position), _mask(d, length))
    word, zero = d.of(32), d.of(32).constant(0)
    above = word.sub(
        word.constant(d.width), word.min(word.constant(d.width), word.add(position, length))
    )
    field = d.shr(d.shl(a, above), word.add(above, position))
    return d.select(d.constant(0), field, word.compare("eq", length, zero))


def _inserted(d: Domain[N], a: N, b: N, position: N, length: N) -> N:
    """bfi: the low bits of `a` in a field of `b` (9.7.1.20)."""
    position, length = _low_byte(d, position), _low_byte(d, length)
    return d.merged(d.shl(_mask(d, length), position), d.shl(a, position), b)


def _pair(d: Domain[N], low: N, high: N) -> N:
    """Two registers as one of twice the width."""
    double = d.double
    wide = (d.resize(each, double.width) for each in (low, high))
    first, second = wide
    return double.add(double.shl(second, d.of(32).constant(d.width)), first)


def _funnel(domain: Domain[Any], word: Word) -> Function:
    """shf: a part of two registers together (9.7.8.7)."""
    d = domain.of(32)
    width = d.constant(d.width)

    def shifted(low: Any, high: Any, amount: Any) -> Any:
        wraps = word("mode") == "wrap"
        place = d.both(amount, d.constant(d.width - 1)) if wraps else d.min(amount, width)
        if word("direction") == "l":
            place = d.sub(width, place)
        return d.double.resize(d.double.shr(_pair(d, low, high), place), d.width)

    return shifted


def _looked_up(domain: Domain[Any], word: Word) -> Function:
    """lop3: the bits of a table that the bits of three registers choose (9.7.8.6)."""
    table = word("table")
    assert isinstance(table, int)
    return lambda *operands: _entry(domain, table, operands)


def _entry(d: Domain[N], table: int, operands: tuple[N, ...]) -> N:
    """The entry of a table that the operands choose, the first one between its halves."""
    first, *rest = operands
    if not rest:
        match table:
            case 0b00:
                return d.both(first, d.constant(0))
            case 0b01:
                return d.inverse(first)
            case 0b10:
                return first
            case _:
                return d.either(first, d.constant(-1))
    half = 1 << len(rest)
    low, high = table & (1 << half) - 1, table >> half
    if low == high:
        return _entry(d, low, (*rest,))
    return d.merged(first, _entry(d, high, (*rest,)), _entry(d, low, (*rest,)))


def _permuted(domain: Domain[Any], word: Word) -> Function:
    """prmt: bytes of two registers, which the digits or the last bits of a selector choose
    (9.7.9.7)."""
    d, mode = domain.of(32), word("mode")
    number, double = d.constant, domain.of(64)

    def choice(selector: Any, place: int) -> tuple[Any, Any | None]:
        """The byte for a place of the result, and whether only its sign is copied."""
        if mode is None:
            digit = d.shr(selector, number(_DIGIT * place))
            return d.both(digit, number(7)), d.compare("ne", d.both(digit, number(8)), number(0))
        last = d.both(selector, number(3))
        match mode:
            case "f4e":
                return d.add(last, number(place)), None
            case "b4e":
                return d.both(d.sub(last, number(place)), number(7)), None
            case "ecl":
                return d.max(last, number(place)), None
            case "ecr":
                return d.min(last, number(place)), None
            case "rc16":
                half = d.shl(d.both(selector, number(1)), number(1))
                return d.add(half, number(place % 2)), None
            case _:
                return last, None

    def permuted(a: Any, b: Any, selector: Any) -> Any:
        pair, found = _pair(d, a, b), number(0)
        for place in range(d.width // _BYTE):
            index, is_sign = choice(selector, place)
            byte = double.resize(double.shr(pair, d.shl(index, number(3))), d.width)
            byte = d.both(byte, number((1 << _BYTE) - 1))
            if is_sign is not None:
                sign = d.compare("hs", byte, number(1 << _BYTE - 1))
                filled = d.select(number((1 << _BYTE) - 1), number(0), sign)
                byte = d.select(filled, byte, is_sign)
            found = d.add(found, d.shl(byte, number(_BYTE * place)))
        return found

    return permuted


def _compared(domain: Domain[Any], word: Word) -> Function:
    comparison = word("comparison")
    assert isinstance(comparison, str)
    return partial(domain.compare, comparison)


MEANINGS: Mapping[str, Meaning] = {
    "add": lambda d, word: d.add,
    "sub": lambda d, word: d.sub,
    "mul": lambda d, word: partial(_high_product, d) if word("half") == "hi" else d.mul,
    "mul.wide": lambda d, word: d.product,
    "mul.wide16": lambda d, word: d.product,
    "mad": lambda d, word: _product_and_sum(d.mul, d.add),
    "mad.hi": lambda d, word: _product_and_sum(partial(_high_product, d), d.add),
    **dict.fromkeys(
        ("mad.wide", "mad.wide16"), lambda d, word: _product_and_sum(d.product, d.double.add)
    ),
    "div": lambda d, word: d.div,
    "rem": lambda d, word: d.rem,
    "min": lambda d, word: d.min,
    "max": lambda d, word: d.max,
    "neg": _plain(_negative),
    "abs": _plain(_magnitude),
    "and": lambda d, word: d.both,
    "or": lambda d, word: d.either,
    "xor": lambda d, word: d.differing,
    "not": lambda d, word: d.inverse,
    "shl": lambda d, word: d.shl,
    "shr": lambda d, word: d.shr,
    "bfe": _plain(_extracted),
    "bfi": _plain(_inserted),
    "shf": _funnel,
    "lop3": _looked_up,
    "prmt": _permuted,
    "popc": lambda d, word: d.ones,
    "clz": _plain(_leading_zeros),
    "mov": lambda d, word: _same,
    "selp": lambda d, word: d.select,
    "setp": _compared,
}
"""Instruction, without `ptx.` -> its meaning for whole numbers; those of predicates are numbers of
one bit. Conversions are in `converted`."""


def function_of(name: str, word: Word, domain: Domain[N]) -> Callable[..., N] | None:
    """The function of an instruction on whole numbers or predicates in a domain; None for other
    instructions."""
    meaning = MEANINGS.get(name)
    type_ = word("type") or "b32"
    if meaning is None or not isinstance(type_, str):
        return None
    if type_ not in WHOLE and (type_ != PREDICATE or name == "setp"):
        return None
    return meaning(domain.of_type(type_), word)


def converted(word: Word, domain: Domain[N], width: int) -> Callable[[N], N] | None:
    """
    The function of a conversion between whole numbers, to a register of `width` bits; None for
    other conversions. Of a wider register it takes the low bits, and it fills one with the sign.
    """
    to, source = word("type"), word("source")
    if to not in WHOLE | NARROW or source not in WHOLE | NARROW or word("saturate") is not None:
        return None
    assert isinstance(to, str) and isinstance(source, str)
    first, last = domain.of_type(source), domain.of_type(to)

    def convert(a: N) -> N:
        number = first.resize(first.resize(a, first.width), last.width)
        return last.resize(number, width)

    return convert


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    **dict.fromkeys(("lt", "lo"), operator.lt),
    **dict.fromkeys(("le", "ls"), operator.le),
    **dict.fromkeys(("gt", "hi"), operator.gt),
    **dict.fromkeys(("ge", "hs"), operator.ge),
}
"""Comparison of whole numbers -> its function."""


class Integers(Domain[int]):
    """The domain of known numbers: the bits of a register as a number without sign. A division by
    zero is unknown."""

    def _number(self, bits: int) -> int:
        half = self.mask + 1 >> 1
        return (bits & self.mask ^ half) - half if self.is_signed else bits & self.mask

    def constant(self, number: int) -> int:
        return number & self.mask

    def add(self, a: int, b: int) -> int:
        return a + b & self.mask

    def sub(self, a: int, b: int) -> int:
        return a - b & self.mask

    def mul(self, a: int, b: int) -> int:
        return a * b & self.mask

    def product(self, a: int, b: int) -> int:
        return self._number(a) * self._number(b) & (1 << 2 * self.width) - 1

    def div(self, a: int, b: int) -> int:
        if not b:
            raise Unknown
        return _quotient(self._number(a), self._number(b)) & self.mask

    def rem(self, a: int, b: int) -> int:
        return a - b * self.div(a, b) & self.mask

    def min(self, a: int, b: int) -> int:
        return min(a, b, key=self._number)

    def max(self, a: int, b: int) -> int:
        return max(a, b, key=self._number)

    def both(self, a: int, b: int) -> int:
        return a & b

    def either(self, a: int, b: int) -> int:
        return a | b

    def differing(self, a: int, b: int) -> int:
        return a ^ b

    def inverse(self, a: int) -> int:
        return a ^ self.mask

    def shl(self, a: int, amount: int) -> int:
        return a << min(amount, self.width) & self.mask

    def shr(self, a: int, amount: int) -> int:
        return self._number(a) >> min(amount, self.width) & self.mask

    def compare(self, comparison: str, a: int, b: int) -> int:
        return int(COMPARISONS[comparison](self._number(a), self._number(b)))

    def select(self, a: int, b: int, condition: int) -> int:
        return a if condition else b

    def resize(self, a: int, width: int) -> int:
        return self._number(a) & (1 << width) - 1

    def ones(self, a: int) -> int:
        return a.bit_count()

    def length(self, a: int) -> int:
        return a.bit_length()
