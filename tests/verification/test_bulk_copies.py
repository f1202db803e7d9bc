"""Tests of the verification of kernels with bulk copies and reductions, without a launch."""

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source

KERNEL = """
ptx.shared_memory @tile size 1024 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.kernel @kernel(PARAMETERS) attributes {reqntid = array<i32: 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %offset = ptx.constant 0 : i16
  %bytes = ptx.constant 1024 : i32
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  ptx.mbarrier.init [%loaded], %c1
  ptx.fence.mbarrier_init
  ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
  LOAD
  ptx.mbarrier.wait [%loaded], %c0
  STORE
  ptx.cp.async.bulk.commit_group
  ptx.cp.async.bulk.wait_group 0
  ptx.ret
}
"""
MAPS = "%from : !ptx.tensor_map, %to : !ptx.tensor_map"
ARRAYS = "%from : i64, %to : i64"
BYTES = "ptx.cp.async.bulk.load [%tile], [%from], %bytes, [%loaded]"
BOX = "ptx.cp.async.bulk.tensor.load [%tile], %from, {%c0, %c0}, [%loaded]"
PIXEL = "{%c0, %c0, %c0}"
PIXELS = f"ptx.cp.async.bulk.tensor.im2col im2col [%tile], %from, {PIXEL}, [%loaded], {{%offset}}"
TO_PIXELS = f"%to, {PIXEL}, [%tile]"


def found(parameters: str, load: str, store: str, *, wait: bool = True) -> list[str]:
    text = KERNEL.replace("PARAMETERS", parameters).replace("LOAD", load).replace("STORE", store)
    if not wait:
        text = text.replace("  ptx.mbarrier.wait [%loaded], %c0\n", "")
    findings = check_source(Source("kernel.mlir", text), verify="quick")
    return [each.rule or each.message for each in findings if each.verdict != "verified"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [
        (ARRAYS, BYTES, "ptx.cp.async.bulk.store [%to], [%tile], %bytes"),
        (ARRAYS, BYTES, "ptx.cp.reduce.async.bulk.store add f32 [%to], [%tile], %bytes"),
        (MAPS, BOX, "ptx.cp.reduce.async.bulk.tensor add %to, {%c0, %c0}, [%tile]"),
        (MAPS, PIXELS, f"ptx.cp.async.bulk.tensor.im2col_no_offs {TO_PIXELS}"),
        (MAPS, PIXELS, f"ptx.cp.reduce.async.bulk.tensor.im2col_no_offs add {TO_PIXELS}"),
    ],
)
def test_only_a_lost_wait_is_found(case: tuple[str, str, str]) -> None:
    assert found(*case) == []
    assert found(*case, wait=False)[1:] == ["T5-SIM-014"]


def test_addresses_of_several_gpus_are_not_decided() -> None:
    store = "ptx.multimem.red add u32 [%to], {%c1}"
    (text,) = found(ARRAYS, BYTES, store)
    assert "the emulator does not support ptx.multimem.red" in text
