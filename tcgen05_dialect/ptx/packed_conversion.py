"""Conversions from and to packed numbers of at most 8 bits (9.7.9.21)."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from xdsl.irdl import operand_def, opt_operand_def, result_def, var_operand_def

from ..isa.ptx.packed_conversion import (
    PACK,
    PACKED,
    PACKED_INTEGERS,
    QUAD,
    QUADS,
    RANDOM_BITS,
    SCALED,
    SHORT_INTEGERS,
    feature,
)
from .instruction import PureInstruction, instruction, opt_qualifier, qualifier
from .register_types import B16, B32, REGISTER, REGISTER_OR_BYTE


@instruction("cvt.$rounding.$saturate.$relu.$type.$source %d, %high, %low", PACK)
class CvtPackNarrowOp(PureInstruction):
    """Two f32 values, converted to packed numbers; `high` is in the upper half of the result."""

    name = "ptx.cvt.pack_narrow"
    rounding = qualifier(*PACK.values("rounding"))
    saturate = opt_qualifier(*PACK.values("saturate"))
    relu = opt_qualifier(*PACK.values("relu"))
    type = qualifier(*PACK.values("type"))
    source = qualifier("f32")
    high = operand_def(REGISTER)
    low = operand_def(REGISTER)
    d = result_def(REGISTER_OR_BYTE)
    TYPED: ClassVar[Mapping[str, str]] = {"high": "source", "low": "source", "d": "type"}


@instruction(
    f"cvt.$rounding?scale(.{SCALED}).$saturate.$relu.$type.$source %d, !a?scale(, !scale)", PACKED
)
class CvtPackedOp(PureInstruction):
    """
    Both numbers of `a` converted from type `source` to type `type`. `scale` holds two powers of two
    by which the results are multiplied.
    """

    name = "ptx.cvt.packed"
    rounding = qualifier(*PACKED.values("rounding"))
    saturate = opt_qualifier(*PACKED.values("saturate"))
    relu = opt_qualifier(*PACKED.values("relu"))
    type = qualifier(*PACKED.values("type"))
    source = qualifier(*PACKED.values("source"))
    a = operand_def(REGISTER_OR_BYTE)
    scale = opt_operand_def(B16)
    d = result_def(REGISTER_OR_BYTE)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "source", "d": "type"}

    def features(self) -> Sequence[str]:
        needed = feature(self.type.data, self.source.data)
        return () if needed is None else (needed,)


@instruction("cvt.pack.sat.$type.$source %d, %high, %low")
class CvtPackIntegersOp(PureInstruction):
    """Two integers, limited to the range of a type and packed into the halves of a register."""

    name = "ptx.cvt.pack_integers"
    type = qualifier(*PACKED_INTEGERS)
    source = qualifier("s32")
    high = operand_def(B32)
    low = operand_def(B32)
    d = result_def(B32)


@instruction("cvt.pack.sat.$type.$source.b32 %d, %high, %low, %rest")
class CvtPackShortIntegersOp(PureInstruction):
    """Two integers, limited to the range of a type, in the lowest bits of a register; the low bits
    of `rest` follow."""

    name = "ptx.cvt.pack_short_integers"
    type = qualifier(*SHORT_INTEGERS)
    source = qualifier("s32")
    high = operand_def(B32)
    low = operand_def(B32)
    rest = operand_def(B32)
    d = result_def(B32)


@instruction("cvt.rs.$saturate.$relu.$type.$source %d, {!values}, !random", limits={"values": QUAD})
class CvtStochasticOp(PureInstruction):
    """
    Four f32 values, rounded with the help of random bits and packed; the first one is in the
    highest bits of the result.
    """

    name = "ptx.cvt.stochastic"
    saturate = qualifier("satfinite")
    relu = opt_qualifier("relu")
    type = qualifier(*QUADS)
    source = qualifier("f32")
    values = var_operand_def(REGISTER)
    random = operand_def(B32)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"values": "source", "d": "type"}

    def features(self) -> Sequence[str]:
        return ("cvt_stochastic",)


@instruction("cvt.rs.$saturate.$relu.$type.$source %d, %high, %low, !random")
class CvtStochasticPairOp(PureInstruction):
    """Two f32 values, rounded with the help of random bits and packed into the high and low half of
    a register."""

    name = "ptx.cvt.stochastic_pair"
    saturate = opt_qualifier("satfinite")
    relu = opt_qualifier("relu")
    type = qualifier(*RANDOM_BITS)
    source = qualifier("f32")
    high = operand_def(REGISTER)
    low = operand_def(REGISTER)
    random = operand_def(B32)
    d = result_def(B32)
    TYPED: ClassVar[Mapping[str, str]] = {"high": "source", "low": "source", "d": "type"}

    def features(self) -> Sequence[str]:
        return ("cvt_stochastic",)
