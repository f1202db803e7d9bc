"""Rules of agreement between the operands of a matrix product and its instruction descriptor
(9.7.16.10)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule

SPARSITY = rule(
    "T5-IDESC-010",
    "9.7.16.4.2",
    subject="sparsity bit of the instruction descriptor",
    fix="set it exactly in the descriptors of .sp instructions",
)

ELEMENT = rule(
    "T5-TYPE-004",
    "9.7.16.4.2",
    subject="element types of operands and instruction descriptor",
    fix="make the descriptor say what the operands hold",
)

PACKING = rule(
    "T5-TYPE-005",
    "9.7.16.10.4.4",
    subject="packing of elements of fewer than 8 bits",
    fix="pack the elements of kinds mxf4 and mxf4nvf4, and pad those of the others",
)

EXTENT = rule(
    "T5-SHAPE-005",
    "9.7.16.4.2",
    subject="extents of operands and instruction descriptor",
    fix="give the tiles the descriptor's extents; of a pair each CTA has half of A, D and B",
)

MAJOR = rule(
    "T5-SWIZZLE-004",
    "9.7.16.10.6",
    subject="majorness of the operand and transpose bit",
    fix="set the transpose bit exactly for an MN-major operand",
)

ROLE = rule(
    "T5-TMEM-005",
    "9.7.16.10.4",
    subject="role of a matrix in tensor memory",
    fix="pass an accumulator as D, a matrix of role a or a descriptor as A, and a descriptor as B",
)

DATA_PATH = rule(
    "T5-TMEM-006",
    "9.7.16.10.5",
    subject="data path layout of a matrix in tensor memory",
    fix="give the matrix the layout that the message names, which M, cta_group and .ws ask for",
)

DESCRIPTOR_SOURCE = rule(
    "T5-IDESC-009",
    "9.7.16.4.2",
    subject="source of the instruction descriptor",
    fix="give the attribute, or a kind and the operand",
)
