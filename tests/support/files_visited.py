"""Count of the source files whose functions a verification calls, in a fresh interpreter."""

import json
import subprocess
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


def files_visited(what: str) -> list[str]:
    """The files visited by the verification of `product` or of its whole `kernel`. Results that an
    earlier verification has cached would hide some, so that each needs an interpreter of its own.
    """
    command = [sys.executable, __file__, what]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    files: list[str] = json.loads(found.stdout)
    return files


def _visited(run: Callable[[], object]) -> set[str]:
    """The files of the project with a function that `run` calls."""
    found: set[str] = set()

    def profile(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGES):
            found.add(frame.f_code.co_filename)

    sys.setprofile(profile)
    run()
    sys.setprofile(None)
    return found


def _main(what: str) -> None:
    module, _ = compiler.parse(Source(KERNEL.name, KERNEL.read_text(encoding="utf-8")))
    product = next(op for op in module.walk() if isinstance(op, MmaOp))
    verify = product.verify_ if what == "product" else lambda: compiler.verify(module)
    print(json.dumps(sorted(_visited(verify))))


if __name__ == "__main__":
    _main(sys.argv[1])
