"""Builder of `ws` kernels in Python: `Kernel`, and the types of the buffers of its rings."""

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
