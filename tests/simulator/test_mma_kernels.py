"""Tests of whole kernels with one matrix product and operands in global memory."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tcgen05_dialect.reporting.diagnostics import CompileError
from tcgen05_dialect.simulator import Launch, Report, Run, simulate
from tcgen05_dialect.simulator.machine.product import ProductExecution

from ..support.effort import sampled
from ..support.mma_case import A_COLUMN, Case

KERNEL = """
ptx.shared_memory @image size {size} alignment 1024
ptx.shared_memory @slot size 4 alignment 4
ptx.shared_memory @barrier size 8 alignment 8
ptx.kernel @test(%bytes : i64, %cells : i64, %out : i64)
    attributes {{reqntid = array<i32: 128, 1, 1>{cluster}}} {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %threads = arith.constant 128 : i32
  %columns = arith.constant 512 : i32
  %rows_shift = arith.constant 9 : i32
  %lane_shift = arith.constant 16 : i32
  %words = arith.constant {words} : i32
  %all_lanes = arith.constant -1 : i32
  %warp_lanes = arith.constant 96 : i32
  %image = ptx.address_of @image
  %slot = ptx.address_of @slot
  %barrier = ptx.address_of @barrier
  %thread = ptx.special_register tid.x
  %rank = ptx.special_register cluster_ctarank
  %warp_lane = arith.andi %thread, %warp_lanes : i32
  %is_first_warp = arith.cmpi eq, %warp_lane, %c0 : i32
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_leader_cta = arith.cmpi eq, %rank, %c0 : i32
  %leads = arith.andi %is_first, %is_leader_cta : i1
  {meet}
  scf.if %is_first_warp {{
    ptx.tcgen05.alloc {group} shared_cta [%slot], %columns
  }}
  scf.if %is_first {{
    ptx.mbarrier.init [%barrier], %c1
    ptx.fence.mbarrier_init
  }}
  %mine = arith.muli %rank, %words : i32
  scf.for %word = %thread to %words step %threads : i32 {{
    %index = arith.addi %mine, %word : i32
    %offset = ptx.mul.wide u32 %index, %c4
    %from = arith.addi %bytes, %offset : i64
    %value = ptx.ld global b32 [%from] -> i32
    %place = arith.muli %word, %c4 : i32
    %to = arith.addi %image, %place : i32
    ptx.st "shared::cta" b32 [%to], {{%value}}
  }}
  ptx.fence.proxy.async "shared::cta"
  ptx.bar.sync %c0
  %base = ptx.ld "shared::cta" b32 [%slot] -> i32
  %lane = arith.shli %warp_lane, %lane_shift : i32
  %here = arith.addi %base, %lane : i32
  %rank_rows = arith.muli %rank, %threads : i32
  %row = arith.addi %rank_rows, %thread : i32
  %first = arith.shli %row, %rows_shift : i32
  scf.for %column = %c0 to %columns step %c8 : i32 {{
    %index = arith.addi %first, %column : i32
    %offset = ptx.mul.wide u32 %index, %c4
    %from = arith.addi %cells, %offset : i64
    %v:4 = ptx.ld global b32 [%from] -> 4 x i32
    %w:4 = ptx.ld global b32 [%from + 16] -> 4 x i32
    %to = arith.addi %here, %column : i32
    ptx.tcgen05.st shape_32x32b x8 [%to], {{%v#0, %v#1, %v#2, %v#3, %w#0, %w#1, %w#2, %w#3}}
  }}
  ptx.tcgen05.wait st
  ptx.tcgen05.fence before_thread_sync
  {meet}
  ptx.tcgen05.fence after_thread_sync
  scf.if %leads {{
{constants}
    %accumulate = arith.constant true
    {product}
    {commit}
    ptx.mbarrier.wait [%barrier], %c0
  }}
  ptx.bar.warp.sync %all_lanes
  ptx.tcgen05.fence before_thread_sync
  {meet}
  ptx.tcgen05.fence after_thread_sync
  scf.for %column = %c0 to %columns step %c8 : i32 {{
    %from = arith.addi %here, %column : i32
    %v:8 = ptx.tcgen05.ld shape_32x32b x8 [%from] -> 8 x i32
    ptx.tcgen05.wait ld
    %index = arith.addi %first, %column : i32
    %offset = ptx.mul.wide u32 %index, %c4
    %to = arith.addi %out, %offset : i64
    ptx.st global b32 [%to], {{%v#0, %v#1, %v#2, %v#3}}
    ptx.st global b32 [%to + 16], {{%v#4, %v#5, %v#6, %v#7}}
  }}
  {meet}
  scf.if %is_first_warp {{
    ptx.tcgen05.dealloc {group} %base, %columns
  }}
  ptx.ret
}}
"""


def instruction(case: Case, product: ProductExecution) -> str:
    """The operation in IR text."""
    name = "ptx.tcgen05.mma" + ".ws" * case.ws + ".sp" * case.sparse
    scaled = case.scale_type is not None
    a = "%a" if case.a_memory == "shared" else "[%a]"
    words = [name + ".block_scale" * scaled, f"cta_group_{case.cta_group}", case.kind]
    words += [case.scale_vectorsize or ""] if scaled else []
    words += ["ashift"] * case.ashift
    operands = ["[%d]", a, "%b", *(["[%metadata]"] if case.sparse else []), "%idesc"]
    operands[-1] += " disable_output_lane(%lane0, %lane1, %lane2, %lane3)" * bool(case.disabled)
    operands += ["[%scale_a]", "[%scale_b]"] if scaled else []
    operands += ["%accumulate"]
    text = f"{' '.join(words)} {', '.join(operands)}"
    text += f" scale_input_d({case.scale_input_d})" * (case.scale_input_d > 0)
    return text + " zero_column_mask(%mask)" * (case.zero_column_mask is not None)


def constants(case: Case, product: ProductExecution) -> str:
    a_bits = 64 if case.a_memory == "shared" else 32
    sizes = {"a": a_bits, "b": 64, "zero_column_mask": 64}
    names = {"zero_column_mask": "mask"}
    values = [
        (names.get(name, name), value, sizes.get(name, 32))
        for name, value in product.values.items()
        if name != "enable_input_d"
    ]
    values += [("idesc", product.idesc.encode(), 32)]
    values += [(f"lane{at}", word, 32) for at, word in enumerate(case.disabled)]
    return "\n".join(
        f"    %{name} = arith.constant {value - (value >> bits - 1 << bits)} : i{bits}"
        for name, value, bits in values
    )


def kernel(case: Case, words: int) -> str:
    product = case.product()
    pair = case.cta_group == 2
    return KERNEL.format(
        size=4 * words,
        words=words,
        cluster=", cluster_dims = array<i32: 2, 1, 1>" if pair else "",
        group=f"cta_group_{case.cta_group}",
        meet="ptx.barrier.cluster.arrive\n  ptx.barrier.cluster.wait"
        if pair
        else "ptx.bar.sync %c0",
        constants=constants(case, product),
        product=instruction(case, product),
        commit=f"ptx.tcgen05.commit cta_group_{case.cta_group} shared_cluster [%barrier]",
    )


SMALL: dict[str, Any] = {"swizzle_a": "swizzle_64b", "swizzle_b": "swizzle_64b"}
SCALED: dict[str, Any] = {"scale_type": "ue8m0", "scale_vectorsize": "block32", "factors": 1}
MASKED: dict[str, Any] = {
    "zero_column_mask": 1 << 39 | 1 << 32 | 0xFFFF << 40,
    "zeroed": tuple(range(64)),
}
CASES = {
    "dense": Case("f16", 128, 32, 16, "f16", "bf16", **SMALL, scale_input_d=2),
    "disabled, all": Case("f16", 64, 16, 16, "bf16", "bf16", **SMALL, disabled=(2**32 - 1,) * 4),
    "disabled": Case("i8", 64, 16, 32, "u8", "s8", "s32", **SMALL, disabled=(7, 6, 0, 2**31)),
    "sparse": Case("tf32", 128, 16, 16, "tf32", "tf32", sparse=True, **SMALL, selector=1),
    "scaled": Case("mxf8f6f4", 128, 64, 32, "e5m2", "e4m3", **SMALL, **SCALED, sfa_id=1),
    "sparse scaled": Case(
        "mxf8f6f4", 128, 32, 64, "e2m1", "e2m3", **SMALL, **SCALED, sparse=True, a_memory="tensor"
    ),
    "shift": Case("f16", 128, 32, 16, "bf16", "bf16", **SMALL, a_memory="tensor", ashift=True),
    "ws": Case("f16", 32, 64, 16, "f16", "f16", "f16", ws=True, **SMALL, **MASKED),
    "ws sparse": Case("f8f6f4", 64, 64, 64, "e4m3", "e5m2", ws=True, sparse=True, **SMALL),
    "pair": Case("f16", 256, 32, 16, "f16", "bf16", cta_group=2, **SMALL),
    "pair folded": Case("mxf8f6f4", 128, 64, 32, "e5m2", "e4m3", cta_group=2, **SMALL, **SCALED),
}


def run(case: Case, text: Callable[[str], str] = str) -> tuple[Report, npt.NDArray[np.uint32]]:
    """What a kernel, changed by `text`, does, and leaves in tensor memory."""
    case.place()
    words = (case.tile_b.end - 1024) // 4
    images = [cta.shared.bytes[: 4 * words] for cta in case.ctas]
    cells = np.stack([cta.tensor.cells for cta in case.ctas])
    out: npt.NDArray[np.uint32] = np.zeros_like(cells)
    report = simulate(
        text(kernel(case, words)),
        [np.concatenate(images), cells, out],
        Launch((case.cta_group,)),
        Run("lazy"),
        target="sm_100a",
    )
    return report, out


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(CASES, 2))
def test_kernel(name: str) -> None:
    case = replace(CASES[name])
    report, out = run(case)
    assert report.findings == ()
    case.multiply()
    assert np.array_equal(out, np.stack([cta.tensor.cells for cta in case.ctas]))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["shift", "sparse scaled"])
def test_the_result_shares_no_cells_with_an_operand(name: str) -> None:
    d = r"%d = arith\.constant \d+"
    same = f"%d = arith.constant {A_COLUMN}"
    with pytest.raises(
        CompileError, match=r"error\[T5-TMEM-008\]: .*: A is in columns 0 to 7 of D"
    ):
        run(replace(CASES[name]), lambda text: re.sub(d, same, text))
    # Only a run knows the product.
    same = f"%same = arith.constant {A_COLUMN} : i32\n%one = ptx.special_register nctaid.z\n"
    same += "%d = arith.muli %same, %one"
    report, _ = run(replace(CASES[name]), lambda text: re.sub(d, same, text))
    (finding,) = report.findings
    assert finding.rule == "T5-TMEM-008"
    assert "A is in columns 0 to 7 of D" in finding.message
