"""Drawing of a descriptor word: one line for each field, connected to its bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tcgen05_dialect.calculator.answer import Drawing, Field, Fields, Part, Records
from tcgen05_dialect.isa.model.bitfield import BitField, BitLayout, FieldReading
from tcgen05_dialect.isa.model.rule import describe

_ROW_BITS = 32
"""Number of bits in one drawing, so that it fits the width of a page."""


def word_parts(layout: BitLayout, word: int, readings: Sequence[FieldReading]) -> list[Part]:
    """
    The parts of an answer about a word: the fields as a drawing and as records, and the errors.

    `readings` is the result of `layout.explain(word)`: the fields in order, lowest first.
    """
    fields = list(zip(layout.fields, readings, strict=True))
    drawn: list[str] = []
    for lowest in range(0, layout.width, _ROW_BITS):
        row = [pair for pair in fields if pair[0].lo in range(lowest, lowest + _ROW_BITS)]
        drawn = [*_draw(word, row), *([""] if drawn else []), *drawn]
    wrong = [
        Field(field.place, [str(part) for part in found.parts], str(found))
        for field, reading in fields
        if (found := reading.violation) is not None
    ]
    records = [
        {
            "bits": field.bits,
            "field": field.name,
            "code": reading.raw,
            "value": _value(field, reading),
            "legal": reading.is_legal,
        }
        for field, reading in fields
    ]
    parts: list[Part] = [Drawing("fields", drawn, Records("fields", records))]
    if wrong:
        parts.append(Fields("wrong", wrong))
    return parts


def _draw(word: int, fields: Sequence[tuple[BitField, FieldReading]]) -> Iterator[str]:
    """The lines of a drawing: the bits, and below them the value of each field."""
    groups = [f"{field.raw(word):0{field.hi - field.lo + 1}b}" for field, _ in reversed(fields)]
    header = " ".join(groups)
    yield header
    starts = [sum(len(group) + 1 for group in groups[:at]) for at in range(len(groups))]
    for at, (field, reading) in zip(reversed(range(len(groups))), fields, strict=True):
        hooks = "".join(f"{'|':<{len(group) + 1}}" for group in groups[:at])
        yield f"{hooks}{'+':-<{len(header) + 1 - starts[at]}} {_label(field, reading)}"


def _value(field: BitField, reading: FieldReading) -> str:
    """The meaning of a field's bits; the bits themselves if they are illegal."""
    value = field.decode(reading.raw)
    return (
        reading.meaning if field.encode(value) is not None else describe(field.found(reading.raw))
    )


def _label(field: BitField, reading: FieldReading) -> str:
    value = _value(field, reading)
    if field.hi > field.lo and value != str(reading.raw):
        value += f" (code {reading.raw:#x})"
    mark = "" if reading.is_legal else "  <- wrong"
    return f"{field.bits:<5}  {reading.field} = {value}{mark}"
