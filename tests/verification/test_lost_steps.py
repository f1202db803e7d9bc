"""Tests of fixes in lowered, unrolled and printed kernels, and in those of other compilers."""

import re
from collections import Counter

import pytest

from ..support.effort import sampled
from ..support.lost_steps import FORMS, judged, sample

_KERNELS = (
    ("unrolled", "counted", "mbarrier|commit|tcgen05.wait"),
    ("ws_structured", "gemm", "commit"),
    ("ws_branches", "gemm", "mbarrier"),
    ("ws_ptx", "gemm", "mbarrier|commit"),
    ("foreign", "gluon_clc", "mbarrier|tcgen05.wait"),
)
"""Forms, kernels, and the names of the steps that they lose."""
_BOUND = 0.95
"""Part of the lost steps that are found that the fix must name."""


@pytest.mark.slow
def test_the_fix_names_the_lost_step() -> None:
    """No fix leaves its finding, and few name another step."""
    words = Counter[str]()
    others: list[str] = []
    for form, name, which in sampled(_KERNELS, 1):
        kernels, make = FORMS[form]
        right = make(kernels()[name])
        for lost in sample(right, 1):
            if not re.match(which, lost.step.name):
                continue
            word, fix = judged(right, lost)
            words[word] += 1
            if word not in ("not found", "exact", "named"):
                others.append(f"{form} {name}, line {lost.line}: {lost.step}: {word}: {fix}")
    assert not words["without effect"], others
    assert words["exact"] + words["named"] >= _BOUND * (words.total() - words["not found"]), others
