"""Allocation: tcgen05.alloc, .dealloc and .relinquish_alloc_permit (9.7.16.7.1)."""

from tcgen05_dialect.isa.cta_group import CTA_GROUP
from tcgen05_dialect.isa.model.instruction import Mnemonic, Qualifier
from tcgen05_dialect.isa.model.limit import Limit
from tcgen05_dialect.isa.model.place import Place
from tcgen05_dialect.isa.model.rule import blamed, raise_any, rule
from tcgen05_dialect.isa.model.table import Table
from tcgen05_dialect.isa.tensor_memory.cells import ALLOCATION_UNIT, COLUMNS

_SECTION = "9.7.16.7.1"
COLUMNS_RULE = rule(
    "T5-ALLOC-001",
    _SECTION,
    subject="number of columns",
    statement=(
        f"The number of columns of an allocation is a power of two from {ALLOCATION_UNIT} to "
        f"{COLUMNS}."
    ),
    why=(
        "Tensor memory is allocated only in such sizes. The manual leaves other numbers undefined, "
        "and ptxas does not check them."
    ),
    fix=f"allocate a power of two of columns: {ALLOCATION_UNIT} to {COLUMNS}",
)
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

EXCLUSIVE_RULE = rule(
    "T5-ALLOC-007",
    _SECTION,
    subject="number of columns with .exclusive",
    statement=(
        f"The number of columns of an exclusive allocation is a multiple of {ALLOCATION_UNIT}."
    ),
    why="ptxas refuses a number that is not a multiple.",
    fix=f"allocate a multiple of {ALLOCATION_UNIT} columns",
)
EXCLUSIVE = Qualifier("exclusive", {False: "", True: ".exclusive"}, EXCLUSIVE_RULE)
_MOST_EXCLUSIVE = 576
"""Columns of the largest tensor memory. The targets that we know have fewer, but ptxas accepts such
a number for them too."""
EXCLUSIVE_COLUMNS = Limit(
    EXCLUSIVE_RULE, range(ALLOCATION_UNIT, _MOST_EXCLUSIVE + 1, ALLOCATION_UNIT)
)

_ADDRESS_BYTES = 4
_SLOT_RULE = rule(
    "T5-ALLOC-005",
    _SECTION,
    subject="slot of alloc",
    statement="alloc writes the address to an aligned word of shared memory.",
    why=(
        "A store outside the variable would overwrite another one; on a GPU a misaligned store "
        "traps."
    ),
    fix=f"give alloc {_ADDRESS_BYTES} bytes of shared memory, at a multiple of {_ADDRESS_BYTES}",
)
ALLOCATION_LANES = rule(
    "T5-ALLOC-003",
    "9.7.16.1.2",
    subject="number of lanes of an allocation",
    statement="The type of an allocated address covers all lanes of the columns.",
    why="alloc allocates whole columns; a matrix with fewer lanes is a slice of them.",
    fix="give the address a type with all lanes, then slice the matrix from it",
)
ALLOCATION_ADDRESS = rule(
    "T5-ALLOC-004",
    "9.7.16.7.1",
    subject="argument of dealloc",
    statement=(
        "dealloc frees one whole allocation: its operands are the address and the number of "
        "columns of that allocation."
    ),
    why=(
        "The manual leaves other addresses and numbers undefined. Columns may stay allocated, so "
        "that the next alloc blocks, or columns of another matrix may be freed."
    ),
    fix="pass dealloc the address that alloc wrote and the number of columns that alloc allocated",
)
PERMIT = rule(
    "T5-ALLOC-006",
    _SECTION,
    subject="permit to allocate",
    statement=(
        "If two CTAs of the kernel can run on one multiprocessor, and it has columns for both, "
        "each CTA relinquishes the permit to allocate after its last alloc."
    ),
    why=(
        "An alloc of the other CTA waits for the permit, although columns are free. It waits "
        "until the first CTA ends, or forever if the first CTA waits for the other one."
    ),
    fix="execute tcgen05.relinquish_alloc_permit after the last alloc",
    severity="warning",
    practice="kernels with one CTA on each multiprocessor may hold the permit until they end",
)
SLOT = Place(_ADDRESS_BYTES, _ADDRESS_BYTES, _SLOT_RULE, _SLOT_RULE)
"""The memory to which alloc writes the address."""

STATE_SPACE = Qualifier(
    "state space of dst",
    {None: "", "shared_cta": ".shared::cta"},
    rule(
        "T5-ALLOC-002",
        _SECTION,
        subject="state space of dst",
        statement="alloc writes its result to shared memory of the executing CTA.",
        why="PTX has no spelling for another state space.",
        fix="use .shared::cta or a generic address",
        unbreakable="neither IR nor PTX can spell another state space",
    ),
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
