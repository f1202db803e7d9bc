"""Tests of `tcgen05 check` on PTX text: golden tables, mutated text, and speed."""

import random
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tcgen05_dialect import compile_to_ptx
from tcgen05_dialect.check import check_source
from tcgen05_dialect.isa import targets
from tcgen05_dialect.isa.mma.instruction_descriptor import InstructionDescriptor
from tcgen05_dialect.reporting.diagnostics import Finding, Source

from ..support.effort import part, sampled
from ..support.golden_tables import forms
from ..support.repository import EXAMPLE_KERNELS
from ..support.timing import seconds_of


def check(text: str, target: str | None = None, version: str | None = None) -> list[Finding]:
    return check_source(Source("text.ptx", text), target, version)


@pytest.mark.slow
@pytest.mark.parametrize("target", targets.TARGETS)
def test_forms_are_refused_exactly_where_the_target_lacks_them(target: str) -> None:
    rows = sampled(forms(), 40, of=lambda row: target in row["min_ptx_by_target"])
    lacking = [n for n, row in enumerate(rows, 1) if target not in row["min_ptx_by_target"]]
    text = "\n".join(row["ptx"] for row in rows)
    found = check(text, target, str(targets.NEWEST))
    assert [finding.line for finding in found] == lacking
    assert {finding.rule.rpartition("-")[0] for finding in found} <= {"T5-TARGET"}


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLE_KERNELS, ids=lambda path: path.stem)
def test_our_own_ptx_has_no_findings(example: Path) -> None:
    ptx = compile_to_ptx(example.read_text(), target="sm_100a")
    assert check(ptx) == []


def test_one_bad_instruction_does_not_hide_the_next() -> None:
    text = """
        tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%smem], 48;
        tcgen05.wait::both.sync.aligned;
        tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r0}, [%taddr]
        tcgen05.cp.cta_group::1.32x128b [%taddr], %sdesc;
    """
    found = check(text)
    assert [finding.line for finding in found] == [2, 3, 4, 4, 5]
    assert found[0].rule == "T5-ALLOC-001"


def test_registers_that_are_set_once_are_constants() -> None:
    wrong = InstructionDescriptor("f16", 128, 64, "bf16", "bf16", "f32").encode() | 1 << 2
    text = f"""
        .version 8.6 .target sm_100a .visible .entry kernel()
        {{
            .reg .b32 %d, %i, %j;
            .reg .b64 %a, %b;
            .reg .pred %p;
            mov.b32 %i, {wrong};
            mov.b32 %j, {wrong};
            add.u32 %j, %j, 1;
            tcgen05.mma.cta_group::1.kind::f16 [%d], %a, %b, %i, %p;
            tcgen05.mma.cta_group::1.kind::f16 [%d], %a, %b, %j, %p;
        }}
    """
    (finding,) = check(text)
    assert finding.line == 10
    assert "must be dense; found sparse" in finding.message


@pytest.mark.slow
def test_time_is_linear() -> None:
    """A megabyte takes less than ten seconds in the best of three runs."""
    size = part(1_000_000)
    rows = forms()
    text = "\n".join(row["ptx"] for row in rows)
    found: list[tuple[float, float]] = []
    for _ in range(3):
        seconds: list[float] = []
        for times in (1, 1 + size // len(text)):
            many = "\n".join([text] * times)
            run = partial(check, many, "sm_103a", str(targets.NEWEST))
            seconds.append(seconds_of(run) / times)
        found.append((seconds[1] * (1_000_000 / len(text)), seconds[1] / seconds[0]))
        if found[-1][0] < 10 and found[-1][1] < 3:
            return
    pytest.fail(f"seconds of a megabyte, and its growth: {found}")


def _mutations(text: str, count: int, chance: random.Random) -> Iterator[str]:
    pieces = re.split(r"(\s+|[,;{}\[\].])", text)
    for _ in range(count):
        match chance.randrange(4):
            case 0:
                yield text[: chance.randrange(len(text))]
            case 1:
                shuffled = pieces.copy()
                i, j = (chance.randrange(len(pieces)) for _ in "ij")
                shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
                yield "".join(shuffled)
            case 2:
                place = chance.randrange(len(text))
                yield text[:place] + chr(chance.randrange(1, 0x300)) + text[place + 1 :]
            case _:
                start = chance.randrange(len(pieces))
                yield "".join(pieces[:start] + pieces[start + chance.randrange(1, 9) :])


@pytest.mark.slow
def test_no_text_crashes_it() -> None:
    texts = [row["ptx"] for row in forms() if row["ptx"].count(",") < 16]
    chance = random.Random(1)
    for _ in range(part(120)):
        for text in _mutations("\n".join(chance.sample(texts, 3)), 10, chance):
            check(text)


@pytest.mark.parametrize(
    "text",
    ["", ";", "{" * 10_000, "[" * 10_000, "tcgen05." * 10_000, "tcgen05.mma " + "{" * 10_000],
    ids=["empty", "semicolon", "braces", "brackets", "dots", "vector"],
)
def test_odd_texts(text: str) -> None:
    assert len(check(text)) < 20_000


@pytest.mark.slow
def test_a_line_of_megabytes() -> None:
    wait = "tcgen05.wait::ld.sync.aligned; "
    size = part(10_000_000)
    assert check(" " * size + f"/* {'x' * size} */" + wait * (size // 1000)) == []
    assert len(check("x" * size + ";" + wait)) == 0
    assert len(check("[" * (size // 10) + wait)) == 1


_BEGIN = ".version 8.8 .target sm_103a .visible .entry kernel()"


def _body(*lines: str) -> list[Finding]:
    declarations = ".reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p1; .reg .b16 %h1;"
    return check("\n".join([_BEGIN, "{", declarations, *lines, "}"]))


_FREE = "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, %r2;"


def test_a_register_that_is_set_once_is_known() -> None:
    (finding,) = _body("mov.u32 %r2, 33;", _FREE)
    assert finding.rule == "T5-ALLOC-001"


@pytest.mark.parametrize(
    "lines",
    [
        ("mov.u32 %r2, 33;", "call (%r2), f, ();"),
        (
            "mov.u32 %r2, 33;",
            "tcgen05.ld.red.sync.aligned.32x32b.x2.min.u32 {%r5, %r6}, %r2, [%r7];",
        ),
        ("{", ".reg .b32 %r2;", "mov.u32 %r2, 33;", "}"),
        ("mov.u32 %r2, %tid.x;", "@%p1 mov.u32 %r2, 33;"),
    ],
    ids=["call", "second destination", "another scope", "guard"],
)
def test_a_register_that_may_be_another_number_is_not_known(lines: tuple[str, ...]) -> None:
    assert _body(*lines, _FREE) == []


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("@%q tcgen05.wait::ld.sync.aligned;", "T5-PTX-094"),
        ("@%h1 tcgen05.wait::ld.sync.aligned;", "T5-PTX-080"),
        ("tcgen05.cp.cta_group::1.128x256b [%r1], !%rd1;", "T5-PTX-093"),
        (f"tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 0x{'f' * 5000};", "T5-PTX-095"),
        (f"tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, {'9' * 5000};", "T5-PTX-095"),
    ],
)
def test_what_the_assembler_refuses(line: str, rule: str) -> None:
    (finding,) = _body(line)
    assert finding.rule == rule


def test_a_qualifier_that_the_instruction_must_not_have() -> None:
    """The scope is not that of the state space, which has another spelling."""
    line = "mbarrier.arrive.expect_tx.shared.cta.b64 _, [%r1], 16;"
    header = ".version 8.8\n.target sm_100a\n.address_size 64\n.visible .entry k() {"
    (found,) = check(f"{header} .reg .b32 %r<3>; mov.u32 %r1, 0;\n{line}\nret; }}")
    assert (found.rule, found.line, found.column) == ("T5-PTX-040", 5, 1)


def test_a_target_without_version_is_known() -> None:
    (finding,) = check("tcgen05.shift.cta_group::1.down [%t];", "sm_100f")
    assert finding.rule == "T5-TARGET-012"
