"""Rules on tiles in shared memory: on the variable that holds a tile, and on its descriptors."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule

DESCRIPTOR_TYPE = rule("T5-DESC-016")

VARIABLE_ALIGNMENT = rule("T5-DESC-014")

VARIABLE_SIZE = rule("T5-DESC-015")

K_EXTENT = rule("T5-DESC-013")
