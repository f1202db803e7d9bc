"""Tests of forms: instructions that are not parsed at once are read as if they were."""

import re
from collections.abc import Sequence

import pytest

from tcgen05_dialect.ptx_reader import read_statements
from tcgen05_dialect.ptx_reader.statements import FormedStatement, skeleton_of
from tcgen05_dialect.ptx_reader.tokens import InstructionStatement, Statement

from ..support.foreign_kernels import foreign_kernel, foreign_kernels

LINES = """
add.s32 %r1, %r2, 3;
add.s32 %r1,%r2,-3;
@%p1 add.s32 %r1, %r2, 3;
@!%p1 add.s32 %r1, %r2, 3;
@ %p1 add.s32 %r1, %r2, 3;
@! %p1 add.s32 %r1, %r2, 3;
@p add.s32 a, b1, 3;
add.s32 %r1, /* %r2 */ 3, %r4;
add.s32 %r1, /* ; %r2 */ %r3, %r4;
add.s32 %r1, // %r2, 3;NEWLINE %r3, %r4;
add.s32 %r1,NEWLINE%r2, 3;
add.s32 %r1, %r2NEWLINE3;
ld.global.v2.b32 {%r1, _}, [%rd1+16];
ld.global.b32 %r1, [%rd1+-16];
ld.shared.b32 %r1, [slot1+16];
st.shared.b32 [%r1], 1<<3;
mov.b32 %r1, (5 + 3) % 2;
mov.b32 %r1, 5%r2;
mov.u32 %r1, %tid.x;
mov.b32 %r1, 017;
mov.b32 %r1, 0x17;
mov.f32 %f1, 0f3F800000;
mov.f32 %f1, 1.5;
mov.f32 %f1, 1e5;
mov.u32 %r1, 5U;
lop3.b32 %r1, %r2, %r3, %r4, 128;
shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1;
bar.sync 1, 128;
tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%rd1];
bra L1;
ret;
L1: add.s32 %r1, %r2, 3;
.loc 1 2 3
add.s32 %r1, %r2, %r3 mov.b32 %r4, 5;
add.s32 %r1 %r2, 3;
mov.b32 %r1, %;
""".strip()


def changed(text: str) -> str:
    """A text with other registers and integers."""
    return re.sub(r"\d+", lambda number: str(int(number[0]) % 7 + 10), text)


def places(each: Statement) -> Sequence[int]:
    guard = each.guard if isinstance(each, InstructionStatement) else None
    return (each.start, each.end, *((guard.start, guard.end) if guard is not None else ()))


def no_form(*_: object) -> None:
    """Instead of `form_of`."""


def check(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Compare the statements and faults of a text with those of a parser that knows no forms;
    returns how many instructions are not parsed at once."""
    statements, faults = read_statements(text)
    with monkeypatch.context() as patch:
        patch.setattr("tcgen05_dialect.ptx_reader.statements.form_of", no_form)
        expected, expected_faults = read_statements(text)
    assert not any(isinstance(each, FormedStatement) for each in expected)
    assert [str(each.violation) for each in faults] == [str(e.violation) for e in expected_faults]
    count = 0
    for each, other in zip(statements, expected, strict=True):
        if isinstance(each, FormedStatement):
            count += 1
            assert isinstance(other, InstructionStatement) and each.first == other.first
            pieces, words = skeleton_of(other)
            assert ([*each.skeleton.pieces], [*each.skeleton.words]) == (pieces, words)
        assert places(each) == places(other)
        assert each == other
    return count


@pytest.mark.parametrize("line", LINES.splitlines())
def test_the_second_instruction_of_a_form(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    line = line.replace("NEWLINE", "\n")
    check(f"{line}\n{changed(line)}\n{line}\nadd.s32 %r1, %r2, 3;\n", monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("name", foreign_kernels())
def test_kernels_repeat_forms(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = foreign_kernel(name)
    assert check(text, monkeypatch) > text.count(";") // 4
