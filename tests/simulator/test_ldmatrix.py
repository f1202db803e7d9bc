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


WIDE = """
  %one = ptx.constant 1 : i32
  %wide = ptx.mul.wide u32 %result_row, %one
  ptx.stmatrix m8n8 {back} [%wide]"""


@pytest.mark.parametrize("back", ["", "trans"])
@pytest.mark.parametrize("trans", ["", "trans"])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_fragments(count: int, trans: str, back: str) -> None:
    names = [f"%values#{index}" if count > 1 else "%values" for index in range(count)]
    stores = "\n  ".join(
        f"ptx.st global b32 [%to + {4 * index}], {{{name}}}" for index, name in enumerate(names)
    )
    # A register of 64 bits may hold the address, too.
    narrow = "  ptx.stmatrix m8n8 {back} [%result_row]"
    kernel = KERNEL.replace(narrow, WIDE) if back else KERNEL
    text = kernel.format(
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


BYTES = """
ptx.shared_memory @tile size 512 alignment 16
ptx.kernel @kernel(%in : i64, %fragments : i64, %out : i64)
    attributes {{reqntid = array<i32: 32, 1, 1>}} {{
  %c16 = ptx.constant 16 : i32
  %all = ptx.constant -1 : i32
  %tile = ptx.address_of @tile
  %lane = ptx.special_register laneid
  %from = ptx.mad.wide u32 %lane, %c16, %in
  %row = ptx.mad u32 %lane, %c16, %tile
  %to = ptx.mad.wide u32 %lane, %c16, %fragments
  %end = ptx.mad.wide u32 %lane, %c16, %out
  %words:4 = ptx.ld global b32 [%from] -> 4 x i32
  ptx.st "shared::cta" b32 [%row], {{%words#0, %words#1, %words#2, %words#3}}
  ptx.bar.warp.sync %all
  %values:{count} = ptx.ldmatrix.b8 {form} [%row] -> {count} x i32
  {stores}
  ptx.bar.warp.sync %all
  ptx.stmatrix.b8 [%row], {{{names}}}
  ptx.bar.warp.sync %all
  %w:4 = ptx.ld "shared::cta" b32 [%row] -> 4 x i32
  ptx.st global b32 [%end], {{%w#0, %w#1, %w#2, %w#3}}
  ptx.ret
}}
"""


def unpacked(rows: np.ndarray, bits: int) -> np.ndarray:
    """The elements of rows of 16 bytes, lowest bits first."""
    numbers = [int.from_bytes(row.tobytes(), "little") for row in rows]
    mask = (1 << bits) - 1
    return np.array([[n >> bits * i & mask for i in range(16)] for n in numbers], np.uint8)


@pytest.mark.parametrize(
    ("form", "rows", "count", "bits"),
    [
        ("m16n16 x1 trans b8", 16, 2, 8),
        ("m16n16 x2 trans b8", 32, 4, 8),
        ("m16n16 x2 trans b8x16 b6x16_p32", 32, 4, 6),
        ("m8n16 x1 b8x16 b4x16_p64", 8, 1, 4),
        ("m8n16 x4 b8x16 b6x16_p32", 32, 4, 6),
    ],
)
def test_fragments_of_bytes(form: str, rows: int, count: int, bits: int) -> None:
    names = [f"%values#{index}" if count > 1 else "%values" for index in range(count)]
    stores = "\n  ".join(
        f"ptx.st global b32 [%to + {4 * index}], {{{name}}}" for index, name in enumerate(names)
    )
    text = BYTES.format(form=form, count=count, names=", ".join(names), stores=stores)
    memory = np.random.default_rng(0).integers(0, 256, (32, 16), np.uint8)
    fragments, out = np.zeros((32, 4, 4), np.uint8), np.zeros((32, 16), np.uint8)
    arguments = [each.view(np.uint32) for each in (memory, fragments, out)]
    text = text.replace("%values:1", "%values")
    assert simulate(text, arguments, run=Run("lazy")).findings == ()
    elements = unpacked(memory[:rows], bits)
    for lane in range(32):
        row, column = divmod(lane, 4)
        for index in range(count):
            if form.startswith("m8n16"):
                wanted = elements[8 * index + row, 4 * column : 4 * column + 4]
            else:
                # A matrix that is stored by columns.
                matrix = elements[16 * (index // 2) :][:16].T
                first = 4 * column + 2 * (index % 2)
                wanted = matrix[[row, row, row + 8, row + 8], [first, first + 1] * 2]
            assert fragments[lane, index].tolist() == wanted.tolist()
    # stmatrix stores 16 x 8 bytes by columns: the fragments of an accumulator of mma.
    for index in range(count):
        stored = out[8 * index : 8 * index + 8].T
        for lane in range(32):
            row, column = divmod(lane, 4)
            found = stored[[row, row, row + 8, row + 8], [2 * column, 2 * column + 1] * 2]
            assert found.tolist() == fragments[lane, index].tolist()
    assert (out[8 * count :] == memory[8 * count :]).all()


def test_movmatrix_transposes() -> None:
    text = """
    ptx.kernel @kernel(%in : i64, %out : i64) attributes {reqntid = array<i32: 32>} {
      %c4 = ptx.constant 4 : i32
      %lane = ptx.special_register laneid
      %from = ptx.mad.wide u32 %lane, %c4, %in
      %to = ptx.mad.wide u32 %lane, %c4, %out
      %word = ptx.ld global b32 [%from] -> i32
      %turned = ptx.movmatrix m8n8 %word
      ptx.st global b32 [%to], {%turned}
      ptx.ret
    }
    """
    matrix, out = np.arange(64, dtype=np.uint16).reshape(8, 8), np.zeros((8, 8), np.uint16)
    assert simulate(text, [matrix.view(np.uint32), out.view(np.uint32)]).findings == ()
    assert (out == matrix.T).all()
