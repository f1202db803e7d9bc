"""Tests of ldmatrix and stmatrix in the emulator, against numpy."""

import numpy as np
import pytest

from tcgen05_dialect.simulator import Run, simulate

KERNEL = """
ptx.shared_memory @tile size 512 alignment 16
ptx.shared_memory @result size 512 alignment 16
ptx.kernel @kernel(%in : i64, %fragments : i64, %out : i64)
    attributes {{reqntid = array<i32: 32, 1, 1>}} {{
  %c4 = ptx.constant 4 : i32
  %c16 = ptx.constant 16 : i32
  %all = ptx.constant -1 : i32
  %tile = ptx.address_of @tile
  %result = ptx.address_of @result
  %lane = ptx.special_register laneid
  %from = ptx.mad.wide u32 %lane, %c16, %in
  %row = ptx.mad u32 %lane, %c16, %tile
  %result_row = ptx.mad u32 %lane, %c16, %result
  %words:4 = ptx.ld global b32 [%from] -> 4 x i32
  ptx.st "shared::cta" b32 [%row], {{%words#0, %words#1, %words#2, %words#3}}
  ptx.st "shared::cta" b32 [%result_row], {{%words#0, %words#1, %words#2, %words#3}}
  ptx.bar.warp.sync %all
  %values:{count} = ptx.ldmatrix m8n8 {trans} [%row] -> {count} x i32
  %place = ptx.mul lo u32 %lane, %c4
  %count = ptx.constant {count} : i32
  %to = ptx.mad.wide u32 %lane, %c16, %fragments
  {stores}
  ptx.bar.warp.sync %all
  ptx.stmatrix m8n8 {back} [%result_row], {{{names}}}
  ptx.bar.warp.sync %all
  %w:4 = ptx.ld "shared::cta" b32 [%result_row] -> 4 x i32
  %end = ptx.mad.wide u32 %lane, %c16, %out
  ptx.st global b32 [%end], {{%w#0, %w#1, %w#2, %w#3}}
  ptx.ret
}}
"""


@pytest.mark.parametrize("back", ["", "trans"])
@pytest.mark.parametrize("trans", ["", "trans"])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_fragments(count: int, trans: str, back: str) -> None:
    names = [f"%values#{index}" if count > 1 else "%values" for index in range(count)]
    stores = "\n  ".join(
        f"ptx.st global b32 [%to + {4 * index}], {{{name}}}" for index, name in enumerate(names)
    )
    text = KERNEL.format(
        count=count, trans=trans, back=back, names=", ".join(names), stores=stores
    ).replace("%values:1", "%values")
    matrices = np.arange(256, dtype=np.uint16).reshape(4, 8, 8)
    fragments = np.zeros((32, 8), np.uint16)
    out = np.zeros((4, 8, 8), np.uint16)
    arguments = [each.view(np.uint32) for each in (matrices, fragments, out)]
    assert simulate(text, arguments, run=Run("lazy")).findings == ()
    for matrix in range(count):
        loaded = matrices[matrix].T if trans else matrices[matrix]
        for lane in range(32):
            row, column = divmod(lane, 4)
            found = fragments[lane, 2 * matrix : 2 * matrix + 2]
            assert found.tolist() == loaded[row, 2 * column : 2 * column + 2].tolist()
        assert (out[matrix] == (loaded.T if back else loaded)).all()
    assert (out[count:] == matrices[count:]).all()
