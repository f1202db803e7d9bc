"""Copies and conversions of registers and addresses (9.7.9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tcgen05_dialect.isa.instructions.arithmetic import BITS as BITS
from tcgen05_dialect.isa.instructions.arithmetic import INTEGERS, ROUNDINGS
from tcgen05_dialect.isa.instructions.memory import PARAMETER_SPACES, READ_SPACES
from tcgen05_dialect.isa.instructions.table import WordOf
from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Limit, Table
from tcgen05_dialect.isa.ptx.ptx_text import TYPE_BITS

CVTA_SPACES = ("global", *READ_SPACES, *PARAMETER_SPACES)
"""State spaces that have generic addresses."""
_SECTION = "9.7.9.21"
_BYTES = ("u8", "s8")
_INTEGERS = (*_BYTES, *INTEGERS)
_TO_INTEGER = ("rni", "rzi", "rmi", "rpi")
"""Roundings to an integral value."""
_FLUSH = (None, "ftz")
_SATURATE = (None, "sat")


def _range(integer: str) -> range:
    bits = TYPE_BITS[integer]
    return range(-(1 << bits - 1), 1 << bits - 1) if integer[0] == "s" else range(1 << bits)


def _integer_rows() -> Iterator[tuple[object, ...]]:
    """Rows for two integer types. `.sat` is legal if the source has values that do not fit into the
    destination."""
    for type_ in _INTEGERS:
        legal = _range(type_)
        wider = frozenset(
            source
            for source in _INTEGERS
            if _range(source)[0] < legal[0] or _range(source)[-1] > legal[-1]
        )
        yield type_, frozenset(_INTEGERS) - wider, None, None, None
        if wider:
            yield type_, wider, None, None, _SATURATE


_COLUMNS = ("type", "source", "rounding", "flush", "saturate", "relu")
_BASIC_ROWS = (
    *_integer_rows(),
    (_INTEGERS, "f32", _TO_INTEGER, _FLUSH, _SATURATE),
    (_INTEGERS, ("f16", "f64"), _TO_INTEGER, None, _SATURATE),
    (INTEGERS, "bf16", _TO_INTEGER, None, None),
    ("f32", _INTEGERS, ROUNDINGS, _FLUSH, _SATURATE),
    (("f16", "f64"), _INTEGERS, ROUNDINGS, None, _SATURATE),
    ("bf16", INTEGERS, ROUNDINGS, None, None),
    ("f16", "f16", (None, *_TO_INTEGER), None, _SATURATE),
    ("f32", "f32", (None, *_TO_INTEGER), _FLUSH, _SATURATE),
    ("f64", "f64", (None, *_TO_INTEGER), None, _SATURATE),
    ("bf16", "bf16", (None, *_TO_INTEGER), None, None),
    ("f32", "f16", None, _FLUSH, _SATURATE),
    ("f32", "bf16", None, _FLUSH, None),
    ("f64", "f16", None, None, _SATURATE),
    ("f64", "bf16", None, None, None),
    ("f64", "f32", None, _FLUSH, _SATURATE),
    ("f16", "f32", ROUNDINGS, _FLUSH, _SATURATE),
    ("f16", "f64", ROUNDINGS, None, _SATURATE),
    ("f32", "f64", ROUNDINGS, _FLUSH, _SATURATE),
    ("bf16", "f32", ROUNDINGS, _FLUSH, None),
    ("bf16", ("f16", "f64"), ROUNDINGS, None, None),
    ("f16", "bf16", ROUNDINGS, None, None),
)
_FINITE = (None, "satfinite")
_RELU = (None, "relu")
_ROWS = (
    *((*row, None) for row in _BASIC_ROWS),
    (("f16", "bf16"), "f32", ("rn", "rz"), None, "satfinite", _RELU),
    (("f16", "bf16"), "f32", ("rn", "rz"), None, None, "relu"),
    ("tf32", "f32", ("rn", "rz"), None, _FINITE, _RELU),
    ("tf32", "f32", "rna", None, _FINITE, None),
)
CVT = Table(
    "cvt",
    _SECTION,
    _COLUMNS,
    _ROWS,
    rule("T5-PTX-020"),
)

CVT_PACK = Table(
    "cvt of two values",
    _SECTION,
    ("type", "source", "rounding", "saturate", "relu"),
    ((("f16x2", "bf16x2"), "f32", ("rn", "rz"), _FINITE, _RELU),),
    rule("T5-PTX-021"),
)

PACKING = Table(
    "mov of a vector",
    "9.7.9.4",
    ("type", "parts", "bits"),
    tuple(
        (type_, parts, TYPE_BITS[type_] // parts)
        for type_, parts in (
            ("b16", 2),
            ("b32", 2),
            ("b32", 4),
            ("b64", 2),
            ("b64", 4),
            ("b128", 2),
        )
    ),
    rule("T5-PTX-022"),
)
"""Number and size of the registers that mov packs into a register of type `type`."""


class PackedElement(NamedTuple):
    """How numbers of at most 8 bits lie in a register: in slots of `slot_bits` bits, in the low
    bits of each, so many in a register as `counts` says."""

    slot_bits: int
    counts: tuple[int, ...]


_PAIRS_AND_QUADS = PackedElement(8, (2, 4))
PACKED_ELEMENTS = {
    **dict.fromkeys(("e4m3", "e5m2", "e3m2", "e2m3"), _PAIRS_AND_QUADS),
    "e2m1": PackedElement(4, (2, 4)),
    "ue8m0": PackedElement(8, (2,)),
}
_F8 = ("e4m3x2", "e5m2x2")
_F6_F4 = ("e3m2x2", "e2m3x2", "e2m1x2")
_NARROW = (*_F8, *_F6_F4)
_HALVES = ("f16x2", "bf16x2")
_SCALE = "ue8m0x2"
_SATFINITE = (None, "satfinite")

PACK = Table(
    "cvt of two values to packed numbers",
    _SECTION,
    ("type", "rounding", "saturate", "relu"),
    (
        (_NARROW, "rn", "satfinite", _RELU),
        (_SCALE, ("rz", "rp"), _SATFINITE, None),
    ),
    rule("T5-PTX-140"),
)
PACKED = Table(
    "cvt of packed numbers",
    _SECTION,
    ("type", "source", "rounding", "saturate", "relu", "scale"),
    (
        (_NARROW, _HALVES, "rn", "satfinite", _RELU, 0),
        ("f16x2", _NARROW, "rn", None, _RELU, 0),
        ("bf16x2", _NARROW, "rn", _SATFINITE, _RELU, (0, 1)),
        (_SCALE, "bf16x2", ("rz", "rp"), _SATFINITE, None, 0),
        ("bf16x2", _SCALE, "rn", None, None, 0),
    ),
    rule("T5-PTX-141"),
)
QUADS = tuple(f"{name}x4" for name, element in PACKED_ELEMENTS.items() if 4 in element.counts)
QUAD = Limit(
    rule("T5-PTX-142"),
    frozenset((4,)),
)
RANDOM_BITS = {"f16x2": 13, "bf16x2": 16}
"""Type of a pair -> the number of random bits for each value: in the low bits of each half of the
operand. Four values take 16 bits for each pair."""


def features_of_packed(word: WordOf) -> Sequence[str]:
    """The features of targets that a conversion of packed numbers needs."""
    type_, source = word("type"), word("source")
    if type_ == "bf16x2" and source != _SCALE:
        return ("cvt_to_bf16x2",)
    new = source == "bf16x2" and type_ != _SCALE
    return ("cvt_of_halves",) if new or type_ in _F6_F4 else ()


INSTRUCTIONS = r"""
mov | mov.$type %d, %a | 9.7.9.3 | type pred INTEGERS BITS f64 b128 f32; d a ANY_REGISTER of type
    | pure | A copy of `a`; the result may have another type of the same size.
pack | mov.$type %d, {%parts} | 9.7.9.4
    | type BITS b128; d ANY_REGISTER of type; parts REGISTER_OR_BYTE; base Packing | pure
    | A register packed from its parts, lowest bits first.
unpack | mov.$type {%parts}, %a | 9.7.9.4
    | type BITS b128; parts REGISTER_OR_BYTE; a ANY_REGISTER of type; sinks; base Packing | pure
    | The parts of a register, lowest bits first. The results `sinks` are printed as `_`.
isspacep | isspacep.$space %d, %a | 9.7.9.19 | space CVTA_SPACES; d PRED; a B64; as address a | pure
    | Whether a generic address is in a state space.
cvta | cvta.$space.u64 %d, %a | 9.7.9.20 | space CVTA_SPACES; d a B64 | pure
    | The generic address for an address in a state space.
cvta.to | cvta.to.$space.u64 %d, %a | 9.7.9.20 | space CVTA_SPACES; d a B64 | pure
    | The address in a state space for a generic address.
cvt | cvt.$rounding.$flush.$saturate.$relu.$type.$source %d, %a | 9.7.9.21
    | CVT; d REGISTER_OR_BYTE of type; a REGISTER_OR_BYTE of source | pure
    | `a` converted from type `source` to type `type`.
cvt.byte | cvt.$rounding.$type.$source %d, %a | 9.7.9.21
    | type u8 s8; source bf16; rounding rni rzi rmi rpi; d BYTE of type; a REGISTER of source | pure
    | `a` converted to a byte. A register of more than eight bits cannot take the result.
cvt.pack | cvt.$rounding.$saturate.$relu.$type.$source %d, %high, %low | 9.7.9.21
    | CVT_PACK; d B32 of type; high low REGISTER of source | pure
    | Two f32 values, converted and packed into the high and low half of a register.
cvt.pack_narrow | cvt.$rounding.$saturate.$relu.$type.$source %d, %high, %low | 9.7.9.21
    | PACK; source f32; d REGISTER_OR_BYTE of type; high low REGISTER of source | pure
    | Two f32 values, converted to packed numbers; `high` is in the upper half of the result.
cvt.packed
    | cvt.$rounding?scale(.scaled::n2::ue8m0).$saturate.$relu.$type.$source %d, !a?scale(, !scale)
    | 9.7.9.21
    | PACKED; d REGISTER_OR_BYTE of type; a REGISTER_OR_BYTE of source; scale B16; needs
      features_of_packed | pure
    | Both numbers of `a` converted from type `source` to type `type`. `scale` holds two powers of
      two by which the results are multiplied.
cvt.stochastic | cvt.rs.$saturate.$relu.$type.$source %d, {!values}, !random | 9.7.9.21
    | saturate satfinite; relu? relu; type QUADS; source f32; values REGISTER of source in QUAD;
      random B32; needs cvt_stochastic | pure
    | Four f32 values, rounded with the help of random bits and packed; the first one is in the
      highest bits of the result.
cvt.stochastic_pair | cvt.rs.$saturate.$relu.$type.$source %d, %high, %low, !random | 9.7.9.21
    | saturate? satfinite; relu? relu; type bf16x2 f16x2; source f32; d B32 of type; high low
      REGISTER of source; random B32; needs cvt_stochastic | pure
    | Two f32 values, rounded with the help of random bits and packed into the high and low half
      of a register.
cvt.pack_integers | cvt.pack.sat.$type.$source %d, %high, %low | 9.7.9.22
    | type u16 s16; source s32; d high low B32 | pure
    | Two integers, limited to the range of a type and packed into the halves of a register.
cvt.pack_short_integers | cvt.pack.sat.$type.$source.b32 %d, %high, %low, %rest | 9.7.9.22
    | type s4 u4 s2 u2 s8 u8; source s32; d high low rest B32; as bits rest | pure
    | Two integers, limited to the range of a type, in the lowest bits of a register; the low bits
      of `rest` follow.
mapa | mapa.shared::cluster.u32 %d, %address, %rank
      / u64: mapa.shared::cluster.u64 %d, %address, %rank
    | 9.7.9.23 | d address B32_OR_B64; rank B32; base SharedAddressing | pure
    | The `shared::cluster` address that corresponds to `address` in CTA `rank` of the cluster; it
      and `address` have 64 bits with the spelling `u64`.
mapa.generic | mapa.u64 %d, %address, %rank | 9.7.9.23 | d address B64; rank B32 | pure
    | The generic address that corresponds to the generic address `address` of shared memory in
      CTA `rank` of the cluster.
getctarank | getctarank.shared::cluster.u32 %d, %address
      / u64: getctarank.shared::cluster.u64 %d, %address
    | 9.7.9.24 | d B32; address B32_OR_B64; base SharedAddressing | pure
    | The rank of the CTA whose shared memory has the `shared::cluster` address `address`.
getctarank.generic | getctarank.u64 %d, %address | 9.7.9.24 | d B32; address B64 | pure
    | The rank of the CTA whose shared memory has the generic address `address`.
"""
