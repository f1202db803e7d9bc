"""Bit fields: one declaration that encodes, decodes, explains and checks a descriptor."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

from tcgen05_dialect.isa.model.rule import Rule, Violation, combined, describe, raise_any

BOOLEANS = (False, True)
_ILLEGAL = object()


class BitField(NamedTuple):
    """Bits `lo` to `hi` (inclusive) of a word, unsigned.

    A field has either `codes`, a map from each legal value to the number stored, or `numbers`, the
    legal numbers, stored without their `shift` low bits. Bits with `is_fixed` are not a parameter
    of the layout. A wrong value violates `rule`, or the rule of the layout if `rule` is None.
    `meanings` explains codes that are legal only elsewhere. `title` is the name of messages. The
    functions below make fields.
    """

    name: str
    lo: int
    hi: int
    codes: Mapping[Hashable, int] | None = None
    numbers: Collection[int] = ()
    shift: int = 0
    is_fixed: bool = False
    rule: Rule | None = None
    meanings: Mapping[int, object] = {}
    title: str = ""

    @property
    def bits(self) -> str:
        return str(self.lo) if self.lo == self.hi else f"{self.lo}-{self.hi}"

    @property
    def place(self) -> str:
        """Its name and its bits."""
        place = f"bit{'' if self.lo == self.hi else 's'} {self.bits}"
        return place if self.is_fixed else f"{self.name} ({place})"

    @property
    def legal(self) -> Collection[Hashable]:
        """The legal values."""
        return self.numbers if self.codes is None else tuple(self.codes)

    def raw(self, word: int) -> int:
        """The bits of this field in `word`."""
        return (word >> self.lo) & ((1 << (self.hi - self.lo + 1)) - 1)

    def encode(self, value: Hashable) -> int | None:
        """The bits that encode `value`; None if it is illegal."""
        if self.codes is not None:
            return self.codes.get(value)
        return value >> self.shift if isinstance(value, int) and value in self.numbers else None

    def decode(self, raw: int) -> Any:
        """The value that `raw` encodes; a unique sentinel if it is illegal."""
        if self.codes is not None:
            return next((value for value, code in self.codes.items() if code == raw), _ILLEGAL)
        number = raw << self.shift
        return number if number in self.numbers else _ILLEGAL

    def found(self, raw: int) -> object:
        """Illegal bits as messages show them: as a number, as their meaning elsewhere, or else as
        bits."""
        if self.codes is None:
            return raw << self.shift
        return self.meanings.get(raw, self.binary(raw))

    def binary(self, raw: int) -> str:
        """The bits of the field as a binary number, with leading zeros."""
        return f"{raw:#0{self.hi - self.lo + 3}b}"

    def completions(self, raw: int, known: int) -> list[int]:
        """Bits that agree with `raw` in the mask `known`: all legal codes, or legal numbers, of
        which some represent all if there are many; `raw` if none is legal."""
        whole = (1 << (self.hi - self.lo + 1)) - 1
        raw &= known
        if known == whole:
            return [raw]
        if self.codes is not None:
            tried: Iterable[int] = self.codes.values()
        elif len(self.numbers) == whole + 1:
            tried = (raw | fill for fill in _fillings(whole & ~known))
        else:
            tried = (number >> self.shift for number in self.numbers)
        return list(dict.fromkeys(each for each in tried if each & known == raw)) or [raw]

    def check(self) -> None:
        """Raise ValueError if the declaration is inconsistent."""
        if not 0 <= self.lo <= self.hi or not self.legal:
            raise ValueError(f"{self.name}: bits {self.bits} with no legal value or none at all")
        if self.codes is not None:
            stored = list(self.codes.values())
            if len(set(stored)) < len(stored):
                raise ValueError(f"{self.name}: two values have the same code")
        else:
            lost = self.numbers.step if isinstance(self.numbers, range) else 0
            if any(number % (1 << self.shift) for number in (lost, *self._bounds())):
                raise ValueError(f"{self.name}: a legal number has bits that are not stored")
            stored = [number >> self.shift for number in self._bounds()]
        if any(self.raw(code << self.lo) != code for code in stored):
            raise ValueError(f"{self.name}: a legal value does not fit in bits {self.bits}")

    def _bounds(self) -> Collection[int]:
        """The numbers to check: both ends of a range, or all numbers of a small set."""
        if isinstance(self.numbers, range):
            return (self.numbers[0], self.numbers[-1])
        return self.numbers


_FEW_BITS = 6


def _fillings(mask: int) -> Iterator[int]:
    """Numbers with bits in a mask only: all of them if there are few, else some of different
    size."""
    bits = [1 << at for at in range(mask.bit_length()) if mask >> at & 1]
    if len(bits) <= _FEW_BITS:
        yield from map(sum, product(*((0, bit) for bit in bits)))
    else:
        upper = sum(bits[len(bits) // 2 :])
        yield from (0, mask, upper, *reversed(bits))


def coded(
    name: str,
    lo: int,
    hi: int,
    codes: Mapping[Any, int],
    rule: Rule | None = None,
    meanings: Mapping[int, object] | None = None,
    title: str = "",
) -> BitField:
    """
    A field whose values, such as names, are encoded by codes; `meanings` explains other codes.
    """
    return BitField(name, lo, hi, codes, rule=rule, meanings=meanings or {}, title=title or name)


def flag(
    name: str, bit: int, legal: Collection[bool] = BOOLEANS, rule: Rule | None = None
) -> BitField:
    """A one-bit field; `legal` has one value if the manual fixes the bit."""
    codes: dict[Hashable, int] = {value: int(value) for value in sorted(legal)}
    return coded(name, bit, bit, codes, rule, dict(enumerate(BOOLEANS)))


def number(
    name: str,
    lo: int,
    hi: int,
    numbers: Collection[int] | None = None,
    shift: int = 0,
    rule: Rule | None = None,
    title: str = "",
) -> BitField:
    """A field that stores a number without its `shift` low bits. By default every number that fits
    is legal."""
    if numbers is None:
        numbers = range(0, 1 << (hi - lo + 1 + shift), 1 << shift)
    return BitField(name, lo, hi, None, numbers, shift, rule=rule, title=title or name)


def fixed(lo: int, hi: int, value: int = 0, rule: Rule | None = None) -> BitField:
    """Reserved bits, or bits that the manual fixes to `value`."""
    name = "fixed bits"
    return BitField(name, lo, hi, {value: value}, is_fixed=True, rule=rule, title=name)


class FieldReading(NamedTuple):
    """One field in an explanation: its position in the word, its bits, the value that they encode,
    and their violation."""

    bits: str
    field: str
    raw: int
    meaning: str
    violation: Violation | None = None

    @property
    def is_legal(self) -> bool:
        return self.violation is None

    def __str__(self) -> str:
        return f"{self.bits:>5}  {self.field} = {self.raw:#x}: {self.violation or self.meaning}"


FieldViolation = tuple[str, Violation]
"""A field that conflicts with others, and its violation."""


def with_conflicts(
    readings: Iterable[FieldReading], conflicts: Iterable[FieldViolation]
) -> list[FieldReading]:
    """Add conflicts between fields to the readings of a word whose fields are all legal."""
    found = list(conflicts)
    return [
        reading._replace(violation=combined(what for name, what in found if name == reading.field))
        for reading in readings
    ]


class BitLayout:
    """A word of `width` bits that consists of fields; `rule` applies to fields without their own
    rule.

    `noun` is what messages call the word, by default its `name`; `given` is what decides on the
    format, which messages name.

    Raises ValueError at construction if fields overlap, leave out a bit or repeat a name.
    """

    def __init__(
        self,
        name: str,
        section: str,
        width: int,
        fields: Iterable[BitField],
        rule: Rule,
        noun: str = "",
        given: Mapping[str, object] | None = None,
    ):
        self.name = name
        self.section = section
        self.width = width
        self.fields = tuple(sorted(fields, key=lambda field: field.lo))
        self.rule = rule
        self.noun = noun or name
        self.given = given
        self.parameters = tuple(field for field in self.fields if not field.is_fixed)
        self._names = {field.name for field in self.parameters}
        self._check()
        # A fixed field has one value, which is also its code.
        self._fixed_bits = sum(
            code << field.lo
            for field in self.fields
            if field.is_fixed and field.codes
            for code in field.codes.values()
        )

    def _check(self) -> None:
        next_bit = 0
        for field in self.fields:
            field.check()
            if field.lo != next_bit:
                raise ValueError(f"{self.name}: {field.name} is at {field.lo}, not {next_bit}")
            next_bit = field.hi + 1
        if next_bit != self.width:
            raise ValueError(f"{self.name}: fields end at bit {next_bit} of {self.width}")
        if len(self._names) < len(self.parameters):
            raise ValueError(f"{self.name}: two fields have the same name")

    def field(self, name: str) -> BitField:
        """The field called `name`. Raises KeyError."""
        for field in self.parameters:
            if field.name == name:
                return field
        raise KeyError(name)

    def _violation(self, field: BitField, found: object) -> Violation:
        rule = field.rule or self.rule
        if field.is_fixed:
            legal = frozenset(map(field.binary, (field.codes or {}).values()))
            return rule.violation(found, legal, f"{field.title} of the {self.noun}")
        legal = field.legal if field.codes is None else frozenset(field.codes)
        return rule.violation(found, legal, field.title, given=self.given, culprit=field.name)

    def violations(self, **values: Hashable) -> list[Violation]:
        """One violation for each field with an illegal value. Raises TypeError for wrong field
        names."""
        if values.keys() != self._names:
            names = ", ".join(field.name for field in self.parameters)
            raise TypeError(f"{self.name} has the fields {names}")
        return [
            self._violation(field, values[field.name])
            for field in self.parameters
            if field.encode(values[field.name]) is None
        ]

    def encode(self, **values: Hashable) -> int:
        """The word. Raises Violation that names every illegal value, and TypeError for wrong
        names."""
        word = self._fixed_bits
        wrong = values.keys() != self._names
        for field in () if wrong else self.parameters:
            code = field.encode(values[field.name])
            if code is None:
                wrong = True
                break
            word |= code << field.lo
        if wrong:
            raise_any(self.violations(**values))
        return word

    def completions(self, word: int, known: int) -> Iterator[int]:
        """
        Words with the bits of `word` in the mask `known`.

        Every field is legal where its known bits allow that, so a field that is illegal in one of
        these words is so whatever the other bits are.
        """
        choices = [field.completions(field.raw(word), field.raw(known)) for field in self.fields]
        for codes in product(*choices):
            yield sum(code << field.lo for code, field in zip(codes, self.fields, strict=True))

    def _values(self, word: int) -> list[Any]:
        """The value of each field; a sentinel for illegal bits. Raises Violation if the word is too
        wide."""
        if not 0 <= word < 1 << self.width:
            raise self.rule.violation(hex(word), f"0 to {(1 << self.width) - 1:#x}", self.noun)
        return [field.decode(field.raw(word)) for field in self.fields]

    def _misread(self, field: BitField, word: int) -> Violation:
        violation = self._violation(field, field.found(field.raw(word)))
        return violation.replaced(help=f"{violation.rule.fix} ({field.place} of the {self.noun})")

    def decode(self, word: int) -> dict[str, Any]:
        """The value of each field. Raises Violation that names every field with illegal bits."""
        values = self._values(word)
        raise_any(
            self._misread(field, word)
            for field, value in zip(self.fields, values, strict=True)
            if value is _ILLEGAL
        )
        return {
            field.name: value
            for field, value in zip(self.fields, values, strict=True)
            if not field.is_fixed
        }

    def explain(self, word: int) -> list[FieldReading]:
        """The fields of `word`, lowest bits first, including illegal ones. Raises Violation if the
        word is too wide."""
        return [
            FieldReading(field.bits, field.name, field.raw(word), describe(value))
            if value is not _ILLEGAL
            else FieldReading(
                field.bits, field.name, field.raw(word), "illegal", self._misread(field, word)
            )
            for field, value in zip(self.fields, self._values(word), strict=True)
        ]
