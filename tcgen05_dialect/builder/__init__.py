"""Builder of `ws` kernels in Python: `Kernel`, and the types of the buffers of its rings."""

from .buffers import half
from .kernel import Kernel
from .roles import Role
from .types import accumulator, copied, matrix_a, metadata, scale_factors, tile
from .values import Value

__all__ = [
    "Kernel",
    "Role",
    "Value",
    "accumulator",
    "copied",
    "half",
    "matrix_a",
    "metadata",
    "scale_factors",
    "tile",
]
