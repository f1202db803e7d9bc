"""Whole-process time of `tcgen05 compile` on each example, next to `xdsl-opt --help`."""

import subprocess
import sys
import time
from pathlib import Path
from statistics import median

RUNS = 10
ROOT = Path(__file__).parent.parent
COMMANDS = Path(sys.executable).parent
BASELINE = (COMMANDS / "xdsl-opt", "--help")


def _seconds(*command: str | Path) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def _measure(example: Path, verify: str) -> tuple[float, float]:
    """The median time of `compile` in milliseconds, and its ratio to the baseline."""
    command = (COMMANDS / "tcgen05", "compile", f"--verify={verify}", example)
    _seconds(*command)
    pairs = [(_seconds(*command), _seconds(*BASELINE)) for _ in range(RUNS)]
    # The ratio of neighbours: the speed of a busy machine drifts.
    return 1e3 * median(ours for ours, _ in pairs), median(ours / base for ours, base in pairs)


def main() -> None:
    """Print two lines for each example: without and with runs of the kernel."""
    _seconds(*BASELINE)
    print(f"{'whole process of compile':44} {'ms':>6} {'/ xdsl-opt --help':>18}")
    for example in sorted((ROOT / "examples").glob("*.mlir")):
        for verify in ("off", "quick"):
            time_, ratio = _measure(example, verify)
            print(f"{f'--verify={verify} {example.name}':44} {time_:6.0f} {ratio:18.2f}")


if __name__ == "__main__":
    main()
