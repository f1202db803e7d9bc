"""Kernels of `ws` in Python: `Kernel`, and the types of what its rings hold."""

from .buffers import accumulator, copied, half, scale_factors, tile
from .kernel import Kernel, Role
from .values import Value

__all__ = [
    "Kernel",
    "Role",
    "Value",
    "accumulator",
    "copied",
    "half",
    "scale_factors",
    "tile",
]
