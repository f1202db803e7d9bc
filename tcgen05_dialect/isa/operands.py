"""Rules on how the typed operands of an instruction go together (9.7.16.10)."""

from __future__ import annotations

from tcgen05_dialect.isa.rule import Rule

ALLOCATION_LANES = Rule(
    "T5-ALLOC-003", "lanes of an allocation", "9.7.16.1.2", "an allocation has all lanes"
)
SLICE = Rule(
    "T5-TMEM-003", "slice lies inside its matrix", "9.7.16.1.1", "move the slice or shrink it"
)
ACCESS_REGION = Rule(
    "T5-TMEM-004",
    "lanes and columns of the accessed region",
    "9.7.16.2.3",
    "slice the matrix to what the instruction moves",
)
ELEMENT = Rule(
    "T5-TYPE-004",
    "element types of operands and instruction descriptor",
    "9.7.16.4.2",
    "make the descriptor say what the operands hold",
)
EXTENT = Rule(
    "T5-SHAPE-005",
    "extents of operands and instruction descriptor",
    "9.7.16.4.2",
    "with cta_group 2 each CTA holds half of the rows of A and D and half of the columns of B",
)
K_EXTENT = Rule(
    "T5-DESC-013",
    "K of the instruction inside the operand's tile",
    "9.7.16.2.2",
    "advance less, or make the tile longer",
)
MAJOR = Rule(
    "T5-SWIZZLE-004",
    "majorness of the operand and transpose bit",
    "9.7.16.10.6",
    "set the transpose bit exactly for an MN-major operand",
)
ROLE = Rule("T5-TMEM-005", "role of a matrix in tensor memory", "9.7.16.10.4")
DATA_PATH = Rule("T5-TMEM-006", "data path layout of a matrix in tensor memory", "9.7.16.10.5")
DESCRIPTOR_SOURCE = Rule(
    "T5-IDESC-009",
    "source of the instruction descriptor",
    "9.7.16.4.2",
    "give the attribute, or a kind and the operand",
)
