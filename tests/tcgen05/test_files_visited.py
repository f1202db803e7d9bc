"""Test of the number of source files that verifying a matrix product visits."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from tcgen05_dialect import compiler
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.tcgen05.mma import MmaOp

ROOT = Path(__file__).parents[2]
KERNEL = ROOT / "docs" / "generate" / "programs" / "tcgen05.mma.mlir"
PACKAGES = tuple(str(ROOT / name) for name in ("tcgen05_dialect", "passes"))
MODULE_LIMIT = 35
"""Files for the kernel: its directives and dominance, an allocation, two descriptors, the mma."""
MMA_LIMIT = 17
"""Files for the mma alone, with its descriptor, its form, and the types of its operands."""


def visited(run: Callable[[], object]) -> set[str]:
    """The files of the project with a function that `run` calls."""
    found: set[str] = set()

    def profile(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGES):
            found.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        run()
    finally:
        sys.setprofile(before)
    return found


def test_verifying_a_product_visits_few_files() -> None:
    module, _ = compiler.parse(Source(KERNEL.name, KERNEL.read_text(encoding="utf-8")))
    product = next(op for op in module.walk() if isinstance(op, MmaOp))
    alone = visited(product.verify_)
    assert len(alone) <= MMA_LIMIT, sorted(alone)
    whole = visited(lambda: compiler.verify(module))
    assert len(whole) <= MODULE_LIMIT, sorted(whole)
