"""Tests of the notebooks of the documentation: they run, and are kept without outputs."""

import json
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from ..support.repository import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
_SHOWN = {
    "first_kernel": ["verified", "<iframe", "multiply-adds"],
    "layouts": ["<img"] * 5,
    "race": ["| warp 1", "T5-SIM-014", "verified", "<iframe"],
}
"""Notebook -> what is in the HTML that its cells show, in their order."""


def test_notebooks_are_kept_without_outputs() -> None:
    for path in NOTEBOOKS:
        for cell in json.loads(path.read_text())["cells"]:
            assert not cell.get("outputs") and cell.get("execution_count") is None


@pytest.mark.slow
def test_notebooks_run(tmp_path: Path) -> None:
    """One process runs all, and forgets the names of each notebook before the next one."""
    # These packages have no types.
    nbformat: Any = import_module("nbformat")
    nbclient: Any = import_module("nbclient")
    notebook: Any = nbformat.v4.new_notebook()
    for name in _SHOWN:
        read: Any = nbformat.read(ROOT / "docs" / "notebooks" / f"{name}.ipynb", as_version=4)
        notebook.cells += [*read.cells, nbformat.v4.new_code_cell("%reset -f")]
    place: Any = {"metadata": {"path": tmp_path}}
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources=place).execute()
    outputs: list[Any] = [
        output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs
    ]
    shown: list[str] = [
        each.data["text/html"] for each in outputs if "text/html" in each.get("data", {})
    ]
    for html, part in zip(shown, chain.from_iterable(_SHOWN.values()), strict=True):
        assert part in html


def test_every_notebook_is_run() -> None:
    assert [path.stem for path in NOTEBOOKS] == sorted(_SHOWN)
