"""Tests of long and deep programs: the time is linear, and nothing recurses."""

import pytest

from tcgen05_dialect.compiler import import_source, print_ptx, without_garbage_collection
from tcgen05_dialect.ptx_import import import_ptx
from tcgen05_dialect.reporting.diagnostics import Source

from ..support.effort import part

HEADER = """.version 8.7
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 out) {
	.reg .b32 %r<9>;
	.reg .pred %p<9>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [out];
	mov.b32 %r1, 1;
	setp.lt.s32 %p1, %r1, 2;
"""
DEEP = part(5_000)


def check(body: str) -> None:
    text = f"{HEADER}{body}\tst.global.b32 [%rd1], %r1;\n\tret;\n}}\n"
    with without_garbage_collection():
        lowered = import_source(Source("k.ptx", text))
        printed = print_ptx(*lowered)
        assert print_ptx(*import_source(Source("k.ptx", printed))) == printed
    assert "mov.b32 %r2" not in printed


@pytest.mark.slow
def test_many_branches_in_a_row() -> None:
    """A register written in each of many branches, and read at the end."""
    check(
        "".join(
            f"\t@%p1 bra A{i};\n\tadd.s32 %r1, %r1, {i};\n\tbra B{i};\nA{i}:\n"
            f"\tadd.s32 %r1, %r1, 1;\nB{i}:\n"
            for i in range(DEEP)
        )
    )


@pytest.mark.slow
def test_many_branches_around_a_register() -> None:
    """A register that is read only behind many joins."""
    check("".join(f"\t@%p1 bra A{i};\n\tbar.sync 0;\nA{i}:\n\tbar.sync 1;\n" for i in range(DEEP)))


@pytest.mark.slow
def test_deep_loops() -> None:
    depth = DEEP // 10
    begin = "".join(f"L{i}:\n\tadd.s32 %r1, %r1, 1;\n" for i in range(depth))
    check(begin + "".join(f"\t@%p1 bra L{i};\n" for i in reversed(range(depth))))


@pytest.mark.slow
def test_many_guards() -> None:
    check("\t@%p1 add.s32 %r1, %r1, 7;\n" * DEEP)


@pytest.mark.slow
def test_deep_blocks() -> None:
    check("{\n" * DEEP + "\tbar.sync 0;\n" + "}\n" * DEEP)


def test_unreachable_code_is_left_out() -> None:
    text = f"{HEADER}\tbra L;\nM:\n\tadd.s32 %r1, %r1, 1;\n\tbra M;\nL:\n\tret;\n}}\n"
    assert "ptx.add" not in str(import_ptx(Source("k.ptx", text)).module)
