"""Tests of the examples in Python: they give the modules of the examples in IR."""

import runpy
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from tcgen05_dialect.compiler import parse
from tcgen05_dialect.reporting.diagnostics import Source

from ..support.repository import EXAMPLES

KERNELS = sorted((EXAMPLES / "ws").glob("*.mlir"))


@pytest.mark.slow
@pytest.mark.parametrize("file", KERNELS, ids=lambda file: file.stem)
def test_each_kernel_has_a_python_file(file: Path) -> None:
    """The file has a function of the same name, which builds the module of the kernel."""
    python = file.with_suffix(".py")
    assert python.is_file(), f"{python.name} is missing: each kernel is also written in Python"
    built = runpy.run_path(str(python))[file.stem]()
    parsed, _ = parse(Source(file.stem, file.read_text()))
    assert isinstance(built, ModuleOp)
    assert built.is_structurally_equivalent(parsed), f"{built}\n{parsed}"


def test_the_first_example_is_short() -> None:
    text = (EXAMPLES / "ws" / "gemm.py").read_text().split('"""')[2]
    lines = [
        line for line in text.splitlines() if line.strip() and not line.strip().startswith("#")
    ]
    assert len(lines) <= 30
