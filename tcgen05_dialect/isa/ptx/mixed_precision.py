"""Arithmetic of f32 with f16 and bf16 (9.7.5): types and qualifiers."""

from __future__ import annotations

from tcgen05_dialect.isa.ptx.arithmetic import ROUNDINGS

TYPES = ("f32",)
HALVES = ("f16", "bf16")
SUM_ROUNDINGS = (None, *ROUNDINGS)
PRODUCT_ROUNDINGS = ROUNDINGS
