"""Run of a Python file with what this process has imported; see `preloaded`."""

import runpy
import sys
from pathlib import Path


def main() -> None:
    """Run the file that the arguments name first, as `python FILE` does."""
    sys.argv = sys.argv[1:]
    sys.path[0] = str(Path(sys.argv[0]).parent.resolve())
    runpy.run_path(sys.argv[0], run_name="__main__")
