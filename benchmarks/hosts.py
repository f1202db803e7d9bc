"""Processor time of `tcgen05 launch` on the emulated CUDA driver, next to that of `tcgen05 sim`."""

import os
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

RUNS = 3
ROOT = Path(__file__).parent.parent
COMMAND = Path(sys.executable).with_name("tcgen05")
HOST = COMMAND, "run-host", COMMAND
ENVIRONMENT = {**os.environ, "TCGEN05_CACHE": "off"}


def _seconds(*command: str | Path) -> float:
    """The processor time of a command and of the processes that it starts."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print a line for each example, and the largest and the median overhead."""
    _seconds(*HOST, "--version")  # compiles the driver
    print(f"{'whole process, processor time':44} {'sim, ms':>8} {'launch, ms':>11} {'/ sim':>6}")
    ratios: list[float] = []
    for example in sorted((ROOT / "examples").rglob("*.mlir")):
        pairs = [
            (_seconds(COMMAND, "sim", example), _seconds(*HOST, "launch", example))
            for _ in range(RUNS)
        ]
        # The ratio of neighbours: the speed of a busy machine drifts.
        ratios.append(median(launch / sim for sim, launch in pairs))
        sim, launch = (1e3 * median(times) for times in zip(*pairs, strict=True))
        name = str(example.relative_to(ROOT))
        print(f"{name:44} {sim:8.0f} {launch:11.0f} {ratios[-1]:6.2f}")
    print(f"{'median of the ratios':44} {median(ratios):27.2f}")
    print(f"{'largest ratio':44} {max(ratios):27.2f}")


if __name__ == "__main__":
    main()
