"""Tests of registers whose type is not that of the instruction. ptxas gives each verdict."""

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source

DECLARED = (
    ".reg .pred %p<3>; .reg .b16 %h<3>; .reg .b32 %r<5>; .reg .u32 %u<3>; .reg .b64 %d<3>;\n"
    ".reg .f32 %f<3>; .reg .f64 %e<3>; .reg .b128 %q<3>; .shared .align 16 .b8 s[16];\n"
)


def rules_of(statement: str) -> set[str]:
    header = ".version 9.0 .target sm_100a .address_size 64 .visible .entry k() {\n"
    text = f"{header}{DECLARED}{statement}\nret; }}\n"
    return {each.rule for each in check_source(Source("k.ptx", text)) if each.severity == "error"}


@pytest.mark.parametrize(
    "statement",
    [
        *("mov.u32 %p2, %p1;", "mov.b32 %r1, %d1;", "mov.pred %p1, %r1;", "mov.u32 %r1, %f1;"),
        *("mov.u32 %d1, %tid.x;", "add.s32 %r1, %f1, 4;", "add.f32 %f1, %u1, %f2;"),
        *("ld.shared.b32 %p1, [s];", "ld.shared.b32 %h1, [s];", "ld.shared.b64 %r1, [s];"),
        *("st.shared.b32 [s], %p1;", "st.shared.b64 [s], %r1;", "cvt.u32.u64 %r1, %r2;"),
        *("atom.shared.add.u32 %r1, [s], %d1;", "atom.shared.add.u32 %d1, [s], %r1;"),
        *("atom.shared.add.u32 %r1, [s], %f1;", "red.shared.add.u32 [s], %h1;"),
        "cp.async.bulk.commit_group; cp.async.bulk.prefetch.L2.global [%d1], %d2;",
        "selp.b32 %r1, %r2, %r3, %r4;",
    ],
)
def test_wrong_register(statement: str) -> None:
    assert rules_of(statement) == {"T5-PTX-080"}


@pytest.mark.parametrize(
    "statement",
    [
        *("mov.b32 %f1, %r1;", "mov.b32 %f1, %tid.x;", "mov.u32 %u1, %r1;", "and.b32 %f1, %r1, 1;"),
        *("ld.shared.b32 %d1, [s];", "ld.shared.u8 %h1, [s];", "ld.shared.f32 %q1, [s];"),
        *("st.shared.u8 [s], %d1;", "st.shared.b32 [s], %f1;", "cvt.u16.u32 %d1, %q1;"),
        *("lop3.b32 %r1, %f1, %r2, %r3, 3;", "prmt.b32 %r1, %f1, %r2, 0;"),
        "cp.async.cg.shared::cta.global [s], [%d1], 16, %p1;",
    ],
)
def test_register_that_ptxas_takes(statement: str) -> None:
    assert rules_of(statement) == set()
