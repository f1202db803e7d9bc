"""min and max of three numbers (9.7.3.11, 9.7.3.12): types and qualifiers."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Table

_SECTION = "9.7.3.11, 9.7.3.12"
EXTREMA_OF_THREE = Table(
    "min and max of three numbers",
    _SECTION,
    ("type", "flush", "nan", "abs"),
    (("f32", (None, "ftz"), (None, "NaN"), (None, "abs")),),
    rule("T5-PTX-015"),
)
