"""Tests of the checks of PTX instructions that access shared variables."""

import pytest

from tcgen05_dialect import assemble
from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Finding, Source

_ALLOC = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [{}], 32;"
_COMMIT = "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [{}];"


def _findings(declaration: str, statement: str, local: str = "") -> list[Finding]:
    text = f"""\
.version 8.6
.target sm_100a
.address_size 64
{declaration}
.visible .entry k()
{{
    {local}
    {statement}
    ret;
}}
"""
    assemble(text, "sm_100a")
    return check_source(Source("text.ptx", text))


@pytest.mark.parametrize(
    ("declaration", "address"),
    [
        (".shared .align 4 .b32 s[4];", "s"),
        (".shared .align 4 .b32 s[4];", "s+4"),
        (".shared .align 4 .b32 s[0x4];", "s+12"),
        (".shared .align 16 .b8 s[2][4];", "s+4"),
        (".shared .b32 s;", "s"),
        (".shared .v4 .b32 s;", "s+12"),
        (".extern .shared .align 16 .b8 s[];", "s+65532"),
        # The assembler may align a variable to more than its type requires.
        (".shared .b8 s[8];", "s+1"),
        (".global .align 2 .b8 s[8];", "s+2"),
        (".shared .align 2 .b8 a[3], t[9]; .shared .align 4 .b8 s[4];", "s"),
    ],
)
def test_words_that_alloc_may_write_to(declaration: str, address: str) -> None:
    alloc = _ALLOC.replace(".shared::cta", "") if ".global" in declaration else _ALLOC
    assert _findings(declaration, alloc.format(address)) == []


@pytest.mark.parametrize(
    ("declaration", "address", "said"),
    [
        (".shared .align 4 .b32 s[4];", "s+2", "aligned to 4 bytes; found 2 bytes into s, which"),
        (
            ".shared .align 2 .b8 s[8];",
            "s",
            "aligned to 4 bytes; found 0 bytes into s, which",
        ),
        (".shared .b32 s[4];", "s+1", "aligned to 4 bytes; found 1 bytes into s, which"),
        (".shared .align 4 .b8 s[2][4];", "s+8", "inside the 8 bytes of s; found 4 bytes at"),
        (".shared .align 4 .b8 a[9], s[2];", "s", "inside the 2 bytes of s; found 4 bytes at"),
        (".extern .shared .align 16 .b8 s[];", "s+6", "aligned to 4 bytes; found 6 bytes into s"),
        (".shared .v2 .b32 s;", "s+8", "inside the 8 bytes of s; found 4 bytes at offset 8"),
    ],
)
def test_words_that_alloc_may_not_write_to(declaration: str, address: str, said: str) -> None:
    (finding,) = _findings(declaration, _ALLOC.format(address))
    assert (finding.rule, finding.line) == ("T5-ALLOC-005", 8)
    assert finding.message.startswith(f"tcgen05.alloc: slot of alloc must be {said}")
    line, carets = finding.excerpt.splitlines()
    assert line[carets.index("^") :].startswith(f"{address}],")


@pytest.mark.parametrize(
    ("moves", "address", "rules"),
    [
        ("mov.u32 %r1, s;", "%r1", []),
        ("mov.u32 %r1, s;", "%r1+4", []),
        ("mov.u32 %r1, s+2;", "%r1+2", []),
        ("mov.u32 %r1, s+2;", "%r1", ["T5-ALLOC-005"]),
        ("mov.b32 %r1, s+2;", "%r1", ["T5-ALLOC-005"]),
        ("mov.u32 %r1, s;", "%r1+2", ["T5-ALLOC-005"]),
        ("mov.u32 %r1, s+16;", "%r1", ["T5-ALLOC-005"]),
        ("mov.u32 %r1, s+2; mov.u32 %r1, s;", "%r1", []),
        ("setp.eq.u32 %p1, %r2, 0; mov.u32 %r1, s; @%p1 mov.u32 %r1, s+2;", "%r1", []),
        ("mov.u32 %r2, s+2; add.u32 %r1, %r2, 2;", "%r1", []),
        ("mov.u32 %r1, other+2;", "%r1", []),
        ("{ .shared .align 2 .b8 other[8]; mov.u32 %r1, other+2; }", "%r1", ["T5-ALLOC-005"]),
    ],
)
def test_addresses_in_registers(moves: str, address: str, rules: list[str]) -> None:
    declaration = ".shared .align 4 .b32 s[4]; .shared .b8 other[8];"
    local = f".reg .b32 %r<5>; .reg .pred %p<2>; {moves}"
    found = _findings(declaration, _ALLOC.format(address), local)
    assert [finding.rule for finding in found] == rules


def test_a_variable_of_a_function_is_known() -> None:
    (finding,) = _findings("", _ALLOC.format("s+2"), ".shared .align 4 .b32 s[4];")
    assert finding.rule == "T5-ALLOC-005"


def test_a_name_that_is_declared_twice_is_that_of_its_block() -> None:
    local = ".shared .align 4 .b32 s[4];"
    (finding,) = _findings(".shared .align 8 .b8 s[2];", _ALLOC.format("s+2"), local)
    assert "found 2 bytes into s_1, which is aligned to 4" in finding.message


@pytest.mark.parametrize(("address", "rules"), [("b+8", []), ("b+4", ["T5-PTX-045"])])
def test_barrier_objects(address: str, rules: list[str]) -> None:
    found = _findings(".shared .align 8 .b64 b[2];", _COMMIT.format(address))
    assert [finding.rule for finding in found] == rules
