"""tcgen05.commit, which tracks completion (9.7.16.12.1), tcgen05.fence, which orders operations of
different threads (9.7.16.11.1), and tcgen05.wait for loads and stores (9.7.16.8.5)."""

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Mnemonic, Qualifier
from tcgen05_dialect.isa.targets import CTA_GROUP

_SECTION = "9.7.16.12.1"
STATE_SPACE = Qualifier(
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
    _SECTION,
    {"cta_group": CTA_GROUP, "space": STATE_SPACE, "multicast": MULTICAST},
)


_FENCE_SECTION = "9.7.16.11.1"
ORDER = Qualifier(
    "fence",
    {
        "before_thread_sync": "::before_thread_sync",
        "after_thread_sync": "::after_thread_sync",
    },
    rule("T5-FENCE-001"),
)
FENCE = Mnemonic("tcgen05.fence{order}", _FENCE_SECTION, {"order": ORDER})


_WAIT_SECTION = "9.7.16.8.5"
OPERATION = Qualifier(
    "wait",
    {"ld": "::ld", "st": "::st"},
    rule("T5-WAIT-001"),
)
WAIT = Mnemonic("tcgen05.wait{operation}.sync.aligned", _WAIT_SECTION, {"operation": OPERATION})
