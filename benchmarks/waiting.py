"""
What a user waits for: whole processes of `check` and `compile`, next to their peers.

Each line has the processor time of a process and its children, the wall time and the largest memory
of one process, as medians of a few runs; several files run one after the other. With `--against
FOLDER`, it also measures a checkout of another revision, and prints the ratios:

    git worktree add /tmp/other REVISION
    ln -s ../passes /tmp/other/tcgen05_dialect/passes
    python benchmarks/waiting.py --against /tmp/other
"""

import argparse
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import NamedTuple

from corpus import ROOT
from foreign import FOLDER, module_of

from tcgen05_dialect.assembler import find_tool

COMMANDS = Path(sys.executable).parent
MEGABYTE = 1_000_000
_TARGET = re.compile(r"\.target (\w+)")
OPERATIONS = 20_000
"""Length of the text for `mlir-opt`."""
PLAIN = ROOT / "examples" / "gemm_warp_specialized.mlir"


class Times(NamedTuple):
    """Seconds of the processor, seconds that passed, and MiB of the largest process."""

    processor: float
    wall: float
    memory: float

    def __str__(self) -> str:
        return f"{self.processor:9.2f} {self.wall:9.2f} {self.memory:9.0f}"


Command = Sequence[str | Path]


def _run(command: Command, environment: dict[str, str]) -> Times:
    """The times of one process. Its exit status does not count: a check may find errors."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, _, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    return Times(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024)


def _all(commands: Sequence[Command], environment: dict[str, str]) -> Times:
    """The times of processes one after the other: sums, and the largest memory."""
    found = [_run(command, environment) for command in commands]
    processor, wall = (sum(each[at] for each in found) for at in (0, 1))
    return Times(processor, wall, max(each.memory for each in found))


class Bench:
    """The lines of a table. `kept` is the folder of kept results, if they are not off."""

    def __init__(self, runs: int, against: Path | None):
        self._runs, self._against = runs, against

    def print(
        self, name: str, commands: Sequence[Command], is_ours: bool = True, kept: Path | None = None
    ) -> Times:
        """Measure commands, in turns with those of the other revision, and print a line."""
        environment = {**os.environ, "TCGEN05_CACHE": str(kept or "off")}
        if kept is not None:
            _all(commands, environment)
        mine: list[Times] = []
        other: list[Times] = []
        for _ in range(self._runs):
            mine.append(_all(commands, environment))
            if is_ours and self._against is not None:
                other.append(_all(commands, {**environment, "PYTHONPATH": str(self._against)}))
        found = _median(mine)
        line = f"{name:46} {found}"
        if other:
            before = _median(other)
            line += f"   {found.processor / before.processor:.2f} x, wall "
            line += f"{found.wall / before.wall:.2f} x"
        print(line, flush=True)
        return found


def _median(times: Sequence[Times]) -> Times:
    return Times(*map(median, zip(*times, strict=True)))


def _tcgen05(*arguments: str | Path) -> Command:
    return (sys.executable, "-m", "tcgen05_dialect", *arguments)


def _check(paths: Sequence[Path], *options: str) -> list[Command]:
    return [_tcgen05("check", *options, path) for path in paths]


def _unpacked(folder: Path) -> Iterator[Path]:
    """The kernels of other compilers as files."""
    for packed in sorted(FOLDER.glob("*.ptx.gz")):
        path = folder / packed.name.removesuffix(".gz")
        path.write_bytes(gzip.decompress(packed.read_bytes()))
        yield path


def _ours(bench: Bench, kernels: Sequence[Path], large: Path, folder: Path) -> None:
    examples = sorted((ROOT / "examples").glob("**/*.mlir"))
    for name, paths in (
        (f"check of {len(kernels)} kernels of other compilers", kernels),
        (f"check of the {len(examples)} examples", examples),
        ("check of 1 MB of PTX", [large]),
    ):
        bench.print(name, _check(paths))
        bench.print(f"{name}, off", _check(paths, "--verify=off"))
    bench.print("check of the first kernel again", _check(kernels[:1]), kept=folder / "kept")
    base = bench.print("xdsl-opt --help", [(COMMANDS / "xdsl-opt", "--help")], is_ours=False)
    for effort in ("quick", "off"):
        command = _tcgen05("compile", f"--verify={effort}", PLAIN, "-o", os.devnull)
        found = bench.print(f"compile --verify={effort}", [command])
        print(f"{'':46} {found.processor / base.processor:9.2f} x xdsl-opt --help")


def _peers(bench: Bench, kernels: Sequence[Path], large: Path, folder: Path) -> None:
    ptxas = find_tool("ptxas")

    def assembling(paths: Sequence[Path]) -> list[Command]:
        targets = [_TARGET.findall(path.read_text())[0] for path in paths]
        pairs = zip(paths, targets, strict=True)
        return [(ptxas, f"-arch={target}", path, "-o", folder / "cubin") for path, target in pairs]

    bench.print(f"ptxas, the {len(kernels)} kernels", assembling(kernels), is_ours=False)
    bench.print("ptxas, 1 MB of PTX", assembling([large]), is_ours=False)
    text = "".join(f"%v{i + 1} = arith.addi %v{i}, %v{i} : i32\n" for i in range(OPERATIONS))
    long = folder / "long.mlir"
    long.write_text("%v0 = arith.constant 1 : i32\n" + text)
    name = f"{OPERATIONS} x arith.addi"
    bench.print(f"xdsl-opt, {name}", [(COMMANDS / "xdsl-opt", long)], is_ours=False)
    tools = (shutil.which(each) for each in ("mlir-opt-22", "mlir-opt"))
    if tool := next(filter(None, tools), None):
        bench.print(f"{Path(tool).name}, {name}", [(tool, long)], is_ours=False)
    else:
        print("mlir-opt: not found")
    if find_spec("triton"):
        bench.print("import triton", [(sys.executable, "-c", "import triton")], is_ours=False)
    else:
        print("triton: not installed")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure check and compile next to their peers.")
    parser.add_argument("--against", type=Path, help="a checkout of another revision")
    parser.add_argument("--runs", type=int, default=3, help="measurements of each line")
    given = parser.parse_args()
    bench = Bench(given.runs, given.against)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kernels = [*_unpacked(folder)]
        large = folder / "large.ptx"
        large.write_text(module_of(MEGABYTE))
        print(f"{'':46} {'processor':>9} {'wall, s':>9} {'MiB':>9}")
        _ours(bench, kernels, large, folder)
        _peers(bench, kernels, large, folder)


if __name__ == "__main__":
    main()
