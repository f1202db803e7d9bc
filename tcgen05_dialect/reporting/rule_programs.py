"""
All rules of the ISA, and for each of them a program that breaks it and the same program mended.

The programs are files of this package, `<id>.mlir` or `<id>.ptx`: the one that breaks the rule,
a line `// -----`, and the one that keeps it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from pathlib import Path
from pkgutil import walk_packages
from types import MappingProxyType
from typing import NamedTuple, cast

from .. import isa
from ..isa import simulation
from ..isa.model.rule import Rule

_PACKAGE = __name__.partition(".")[0]
SUFFIXES = (".mlir", ".ptx")
_SEPARATOR = "// -----\n"


_WORDS = "IR and PTX spell nothing else"
_FUNCTION = "guards functions of isa, which operations call with what is legal"
_LAUNCH = "it is about what a kernel is launched with"
UNBREAKABLE = {
    "T5-ALLOC-002": _WORDS,
    "T5-COMMIT-001": _WORDS,
    "T5-COMMIT-002": _WORDS,
    "T5-LDST-007": _WORDS,
    "T5-PTX-021": "all combinations of its qualifiers are legal",
    "T5-SHAPE-004": _FUNCTION,
    "T5-SIM-001": "the emulator has every instruction",
    "T5-SIM-011": _LAUNCH,
    "T5-SIM-012": _LAUNCH,
}
"""Rules that the text of no program breaks, and why."""
SHOWN_BY_A_RUN = frozenset(rule.id for rule in vars(simulation).values() if isinstance(rule, Rule))
"""Rules that a program breaks when it runs, in the order of the `lazy` schedule."""


class Example(NamedTuple):
    """Two programs, IR or PTX by the `suffix` of their file: one that breaks a rule, and the same
    mended."""

    suffix: str
    failing: str
    passing: str


def _rules_in(value: object) -> Iterator[Rule]:
    """The rules that a value of a module of `isa` holds: itself, or anywhere inside."""
    if isinstance(value, Rule):
        yield value
        return
    if isinstance(value, Mapping):
        parts = cast("Mapping[object, object]", value).values()
    elif isinstance(value, (tuple, list)):
        parts = cast("Collection[object]", value)
    elif type(value).__module__.startswith(f"{isa.__name__}."):
        parts = getattr(value, "__dict__", {}).values()
    else:
        return
    for part in parts:
        yield from _rules_in(part)


@cache
def rules() -> Mapping[str, Rule]:
    """
    All rules by id, in the order of the ids.

    Imports all modules of `isa`. Raises ValueError for two rules with the same id.
    """
    found: dict[str, Rule] = {}
    for module in walk_packages(isa.__path__, f"{isa.__name__}."):
        for name, value in vars(import_module(module.name)).items():
            if name.startswith("__"):
                continue
            for rule in _rules_in(value):
                if found.setdefault(rule.id, rule) != rule:
                    raise ValueError(f"{rule.id} is both {found[rule.id]} and {rule}")
    return MappingProxyType(dict(sorted(found.items())))


def program_file(rule: Rule) -> Traversable | None:
    """The file of the programs of a rule, None when it has none."""
    folder = resources.files(_PACKAGE) / "rules"
    files = (folder / f"{rule.id}{suffix}" for suffix in SUFFIXES)
    return next((file for file in files if file.is_file()), None)


def example(rule: Rule) -> Example | None:
    """The programs of a rule, None when it has none. Raises ValueError when they are not two."""
    file = program_file(rule)
    if file is None:
        return None
    failing, passing = file.read_text("utf-8").split(_SEPARATOR)
    return Example(Path(file.name).suffix, f"{failing.strip()}\n", f"{passing.strip()}\n")
