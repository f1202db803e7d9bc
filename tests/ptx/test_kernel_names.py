"""Tests of the names of values in PTX: registers, immediates, addresses of variables."""

import pytest
from xdsl.context import Context
from xdsl.dialects import test as operations
from xdsl.dialects.builtin import Builtin, IndexType, IntegerType, VectorType, f32
from xdsl.ir import Attribute, Block, Region
from xdsl.parser import Parser

from tcgen05_dialect.assembler import assemble
from tcgen05_dialect.ptx.dialect import PTX
from tcgen05_dialect.ptx.text.printer import print_module
from tcgen05_dialect.ptx.text.register_names import KernelNames
from tcgen05_dialect.ptx.types import choose_target
from tcgen05_dialect.reporting.diagnostics import OperationError


@pytest.mark.parametrize("type_", [IndexType(), IntegerType(4), VectorType(f32, [4])], ids=str)
def test_a_type_without_a_register(type_: Attribute) -> None:
    holder = operations.TestOp(result_types=[type_], regions=[Region(Block(arg_types=[type_]))])
    names = KernelNames(lambda line: None)
    for value in (holder.results[0], holder.regions[0].block.args[0]):
        with pytest.raises(OperationError, match=r"i1, i16, .*; found .* \[T5-PTX-081\]") as e:
            names[value]
        assert e.value.operation is holder


def test_constants() -> None:
    """An immediate where PTX takes one, else a register; i1 is always in a register."""
    ptx = """
    ptx.shared_memory @x size 64 alignment 8
    ptx.kernel @k(%w : i32, %h : f16, %out : i64) {
      %true = ptx.constant true
      %f16 = ptx.constant 1.0 : f16
      %f32 = ptx.constant -2.0 : f32
      %f64 = ptx.constant 1.0 : f64
      %i16 = ptx.constant -1 : i16
      %at = ptx.constant 16 : i32
      %far = ptx.address_of @x + 8
      %pair = ptx.constant 65537 : i32
      %a = ptx.add f16 %h, %f16
      %b = ptx.mov b16 %f16 -> f16
      %c = ptx.add f16x2 %w, %pair
      %d = ptx.mov b32 %f32 -> f32
      %e = ptx.mov b64 %f64 -> f64
      %f = ptx.mov pred %true
      ptx.st global b32 [%out], {%f32, %w}
      ptx.st shared b16 [%at + 4], {%i16}
      ptx.st shared b32 [%far + -4], {%far}
      ptx.ret
    }
    """
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(PTX)
    module = Parser(context, ptx).parse_module()
    module.verify()
    target = choose_target(module, None, None)
    text = print_module(module, target)
    assemble(text, target.target.data)
    body = [line.strip() for line in text[text.index("setp") :].splitlines()]
    assert body[:-1] == [
        "setp.ne.b32 %p1, 1, 0;",
        "mov.b32 %r2, x+8;",
        "mov.b16 %rs3, 0x3C00;",
        "add.f16 %rs2, %rs1, %rs3;",
        "mov.b16 %rs4, 0x3C00;",
        "mov.b32 %r4, 65537;",
        "add.f16x2 %r3, %r1, %r4;",
        "mov.b32 %r5, 0fC0000000;",
        "mov.b64 %rd2, 0d3FF0000000000000;",
        "mov.pred %p2, %p1;",
        "mov.b32 %r6, 0fC0000000;",
        "st.global.v2.b32 [%rd1], {%r6, %r1};",
        "mov.b32 %r7, 16;",
        "st.shared.b16 [%r7+4], 65535;",
        "st.shared.b32 [x+4], %r2;",
        "ret;",
    ]
