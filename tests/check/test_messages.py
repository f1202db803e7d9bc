"""Tests of the messages of `check` on PTX text: they use the text's own words."""

import re
from collections.abc import Iterator

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.isa.model.rule import did_you_mean
from tcgen05_dialect.isa.ptx.ptx_text import FAMILY
from tcgen05_dialect.ptx.dialect import PTX
from tcgen05_dialect.reporting.diagnostics import Source

_HEADER = ".version 9.0 .target sm_100a .entry k()"
BEGIN = f"{_HEADER} {{ .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>;\n"
ALLOC = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32"


def _messages(statement: str) -> list[str]:
    found = check_source(Source("text.ptx", f"{BEGIN}{statement}\n}}"))
    assert all(each.line == 2 for each in found)
    return [each.message for each in found]


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            f"{ALLOC} [%r1], 96;",
            "tcgen05.alloc: number of columns must be 32, 64, 128, 256 or 512; found 96",
        ),
        (
            f"{ALLOC} [%r1], -32;",
            "tcgen05.alloc: number of columns must be 32, 64, 128, 256 or 512; found -32",
        ),
        (
            "tcgen05.ld.sync.aligned.16x64b.x2.b32 {%r3}, [%r1];",
            "tcgen05.ld: .16x64b with .x2 needs a vector of length 2; found 1",
        ),
        (
            "tcgen05.cp.cta_group::1.128x256b.warpx4 [%r1], %rd1;",
            "tcgen05.cp: .128x256b takes no multicast; found .warpx4",
        ),
        (
            "tcgen05.mma.sp.cta_group::1.kind::i8.ashift [%r1], %rd1, %rd2, [%r3], %r2, %p1;",
            "tcgen05.mma.sp: .ashift needs A in tensor memory; found shared",
        ),
        (
            "tcgen05.mma.ws.cta_group::2.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;",
            "tcgen05.mma.ws: cta_group must be .cta_group::1; found .cta_group::2",
        ),
        (
            "tcgen05.ld.sync.aligned.16x64b.x1.b32 {%r3}, [%r1+%r2];",
            "tcgen05.ld: address must be an immediate after +; found %r1+%r2",
        ),
    ],
)
def test_messages_speak_of_the_text(statement: str, said: str) -> None:
    (message,) = _messages(statement)
    assert message.startswith(said)


def test_all_names_that_are_not_declared_are_reported() -> None:
    statement = "@%q tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r300, %r2}, [%r301];"
    found = [re.findall(r"found (\S+)", message)[0] for message in _messages(statement)]
    assert found == ["%q", "%r300", "%r301"]


def test_all_qualifiers_that_are_missing_are_reported() -> None:
    messages = _messages("tcgen05.ld.sync.aligned.b32 {%r1}, [%r2];")
    assert [message.partition(" must be ")[0] for message in messages] == [
        "tcgen05.ld: shape",
        "tcgen05.ld: num",
    ]


COMMIT = "tcgen05.commit.cta_group::1.mbarrier::arrive::one.multicast::cluster.b64"
MMA = "tcgen05.mma.cta_group::1.kind::f16"


@pytest.mark.parametrize(
    ("statement", "underlined"),
    [
        (f"{ALLOC} [%r1], 96;", "96"),
        (f"mov.b32 %r2, 96; {ALLOC} [%r1], %r2;", "%r2"),
        (f"{ALLOC} [%r1],\n%r3;", ""),
        (f"{ALLOC} [%r1],\n  96;", "96"),
        ("@%p1 tcgen05.cp.cta_group::1.128x256b.warpx4 [%r1], %rd1;", ".warpx4"),
        ("@%p1 tcgen05.cp.cta_group::1.32x128b [%r1], %rd1;", "tcgen05.cp.cta_group::1.32x128b"),
        ("tcgen05.cp.cta_group::1.128x256b [%r1], 5;", "5"),
        (
            "mov.b32 %r2, 512; tcgen05.cp.cta_group::1.128x256b [%r2], %rd1;",
            "%r2",
        ),
        ("mov.b32 %r2, 65536; tcgen05.shift.cta_group::1.down [%r2];", "%r2"),
        ("tcgen05.ld.sync.aligned.16x64b.x2.b32 {%r3}, [%r1];", "{%r3}"),
        ("tcgen05.st.sync.aligned.16x64b.x2.b32 [%r1], {%r3};", "{%r3}"),
        ("tcgen05.st.sync.aligned.16x64b.x1.b32 [%r1], 1, {%r3};", "1"),
        ("tcgen05.st.sync.aligned.16x32bx2.x2.b32 [%r1], 1, {%r3, %r4};", "1"),
        (
            "mov.b32 %r2, 511; tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r3, %r4}, [%r2];",
            "%r2",
        ),
        (f"{MMA} [%r1], %rd1, 5, %r2, %p1;", "5"),
        (f"mov.b32 %r2, 512; {MMA} [%r2], %rd1, %rd2, %r3, %p1;", "%r2"),
        # The type of A is wrong: `a` is a field of the instruction descriptor, and an operand.
        (f"{MMA} [%r1], %rd1, %rd2, 0x8201f90, %p1;", "0x8201f90"),
        (f"{MMA} [%r1], %rd1, %rd2, %r2, {{%r1, %r2, %r3}}, %p1;", "{%r1, %r2, %r3}"),
        ("tcgen05.mma.cta_group::1.kind::i8 [%r1], %rd1, %rd2, %r2, %p1, 3;", "3"),
        (
            "tcgen05.mma.cta_group::1.kind::i8.ashift [%r1], %rd1, %rd2, %r2, %p1;",
            ".ashift",
        ),
        (f"{COMMIT} [%rd1], -1;", "-1"),
        (f"{COMMIT} [%rd1], 65535 + 1;", "65535 + 1"),
    ],
)
def test_the_culprit_is_underlined(statement: str, underlined: str) -> None:
    found = check_source(Source("text.ptx", f"{BEGIN}{statement}\n}}"))
    shown: list[str] = []
    for each in found:
        line, carets = each.excerpt.splitlines()
        shown.append("".join(c for c, mark in zip(line, carets, strict=False) if mark == "^"))
    assert {*shown} == ({underlined} if underlined else set())


@pytest.mark.parametrize("mask", ["0", "65535", "0xffff", "-0", "0x10000 - 1"])
def test_masks_of_commit_that_ptxas_takes(mask: str) -> None:
    assert _messages(f"{COMMIT} [%rd1], {mask};") == []


@pytest.mark.parametrize("mask", ["-1", "-32768", "65536", "0 - 1", "0xffffffffffff0001"])
def test_masks_of_commit_that_ptxas_refuses(mask: str) -> None:
    (error,) = check_source(Source("text.ptx", f"{BEGIN}{COMMIT} [%rd1], {mask};\n}}"))
    assert error.rule == "T5-PTX-079"


@pytest.mark.parametrize(
    "statement",
    [
        "tcgen5.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;",
        "TCGEN05.alloc.cta_group::1 [%r1], 32;",
        "tcgen.wait::ld.sync.aligned;",
        "tcgne05.wait::ld.sync.aligned;",
        "tcgen06.wait::ld.sync.aligned;",
        ".tcgen05.alloc;",
        "@%p1 tcgen_05.alloc;",
    ],
)
def test_misspelt_family(statement: str) -> None:
    (found,) = check_source(Source("text.ptx", f"{BEGIN}{statement}\n}}"))
    assert found.help == "did you mean tcgen05?"


@pytest.mark.parametrize(
    ("statement", "meant"),
    [
        ("tcgen05.comit.cta_group::1.b64 [%rd1];", "tcgen05.commit"),
        ("tcgen05.wat::ld.sync.aligned;", "tcgen05.wait"),
        ("tcgen05.ldd.sync.aligned.32x32b.x1.b32 {%r1}, [%r2];", "tcgen05.ld"),
        ("tcgen05.aloc.cta_group::1 [%r1], 32;", "tcgen05.alloc"),
    ],
)
def test_misspelt_names(statement: str, meant: str) -> None:
    (found,) = check_source(Source("text.ptx", f"{BEGIN}{statement}\n}}"))
    assert found.help == f"did you mean {meant}?"


# fmt: off
_OTHERS = """
    abs activemask add addc alloca and applypriority atom bar barrier bfe bfi bfind bmsk bra brev
    brkpt brx call clusterlaunchcontrol clz cnot copysign cos cp createpolicy cvt cvta discard div
    dp2a dp4a elect ex2 exit fence fma fns getctarank griddepcontrol isspacep istypep ld ldmatrix
    ldu lg2 lop3 mad mad24 madc mapa match max mbarrier membar min mma mov movmatrix mul mul24
    multimem nanosleep neg not or pmevent popc prefetch prefetchu prmt rcp red redux rem ret rsqrt
    sad selp set setmaxnreg setp shf shfl shl shr sin slct sqrt st stackrestore stacksave stmatrix
    sub subc suld suq sured sust szext tanh tensormap testp tex tld4 trap txq vabsdiff vadd vmad
    vmax vmin vote vset vshl vshr vsub wgmma wmma xor address_size alias align branchtargets
    calltargets common const entry extern file func global loc local maxnreg param pragma reg
    section shared target version visible weak
"""
# fmt: on
"""Other instructions and directives (PTX ISA 9.7, 11)."""


def _known() -> Iterator[str]:
    yield from _OTHERS.split()
    yield from (op.name.split(".")[1] for op in PTX.operations if not op.name.startswith("ptx.tcg"))


def test_no_other_instruction_is_taken_for_it() -> None:
    assert [name for name in _known() if did_you_mean(name, (FAMILY,))] == []
