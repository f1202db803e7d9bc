"""
Tensor memory: extents and addresses (9.7.16.1), allocation by tcgen05.alloc, .dealloc and
.relinquish_alloc_permit (9.7.16.7.1), and synchronisation.

tcgen05.commit tracks completion (9.7.16.12.1), tcgen05.fence orders operations of different threads
(9.7.16.11.1), and tcgen05.wait waits for loads and stores (9.7.16.8.5).
"""

from __future__ import annotations

from typing import NamedTuple

from ..model.bitfield import BitLayout, number
from ..model.rule import Violation, blamed, raise_any, rule
from ..model.table import Limit, Mnemonic, Place, Qualifier, Table
from ..targets import CTA_GROUP

LANES = 128
COLUMNS = 512
CELL_BITS = 32
ALLOCATION_UNIT = 32
"""Allocation unit in columns."""
WARP_LANES = 32
"""Number of lanes that one warp can access with ld and st (9.7.16.8.1)."""

ADDRESS_RULE = rule("T5-TMEM-001", lanes=LANES, columns=COLUMNS)
SLICE = rule("T5-TMEM-003")
ACCESS_REGION = rule("T5-TMEM-004")
LANE_RULE = rule("T5-LDST-005", warp_lanes=WARP_LANES, half=WARP_LANES // 2)
ADDRESS = BitLayout(
    "tensor memory address",
    "9.7.16.1.1",
    32,
    (
        number("column", 0, 15, range(COLUMNS)),
        number("lane", 16, 31, range(LANES)),
    ),
    ADDRESS_RULE,
)


class Cell(NamedTuple):
    """A 32-bit cell of tensor memory, absolute or relative to an address."""

    lane: int
    column: int


def pack(lane: int, column: int) -> int:
    """The 32-bit address of a cell. Raises Violation for a cell outside tensor memory."""
    return ADDRESS.encode(lane=lane, column=column)


def unpack(address: int) -> Cell:
    """The cell at a 32-bit address. Raises Violation for an address outside tensor memory."""
    return Cell(**ADDRESS.decode(address))


_SCALE_ID = 0b11 << 30


def unpack_scale(address: int) -> Cell:
    """
    The cell at the 32-bit address of scale factors.

    CUTLASS also keeps the ID of the scale factors in the two highest bits of the address, although
    it belongs to the instruction descriptor (9.7.16.10.7). Raises Violation for an address outside
    tensor memory.
    """
    return unpack(address & ~_SCALE_ID)


def column_violations(first: int, columns: int, what: str) -> list[Violation]:
    """Violations of an access to `columns` columns, beginning at column `first`."""
    if first + columns <= COLUMNS:
        return []
    found = f"{first} to {first + columns - 1}"
    return [ADDRESS_RULE.violation(found, f"within 0 to {COLUMNS - 1}", what)]


def warp_lanes(warp: int) -> range:
    """The lanes that a warp can access with ld and st (9.7.16.8.1); `warp` is its index in the
    CTA."""
    first = warp * WARP_LANES % LANES
    return range(first, first + WARP_LANES)


_SECTION = "9.7.16.7.1"
COLUMNS_RULE = rule("T5-ALLOC-001", allocation_unit=ALLOCATION_UNIT, columns=COLUMNS)
ALLOCATIONS = Table(
    "Columns of an allocation",
    _SECTION,
    ("columns",),
    (
        (
            tuple(
                1 << power
                for power in range(ALLOCATION_UNIT.bit_length() - 1, COLUMNS.bit_length())
            ),
        ),
    ),
    COLUMNS_RULE,
    titles={"columns": COLUMNS_RULE.subject},
)
"""Legal numbers of columns: the allocation unit times a power of two, up to all columns."""

EXCLUSIVE_RULE = rule("T5-ALLOC-007", allocation_unit=ALLOCATION_UNIT)
EXCLUSIVE = Qualifier("exclusive", {False: "", True: ".exclusive"}, EXCLUSIVE_RULE)
_MOST_EXCLUSIVE = 576
"""Columns of the largest tensor memory. The targets that we know have fewer, but ptxas accepts such
a number for them too."""
EXCLUSIVE_COLUMNS = Limit(
    EXCLUSIVE_RULE, range(ALLOCATION_UNIT, _MOST_EXCLUSIVE + 1, ALLOCATION_UNIT)
)

_ADDRESS_BYTES = 4
_SLOT_RULE = rule("T5-ALLOC-005", address_bytes=_ADDRESS_BYTES)
ALLOCATION_LANES = rule("T5-ALLOC-003")
ALLOCATION_ADDRESS = rule("T5-ALLOC-004")
PERMIT = rule("T5-ALLOC-006")
SLOT = Place(_ADDRESS_BYTES, _ADDRESS_BYTES, _SLOT_RULE, _SLOT_RULE)
"""The memory to which alloc writes the address."""

STATE_SPACE = Qualifier(
    "state space of dst",
    {None: "", "shared_cta": ".shared::cta"},
    rule("T5-ALLOC-002"),
)

ALLOC = Mnemonic(
    "tcgen05.alloc{exclusive}{cta_group}.sync.aligned{space}.b32",
    _SECTION,
    {"exclusive": EXCLUSIVE, "cta_group": CTA_GROUP, "space": STATE_SPACE},
)
DEALLOC = Mnemonic(
    "tcgen05.dealloc{exclusive}{cta_group}.sync.aligned.b32",
    _SECTION,
    {"exclusive": EXCLUSIVE, "cta_group": CTA_GROUP},
)
RELINQUISH_ALLOC_PERMIT = Mnemonic(
    "tcgen05.relinquish_alloc_permit{cta_group}.sync.aligned", _SECTION, {"cta_group": CTA_GROUP}
)


def check_columns(columns: int, exclusive: bool = False) -> None:
    """Raise Violation unless `columns` columns can be allocated at once."""
    if not exclusive:
        ALLOCATIONS.check(columns=columns)
    else:
        raise_any(blamed(EXCLUSIVE_COLUMNS.violations(columns), "columns"))


COMMIT_SPACE = Qualifier(
    "state space of mbar",
    {None: "", "shared_cluster": ".shared::cluster"},
    rule("T5-COMMIT-001"),
)
MULTICAST = Qualifier(
    "multicast",
    {False: "", True: ".multicast::cluster"},
    rule("T5-COMMIT-002"),
)

COMMIT = Mnemonic(
    "tcgen05.commit{cta_group}.mbarrier::arrive::one{space}{multicast}.b64",
    "9.7.16.12.1",
    {"cta_group": CTA_GROUP, "space": COMMIT_SPACE, "multicast": MULTICAST},
)
ORDER = Qualifier(
    "fence",
    {
        "before_thread_sync": "::before_thread_sync",
        "after_thread_sync": "::after_thread_sync",
    },
    rule("T5-FENCE-001"),
)
FENCE = Mnemonic("tcgen05.fence{order}", "9.7.16.11.1", {"order": ORDER})
OPERATION = Qualifier(
    "wait",
    {"ld": "::ld", "st": "::st"},
    rule("T5-WAIT-001"),
)
WAIT = Mnemonic("tcgen05.wait{operation}.sync.aligned", "9.7.16.8.5", {"operation": OPERATION})
