"""PTX of kernels that other compilers made (see tests/data/README.md)."""

import gzip
from collections.abc import Sequence

from .golden_tables import DATA

FOLDER = DATA / "foreign"


def foreign_kernels() -> Sequence[str]:
    """The names of the kernels, short ones first, so that a sample is fast."""
    files = sorted(FOLDER.glob("*.ptx.gz"), key=lambda path: (path.stat().st_size, path.name))
    return [path.name.removesuffix(".ptx.gz") for path in files]


def foreign_kernel(name: str) -> str:
    """The PTX text of a kernel."""
    with gzip.open(FOLDER / f"{name}.ptx.gz", "rt", encoding="ascii") as file:
        return file.read()
