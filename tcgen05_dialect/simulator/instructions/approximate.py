"""
Approximate functions (9.7.3.16 to 9.7.3.22).

The manual only bounds their errors; they are computed in f64 and rounded to nearest.
"""

from xdsl.ir import Operation

from ...ptx import instructions as ptx
from ..machine.program import Handler
from ..numbers.float_arithmetic import arithmetic
from .arithmetic import approximate, of_floats

HANDLERS: dict[type[Operation], Handler] = {
    ptx.TanhOp: of_floats(lambda op, format_: arithmetic("tanh", "approx", format_, False)),
    ptx.RsqrtOp: approximate("rsqrt"),
    ptx.SinOp: approximate("sin"),
    ptx.CosOp: approximate("cos"),
}
"""Operation -> builder of its function."""
