"""Approximate functions: hyperbolic tangent and reciprocal square root (9.7.3.16, 9.7.3.22)."""

from abc import ABC
from collections.abc import Mapping
from typing import ClassVar

from xdsl.irdl import operand_def, result_def

from ..isa.ptx.approximate import RSQRT_TYPES, TANH_TYPES
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


@instruction("rsqrt.approx.$flush.$type %d, %a")
class RsqrtOp(_Function):
    """The reciprocal of the square root of `a`."""

    name = "ptx.rsqrt"
    flush = opt_qualifier("ftz")
    type = qualifier(*RSQRT_TYPES)
