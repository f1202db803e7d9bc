"""Tests of shapes: instructions that share a shape mean the same as each of them alone."""

from collections.abc import Sequence

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.ptx.structure import ConstantOp
from tcgen05_dialect.ptx_import import import_ptx
from tcgen05_dialect.reporting.diagnostics import Source

HEADER = """.version 8.7
.target sm_100a
.address_size 64
.visible .entry k() {
	.reg .b16 %h<9>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	.reg .pred %p<9>;
	.shared .align 8 .b8 bar[16];
"""
INSTRUCTIONS = (
    "add.s16 %h1, %h1, {};",
    "add.s32 %r1, %r1, {};",
    "add.s64 %rd1, {}, %rd1;",
    "mov.pred %p1, {};",
    "mov.b32 %r1, bar+{};",
    "ld.shared.b32 %r1, [%r2+{}];",
    "st.global.b32 [%rd1+{}], {};",
    "lop3.b32 %r1, %r2, %r3, {}, {};",
    "mbarrier.init.shared.b64 [%r1], {};",
    "mbarrier.try_wait.parity.shared.b64 %p1, [%r1], {};",
    "bar.sync {}, {};",
    "cp.async.wait_group {};",
    "vadd.s32.s32.s32 %r1, %r2, {};",
)
"""Integers as operands, immediates, offsets and in instructions that the dialect does not know."""
INTEGERS = [
    "0",
    "1",
    "2",
    "15",
    "32",
    "0x20",
    "017",
    *(str(1 << bits) for bits in (20, 31, 32, 64)),
]


def imported(instructions: Sequence[str]) -> list[str]:
    """The operations of a kernel with their properties and constants."""
    text = "".join((HEADER, *(f"\t{each}\n" for each in instructions), "\tret;\n}\n"))
    kernel = next(op for op in import_ptx(Source("k.ptx", text)).module.ops if type(op) is KernelOp)
    texts: list[str] = []
    for op in kernel.body.walk():
        if not isinstance(op, ConstantOp):
            owners = [each.owner for each in op.operands]
            constants = [str(each.value) for each in owners if isinstance(each, ConstantOp)]
            texts.append(f"{op.name} {op.properties} {constants}")
    return texts


@pytest.mark.slow
@pytest.mark.parametrize("instruction", INSTRUCTIONS)
def test_integers_that_share_a_shape(instruction: str) -> None:
    for integers in (INTEGERS, INTEGERS[::-1]):
        texts = [instruction.format(each, each) for each in integers]
        together = imported(texts)
        for text in texts:
            assert set(imported([text])) <= set(together)


def test_each_of_equal_errors_is_reported() -> None:
    wrong = "\tbar.sync 99;\n"
    text = f"{HEADER}{wrong}\tbar.sync 1;\n{wrong}\tret;\n}}\n"
    text += f".visible .entry other() {{\n{wrong}\tret;\n}}\n"
    found = check_source(Source("k.ptx", text))
    places = [number for number, line in enumerate(text.splitlines(), 1) if "99" in line]
    assert [each.line for each in found] == places
