"""Tests of the lit tests: every operation and every pass has one."""

import re
from functools import cache

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


@cache
def _spelled(folder: str, is_wrong: bool) -> frozenset[str]:
    """The operations in the files of a dialect, in comments not: those whose diagnostics are
    verified, or the others."""
    texts = [path.read_text() for path in (LIT_TESTS / folder).glob("*.mlir")]
    chosen = [text for text in texts if ("--verify-diagnostics" in text) == is_wrong]
    return frozenset(_SPELLED_OPERATION.findall(_COMMENT.sub("", "\n".join(chosen))))


@looped(operation for dialect in (TCGEN05, PTX, WS) for operation in dialect.operations)
def test_operation(operation: type[Operation]) -> None:
    """A name does not count as a part of a longer one."""
    assert operation.name in _spelled(operation.name.partition(".")[0], is_wrong=False)


@looped(
    (dialect.name, module)
    for dialect in (TCGEN05, PTX, WS)
    for module in sorted({operation.__module__ for operation in dialect.operations})
)
def test_module_has_diagnostics(case: tuple[str, str]) -> None:
    """Each module of operations has wrong IR with the errors that it gets."""
    folder, module = case
    (dialect,) = (each for each in (TCGEN05, PTX, WS) if each.name == folder)
    names = {each.name for each in dialect.operations if each.__module__ == module}
    assert names & _spelled(folder, is_wrong=True), module


@pytest.mark.parametrize("name", sorted(TCGEN05_UNIVERSE.all_passes))
def test_pass(name: str) -> None:
    runs = [
        line
        for path in (LIT_TESTS / "passes").rglob("*.mlir")
        for line in path.read_text().splitlines()
        if "RUN:" in line
    ]
    assert name in _SPELLED_PASS.findall("\n".join(runs))
