"""Lazy imports: objects that are imported at first use, because imports dominate start-up time."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy(module: str, name: str) -> Callable[[], Any]:
    """A function that imports `module` and returns its attribute `name`."""
    return lambda: getattr(import_module(module), name)


def lazy_names(package: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package that imports each of its public names at the first use.
    `modules` maps a name to its module, relative to the package."""

    def found(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(modules[name], package), name)

    return found
