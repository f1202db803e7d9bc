"""Tests of the host programs that `tcgen05 host` prints: they run on the emulated CUDA driver."""

from pathlib import Path

import pytest

from tcgen05_dialect.tools.main import main
from tests.support.effort import SWEEP
from tests.support.hosts import NEEDS_HOST, compile_host, run_host
from tests.support.repository import EXAMPLES

pytestmark = NEEDS_HOST
_SCALE = """
.version 8.6
.target sm_100a
.address_size 64
.visible .entry scale(.param .align 8 .b8 s[16], .param .f32 factor, .param .u64 out)
.reqntid 32
{
	.reg .b32 %r<9>;
	.reg .b64 %rd<7>;
	ld.param.u64 %rd1, [s];
	ld.param.u32 %r1, [s+8];
	ld.param.f32 %r2, [factor];
	ld.param.u64 %rd2, [out];
	mov.u32 %r3, %tid.x;
	mul.wide.u32 %rd3, %r3, 4;
	add.s64 %rd4, %rd1, %rd3;
	ld.global.f32 %r4, [%rd4];
	cvt.rn.f32.u32 %r5, %r1;
	fma.rn.f32 %r6, %r4, %r2, %r5;
	add.s64 %rd5, %rd2, %rd3;
	st.global.f32 [%rd5], %r6;
	ret;
}
"""
_LAUNCH = """
args = ["s", 0.5, "out"]

[arrays.class]
shape = [32]
fill = "unique"

[arrays.out]
shape = [32]

[structures.s]
0 = "class"
8 = {type = "i32", value = 3}

[expected]
out = "0.5 * class + 3"
"""
EXAMPLE = EXAMPLES / "ws" / "gemm_fp8_silu.mlir"


@pytest.fixture
def structure(tmp_path: Path) -> Path:
    """A kernel with a structure and a number, and an array with the name of a keyword."""
    (tmp_path / "scale.ptx").write_text(_SCALE)
    (tmp_path / "scale.toml").write_text(_LAUNCH)
    return tmp_path / "scale.ptx"


def _programs(kernel: Path, folder: Path) -> tuple[Path, Path]:
    """The programs in C++, compiled, and in Python."""
    cpp, program, python = folder / "host.cpp", folder / "host", folder / "host.py"
    assert not main(["host", str(kernel), "--data", str(folder), "-o", str(cpp)])
    assert not main(["host", str(kernel), "--language", "python", "-o", str(python)])
    compile_host("c++", "-std=c++17", "-Wextra", cpp, "-o", program)
    return program, python


@pytest.mark.parametrize(
    "kernel",
    sorted(EXAMPLES.rglob("*.mlir")) if SWEEP else [EXAMPLES / "ws" / "gemm_multicast.mlir"],
    ids=lambda path: path.stem,
)
def test_programs_of_examples_are_right(kernel: Path, tmp_path: Path) -> None:
    for program in _programs(kernel, tmp_path):
        found = run_host(program, tmp_path)
        assert "as expected: " in found
        assert found.endswith("exit status 0"), found


def test_structures_numbers_and_keywords(structure: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    assert run_host("tcgen05", "launch", structure).startswith("as expected: out\n")
    for program in _programs(structure, folder):
        assert "as expected: out\n" in run_host(program, folder)
        (folder / "class_.bin").write_bytes(bytes(128))
        found = run_host(program, folder)
        assert "out: 31 of 32 elements differ\n" in found
        assert found.endswith("exit status 1")
        main(["host", str(structure), "--data", str(folder), "-o", str(folder / "again")])


def test_one_of_several_launches_is_named(
    structure: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with structure.with_suffix(".toml").open("a") as file:
        file.write("[launches.first]\n[launches.second]\n")
    assert main(["host", str(structure)]) == 2
    sentence = "a host program has one launch: name one with --only: first, second\n"
    assert capsys.readouterr().err == f"tcgen05 host: error: {sentence}"
    assert main(["host", str(structure), "--only", "second"]) == 0


def test_decoded_numbers_and_the_tolerance_are_those_of_numpy(tmp_path: Path) -> None:
    """The C++ program decodes e4m3."""
    for program in _programs(EXAMPLE, tmp_path):
        file = tmp_path / "c.expected.bin"
        right = file.read_bytes()
        largest = max(right, key=lambda bits: bits & 0x7F)
        file.write_bytes(bytes([right[0] ^ 0x80 if right[0] & 0x7F else largest]) + right[1:])
        assert f"c: 1 of {len(right)} elements differ" in run_host(program, tmp_path)
        file.write_bytes(right)
