"""Less usual arithmetic of integers (9.7.1): types and qualifiers."""

from __future__ import annotations

from tcgen05_dialect.isa.ptx.arithmetic import BITS, INTEGERS

HALVES = ("lo", "hi")
WORDS_24 = ("u32", "s32")
SAD_TYPES = INTEGERS
CNOT_TYPES = BITS
EXTENDED_TYPES = ("u32", "s32")
SATURATING_TYPES = ("s32",)
PACKED_TYPES = ("u16x2", "s16x2")
RELU_TYPES = ("s16x2", "s32")
