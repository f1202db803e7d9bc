"""
Rules on the agreement of a matrix product's operands with its instruction descriptor
(9.7.16.10).

Pipelines: pairs of tensor core operations that complete in the order of issue (9.7.16.6.2).
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import NamedTuple

from tcgen05_dialect.isa.mma.products import MATRIX_A, METADATA, SCALE
from tcgen05_dialect.isa.model.rule import Rule, rule

SPARSITY = rule("T5-IDESC-010")

ELEMENT = rule("T5-TYPE-004")

PACKING = rule("T5-TYPE-005")

EXTENT = rule("T5-SHAPE-005")

MAJOR = rule("T5-SWIZZLE-004")

ROLE = rule("T5-TMEM-005")

DATA_PATH = rule("T5-TMEM-006")

DESCRIPTOR_SOURCE = rule("T5-IDESC-009")


OVERWRITTEN_A = rule("T5-SIM-026")
OVERWRITTEN_SCALE = rule("T5-SIM-027")


class Relied(NamedTuple):
    """Kind of an operation, and the role of the matrix that it accesses if it is an `mma`."""

    kind: str
    role: str = ""


class Pipeline(NamedTuple):
    """
    Two kinds of operations; the second completes after the first if their `.cta_group` agrees.

    `alike`: only if they have the same accumulator and shape. `shape`: only if the second has it.
    The manual does not promise a pipeline with a `rule`: the second operation breaks the rule if it
    overwrites one of the accesses in `relied` and only this pipeline orders the two.
    """

    first: str
    second: str
    alike: bool = False
    shape: str | None = None
    rule: Rule | None = None
    relied: frozenset[Relied] = frozenset()

    def joins(self, first: str, first_key: object, second: str, second_key: object) -> bool:
        """
        Whether two operations are such a pair. The key of an `mma` is its accumulator and shape;
        the key of a `cp` is its shape.
        """
        return (
            (self.first, self.second) == (first, second)
            and (not self.alike or first_key == second_key)
            and (self.shape is None or self.shape == second_key)
        )


PIPELINES = (
    Pipeline("mma", "mma", alike=True),
    Pipeline("cp", "mma"),
    Pipeline("shift", "mma"),
    Pipeline("shift", "cp", shape="shape_4x256b"),
    Pipeline("mma", "shift"),
    Pipeline("mma", "mma", rule=OVERWRITTEN_A, relied=frozenset({Relied("mma", MATRIX_A)})),
    Pipeline(
        "mma",
        "cp",
        rule=OVERWRITTEN_SCALE,
        relied=frozenset({Relied("mma", SCALE), Relied("mma", METADATA), Relied("cp")}),
    ),
)


@lru_cache(maxsize=1024)
def is_pipeline(
    first: str, first_key: Hashable, second: str, second_key: Hashable, promised: bool
) -> bool:
    """Whether an operation completes after another that was issued before it; `promised`: by the
    manual."""
    return any(
        each.joins(first, first_key, second, second_key)
        for each in PIPELINES
        if each.rule is None or not promised
    )


@lru_cache(maxsize=64)
def relied_rule(first: Relied, second: str) -> Rule | None:
    """The rule that a later operation breaks if it overwrites an access that only pipelines
    without a promise order before it; None if kernels do not rely on their order."""
    rules = (each.rule for each in PIPELINES if second == each.second and first in each.relied)
    return next(rules, None)
