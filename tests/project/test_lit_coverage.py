"""Tests of the lit tests: every operation and every pass has one."""

import re
from functools import cache
from pathlib import Path

import pytest
from xdsl.ir import Operation

from tcgen05_dialect.ptx.dialect import PTX
from tcgen05_dialect.tcgen05.dialect import TCGEN05
from tcgen05_dialect.universe import TCGEN05_UNIVERSE
from tcgen05_dialect.ws.dialect import WS

from ..support.looped import looped
from ..support.repository import LIT_TESTS

_SPELLED_OPERATION = re.compile(r"(?:ptx|tcgen05|ws)\.[\w.]+")
_SPELLED_PASS = re.compile(r"[\w-]+")
_COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
OTHER_FILES = {
    "approximate_circular": "approximate",
    "arithmetic_saturating": "arithmetic",
    "memory_addresses": "memory",
    "memory_cache": "memory",
    "packed_conversion_integers": "packed_conversion",
    "conversion": "arithmetic",
    "tcgen05_reduction": "tcgen05",
    "mma_options": "mma",
    "mma_block_scale": "mma",
    "mma_sp": "mma",
    "mma_ws": "mma",
    "ld_red": "ld_st",
}
"""Files that hold a part of a family, and the family."""


def _family(operation: type[Operation]) -> str:
    return operation.__module__.rpartition(".")[2]


def _files(folder: str, family: str) -> list[Path]:
    """The files of a family that hold legal IR."""
    paths = (LIT_TESTS / folder).glob("*.mlir")
    return [path for path in paths if OTHER_FILES.get(path.stem, path.stem) == family]


@cache
def _spelled(folder: str, family: str) -> frozenset[str]:
    """The operations in the files of a family; comments do not count."""
    files = _files(folder, family)
    assert files, f"no file of the family {family} in lit-tests/{folder}"
    code = "\n".join(_COMMENT.sub("", path.read_text()) for path in files)
    return frozenset(_SPELLED_OPERATION.findall(code))


@looped(operation for dialect in (TCGEN05, PTX, WS) for operation in dialect.operations)
def test_operation(operation: type[Operation]) -> None:
    """A name does not count as a part of a longer one."""
    folder = operation.name.partition(".")[0]
    assert operation.name in _spelled(folder, _family(operation))


@pytest.mark.parametrize(
    ("folder", "family"),
    sorted(
        {
            (dialect.name, _family(operation))
            for dialect in (TCGEN05, PTX, WS)
            for operation in dialect.operations
        }
    ),
)
def test_family_has_a_file_of_diagnostics(folder: str, family: str) -> None:
    path = LIT_TESTS / folder / f"{family}_invalid.mlir"
    assert "--verify-diagnostics" in path.read_text()


@pytest.mark.parametrize("name", sorted(TCGEN05_UNIVERSE.all_passes))
def test_pass(name: str) -> None:
    runs = [
        line
        for path in (LIT_TESTS / "passes").rglob("*.mlir")
        for line in path.read_text().splitlines()
        if "RUN:" in line
    ]
    assert name in _SPELLED_PASS.findall("\n".join(runs))
