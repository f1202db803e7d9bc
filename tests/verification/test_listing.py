"""Tests of the names that a text gives to values."""

from xdsl.ir import Operation, SSAValue

from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.verification.repair.listing import Listing

_TEXT = """
ptx.kernel @k(%n_1 : i32 {ptx.at_least = 1}, %n : i32) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %sum:2 = scf.for %at_2 = %0 to %n_1 step %1 iter_args(%p_3 = %n, %p_4 = %1) -> (i32, i32) : i32 {
    %q = arith.xori %p_3, %at_2 : i32
    scf.yield %p_4, %q : i32, i32
  }
  %4, %x_1 = scf.while (%x_5 = %0, %5 = %sum#1) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ult, %x_5, %n : i32
    scf.condition(%more) %x_5, %5 : i32, i32
  } do {
  ^bb0(%6 : i32, %x_7 : i32):
    %next = arith.addi %6, %1 : i32
    scf.yield %next, %x_7 : i32, i32
  }
  cf.br ^bb1(%4 : i32)
^bb1(%last_1 : i32):
  ptx.ret
}
"""


def test_every_value_has_its_name() -> None:
    """The parser forgets numbers at the end of names; a fix must be spelled with them."""
    listing = Listing(Source("kernel.mlir", _TEXT))
    kernel = next(op for op in listing.module.walk() if isinstance(op, KernelOp))
    values: list[SSAValue] = []

    def collect(op: Operation) -> None:
        values.extend(op.results)
        for block in (block for region in op.regions for block in region.blocks):
            values.extend(block.args)
            for each in block.ops:
                collect(each)

    collect(kernel)
    assert [listing.name(each) for each in values] == [
        *("%n_1", "%n", "%0", "%1", "%sum#0", "%sum#1", "%at_2", "%p_3", "%p_4", "%q"),
        *("%4", "%x_1", "%x_5", "%5", "%more", "%6", "%x_7", "%next", "%last_1"),
    ]
