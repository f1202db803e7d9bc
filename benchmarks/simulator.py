"""
Benchmark of the emulator: a whole kernel, one matrix product, one instruction, and memory.

It measures processor time, which other programs disturb less than elapsed time. Run it with
OPENBLAS_NUM_THREADS=1: on a busy machine the threads of numpy spend their time waiting.
"""

import resource
import time
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from tcgen05_dialect.simulator import Launch, Report, TensorMap, simulate

EXAMPLES = Path(__file__).parent.parent / "examples"
KERNEL = "gemm_warp_specialized"
SIZE = 1024
"""M, N and K of the large run."""
SMALL = (128, 256, 64)
"""M, N and K of a first run, which loads all modules."""
ADDITIONS = 100_000
BEFORE = 15.0
"""The large run at commit 096b52f took as long as this many million additions of 32 numbers."""
PRODUCTS = (10, 210)
"""Products of a short and a long run: the difference gives the time of one product."""
TURNS = (10_000, 90_000)
"""Turns of a loop in a short and a long run: they show whether the time is linear."""
LOOP = """
ptx.kernel @loop(%turns : i32) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end = scf.for %i = %c0 to %turns step %c1 iter_args(%x = %c0) -> (i32) : i32 {
    %a = arith.muli %x, %i : i32
    %b = arith.xori %a, %x : i32
    %c = arith.addi %b, %i : i32
    scf.yield %c : i32
  }
  ptx.ret
}
"""
MMA = """
!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
!b = !tcgen05.smem_descriptor<256x16xbf16, k_major, no_swizzle>
!accumulator = !tcgen05.tmem<128x256xf32>
#multiply = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>
ptx.shared_memory @tile size 8192 alignment 128
ptx.shared_memory @done size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @products(%turns : i32) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %c512 = arith.constant 512 : i32
  %bytes = arith.constant 8192 : i32
  %columns = arith.constant 256 : i32
  %all_lanes = arith.constant -1 : i32
  %tile = ptx.address_of @tile
  %done = ptx.address_of @done
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  %first = arith.muli %lane, %c16 : i32
  scf.for %byte = %first to %bytes step %c512 : i32 {
    %to = arith.addi %tile, %byte : i32
    ptx.st "shared::cta" b32 [%to], {%byte, %byte, %byte, %byte}
  }
  tcgen05.alloc %slot, %columns
  %acc = tcgen05.load_address %slot : !accumulator
  ptx.fence.proxy.async
  ptx.bar.warp.sync %all_lanes
  %leader, %elected = ptx.elect.sync %all_lanes
  scf.if %elected {
    ptx.mbarrier.init [%done], %c1
    ptx.fence.mbarrier_init
    %a = tcgen05.descriptor %tile : !a
    %b = tcgen05.descriptor %tile : !b
    scf.for %i = %c0 to %turns step %c1 : i32 {
      %accumulate = arith.cmpi ne, %i, %c0 : i32
      tcgen05.mma %acc, %a, %b accumulate %accumulate {idesc = #multiply} : !accumulator, !a, !b
    }
    tcgen05.commit %done
  }
  ptx.bar.warp.sync %all_lanes
  ptx.mbarrier.wait [%done], %c0
  tcgen05.fence after_thread_sync
  tcgen05.dealloc %acc, %columns : !accumulator
  ptx.ret
}
"""


def _run(text: str, args: list[Any], launch: Launch | None = None) -> tuple[Report, float]:
    """The report of a run, and its processor time in seconds."""
    start = time.process_time()
    report = simulate(text, args, launch)
    seconds = time.process_time() - start
    if report.findings:
        raise SystemExit(str(report.findings[0]))
    return report, seconds


def _matrix_product(m: int, n: int, k: int) -> tuple[int, float]:
    """The instructions and the processor time of the warp-specialised GEMM."""
    rng = np.random.default_rng(0)
    bf16 = ml_dtypes.bfloat16
    a, b = (rng.integers(-4, 5, (rows, k)).astype(bf16) for rows in (m, n))
    c: npt.NDArray[Any] = np.zeros((m, n), bf16)
    maps = (
        TensorMap.of(array, (64, rows), swizzle="swizzle_128b")
        for array, rows in ((a, 128), (b, 256))
    )
    report, seconds = _run(
        (EXAMPLES / f"{KERNEL}.mlir").read_text(),
        [*maps, c.view(np.uint16), m, n, k],
        Launch((m // 128, n // 256), dynamic_shared_memory=196608),
    )
    if not np.array_equal(c, (a.astype(np.float32) @ b.astype(np.float32).T).astype(bf16)):
        raise SystemExit(f"{KERNEL} is not what numpy multiplies")
    return report.statistics.instructions.total(), seconds


def _time_of_addition() -> float:
    """Processor time that numpy takes to add 32 numbers: a measure of the machine."""
    a = np.arange(32, dtype=np.uint32)
    start = time.process_time()
    for _ in range(ADDITIONS):
        np.add(a, a)
    return (time.process_time() - start) / ADDITIONS


def _whole_kernel() -> None:
    """The time of a large GEMM, in seconds and as a number of additions."""
    _matrix_product(*SMALL)
    additions = [_time_of_addition() for _ in range(3)]
    steps, seconds = _matrix_product(SIZE, SIZE, SIZE)
    additions += [_time_of_addition() for _ in range(3)]
    millions = seconds / (sum(additions) / len(additions)) / 1e6
    print(f"{KERNEL}, {SIZE} x {SIZE} x {SIZE}: {seconds:.2f} s, {steps} instructions")
    print(
        f"as long as {millions:.1f} million additions of 32 numbers, at commit 096b52f "
        f"{BEFORE:.1f} million: {BEFORE / millions:.1f} times as fast"
    )


def _one_product() -> None:
    """The time of one instruction, and of numpy for the same tile."""
    _run(MMA, [1])
    few, many = (min(_run(MMA, [count])[1] for _ in range(3)) for count in PRODUCTS)
    seconds = (many - few) / (PRODUCTS[1] - PRODUCTS[0])
    times: list[str] = []
    rng = np.random.default_rng(0)
    for type_ in (ml_dtypes.bfloat16, np.float32, np.float64):
        a, b = (rng.standard_normal((rows, 16)).astype(type_) for rows in (128, 256))
        best = min(_time_of_matmul(a, b) for _ in range(20))
        times.append(f"{seconds / best:.1f} times numpy's in {type_.__name__}")
    print(f"mma of bf16, 128 x 256 x 16: {seconds * 1e6:.0f} us, {', '.join(times)}")


def _time_of_matmul(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> float:
    start = time.process_time()
    for _ in range(100):
        np.matmul(a, b.T)
    return (time.process_time() - start) / 100


def _instructions() -> None:
    """The time of plain instructions, for a short and a long run."""
    figures: list[float] = []
    for turns in TURNS:
        report, seconds = _run(LOOP, [turns])
        steps = report.statistics.instructions.total()
        figures.append(seconds / steps)
        print(f"{steps:9} instructions of a warp: {steps / seconds:.0f} a second")
    print(f"one of the longer run takes {figures[1] / figures[0]:.2f} times as long")


def main() -> None:
    """Print a line for each figure."""
    _whole_kernel()
    _one_product()
    _instructions()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"memory: at most {memory:.0f} MiB")


if __name__ == "__main__":
    main()
