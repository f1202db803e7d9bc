"""Lazy imports: objects that are imported at first use, because imports dominate start-up time."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def lazy(module: str, name: str) -> Callable[[], Any]:
    """A function that imports `module` and returns its attribute `name`."""
    return lambda: getattr(import_module(module), name)
