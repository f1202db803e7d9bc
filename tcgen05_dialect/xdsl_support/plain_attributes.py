"""Attributes from plain Python values, by the constraints of properties."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, cast, get_args

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    f32,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Data
from xdsl.irdl import AttrConstraint, AttrSetConstraint, EqAttrConstraint, VerificationContext
from xdsl.utils.exceptions import VerifyException

from .words import Word

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
