"""
An emulator of `ptx` kernels: what the hardware would be given, run on the CPU.

`simulate` runs a kernel; `docs/simulator.md` says what is modelled and how.
"""

from .launch import Report, simulate
from .statistics import Statistics
from .tensor_map import TensorMap

__all__ = ["Report", "Statistics", "TensorMap", "simulate"]
