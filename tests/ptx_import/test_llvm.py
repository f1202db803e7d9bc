"""Tests of the import of PTX that LLVM 22 makes by default, with shared addresses of 64 bits."""

import gzip

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import import_source, print_ptx
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.ptx.structure import InlineOp
from tcgen05_dialect.reporting.diagnostics import Source

from ..support.golden_tables import DATA


def source_of(name: str) -> Source:
    with gzip.open(DATA / "llvm" / f"{name}.ptx.gz", "rt", encoding="ascii") as file:
        return Source(f"{name}.ptx", file.read())


@pytest.mark.slow
def test_every_form_of_nvvm_is_an_operation() -> None:
    module = import_source(source_of("operations")).module
    operations = [*module.walk()]
    assert sum(isinstance(each, KernelOp) for each in operations) == 334
    assert [each for each in operations if isinstance(each, InlineOp)] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gemm", "offset_descriptor"])
def test_kernel_is_verified(name: str) -> None:
    (remark,) = check_source(source_of(name), verify="quick")
    assert remark.verdict.startswith("verified")


def test_operand_that_is_a_sum() -> None:
    """ptxas adds the constant to a register in any operand, but for words of matrix products."""
    declared = ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p;"
    body = "add.u32 %r1, %r2+16, %r3; mul.wide.u32 %d1, %r1, %r1+5; st.global.b32 [%d1], %r1; ret;"
    text = f".version 8.8 .target sm_100a .address_size 64 .entry k() {{ {declared} {body} }}"
    assert check_source(Source("sum.ptx", text)) == []
    module, target = import_source(Source("sum.ptx", text))
    assert [each for each in module.walk() if isinstance(each, InlineOp)] == []
    printed = print_ptx(module, target)
    assert ", 16;" in printed and ", 5;" in printed
    mma = "tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1+64, %d2+-2, %r3+4, %p;"
    (found,) = check_source(Source("mma.ptx", text.replace("ret;", f"{mma} ret;")))
    assert (found.rule, found.excerpt.count("^")) == ("T5-PTX-093", len("%r3+4"))


def test_addresses_of_a_cluster_in_64_bits() -> None:
    body = (
        "mov.b64 %d1, bar; mapa.shared::cluster.u64 %d2, %d1, %r1;\n"
        "getctarank.shared::cluster.u64 %r2, %d2; st.shared.b32 [bar], %r2; ret;"
    )
    declared = ".shared .align 8 .b8 bar[8]; .reg .b32 %r<9>; .reg .b64 %d<9>;"
    text = f".version 8.8 .target sm_100a .address_size 64 .entry k() {{ {declared} {body} }}"
    module, target = import_source(Source("mapa.ptx", text))
    assert [each for each in module.walk() if isinstance(each, InlineOp)] == []
    assert "mapa.shared::cluster.u64" in print_ptx(module, target)
    wrong = text.replace("mapa.shared::cluster.u64", "mapa.shared::cluster.u32")
    assert {each.rule for each in check_source(Source("mapa.ptx", wrong))} == {"T5-PTX-080"}
