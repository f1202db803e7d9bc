"""Tests of the cta_group of a kernel and of the functions that it calls, against ptxas."""

import itertools

import pytest

from tcgen05_dialect import assemble
from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import CompileError, Finding, Source

HEADER = ".version 8.6\n.target sm_100a\n.address_size 64\n"
INSTRUCTIONS = {
    name: f"tcgen05.{text};"
    for name, text in {
        "alloc": "alloc.cta_group::{}.sync.aligned.shared::cta.b32 [%r1], 32",
        "dealloc": "dealloc.cta_group::{}.sync.aligned.b32 %r1, 32",
        "relinquish": "relinquish_alloc_permit.cta_group::{}.sync.aligned",
        "mma": "mma.cta_group::{}.kind::f16 [%r1], %rd1, %rd2, %r2, %p1",
        "commit": "commit.cta_group::{}.mbarrier::arrive::one.shared::cluster.b64 [%r1]",
        "cp": "cp.cta_group::{}.128x256b [%r1], %rd1",
        "shift": "shift.cta_group::{}.down [%r1]",
    }.items()
}
ALLOC, DEALLOC, MMA = (INSTRUCTIONS[name] for name in ("alloc", "dealloc", "mma"))
ONE, TWO = ALLOC.format(1), MMA.format(2)


def _function(header: str, *lines: str) -> str:
    registers = ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>;"
    return "\n".join([f"{header} {{ {registers}", *lines, "ret; }\n"])


def _check(text: str) -> list[Finding]:
    return check_source(Source("text.ptx", HEADER + text))


def _takes(text: str) -> bool:
    try:
        assemble(HEADER + text, "sm_100a")
    except CompileError as error:
        assert "single CTA(.cta_group::1) and CTA pair" in str(error)
        return False
    return True


@pytest.mark.parametrize(("one", "other"), list(itertools.permutations(INSTRUCTIONS, 2)))
def test_all_instructions_of_a_kernel_agree(one: str, other: str) -> None:
    lines = [INSTRUCTIONS[one].format(2), INSTRUCTIONS[other].format(1)]
    (finding,) = _check(_function(".visible .entry k()", *lines))
    assert (finding.line, finding.rule) == (6, "T5-CTA_GROUP-002")
    assert finding.message.endswith(".cta_group::2; found .cta_group::1")


PROGRAMS = {
    "the same": ([_function(".entry k()", ONE, MMA.format(1), DEALLOC.format(1))], True),
    "both": ([_function(".entry k()", ONE, TWO)], False),
    "two kernels": ([_function(".entry k()", ONE), _function(".entry l()", TWO)], True),
    "guards": ([_function(".entry k()", f"@%p1 {ONE}", f"@!%p1 {TWO}")], False),
    "behind the end": ([_function(".entry k()", ONE, "ret;", TWO)], False),
    "blocks": ([_function(".entry k()", "{", ONE, "}", "{", TWO, "}")], False),
    "called": (
        [_function(".visible .func f()", ONE), _function(".entry k()", TWO, "call f;")],
        False,
    ),
    "called by a called one": (
        [
            _function(".visible .func (.reg .b32 a) f(.reg .b32 b)", ONE),
            _function(".visible .func g()", "call (%r1), f, (%r2);"),
            _function(".entry k()", TWO, "call g;"),
        ],
        False,
    ),
    "not called": ([_function(".visible .func f()", ONE), _function(".entry k()", TWO)], True),
    "in no kernel": ([_function(".visible .func f()", ONE, TWO)], True),
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_ptxas_agrees(program: str) -> None:
    functions, is_legal = PROGRAMS[program]
    text = "".join(functions)
    assert _takes(text) == is_legal
    assert {each.rule for each in _check(text)} == (set() if is_legal else {"T5-CTA_GROUP-002"})


@pytest.mark.parametrize(
    ("cluster", "is_legal"),
    [("", True), (".reqnctapercluster 2", True), (".reqnctapercluster 3, 0x2, 1", True)]
    + [(f".reqnctapercluster {extents}", False) for extents in ("1", "3", "1, 0x3, 1")],
)
def test_clusters_consist_of_pairs(cluster: str, is_legal: bool) -> None:
    pair, one = (
        [INSTRUCTIONS[name].format(ctas) for name in ("alloc", "relinquish")] for ctas in (2, 1)
    )
    found = _check(_function(f".visible .entry k() {cluster}", *pair))
    assert {each.rule for each in found} == (set() if is_legal else {"T5-CTA_GROUP-003"})
    assert not _check(_function(f".entry k() {cluster}", *one))


_LANE_0 = """
.version 8.7
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 out) .reqntid 128
{
	.shared .align 4 .b32 slot;
	.reg .b32 %r<4>;
	.reg .b64 %rd<2>;
	.reg .pred %p<2>;
	mov.u32 %r1, %tid.x;
	setp.lt.u32 %p1, %r1, 32;
	@!%p1 bra SKIP;
	tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 32;
SKIP:
	bar.sync 0;
	ld.shared.b32 %r2, [slot];
	tcgen05.st.sync.aligned.32x32b.x1.b32 [%r2], {%r1};
	tcgen05.wait::st.sync.aligned;
	tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r2];
	tcgen05.wait::ld.sync.aligned;
	bar.sync 0;
	@!%p1 bra END;
	tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32;
END:
	ret;
}
"""


def test_lane_0_of_all_warps_is_told_once() -> None:
    """It is known without a run, and a run finds it again."""
    found = check_source(Source("k.ptx", _LANE_0.lstrip()))
    assert [each.line for each in found if each.rule == "T5-SIM-036"] == [17]


@pytest.mark.parametrize("form", ["constant", "known bits"])
@pytest.mark.parametrize(("field", "rule"), [(0, "T5-DESC-018"), (2, "T5-DESC-001")])
def test_constant_fields_of_descriptors(field: int, rule: str, form: str) -> None:
    """A kernel gets one warning of a field 0; a function that none calls gets no warning."""
    high = 0x40000040 | field << 14
    made = f"mov.b64 %rd1, {high << 32 | 0x40};"
    if form == "known bits":
        made = f"bfe.u32 %r3, %r1, 4, 14; mov.b64 %rd1, {{%r3, {high}}};"
    lines = ["mov.u32 %r1, %tid.x;", made, INSTRUCTIONS["cp"].format(1), MMA.format(1)]
    found = [each.rule for each in _check(_function(".visible .entry k()", *lines))]
    assert found == [rule] * (2 if field else 1)
    in_function = [each.rule for each in _check(_function(".visible .func f()", *lines))]
    assert in_function == (found if field and form == "constant" else [])
