"""Tests of the imports between rooms: they run one way, and no modules form a circle."""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest

from ..support.looped import looped
from ..support.repository import ROOT

FOLDERS = {"tcgen05_dialect": ROOT / "tcgen05_dialect", "tcgen05_dialect.passes": ROOT / "passes"}
"""Package -> its folder: `passes` lies at the top of the repository, see pyproject.toml."""
PACKAGE = "tcgen05_dialect"
XDSL = frozenset({"xdsl", "typing_extensions"})
FOREIGN = {
    "isa": frozenset[str](),
    "simulator": XDSL | {"numpy", "ml_dtypes"},
    "host": XDSL | {"numpy", "ml_dtypes"},
    "verification": XDSL | {"numpy"},
    "tensor_program": XDSL | {"numpy"},
    "driver": XDSL | {"numpy"},
    "stablehlo": XDSL | {"jax", "jaxlib"},
    "jax": XDSL | {"jax", "numpy"},
    "cutile": XDSL | {"cuda"},
    "passes": XDSL | {"numpy"},
    "language_server": XDSL | {"lsprotocol", "pygls"},
    "playground": XDSL | {"anyio", "starlette", "uvicorn"},
}
"""Other packages that a part may import, where they are not XDSL."""

_REPORTING = frozenset({"isa", "reporting"})
_SUPPORT = _REPORTING | {"xdsl_support"}
LAYERS = {
    "isa": frozenset[str](),
    "reporting": frozenset({"isa", "kept_results"}),
    "xdsl_support": _REPORTING,
    "ptx": _SUPPORT,
    "ptx_reader": _SUPPORT | {"ptx"},
    "ptx_import": _SUPPORT | {"ptx", "ptx_reader"},
    "tcgen05": _SUPPORT | {"ptx"},
    "ws": _SUPPORT | {"ptx", "tcgen05"},
    "dialects": frozenset({"ptx", "tcgen05", "ws", "xdsl_support"}),
    "uniformity": _REPORTING | {"ptx"},
    "dataflow": _REPORTING | {"ptx", "uniformity"},
    "contraction": _REPORTING | {"builder", "calculator", "operations", "ptx", "tcgen05", "ws"},
    "passes": _REPORTING | {"contraction", "ptx", "stablehlo", "tcgen05", "ws", "xdsl_support"},
    "verifier": _SUPPORT | {"dialects", "ptx"},
    "assembler": _REPORTING,
    "llvm_input": _REPORTING | {"assembler", "ptx"},
    "compiler": frozenset(
        {
            "contraction",
            "dataflow",
            "dialects",
            "language",
            "passes",
            "ptx",
            "ptx_import",
            "reporting",
            "stablehlo",
            "tcgen05",
            "uniformity",
            "verifier",
            "ws",
            "xdsl_support",
        }
    ),
    "language": _REPORTING | {"dialects", "ptx_reader"},
    "universe": frozenset({"dialects", "passes", "ptx", "verification", "xdsl_support"}),
    "kept_results": frozenset[str](),
    "processes": frozenset({"kept_results"}),
    "check": _REPORTING
    | {"compiler", "language", "ptx", "ptx_import", "ptx_reader", "verification"},
    "calculator": frozenset({"isa"}),
    "simulator": _SUPPORT | {"compiler", "language", "ptx"},
    "verification": _SUPPORT
    | {
        "compiler",
        "dataflow",
        "language",
        "passes",
        "processes",
        "ptx",
        "ptx_import",
        "ptx_reader",
        "simulator",
        "uniformity",
    },
    "views": _REPORTING | {"calculator", "compiler", "language", "ptx", "simulator", "ws"},
    "operations": frozenset({"ptx", "tcgen05", "ws"}),
    "builder": frozenset({"isa", "operations", "ptx", "tcgen05", "ws", "xdsl_support"}),
    "stablehlo": frozenset({"reporting", "xdsl_support"}),
    "tensor_program": frozenset(
        {"check", "compiler", "contraction", "reporting", "simulator", "verification"}
    ),
    "jax": frozenset({"compiler", "contraction", "reporting", "stablehlo", "tensor_program"}),
    "cutile": frozenset({"contraction", "passes", "reporting", "tensor_program"}),
    "proposal": _REPORTING | {"ptx", "simulator", "verification", "ws"},
    "language_server": _REPORTING
    | {
        "assembler",
        "calculator",
        "check",
        "compiler",
        "dataflow",
        "dialects",
        "language",
        "llvm_input",
        "operations",
        "ptx",
        "ptx_import",
        "ptx_reader",
        "verification",
    },
    "driver": _SUPPORT | {"compiler", "ptx", "simulator"},
    "host": _REPORTING | {"compiler", "driver", "language", "ptx", "simulator"},
    "playground": frozenset({"passes", "reporting"}),
    "__main__": frozenset({"tools"}),
    "tools": _SUPPORT
    | {
        "assembler",
        "calculator",
        "check",
        "compiler",
        "dialects",
        "driver",
        "host",
        "kept_results",
        "language",
        "language_server",
        "llvm_input",
        "playground",
        "processes",
        "proposal",
        "simulator",
        "universe",
        "verification",
        "views",
    },
}
"""The other parts of the project that each part imports. The package itself imports lazily."""

FILES = {
    ".".join((package, *file.relative_to(folder).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): file
    for package, folder in FOLDERS.items()
    for file in sorted(folder.rglob("*.py"))
}
"""Module -> its file."""


def _absolute(module: str, name: str, level: int) -> str:
    """The full name of what `module` imports as `name`, `level` packages up if this is not 0."""
    package = module.split(".") if FILES[module].name == "__init__.py" else module.split(".")[:-1]
    base = package[: len(package) - level + 1] if level else []
    return ".".join([*base, *filter(None, name.split("."))])


def _named_in_strings(module: str, tree: ast.AST) -> Iterator[str]:
    """The modules that a module imports by a name in a string, at the first use."""
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    functions = {getattr(each, "id", None) or getattr(each, "attr", None) for each in called}
    if not functions & {"import_module", "lazy"}:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(text := node.value, str):
            name = _absolute(module, text.lstrip("."), len(text) - len(text.lstrip(".")))
            if name in FILES and name != module:
                yield name


@cache
def _imports(module: str) -> frozenset[str]:
    """The full names of the modules, and of the things in modules, that a module imports."""
    return frozenset(_imported(module, ast.parse(FILES[module].read_text())))


def _imported(module: str, tree: ast.AST) -> Iterator[str]:
    yield from _named_in_strings(module, tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            full = _absolute(module, node.module or "", node.level)
            yield from (f"{full}.{alias.name}" for alias in node.names)


def _layer(module: str) -> str:
    """The part of the project that a module, or a thing in it, belongs to."""
    return module.split(".")[1]


@pytest.mark.slow
@looped(sorted(FILES.keys() - {PACKAGE}))
def test_imports_run_one_way(module: str) -> None:
    layer = _layer(module)
    foreign = FOREIGN.get(layer, XDSL)
    for name in _imports(module):
        first = name.split(".")[0]
        if first == PACKAGE:
            assert _layer(name) in {layer, *LAYERS[layer]}, f"{module} imports {name}"
        else:
            assert first in sys.stdlib_module_names | foreign, f"{module} imports {name}"


@pytest.mark.slow
def test_parts_import_all_that_they_may() -> None:
    used: dict[str, set[str]] = {part: set() for part in LAYERS}
    for module in FILES.keys() - {PACKAGE}:
        names = [name for name in _imports(module) if name.startswith(f"{PACKAGE}.")]
        used[_layer(module)].update(map(_layer, names))
    assert {part: names - {part} for part, names in used.items()} == LAYERS


def _module_of(name: str) -> str | None:
    """The module that a name is, or lies in."""
    return name if name in FILES else next(iter({name.rpartition(".")[0]} & FILES.keys()), None)


@pytest.mark.slow
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


@pytest.mark.parametrize(
    ("module", "imported"),
    [
        ("universe", "passes.lower_to_ptx"),
        ("dialects", "tcgen05.dialect"),
        ("compiler", "passes.lower_to_ptx"),
        ("tools.sim", "simulator.launch.launch_file"),
    ],
)
def test_sees_modules_that_strings_name(module: str, imported: str) -> None:
    found = {_module_of(name) for name in _imports(f"{PACKAGE}.{module}")}
    assert f"{PACKAGE}.{imported}" in found


@pytest.mark.slow
def test_computed_names_stay_in_their_package() -> None:
    """The other tests do not see a module whose name is computed, such as `f".{name}"`."""
    for module, file in FILES.items():
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and "import_module" in ast.unparse(node.func):
                name = node.args[0]
                if isinstance(name, ast.JoinedStr):
                    text = ast.unparse(name).strip("f'\"")
                    assert text.startswith(".{"), f"{module} imports {text}"


def test_resolves_relative_imports() -> None:
    found = set(_imports("tcgen05_dialect.tools.pass_driver"))
    assert {
        "tcgen05_dialect.compiler.verify",
        "tcgen05_dialect.tools.command.run",
        "xdsl.xdsl_opt_main.xDSLOptMain",
    } <= found
