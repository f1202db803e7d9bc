"""Tests of launches through the CUDA driver, which the emulated one executes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tcgen05_dialect import compile_to_ptx
from tcgen05_dialect.isa.ptx.kernel import TENSOR_MAP_BYTES
from tests.support.effort import SWEEP, sampled
from tests.support.hosts import NEEDS_HOST, needs, run_host
from tests.support.repository import EXAMPLES

HOSTS = Path(__file__).parent / "hosts"
GOLDEN = Path(__file__).parent / "golden"
ADD = Path(__file__).parents[1] / "driver" / "hosts" / "add.ptx"
WS = EXAMPLES / "ws"
KERNELS = sorted(each for each in EXAMPLES.rglob("*.mlir"))
CORE = {
    "gemm": "128 256 1x1 2x2 200 300 264",
    "gemm_multicast": "64 128 2x2 2x1 300 300 136",
}
"""Kernel -> its boxes, cluster, grid and sizes, for the host program that makes the golden calls.
"""
pytestmark = NEEDS_HOST


def test_examples_have_the_results_of_sim() -> None:
    """The expected results are those of `sim`, which other tests run."""
    kernels = sampled(KERNELS, 2)
    found = run_host(HOSTS / "launch_all.py", *kernels)
    assert found.count("as expected: ") == found.count("\ntime ") == len(kernels), found
    assert found.count(" ms on the emulated driver, not on a GPU\n") == len(kernels)
    assert found.endswith("exit status 0")


def test_the_emulator_of_launch_does_not_read_its_own_ptx() -> None:
    command = "-X", "importtime", "-m", "tcgen05_dialect", "launch", WS / "gemm.mlir"
    found = run_host(sys.executable, *command)
    assert "as expected: c\n" in found
    assert "tcgen05_dialect.driver.server\n" in found
    assert "tcgen05_dialect.ptx_import" not in found


@pytest.mark.parametrize("name", CORE)
def test_calls_are_those_of_the_launcher_of_cuda_core(name: str, tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    found = run_host("tcgen05", "launch", WS / f"{name}.mlir", options=["--calls", calls])
    assert found.endswith("exit status 0"), found
    assert calls.read_text() == (GOLDEN / f"{name}.jsonl").read_text()


def test_golden_calls_are_those_of_cuda_core(tmp_path: Path) -> None:
    for name, arguments in [*CORE.items()][1:]:
        calls, ptx = tmp_path / "calls", tmp_path / "kernel.ptx"
        ptx.write_text(compile_to_ptx((WS / f"{name}.mlir").read_text()))
        host = HOSTS / "core_gemm.py"
        found = run_host(host, ptx, name, *arguments.split(), options=["--calls", calls])
        assert found == "exit status 0"
        assert calls.read_text() == (GOLDEN / f"{name}.jsonl").read_text()


def _maps(log: Path) -> list[object]:
    """The calls that encode tensor maps, and the bytes of maps that kernels take."""
    calls = [json.loads(line) for line in log.read_text().splitlines()]
    return [each for each in calls if each["call"] == "tensor map"] + [
        parameter
        for each in calls
        for parameter in each.get("parameters", ())
        if len(parameter) == 2 * TENSOR_MAP_BYTES
    ]


TRITON = GOLDEN / "gemm.triton.jsonl"


def test_maps_are_those_of_the_launcher_of_triton() -> None:
    """The golden calls of the launcher itself are compared above."""
    maps = _maps(TRITON)
    assert len(maps) == 4
    assert maps == _maps(GOLDEN / "gemm.jsonl")


@needs("triton")
def test_golden_maps_are_those_of_triton(tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    assert run_host(HOSTS / "triton_gemm.py", options=["--calls", calls]).startswith("True\n")
    assert _maps(calls) == _maps(TRITON)


def test_tensors_streams_and_threads() -> None:
    lines = run_host(HOSTS / "tensors.py", ADD).splitlines()
    answers = "numpy", "timed", "interface", "on the device", "dlpack", "threads"
    assert lines[: len(answers)] == [f"{each} True" for each in answers]
    errors = "C-contiguous", "number of arguments must be 2", "must be an integer", "did you mean"
    assert all(any(each in line for line in lines[len(answers) :]) for each in errors)


def test_a_wrong_result_and_an_error_of_the_kernel() -> None:
    gemm = "launch", WS / "gemm.mlir", "--expect", "c=0"
    found = run_host("tcgen05", *gemm)
    assert "c: " in found
    assert "elements differ, the first at (0, 0)" in found
    assert found.endswith("exit status 1")
    found = run_host("tcgen05", *gemm, "--arg", "c=zeros:bf16:199x300")
    assert "error: cuLaunchKernelEx returns CUDA_ERROR_LAUNCH_FAILED\n" in found
    assert "tcgen05: launch of gemm, grid 2 x 2 x 1, block 192 x 1 x 1\n" in found
    assert found.endswith("exit status 1")


def test_the_comparison_with_a_gpu_runs() -> None:
    """On the emulated driver, the emulator agrees with itself."""
    names = () if SWEEP else ("f16x2", "swizzle_64b", "cluster of 2", "stmatrix")
    found = run_host("python", EXAMPLES.parent / "benchmarks" / "silicon.py", *names)
    assert found.startswith("tcgen05 emulator of a B200 (no GPU), CUDA ")
    assert found.count("| 0 |\n") > (30 if SWEEP else 6)
    assert found.endswith("exit status 0"), found


def _has_driver() -> bool:
    script = "import ctypes; ctypes.CDLL('libcuda.so.1')"
    return not subprocess.run([sys.executable, "-c", script], capture_output=True).returncode


def test_without_a_driver_a_sentence_offers_the_emulated_one() -> None:
    if _has_driver():
        pytest.skip("this machine has a CUDA driver")
    kernel = WS / "gemm.mlir"
    command = [sys.executable, "-m", "tcgen05_dialect", "launch", str(kernel)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ})
    assert done.returncode == 2
    assert done.stderr == (
        "tcgen05 launch: error: there is no CUDA driver: libcuda.so.1 is missing; "
        f"`tcgen05 run-host tcgen05 launch {kernel}` needs none\n"
    )
