"""Imports run one way: facts, then dialects, then passes, then what drives them."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("tcgen05_dialect", "passes")
XDSL = frozenset({"xdsl", "typing_extensions"})
FOREIGN = {"isa": frozenset[str](), "simulator": XDSL | {"numpy", "ml_dtypes"}}
"""Other packages that a part may import, where they are not XDSL."""

_TYPES = frozenset({"isa", "types", "attributes", "traits"})
_OPS = _TYPES | {"ptx", "ops"}
_DIAGNOSTICS = frozenset({"isa", "ptx", "diagnostics"})
_READER = _DIAGNOSTICS | {"ptx.reader"}
_COMPILER = _DIAGNOSTICS | {"lazy", "lexer", "parser", "verifier", "passes", "compiler"}
_CHECK = _COMPILER | _READER | {"findings", "check", "rules"}
LAYERS = {
    "isa": frozenset({"isa"}),
    "ptx": frozenset({"isa", "ptx"}),
    "ptx.reader": _READER,
    "types": _TYPES,
    "attributes": _TYPES,
    "traits": _TYPES,
    "ops": _OPS,
    "dialect": _OPS,
    "passes": _OPS | {"passes"},
    "lazy": frozenset[str](),
    "diagnostics": _DIAGNOSTICS,
    "lexer": frozenset[str](),
    "numbering": frozenset[str](),
    "declarative_format": frozenset({"numbering", "ptx"}),
    "repetition": frozenset[str](),
    "parser": _DIAGNOSTICS | {"lexer", "declarative_format", "repetition"},
    "verifier": frozenset({"isa", "ptx", "numbering"}),
    "assembler": _DIAGNOSTICS,
    "compiler": _COMPILER,
    "universe": frozenset({"lazy"}),
    "rules": frozenset({"isa", "rules"}),
    "findings": _DIAGNOSTICS | {"findings", "rules"},
    "check": _CHECK,
    "calculator": frozenset({"isa", "calculator"}),
    "simulator": _COMPILER | {"findings", "rules", "simulator"},
    "tools": _CHECK | {"assembler", "calculator", "simulator", "tools"},
}
"""The parts of the project that each part may import. The package itself imports lazily."""

FILES = sorted(file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))


def _imports(file: Path) -> Iterator[str]:
    """The full name of each module, or of each thing in a module, that a file imports anywhere."""
    package = file.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = [*base, *([node.module] if node.module else [])]
            yield from (".".join([*module, alias.name]) for alias in node.names)


def _layer(name: str) -> str:
    """The part of the project that a module belongs to."""
    first, *rest = name.split(".")
    if first != "tcgen05_dialect" or not rest:
        return first
    package = ".".join(rest[:2])
    return package if package in LAYERS else rest[0]


def _name(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts)


@pytest.mark.parametrize("file", FILES, ids=_name)
def test_imports_run_one_way(file: Path) -> None:
    layer = _layer(_name(file))
    own = frozenset(LAYERS) if layer == "__init__" else LAYERS[layer]
    foreign = FOREIGN.get(layer, XDSL)
    for name in _imports(file):
        first = name.split(".")[0]
        if first in PACKAGES:
            assert _layer(name) in own, f"{_name(file)} imports {name}"
        else:
            assert first in sys.stdlib_module_names | foreign, f"{_name(file)} imports {name}"


def test_resolves_relative_imports() -> None:
    found = set(_imports(ROOT / "tcgen05_dialect" / "tools" / "opt.py"))
    assert {
        "tcgen05_dialect.compiler.verify",
        "tcgen05_dialect.tools.command.run",
        "xdsl.xdsl_opt_main.xDSLOptMain",
    } <= found
