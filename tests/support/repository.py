"""Paths of the repository that tests read."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "tcgen05_dialect"
LIT_TESTS = ROOT / "lit-tests"
EXAMPLES_FOLDER = ROOT / "examples"
EXAMPLES = sorted(EXAMPLES_FOLDER.glob("*.mlir"))
"""The example kernels."""
