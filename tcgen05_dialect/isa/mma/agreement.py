"""Rules on the agreement of a matrix product's operands with its instruction descriptor
(9.7.16.10)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule

SPARSITY = rule("T5-IDESC-010")

ELEMENT = rule("T5-TYPE-004")

PACKING = rule("T5-TYPE-005")

EXTENT = rule("T5-SHAPE-005")

MAJOR = rule("T5-SWIZZLE-004")

ROLE = rule("T5-TMEM-005")

DATA_PATH = rule("T5-TMEM-006")

DESCRIPTOR_SOURCE = rule("T5-IDESC-009")
