"""Arithmetic of f32 with f16 and bf16 (9.7.5)."""

from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...ptx import instructions as ptx
from ...ptx.syntax import word_of
from ..machine.machine import Step
from ..machine.program import Handler, Program, computing
from ..numbers import floats
from ..numbers.float_arithmetic import arithmetic
from ..numbers.floats import F32, FORMATS, Lanes, decode, encode


def _handler(operation: str) -> Handler:
    def handler(op: Any, program: Program) -> Step:
        half = FORMATS[op.source.data]
        function = arithmetic(operation, word_of(op, "rounding") or "rn", F32, False)
        is_limited = op.saturate is not None

        def mixed(*operands: Lanes) -> Lanes:
            *halves, c = operands
            wide = [encode(decode(each, half), F32).astype(np.uint32) for each in halves]
            result = function(*wide, c)
            return floats.saturated(result, F32) if is_limited else result

        return computing(op, program, mixed)

    return handler


HANDLERS: dict[type[Operation], Handler] = {
    ptx.AddMixedOp: _handler("add"),
    ptx.SubMixedOp: _handler("sub"),
    ptx.FmaMixedOp: _handler("fma"),
}
"""Operation -> builder of its function."""
