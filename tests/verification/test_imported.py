"""Tests of the verification of kernels that were read from PTX text."""

import re

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Finding, Source

from ..support import ring_styles
from ..support.effort import sampled
from ..support.foreign_kernels import foreign_kernel, foreign_kernels
from ..support.practice_kernels import ALLOC, FREE, SLOT, kernel_of, ptx_of

NOT_DECIDED = {
    "triton_gather_scatter_f16": "scatter4.bulk_group, line 968, depends on %r230 loaded",
}
HEADER = ".version 8.7\n.target sm_100a\n.address_size 64\n"


def findings(text: str) -> list[Finding]:
    return check_source(Source("kernel.ptx", text), verify="quick")


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(foreign_kernels(), 1, of=lambda name: name in NOT_DECIDED))
def test_right_kernels_are_silent(name: str) -> None:
    (remark,) = findings(foreign_kernel(name))
    assert remark.severity == "remark"
    if (why := NOT_DECIDED.get(name)) is None:
        assert remark.verdict in ("verified", "verified in part")
    else:
        assert why in remark.message


@pytest.mark.slow
@pytest.mark.parametrize(
    ("removed", "rule"),
    sampled(
        [
            (r"@%p\d+ mbarrier\.arrive\.expect_tx[^;]*;", None),
            (r"\tbar\.sync \t0;", "T5-SIM-014"),
            (r"\tfence\.proxy\.async\.shared::cta;", "T5-SIM-015"),
            (r"@%p\d+ tcgen05\.commit[^;]*;", None),
        ],
        1,
    ),
)
def test_a_missing_step_is_found_at_its_line_of_python(removed: str, rule: str | None) -> None:
    text = foreign_kernel("gluon_tma_2cta_f16_256x128x64")
    last = [*re.finditer(removed, text)][-1]
    found = findings(text[: last.start()] + text[last.end() :])
    error, *_ = (each for each in found if each.severity == "error")
    assert rule in (None, error.rule)
    assert ", from glu.py:" in error.message
    assert "expect_tx" in removed or error.line > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "steps", sampled([r"bar\.sync \t0, 128;", "cp.async.bulk.wait_group.read"], 1)
)
def test_a_stored_tile_is_all_data_that_only_the_store_reads(steps: str) -> None:
    """The tile is written by four warps, and stored by one."""
    text = foreign_kernel("gluon_ws_f16_128x256x64")
    store = text.index("cp.async.bulk.tensor.2d.global")
    last = [*re.finditer(steps, text[: store + 2000])][-1]
    found = findings(text[: last.start()] + "//" + text[last.start() :])
    assert "T5-SIM-014" in [each.rule for each in found]


def kernel(parameters: str, directives: str, body: str) -> str:
    registers = ".reg .b32 %r<5>; .reg .b64 %d<5>; .reg .pred %p<3>; .shared .align 8 .b64 bar[4];"
    return f"{HEADER}.visible .entry k({parameters}) {directives} {{ {registers}\n{body}\nret; }}"


RACE = "mov.u32 %r1, %tid.x; st.shared.b32 [bar], %r1;"


def test_the_number_of_threads_may_be_a_limit() -> None:
    """.maxntid is a limit: what is found with the largest block says so."""
    remark, error = findings(kernel("", ".maxntid 64", RACE))
    assert remark.verdict == "not verified"
    assert remark.message.endswith("it has errors with CTAs of 64 threads, as .maxntid allows")
    assert (error.severity, error.rule) == ("error", "T5-SIM-014")
    assert "CTAs of 64 threads" in error.message


def test_sizes_that_decide_branches_are_named() -> None:
    """The number of iterations, and the number that lets the threads come to the store."""
    body = "ld.param.b32 %r3, [m]; ld.param.b32 %r4, [n]; mov.b32 %r1, 0;\n"
    body += "L: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r3; @%p1 bra L;\n"
    body += f"setp.lt.u32 %p2, %r4, 8; @%p2 bra E;\n{RACE}\nE:"
    parameters = ".param .b32 m, .param .b32 n, .param .b32 other"
    _, race = findings(kernel(parameters, ".reqntid 32", body))
    assert re.search(r"; found with m = \d+, n = \d+$", race.message)


def test_members_of_a_parameter_are_parameters() -> None:
    """The loop runs as often as a member says; the barrier in it is needed by two warps."""
    body = (
        "ld.param.v2.b32 {%r1, %r2}, [args+8]; ld.param.b64 %d1, [args]; mov.b32 %r3, 0;\n"
        "L: st.shared.b32 [bar], 1; bar.sync 0; add.s32 %r3, %r3, 1;\n"
        "setp.lt.s32 %p1, %r3, %r2; @%p1 bra L; st.global.b32 [%d1], %r1;"
    )
    (remark,) = findings(kernel(".param .align 8 .b8 args[16]", ".reqntid 32", body))
    assert remark.verdict == "verified" and "loops: line 7" in remark.message


def test_members_that_overlap_are_one_value() -> None:
    """Half of the threads load a word, the others a pair of words that begins with it."""
    body = """mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; @%p1 bra FIRST;
ld.param.u32 %r2, [p]; bra BOTH;
FIRST: ld.param.u64 %d1, [p]; cvt.u32.u64 %r2, %d1;
BOTH: setp.eq.u32 %p2, %r2, 0; @%p2 bra END;
bar.sync 0, 64;
END:"""
    (remark,) = findings(kernel(".param .align 8 .b8 p[16]", ".reqntid 64", body))
    assert remark.verdict == "verified"


def test_a_product_adds_to_sums_that_nothing_wrote() -> None:
    """Whatever the boxes of the copies are, the first product of an accumulator must not add."""
    right = ring_styles.KERNELS["counted"]
    (remark,) = findings(ptx_of(right))
    assert "assumes boxes" not in remark.message and remark.verdict == "verified"
    second = right.replace(
        "%is_later = arith.cmpi ne, %i, %c0", "%is_later = arith.cmpi ne, %i, %c1"
    )
    _, error = findings(ptx_of(second))
    assert (error.severity, error.rule) == ("error", "T5-SIM-013")
    assert "let the first MMA of an accumulator not accumulate" in error.help


def test_sizes_of_data_are_not_guessed() -> None:
    body = (
        "ld.param.b64 %d1, [p]; ld.param.b32 %r1, [n]; mad.wide.u32 %d2, %r1, 65536, %d1;\n"
        "ld.global.v2.b64 {%d3, %d4}, [%d2+4]; st.global.b64 [%d1], %d3;"
    )
    (remark,) = findings(kernel(".param .u64 p, .param .u32 n", ".reqntid 32", body))
    assert remark.verdict == "not decided"


@pytest.mark.slow
def test_a_long_run() -> None:
    """A run of more than 50000 instructions, which `quick` gives up."""
    body = "mov.b32 %r1, 0;\nL: add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 17000; @%p1 bra L;\n"
    body += "st.shared.b32 [bar], %r1;"
    text = kernel("", ".reqntid 32", body)
    (remark,) = findings(text)
    assert remark.message.endswith(
        "not decided: the kernel has not ended after 50000 instructions; warp 0 of CTA (0, 0, 0) "
        "is still in the loop at line 6"
    )
    (remark,) = check_source(text, verify="thorough")
    assert remark.verdict == "verified"


@pytest.mark.slow
def test_a_long_run_of_several_ctas() -> None:
    """The limit on instructions is that of each CTA."""
    body = "mov.b32 %r1, 0;\nL: add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 10000; @%p1 bra L;\n"
    body += "st.shared.b32 [bar], %r1;"
    (remark,) = findings(kernel("", ".reqntid 32 .explicitcluster .reqnctapercluster 2", body))
    assert remark.verdict == "verified"


@pytest.mark.parametrize("others", [False, True])
def test_a_load_for_which_nothing_waits(others: bool) -> None:
    """Compilers that never wait rely on the hardware; a kernel that waits elsewhere has lost it."""
    wait = "tcgen05.wait ld" if others else ""
    body = f"""{ALLOC}
      ptx.tcgen05.st shape_32x32b x1 [%base], {{%thread}}
      tcgen05.wait st
      %first = ptx.tcgen05.ld shape_32x32b x1 [%base] -> i32
      {wait}
      %value = ptx.tcgen05.ld shape_32x32b x1 [%base] -> i32
      %sum = arith.addi %first, %value : i32
      ptx.st global b32 [%to], {{%sum}}
    {FREE}"""
    text = ptx_of(SLOT + kernel_of(body, 32))
    remark, warning = findings(text)
    assert (warning.severity, warning.rule) == ("warning", "T5-SIM-040")
    line = text[: text.rindex("tcgen05.ld.")].count("\n") + 1
    said = f"but nothing waits for the load at line {line}, though"
    assert (remark.verdict, said in remark.message) == (
        ("verified in part", True) if others else ("verified", False)
    )


_VECTOR = f"""{HEADER}
.visible .entry k(.param .u64 out)
.reqntid 1
{{
    .shared .align 16 .b8 tile[16];
    .reg .b32 %r<8>;
    .reg .b64 %rd<2>;
    .reg .pred %p<2>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %ctaid.x;
    mov.b32 %r2, 3;
    st.shared.v2.b32 [tile], {{%r1, %r1}};
    st.shared.b32 [tile+8], %r2;
    ld.shared.v4.b32 {{%r3, %r4, %r5, %r6}}, [tile];
L:
    sub.u32 %r5, %r5, 1;
    setp.ne.u32 %p1, %r5, 0;
    @%p1 bra L;
    st.global.b32 [%rd1], %r4;
    ret;
}}
"""


def test_elements_of_a_vector_that_nothing_reads_need_no_bytes() -> None:
    """NVVM loads four words for a program that reads three."""
    (remark,) = findings(_VECTOR)
    assert remark.verdict == "verified"
    found = findings(_VECTOR.replace("[%rd1], %r4", "[%rd1], %r6"))
    assert [each.rule for each in found] == ["", "T5-SIM-013"]


@pytest.mark.parametrize("number", [16896, 25344, 67584])
def test_elements_of_8_bits_are_not_padded(number: int) -> None:
    """The kind of the products pads elements of fewer than 8 bits, and theirs have 8: a phase with
    too few or too many bytes is not verified."""
    text = foreign_kernel("gluon_scaled_cp_mxfp8_128x128x128")
    assert ": verified" in findings(text)[0].message
    text = re.sub(r"(expect_tx.*), 33792;", rf"\1, {number};", text)
    found = findings(text)
    if number > 33792:
        assert "T5-SIM-005" in {each.rule for each in found}
    else:
        assert ": not decided: " in found[0].message


def test_the_remark_names_boxes_that_are_read_in_part() -> None:
    """A phase expects two times the bytes that the products read, and nothing lies behind them."""
    text = foreign_kernel("triton_attn_f16_128x128_d64_ws")
    (remark,) = findings(text)
    assert "assumes boxes" not in remark.message
    text = re.sub(r"(expect_tx.*), 16384;", r"\1, 32768;", text, count=1)
    (remark,) = findings(text)
    assert "; assumes boxes of 32768 bytes of %param_0_byte0, of which 16384 are read" in (
        remark.message
    )
