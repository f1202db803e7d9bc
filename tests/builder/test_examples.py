"""Tests of the examples in Python: they give the modules of the examples in IR."""

import runpy
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from tcgen05_dialect.compiler import parse
from tcgen05_dialect.reporting.diagnostics import Source

from ..support.repository import EXAMPLES

PYTHON = sorted(each for each in (EXAMPLES / "ws").glob("*.py") if each.stem != "references")


@pytest.mark.parametrize("file", PYTHON, ids=lambda file: file.stem)
def test_is_the_kernel_in_ir(file: Path) -> None:
    built = runpy.run_path(str(file))[file.stem]()
    text = file.with_suffix(".mlir").read_text()
    parsed, _ = parse(Source(file.stem, text))
    assert isinstance(built, ModuleOp)
    assert built.is_structurally_equivalent(parsed), f"{built}\n{parsed}"


def test_the_first_example_is_short() -> None:
    text = (EXAMPLES / "ws" / "gemm.py").read_text().split('"""')[2]
    lines = [
        line for line in text.splitlines() if line.strip() and not line.strip().startswith("#")
    ]
    assert len(lines) <= 30
