"""Tests of float attributes: they keep their bits, even those of signalling NaNs."""

import random

import numpy as np
import pytest
from xdsl.dialects.builtin import AnyFloat, DenseIntOrFPElementsAttr, FloatAttr, bf16, f16, f32, f64

from tcgen05_dialect import compile_to_ptx
from tcgen05_dialect.compiler import make_context
from tcgen05_dialect.ptx.structure import ConstantOp
from tcgen05_dialect.ptx_reader.constant_expression import evaluate
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import Launch, simulate
from tcgen05_dialect.xdsl_support.attributes import (
    attribute_bits,
    bits_of,
    float_attribute,
    float_of,
)
from tcgen05_dialect.xdsl_support.parser import FastParser

from ..support.effort import sampled
from ..support.ptx_text import read_instruction

_TYPES = (f16, bf16, f32, f64)
_SPECIAL = {
    "f16": (0x7C01, 0xFC01, 0x7D55, 0x7E00, 0x7E01, 0xFFFF, 0x7C00),
    "bf16": (0x7F81, 0xFF81, 0x7FA5, 0x7FC0, 0x7FC1, 0xFFFF, 0x7F80),
    "f32": (0x7F800001, 0xFF800001, 0x7FA5A5A5, 0x7FC00000, 0x7FC00001, 0xFFFFFFFF, 0x7F800000),
    "f64": (
        0x7FF0000000000001,
        0xFFF0000000000001,
        0x7FF5A5A5A5A5A5A5,
        0x7FF8000000000000,
        0x7FF8000000000001,
        0xFFFFFFFFFFFFFFFF,
        0x7FF0000000000000,
    ),
}
"""NaNs, signalling ones first, and an infinity."""
_CASES = [(type_, bits) for type_ in _TYPES for bits in _SPECIAL[str(type_)]]
_each_nan = pytest.mark.parametrize(
    ("type_", "bits"), _CASES, ids=[f"{type_}-{bits:X}" for type_, bits in _CASES]
)


@pytest.mark.slow
@pytest.mark.parametrize("type_", _TYPES, ids=str)
def test_every_float_keeps_its_bits(type_: AnyFloat) -> None:
    width = type_.bitwidth
    chance = random.Random(0)
    some = range(1 << 16) if width == 16 else [chance.getrandbits(width) for _ in range(10_000)]
    some = sampled(some, 4000)
    for bits in some:
        assert bits_of(float_of(bits, type_), type_) == bits
        assert attribute_bits(float_attribute(bits, type_)) == bits


def test_a_payload_that_does_not_fit_stays_a_nan() -> None:
    assert bits_of(float_of(0x7FF0000000000001, f64), f32) == 0x7FC00000


@_each_nan
def test_elements_of_tensors_are_bits(type_: AnyFloat, bits: int) -> None:
    text = f"%0 = arith.constant dense<0x{bits:X}> : tensor<4x{type_}>"
    module = FastParser(make_context(), Source("test", text)).parse_module()
    (op,) = module.ops
    value = op.properties["value"]
    assert isinstance(value, DenseIntOrFPElementsAttr)
    numbers = [float(each) for each in value.get_values()]
    expected = float_of(bits, type_)
    assert all(each == expected or (each != each and expected != expected) for each in numbers)


@_each_nan
def test_constants_are_read_and_printed(type_: AnyFloat, bits: int) -> None:
    text = f"builtin.module {{\n  %0 = ptx.constant 0x{bits:X} : {type_}\n}}"
    module = FastParser(make_context(), Source("test", text)).parse_module()
    (op,) = module.ops
    assert isinstance(op, ConstantOp) and isinstance(op.value, FloatAttr)
    assert attribute_bits(op.value) == bits
    again = FastParser(make_context(), Source("test", str(module))).parse_module()
    assert str(again) == str(module)
    assert again.is_structurally_equivalent(module)


def _kernel(dialect: str, type_: AnyFloat, bits: int) -> str:
    qualifier = f"b{type_.bitwidth}"
    return f"""
ptx.kernel @k(%out : i64) {{
  %value = {dialect}.constant 0x{bits:X} : {type_}
  ptx.st global {qualifier} [%out], {{%value}}
  ptx.ret
}}"""


@_each_nan
@pytest.mark.parametrize("dialect", ["arith", "ptx"])
def test_ptx_holds_the_bits(dialect: str, type_: AnyFloat, bits: int) -> None:
    prefix = {"f32": "0f", "f64": "0d"}.get(str(type_), "0x")
    text = f"{prefix}{bits:0{type_.bitwidth // 4}X}"
    assert f"[%rd1], {text};" in compile_to_ptx(_kernel(dialect, type_, bits))


@_each_nan
@pytest.mark.parametrize("dialect", ["arith", "ptx"])
def test_the_emulator_stores_the_bits(dialect: str, type_: AnyFloat, bits: int) -> None:
    out = np.zeros(1, f"u{type_.bitwidth // 8}")
    simulate(_kernel(dialect, type_, bits), [out], Launch(block=[1]))
    assert int(out[0]) == bits


@pytest.mark.parametrize(("type_", "bits"), [case for case in _CASES if case[0] in (f32, f64)])
def test_the_reader_keeps_the_bits(type_: AnyFloat, bits: int) -> None:
    text = f"{'0f' if type_ == f32 else '0d'}{bits:0{type_.bitwidth // 4}X}"
    number = evaluate((text,))
    assert isinstance(number, float) and bits_of(number, type_) == bits
    matched = read_instruction(Source("bare.ptx", f"add.{type_} %a, %b, {text};"))
    constant = matched.op.operands[1].owner
    assert isinstance(constant, ConstantOp) and isinstance(constant.value, FloatAttr)
    assert attribute_bits(constant.value) == bits
