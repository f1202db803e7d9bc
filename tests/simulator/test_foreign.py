"""Tests of PTX from other compilers in the emulator: results, findings, parameters and errors."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import Launch, Report, Run, simulate
from tcgen05_dialect.simulator.machine.errors import LaunchError
from tcgen05_dialect.tools.main import main

from ..support.effort import sampled
from ..support.foreign_bounds import run_foreign
from ..support.foreign_kernels import foreign_kernel
from ..support.foreign_launches import LAUNCHES

_FAST = ("gluon_clc", "gluon_tma_2cta_f16_256x128x64")
_HEADER = ".version 9.0\n.target sm_100a\n.address_size 64\n"


@pytest.mark.parametrize("schedule", sampled(["lazy", "eager", "random"], 1))
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(each, marks=() if each in _FAST else pytest.mark.slow)
        for each in sampled(LAUNCHES, 1, of=lambda name: name in _FAST)
    ],
)
def test_results_are_those_of_numpy(name: str, schedule: str) -> None:
    report, differs = run_foreign(name, foreign_kernel(name), schedule)
    assert [str(finding) for finding in report.errors] == []
    assert not differs


def ptx(parameters: str, body: str, threads: int = 32) -> str:
    registers = ".reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<99>; .reg .b16 %rs<9>;"
    head = f"{_HEADER}.visible .entry k({parameters})\n.reqntid {threads}\n"
    return f"{head}{{\n{registers}\n{body}\nret;\n}}\n"


def run(text: str, arguments: Any, **launch: Any) -> Report:
    return simulate(Source("k.ptx", text), arguments, Launch(**launch))


_OUT = """
ld.param.b64 %rd1, [out];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
"""


def test_a_parameter_that_is_not_used_needs_no_argument() -> None:
    parameters = ".param .u32 a, .param .u64 out, .param .u32 b, .param .u64 scratch"
    text = ptx(parameters, f"{_OUT}ld.param.u32 %r2, [b];\nst.global.b32 [%rd3], %r2;")
    for arguments in ([1, out := np.zeros(32, np.uint32), 7], {"out": out, "b": 7}):
        out[:] = 0
        assert run(text, arguments).findings == ()
        assert (out == 7).all()
    with pytest.raises(LaunchError, match="the number of arguments must be 4; found 2"):
        run(text, [1, out])
    with pytest.raises(LaunchError, match="the parameter b has no argument"):
        run(text, {"out": out})
    with pytest.raises(LaunchError, match="name of an argument must be a, out, b or scratch"):
        run(text, {"out": out, "c": 7})


def test_numbers_have_the_types_of_their_declarations() -> None:
    parameters = ".param .u64 out, .param .f32 x, .param .b32 y, .param .b64 z"
    body = """
    ld.param.f32 %r2, [x]; st.global.b32 [%rd3], %r2;
    ld.param.b32 %r3, [y]; st.global.b32 [%rd3+4], %r3;
    ld.param.b64 %rd4, [z]; st.global.b64 [%rd3+8], %rd4;
    """
    out = np.zeros(4, np.uint32)
    assert run(ptx(parameters, _OUT + body, 1), [out, 2, 0.5, 0.25]).findings == ()
    assert out[:2].view(np.float32).tolist() == [2, 0.5]
    assert out[2:].view(np.float64).tolist() == [0.25]


def test_structures() -> None:
    parameters = ".param .align 8 .b8 s[24]"
    body = """
    ld.param.b64 %rd1, [s+8];
    ld.param.v2.b32 {%r2, %r3}, [s];
    ld.param.b8 %rs1, [s+16];
    cvt.u32.u16 %r4, %rs1;
    mov.b64 %rd2, s; cvta.param.u64 %rd3, %rd2; ld.b32 %r5, [%rd3+20];
    st.global.v4.b32 [%rd1], {%r2, %r3, %r4, %r5};
    """
    out = np.zeros(4, np.uint32)
    members = {0: np.int32(-1), 4: np.float32(1), 8: out, 16: np.uint8(200), 20: b"\1\2\0\0"}
    assert run(ptx(parameters, body, 1), [members]).findings == ()
    assert out.tolist() == [0xFFFFFFFF, 0x3F800000, 200, 0x201]
    del members[20]
    (finding,) = run(ptx(parameters, body, 1), {"s": members}).findings
    assert finding.rule == "T5-SIM-013"
    for member, message in (
        ({20: np.uint64(1)}, "at byte 20 must be inside the 24 bytes of the parameter; found 8"),
        ({8: out, 12: np.uint8(1)}, "at byte 12 must be a member of its own"),
        ({0: 5}, "must be an array, a tensor map, a number of a numpy type such as int32, or"),
        ({12: out}, "the address of argument 0 s at byte 12 must be a multiple of 8; found 12"),
    ):
        with pytest.raises(LaunchError, match=re.escape(message)):
            run(ptx(parameters, body, 1), [member])


def test_numbers_of_one_byte() -> None:
    parameters = ".param .u64 out, .param .u8 x, .param .s8 y"
    body = "ld.param.u8 %rs1, [x]; ld.param.s8 %rs2, [y]; st.global.v2.b16 [%rd3], {%rs1, %rs2};"
    out = np.zeros(2, np.int16)
    assert run(ptx(parameters, _OUT + body, 1), [out, 200, -3]).findings == ()
    assert out.tolist() == [200, -3]
    with pytest.raises(LaunchError, match="argument 1 x must be -128 to 255; found 256"):
        run(ptx(parameters, _OUT + body, 1), [out, 256, 1])


def test_brx_goes_to_all_entries() -> None:
    body = f"""{_OUT}
    table: .branchtargets A, B, A, C;
    and.b32 %r2, %r1, 3;
    mov.b32 %r3, 10;
    brx.idx %r2, table;
    A: add.s32 %r3, %r3, 1; bra D;
    B: add.s32 %r3, %r3, 2; bra D;
    C: add.s32 %r3, %r3, 3;
    D: bar.warp.sync -1;
    st.global.b32 [%rd3], %r3;
    """
    out = np.zeros(32, np.uint32)
    report = run(ptx(".param .u64 out", body), [out])
    assert report.findings == ()
    assert out.tolist() == [11, 12, 11, 13] * 8
    assert report.coverage.findings == []
    outside = body.replace("and.b32 %r2, %r1, 3", "and.b32 %r2, %r1, 7")
    (finding,) = run(ptx(".param .u64 out", outside), [out]).findings
    assert finding.message.endswith("the index is 4, but the table has 4 blocks")


def test_an_unknown_instruction_is_an_error_where_it_is_executed() -> None:
    body = """
    setp.eq.u32 %p1, %r1, 99;
    @%p1 mystery.b32 %r2, %r1, 5;
    st.global.b32 [%rd3], %r1;
    """
    out = np.zeros(32, np.uint32)
    assert run(ptx(".param .u64 out", _OUT + body), [out]).errors == ()
    executed = body.replace("99", "9")
    (finding,) = run(ptx(".param .u64 out", _OUT + executed), [out]).errors
    assert (finding.rule, finding.line) == ("T5-SIM-001", 15)
    assert "does not know the instruction mystery.b32" in finding.message
    assert "@%p1 mystery.b32 %r2, %r1, 5;" in finding.excerpt


def test_many_equal_warnings_are_shown_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    stores = "\n".join(f"st.global.b32 [%rd1+{4 * index}], 7;" for index in range(9))
    file = tmp_path / "k.ptx"
    file.write_text(ptx(".param .u64 out", f"ld.param.b64 %rd1, [out];\n{stores}", 64))
    assert main(["sim", str(file), "--arg=out=zeros:u32:16"]) == 0
    out = capfd.readouterr().out
    assert out.count("T5-SIM-032") == 7
    assert "k.ptx: warning[T5-SIM-032]: 6 more lines like this; --format json lists them" in out


_UNWRITTEN = """
    ld.param.b64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    setp.lt.u32 %p1, %r1, 8;
    {first}
    mul.wide.u32 %rd5, %r1, 4;
    add.s64 %rd3, %rd2, %rd5;
    {second}
"""


@pytest.mark.parametrize(
    ("first", "second", "lanes"),
    [
        ("", "st.global.b32 [%rd3], %r1;", "0, 1, ... 31"),
        ("@%p1 mov.b64 %rd2, %rd1;", "@%p1 st.global.b32 [%rd3], %r1;", ""),
        ("@%p1 mov.b64 %rd2, %rd1;", "st.global.b32 [%rd3], %r1;", "8, 9, ... 31"),
        ("@!%p1 bra A; mov.b64 %rd2, %rd1; A:", "@%p1 st.global.b32 [%rd3], %r1;", ""),
        ("@!%p1 bra A; mov.b64 %rd2, %rd1; A:", "st.global.b32 [%rd3], %r1;", "8, 9, ... 31"),
        ("@%p1 add.s64 %rd2, %rd7, 8;", "@%p1 st.global.b32 [%rd3], %r1;", "0, 1, ... 7"),
        ("@%p1 ld.param.b64 %rd2, [out];", "@!%p1 st.global.b32 [%rd3], %r1;", "8, 9, ... 31"),
        ("mov.b64 %rd2, %rd1;", "st.global.b32 [%rd3], %r7;", ""),
        ("add.s64 %rd2, %rd7, %rd1; mov.b64 %rd2, %rd1;", "st.global.b32 [%rd3], %r1;", ""),
    ],
)
def test_an_address_needs_written_registers(first: str, second: str, lanes: str) -> None:
    text = ptx(".param .u64 out", _UNWRITTEN.format(first=first, second=second))
    report = run(text, [np.zeros(32, np.uint32)])
    if not lanes:
        assert report.findings == ()
        return
    (finding,) = report.findings
    assert finding.rule == "T5-SIM-042"
    assert f"the address in lanes {lanes} of warp 0" in finding.message


def test_wide_registers() -> None:
    body = """
    ld.param.b64 %rd1, [out];
    .reg .b128 %rq<3>;
    ld.global.b128 %rq1, [%rd1];
    mov.b128 {%rd2, %rd3}, %rq1;
    mov.b128 %rq2, {%rd3, %rd2};
    st.global.b128 [%rd1+16], %rq2;
    st.global.b64 [%rd1+32], %rd3;
    """
    out = np.arange(6, dtype=np.uint64)
    assert run(ptx(".param .u64 out", body, 1), [out]).findings == ()
    assert out.tolist() == [0, 1, 1, 0, 1, 5]


def test_wide_registers_are_stored_one_after_the_other() -> None:
    body = """
    ld.param.b64 %rd1, [out];
    .shared .align 16 .b8 words[64];
    .reg .b128 %rq<3>;
    ld.global.v2.b64 {%rd2, %rd3}, [%rd1];
    mov.b128 %rq1, {%rd2, %rd3};
    mov.b128 %rq2, {%rd3, %rd2};
    st.shared.b128 [words], %rq1;
    st.shared.b128 [words+16], %rq2;
    ld.shared.v2.b64 {%rd2, %rd3}, [words+16];
    st.global.v2.b64 [%rd1+16], {%rd2, %rd3};
    """
    text = ptx(".param .u64 out", body, 1)
    out = np.arange(4, dtype=np.uint64)
    assert run(text, [out]).findings == ()
    assert out.tolist() == [0, 1, 1, 0]
    (verdict,) = check_source(Source("k.ptx", text), verify="quick")
    assert verdict.verdict == "verified"


@pytest.mark.parametrize("schedule", ["eager", "lazy", "random"])
@pytest.mark.parametrize(
    "look", ["ld.volatile.shared.b32 %r2, [flag];", "ld.acquire.cta.shared.b32 %r2, [flag];"]
)
def test_a_spin_lets_others_go_on(look: str, schedule: str) -> None:
    body = f"""{_OUT}
    .shared .align 4 .b32 flag;
    mov.b32 %r3, 0;
    setp.ne.u32 %p1, %r1, 0;
    @!%p1 st.volatile.shared.b32 [flag], %r3;
    bar.sync 0;
    setp.lt.u32 %p1, %r1, 32;
    @%p1 bra SET;
    mov.u64 %rd5, %clock64;
    SPIN: {look}
    nanosleep.u32 20;
    mov.u64 %rd6, %globaltimer;
    setp.eq.u32 %p2, %r2, 0;
    @%p2 bra SPIN;
    bra DONE;
    SET: mov.b32 %r2, 1;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 st.release.cta.shared.b32 [flag], %r2;
    DONE: st.global.b32 [%rd3], %r2;
    """
    out = np.zeros(64, np.uint32)
    text = Source("k.ptx", ptx(".param .u64 out", body, 64))
    assert simulate(text, [out], run=Run(schedule)).errors == ()
    assert (out == 1).all()


def test_a_guard_keeps_the_old_value() -> None:
    body = """
    mov.b32 %r2, 5;
    setp.lt.u32 %p1, %r1, 8;
    setp.lt.u32 %p2, %r1, 16;
    @%p1 setp.eq.u32 %p2, %r1, 3;
    @!%p2 add.s32 %r2, %r2, %r1;
    st.global.b32 [%rd3], %r2;
    """
    out = np.zeros(32, np.uint32)
    assert run(ptx(".param .u64 out", _OUT + body), [out]).findings == ()
    kept = [x == 3 if x < 8 else x < 16 for x in range(32)]
    assert out.tolist() == [5 if keep else 5 + x for x, keep in enumerate(kept)]


_ARGUMENTS = """
dynamic_shared_memory = 0
{args}
[sizes]
n = 5
[arrays.result]
shape = [4]
type = "u32"
[expected]
result = "n + 2"
[structures.both]
8 = "result"
0 = {{type = "i32", value = "n + 1"}}
"""
_STORE_SUM = """
ld.param.b64 %rd1, [s+8];
ld.param.b32 %r2, [s];
ld.param.b32 %r3, [b];
add.s32 %r2, %r2, %r3;
st.global.v4.b32 [%rd1], {%r2, %r2, %r2, %r2};
"""


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("args = ['both', 1]", "as expected: result"),
        ("args = ['both', 'n - 4', 'n']", "as expected: result"),
        ("[args]\ns = 'both'\nb = 'n // 5'", "as expected: result"),
        ("[args]\ns = 'both'\nb = 2", "4 of 4 elements differ"),
        ("[args]\ns = 'both'", "argument b has no value"),
        ("[args]\ns = 'both'\nd = 1", "the name of a parameter must be s, b or c; found d"),
        ("[args]\ns = 'both'\nb = 'm // 5'", "unknown name m"),
        ("args = ['result', 1]", "must be bytes, a tensor map, or members by their offsets"),
        ("args = ['both']", "the number of arguments must be 3; found 1"),
    ],
)
def test_arguments_in_a_launch_file(
    args: str, message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    parameters = ".param .align 8 .b8 s[16], .param .u32 b, .param .u64 c"
    file = tmp_path / "k.ptx"
    file.write_text(ptx(parameters, _STORE_SUM, 1))
    file.with_suffix(".toml").write_text(_ARGUMENTS.format(args=args))
    status = main(["sim", str(file)])
    captured = capfd.readouterr()
    assert message in captured.out + captured.err
    assert status == (0 if "as expected" in message else 1 if "differ" in message else 2)


@pytest.mark.parametrize(
    ("member", "message"),
    [
        ("x = 'result'", "each key of [structures.both] must be a number of bytes; found x"),
        ("16 = 'result'", "must be inside the 16 bytes of the parameter"),
        ("0 = 'other'", "byte 0 of structure both must be result; found other"),
        ("0 = 7", "byte 0 of structure both must be the name of an array or a map, or a table"),
        ("0 = {value = 1}", "the type of byte 0 of structure both must be "),
        ("0 = {type = 'u8', value = 300}", "must be a number that u8 can hold; found 300"),
        ("0 = {type = 'u8', size = 3}", "a key of [structures.both.0] must be type or value"),
    ],
)
def test_wrong_structures(
    member: str, message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    parameters = ".param .align 8 .b8 s[16], .param .u32 b"
    file = tmp_path / "k.ptx"
    file.write_text(ptx(parameters, _STORE_SUM, 1))
    text = _ARGUMENTS.format(args="args = ['both', 1]")
    file.with_suffix(".toml").write_text(f"{text[: text.index('8 =')]}{member}\n")
    assert main(["sim", str(file)]) == 2
    assert message in capfd.readouterr().err
