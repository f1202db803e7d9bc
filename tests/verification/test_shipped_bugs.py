"""
Tests of `check` on kernels after bugs that were shipped: each wrong one, and the same corrected.

The first line of a wrong kernel names the rule that it breaks. Kernels in IR are also checked as
PTX text.
"""

from pathlib import Path

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source

from ..support.practice_kernels import ptx_of

SHIPPED_BUGS = Path(__file__).parent / "shipped_bugs"
_FIRST = "// rule: "
_WRONG = sorted(SHIPPED_BUGS.glob("*.wrong.*"))
_FIXED = sorted(SHIPPED_BUGS.glob("*.fixed.*"))


def _sources(path: Path) -> list[Source]:
    """A kernel in each language that it has."""
    text = path.read_text(encoding="utf-8")
    own = Source(path.name, text)
    return [own] if path.suffix == ".ptx" else [own, Source("k.ptx", ptx_of(text))]


@pytest.mark.slow
@pytest.mark.parametrize("path", _WRONG, ids=lambda path: path.name)
def test_wrong(path: Path) -> None:
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    assert first.startswith(_FIRST)
    for source in _sources(path):
        found = check_source(source, verify="quick")
        assert {each.rule for each in found if each.rule} == {first.removeprefix(_FIRST)}


@pytest.mark.parametrize("path", _FIXED, ids=lambda path: path.name)
def test_fixed(path: Path) -> None:
    for source in _sources(path):
        (verdict,) = check_source(source, verify="quick")
        assert verdict.verdict == "verified"


def test_each_has_both() -> None:
    wrong, fixed = ({path.name.split(".")[0] for path in paths} for paths in (_WRONG, _FIXED))
    assert wrong == fixed
