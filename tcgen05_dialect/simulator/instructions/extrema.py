"""Extrema of three numbers (9.7.3.11, 9.7.3.12)."""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...ptx import instructions as ptx
from ..machine.program import Handler
from ..numbers import floats
from ..numbers.floats import Lanes, NumpyFormat
from .arithmetic import flushed, of_floats


def _of_three(choose: Callable[[Lanes, Lanes], Lanes]) -> Handler:
    def make(op: Any, format_: NumpyFormat) -> Callable[..., Lanes]:
        nan, magnitudes = op.nan is not None, op.abs is not None
        extremum = floats.extremum(choose, format_, flushed(op), nan, magnitudes)

        def function(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
            return extremum(extremum(a, b), c)

        return function

    return of_floats(make)


HANDLERS: dict[type[Operation], Handler] = {
    ptx.Min3Op: _of_three(np.minimum),
    ptx.Max3Op: _of_three(np.maximum),
}
"""Operation -> builder of its function."""
