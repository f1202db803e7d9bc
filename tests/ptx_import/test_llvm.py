"""Tests of the import of PTX that LLVM 22 makes by default, with shared addresses of 64 bits."""

import gzip

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import import_source
from tcgen05_dialect.ptx.inline import InlineOp
from tcgen05_dialect.ptx.kernel import KernelOp
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
def test_kernel_is_verified() -> None:
    (remark,) = check_source(source_of("gemm"), verify="quick")
    assert remark.verdict.startswith("verified")
