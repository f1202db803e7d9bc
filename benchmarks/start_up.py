"""Whole-process time of `tcgen05 compile` on each example, next to `xdsl-opt --help`."""

import subprocess
import sys
import time
from pathlib import Path
from statistics import median

RUNS = 10
ROOT = Path(__file__).parent.parent
COMMANDS = Path(sys.executable).parent


def _seconds(*command: str | Path) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    """Print a line for each example."""
    baseline = (COMMANDS / "xdsl-opt", "--help")
    print(f"{'whole process, ms':32} {'compile':>8} {'xdsl-opt --help':>16} {'ratio':>6}")
    for example in sorted((ROOT / "examples").glob("*.mlir")):
        command = (COMMANDS / "tcgen05", "compile", example)
        _seconds(*command)
        _seconds(*baseline)
        pairs = [(_seconds(*command), _seconds(*baseline)) for _ in range(RUNS)]
        ours, theirs = (median(times) for times in zip(*pairs, strict=True))
        # The ratio of neighbours: the speed of a busy machine drifts.
        ratio = median(ours / theirs for ours, theirs in pairs)
        print(f"{example.name:32} {1e3 * ours:8.0f} {1e3 * theirs:16.0f} {ratio:6.2f}")


if __name__ == "__main__":
    main()
