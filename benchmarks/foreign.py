"""
Processor time of reading, importing, checking and printing PTX of other compilers.

The text is made of the kernels in tests/data/foreign, in turn and under new names. The seconds are
those of this machine. The multiples of the time that cutting the text into tokens takes can be
compared between machines and versions. `check` makes no runs; it reads and imports the text, and
`import` is the import of statements that have been read, with its verification.
"""

import gzip
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import verify, without_garbage_collection
from tcgen05_dialect.ptx_import import import_text
from tcgen05_dialect.ptx_reader import read_text
from tcgen05_dialect.ptx_reader.tokens import PtxLexer
from tcgen05_dialect.reporting.diagnostics import Source

FOLDER = Path(__file__).parents[1] / "tests" / "data" / "foreign"
HEADER = ".version 9.0\n.target sm_103a\n.address_size 64\n"
SIZES = 250_000, 500_000, 1_000_000
REPEATS = 3
_BODY = re.compile(r"\.address_size 64\n(.*?)(?:\t\.file|\t\.section|\Z)", re.DOTALL)
_NAME = re.compile(
    r"(?:\.entry|^\.(?:extern |visible )?(?:global|shared)\b.*?) ([\w$]+)(?=[(\[])", re.MULTILINE
)
"""The names of a module: of its kernel and its variables."""
_LINE = re.compile(r"^\t\.loc\b.*\n", re.MULTILINE)
Result = TypeVar("Result")


def _kernels() -> Sequence[str]:
    """The kernels, without headers and debug information, which ptxas refuses in parts."""
    files = sorted(FOLDER.glob("*.ptx.gz"))
    texts = [gzip.decompress(path.read_bytes()).decode() for path in files]
    return [_LINE.sub("", match[1]) for text in texts if (match := _BODY.search(text))]


def module_of(size: int) -> str:
    """A module of at least `size` characters, of the kernels under new names."""
    text, number = HEADER, 0
    kernels = _kernels()
    while len(text) < size:
        kernel = kernels[number % len(kernels)]
        found = "|".join(map(re.escape, _NAME.findall(kernel)))
        names = re.compile(rf"(?<![\w$%])({found})(?=_param_|[^\w$])")
        text += names.sub(rf"\1_{number}", kernel)
        number += 1
    return text


def seconds_of(source: Source) -> dict[str, float]:
    """The processor time of each stage, and of cutting the text into tokens."""
    seconds: dict[str, float] = {}

    def timed(stage: str, run: Callable[[], Result]) -> Result:
        start = time.process_time()
        result = run()
        seconds[stage] = time.process_time() - start
        return result

    with without_garbage_collection():
        timed("tokens", lambda: _cut(source.text))
        text = timed("read", lambda: read_text(source))

        def imported() -> object:
            found = import_text(text)
            assert not found.faults
            verify(found.module, source, found.repeated)
            return found.module

        module = timed("import", imported)
        timed("print", lambda: str(module))
        findings = timed("check", lambda: check_source(source))
        assert not findings, findings[0]
    return seconds


def _cut(text: str) -> None:
    lexer = PtxLexer(text)
    while lexer.next().kind != "end":
        pass


def main() -> None:
    totals: dict[int, float] = {}
    for size in SIZES:
        source = Source("kernels.ptx", module_of(size))
        runs = [seconds_of(source) for _ in range(REPEATS)]
        best = {stage: min(run[stage] for run in runs) for stage in runs[0]}
        unit = best.pop("tokens")
        stages = "  ".join(
            f"{name} {value:.2f} s ({value / unit:.1f})" for name, value in best.items()
        )
        length = len(source.text)
        print(f"{length:>9} characters  tokens {unit:.2f} s  {stages}")
        totals[length] = sum(best.values())
    (first, least), *_, (last, most) = totals.items()
    print(f"{last / first:.1f} times the text takes {most / least:.1f} times as long")


if __name__ == "__main__":
    main()
