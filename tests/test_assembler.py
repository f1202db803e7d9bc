"""Tests of the search for ptxas: in wheels and on PATH, never in the current folder."""

import os
import sys
from pathlib import Path

import pytest

from tcgen05_dialect import CompileError, assemble
from tcgen05_dialect.assembler import find_tool

PTXAS = "#!/bin/sh\necho '{}'; touch kernel.cubin\n"


def fake(path: Path) -> Path:
    """A program that says where it lies."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(PTXAS.format(path.parent.name))
    path.chmod(0o755)
    return path


@pytest.fixture(autouse=True)
def nothing_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No wheel and no program, in a folder of its own."""
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setenv("PATH", "")
    monkeypatch.chdir(tmp_path)


def test_a_relative_entry_of_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    fake(Path("tools/bin/ptxas"))
    monkeypatch.setenv("PATH", f"missing{os.pathsep}tools/bin{os.pathsep}/bin")
    assert find_tool("ptxas").is_absolute()
    assert assemble("", "sm_100a").messages == "bin"


@pytest.mark.parametrize("entry", ["", ".", "{}", "../{name}", "folder/.."])
def test_the_current_folder_is_not_searched(
    entry: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("folder").mkdir()
    entry = entry.format(tmp_path, name=tmp_path.name)
    fake(Path("ptxas"))
    fake(Path("nvidia/cu99/bin/ptxas"))
    monkeypatch.setenv("PATH", entry)
    monkeypatch.setattr(sys, "path", [entry])
    with pytest.raises(CompileError, match=r"pip install 'tcgen05-dialect\[ptxas\]'"):
        find_tool("ptxas")


def test_the_wheel_comes_before_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site"
    wheel = fake(site / "nvidia/cu13/bin/ptxas")
    fake(tmp_path / "bin/ptxas")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert find_tool("ptxas").parent == tmp_path / "bin"
    monkeypatch.setattr(sys, "path", [str(site)])
    assert find_tool("ptxas") == wheel


def test_the_wheel_for_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site"
    program = fake(site / "nvidia/cu13/bin/ptxas.exe")
    fake(site / "nvidia/cu13/bin/ptxas-extra")
    monkeypatch.setattr(sys, "path", [str(site)])
    assert find_tool("ptxas") == program


def test_the_advice_for_macos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(CompileError, match="NVIDIA has none for macOS"):
        find_tool("ptxas")
