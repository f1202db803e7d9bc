"""Tests of known instructions with a word too many or too few. ptxas gives each verdict."""

import re
from collections.abc import Iterator

import pytest
from xdsl.traits import IsTerminator

from tcgen05_dialect.assembler import assemble
from tcgen05_dialect.check import check_source
from tcgen05_dialect.ptx.instruction import syntax_of
from tcgen05_dialect.ptx.text.register_names import KernelNames
from tcgen05_dialect.reporting.diagnostics import Finding, Source

from ..support.effort import sampled
from ..support.looped import looped
from ..support.ptx_instances import INSTRUCTIONS, VARIABLE, Values, is_legal, points
from ..support.ptxas_verdicts import HEADER, TARGET, refused, refused_early

_DECLARED = (
    ".reg .pred %p<3>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %d<3>; .reg .f32 %f<3>;\n"
    ".shared .align 16 .b8 s[16];\n"
)


def _findings(statement: str) -> list[Finding]:
    text = f"{HEADER}.visible .entry k(.param .u32 p) {{\n{_DECLARED}{statement}\nret; }}\n"
    return check_source(Source("k.ptx", text))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statement", "rule", "said"),
    [
        ("ld.param %r1, [p];", "T5-PTX-092", "type must be .b8"),
        ("ld.shared.shared.b32 %r1, [s];", "T5-PTX-092", "repeated qualifier"),
        ("add.s32.s32 %r1, %r2, 3;", "T5-PTX-092", "repeated qualifier"),
        ("mov %r1, %r2;", "T5-PTX-092", "type must be"),
        ("setp.u32 %p1, %r1, %r2;", "T5-PTX-092", "comparison must be"),
        ("cvt.u32 %r1, %h1;", "T5-PTX-092", "source must be"),
        ("cp.async.shared.global [%r1], [%d1], 16;", "T5-PTX-092", "cache must be"),
        ("shf.wrap.b32 %r1, %r2, %r2, %r2;", "T5-PTX-092", "direction must be"),
        ("fence.release.release.gpu;", "T5-PTX-091", "fence.release"),
        ("mbarrier.try_wait.try_wait.b64 %p1, [%d1], %d2;", "T5-PTX-092", "try_wait"),
        ("trap trap;", "T5-PTX-093", "operand 1 must be left out"),
        ("add.s32 %r1, %r2, %r3, 4;", "T5-PTX-093", "operand 4 must be left out"),
        ("cvt.u16.u32 %h1, %r2, %r3;", "T5-PTX-093", "operand 3 must be left out"),
        ("ld.global.b32 %r1, [%d1], %d2;", "T5-PTX-093", "none without .L2::cache_hint"),
        ("mbarrier.parity.b64 %p1, [%d1], %r1;", "T5-PTX-091", "parity"),
    ],
)
def test_wrong_words(statement: str, rule: str, said: str) -> None:
    (finding,) = _findings(statement)
    assert (finding.severity, finding.rule) == ("error", rule)
    assert said in finding.message
    assert refused(f".entry k(.param .u32 p) {{ {_DECLARED}", [statement], "ret; }") == {0}


TAKEN = [
    # ptxas takes words in any order, and some twice.
    *("ex2.f32.approx %f1, %f2;", "max.abs.xorsign.bf16 %h1, %h2, %h3;"),
    *("add.u32.cc %r1, %r2, %r3;", "shfl.sync.sync.idx.b32 %r1, %r2, 0, 31, -1;"),
    # Operands that other forms lack.
    *("bar.sync 0;", "bar.sync 0, 64;", "barrier.cta.red.and.pred %p1, 0, 64, %p2;"),
    *("bar.red.popc.u32 %r1, 0, %p1;", "barrier.sync 1, 32;", "bar.warp.sync -1;"),
    *("mbarrier.try_wait.b64 %p1, [%d1], %d2;", "mbarrier.try_wait.b64 %p1, [%d1], %d2, %r1;"),
    *("mbarrier.arrive.b64 _, [%d1];", "mbarrier.arrive.b64 _, [%d1], 2;"),
    *(
        "cp.async.ca.shared.global [s], [%d1], 8;",
        "cp.async.ca.shared.global [s], [%d1], 8, 4;",
    ),
    "cp.async.cg.shared.global.L2::cache_hint [s], [%d1], 16, %r1, %d2;",
    "cp.async.cg.shared.global.L2::cache_hint [s], [%d1], 16, %p1, %d2;",
    *("createpolicy.fractional.L2::evict_last.b64 %d1;", "nanosleep.u32 5;", "trap;"),
    *("createpolicy.fractional.L2::evict_last.b64 %d1, 0.5;", "discard.global.L2 [%d1], 128;"),
    *("createpolicy.range.L2::evict_last.b64 %d1, [%d2], %r1, %r2;", "elect.sync _|%p1, -1;"),
    *("shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1;", "match.all.sync.b32 %r1|%p1, %r2, -1;"),
    *("setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p1;", "set.lt.and.u32.s32 %r1, %r2, %r3, %p1;"),
    *("lop3.or.b32 %r1|%p1, %r2, %r3, %r4, 3, %p2;", "exit;"),
    *("ret.uni;", "cvt.pack.sat.u8.s32.b32 %r1, %r2, %r3, %r4;"),
    *("cvt.pack.sat.s16.s32 %r1, %r2, %r3;", "cvt.rn.f16x2.f32 %r1, %f1, %f2;"),
    *("atom.global.cas.b32 %r1, [%d1], %r2, %r3;", "atom.global.add.u32 %r1, [%d1], %r2;"),
    *("tex.1d.v4.f32.s32 {%f1, %f2, %f1, %f2}, [%d1, {%r1}];", "bra.uni L; L:"),
    *("prefetch.global.L2 [%d1];", "applypriority.global.L2::evict_normal [%d1], 128;"),
    *("pmevent 3;", "membar.gl;", "brkpt;", "bmsk.clamp.b32 %r1, 2, 3;"),
    *(
        "szext.clamp.u32 %r1, %r2, 3;",
        "fns.b32 %r1, %r2, 3, 1;",
        "dp4a.u32.u32 %r1, %r2, 3, 1;",
    ),
    # The dialect lacks these forms of its instructions.
    *("ldmatrix.sync.aligned.m8n8.x1.b16 {%r1}, [%d1];", "mapa.u32 %r1, %r2, %r3;"),
    *("st.async.mbarrier::complete_tx::bytes.b32 [%r1], %r2, [%r3];", "testp.f32 %p1, %f1;"),
    "tensormap.replace.tile.swizzle_atomicity.shared::cta.b1024.b32 [%r1], 0;",
]


@looped(TAKEN)
def test_words_that_ptxas_takes_are_no_errors(statement: str) -> None:
    assert [each for each in _findings(statement) if each.severity == "error"] == []


@pytest.mark.slow
def test_words_that_ptxas_takes() -> None:
    body = "\n".join(f"{{ {statement} }}" for statement in TAKEN)
    assemble(f"{HEADER}.visible .entry k() {{\n{_DECLARED}{body}\nret; }}\n", TARGET)


def _variants(text: str) -> Iterator[str]:
    """An instruction without one of its words, and with one twice."""
    opcode, space, operands = text.partition(" ")
    words = re.findall(r"\.[^.]+", opcode)
    first = opcode.partition(".")[0]
    for index, word in enumerate(words):
        for changed in ([], [word, word]):
            opcode = "".join((first, *words[:index], *changed, *words[index + 1 :]))
            yield f"{opcode}{space}{operands};"


@pytest.mark.slow
def test_each_word_of_the_instructions() -> None:
    """ptxas takes nothing that we refuse, and we take little that it refuses."""
    values, lines = Values(), list[str]()
    # Others need an instruction before them, or end the block.
    op_types = [
        each
        for each in INSTRUCTIONS
        if "tcgen05" not in each.name
        and not (syntax_of(each).is_block or syntax_of(each).implicit)
        and not each.has_trait(IsTerminator)
    ]
    for op_type in sampled(op_types, 13):
        names = KernelNames(lambda line: None)
        legal = (op for each in points(op_type) if is_legal(op := each.build(values)))
        if (op := next(legal, None)) is not None:
            lines += _variants(syntax_of(op_type).ptx(op, names))
    lines = [*dict.fromkeys(lines)]
    declared = "".join(
        f".reg .b{bits} %{name}<400>; "
        for name, bits in {"r": 32, "rd": 64, "rs": 16, "rq": 128, "rc": 8}.items()
    )
    variable = f".shared .align 1024 .b8 {VARIABLE}[1024];"
    head = f"{variable}\n.entry k() .reqntid 32 {{ {declared} .reg .pred %p<400>;"
    wrong = refused_early(f"{HEADER}{head}", lines)
    first, text = (
        f"{HEADER}{head}".count("\n") + 2,
        "\n".join((f"{HEADER}{head}", *lines, "ret; }")),
    )
    findings = check_source(Source("k.ptx", text))
    found = {each.line - first for each in findings if each.severity == "error"}
    assert [lines[index] for index in found - wrong] == []
    assert len(found) > max(0.8 * len(wrong), 50)
