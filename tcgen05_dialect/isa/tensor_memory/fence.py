"""Ordering of operations of different threads: tcgen05.fence (9.7.16.11.1)."""

from tcgen05_dialect.isa.model.instruction import Mnemonic, Qualifier
from tcgen05_dialect.isa.model.rule import rule

_SECTION = "9.7.16.11.1"
ORDER = Qualifier(
    "fence",
    {
        "before_thread_sync": "::before_thread_sync",
        "after_thread_sync": "::after_thread_sync",
    },
    rule("T5-FENCE-001"),
)
FENCE = Mnemonic("tcgen05.fence{order}", _SECTION, {"order": ORDER})
