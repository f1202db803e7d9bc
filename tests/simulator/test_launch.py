"""Tests of launch files and of the options that replace them."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from tcgen05_dialect.simulator import SCHEDULES, Run, simulate
from tcgen05_dialect.simulator.machine.errors import LaunchError
from tcgen05_dialect.tools.main import main

from ..support.repository import EXAMPLES

COPY = """
ptx.kernel @copy(%source : i64, %target : i64, %factor : i32) attributes {
    reqntid = array<i32: 32>} {
  %lane = ptx.special_register laneid
  %wide = ptx.cvt u64 u32 %lane
  %four = ptx.constant 4 : i64
  %offset = ptx.mul lo u64 %wide, %four
  %from = ptx.add u64 %source, %offset
  %to = ptx.add u64 %target, %offset
  %value = ptx.ld global b32 [%from] -> i32
  %product = ptx.mul lo u32 %value, %factor
  ptx.st global b32 [%to], {%product}
  ptx.ret
}
"""
NAMES = ("source", "target", "factor")


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    path = tmp_path / "copy.mlir"
    path.write_text(COPY)
    return path


def sim(kernel: Path, *options: str) -> int:
    return main(["sim", str(kernel), *options])


def test_arguments_without_a_launch_file(
    kernel: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    numbers = np.arange(32, dtype=np.uint32) + 7
    np.save(tmp_path / "source.npy", numbers)
    np.save(tmp_path / "expected.npy", numbers * 3)
    options = (
        f"--arg=source={tmp_path / 'source.npy'}",
        "--arg=target=zeros:u32:32",
        f"--expect=target={tmp_path / 'expected.npy'}",
    )
    assert sim(kernel, *options, "--arg=factor=3", "--grid=1") == 0
    assert capfd.readouterr().out.startswith("as expected: target\n")
    assert sim(kernel, *options, "--arg=factor=4") == 1
    assert "32 of 32 elements differ, the first at (0,): found 28, expected 21" in (
        capfd.readouterr().out
    )
    assert sim(kernel, *options[:2], "--arg=factor=3", "--expect=target=source * 3") == 0
    assert sim(kernel, *options, "--arg=factor=3", "--expect=target=source * 3") == 2
    assert "--expect gives two values for target" in capfd.readouterr().err
    assert sim(kernel, *options) == 2
    error = capfd.readouterr().err
    assert "factor has no value; give it one with --arg factor=VALUE" in error
    assert f"; tcgen05 launch-file {kernel} prints a template of a launch file" in error


def test_options_come_before_the_launch_file(
    kernel: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    kernel.with_suffix(".toml").write_text(
        "sizes.factor = 2\n"
        "[arrays]\n"
        'source = {shape = [32], type = "u32", fill = "unique"}\n'
        'target = {shape = [32], type = "u32"}\n'
        "[expected]\n"
        'target = "source * factor"\n'
    )
    assert sim(kernel) == 0
    for options in (
        ("--arg", "source=ones"),
        ("--arg", "factor=5"),
        ("--size", "factor=5"),
        ("--grid", "1", "--cluster", "1"),
        ("--arg", "source=random", "--arg", "target=ones:u32:32", "--seed", "3"),
        ("--arg", "source=ones:i32:32", "--arg", "target=zeros:i32:32"),
        ("--arg", "source=ones", "--expect", "target=2 * source"),
        ("--kernel", "copy", "--dynamic-shared-memory", "1024", "--block", "32"),
    ):
        assert sim(kernel, *options) == 0, options
    assert capfd.readouterr().out.count("as expected: target\n") == 9
    assert sim(kernel, "--arg", "source=ones", "--expect", "target=3") == 1
    np.save(tmp_path / "source.npy", np.ones(31, np.uint32))
    assert sim(kernel, "--arg", f"source={tmp_path / 'source.npy'}") == 2
    assert "shape of the file for array source must be 32" in capfd.readouterr().err


def test_an_example_with_a_matrix_of_bf16_from_a_file(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """numpy saves bf16 as two bytes; floats are rounded to it."""
    a = (np.arange(40 * 8).reshape(40, 8) % 5 - 2).astype(np.float32)
    b = (np.arange(24 * 8).reshape(24, 8) % 7 - 3).astype(np.float32)
    np.save(tmp_path / "a.npy", a.astype(ml_dtypes.bfloat16))
    np.save(tmp_path / "b.npy", b)
    np.save(tmp_path / "c.npy", a @ b.T)
    options = [f"--arg={name}={tmp_path / name}.npy" for name in "ab"]
    options += [f"--size={name}" for name in ("m=40", "n=24", "k=8")]
    kernel = EXAMPLES / "gemm_single_tile.mlir"
    assert sim(kernel, *options, f"--expect=c={tmp_path / 'c.npy'}") == 0
    np.save(tmp_path / "c.npy", a @ b.T + 1)
    assert sim(kernel, *options, f"--expect=c={tmp_path / 'c.npy'}") == 1
    assert "c: 960 of 960 elements differ" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--arg=source", "--arg must be NAME=VALUE, where VALUE is FILE.npy, "),
        ("--arg=source=everything", "fill of array source must be random, "),
        (
            "--arg=source=random:u32",
            "source has no shape\n  help: add shape = [128, 64] to [arrays.source] in the launch "
            "file, or --arg source=random:u32:128x64",
        ),
        ("--arg=source=random:u7:4", "type of array source must be bf16, "),
        ("--arg=source=ones:u32:99999999999", "shape of array source must be "),
        ("--arg=source=Ones!", "--arg must be FILE.npy, "),
        ("--arg=source=none.npy", "none.npy: no such file"),
        ("--arg=source=1.5", "must be an array, whose address is passed, or an integer"),
        ("--arg=factor=1.5", "argument 2 %factor of type i32 must be an integer"),
        (
            "--arg=factr=1",
            "--arg factr: the name of a parameter, an array or a size must be source, target or "
            "factor; found factr\n  help: did you mean factor?\n",
        ),
        ("--arg=factor=4294967296", "argument 2 %factor of type i32 must be "),
        ("--arg=factor=1e999", "size factor must be a number"),
        ("--grid=0", "must be one to three extents of 1 or more"),
        ("--grid=1,2,3,4", "--grid must be one to three numbers with commas between them"),
        ("--block=64x2", "such as 2,1; found '64x2'; did you mean 64,2?"),
        ("--block=64x", "such as 2,1; found '64x'\n"),
        ("--grid=9999999999", "--grid: the grid must be one to three extents of 1 or more, with "),
        ("--cluster=x", "--cluster must be "),
        ("--block=2000", "--block: the block must be one to three extents of 1 or more, at "),
        ("--dynamic-shared-memory=-1", "shared-memory: the dynamic shared memory must be 0 to 2"),
        ("--dynamic-shared-memory=a", "--dynamic-shared-memory must be a number of"),
        ("--kernel=other", "the name of the kernel must be copy; found other"),
        ("--expect=other=1", "--expect other: an expected array must be source or target"),
        ("--expect=target=1 +", "--expect target: the expected content of target: syntax"),
        ("--expect=target=source @ 1", "content of target: @ needs two arrays"),
        ("--size=n=-1.5", "--size n: the name of a size must be factor; found n"),
        ("--size=factor=a", "--size factor must be a number; found 'a'"),
        ("--size=factor", "--size must be NAME=VALUE, where VALUE is a number, such as m=256"),
        ("--seed=-1", "--seed must be a number of 0 or more"),
        ("--max-steps=0", "--max-steps must be a number of 1 or more"),
    ],
)
def test_options_that_cannot_be_used(
    kernel: Path, option: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    known = ("--arg=source=ones:u32:32", "--arg=target=zeros:u32:32", "--arg=factor=2")
    assert sim(kernel, *known, option) == 2
    error = capfd.readouterr().err
    assert message in error
    assert sum(not line.startswith("  ") for line in error.splitlines()) == 1


@pytest.mark.parametrize(
    ("options", "subject"),
    [
        (["--block=64"], "--block: the block"),
        (["--arg=factor=1.5"], "--arg factor: the expected content of target"),
        (["--arg=factor=1.5", "--expect=target=0"], "--arg factor: argument 2 %factor"),
        (["--arg=source=ones:u32:8x4", "--expect=target=source"], "--expect target: the expected"),
        (["--expect= target = factr"], "--expect target: the expected content of target: unk"),
        (["--arg=target=ones:u32:8x4"], "--arg target: the expected content of target"),
        (["--arg=source=ones:u32:16"], "--arg source: "),
        (["--size=n=16"], "--size n: "),
        (
            ["--arg=source=3"],
            "--arg source: source, an array of the launch file, must be random, unique, ones, "
            "zeros or NAME.npy; found 3",
        ),
        (
            ["--arg=factor=abc"],
            '--arg factor: factor, a size of the launch file, must be a number; found "abc"',
        ),
        (["--size=n=16", "--arg=source=ones:u32:16"], "--arg source: "),
        (["--size=n=-3"], "--size n: the shape of array source must be"),
        (["--size=n=99999999999"], "--size n: the shape of array source"),
    ],
)
def test_the_option_that_is_wrong_is_named(
    kernel: Path, options: Sequence[str], subject: str, capfd: pytest.CaptureFixture[str]
) -> None:
    kernel.with_suffix(".toml").write_text(
        "sizes = {factor = 2, n = 32}\n"
        "[arrays]\n"
        'source = {shape = ["n"], type = "u32", fill = "unique"}\n'
        'target = {shape = [32], type = "u32"}\n'
        "[expected]\n"
        'target = "source * factor"\n'
    )
    assert sim(kernel) == 0
    assert sim(kernel, *options) == 2
    assert capfd.readouterr().err.startswith(f"tcgen05 sim: error: {subject}")


def test_the_launch_file_is_named_if_no_option_is_wrong(
    kernel: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = kernel.with_suffix(".toml")
    for wrong in ("block = [64]", "sizes.factor = 0.5", "cluster = [64]", "args = []"):
        factor = "" if "factor" in wrong else "sizes.factor = 2"
        path.write_text(
            f"{wrong}\narrays.source.shape = [32]\narrays.target.shape = [32]\n{factor}"
        )
        assert sim(kernel, "--seed=1", "--arg=source=ones") == 2
        error = capfd.readouterr().err
        assert re.match(rf"{re.escape(str(path))}:1:\d+: error", error), error


def test_a_name_where_there_is_nothing_to_name(
    kernel: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert sim(kernel, "--size=q=1") == 2
    message = "--size q: q cannot be the name of a size: there are none"
    assert capfd.readouterr().err == f"tcgen05 sim: error: {message}\n"
    two = COPY + COPY.replace("@copy", "@other")
    with pytest.raises(LaunchError, match="must name one of the kernels of the module: copy, othe"):
        simulate(two, [])
    with pytest.raises(LaunchError, match="the module has no kernel"):
        simulate("ptx.shared_memory @a size 4 alignment 4", [])


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (("--arg=factor=3", "--expect=target=3"), 0),
        (("--arg=factor=2", "--expect=target=3"), 1),
        (("--arg=factor=2", "--max-steps=2"), 1),
    ],
)
def test_outcomes_as_json(
    kernel: Path, options: Sequence[str], status: int, capfd: pytest.CaptureFixture[str]
) -> None:
    known = ("--arg=source=ones:u32:32", "--arg=target=zeros:u32:32", "--format=json")
    assert sim(kernel, *known, *options) == status
    (outcome,) = json.loads(capfd.readouterr().out)["launches"]
    assert outcome["launch"] is None
    if "--max-steps=2" in options:
        assert [finding["rule"] for finding in outcome["findings"]] == ["T5-SIM-006"]
    else:
        assert outcome["findings"] == []
        assert [each["differing"] for each in outcome["differences"]] == [32] * status
        assert outcome["statistics"]["instructions"] == {"0": 10}


def test_kernels_that_do_not_compile_are_findings_of_json(
    kernel: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    kernel.write_text("ptx.kernel @copy() {")
    assert sim(kernel, "--format=json") == 1
    (outcome,) = json.loads(capfd.readouterr().out)["launches"]
    assert outcome["findings"][0]["line"] == 1
    assert outcome["statistics"] is None
    assert sim(kernel.with_name("none.mlir"), "--format=json") == 2
    assert "none.mlir: No such file" in capfd.readouterr().err


def test_a_tolerance_on_the_command_line(kernel: Path, capfd: pytest.CaptureFixture[str]) -> None:
    options = ("--arg=source=ones:u32:32", "--arg=target=zeros:u32:32", "--arg=factor=100")
    assert sim(kernel, *options, "--expect=target=source * 101") == 1
    assert "the largest difference is 1," in capfd.readouterr().out
    assert sim(kernel, *options, "--expect=target=source * 101", "--tolerance=1e-2") == 0
    assert sim(kernel, *options, "--tolerance=some") == 2
    assert "--tolerance must be a number such as 1e-5" in capfd.readouterr().err


def test_a_file_that_is_no_launch_file(
    kernel: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for content, place in (
        (b"\x7fELF\xff", ""),
        (b"kernel: gemm", ":1:7"),
        (b"[sizes]\nm 3", ":2:3"),
        (b"grid = [", ""),
    ):
        (tmp_path / "other.toml").write_bytes(content)
        assert sim(kernel, f"--launch={tmp_path / 'other.toml'}") == 2
        message = f"other.toml{place}: error: not a launch file in TOML: "
        assert message in capfd.readouterr().err


ENDLESS = """
ptx.kernel @endless() attributes {{reqntid = array<i32: 32, 1, 1>}} {{
  %c0 = arith.constant 0 : i32
  %thread = ptx.special_register tid.x
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  cf.br ^begin
^begin:
  cf.cond_br %is_first, ^first, ^all
^first:
  ptx.nanosleep %c0
  cf.br ^all
^all:
  ptx.bar.sync %c0
  cf.br {target}
{other}}}
"""


@pytest.mark.parametrize(
    ("target", "other"),
    [("^begin", ""), ("^again", "^again:\n  cf.br ^again\n"), ("^end", "^end:\n  ptx.ret\n")],
)
def test_lanes_of_an_endless_loop_meet(target: str, other: str) -> None:
    report = simulate(ENDLESS.format(target=target, other=other), [], run=Run(max_steps=1000))
    rules = [finding.rule for finding in report.findings]
    assert rules == ([] if "ret" in other else ["T5-SIM-006"])


def test_steps_are_counted_to_the_end_of_a_kernel() -> None:
    kernel = ENDLESS.format(target="^end", other="^end:\n  ptx.ret\n")
    count = simulate(kernel, []).statistics.instructions.total()
    for steps in range(1, count + 1):
        report = simulate(kernel, [], run=Run(max_steps=steps))
        assert [finding.rule for finding in report.findings] == ["T5-SIM-006"] * (steps < count)


def test_the_help_lists_the_schedules(capfd: pytest.CaptureFixture[str]) -> None:
    """The options do not import the emulator, which is an extra, to know them."""
    with pytest.raises(SystemExit):
        main(["sim", "--help"])
    assert f"{{{','.join(SCHEDULES)}}}" in capfd.readouterr().out
