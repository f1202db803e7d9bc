"""Votes, matches and reductions in a warp (9.7.13.8 to 9.7.13.12): types and qualifiers."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Table

VOTES = ("all", "any", "uni")
MATCH_TYPES = ("b32", "b64")
REDUX = Table(
    "redux.sync",
    "9.7.13.12",
    ("type", "operation", "abs", "nan"),
    (
        (("u32", "s32"), ("add", "min", "max"), None, None),
        ("b32", ("and", "or", "xor"), None, None),
        ("f32", ("min", "max"), (None, "abs"), (None, "NaN")),
    ),
    rule("T5-PTX-063"),
)
