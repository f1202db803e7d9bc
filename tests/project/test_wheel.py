"""Tests of the wheel in an environment that has nothing else of the project."""

import re
import shutil
import subprocess
import sys
import tomllib
from email.parser import Parser
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import xdsl
from packaging.requirements import Requirement

from tcgen05_dialect.reporting import project

from ..support.repository import ROOT

SOURCES = ROOT / "tcgen05_dialect" / "playground" / "page"
"""The sources of the playground's page; the wheel has what `make page` makes of them."""
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
KERNEL = "ptx.kernel @k() {\n  ptx.ret\n}\n"


def run(*command: str | Path, cwd: Path | None = None) -> str:
    result = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy, since setuptools leaves files in the tree."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("tcgen05_dialect", "passes"):
        shutil.copytree(ROOT / name, source / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, source)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel, and with our dependencies but without our own tree."""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    (site,) = folder.glob("lib/python*/site-packages")
    with ZipFile(wheel) as archive:
        archive.extractall(site)
    (site / "dependencies.pth").write_text(str(Path(xdsl.__file__).parents[1]))
    return folder


@pytest.mark.slow
def test_the_wheel_brings_one_name(wheel: Path) -> None:
    names = {name.split("/")[0] for name in ZipFile(wheel).namelist()}
    assert names == {"tcgen05_dialect", f"tcgen05_dialect-{PROJECT['version']}.dist-info"}


@pytest.mark.slow
def test_the_wheel_has_all_files(wheel: Path) -> None:
    expected = {
        f"{prefix}{file.relative_to(ROOT)}"
        for prefix, folder in (("", "tcgen05_dialect"), ("tcgen05_dialect/", "passes"))
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and file.suffix != ".pyc" and file.parent != SOURCES
    }
    found = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert found == expected
    assert "tcgen05_dialect/py.typed" in found


@pytest.mark.slow
def test_the_metadata_of_the_wheel(wheel: Path) -> None:
    archive = ZipFile(wheel)
    (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    metadata = Parser().parsestr(archive.read(name).decode())
    assert set(metadata.get_all("Project-URL", ())) == {
        f"{name}, {url}" for name, url in PROJECT["urls"].items()
    }
    assert metadata.get_all("Classifier") == PROJECT["classifiers"]
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert metadata.get_payload() == (ROOT / "README.md").read_text()


@pytest.mark.slow
def test_users_may_have_a_module_called_passes(environment: Path, tmp_path: Path) -> None:
    (tmp_path / "passes.py").write_text("raise ImportError('of the user')\n")
    (tmp_path / "k.mlir").write_text(KERNEL)
    program = (
        "import tcgen05_dialect as project\n"
        "print(project.__file__)\n"
        "print(project.compile_to_ptx(open('k.mlir').read()))\n"
    )
    output = run(environment / "bin" / "python", "-c", program, cwd=tmp_path)
    assert output.startswith(str(environment))
    assert ".visible .entry k" in output


@pytest.mark.slow
def test_the_commands_of_the_wheel(environment: Path, tmp_path: Path) -> None:
    (tmp_path / "k.mlir").write_text(KERNEL)
    python = environment / "bin" / "python"
    for arguments in (
        ("compile", "k.mlir"),
        ("check", "k.mlir"),
        ("explain", "T5-ALLOC-001"),
        ("calc", "list"),
        ("opt", "k.mlir"),
        ("--version",),
    ):
        run(python, "-m", "tcgen05_dialect", *arguments, cwd=tmp_path)


def test_the_addresses_are_those_of_the_code() -> None:
    assert PROJECT["urls"]["Homepage"] == project.HOME
    assert PROJECT["urls"]["Documentation"] == project.DOCUMENTATION


def test_extras_install_where_nvidia_has_no_wheels() -> None:
    wheels = {"nvidia-cuda-nvcc", "nvidia-cuda-nvdisasm"}
    for name, extra in PROJECT["optional-dependencies"].items():
        for platform in ("linux", "win32", "darwin"):
            requirements = map(Requirement, extra)
            installed = {
                each.name
                for each in requirements
                if each.marker is None or each.marker.evaluate({"sys_platform": platform})
            }
            if platform == "darwin":
                assert not wheels & installed, name
            elif name == "ptxas":
                assert installed == {"nvidia-cuda-nvcc"}


def test_the_readme_has_absolute_links() -> None:
    """The page of a package index shows the README without the files beside it."""
    text = re.sub(r"^```.*?^```$", "", (ROOT / "README.md").read_text(), flags=re.M | re.S)
    links: list[str] = re.findall(r"\]\(([^)\s]+)\)", text)
    links += re.findall(r"^\[[^\]]+\]: (\S+)$", text, flags=re.M)
    links += re.findall(r"(?:src|href)=\"([^\"]+)\"", text)
    assert links
    assert [link for link in links if not link.startswith(("https://", "#"))] == []
    assert any(link.startswith(project.HOME) for link in links)
