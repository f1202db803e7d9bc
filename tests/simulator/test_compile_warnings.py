"""Tests of warnings about the text of a kernel, which a run reports as well."""

import pytest

from tcgen05_dialect.compiler import parse
from tcgen05_dialect.reporting.diagnostics import CompileError, Source
from tcgen05_dialect.simulator import Run, simulate

KERNEL = """
!d = !tcgen05.tmem<128x24xf32>
!a = !tcgen05.tmem<128x16xbf16, a>
!b = !tcgen05.smem_descriptor<24x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%slot : i32, %tile : i32, %runs : i32) attributes {reqntid = array<i32: 1>} {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %runs, %zero : i32
  scf.if %p {
    %t = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
    %d = tcgen05.slice %t[0, 0] : !tcgen05.tmem<128x64xf32> to !d
    %a = tcgen05.slice %t[0, 32] : !tcgen05.tmem<128x64xf32> to !a
    %b = tcgen05.descriptor %tile : !b
    tcgen05.mma %d, %a, %b accumulate %p
      {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x24>} : !d, !a, !b
  }
  ptx.ret
}
"""


def test_a_run_reports_them_even_if_the_operation_is_not_executed() -> None:
    report = simulate(KERNEL, [0, 0, 0])
    (finding,) = report.findings
    assert (finding.rule, finding.severity, finding.line) == ("T5-SHAPE-007", "warning", 14)
    assert report.errors == ()


def test_a_strict_run_reports_errors() -> None:
    (finding,) = simulate(KERNEL, [0, 0, 0], run=Run(strict=True)).errors
    assert finding.rule == "T5-SHAPE-007"


def test_a_module_gets_them_without_a_place() -> None:
    module, _ = parse(Source("k.mlir", KERNEL))
    (finding,) = simulate(module, [0, 0, 0]).findings
    assert (finding.rule, finding.severity) == ("T5-SHAPE-007", "warning")


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("as_module", [False, True])
def test_a_kernel_that_cannot_be_lowered_gets_them_too(as_module: bool, strict: bool) -> None:
    kernel = parse(Source("k.mlir", KERNEL))[0] if as_module else KERNEL
    with pytest.raises(CompileError) as caught:
        simulate(kernel, [0, 0, 0], run=Run(strict=strict), target="sm_90a")
    first, *others = caught.value.findings
    assert first.rule == "T5-TARGET-001"
    assert [(each.rule, each.severity) for each in others] == [
        ("T5-SHAPE-007", "error" if strict else "warning")
    ]
