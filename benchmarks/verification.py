"""
Processor time of the verification of whole kernels, next to parsing and lowering them.

A compilation is a process that parses and lowers one kernel, and is over: there, both sides include
their imports, and the front the start of Python. A process that has compiled the kernel before
needs less for both.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from gzip import decompress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
KERNELS = (
    ROOT / "examples" / "gemm_warp_specialized.mlir",
    ROOT / "tests" / "simulator" / "synchronization" / "pair_persistent.mlir",
)
NVVM = ROOT / "tests" / "data" / "foreign" / "nvvm_gemm.mlir.gz"
RUNS = 5
REPETITIONS = 4
LENGTHS = (500, 1_000, 2_000, 4_000)
"""Operations of straight-line kernels."""
_BEGIN = """
ptx.shared_memory @slots size 256 alignment 16
ptx.kernel @k() attributes {reqntid = array<i32: 64>} {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %slots = ptx.address_of @slots
  %thread = ptx.special_register tid.x
  %own = ptx.mad u32 %thread, %c4, %slots
  %v0 = arith.addi %thread, %c4 : i32
"""
_PART = """
  ptx.st "shared::cta" b32 [%own], {%vNOW}
  ptx.bar.sync %c0
  %xNOW = ptx.ld "shared::cta" b32 [%slots] -> i32
  %yNOW = arith.addi %xNOW, %c4 : i32
  %vNEXT = arith.muli %yNOW, %thread : i32
  ptx.bar.sync %c0
"""
_OPERATIONS = 6
_MEASURE = """
import sys, time
from tcgen05_dialect.tools.main import save_time
save_time()
from tcgen05_dialect.compiler import lower, parse
from tcgen05_dialect.reporting.diagnostics import Source
text, effort = sys.stdin.read(), sys.argv[1]
start, remarks = 0.0, effort != "quick"
for _ in range(int(sys.argv[2])):
    module, context = parse(Source("k", text))
    lower(module, context)
    lowered = time.process_time()
    from tcgen05_dialect.verification.kernel_findings import RunOptions, run_findings
    found = [*run_findings(module, None, RunOptions(effort, remarks=remarks))]
    end = time.process_time()
    if [each for each in found if each.findings[0].verdict not in ("verified", "verified in part")]:
        sys.exit(found[0].message)
    print(lowered - start, end - lowered)
    start = end
"""


def straight_line(operations: int) -> str:
    """A kernel without branches of about this many operations, which synchronises all the time."""
    parts = (
        _PART.replace("NOW", str(part)).replace("NEXT", str(part + 1))
        for part in range(operations // _OPERATIONS)
    )
    return "".join([_BEGIN, *parts, "  ptx.ret\n}\n"])


class Times(NamedTuple):
    """Processor time of parsing and lowering, and of verification."""

    front: float
    verification: float


def _measure(text: str, effort: str) -> tuple[Times, Times]:
    """The times of a fresh process with its imports, and of repetitions in one process."""
    fresh: list[Times] = []
    warm: list[Times] = []
    for _ in range(RUNS):
        command = [sys.executable, "-c", _MEASURE, effort, str(REPETITIONS)]
        process = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        if process.returncode:
            raise SystemExit(process.stderr.splitlines()[-1])
        first, *others = (Times(*map(float, line.split())) for line in process.stdout.splitlines())
        fresh.append(first)
        warm += others
    return _median(fresh), _median(warm)


def _median(times: Sequence[Times]) -> Times:
    return Times(*map(median, zip(*times, strict=True)))


def _check_of_nvvm() -> float:
    """The processor time in seconds of `check` on a kernel in nvvm, with the programs of LLVM that
    it starts."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "gemm.mlir"
        path.write_bytes(decompress(NVVM.read_bytes()))
        command = [sys.executable, "-m", "tcgen05_dialect", "check", "--no-cache", path]
        start = os.times()
        subprocess.run(command, capture_output=True, check=True)
        end = os.times()
    return end.children_user + end.children_system - start.children_user - start.children_system


def main() -> None:
    """Print a line for each kernel, effort and kind of process."""
    print(
        f"{'processor time, ms':32} {'effort':>9} {'process':>8} {'verify':>7} "
        f"{'parse, lower':>13} {'ratio':>6}"
    )
    for path in KERNELS:
        for effort in ("quick", "thorough"):
            _print(path.stem, effort, *_measure(path.read_text(), effort))
    times: list[float] = []
    for length in LENGTHS:
        found = _measure(straight_line(length), "quick")
        times.append(found[1].verification)
        _print(f"straight line, {length} operations", "quick", *found)
    growth = (times[-1] - times[0]) / (LENGTHS[-1] - LENGTHS[0]) / (times[0] / LENGTHS[0])
    if shutil.which("mlir-opt-22"):
        seconds = median(_check_of_nvvm() for _ in range(RUNS))
        print(f"check of {NVVM.stem}, the whole process: {1e3 * seconds:.0f} ms")
    print(f"an operation of the longest takes {growth:.2f} times as long as one of the shortest")


def _print(name: str, effort: str, fresh: Times, warm: Times) -> None:
    for process, (front, seconds) in (("fresh", fresh), ("warm", warm)):
        print(
            f"{name:32} {effort:>9} {process:>8} {1e3 * seconds:7.0f} {1e3 * front:13.0f} "
            f"{seconds / front:6.2f}"
        )


if __name__ == "__main__":
    main()
