"""
Emulator of `ptx` kernels on the CPU.

`simulate` runs a kernel; `docs/simulator.md` describes the model. The public names are imported at
first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .launch.launch import Report, simulate
    from .machine.machine import Statistics
    from .machine.tensor_map import TensorMap
    from .settings import Launch, Run

__all__ = ["Launch", "Report", "Run", "Statistics", "TensorMap", "simulate"]

SCHEDULES = ("eager", "lazy", "random")
"""The orders of concurrent events. They are here, because parsers of arguments need them fast."""

_MODULES = {
    "Launch": ".settings",
    "Report": ".launch.launch",
    "Run": ".settings",
    "Statistics": ".machine.machine",
    "TensorMap": ".machine.tensor_map",
    "simulate": ".launch.launch",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name], __name__), name)
