"""Builder of `ws` kernels in Python: `Kernel`, and the types of the buffers of its rings."""

from .buffers import Map, Matrix, Ring, Tile, Token, half
from .insertion import accumulator, copied, matrix_a, metadata, scale_factors, tile
from .kernel import Kernel
from .roles import Role
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
