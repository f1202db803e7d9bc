"""Tests of copies of four rows of a matrix by the tensor memory accelerator, against numpy."""

import numpy as np
import pytest

from tcgen05_dialect.simulator import SCHEDULES, Run, TensorMap, simulate

KERNEL = """
ptx.shared_memory @tile size 512 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.kernel @kernel(%source : !ptx.tensor_map, %target : !ptx.tensor_map)
    attributes {reqntid = array<i32: 1, 1, 1>} {
  %column = ptx.constant COLUMN : i32
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %r0 = ptx.constant 9 : i32
  %r1 = ptx.constant 2 : i32
  %r2 = ptx.constant 5 : i32
  %r3 = ptx.constant ROW : i32
  %t0 = ptx.constant 3 : i32
  %t1 = ptx.constant 0 : i32
  %t2 = ptx.constant 7 : i32
  %t3 = ptx.constant 1 : i32
  %bytes = ptx.constant 512 : i32
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  ptx.mbarrier.init [%loaded], %c1
  ptx.fence.mbarrier_init
  ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
  ptx.cp.async.bulk.prefetch.tensor.gather4 %source, {%column, %r0, %r1, %r2, %r3}
  ptx.cp.async.bulk.tensor.gather4 [%tile], %source, {%column, %r0, %r1, %r2, %r3}, [%loaded]
  ptx.mbarrier.wait [%loaded], %c0
  ptx.cp.async.bulk.tensor.scatter4 %target, {%c0, %t0, %t1, %t2, %t3}, [%tile]
  ptx.cp.async.bulk.commit_group
  ptx.cp.async.bulk.wait_group 0
  ptx.ret
}
"""
GATHERED, SCATTERED = (9, 2, 5), (3, 0, 7, 1)


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("swizzle", ["no_swizzle", "swizzle_128b"])
@pytest.mark.parametrize("last", [0, 12])
def test_rows_are_moved(schedule: str, swizzle: str, last: int) -> None:
    """A row beyond the matrix is filled with zeros."""
    rng = np.random.default_rng(1)
    source = rng.integers(0, 1 << 16, (12, 96)).astype(np.uint16)
    target = np.zeros((8, 64), np.uint16)
    maps = [TensorMap.of(each, (64, 1), swizzle=swizzle) for each in (source, target)]
    text = KERNEL.replace("COLUMN", "32").replace("ROW", str(last))
    assert simulate(text, maps, run=Run(schedule)).findings == ()
    expected = np.zeros_like(target)
    for row, place in zip((*GATHERED, last), SCATTERED, strict=True):
        expected[place] = source[row, 32:96] if row < len(source) else 0
    assert (target == expected).all()


def test_a_copy_in_im2col_mode_is_refused() -> None:
    """The emulator has no tensor maps of this mode."""
    source = np.zeros((12, 96), np.uint16)
    maps = [TensorMap.of(each, (64, 1)) for each in (source, np.zeros((8, 64), np.uint16))]
    text = KERNEL.replace("COLUMN", "32").replace("ROW", "0")
    row, columns = "scatter4 %target, {%c0, %t0, %t1, %t2, %t3}", "%target, {%c0, %c0, %c0}"
    assert row in text
    text = text.replace(row, f"im2col_no_offs {columns}")
    (finding,) = simulate(text, maps, run=Run("eager")).findings
    assert "does not support tensor maps in im2col mode" in str(finding)


def test_box_of_several_rows_is_refused() -> None:
    source = np.zeros((12, 96), np.uint16)
    maps = [TensorMap.of(source, (64, rows)) for rows in (2, 1)]
    text = KERNEL.replace("COLUMN", "32").replace("ROW", "0")
    (finding,) = simulate(text, maps, run=Run("eager")).findings
    assert finding.rule == "T5-SIM-012"
    assert "box of one row" in str(finding)
