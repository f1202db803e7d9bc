"""Tests of the places of shared variables: those of ptxas for PTX text, unlucky ones for IR."""

from typing import Any

import numpy as np
import pytest

from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.ptx.variables import place_shared, used_variables
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import TensorMap, simulate
from tcgen05_dialect.simulator.launch.launch import kernel_of

from ..support.practice_kernels import ptx_of

_KERNEL = """
ptx.shared_memory @tile size 1024 alignment ALIGNMENT
ptx.shared_memory @full size 8 alignment 8
ptx.kernel @k(%map : !ptx.tensor_map, %out : i64) attributes {reqntid = array<i32: 32>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c2 = ptx.constant 2 : i32
  %c3 = ptx.constant 3 : i32
  %c4 = ptx.constant 4 : i32
  %bytes = ptx.constant 1024 : i32
  %full = ptx.address_of @full
  %tile = ptx.address_of @tile
  %thread = ptx.special_register tid.x
  %first = ptx.setp eq u32 %thread, %c0
  ptx.guard %first {
    ptx.mbarrier.init [%full], %c1
    ptx.fence.mbarrier_init
    ptx.mbarrier.arrive.expect_tx [%full], %bytes
    ptx.cp.async.bulk.tensor.load [%tile], %map, {%c0, %c0}, [%full]
  }
  ptx.bar.sync %c0
  ptx.mbarrier.wait [%full], %c0
  %row = ptx.shr u32 %thread, %c2
  %unit = ptx.and b32 %thread, %c3
  %swizzled = ptx.xor b32 %unit, %row
  %c16 = ptx.constant 16 : i32
  %c128 = ptx.constant 128 : i32
  %start = ptx.mad u32 %row, %c128, %tile
  %from = ptx.mad u32 %swizzled, %c16, %start
  %value = ptx.ld "shared::cta" b32 [%from] -> i32
  %to = ptx.mad.wide u32 %thread, %c4, %out
  ptx.st global b32 [%to], {%value}
  ptx.ret
}
"""


def _is_right(source: Source) -> bool:
    array = np.arange(256, dtype=np.float32).reshape(8, 32)
    out: Any = np.zeros((8, 4), np.float32)
    report = simulate(source, [TensorMap.of(array, (32, 8), swizzle="swizzle_128b"), out])
    assert report.findings == ()
    return bool((out == array[:, :16:4]).all())


@pytest.mark.parametrize(("alignment", "right"), [(1024, True), (128, False)])
def test_threads_that_read_a_swizzled_tile_from_its_beginning(alignment: int, right: bool) -> None:
    """A tile of IR is aligned to no more than it says, although it would come first; that of PTX
    text is where ptxas places it."""
    text = _KERNEL.replace("ALIGNMENT", str(alignment))
    assert _is_right(Source("k.mlir", text)) is right
    assert _is_right(Source("k.ptx", ptx_of(text)))


def test_order_of_declarations() -> None:
    text = """
ptx.shared_memory @a size 8 alignment 8
ptx.shared_memory @unused size 512 alignment 512
ptx.shared_memory @b size 4096 alignment 128
ptx.shared_memory @c size 4 alignment 4
ptx.shared_memory @rest alignment 16
ptx.kernel @k() {
  %rest = ptx.address_of @rest
  %c = ptx.address_of @c
  %b = ptx.address_of @b
  %a = ptx.address_of @a
  ptx.st "shared::cta" b32 [%rest], {%c}
  ptx.st "shared::cta" b32 [%b], {%a}
  ptx.ret
}
"""
    kernel = kernel_of(lower_source(Source("k.mlir", text)).module, None)
    variables = used_variables(kernel, kernel.body.blocks)
    places = {"a": 1024, "b": 1152, "c": 5248, "rest": 5264}
    assert place_shared(variables) == (places, 4240)
    unlucky, _ = place_shared(variables, is_exact=False)
    assert unlucky == {"a": 1032, "b": 1152, "c": 5252, "rest": 5264}
