"""Tests of the imports between rooms: they run one way, and no modules form a circle."""

import ast
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

import pytest

from ..support.repository import ROOT

FOLDERS = {"tcgen05_dialect": ROOT / "tcgen05_dialect", "tcgen05_dialect.passes": ROOT / "passes"}
"""Package -> its folder: `passes` lies at the top of the repository, see pyproject.toml."""
PACKAGE = "tcgen05_dialect"
XDSL = frozenset({"xdsl", "typing_extensions"})
FOREIGN = {"isa": frozenset[str](), "simulator": XDSL | {"numpy", "ml_dtypes"}}
"""Other packages that a part may import, where they are not XDSL."""

_SUPPORT = frozenset({"isa", "reporting", "xdsl_support"})
_DIALECTS = _SUPPORT | {"ptx", "tcgen05"}
_COMPILER = _DIALECTS | {"passes", "verifier", "compiler"}
_CHECK = _SUPPORT | {"ptx", "ptx_reader", "compiler", "check"}
LAYERS = {
    "isa": frozenset({"isa"}),
    "reporting": frozenset({"isa", "reporting"}),
    "xdsl_support": _SUPPORT,
    "ptx": _SUPPORT | {"ptx"},
    "ptx_reader": _SUPPORT | {"ptx", "ptx_reader"},
    "tcgen05": _DIALECTS,
    "passes": _DIALECTS | {"passes"},
    "verifier": _SUPPORT | {"ptx"},
    "assembler": frozenset({"isa", "reporting"}),
    "compiler": _COMPILER,
    "universe": frozenset({"xdsl_support"}),
    "check": _CHECK,
    "calculator": frozenset({"isa", "calculator"}),
    "simulator": _SUPPORT | {"ptx", "compiler", "simulator"},
    "__main__": frozenset({"tools"}),
    "tools": _CHECK | {"assembler", "calculator", "simulator", "tools", "universe"},
}
"""The parts of the project that each part may import. The package itself imports lazily."""

FILES = {
    ".".join((package, *file.relative_to(folder).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): file
    for package, folder in FOLDERS.items()
    for file in sorted(folder.rglob("*.py"))
}
"""Module -> its file."""


def _imports(module: str) -> Iterator[str]:
    """The full names of the modules, and of the things in modules, that a module imports."""
    file = FILES[module]
    package = module.split(".") if file.name == "__init__.py" else module.split(".")[:-1]
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            full = [*base, *([node.module] if node.module else [])]
            yield from (".".join([*full, alias.name]) for alias in node.names)


def _layer(module: str) -> str:
    """The part of the project that a module, or a thing in it, belongs to."""
    return module.split(".")[1]


@pytest.mark.parametrize("module", sorted(FILES.keys() - {PACKAGE}))
def test_imports_run_one_way(module: str) -> None:
    layer = _layer(module)
    foreign = FOREIGN.get(layer, XDSL)
    for name in _imports(module):
        first = name.split(".")[0]
        if first == PACKAGE:
            assert _layer(name) in LAYERS[layer], f"{module} imports {name}"
        else:
            assert first in sys.stdlib_module_names | foreign, f"{module} imports {name}"


def _module_of(name: str) -> str | None:
    """The module that a name is, or lies in."""
    return name if name in FILES else next(iter({name.rpartition(".")[0]} & FILES.keys()), None)


def test_no_modules_import_each_other() -> None:
    """Circles are found also where an import in a function, or one for types alone, hides them."""
    graph = {
        module: {found for name in _imports(module) if (found := _module_of(name))} - {module}
        for module in FILES
        if FILES[module].name != "__init__.py"
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"modules import each other: {' -> '.join(error.args[1])}")


def test_resolves_relative_imports() -> None:
    found = set(_imports("tcgen05_dialect.tools.pass_driver"))
    assert {
        "tcgen05_dialect.compiler.verify",
        "tcgen05_dialect.tools.command.run",
        "xdsl.xdsl_opt_main.xDSLOptMain",
    } <= found
