"""
The emulator compared with a GPU: short kernels run on both, and a table says which bytes differ.

    python benchmarks/silicon.py [WORD ...]

With words, only the kernels run whose names contain one of them.

The kernels use no tcgen05 instruction and are for `sm_90`, so a Hopper or a Blackwell GPU runs
them: copies by tensor maps with each swizzle, mbarriers, clusters, conversions, approximations and
stmatrix. `tcgen05 run-host python benchmarks/silicon.py` tries the script on the emulated driver,
which says nothing about a GPU. It has not been run on one: no table of a GPU is kept.
"""

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from tcgen05_dialect import Kernel, Launch, Source, TensorMap, simulate
from tcgen05_dialect.driver.device import NAME
from tcgen05_dialect.host.launcher import NoDeviceError, cuda_driver

TARGET, VERSION = "sm_100a", "9.5"
"""What the importer checks against, which knows no `sm_90`."""
THREADS, INPUTS = 128, 1 << 12
FRAME = """
.version 8.6
.target sm_90
.address_size 64
.visible .entry kernel({parameters}, .param .u64 out)
.reqntid {threads}{attributes}
{{
  .shared .align 1024 .b8 tile[16384];
  .shared .align 8 .b64 full;
  .reg .b16 %h<9>;
  .reg .b32 %r<33>;
  .reg .f32 %f<9>;
  .reg .b64 %rd<17>;
  .reg .pred %p<9>;
  mov.u32 %r0, %tid.x;
  ld.param.u64 %rd0, [out];
  cvta.to.global.u64 %rd0, %rd0;
{body}
  ret;
}}
"""
INPUT = """
  ld.param.u64 %rd1, [in];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %ctaid.x;
  mad.lo.u32 %r2, %r1, {threads}, %r0;
  mad.wide.u32 %rd2, %r2, 4, %rd1;
  mad.wide.u32 %rd3, %r2, 4, %rd0;
  ld.global.f32 %f1, [%rd2];
  mov.f32 %f2, %f1;
  {instruction}
  st.global.b32 [%rd3], %r3;
"""
TILE = """
  mov.b64 %rd1, map;
  cvta.param.u64 %rd2, %rd1;
  mov.u32 %r1, full;
  mov.u32 %r2, tile;
  setp.ne.u32 %p1, %r0, 0;
  @%p1 bra WAIT;
  mbarrier.init.shared.b64 [%r1], 1;
  fence.mbarrier_init.release.cluster;
  fence.proxy.async;
  mbarrier.arrive.expect_tx.shared.b64 _, [%r1], {bytes};
  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
    [%r2], [%rd2, {{{x}, {y}}}], [%r1];
WAIT:
  bar.sync 0;
AGAIN:
  mbarrier.try_wait.parity.shared.b64 %p2, [%r1], 0;
  @!%p2 bra AGAIN;
"""
COPY = """
  mov.u32 %r4, %r0;
NEXT:
  setp.ge.u32 %p3, %r4, {words};
  @%p3 bra DONE;
  shl.b32 %r5, %r4, 2;
  add.u32 %r6, %r2, %r5;
  ld.shared.b32 %r7, [%r6];
  mul.wide.u32 %rd4, %r4, 4;
  add.u64 %rd5, %rd0, %rd4;
  st.global.b32 [%rd5], %r7;
  add.u32 %r4, %r4, {threads};
  bra NEXT;
DONE:
"""
NEIGHBOUR = """
  mov.u32 %r1, %cluster_ctarank;
  xor.b32 %r2, %r1, 1;
  mov.u32 %r3, tile;
  mad.lo.u32 %r4, %r0, 4, %r3;
  mapa.shared::cluster.u32 %r5, %r4, %r2;
  mad.lo.u32 %r6, %r1, 1000, %r0;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  st.shared::cluster.u32 [%r5], %r6;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  ld.shared.u32 %r7, [%r4];
  mov.u32 %r8, %ctaid.x;
  mad.lo.u32 %r9, %r8, {threads}, %r0;
  mad.wide.u32 %rd1, %r9, 4, %rd0;
  st.global.u32 [%rd1], %r7;
"""
MATRIX = """
  mov.u32 %r2, tile;
  mad.lo.u32 %r3, %r0, 16, %r2;
  mul.lo.u32 %r10, %r0, 65537;
  add.u32 %r11, %r10, 1000;
  add.u32 %r12, %r10, 2000;
  add.u32 %r13, %r10, 3000;
  stmatrix.sync.aligned.m8n8.x4{trans}.shared.b16 [%r3], {{%r10, %r11, %r12, %r13}};
  bar.sync 0;
"""
PAIRS = "cvt.rn.f16x2.f32", "cvt.rz.bf16x2.f32"
SHORT_PAIRS = "cvt.rn.satfinite.e4m3x2.f32", "cvt.rn.satfinite.e5m2x2.f32"
WORDS = "cvt.rna.tf32.f32", "cvt.rzi.s32.f32"
NUMBERS = (
    *("ex2.approx.f32", "ex2.approx.ftz.f32", "lg2.approx.f32", "tanh.approx.f32"),
    *("rcp.approx.f32", "rsqrt.approx.f32"),
)
CONVERSIONS = {
    **{each: f"{each} %r3, %f1, %f2;" for each in PAIRS},
    **{each: f"{each} %h1, %f1, %f2; mov.b32 %r3, {{%h1, %h1}};" for each in SHORT_PAIRS},
    **{each: f"{each} %r3, %f1;" for each in WORDS},
    **{each: f"{each} %f3, %f1; mov.b32 %r3, %f3;" for each in NUMBERS},
}


class Case(NamedTuple):
    """A kernel with its launch; `first` is its argument before the result, if it has one."""

    name: str
    ptx: str
    launch: Launch
    first: Any
    words: int

    def arguments(self) -> list[Any]:
        result = np.zeros(self.words, np.uint32)
        return [result] if self.first is None else [self.first, result]


def _text(parameters: str, body: str, attributes: str = "", threads: int = THREADS) -> str:
    parts = {"parameters": parameters, "attributes": attributes, "threads": threads}
    text = FRAME.format(**parts, body=body)
    return text if parameters else text.replace("kernel(, ", "kernel(")


def cases() -> Iterator[Case]:
    """The kernels."""
    random = np.random.default_rng(0)
    numbers = np.concatenate(
        [
            random.integers(0, 1 << 32, INPUTS // 2, np.uint64).astype(np.uint32).view(np.float32),
            random.normal(0, 30, INPUTS // 2).astype(np.float32),
        ]
    )
    grid = Launch((INPUTS // THREADS,))
    for name, instruction in CONVERSIONS.items():
        body = INPUT.format(instruction=instruction, threads=THREADS)
        yield Case(name, _text(".param .u64 in", body), grid, numbers, INPUTS)
    data = random.integers(0, 1 << 16, (100, 96)).astype(np.uint16).view(ml_dtypes.bfloat16)
    swizzles = {"no_swizzle": 64, "swizzle_32b": 16, "swizzle_64b": 32, "swizzle_128b": 64}
    for swizzle, columns in swizzles.items():
        for rows, x, y in ((8, 0, 0), (32, 8, 70), (64, -8, -3), (100, 56, 1)):
            size = rows * columns * 2
            body = TILE.format(bytes=size, x=x, y=y) + COPY.format(threads=THREADS, words=size // 4)
            tensor_map = TensorMap.of(data, (columns, rows), None, swizzle)
            name = f"tensor map, {swizzle}, box {columns} x {rows} at {x}, {y}"
            parameter = ".param .align 64 .b8 map[128]"
            yield Case(name, _text(parameter, body), Launch((1,)), tensor_map, size // 4)
    for cluster in (2, 4, 8):
        attributes = f"\n.reqnctapercluster {cluster}"
        body = NEIGHBOUR.format(threads=THREADS)
        launch = Launch((2 * cluster,), cluster=(cluster,))
        words = 2 * cluster * THREADS
        yield Case(f"cluster of {cluster}", _text("", body, attributes), launch, None, words)
    for trans in ("", ".trans"):
        body = MATRIX.format(trans=trans) + COPY.format(threads=32, words=128)
        yield Case(f"stmatrix{trans}", _text("", body, threads=32), Launch((1,)), None, 128)


def main() -> int:
    """Print the table; returns 0 if all kernels agree."""
    try:
        cuda = cuda_driver()
    except NoDeviceError as error:
        sys.exit(f"{error}; `tcgen05 run-host python {sys.argv[0]}` needs none")
    card = cuda.cuDeviceGetName(100, 0)[1].partition(b"\0")[0].decode()
    _, version = cuda.cuDriverGetVersion()
    print(f"{card}, CUDA {version // 1000}.{version % 1000 // 10}\n")
    if card == NAME:
        print("The emulator compared with itself: no table of a GPU is kept.\n")
    print("| kernel | words | different words |\n|---|---|---|")
    different = 0
    words = sys.argv[1:] or [""]
    for case in (each for each in cases() if any(word in each.name for word in words)):
        on_device, emulated = case.arguments(), case.arguments()
        source = Source("kernel.ptx", case.ptx)
        kernel = Kernel(source, target=TARGET, ptx_version=VERSION)
        kernel.launch(on_device, case.launch)
        report = simulate(source, emulated, case.launch, target=TARGET, ptx_version=VERSION)
        if report.findings:
            sys.exit(f"{case.name}: {report.findings[0]}")
        count = int(np.count_nonzero(on_device[-1] != emulated[-1]))
        different += bool(count)
        print(f"| {case.name} | {case.words} | {count} |", flush=True)
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
