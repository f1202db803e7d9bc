"""Completion tracking of asynchronous operations: tcgen05.commit (9.7.16.12.1)."""

from tcgen05_dialect.isa.cta_group import CTA_GROUP
from tcgen05_dialect.isa.model.instruction import Mnemonic, Qualifier
from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.ptx.kernel import MAX_CTAS

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
CTA_MASKS = range(1 << MAX_CTAS)
"""Values of ctaMask, which has one bit for each CTA of the cluster."""
CTA_MASK_RULE = rule(
    "T5-COMMIT-003",
    _SECTION,
    subject="CTA mask",
    statement="Each bit that is set in the CTA mask is the bit of a CTA of the cluster.",
    why=(
        "A bit for a CTA that does not exist would signal a barrier object in memory that no CTA "
        "owns."
    ),
    fix="set only bits of CTAs in the cluster",
)

COMMIT = Mnemonic(
    "tcgen05.commit{cta_group}.mbarrier::arrive::one{space}{multicast}.b64",
    _SECTION,
    {"cta_group": CTA_GROUP, "space": STATE_SPACE, "multicast": MULTICAST},
)


def check_cta_mask(mask: int, ctas: int = MAX_CTAS) -> None:
    """Raise Violation unless `mask` is a legal ctaMask in a cluster of `ctas` CTAs."""
    legal = CTA_MASKS[: 1 << ctas]
    if mask not in legal:
        what = f"CTA mask in a cluster of {ctas} CTAs"
        raise CTA_MASK_RULE.violation(mask, legal, what, culprit="multicast_mask")
