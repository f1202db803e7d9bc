"""Tests of descriptors that loops make: the values are the same, and the loop is as short."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tcgen05_dialect.passes.hoist_invariants import HoistInvariants
from xdsl.dialects.scf import ForOp

from tcgen05_dialect import compile_to_ptx
from tcgen05_dialect.compiler import parse
from tcgen05_dialect.isa.shared_memory.layout import SharedMemoryLayout
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.tcgen05.descriptor import DescriptorOp

from ..support.effort import part
from ..support.lowering import lowered
from ..support.ptx_interpreter import execute
from ..support.repository import EXAMPLES

TYPE = "!tcgen05.smem_descriptor<8x64xbf16, k_major, swizzle_128b>"
LAYOUT = SharedMemoryLayout(8, 64, 16, "k_major", "swizzle_128b")
PERIOD = 1024


@pytest.mark.slow
@settings(max_examples=part(60), deadline=None)
@given(st.data())
def test_descriptors_of_sums_are_those_of_the_address(data: st.DataObject) -> None:
    """The terms of an address, in any order, with factors on either side and inside a region."""
    factor = PERIOD * data.draw(st.integers(1, 16))
    outer = PERIOD * (1 << (shift := data.draw(st.integers(0, 3))))
    constant = PERIOD * data.draw(st.integers(0, 8))
    base, first = PERIOD * data.draw(st.integers(40, 60)), data.draw(st.integers(-2, 2))
    last, outer_index = first + data.draw(st.integers(1, 3)), data.draw(st.integers(0, 3))
    product = data.draw(st.sampled_from(("%i, %factor", "%factor, %i")))
    terms = data.draw(st.permutations(("%base", "%inner", "%shifted", "%constant")))
    a, b, c, d = terms
    text = f"""ptx.kernel @kernel(%base : i32, %first : i32, %last : i32, %outer : i32) {{
      %one = arith.constant 1 : i32
      %shift = arith.constant {10 + shift} : i32
      %start = tcgen05.descriptor %base : {TYPE}
      %result = scf.for %i = %first to %last step %one iter_args(%d = %start) -> ({TYPE}) : i32 {{
        %factor = arith.constant {factor} : i32
        %constant = arith.constant {constant} : i32
        %inner = arith.muli {product} : i32
        %shifted = arith.shli %outer, %shift : i32
        %s = arith.addi {a}, {b} : i32
        %t = arith.addi {c}, {d} : i32
        %u = arith.addi %s, %t : i32
        %v = tcgen05.descriptor %u : {TYPE}
        scf.yield %v : {TYPE}
      }}
      cf.br ^end(%result : {TYPE})
    ^end(%end : {TYPE}):
      ptx.ret
    }}"""
    module, context = parse(Source("test", text))
    HoistInvariants().apply(context, module)
    (loop,) = (op for op in module.walk() if isinstance(op, ForOp))
    assert not any(isinstance(op, DescriptorOp) for op in loop.walk())

    address = base + constant + outer_index * outer + (last - 1) * factor
    # The rank of a CTA in the upper bits of an address does not matter.
    arguments = [base | 1 << 24, *(each % (1 << 32) for each in (first, last, outer_index))]
    _, found = execute(lowered(text), arguments)
    assert found == [LAYOUT.descriptor(address).encode()]


def opcodes(ptx: str) -> list[str]:
    """The instructions of a kernel without their operands, in order of their names."""
    return sorted(line.split()[0] for line in ptx.splitlines() if line.startswith("\t"))


def test_descriptors_in_the_loop_cost_no_instruction() -> None:
    tuned = (EXAMPLES / "gemm_warp_specialized.mlir").read_text()
    naive = tuned
    for x in "ab":
        naive = naive.replace(f"      %{x}_first = tcgen05.descriptor %{x}_ring : !{x}_tile\n", "")
        naive = naive.replace(
            f"%{x}_0 = tcgen05.tile %{x}_first[%stage] : !{x}_tile",
            f"""%{x}_offset = arith.muli %stage, %{x}_tile_bytes : i32
                %{x}_at = arith.addi %{x}_ring, %{x}_offset : i32
                %{x}_0 = tcgen05.descriptor %{x}_at : !{x}_tile""",
        )
    assert naive.count("tcgen05.tile") == 0
    assert opcodes(compile_to_ptx(naive)) == opcodes(compile_to_ptx(tuned))
