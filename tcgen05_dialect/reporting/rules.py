"""All rules of the ISA."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from types import MappingProxyType

from .. import isa
from ..isa.model.rule import REGISTRY, Rule


@cache
def rules() -> Mapping[str, Rule]:
    """All rules by id, in order. Imports all modules of `isa`, which declare them."""
    for module in walk_packages(isa.__path__, f"{isa.__name__}."):
        import_module(module.name)
    return MappingProxyType(dict(sorted(REGISTRY.items())))
