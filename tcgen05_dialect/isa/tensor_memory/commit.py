"""Completion tracking of asynchronous operations: tcgen05.commit (9.7.16.12.1)."""

from tcgen05_dialect.isa.cta_group import CTA_GROUP
from tcgen05_dialect.isa.model.instruction import Mnemonic, Qualifier
from tcgen05_dialect.isa.model.rule import rule

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
