"""
Emulator of `ptx` kernels on the CPU.

`simulate` runs a kernel; `docs/simulator.md` describes the model. The public names are imported at
first use.
"""

from typing import TYPE_CHECKING

from ..xdsl_support.lazy import lazy_names

if TYPE_CHECKING:
    from .launch.launch import Report, simulate
    from .machine.statistics import Statistics
    from .machine.tensor_map import TensorMap
    from .settings import Launch, Run

__all__ = ["Launch", "Report", "Run", "Statistics", "TensorMap", "simulate"]

_MODULES = {
    "Launch": ".settings",
    "Report": ".launch.launch",
    "Run": ".settings",
    "Statistics": ".machine.statistics",
    "TensorMap": ".machine.tensor_map",
    "simulate": ".launch.launch",
}
__getattr__ = lazy_names(__name__, _MODULES)
