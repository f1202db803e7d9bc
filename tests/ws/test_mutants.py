"""
Tests of mutants of the examples: each is refused, or runs on all schedules with one result.

`python -m tests.support.ws_verdicts` judges all mutants; here are samples of them.
"""

from itertools import islice

import pytest

from tcgen05_dialect.reporting.diagnostics import Finding

from ..support.effort import SWEEP, sampled
from ..support.ws_mutants import Mutant, mutants
from ..support.ws_verdicts import SAMPLES, outcome_of, refusal

STEPS = {
    "attention": 24,
    "attention_causal": 32,
    "attention_sequential": 32,
    "gemm_clc": 8,
    "gemm_multicast": 8,
    "gemm_nvfp4_pair": 8,
    "gemm_pair": 8,
}
"""By example, of how many mutants one is verified and lowered: of 4 where it is not given."""
SYNCHRONISATION = (
    "swap", "move in", "move before", "move behind", "change role", "stages", "warps", "registers",
    "by tma", "by mma", "by threads",
)  # fmt: skip
"""Changes after which a legal kernel still computes what it did."""
RUNS = {"gemm": 16, "gemm_tf32": 16, "gemm_sparse": 16, "gemm_split_k": 40, "gemm_pair": 60}
"""By example, of how many mutants one is run in the emulator if it is legal."""


def some(name: str, most: int, step: int, first: int = 0) -> list[Mutant]:
    return sampled(islice(mutants(SAMPLES[name].read_text()), first, None, step), most)


@pytest.mark.slow
def test_mutants_are_refused_with_a_place_or_lowered() -> None:
    refused: list[Finding] = []
    legal = 0
    for name in SAMPLES:
        for mutant in some(name, 1, STEPS.get(name, 4)):
            error = refusal(mutant.text)
            if error is None:
                legal += 1
                continue
            finding = error.findings[0]
            assert finding.line, f"{name}: {mutant}: {finding.message}"
            refused.append(finding)
    # About three in four are refused, most of them by a rule of `ws`.
    assert legal + len(refused) > (500 if SWEEP else 10)
    assert len(refused) > 2 * legal
    assert sum(each.rule.startswith("T5-WS") for each in refused) > len(refused) // 2


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(RUNS, 1))
def test_legal_mutants_have_one_result(name: str) -> None:
    legal = 0
    for mutant in some(name, 5, RUNS[name], first=1):
        outcome = outcome_of(name, mutant.text)
        if outcome.name == "refused":
            continue
        legal += 1
        # What only the emulator finds, static verification finds, too.
        results = ("as expected", "another result", "not verified", "finding of the launch")
        assert outcome.name in results, f"{mutant}: {outcome}"
        assert outcome.name != "another result" or mutant.change not in SYNCHRONISATION, mutant
        if not SWEEP:
            break
    assert legal
