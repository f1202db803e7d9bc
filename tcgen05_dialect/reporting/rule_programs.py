"""
All rules of the ISA, each with a program that breaks it and a corrected program.

The programs are files of the package, `rules/<id>.mlir` or `rules/<id>.ptx`: the program that
breaks the rule, a line `// -----`, and the program that keeps it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from pathlib import Path
from pkgutil import walk_packages
from types import MappingProxyType
from typing import NamedTuple

from .. import isa
from ..isa.model.rule import REGISTRY, Rule

_PACKAGE = __name__.partition(".")[0]
SUFFIXES = (".mlir", ".ptx")
_SEPARATOR = "// -----\n"


class Example(NamedTuple):
    """A program that breaks a rule, and the corrected program; IR or PTX by `suffix`."""

    suffix: str
    failing: str
    passing: str


@cache
def rules() -> Mapping[str, Rule]:
    """All rules by id, in order. Imports all modules of `isa`, which declare them."""
    for module in walk_packages(isa.__path__, f"{isa.__name__}."):
        import_module(module.name)
    return MappingProxyType(dict(sorted(REGISTRY.items())))


def program_file(rule: Rule) -> Traversable | None:
    """The file with the programs of a rule; None if it has none."""
    folder = resources.files(_PACKAGE) / "rules"
    files = (folder / f"{rule.id}{suffix}" for suffix in SUFFIXES)
    return next((file for file in files if file.is_file()), None)


def example(rule: Rule) -> Example | None:
    """The programs of a rule; None if it has none. Raises ValueError unless there are two."""
    file = program_file(rule)
    if file is None:
        return None
    failing, passing = file.read_text("utf-8").split(_SEPARATOR)
    return Example(Path(file.name).suffix, f"{failing.strip()}\n", f"{passing.strip()}\n")
