"""The elements of vectors in registers of 32 bits, as loads and stores of vectors have them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    FixedBitwidthType,
    FloatAttr,
    IntegerType,
    f16,
    f32,
    i16,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from tcgen05_dialect.isa.tensor_memory.alloc import CELL_BITS
from tcgen05_dialect.ptx.instructions import (
    CvtPackedOp,
    CvtPackNarrowOp,
    CvtPackOp,
    PackOp,
    UnpackOp,
)
from tcgen05_dialect.reporting.diagnostics import no_lowering
from tcgen05_dialect.tcgen05.types import ELEMENT_TYPES
from tcgen05_dialect.ws.vectors import NARROW, is_packed

from .emitter import Emitter


class Elements(NamedTuple):
    """
    The elements of a vector, and their type. Elements of another type than this are of f32, and
    rounded when they are packed: one instruction rounds and packs two of them. Packed elements are
    in words, registers of type i32 with several of them.
    """

    values: Sequence[SSAValue]
    type: Attribute

    @property
    def are_words(self) -> bool:
        """Whether each value is a word of packed elements."""
        return is_packed(self.type) and self.values[0].type == i32

    @property
    def length(self) -> int:
        """The number of elements."""
        return len(self.values) * (per_word(self.type) if self.are_words else 1)


def per_word(type_: Attribute) -> int:
    """The number of elements of a type in a register of 32 bits."""
    return CELL_BITS // width(type_)


def width(type_: Attribute) -> int:
    """The number of bits of a type."""
    assert isinstance(type_, FixedBitwidthType)
    return type_.bitwidth


def zero(emit: Emitter, element: Attribute) -> SSAValue:
    """The number 0."""
    if not isinstance(element, AnyFloat):
        return emit.constant(0, cast("IntegerType", element))
    return emit.compute(arith.ConstantOp, (), element, {"value": FloatAttr(0.0, element)})


def widened(emit: Emitter, elements: Elements) -> list[SSAValue]:
    """Each element in a register, those of 16 bits in its low half."""
    values = [_rounded(emit, each, elements.type) for each in elements.values]
    if width(elements.type) == CELL_BITS:
        return values
    if elements.type != i16:
        values = [emit.compute(arith.BitcastOp, [each], i16) for each in values]
    return [emit.compute(arith.ExtUIOp, [each], i32) for each in values]


def to_words(emit: Emitter, elements: Elements) -> list[SSAValue]:
    """Pack elements, the first one lowest."""
    values, type_ = elements
    count = per_word(type_)
    if count == 1 or elements.are_words:
        return [*values]
    return [_word(emit, values[at : at + count], type_) for at in range(0, len(values), count)]


def from_words(
    emit: Emitter, words: Sequence[SSAValue], element: Attribute, held: int
) -> list[SSAValue]:
    """The elements in registers, of which each holds so many; packed elements remain in words."""
    bits = width(element)
    if bits == CELL_BITS or is_packed(element):
        return [*words]
    found: list[SSAValue] = []
    for word in words:
        types = [element] * (CELL_BITS // bits)
        parts = emit.ptx(UnpackOp, {"a": (word,)}, {"type": "b32"}, types).results
        found.extend(parts[:held])
    return found


def alone(emit: Emitter, elements: Elements, at: int) -> SSAValue:
    """An element in a register of its own, one of 8 bits in its low half."""
    type_ = elements.type
    if elements.are_words:
        word, place = divmod(at, per_word(type_))
        (part,) = _fields(emit, elements.values[word], width(type_), [place], arith.ShRUIOp)
        return emit.compute(arith.TruncIOp, [part], i16)
    value = elements.values[at]
    return _narrow(emit, type_, value) if type_ in NARROW else _rounded(emit, value, type_)


def unpacked(emit: Emitter, elements: Elements, signed: bool) -> list[SSAValue]:
    """
    Packed elements, each in a register of its own: integers of type i32, with or without signs, and
    floating-point numbers of type f16.
    """
    words, type_ = elements
    if type_ in NARROW:
        properties = {
            "rounding": "rn",
            "type": "f16x2",
            "source": f"{ELEMENT_TYPES[type_].name}x2",
        }
        halves = [
            half
            for word in words
            for half in emit.ptx(UnpackOp, {"a": (word,)}, {"type": "b32"}, [i16] * 2).results
        ]
        pairs = [emit.ptx(CvtPackedOp, {"a": (half,)}, properties, [i32]).d for half in halves]
        return from_words(emit, pairs, f16, 2)
    shift = arith.ShRSIOp if signed else arith.ShRUIOp
    places = range(per_word(type_))
    return [part for word in words for part in _fields(emit, word, width(type_), places, shift)]


def _fields(
    emit: Emitter, word: SSAValue, bits: int, places: Iterable[int], shift: type[Operation]
) -> Iterator[SSAValue]:
    """Parts of a word, shifted down from the top, with signs or zeros above them."""
    for place in places:
        top = emit.constant(CELL_BITS - bits * (place + 1))
        high = word if place + 1 == CELL_BITS // bits else emit.binary(arith.ShLIOp, word, top)
        yield emit.binary(shift, high, CELL_BITS - bits)


def packed(emit: Emitter, values: Sequence[SSAValue], type_: Attribute) -> list[SSAValue]:
    """The words with the low bits of integers of type i32."""
    count, bits = per_word(type_), width(type_)
    words: list[SSAValue] = []
    for at in range(0, len(values), count):
        word = emit.constant(0)
        for place, value in enumerate(values[at : at + count]):
            low = emit.binary(arith.AndIOp, value, (1 << bits) - 1)
            moved = emit.binary(arith.ShLIOp, low, bits * place) if place else low
            word = emit.binary(arith.OrIOp, word, moved) if place else moved
        words.append(word)
    return words


def _rounded(emit: Emitter, value: SSAValue, type_: Attribute) -> SSAValue:
    return value if value.type == type_ else emit.compute(arith.TruncFOp, [value], type_)


def _word(emit: Emitter, values: Sequence[SSAValue], type_: Attribute) -> SSAValue:
    if type_ in NARROW:
        halves = tuple(
            _narrow(emit, type_, *values[at : at + 2]) for at in range(0, len(values), 2)
        )
        return emit.ptx(PackOp, {"parts": halves}, {"type": "b32"}, [i32]).d
    low, high = (_rounded_from(values[at], type_) for at in (0, -1))
    if len(values) == 2 and low is not None and high is not None:
        properties = {"rounding": "rn", "type": f"{type_.name}x2", "source": "f32"}
        return emit.ptx(CvtPackOp, {"high": (high,), "low": (low,)}, properties).d
    return emit.ptx(PackOp, {"parts": tuple(values)}, {"type": "b32"}, [i32]).d


def _rounded_from(value: SSAValue, type_: Attribute) -> SSAValue | None:
    """The value of type f32 that an element of a type is rounded from, if any."""
    if value.type != type_:
        return value
    owner = value.owner
    if type(owner) is not arith.TruncFOp:
        return None
    source = owner.input
    return source if source.type == f32 else None


def _narrow(
    emit: Emitter, type_: Attribute, low: SSAValue, high: SSAValue | None = None
) -> SSAValue:
    """One or two numbers of 8 bits in a register of 16 bits."""
    sources = [None if each is None else _rounded_from(each, type_) for each in (low, high)]
    if sources[0] is None or (high is not None and sources[1] is None):
        assert isinstance(low.owner, Operation)
        raise no_lowering(low.owner, "elements of 8 bits that arith.truncf rounds from f32")
    operands = {
        "high": (zero(emit, f32) if sources[1] is None else sources[1],),
        "low": (sources[0],),
    }
    properties = {
        "rounding": "rn",
        "saturate": "satfinite",
        "type": f"{ELEMENT_TYPES[type_].name}x2",
        "source": "f32",
    }
    return emit.ptx(CvtPackNarrowOp, operands, properties, [i16]).d
