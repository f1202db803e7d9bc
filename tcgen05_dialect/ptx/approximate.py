"""Approximate functions: tanh, rsqrt, sin and cos (9.7.3.16 to 9.7.3.22)."""

from abc import ABC
from collections.abc import Mapping
from typing import ClassVar

from xdsl.irdl import operand_def, result_def

from ..isa.ptx.approximate import CIRCULAR_TYPES, RSQRT, TANH_TYPES
from .instruction import PureInstruction, instruction, opt_qualifier, qualifier
from .register_types import REGISTER


class _Function(PureInstruction, ABC):
    a = operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "d": "type"}


@instruction("tanh.approx.$type %d, %a")
class TanhOp(_Function):
    """The hyperbolic tangent of `a`."""

    name = "ptx.tanh"
    type = qualifier(*TANH_TYPES)


@instruction("rsqrt.approx.$flush.$type %d, %a", RSQRT)
class RsqrtOp(_Function):
    """The reciprocal of the square root of `a`."""

    name = "ptx.rsqrt"
    flush = opt_qualifier(*RSQRT.values("flush"))
    type = qualifier(*RSQRT.values("type"))


@instruction("sin.approx.$flush.$type %d, %a")
class SinOp(_Function):
    """The sine of `a`."""

    name = "ptx.sin"
    flush = opt_qualifier("ftz")
    type = qualifier(*CIRCULAR_TYPES)


@instruction("cos.approx.$flush.$type %d, %a")
class CosOp(_Function):
    """The cosine of `a`."""

    name = "ptx.cos"
    flush = opt_qualifier("ftz")
    type = qualifier(*CIRCULAR_TYPES)
