"""
Snapshot of what users see, to compare two states of the code.

    python -m tests.support.snapshot FILE         record the snapshot in a file
    python -m tests.support.snapshot FILE FILE    compare two files; status 1 if they differ

A snapshot has the findings of `check` for each part of the lit tests, each example and each kernel
of another compiler, the PTX of each example, and the explanation of each rule.
"""

import gzip
import json
import sys
from collections.abc import Callable, Iterator
from difflib import unified_diff
from pathlib import Path

from tcgen05_dialect import CompileError, compile_to_ptx
from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.reporting.formats import render
from tcgen05_dialect.reporting.project import rules
from tcgen05_dialect.tools.explain import explanation

from .repository import ROOT

_SEPARATOR = "// -----\n"


def _sources() -> Iterator[Source]:
    for path in sorted((*ROOT.glob("lit-tests/**/*.*"), *ROOT.glob("examples/**/*.mlir"))):
        if path.suffix in (".mlir", ".ptx"):
            for number, text in enumerate(path.read_text("utf-8", "replace").split(_SEPARATOR)):
                yield Source(f"{path.relative_to(ROOT)}:{number}", text)
    for path in sorted(ROOT.glob("tests/data/**/*.ptx.gz")):
        yield Source(str(path.relative_to(ROOT)), gzip.decompress(path.read_bytes()).decode())


def _check(source: Source) -> str:
    return render(check_source(source, verify="thorough"), "json")


def _ptx(source: Source) -> str:
    try:
        return compile_to_ptx(source.text)
    except CompileError as error:
        return str(error)


def _entries() -> Iterator[tuple[str, Callable[[], str]]]:
    for source in _sources():
        yield f"check {source.name}", lambda source=source: _check(source)
        if source.name.startswith("examples"):
            yield f"compile {source.name}", lambda source=source: _ptx(source)
    for name in rules():
        yield f"explain {name}", lambda name=name: explanation([name])


def record(file: Path) -> None:
    """Record a snapshot, one entry in each line."""
    with file.open("w") as lines:
        for name, text in _entries():
            print(json.dumps([name, text()]), file=lines)


def differences(before: Path, after: Path) -> Iterator[str]:
    """The lines that differ, below the names of their entries."""
    old, new = (dict(map(json.loads, file.read_text().splitlines())) for file in (before, after))
    for name in dict.fromkeys((*old, *new)):
        one, other = (side.get(name, "").splitlines() for side in (old, new))
        yield from unified_diff(one, other, f"{name}, before", f"{name}, after", "", "", 1, "")


if __name__ == "__main__":
    if len(sys.argv) == 2:
        record(Path(sys.argv[1]))
    else:
        found = list(differences(*map(Path, sys.argv[1:])))
        print("\n".join(found) or "equal")
        sys.exit(bool(found))
