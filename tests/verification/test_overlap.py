"""Tests of stores that two CTAs make at the same place, with different values."""

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import read_kernels
from tcgen05_dialect.isa.practice import RACE
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.verification.execution import Skeleton
from tcgen05_dialect.verification.overlap import overlaps
from tcgen05_dialect.verification.sizes import Chooser
from tcgen05_dialect.verification.static.prepared import verifiable

from ..support.effort import sampled
from ..support.repository import EXAMPLES
from .test_promises import read
from .test_styles import replaced

_PTX = """
.version 8.8
.target sm_100a
.address_size 64
.visible .entry scale(.param .u64 x, .param .u64 y, .param .u32 rows, .param .u32 stride)
.reqntid 128
{
    .reg .pred %p<4>;
    .reg .b32 %r<20>;
    .reg .b64 %rd<12>;
    .reg .f32 %f<4>;
    ld.param.u64 %rd1, [x];
    ld.param.u64 %rd2, [y];
    ld.param.u32 %r10, [rows];
    ld.param.u32 %r11, [stride];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r9, %ctaid.y;
    mov.u32 %r2, %tid.x;
    mad.lo.s32 %r4, %r1, 128, %r2;
    mul.wide.u32 %rd3, %r4, 4;
    add.s64 %rd4, %rd1, %rd3;
    ld.global.f32 %f1, [%rd4];
    add.f32 %f2, %f1, %f1;
    PLACE
    mul.wide.u32 %rd5, %r5, 4;
    add.s64 %rd6, %rd2, %rd5;
    STORE [%rd6], %f2;
    ret;
}
"""
_IR = """
ptx.kernel @scale(%x : i64, %y : i64) attributes {reqntid = array<i32: 128>} {
  %cta = ptx.special_register ctaid.x
  %thread = ptx.special_register tid.x
  %c128 = arith.constant 128 : i32
  %first = arith.muli %cta, %c128 : i32
  %own = arith.addi %first, %thread : i32
  %own_wide = arith.extui %own : i32 to i64
  %place_wide = arith.extui %PLACE : i32 to i64
  %size = arith.constant 4 : i64
  %from_byte = arith.muli %own_wide, %size : i64
  %to_byte = arith.muli %place_wide, %size : i64
  %from = arith.addi %x, %from_byte : i64
  %to = arith.addi %y, %to_byte : i64
  %value = ptx.ld global b32 [%from] -> i32
  ptx.st global b32 [%to], {%value}
  ptx.ret
}
"""


def _threads(place: str, store: str = "st.global.f32") -> str:
    return _PTX.replace("PLACE", place).replace("STORE", store)


_KERNELS: Mapping[str, tuple[str, str]] = {
    "no offset": (_threads("mov.b32 %r5, %r2;"), "error"),
    # Without rows, the kernel reads a word that it has not written.
    "no offset, and not made for no rows": (
        _threads(
            """mov.b32 %r5, %r2; shl.b32 %r7, %r2, 2; mov.b32 %r8, word; add.s32 %r7, %r7, %r8;
            mov.b32 %r6, 0;
            NEXT: setp.ge.u32 %p1, %r6, %r10; @%p1 bra DONE;
            st.shared.b32 [%r7], %r6; add.s32 %r6, %r6, 1; bra NEXT;
            DONE: ld.shared.b32 %r9, [%r7];"""
        ).replace("    .reg .pred", "    .shared .align 4 .b32 word[128];\n    .reg .pred"),
        "error",
    ),
    "offset of one axis": (_threads("mad.lo.s32 %r5, %r1, 128, %r2;"), ""),
    "distance": (_threads("mad.lo.s32 %r5, %r1, %r11, %r2;"), ""),
    "distance of the wrong axis": (_threads("mad.lo.s32 %r5, %r9, %r11, %r2;"), "error"),
    # The first element of the next tile is also computed by its neighbour.
    "overlapping edge": (_threads("mad.lo.s32 %r5, %r1, 127, %r2;"), ""),
    "one of two halves": (
        _threads("rem.u32 %r6, %r1, 2;\nmad.lo.s32 %r5, %r6, 128, %r2;"),
        "error",
    ),
    "reduction": (_threads("mov.b32 %r5, %r2;", "red.global.add.f32"), ""),
    "only the first CTA": (
        _threads("mov.b32 %r5, %r2;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 ret;"),
        "",
    ),
    "the same value": (
        _threads("mad.lo.s32 %r5, %r9, 0, %r4;"),
        "",
    ),
    # The last warp, which stores nothing, reads what to do.
    "a role in shared memory": (
        _threads(
            """mov.b32 %r5, %r2; mov.b32 %r8, word; mov.b32 %r7, 1; setp.lt.u32 %p1, %r2, 96;
            setp.eq.u32 %p2, %r2, 0; @%p1 bra WRITES;
            WORKS: bar.sync 1; ld.shared.b32 %r7, [%r8]; bar.sync 1;
            setp.ne.u32 %p3, %r7, 1; @%p3 bra WORKS; ret;
            WRITES: @%p2 st.shared.b32 [%r8], %r7; bar.sync 1; bar.sync 1;"""
        ).replace("    .reg .pred", "    .shared .align 4 .b32 word[1];\n    .reg .pred"),
        "error",
    ),
    "IR, no offset": (_IR.replace("%PLACE", "%thread"), "error"),
    "IR": (_IR.replace("%PLACE", "%own"), ""),
}
"""Kernel -> its text, and the severity of its finding."""


@pytest.mark.slow
@pytest.mark.parametrize("kernel", _KERNELS)
def test_stores_of_threads(kernel: str) -> None:
    text, severity = _KERNELS[kernel]
    found = [each for each in check_source(text, verify="thorough") if each.severity != "remark"]
    assert [each.severity for each in found] == [severity] * bool(severity)
    assert all(each.rule == RACE.id for each in found)


class _Meeting(NamedTuple):
    """Two CTAs that store one place; `is_whole` if the second one stores all that the first one
    does."""

    first: str
    second: str
    is_whole: bool = True


def meetings(text: str) -> list[_Meeting]:
    """The stores of CTAs of several clusters that meet."""
    (prepared,) = verifiable(read_kernels(Source("kernel", text)).module)
    skeleton = Skeleton(prepared.kernel)
    (sizes, *_) = skeleton.launches()
    scenarios = Chooser(skeleton, sizes).scenarios(thorough=False)
    skeleton.infer_boxes(scenarios[0].values, sizes)
    return [_Meeting(*each.ctas, each.is_whole) for each, _ in overlaps(skeleton, sizes)]


_GEMM = (EXAMPLES / "ws" / "gemm.mlir").read_text()
_PERSISTENT = replaced(_GEMM, "(%m by 128, %n by 256) {", "(%m by 128, %n by 256) persistent {")
_PAIR = read("pair", "mlir")
_STORED_ROW = "%row = arith.addi %first_row, %thread"
_BOXES = (EXAMPLES / "ws" / "gemm_pair.mlir").read_text()
_BOX = "%first_box = arith.muli %j, %c4"
_ROW = "%first_row = arith.muli %i, %c128"
_COLUMN = "%first_column = arith.muli %j, %c256"
_TILES: Mapping[str, tuple[str, list[_Meeting]]] = {
    "gemm": (_GEMM, []),
    "gemm, row": (
        replaced(_GEMM, _ROW, _ROW.replace("%i", "%c0")),
        [_Meeting("CTA (0, 0, 0)", "CTA (1, 0, 0)")],
    ),
    "gemm, column": (
        replaced(_GEMM, _COLUMN, _COLUMN.replace("%j", "%c0")),
        [_Meeting("CTA (0, 0, 0)", "CTA (0, 1, 0)")],
    ),
    "gemm, half of the rows": (
        replaced(_GEMM, _ROW, _ROW.replace("%c128", "%c32")),
        [_Meeting("CTA (0, 0, 0)", "CTA (1, 0, 0)", is_whole=False)],
    ),
    "persistent": (_PERSISTENT, []),
    "persistent, row": (
        replaced(_PERSISTENT, _ROW, _ROW.replace("%i", "%c0")),
        [_Meeting("CTA (0, 0, 0)", "CTA (1, 0, 0)")],
    ),
    "persistent, column": (
        replaced(_PERSISTENT, _COLUMN, _COLUMN.replace("%j", "%c0")),
        [_Meeting("CTA (0, 0, 0)", "CTA (8, 0, 0)")],
    ),
    "pair": (_PAIR, []),
    "pair, row": (
        replaced(_PAIR, _STORED_ROW, _STORED_ROW.replace("%first_row", "%c0")),
        [_Meeting("CTA (0, 0, 0)", "CTA (2, 0, 0)")],
    ),
    "boxes of a pair": (_BOXES, []),
    "boxes of a pair, column": (
        replaced(_BOXES, _BOX, _BOX.replace("%j", "%c0")),
        [_Meeting("CTA (0, 0, 0)", "CTA (16, 0, 0)")],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("kernel", sampled(_TILES, 3))
def test_tiles(kernel: str) -> None:
    text, expected = _TILES[kernel]
    assert meetings(text) == expected
