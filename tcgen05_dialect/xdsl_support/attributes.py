"""
Attributes, made faster than by xDSL, and checked where xDSL checks nothing or words it otherwise:

- attributes from plain Python values, by the constraints of properties (`attribute_of`);
- integers and texts, each made once (`integer`, `text`): xDSL verifies each attribute that it
  makes, which takes as long as making an operation;
- texts that are one of some words (`Word`), left to the verifier of the operation, because the
  message of `AttrSetConstraint` names no rule;
- the properties that MLIR prints in generic format and xDSL does not declare (`drop_promises`),
  most of which are promises for optimisations;
- the exact bits of float attributes, NaNs included (`float_of`, `bits_of`): xDSL converts floats
  with `struct`, which sets the quiet bit of a signalling NaN and drops the payload of an f16 NaN;
- the range of the predicates of `arith.cmpi` and `arith.cmpf` (`check_predicate`), for which xDSL
  accepts any integer.

Uses no private names of xDSL. Each part can be deleted when xDSL does the same.
"""

import math
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast, get_args

from typing_extensions import TypeVar
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    FloatData,
    IntAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    bf16,
    f16,
    f32,
    f64,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Data, Operation
from xdsl.irdl import (
    AttrConstraint,
    AttrSetConstraint,
    BaseAttr,
    EqAttrConstraint,
    IntConstraint,
    IRDLOperation,
    VerificationContext,
)
from xdsl.utils.exceptions import VerifyException

from ..isa.element import FLOAT_FORMATS
from ..isa.ptx.kernel import ATTRIBUTE_RULE

_TEXT = BaseAttr(StringAttr)


@dataclass(frozen=True)
class Word(AttrConstraint[StringAttr]):
    """Any text; `words` are the texts that the verifier of the operation accepts."""

    words: tuple[str, ...]

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        _TEXT.verify(attr, constraint_context)

    def get_bases(self) -> set[type[Attribute]]:
        return {StringAttr}

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> AttrConstraint[StringAttr]:
        return self


def one_of(words: Iterable[object]) -> Word:
    """The constraint for words of a table, whose cells may also be empty."""
    return Word(tuple(sorted(each for each in words if isinstance(each, str))))


_TEXTS: Mapping[type[Attribute], str] = {
    UnitAttr: "Flag",
    IntegerAttr: "Integer",
    IntAttr: "Integer",
    FloatAttr: "Float",
    StringAttr: "Text",
    SymbolRefAttr: "Symbol",
    DenseArrayBase: "Integers",
    ArrayAttr: "Items",
    DictionaryAttr: "Dictionary",
}
"""Class of attributes -> the name of the types that are taken for it."""


def plain_types(constraint: AttrConstraint) -> str:
    """The types that are taken for a property, as an annotation; `operations` defines the names."""
    words = spellings(constraint)
    if words:
        return f"Literal[{', '.join(f'{word!r}' for word in words)}] | StringAttr"
    bases = constraint.get_bases()
    if bases is None:
        return "Plain"
    return " | ".join(sorted({_text(each) for each in bases}))


def spellings(constraint: AttrConstraint) -> list[str]:
    """The words that a property may have; none if it takes any text, or no text."""
    match constraint:
        case Word(words=words):
            return [*words]
        case AttrSetConstraint(values=values):
            legal = values
        case EqAttrConstraint(attr=attribute):
            legal = frozenset((attribute,))
        case _:
            return []
    return sorted(each.data for each in legal if isinstance(each, StringAttr))


def _text(base: type[Attribute]) -> str:
    if base in _TEXTS:
        return _TEXTS[base]
    held = _held_by(base)
    return base.__name__ if held is None else f"{base.__name__} | {held.__name__}"


def _held_by(base: type[Attribute]) -> type[Any] | None:
    """The class of the object that a data attribute holds."""
    for each in getattr(base, "__orig_bases__", ()):
        arguments = get_args(each)
        if issubclass(base, Data) and arguments and isinstance(arguments[0], type):
            return arguments[0]
    return None


def attribute_of(
    given: object, constraint: AttrConstraint, what: str, type_: object = None
) -> Attribute | None:
    """
    The attribute that a plain value stands for; None for a flag that is False. A number has the
    type `type_`, that of the result, where the constraint allows any type.

    The first one that satisfies the constraint, or else the first one, which the verifier of the
    operation refuses. Raises TypeError if the value stands for no attribute.
    """
    if isinstance(given, Attribute):
        return given
    bases = constraint.get_bases()
    if given is False and bases == {UnitAttr}:
        return None
    candidates = [*_numbers(given, type_), *_attributes(given, bases or set())]
    for each in candidates:
        try:
            constraint.verify(each, VerificationContext())
        except VerifyException:
            continue
        return each
    if not candidates:
        raise TypeError(f"{what}: expected {plain_types(constraint)}; found {given!r}")
    return candidates[0]


def _attributes(given: object, bases: set[type[Attribute]]) -> Iterator[Attribute]:
    match given:
        case bool():
            yield from (UnitAttr(),) if given else ()
            yield IntegerAttr(int(given), i1)
        case int():
            yield from _integers(given)
        case float():
            yield FloatAttr(given, f32)
        case str():
            yield StringAttr(given)
            yield SymbolRefAttr(given)
        case Mapping():
            items = cast("Mapping[str, object]", given).items()
            found = {name: next(_attributes(each, set()), None) for name, each in items}
            if all(isinstance(each, Attribute) for each in found.values()):
                yield DictionaryAttr(cast("dict[str, Attribute]", found))
        case Sequence():
            yield from _lists(list(cast("Sequence[object]", given)))
        case Attribute():
            yield given
        case _:
            for base in bases:
                held = _held_by(base)
                if held is not None and isinstance(given, held):
                    yield cast("type[Data[Any]]", base)(given)


def _numbers(given: object, type_: object) -> Iterator[Attribute]:
    """The attribute for a number of a type; none if the type has no such number."""
    if isinstance(type_, IntegerType) and isinstance(given, int):
        with suppress(VerifyException):
            yield IntegerAttr(int(given), cast(IntegerType, type_))
    elif isinstance(type_, AnyFloat) and isinstance(given, int | float):
        yield FloatAttr(float(given), type_)


def _integers(given: int) -> Iterator[Attribute]:
    for type_ in (i32, i64):
        try:
            yield IntegerAttr(given, type_)
        except VerifyException:
            continue
    yield IntAttr(given)


def _lists(given: list[object]) -> Iterator[Attribute]:
    if all(type(each) is int for each in given):
        for type_ in (i32, i64, i8):
            try:
                yield DenseArrayBase.from_list(type_, cast("list[int]", given))
            except ValueError:
                continue
    kinds = [list(_attributes(each, set())) for each in given]
    for choice in range(max(map(len, kinds), default=1)):
        if all(len(each) > choice for each in kinds):
            yield ArrayAttr([each[choice] for each in kinds])


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


_PROMISES: Mapping[str, str] = {
    "arg_attrs": "array",
    "branch_weights": "array",
    "fastmath": "arith.fastmath",
    "isExact": "unit",
    "no_inline": "unit",
    "overflowFlags": "arith.overflow",
    "res_attrs": "array",
}
"""Property -> the name of its kind of attribute. `array` is also that of a dense array."""
_ROUNDING = "roundingmode"
_TO_NEAREST_EVEN = 0


def drop_promises(operation: Operation) -> None:
    """Remove the properties that xDSL does not declare and without which the operation computes the
    same: promises, permissions, and the rounding mode that it has by default."""
    if not isinstance(operation, IRDLOperation):
        return
    declared = operation.get_irdl_definition().properties
    for name, value in [*operation.properties.items()]:
        if name not in declared and _is_without_effect(name, value):
            del operation.properties[name]


def _is_without_effect(name: str, value: Attribute) -> bool:
    if name == _ROUNDING:
        return isinstance(value, IntegerAttr) and value.value.data == _TO_NEAREST_EVEN
    return name in _PROMISES and value.name == _PROMISES[name]


_FRACTION_BITS: Mapping[Attribute, int] = {
    type_: FLOAT_FORMATS[type_.name].precision - 1 for type_ in (f16, bf16, f32, f64)
}
_WIDEST = _FRACTION_BITS[f64]
_WIDEST_EXPONENT = 0x7FF << _WIDEST


def _layout(type_: AnyFloat) -> tuple[int, int]:
    """The number of fraction bits, and the shifted exponent of infinities and NaNs."""
    fraction = _FRACTION_BITS[type_]
    sign = 1 << type_.bitwidth - 1
    return fraction, sign - (1 << fraction)


def float_of(bits: int, type_: AnyFloat) -> float:
    """The value of a float given by its bits; a NaN keeps its sign and payload."""
    fraction, exponent = _layout(type_)
    payload = bits % (1 << fraction)
    if bits & exponent != exponent or not payload:
        return next(iter(type_.iter_unpack(bits.to_bytes(type_.bitwidth // 8, "little"))))
    sign = bits >> type_.bitwidth - 1
    widened = sign << 63 | _WIDEST_EXPONENT | payload << _WIDEST - fraction
    return struct.unpack("<d", widened.to_bytes(8, "little"))[0]


def bits_of(value: float, type_: AnyFloat) -> int:
    """The bits of a value as a float of a type. Raises OverflowError if it is out of range."""
    if not math.isnan(value):
        return int.from_bytes(type_.pack((value,)), "little")
    fraction, exponent = _layout(type_)
    widened = int.from_bytes(struct.pack("<d", value), "little")
    # A payload that is lost in narrowing would turn the NaN into an infinity.
    payload = widened % (1 << _WIDEST) >> _WIDEST - fraction or 1 << fraction - 1
    return widened >> 63 << type_.bitwidth - 1 | exponent | payload


def float_attribute(bits: int, type_: AnyFloat) -> FloatAttr:
    """The attribute for a float with these bits."""
    return FloatAttr.new((FloatData(float_of(bits, type_)), type_))


def attribute_bits(attribute: FloatAttr) -> int:
    """The bits of the float in an attribute."""
    return bits_of(attribute.value.data, attribute.type)


_PREDICATES = {"arith.cmpi": 10, "arith.cmpf": 16}
"""Operation -> the number of its predicates; they are numbered from 0."""


def check_predicate(operation: Operation) -> None:
    """Check the predicate of a comparison. Raises Violation if it is out of range."""
    number = _PREDICATES.get(operation.name)
    if number is None:
        return
    predicate = operation.properties.get("predicate")
    if isinstance(predicate, IntegerAttr) and predicate.value.data not in range(number):
        raise ATTRIBUTE_RULE.violation(predicate.value.data, range(number), "predicate")
