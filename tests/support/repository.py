"""Paths of the repository that tests read."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "tcgen05_dialect"
LIT_TESTS = ROOT / "lit-tests"
EXAMPLES = ROOT / "examples"
RING = LIT_TESTS / "tools" / "Inputs" / "ring.mlir"
"""A kernel that is verified fast."""
EXAMPLE_KERNELS = sorted(EXAMPLES.glob("*.mlir"))
