"""Tests of kernels that get their instruction descriptors as parameters, such as those of CuTe."""

import re

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import compile_to_ptx
from tcgen05_dialect.isa.mma.instruction_descriptor import InstructionDescriptor
from tcgen05_dialect.reporting.diagnostics import Finding, Source

from ..support.repository import EXAMPLES

_PRODUCT = re.compile(r"(tcgen05\.mma[^;]*), (\d+)(?=[,;])")


def _with_parameter(name: str) -> tuple[str, str]:
    """The PTX of an example whose instruction descriptor is a parameter, and the shape of its
    product."""
    text = compile_to_ptx((EXAMPLES / name).read_text())
    (word,) = {found[2] for found in _PRODUCT.finditer(text)}
    text = _PRODUCT.sub(r"\1, %idesc", text)
    text = re.sub(r"(\.entry \w+\s*\()", r"\1.param .b32 idesc, ", text, count=1)
    load = "{\n.reg .b32 %idesc;\nld.param.b32 %idesc, [idesc];"
    text = re.sub(r"^\{", load, text, count=1, flags=re.MULTILINE)
    made = InstructionDescriptor.decode("f16", int(word))
    return text, f"{made.m}x{made.n}"


def _findings(text: str) -> list[Finding]:
    return check_source(Source("kernel.ptx", text), verify="quick")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["gemm_single_tile.mlir", "gemm_pipelined.mlir", "gemm_warp_specialized.mlir"]
)
def test_the_shape_of_a_product_follows_from_loads(name: str) -> None:
    text, shape = _with_parameter(name)
    (remark,) = _findings(text)
    assert remark.verdict.startswith("verified")
    found = f"assumes the instruction descriptor %idesc to be (f16, f16 x f16 -> f32, {shape})"
    assert found in remark.message


def test_a_mistake_may_come_from_the_guess() -> None:
    text, _ = _with_parameter("gemm_single_tile.mlir")
    (fence,) = set(re.findall(r"tcgen05\.commit[^;]*;", text))
    (remark,) = _findings(text.replace(fence, ""))
    assert remark.verdict == "not decided"
    assert "may come from a guess for %idesc: " in remark.message


def test_another_use_of_a_parameter_is_not_decided() -> None:
    """A descriptor that the kernel changes is not guessed."""
    text, _ = _with_parameter("gemm_single_tile.mlir")
    changed = "ld.param.b32 %idesc, [idesc];"
    (remark,) = _findings(text.replace(changed, f"{changed} or.b32 %idesc, %idesc, 16;"))
    assert remark.message.endswith("uses parameter %idesc, which is known only at launch")


@pytest.mark.parametrize(("changed", "verdict"), [(1 << 13, "verified"), (1 << 17, "not decided")])
def test_data_may_select_the_signs_of_a_product(changed: int, verdict: str) -> None:
    """Attention with fp8 negates A if a scale is negative. Another N reads other columns."""
    text = compile_to_ptx((EXAMPLES / "gemm_single_tile.mlir").read_text())
    (word,) = {int(found[2]) for found in _PRODUCT.finditer(text)}
    text = _PRODUCT.sub(r"\1, %idesc", text)
    text = re.sub(r"(\.entry \w+\s*\()", r"\1.param .u64 scale, ", text, count=1)
    select = f"""{{
.reg .b32 %idesc, %factor;
.reg .b64 %scale;
.reg .pred %negates;
ld.param.u64 %scale, [scale];
ld.global.b32 %factor, [%scale];
setp.lt.f32 %negates, %factor, 0f00000000;
selp.b32 %idesc, {word ^ changed}, {word}, %negates;"""
    text = re.sub(r"^\{", select, text, count=1, flags=re.MULTILINE)
    (remark,) = _findings(text)
    assert remark.verdict.startswith(verdict)
