"""Corpus: every different kernel of the repository that compiles, one source each."""

from collections.abc import Iterator
from pathlib import Path

from tcgen05_dialect import CompileError, compile_to_ptx
from tcgen05_dialect.reporting.diagnostics import Source

ROOT = Path(__file__).parent.parent
PLACES = (
    "examples/*.mlir",
    "lit-tests/**/*.mlir",
    "tcgen05_dialect/rules/*.mlir",
)
SEPARATOR = "// -----\n"
"""The line between two modules of one file."""


def corpus() -> Iterator[Source]:
    """The sources that compile, each text once."""
    seen: set[str] = set()
    for place in PLACES:
        for path in sorted(ROOT.glob(place)):
            for number, text in enumerate(path.read_text().split(SEPARATOR)):
                if text not in seen and _compiles(text):
                    seen.add(text)
                    yield Source(f"{path.name}:{number}", text)


def _compiles(text: str) -> bool:
    try:
        compile_to_ptx(text)
    except CompileError:
        return False
    return True
