"""Rules on how the typed operands of an instruction go together (9.7.16.10)."""

from __future__ import annotations

from tcgen05_dialect.isa.rule import Rule

ALLOCATION_LANES = Rule(
    "T5-ALLOC-003", "lanes of an allocation", "9.7.16.1.2", "give the matrix all lanes"
)
ALLOCATION_ADDRESS = Rule(
    "T5-ALLOC-004",
    "what is freed",
    "9.7.16.7.1",
    "free an allocation as a whole: its own address and number of columns",
)
SAME_CTA_GROUP = Rule(
    "T5-CTA_GROUP-002",
    "cta_group of all instructions of a kernel",
    "9.7.16.5",
    "give all of them the same cta_group",
)
CTA_PAIR = Rule(
    "T5-CTA_GROUP-003",
    "CTAs of a cluster with CTA pairs",
    "9.7.16.5",
    "launch the kernel in clusters that consist of whole CTA pairs",
)
DESCRIPTOR_TYPE = Rule(
    "T5-DESC-016",
    "type of a tile or of an advanced descriptor",
    "9.7.16.4.1",
    "give a tile the type of tile 0, an advanced descriptor its new k, and a whole tile none",
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
SAME_LANE = Rule(
    "T5-TMEM-007",
    "lane of A and D",
    "9.7.16.10.5",
    "begin A and D at the same lane, where the layout uses half of the lanes",
)
VARIABLE_ALIGNMENT = Rule(
    "T5-DESC-014",
    "alignment of the tile's variable",
    "9.7.16.4.1",
    "align the variable to the bytes after which the pattern of the swizzle repeats",
)
VARIABLE_SIZE = Rule(
    "T5-DESC-015",
    "bytes of the tile in its variable",
    "9.7.16.3",
    "make the variable as large as the tile, or begin further ahead",
)
SPARSITY = Rule(
    "T5-IDESC-010",
    "sparsity bit of the instruction descriptor",
    "9.7.16.4.2",
    "set it exactly in the descriptors of .sp instructions",
)
PACKED_BITS = Rule(
    "T5-LDST-008",
    "elements that are packed in pairs",
    "9.7.16.8.2",
    "pack and unpack 16-bit elements of an accumulator, which lie in a cell each",
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
SOURCE_EXTENT = Rule(
    "T5-CP-004", "extents of the source of cp", "9.7.16.9.2", "make the tile as large as the shape"
)
SOURCE_ELEMENT = Rule(
    "T5-CP-005",
    "size of the elements of the source of cp",
    "9.7.16.9.1",
    "decompress a tile whose elements have the size of the format",
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


def check_pairs(ctas: int, cluster: int) -> None:
    """Raise Violation unless a cluster consists of groups of so many CTAs (9.7.16.5)."""
    if cluster % ctas:
        raise CTA_PAIR.violation(f"{cluster} with cta_group {ctas}", f"a multiple of {ctas}")
