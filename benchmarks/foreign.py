"""Processor time of `check`, without runs, for PTX of other compilers: it grows linearly."""

import gzip
import re
import time
from collections.abc import Sequence
from pathlib import Path

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source

FOLDER = Path(__file__).parents[1] / "tests" / "data" / "foreign"
HEADER = ".version 9.0\n.target sm_103a\n.address_size 64\n"
SIZES = 250_000, 500_000, 1_000_000
_BODY = re.compile(r"\.address_size 64\n(.*?)(?:\t\.file|\t\.section|\Z)", re.DOTALL)
_NAME = re.compile(r"\.entry (\w+)")


def _kernels() -> Sequence[str]:
    """The kernels, without headers and debug information."""
    files = sorted(FOLDER.glob("*.ptx.gz"))
    texts = [gzip.decompress(path.read_bytes()).decode() for path in files]
    return [match[1] for text in texts if (match := _BODY.search(text))]


def module_of(size: int) -> str:
    """A module of at least `size` characters, of the kernels under new names."""
    text, number = HEADER, 0
    kernels = _kernels()
    while len(text) < size:
        kernel = kernels[number % len(kernels)]
        match = _NAME.search(kernel)
        assert match is not None
        names = re.compile(rf"\b({match[1]}|global_smem)(?=\b|_param_)")
        text += names.sub(rf"\1_{number}", kernel)
        number += 1
    return text


def main() -> None:
    for size in SIZES:
        text = module_of(size)
        times: list[float] = []
        for _ in range(3):
            start = time.process_time()
            findings = check_source(Source("kernels.ptx", text))
            times.append(time.process_time() - start)
            assert not findings, findings[0]
        print(f"{len(text):>9} characters  check {min(times):.2f} s")


if __name__ == "__main__":
    main()
