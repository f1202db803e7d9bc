"""Run of Python code with what this process has imported; see `preloaded`."""

import runpy
import sys
from pathlib import Path


def main() -> None:
    """Run the file that the arguments name first, as `python FILE` does, or a text after -c."""
    sys.argv = sys.argv[1:]
    if sys.argv[0] == "-c":
        text = sys.argv.pop(1)
        exec(text, {"__name__": "__main__"})
        return
    sys.path[0] = str(Path(sys.argv[0]).parent.resolve())
    runpy.run_path(sys.argv[0], run_name="__main__")
