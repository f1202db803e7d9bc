"""Allocation: tcgen05.alloc, .dealloc and .relinquish_alloc_permit (9.7.16.7.1)."""

from tcgen05_dialect.isa.cta_group import CTA_GROUP
from tcgen05_dialect.isa.model.instruction import Mnemonic, Qualifier
from tcgen05_dialect.isa.model.limit import Limit
from tcgen05_dialect.isa.model.place import Place
from tcgen05_dialect.isa.model.rule import blamed, raise_any, rule
from tcgen05_dialect.isa.model.table import Table
from tcgen05_dialect.isa.tensor_memory.cells import ALLOCATION_UNIT, COLUMNS

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
