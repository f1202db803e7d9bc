"""Kernel that fills tensor memory, runs some instructions, and dumps the cells."""

import numpy as np
import numpy.typing as npt

from tcgen05_dialect.simulator import Report, Run, simulate

LANES, COLUMNS = 128, 512
Cells = npt.NDArray[np.uint32]

KERNEL = """
ptx.shared_memory @slot size 4 alignment 4
ptx.shared_memory @tile size 16384 alignment 1024
ptx.shared_memory @barrier size 8 alignment 8
ptx.kernel @test(%in : i64, %out : i64) attributes {{reqntid = array<i32: 128, 1, 1>}} {{
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %columns = arith.constant 512 : i32
  %warp_size = arith.constant 32 : i32
  %step = arith.constant {step} : i32
  %slot = ptx.address_of @slot
  %tile = ptx.address_of @tile
  %barrier = ptx.address_of @barrier
  %thread = ptx.special_register tid.x
  %warp = arith.divui %thread, %warp_size : i32
  %is_first = arith.cmpi eq, %warp, %c0 : i32
  scf.if %is_first {{
    ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %columns
  }}
  ptx.bar.sync %c0
  %base = ptx.ld "shared::cta" b32 [%slot] -> i32
  %c21 = arith.constant 21 : i32
  %lanes = arith.shli %warp, %c21 : i32
  %mine = arith.addi %base, %lanes : i32
  // Every cell holds what the input says.
  %row = arith.muli %thread, %columns : i32
  scf.for %column = %c0 to %columns step %step : i32 {{
    %to = arith.addi %mine, %column : i32
    %index = arith.addi %row, %column : i32
    %offset = ptx.mul.wide u32 %index, %c4
    %from = arith.addi %in, %offset : i64
    {fill}
    ptx.tcgen05.st shape_32x32b x{step} [%to], {{{values}}}
  }}
  ptx.tcgen05.wait st
  ptx.bar.sync %c0
{body}
  ptx.bar.sync %c0
  scf.if %is_first {{
    ptx.tcgen05.dealloc cta_group_1 %base, %columns
  }}
  ptx.ret
}}
"""
STEP = 32
"""Columns that a thread fills and dumps at once."""
VALUES = [f"%value{n}" for n in range(STEP)]
VECTORS = [(n, ", ".join(VALUES[n : n + 4])) for n in range(0, STEP, 4)]
FILL = "\n".join(
    f"{values} = ptx.ld global b32 [%from + {4 * n}] -> 4 x i32" for n, values in VECTORS
)
STORES = "\n".join(f"ptx.st global b32 [%to + {4 * n}], {{{values}}}" for n, values in VECTORS)
DUMP = f"""
  scf.for %column = %c0 to %columns step %step : i32 {{
    %from = arith.addi %mine, %column : i32
    {", ".join(VALUES)} = ptx.tcgen05.ld shape_32x32b x{STEP} [%from] -> {STEP} x i32
    ptx.tcgen05.wait ld
    %index = arith.addi %row, %column : i32
    %offset = ptx.mul.wide u32 %index, %c4
    %to = arith.addi %out, %offset : i64
    {STORES}
  }}
"""


def run(body: str, cells: Cells, size: int, schedule: str = "lazy") -> Cells:
    """The output of a kernel that runs `body` while tensor memory holds `cells`."""
    out = np.zeros(size, np.uint32)
    text = KERNEL.format(step=STEP, fill=FILL, values=", ".join(VALUES), body=body)
    report: Report = simulate(text, [cells, out], run=Run(schedule))
    assert report.findings == ()
    return out


def numbered() -> Cells:
    """Cells with different numbers, in both halves too."""
    numbers = np.arange(LANES * COLUMNS, dtype=np.uint32).reshape(LANES, COLUMNS)
    return numbers * np.uint32(0x9E3779B1)
