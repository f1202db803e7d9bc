"""Tests of the sizes that the verifier chooses for kernels with contracts and assumptions."""

import pytest

from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.verification import MAX_LONG_STEPS, MAX_STEPS
from tcgen05_dialect.verification.execution import Skeleton
from tcgen05_dialect.verification.sizes import Chooser
from tcgen05_dialect.verification.verdict import verdict_of

KERNEL = """
ptx.kernel @k(%k : i32 CONTRACT, %free : i32 CONTRACT) attributes {reqntid = array<i32: 32>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %factor = arith.constant FACTOR : i32
  %blocks = arith.divui %k, %c64 : i32
  %rest = arith.remui %blocks, %factor : i32
  %is_whole = arith.cmpi eq, %rest, %c0 : i32
  ptx.assume %is_whole
  scf.for %i = %c0 to %blocks step %c1 : i32 {
    ptx.bar.sync %c0
  }
  ptx.ret
}
"""


def kernel_of(contract: str, factor: int = 1) -> KernelOp:
    text = KERNEL.replace("CONTRACT", contract).replace("FACTOR", str(factor))
    (kernel,) = lower_source(Source("<string>", text)).module.ops
    assert isinstance(kernel, KernelOp)
    return kernel


@pytest.mark.parametrize(
    ("least", "multiple"), [(1, 1), (1, 192), (200, 64), (-5, 3), (100_000, 7), (0, 1_000_000)]
)
def test_sizes_keep_contracts(least: int, multiple: int) -> None:
    contract = f"{{ptx.at_least = {least}, ptx.multiple_of = {multiple}}}"
    skeleton = Skeleton(kernel_of(contract))
    for sizes in skeleton.launches():
        for thorough in (False, True):
            scenarios = Chooser(skeleton, sizes).scenarios(thorough)
            values = [value for scenario in scenarios for value in scenario.values.values()]
            assert values
            assert all(value >= least and value % multiple == 0 for value in values)


def test_sizes_are_at_most() -> None:
    skeleton = Skeleton(kernel_of("{ptx.at_most = 200}"))
    sizes = next(iter(skeleton.launches()))
    scenarios = Chooser(skeleton, sizes).scenarios(thorough=True)
    assert max(value for each in scenarios for value in each.values.values()) == 200


def test_sizes_without_contract_leave_out_the_loop() -> None:
    """Control of the test above, which a verifier that tries only large sizes would pass, too."""
    skeleton = Skeleton(kernel_of(""))
    sizes = next(iter(skeleton.launches()))
    values = [each.values[0] for each in Chooser(skeleton, sizes).scenarios(thorough=True)]
    assert 0 in values and any(value % 192 for value in values)


def test_false_assumption_is_no_error() -> None:
    """A false assumption says that the kernel is not made for these sizes."""
    verdict = verdict_of(kernel_of("", 2), "thorough")
    assert verdict.findings == ()
    assert verdict.sentence.startswith("verified; loops: line")
    for size in ("%k = 64, ", "%k = 192, "):
        assert size in verdict.sentence.partition("but not for")[2]


def test_no_size_keeps_the_assumption() -> None:
    verdict = verdict_of(kernel_of("{ptx.at_least = 64, ptx.multiple_of = 64}", 1009), "thorough")
    assert verdict.findings == ()
    assert verdict.sentence.startswith("not decided: every size that was tried breaks")


def test_a_run_that_ends_keeps_the_limit_on_instructions() -> None:
    skeleton = Skeleton(kernel_of(""))
    sizes = next(iter(skeleton.launches()))
    scenario = Chooser(skeleton, sizes).scenarios(thorough=False)[0]
    skeleton.max_steps = MAX_LONG_STEPS
    assert skeleton.run(scenario.values, sizes).passes
    assert skeleton.max_steps == MAX_LONG_STEPS
    skeleton.max_steps = 1
    assert not skeleton.run(scenario.values, sizes).passes
    assert skeleton.max_steps == MAX_STEPS
