"""Tests of the cost of `ws` for kernels without it."""

import subprocess
import sys

import pytest

from ..support.repository import EXAMPLES

_COMPILE = """
import sys
from tcgen05_dialect import compile_to_ptx
compile_to_ptx(open(sys.argv[1]).read())
found = [name for name in sys.modules if ".ws" in name or name.startswith("numpy")]
print(",".join(found))
"""


def _imported(name: str) -> str:
    command = [sys.executable, "-c", _COMPILE, str(EXAMPLES / name)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.slow
def test_a_kernel_without_roles_does_not_import_it() -> None:
    assert _imported("gemm_single_tile.mlir") == ""


@pytest.mark.slow
def test_a_kernel_with_roles_needs_no_numpy() -> None:
    found = _imported("ws/gemm.mlir").split(",")
    assert "tcgen05_dialect.ws.dialect" in found
    assert "numpy" not in found
    assert not any("partition" in name for name in found)
