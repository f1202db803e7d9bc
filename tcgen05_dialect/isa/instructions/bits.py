"""Logic, shifts, and instructions on the bits and bytes of integers (9.7.1, 9.7.8, 9.7.9.7)."""

from __future__ import annotations

from tcgen05_dialect.isa.instructions.arithmetic import BITS as BITS
from tcgen05_dialect.isa.instructions.arithmetic import INTEGERS as INTEGERS
from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Limit

BYTE_SELECTIONS = ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")
"""Modes of prmt that select bytes by the last two bits of the selector."""
LOOK_UP_TABLE = Limit(
    rule("T5-PTX-014"),
    range(256),
)

INSTRUCTIONS = r"""
popc | popc.$type %d, %a | 9.7.1.14 | type b32 b64; d B32 | pure
    | The number of bits of `a` that are one.
clz | clz.$type %d, %a | 9.7.1.15 | type b32 b64; d B32 | pure
    | The number of zeros above the highest bit of `a` that is one.
bfind | bfind.$shift_amount.$type %d, %a | 9.7.1.16
    | shift_amount? shiftamt; type u32 u64 s32 s64; d B32 | pure
    | The position of the highest bit of `a` that differs from its sign, or the shift that brings
      it to the top; all ones if there is none.
fns | fns.b32 %d, %mask, %base, %offset | 9.7.1.17
    | d mask base offset B32; as bits d mask base offset
    | pure
    | The position of a set bit of `mask`: the one that `offset` counts, beginning at bit `base`;
      all ones if there is none.
brev | brev.$type %d, %a | 9.7.1.18 | type b32 b64 | pure | The bits of `a` in reverse order.
bfe | bfe.$type %d, %a, %position, %length | 9.7.1.19 | type u32 u64 s32 s64; position length B32
    | pure
    | The field of `length` bits at bit `position` of `a`. A signed type is extended with the
      highest bit of the field.
bfi | bfi.$type %d, %a, %b, %position, %length | 9.7.1.20 | type b32 b64; position length B32
    | pure | `b` with the lowest `length` bits of `a` at bit `position`.
szext | szext.$mode.$type %d, %a, %length | 9.7.1.21
    | mode clamp wrap; type u32 s32; d a length B32 | pure
    | The lowest `length` bits of `a`, extended with their sign or with zeros.
bmsk | bmsk.$mode.b32 %d, %position, %length | 9.7.1.22 | mode clamp wrap; d position length B32
    | pure | A mask of `length` ones from bit `position` on.
dp4a | dp4a.$a_type.$b_type %d, %a, %b, %c | 9.7.1.23
    | a_type u32 s32; b_type u32 s32; d a b c B32 | pure
    | The scalar product of the four bytes of `a` and `b`, plus `c`.
dp2a | dp2a.$half.$a_type.$b_type %d, %a, %b, %c | 9.7.1.24
    | half lo hi; a_type u32 s32; b_type u32 s32; d a b c B32 | pure
    | The scalar product of the two halves of `a` and two bytes of `b`, plus `c`.
and | and.$type %d, %a, %b | 9.7.8.1 | type pred BITS | pure
    | The bits that are set in `a` and in `b`.
or | or.$type %d, %a, %b | 9.7.8.2 | type pred BITS | pure
    | The bits that are set in `a` or in `b`.
xor | xor.$type %d, %a, %b | 9.7.8.3 | type pred BITS | pure
    | The bits that are set in either `a` or `b`, but not in both.
not | not.$type %d, %a | 9.7.8.4 | type pred BITS | pure | The bits that are not set in `a`.
cnot | cnot.$type %d, %a | 9.7.8.5 | type BITS | pure | One if `a` is zero, else zero.
lop3 | lop3.b32 %d, %a, %b, %c, $table | 9.7.8.6
    | d a b c B32; table in LOOK_UP_TABLE; as bits d a b c
    | pure
    | For each bit, the entry of the look-up table that the bits of `a`, `b` and `c` select.
lop3.predicate | lop3.$operation.b32 %d|%holds, %a, %b, %c, $table, %predicate
      / no_result: lop3.$operation.b32 _|%holds, %a, %b, %c, $table, %predicate
    | 9.7.8.6 | operation or and; d a b c B32; holds predicate PRED; table in LOOK_UP_TABLE;
      as bits d a b c
    | pure
    | The bits of a look-up table as for `ptx.lop3`, and whether any of them is set, combined with
      `predicate`.
shf | shf.$direction.$mode.b32 %d, %low, %high, %amount | 9.7.8.7
    | direction r l; mode clamp wrap; d low high amount B32; as bits d low high | pure
    | The upper half of `high` and `low` shifted left, or their lower half shifted right.
shl | shl.$type %d, %a, %amount | 9.7.8.8 | type BITS; amount B32 | pure
    | `a` shifted left by `amount` bits; an amount of at least the width gives zero.
shr | shr.$type %d, %a, %amount | 9.7.8.9 | type INTEGERS BITS; amount B32 | pure
    | `a` shifted right by `amount` bits; a signed type is filled with its sign.
prmt | prmt.b32.$mode %d, %a, %b, %selector | 9.7.9.7
    | mode? BYTE_SELECTIONS; d a b selector B32; as bits d a b selector
    | pure | Four of the eight bytes of `b` and `a`; each digit of `selector` chooses one.
vabsdiff4 | vabsdiff4.$type.$a_type.$b_type.$saturate %d, !a, !b, !c | 9.7.18
    | type u32 s32; a_type u32 s32; b_type u32 s32; saturate? sat; a REGISTER of a_type;
      b REGISTER of b_type
    | pure
    | The absolute differences of the four bytes of `a` and `b`. `c` would fill the bytes that a
      mask excludes; this form has no mask, and does not read `c`.
vabsdiff2 | vabsdiff2.$type.$a_type.$b_type.$saturate %d, !a, !b, !c | 9.7.18
    | type u32 s32; a_type u32 s32; b_type u32 s32; saturate? sat; a REGISTER of a_type;
      b REGISTER of b_type
    | pure
    | The absolute differences of the two halves of `a` and `b`. `c` would fill the halves that a
      mask excludes; this form has no mask, and does not read `c`.
vabsdiff2.add | vabsdiff2.$type.$a_type.$b_type.add %d, !a, !b, !c | 9.7.18
    | type u32 s32; a_type u32 s32; b_type u32 s32; a REGISTER of a_type; b REGISTER of b_type
    | pure | The sum of the absolute differences of the two halves of `a` and `b`, plus `c`.
vabsdiff4.add | vabsdiff4.$type.$a_type.$b_type.add %d, !a, !b, !c | 9.7.18
    | type u32 s32; a_type u32 s32; b_type u32 s32; a REGISTER of a_type; b REGISTER of b_type
    | pure | The sum of the absolute differences of the four bytes of `a` and `b`, plus `c`.
"""
