"""tanh, rsqrt, sin and cos (9.7.3.16 to 9.7.3.22, 9.7.4.9): types and qualifiers."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Table

TANH_TYPES = ("f16", "f16x2", "bf16", "bf16x2", "f32")
CIRCULAR_TYPES = ("f32",)
"""Types of sin and cos."""
RSQRT = Table(
    "rsqrt.approx",
    "9.7.3.16, 9.7.3.17",
    ("type", "flush"),
    (("f32", (None, "ftz")), ("f64", (None, "ftz"))),
    rule("T5-PTX-146"),
)
