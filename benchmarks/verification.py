"""
Processor time of the verification of whole kernels, next to parsing and lowering them.

A compilation is measured in a process of its own, because it parses and lowers one kernel, and is
over. In a process that has compiled many kernels, parsing is faster.
"""

import subprocess
import sys
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
KERNELS = (
    ROOT / "examples" / "gemm_warp_specialized.mlir",
    ROOT / "tests" / "simulator" / "synchronization" / "pair_persistent.mlir",
)
RUNS = 5
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
import gc, sys, time
from tcgen05_dialect.compiler import lower, parse
from tcgen05_dialect.reporting.diagnostics import Source
gc.disable()
text, effort = sys.stdin.read(), sys.argv[1]
start = time.process_time()
module, context = parse(Source("k", text))
lower(module, context)
front = time.process_time() - start
from tcgen05_dialect.verification.kernel_findings import run_findings
import tcgen05_dialect.verification.verdict
start = time.process_time()
(verdict,) = run_findings(module, None, effort)
seconds = time.process_time() - start
if "verified" not in verdict.findings[0].verdict:
    sys.exit(verdict.message)
print(front, seconds)
"""


def straight_line(operations: int) -> str:
    """A kernel without branches of about this many operations, which synchronises all the time."""
    parts = (
        _PART.replace("NOW", str(part)).replace("NEXT", str(part + 1))
        for part in range(operations // _OPERATIONS)
    )
    return "".join([_BEGIN, *parts, "  ptx.ret\n}\n"])


def _measure(text: str, effort: str) -> tuple[float, float]:
    """Processor time of parsing and lowering, and of verification without its imports."""
    figures: list[tuple[float, float]] = []
    for _ in range(RUNS):
        command = [sys.executable, "-c", _MEASURE, effort]
        process = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        if process.returncode:
            raise SystemExit(process.stderr.splitlines()[-1])
        front, seconds = map(float, process.stdout.split())
        figures.append((front, seconds))
    return median(front for front, _ in figures), median(seconds for _, seconds in figures)


def main() -> None:
    """Print a line for each kernel and effort."""
    print(
        f"{'processor time, ms':32} {'effort':>9} {'verify':>8} {'parse, lower':>13} {'ratio':>6}"
    )
    for path in KERNELS:
        for effort in ("quick", "thorough"):
            _print(path.stem, effort, *_measure(path.read_text(), effort))
    times: list[float] = []
    for length in LENGTHS:
        front, seconds = _measure(straight_line(length), "quick")
        times.append(seconds)
        _print(f"straight line, {length} operations", "quick", front, seconds)
    growth = (times[-1] - times[0]) / (LENGTHS[-1] - LENGTHS[0]) / (times[0] / LENGTHS[0])
    print(f"an operation of the longest takes {growth:.2f} times as long as one of the shortest")


def _print(name: str, effort: str, front: float, seconds: float) -> None:
    print(f"{name:32} {effort:>9} {1e3 * seconds:8.0f} {1e3 * front:13.0f} {seconds / front:6.2f}")


if __name__ == "__main__":
    main()
