"""Tests of the installed project: packages, entry points, and plain xdsl-opt."""

import tomllib
from importlib import import_module, metadata
from pathlib import Path

import pytest
from xdsl.passes import ModulePass
from xdsl.universe import Universe
from xdsl.utils.target import Target

from tcgen05_dialect.compiler import make_context
from tcgen05_dialect.dialects import DIALECTS
from tcgen05_dialect.universe import TCGEN05_UNIVERSE

from ..support.repository import ROOT


def test_metadata_says_what_pyproject_says() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    installed = metadata.metadata("tcgen05-dialect")
    assert installed["Version"] == project["version"]
    assert installed["License-Expression"] == project["license"]
    commands = {
        entry.name: entry.value for entry in metadata.distribution("tcgen05-dialect").entry_points
    }
    assert project["scripts"].items() <= commands.items()


def test_the_package_is_typed() -> None:
    assert (ROOT / "tcgen05_dialect" / "py.typed").exists()


def test_the_packages_are_those_of_the_tree() -> None:
    """pyproject.toml lists them, since setuptools cannot find packages that it maps."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        listed = tomllib.load(file)["tool"]["setuptools"]["packages"]
    found = {
        ".".join((*prefix, *file.parent.relative_to(ROOT).parts))
        for prefix, folder in (((), "tcgen05_dialect"), (("tcgen05_dialect",), "passes"))
        for file in (ROOT / folder).rglob("__init__.py")
    }
    assert sorted(found) == listed


def test_the_licence_has_the_llvm_exception() -> None:
    text = (ROOT / "LICENSE").read_text()
    assert "Version 2.0, January 2004" in text
    assert "LLVM Exceptions to the Apache 2.0 License" in text


def test_xdsl_finds_the_universe() -> None:
    multiverse = Universe.get_multiverse()
    assert multiverse.all_dialects["tcgen05"] is TCGEN05_UNIVERSE.all_dialects["tcgen05"]


@pytest.mark.parametrize("name", DIALECTS)
def test_dialects_load_under_their_names(name: str) -> None:
    assert DIALECTS[name]().name == name


def test_the_universe_has_the_dialects_of_the_project() -> None:
    own = {name: DIALECTS[name] for name in ("ptx", "tcgen05", "ws")}
    assert TCGEN05_UNIVERSE.all_dialects == own


@pytest.mark.parametrize("name", TCGEN05_UNIVERSE.all_passes)
def test_passes_load_under_their_names(name: str) -> None:
    pass_ = TCGEN05_UNIVERSE.all_passes[name]()
    assert issubclass(pass_, ModulePass)
    assert pass_.name == name
    assert (pass_.__doc__ or "").strip()


@pytest.mark.parametrize("name", TCGEN05_UNIVERSE.all_targets)
def test_targets_load_under_their_names(name: str) -> None:
    target = TCGEN05_UNIVERSE.all_targets[name]()
    assert issubclass(target, Target)
    assert target.name == name


@pytest.mark.parametrize("file", sorted((ROOT / "passes").glob("[a-z]*.py")), ids=lambda p: p.stem)
def test_every_pass_is_registered(file: Path) -> None:
    module = import_module(f"tcgen05_dialect.passes.{file.stem}")
    passes = [
        item
        for item in vars(module).values()
        if isinstance(item, type)
        and issubclass(item, ModulePass)
        and item.__module__ == module.__name__
    ]
    assert passes
    for pass_ in passes:
        assert TCGEN05_UNIVERSE.all_passes[pass_.name]() is pass_


def test_the_context_loads_its_dialects() -> None:
    context = make_context()
    for name in tuple(context.registered_dialect_names):
        context.load_registered_dialect(name)
    assert {dialect.name for dialect in context.loaded_dialects} == set(
        context.registered_dialect_names
    )
