"""
One process that runs every command on many different inputs, and measures its memory.

As a program, it takes the number of inputs for each command, and the seconds after which it goes on
with the next command. For each command it prints the peak of the process so far, and by how much
the second half of the inputs let it grow.
"""

import gc
import os
import random
import re
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from .foreign_kernels import foreign_kernel, foreign_kernels
from .launch_mutants import launch_mutant
from .repository import EXAMPLES, LIT_TESTS

_NUMBER = re.compile(r"(?<=constant )\d+|(?<=, )\d+(?=;)")
_NAME = re.compile(r"(?<=ptx\.kernel @)\w+|(?<=\.entry )\w+")
_SIZE = re.compile(r"^(\w+ = )(\d+)$", re.MULTILINE)


def texts(suffix: str) -> list[str]:
    """The texts of a language, short ones first: the parts of the lit tests, examples and kernels
    of others."""
    files = [*LIT_TESTS.glob(f"**/*{suffix}"), *EXAMPLES.glob(f"**/*{suffix}")]
    found = [part for file in sorted(files) for part in file.read_text().split("// -----")]
    found += [foreign_kernel(name) for name in foreign_kernels() if suffix == ".ptx"]
    return sorted(found, key=len)


def mutant(text: str, chance: random.Random) -> str:
    """The text with other names of kernels and, half of the time, one other number."""
    text = _NAME.sub(lambda found: f"{found[0]}_{chance.randrange(10**6)}", text)
    places = [*_NUMBER.finditer(text)]
    if not places or chance.random() < 0.5:
        return text
    start, end = chance.choice(places).span()
    return f"{text[:start]}{chance.randrange(1 << chance.randrange(20))}{text[end:]}"


class Inputs:
    """Different arguments for each command; files are written to a folder."""

    def __init__(self, folder: Path, seed: int = 0):
        self._folder = folder
        self._chance = random.Random(seed)
        self._ir, self._ptx = texts(".mlir"), texts(".ptx")
        self._launches = sorted(EXAMPLES.glob("**/*.toml"))
        self.commands: dict[str, Callable[[], list[str]]] = {
            "compile": lambda: ["compile", self._file(self._ir, ".mlir")],
            "import": lambda: ["import", self._file(self._ptx, ".ptx")],
            "opt": self._opt,
            "calc": self._calc,
            "explain": lambda: ["explain", f"T5-{self._chance.choice(_FAMILIES)}-{self._number()}"],
            "launch-file": lambda: ["launch-file", self._any()],
            "check": lambda: ["check", self._any()],
            "sim": self._sim,
        }

    def _number(self) -> str:
        return f"{self._chance.randrange(100):03}"

    def _any(self) -> str:
        is_ptx = self._chance.random() < 0.3
        return self._file(*((self._ptx, ".ptx") if is_ptx else (self._ir, ".mlir")))

    def _file(self, choice: list[str], suffix: str) -> str:
        path = self._folder / f"input{suffix}"
        # Of any length, but most of them short.
        text = choice[int(len(choice) * self._chance.random() ** 3)]
        path.write_text(mutant(text, self._chance), encoding="utf-8")
        return str(path)

    def _opt(self) -> list[str]:
        passes = self._chance.choice(_PASSES)
        return ["opt", "-p", passes, self._file(self._ir, ".mlir")]

    def _calc(self) -> list[str]:
        return [*self._chance.choice(_QUESTIONS), str(self._chance.randrange(1 << 62))]

    def _sim(self) -> list[str]:
        """A launch of an example of other sizes, or of other values, most of them wrong."""
        file = self._chance.choice(self._launches)
        text = _SIZE.sub(
            lambda found: f"{found[1]}{1 + self._chance.randrange(int(found[2]))}", file.read_text()
        )
        if self._chance.random() < 0.7:
            text = launch_mutant(text, self._chance)[1]
        launch = self._folder / "launch.toml"
        launch.write_text(text, encoding="utf-8")
        return ["sim", str(file.with_suffix(".mlir")), "--launch", str(launch)]


_FAMILIES = ("PTX", "SIM", "DESC", "WS", "SHAPE", "ALLOC", "LD")
_PASSES = ("canonicalize,cse", "tcgen05-lower-to-ptx", "ws-lower", "tcgen05-verify", "dce")
_QUESTIONS = (["calc", "idesc", "decode"], ["calc", "sdesc", "decode"])


@contextmanager
def silent() -> Generator[None]:
    """Discard what the process writes to its standard streams."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = [os.dup(number) for number in (1, 2)]
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        for number in (1, 2):
            os.dup2(nothing, number)
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for number, stream in zip((1, 2), kept, strict=True):
            os.dup2(stream, number)
        for number in (nothing, *kept):
            os.close(number)


def virtual_bytes() -> int:
    """The memory that the process has reserved."""
    return _pages(0)


def resident_bytes() -> int:
    """The memory of the process that is in use now."""
    return _pages(1)


def peak_bytes() -> int:
    """The largest memory of the process so far. `getrusage` would count that of its parent, too."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) << 10


def _pages(column: int) -> int:
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[column]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


class Grown(NamedTuple):
    """Inputs that were run, and the bytes by which the process grew in the second half."""

    inputs: int
    bytes: int


def growth(command: Callable[[], list[str]], count: int, seconds: float = 1e9) -> Grown:
    """Run a command for a number of inputs, or of seconds. Raises AssertionError for an exit status
    that is not documented."""
    from tcgen05_dialect.tools.main import main

    start, before, done = monotonic(), 0, 0
    while done < count and monotonic() - start < seconds:
        if not before and (done >= count // 2 or monotonic() - start > seconds / 2):
            gc.collect()
            before = resident_bytes()
        arguments = command()
        with silent():
            status = main(arguments)
        assert status in (0, 1, 2), arguments
        done += 1
    gc.collect()
    return Grown(done, resident_bytes() - before)


def run(count: int, seconds: float) -> Iterator[str]:
    """The figures of each command as a line; the second number is the peak so far in MB."""
    with tempfile.TemporaryDirectory() as folder:
        for name in Inputs(Path(folder)).commands:
            # The inputs of a command do not depend on how many of others there was time for.
            command = Inputs(Path(folder)).commands[name]
            start, grown = monotonic(), growth(command, count, seconds)
            peak = peak_bytes() >> 20
            yield (
                f"{name}: {grown.inputs} inputs, peak {peak} MB, now {resident_bytes() >> 20} MB, "
                f"growth {grown.bytes / (1 << 20):.1f} MB, {monotonic() - start:.0f} s"
            )


if __name__ == "__main__":
    for line in run(int(sys.argv[1]), float(sys.argv[2])):
        print(line, flush=True)
