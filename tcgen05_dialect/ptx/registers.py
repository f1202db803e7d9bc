"""
Register classes of PTX and the builtin types that stand for them.

As in MLIR's `llvm` dialect, the register types are the builtin types: `i1` is a `.pred`
register, `i16`, `f16` and `bf16` are `.b16`, `i32` and `f32` are `.b32`, `i64` and `f64` are
`.b64`. So values of `arith`, `scf` and `cf` mix freely with those of `ptx`. Every register is
declared with its bit-size type, which PTX accepts as an operand of any type of that size
(PTX ISA 9.4.1).
"""

from collections.abc import Mapping

from xdsl.dialects.builtin import bf16, f16, f32, f64, i1, i16, i32, i64
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, AttrSetConstraint, EqAttrConstraint

REGISTER_CLASSES: Mapping[Attribute, tuple[str, str]] = {
    i1: ("pred", "%p"),
    i16: ("b16", "%rs"),
    f16: ("b16", "%rs"),
    bf16: ("b16", "%rs"),
    i32: ("b32", "%r"),
    f32: ("b32", "%r"),
    i64: ("b64", "%rd"),
    f64: ("b64", "%rd"),
}
"""Register type -> the type that declares the register, and the prefix of its name."""

TYPES: Mapping[str, tuple[Attribute, ...]] = {
    "pred": (i1,),
    "b8": (i16, i32),
    "u8": (i16, i32),
    "s8": (i16, i32),
    "b16": (i16, f16, bf16),
    "u16": (i16,),
    "s16": (i16,),
    "f16": (f16,),
    "bf16": (bf16,),
    "b32": (i32, f32),
    "u32": (i32,),
    "s32": (i32,),
    "f32": (f32,),
    "f16x2": (i32,),
    "bf16x2": (i32,),
    "b64": (i64, f64),
    "u64": (i64,),
    "s64": (i64,),
    "f64": (f64,),
}
"""Type qualifier of an instruction -> the register types it takes, the usual one first."""

PRED: AttrConstraint = EqAttrConstraint(i1)
B16: AttrConstraint = EqAttrConstraint(i16)
B32: AttrConstraint = EqAttrConstraint(i32)
B64: AttrConstraint = EqAttrConstraint(i64)
REGISTER: AttrConstraint = AttrSetConstraint(frozenset(REGISTER_CLASSES))
B32_OR_B64: AttrConstraint = AttrSetConstraint(frozenset((i32, i64)))
"""A descriptor register or an address in tensor memory; or an address, shared or generic."""
