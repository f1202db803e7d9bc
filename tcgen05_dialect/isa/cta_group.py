"""CTA groups: the number of CTAs that execute an instruction together (9.7.16.5)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.instruction import Qualifier
from tcgen05_dialect.isa.model.rule import rule

CTA_GROUP_RULE = rule("T5-CTA_GROUP-001")
CTA_GROUP = Qualifier("cta_group", {1: ".cta_group::1", 2: ".cta_group::2"}, CTA_GROUP_RULE)

SAME_CTA_GROUP = rule("T5-CTA_GROUP-002")

CTA_PAIR = rule("T5-CTA_GROUP-003")


def cta_group_of(rank: int, ctas: int) -> range:
    """The ranks in the group of `ctas` CTAs that contains the CTA `rank`."""
    first = rank - place_in_group(rank, ctas)
    return range(first, first + ctas)


def place_in_group(rank: int, ctas: int) -> int:
    """The place of the CTA `rank` in its group of `ctas` CTAs: 0, or 1 for an odd CTA of a pair."""
    return rank % ctas


def peer_of(rank: int) -> int:
    """The rank of the other CTA in the pair that contains the CTA `rank`."""
    return rank ^ 1


def check_pairs(ctas: int, cluster: int) -> None:
    """Raise Violation unless a cluster consists of whole groups of `ctas` CTAs (9.7.16.5)."""
    if cluster % ctas:
        raise CTA_PAIR.violation(f"{cluster} with cta_group {ctas}", f"a multiple of {ctas}")
