"""Tests of registers whose type is not that of the instruction. ptxas gives each verdict."""

import re
from collections.abc import Iterator

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.ptx.instruction import syntax_of
from tcgen05_dialect.ptx.text.register_names import KernelNames
from tcgen05_dialect.reporting.diagnostics import Source

from ..support.effort import sampled
from ..support.ptx_instances import INSTRUCTIONS, VARIABLE, Values, is_legal, points
from ..support.ptxas_verdicts import HEADER, refused_early

DECLARED = (
    ".reg .pred %p<3>; .reg .b16 %h<3>; .reg .b32 %r<5>; .reg .u32 %u<3>; .reg .b64 %d<3>;\n"
    ".reg .f32 %f<3>; .reg .f64 %e<3>; .reg .b128 %q<3>; .reg .f16x2 %w<3>;\n"
    ".shared .align 16 .b8 s[16];\n"
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
        *("ld.shared.b32 %r1, [%f1];", "st.shared.b32 [%p1], %r1;", "ld.u32 %r1, [%q1];"),
        *("ld.shared.u32 %f1, [s];", "st.shared.s16 [s], %f1;", "ld.shared.f32 %u1, [s];"),
        *("cvt.f32.s32 %r1, %f1;", "cvt.u64.u32 %e1, %r1;", "cvt.rn.bf16x2.f32 %u1, %f1, %f2;"),
        *("cvt.rn.satfinite.e4m3x2.f32 %r1, %f1, %f2;", "cvt.rn.f16x2.e4m3x2 %r1, %r2;"),
        *("ld.shared.v2.u32 {%f1, %f2}, [s];", "st.shared.v2.b32 [s], {%u1, %f2};"),
        *("ld.shared.v2.b64 {%d1, %r2}, [s];", "add.bf16x2 %r1, %r2, %u1;", "clz.b32 %f1, %r1;"),
        *(
            "mov.u32 %f1, %tid.x;",
            "shl.b32 %r1, %r2, %f1;",
            "shfl.sync.idx.b32 %r1, %r2, 0, 31, %f1;",
        ),
        "cp.async.bulk.prefetch.tensor.1d.L2.global [%d1, {%f1}];",
        *("mbarrier.init.shared::cta.b64 [s], %w1;", "bar.warp.sync %w1;"),
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
        *("ld.shared.b32 %e1, [s];", "ld.shared.s8 %q1, [s];", "st.shared.f32 [s], %d1;"),
        *("ld.shared.v2.u32 {%f1, %r2}, [s];", "ld.shared.v2.f32 {%u1, %u2}, [s];"),
        *("ld.shared.v2.u32 {%d1, %d2}, [s];", "cvt.f32.s32 %d1, %q1;", "ld.u32 %r1, [%h1];"),
        *(
            "cvt.rz.f16x2.f32 %d1, %d2, %f1;",
            "prmt.b32 %f1, %f2, %r1, %r2;",
            "shf.l.wrap.b32 %f1, %r1, %r2, 3;",
        ),
        *("shfl.sync.idx.b32 %f1|%p1, %f2, %r1, 31, -1;", "mov.b64 %d1, {%f1, %r1};"),
        "cp.async.bulk.prefetch.tensor.1d.L2.global [%f1, {%r1}];",
        *("mul.wide.u32 %d1, %w1, %r1;", "mapa.shared::cluster.u32 %r1, %w1, 0;"),
    ],
)
def test_register_that_ptxas_takes(statement: str) -> None:
    assert rules_of(statement) == set()


_TYPES = (".b16", ".b32", ".u32", ".f32", ".b64", ".u64", ".f64", ".b128", ".f16x2")


def _variants(text: str) -> Iterator[str]:
    """Instructions with a register of each type in each place."""
    for found in re.finditer(r"%[a-z]+(\d+)", text):
        for type_ in _TYPES:
            yield f"{text[: found.start()]}%{type_[1:]}_{found[1]}{text[found.end() :]}"


@pytest.mark.slow
def test_registers_of_every_type() -> None:
    """ptxas takes nothing that we refuse, and we take little that it refuses."""
    values, lines = Values(), list[str]()
    op_types = [each for each in INSTRUCTIONS if "tcgen05" not in each.name]
    for op_type in sampled(op_types, 8):
        names = KernelNames(lambda line: None)
        legal = (op for each in points(op_type) if is_legal(op := each.build(values)))
        if not syntax_of(op_type).is_block and (op := next(legal, None)) is not None:
            lines += _variants(f"{syntax_of(op_type).ptx(op, names)};")
    declared = [f".reg {type_} %{type_[1:]}_<300>;" for type_ in _TYPES]
    declared += [".reg .b32 %r<300>; .reg .b64 %rd<300>; .reg .b16 %rs<300>;"]
    declared += [".reg .pred %p<300>; .reg .b128 %rq<300>; .reg .b8 %rc<300>;"]
    variable = f".shared .align 1024 .b8 {VARIABLE}[1024];"
    head = "\n".join((f"{HEADER}{variable}", ".entry k() .reqntid 32 {", *declared))
    wrong = refused_early(head, lines)
    first, text = head.count("\n") + 2, "\n".join((head, *lines, "ret; }\n"))
    findings = check_source(Source("k.ptx", text))
    found = {each.line - first for each in findings if each.severity == "error"}
    assert [lines[index] for index in found - wrong] == []
    assert len(found) > max(0.9 * len(wrong), 100)
