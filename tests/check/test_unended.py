"""Tests of PTX text that lacks the end of a statement: `check` still reads the rest."""

import pytest

from tcgen05_dialect import assemble
from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import CompileError, Finding, Source

from ..support.golden_tables import forms

BEGIN = """.version 8.6
.target sm_100a
.address_size 64
.func (.reg .b32 r) f (.reg .b32 q) { ret; }
.visible .entry k() { .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>; .reg .b32 x;
"""
ALLOC = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1]"
ENDLESS = (
    "fence.proxy.async",
    "ret",
    "exit",
    "@%p1 exit",
    "cp.async.bulk.commit_group",
    "tcgen05.fence::before_thread_sync",
    "tcgen05.wait::ld.sync.aligned",
    "call (%r1), f, (%r2)",
    "call f, (%r2)",
    "bra LAB",
    "add.u32 %r1, %r2, x",
    "add.u32 %r1, %r2, (1 + 2)",
    "mov.b32 %r1, %tid.x",
    "ld.shared.b32 %r1, [%r2]",
    "mov.b64 %rd1, {%r1, %r2}",
    ".reg .b32 %z<5>",
    ".reg .b32 z",
    ".shared .b32 y[4]",
    ".global .b32 y = 5",
    ".global .b32 y[2] = {1, 2}",
    '.pragma "nounroll"',
    "L2: .callprototype _ ()",
    "L2: .callprototype (.param .b32 _) _ (.param .b32 _)",
    "L2: .branchtargets LAB",
    "LAB2",
)
"""Statements, one of each kind, without what ends them."""


def check(text: str) -> list[Finding]:
    return check_source(Source("text.ptx", text))


def _text(*lines: str) -> str:
    return BEGIN + "\n".join([*lines, "LAB: ret; }\n"])


@pytest.mark.slow
@pytest.mark.parametrize("between", ["\n", " ", "\n// ;\n", "\n@%p1 ", "\nL9: "])
@pytest.mark.parametrize("before", ENDLESS)
def test_the_next_instruction_is_checked(before: str, between: str) -> None:
    ended = check(_text(f"{before};", f"{ALLOC}, 32;"))
    # A name that is no label is no instruction either.
    assert [each.rule for each in ended] == ["T5-PTX-091"] * (before == "LAB2")
    syntax, columns = check(_text(f"{before}{between}{ALLOC}, 96;"))
    assert (syntax.rule, columns.rule) == ("T5-PTX-090", "T5-ALLOC-001")
    if between != "\nL9: ":
        assert (syntax.line, syntax.column) == (6, 1 + len(before))
        assert syntax.message.startswith("end of ")
        assert ("must be ':'" if before == "LAB2" else "must be ';'") in syntax.message


@pytest.mark.parametrize("before", ENDLESS)
def test_ptxas_refuses_what_has_no_end(before: str) -> None:
    with pytest.raises(CompileError):
        assemble(_text(f"{before}\n{ALLOC}, 32;"), "sm_100a")


@pytest.mark.parametrize(
    "before",
    [
        "add.u32 %r1,",
        "add.u32 %r1, (%r2",
        "add.u32 %r1, x[",
        "ld.shared.b32 %r1, [%r2",
        "mov.b64 %rd1, {%r1",
        "mov.b64 %rd1, {%r1,",
        ".global .b32 z =",
        ".reg .b32",
    ],
)
def test_what_breaks_off_hides_nothing(before: str) -> None:
    syntax, columns = check(_text(f"{before}\n{ALLOC}, 96;"))
    assert (syntax.rule, columns.rule) == ("T5-PTX-090", "T5-ALLOC-001")
    assert (syntax.line, syntax.column) == (6, 1 + len(before))


def test_an_unended_instruction_is_checked_itself() -> None:
    found = check(_text(f"{ALLOC}, 48", f"{ALLOC}, 96;"))
    assert [each.rule for each in found] == ["T5-ALLOC-001", "T5-PTX-090", "T5-ALLOC-001"]
    assert [each.line for each in found] == [6, 6, 7]


@pytest.mark.parametrize(
    "statement",
    [
        "vadd4.u32.u32.u32 x.b3210, x.b7654, x.b10, x;",
        "mov.b32 x, LAB; add.u32 x, x, 1 ? 2 : 3;",
        ".reg .v2 .b32 v; mov.b32 x, v.x; add.u32 x, v\n.y, v.r;",
        "add.u32 x, x, (.s64)5; add.u32 x, x, (.s64)(5);",
        ".global .u64 y = generic(f)+4;",
    ],
)
def test_words_of_operands_begin_no_statement(statement: str) -> None:
    assert check(_text(statement)) == []


@pytest.mark.slow
def test_no_form_is_hidden() -> None:
    rows = forms()
    text = "".join(f"fence.proxy.async\n{row['ptx']}\n" for row in rows)
    found = check(text)
    assert [each.line for each in found if each.rule == "T5-PTX-090"] == [*range(1, 3977, 2)]
