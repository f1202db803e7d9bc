"""The pages that are generated are current."""

import runpy
from pathlib import Path

import pytest

SCRIPTS = sorted((Path(__file__).parent.parent / "docs").glob("generate_*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_page_is_current(script: Path) -> None:
    """`make docs` writes them."""
    page = runpy.run_path(str(script))
    assert page["FILE"].read_text() == page["text"](), "run make docs"
