"""
An emulator of `ptx` kernels: what the hardware would be given, run on the CPU.

`simulate` runs a kernel; `docs/simulator.md` says what is modelled and how.
"""

from .launch.launch import Report, simulate
from .machine.statistics import Statistics
from .machine.tensor_map import TensorMap

__all__ = ["Report", "Statistics", "TensorMap", "simulate"]
