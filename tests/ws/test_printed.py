"""Property: kernels of `ws` and the PTX text printed for them emulate alike, without a finding."""

import numpy as np
import pytest

from tcgen05_dialect import compile_to_ptx, parse_module
from tcgen05_dialect.ptx.types import TensorMapType
from tcgen05_dialect.simulator import simulate
from tcgen05_dialect.simulator.launch.binder import UnboxedMap
from tcgen05_dialect.simulator.launch.launch import kernel_of

from ..support.effort import sampled
from ..support.ws_programs import program_of

PROGRAMS = 320


@pytest.mark.slow
@pytest.mark.parametrize("seed", sampled(range(PROGRAMS), 1))
def test_printed_programs_emulate_as_numpy(seed: int) -> None:
    program = program_of(seed)
    arguments, c, expected = program.arguments(np.random.default_rng(seed))
    module = parse_module(program.text())
    types = [each.type for each in kernel_of(module, None).body.blocks[0].args]
    # PTX text does not give the boxes of tensor maps.
    given = [
        UnboxedMap(argument).with_box(type_.box)
        if isinstance(type_, TensorMapType) and type_.box is not None
        else argument
        for argument, type_ in zip(arguments, types, strict=True)
    ]
    report = simulate(compile_to_ptx(module), given, program.launch())
    assert report.findings == (), program
    assert np.array_equal(c, expected), program


_EPILOGUE = """
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @parted(%c : i64, %m : i32, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %sums = ws.ring 1 : !d
  ws.warp_specialize {
    ws.role @fill warps(4) threads(%t) {
      %ones = arith.constant dense<1.0> : vector<32xf32>
      ws.produce %sums by threads (%d) {
        ws.tmem_store %ones to %d[0]
        ws.tmem_store %ones to %d[32]
      }
    }
    ws.role @epilogue warps(4) threads(%t) {
      ws.consume %sums by threads (%d) {
        scf.for %at = %c0 to %c64 step %c32 : i32 {
          %v = ws.tmem_load %d[%at] -> vector<32xf32>
          STORE
        }
      }
    }
  }
  ptx.ret
}
"""
_STORE = "ws.global_store %v to %c[%t, %at] of (%m, %n)"
_STORES = {
    "rows beyond the matrix": _STORE,
    "a condition": f"%a = arith.cmpi ult, %t, %m : i32\nscf.if %a {{ {_STORE} }}",
    "a loop": f"scf.for %i = %t to %m step %m : i32 {{ {_STORE} }}",
}


@pytest.mark.slow
@pytest.mark.parametrize("parted_by", _STORES)
@pytest.mark.parametrize("columns", [64, 61])
def test_lanes_converge_before_they_access_tensor_memory(parted_by: str, columns: int) -> None:
    """Only some lanes store, and all read the next columns; in rows of 61 elements, lanes store
    one element at a time."""
    kernel = _EPILOGUE.replace("STORE", _STORES[parted_by])
    for text in (kernel, compile_to_ptx(kernel)):
        c = np.zeros((77, columns), np.float32)
        assert simulate(text, [c, *c.shape]).findings == ()
        assert np.all(c == 1)
