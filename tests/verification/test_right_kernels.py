"""
Tests of right kernels in many styles: the verifier and the emulator report nothing, and the results
are those of numpy.
"""

import re
from collections.abc import Mapping
from itertools import product

import pytest

from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.verification.execution import rule_of

from ..support import (
    attention_styles,
    cluster_styles,
    mixed_styles,
    other_styles,
    persistent_styles,
    ring_styles,
    role_styles,
)
from ..support.effort import sampled
from ..support.headed_kernels import (
    LAZY,
    SCHEDULES,
    check_results,
    inputs_of,
    run,
    shown_by_run,
    warnings_in,
)
from .test_pairs import verdict

RIGHT: Mapping[str, str] = {
    **ring_styles.KERNELS,
    **other_styles.KERNELS,
    **persistent_styles.KERNELS,
    **cluster_styles.KERNELS,
    **attention_styles.KERNELS,
    **mixed_styles.KERNELS,
    **role_styles.KERNELS,
}


@pytest.mark.slow
@pytest.mark.parametrize("kernel", sampled(RIGHT, 10))
def test_verified(kernel: str) -> None:
    found = verdict(RIGHT[kernel], "thorough")
    # With one block, the second accumulator of this kernel stays unwritten.
    assert found.word == ("verified in part" if kernel == "two_allocations" else "verified")
    assert {rule_of(each).id for each in found.findings} <= {*warnings_in(RIGHT[kernel])}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kernel", "schedule"),
    sampled(product(RIGHT, SCHEDULES), 4, of=lambda case: case[1] is LAZY),
)
def test_results(kernel: str, schedule: tuple[str, int]) -> None:
    text = RIGHT[kernel]
    launch = inputs_of(text)
    report = run(lower_source(Source(kernel, text)).module, launch, *schedule)
    assert [str(each) for each in report.errors] == []
    assert sorted(shown_by_run(report.findings)) == warnings_in(text)
    check_results(launch)


def test_sizes_in_a_structure() -> None:
    """Runs with chosen sizes show nothing if the array is at an address that is chosen, too."""
    text = ring_styles.KERNELS["counted"].replace(
        "%out : i64, %blocks : i32)", "%sizes : !ptx.param_array<16, 8>)"
    )
    loads = "%blocks = ptx.ld param b32 [%sizes + 8] -> i32 %out = ptx.ld param b64 [%sizes] -> i64"
    found = verdict(re.sub(r"(reqntid = .*\{\n)", rf"\1{loads}\n", text), "thorough")
    assert found.sentence.startswith("not decided: control depends on %blocks loaded at line ")
    assert found.findings == ()
