"""Completion tracking of asynchronous operations: tcgen05.commit (9.7.16.12.1)."""

from tcgen05_dialect.isa.cta_group import CTA_GROUP
from tcgen05_dialect.isa.model.instruction import Mnemonic, Qualifier
from tcgen05_dialect.isa.model.rule import rule

_SECTION = "9.7.16.12.1"
STATE_SPACE = Qualifier(
    "state space of mbar",
    {None: "", "shared_cluster": ".shared::cluster"},
    rule(
        "T5-COMMIT-001",
        _SECTION,
        subject="state space of mbar",
        statement="commit signals a barrier object in the shared memory of the cluster.",
        why="PTX has no spelling for another state space.",
        fix="use .shared::cluster or a generic address",
        unbreakable="neither IR nor PTX can spell another state space",
    ),
)
MULTICAST = Qualifier(
    "multicast",
    {False: "", True: ".multicast::cluster"},
    rule(
        "T5-COMMIT-002",
        _SECTION,
        subject="multicast of commit",
        statement=(
            "A commit with .multicast::cluster has a CTA mask, and a commit without it has none."
        ),
        why="The mask is an operand only of the multicast form.",
        fix="write .multicast::cluster and a CTA mask, or neither",
        unbreakable="neither IR nor PTX can spell one without the other",
    ),
)

COMMIT = Mnemonic(
    "tcgen05.commit{cta_group}.mbarrier::arrive::one{space}{multicast}.b64",
    _SECTION,
    {"cta_group": CTA_GROUP, "space": STATE_SPACE, "multicast": MULTICAST},
)
