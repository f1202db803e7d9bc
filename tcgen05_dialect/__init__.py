"""
A compiler back end for the tensor cores of NVIDIA Blackwell: typed IR for the tcgen05
instructions, verified against the PTX manual and lowered to PTX.

The public names are loaded when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .assembler import assemble
    from .compiler import compile_to_ptx
    from .diagnostics import CompileError
    from .dialect import TCGEN05
    from .isa.instruction_descriptor import InstructionDescriptor
    from .isa.shared_memory_descriptor import SharedMemoryDescriptor
    from .isa.zero_column_mask import ZeroColumnMask
    from .ptx.dialect import PTX

__all__ = [
    "PTX",
    "TCGEN05",
    "CompileError",
    "InstructionDescriptor",
    "SharedMemoryDescriptor",
    "ZeroColumnMask",
    "assemble",
    "compile_to_ptx",
]

_MODULES = {
    "PTX": ".ptx.dialect",
    "TCGEN05": ".dialect",
    "CompileError": ".diagnostics",
    "InstructionDescriptor": ".isa.instruction_descriptor",
    "SharedMemoryDescriptor": ".isa.shared_memory_descriptor",
    "ZeroColumnMask": ".isa.zero_column_mask",
    "assemble": ".assembler",
    "compile_to_ptx": ".compiler",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name], __name__), name)
