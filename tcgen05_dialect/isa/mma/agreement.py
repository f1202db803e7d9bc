"""Rules on the agreement of a matrix product's operands with its instruction descriptor
(9.7.16.10)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule

SPARSITY = rule(
    "T5-IDESC-010",
    "9.7.16.4.2",
    subject="instruction descriptor",
    statement="The instruction descriptor is sparse if and only if the instruction is .sp.",
    why="The manual leaves a mismatch undefined, and ptxas does not report it.",
    fix="make the instruction descriptor sparse if and only if the instruction is .sp",
)

ELEMENT = rule(
    "T5-TYPE-004",
    "9.7.16.4.2",
    subject="element types of operands and instruction descriptor",
    statement="The instruction descriptor has the element types of the operands.",
    why="The MMA reads the bits of the operands as elements of the type in the descriptor.",
    fix="write the element types of A, B and D in the instruction descriptor",
)

PACKING = rule(
    "T5-TYPE-005",
    "9.7.16.10.4.4",
    subject="packing of elements of fewer than 8 bits",
    statement=(
        "Elements of fewer than 8 bits are packed for kinds mxf4 and mxf4nvf4, and padded to "
        "bytes for the other kinds."
    ),
    why="The MMA would read parts of neighbouring elements as one element.",
    fix="pack the elements for kinds mxf4 and mxf4nvf4, and pad them for the other kinds",
)

EXTENT = rule(
    "T5-SHAPE-005",
    "9.7.16.4.2",
    subject="extents of operands and instruction descriptor",
    statement="The tiles of an MMA have the extents in its instruction descriptor.",
    why=(
        "The descriptor determines what the MMA reads and writes; it would access memory outside "
        "smaller tiles."
    ),
    fix=(
        "give the tiles the extents of the descriptor; in a CTA pair, each CTA has half of A, B "
        "and D"
    ),
)

MAJOR = rule(
    "T5-SWIZZLE-004",
    "9.7.16.10.6",
    subject="majorness of the operand and transpose bit",
    statement="The transpose bit of an operand is set if and only if its tile is MN-major.",
    why="The hardware would read rows as columns.",
    fix="set the transpose bit if and only if the tile is MN-major",
)

ROLE = rule(
    "T5-TMEM-005",
    "9.7.16.10.4",
    subject="role of a matrix in tensor memory",
    statement="A matrix in tensor memory is used in the role that its type has.",
    why="Each role has its own layout in the cells.",
    fix="pass an accumulator as D, a matrix of role a or a descriptor as A, and a descriptor as B",
)

DATA_PATH = rule(
    "T5-TMEM-006",
    "9.7.16.10.5",
    subject="data path layout of a matrix in tensor memory",
    statement="A matrix has the data path layout that M, cta_group and .ws select.",
    why="The MMA uses its own layout: rows would be read from and written to other lanes.",
    fix="give the matrix the layout that the message names",
)

DESCRIPTOR_SOURCE = rule(
    "T5-IDESC-009",
    "9.7.16.4.2",
    subject="source of the instruction descriptor",
    statement=(
        "An MMA has an instruction descriptor: either an attribute, or an operand together with "
        "the kind."
    ),
    why="Without it, the shape and the types of the product are unknown.",
    fix="give the attribute idesc, or the attribute kind and the operand descriptor",
)
