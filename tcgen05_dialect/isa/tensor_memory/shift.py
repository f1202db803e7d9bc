"""Shifts of rows in tensor memory: tcgen05.shift (9.7.16.9.3)."""

from tcgen05_dialect.isa.cta_group import CTA_GROUP
from tcgen05_dialect.isa.model.instruction import Mnemonic
from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Table
from tcgen05_dialect.isa.tensor_memory.cells import CELL_BITS, LANES, WARP_LANES

_SECTION = "9.7.16.9.3"
ELEMENT_BYTES = 32
"""Number of bytes of each row that the instruction shifts."""
COLUMNS = ELEMENT_BYTES * 8 // CELL_BITS

ADDRESS_LANES = Table(
    "Lane of tcgen05.shift",
    _SECTION,
    ("lane",),
    ((range(0, LANES, WARP_LANES),),),
    rule("T5-SHIFT-001", warp_lanes=WARP_LANES),
)

SHIFT = Mnemonic("tcgen05.shift{cta_group}.down", _SECTION, {"cta_group": CTA_GROUP}, "shift")


def source_lane(lane: int) -> int:
    """The lane whose old contents are in `lane` after the shift: the next lane, or `lane` itself if
    it is the last of a warp."""
    return lane if lane % WARP_LANES == WARP_LANES - 1 else lane + 1
