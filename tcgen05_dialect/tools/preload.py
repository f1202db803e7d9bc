"""
Imports the modules of all commands, so that processes forked from this one start fast.

The module is a list for `multiprocessing`, which imports it by its name.
"""

from importlib import import_module
from pkgutil import walk_packages

from .main import save_time

_LEFT_OUT = {"jax", "cutile", "language_server", "__main__"}
"""Modules that need large third-party packages, or that run a command."""

save_time()
_PACKAGE = __name__.partition(".")[0]
for _package in map(import_module, (_PACKAGE, f"{_PACKAGE}.passes")):
    for _module in walk_packages(_package.__path__, f"{_package.__name__}."):
        if not _LEFT_OUT & {*_module.name.split(".")}:
            import_module(_module.name)
