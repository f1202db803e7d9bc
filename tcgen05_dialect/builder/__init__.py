"""Builder of `ws` kernels in Python: `Kernel`, and the types of the buffers of its rings."""

from .buffers import Map, Matrix, Ring, Tile, Token, half
from .kernel import Kernel
from .roles import Role
from .types import accumulator, copied, matrix_a, metadata, scale_factors, tile
from .values import Value

__all__ = [
    "Kernel",
    "Map",
    "Matrix",
    "Ring",
    "Role",
    "Tile",
    "Token",
    "Value",
    "accumulator",
    "copied",
    "half",
    "matrix_a",
    "metadata",
    "scale_factors",
    "tile",
]
