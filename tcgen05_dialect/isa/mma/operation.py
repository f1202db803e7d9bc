"""Rules on the operands of a matrix product and its instruction descriptor (9.7.16.10)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import Rule

SPARSITY = Rule(
    "T5-IDESC-010",
    "sparsity bit of the instruction descriptor",
    "9.7.16.4.2",
    "set it exactly in the descriptors of .sp instructions",
)

ELEMENT = Rule(
    "T5-TYPE-004",
    "element types of operands and instruction descriptor",
    "9.7.16.4.2",
    "make the descriptor say what the operands hold",
)

PACKING = Rule(
    "T5-TYPE-005",
    "packing of elements of fewer than 8 bits",
    "9.7.16.10.4.4",
    "pack the elements of kinds mxf4 and mxf4nvf4, and pad those of the others",
)

EXTENT = Rule(
    "T5-SHAPE-005",
    "extents of operands and instruction descriptor",
    "9.7.16.4.2",
    "give the tiles the descriptor's extents; of a pair each CTA has half of A, D and B",
)

MAJOR = Rule(
    "T5-SWIZZLE-004",
    "majorness of the operand and transpose bit",
    "9.7.16.10.6",
    "set the transpose bit exactly for an MN-major operand",
)

ROLE = Rule(
    "T5-TMEM-005",
    "role of a matrix in tensor memory",
    "9.7.16.10.4",
    "pass an accumulator as D, a matrix of role a or a descriptor as A, and a descriptor as B",
)

DATA_PATH = Rule(
    "T5-TMEM-006",
    "data path layout of a matrix in tensor memory",
    "9.7.16.10.5",
    "give the matrix the layout that the message names, which M, cta_group and .ws ask for",
)

DESCRIPTOR_SOURCE = Rule(
    "T5-IDESC-009",
    "source of the instruction descriptor",
    "9.7.16.4.2",
    "give the attribute, or a kind and the operand",
)
