"""
A compiler back end for the tensor cores of NVIDIA Blackwell: typed IR for the tcgen05
instructions, verified against the PTX manual and lowered to PTX.

The public names are imported at their first use.
"""

from importlib import import_module

# Not imported from `typing`: Ctrl-C during its import would print a traceback of a command.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from .assembler import assemble
    from .calculator.locate import Layout
    from .check import check_source
    from .compiler import compile_to_ptx, parse_module, verify
    from .host.launcher import Kernel
    from .isa.mma.instruction_descriptor import InstructionDescriptor
    from .isa.mma.sparse import ZeroColumnMask
    from .isa.model.rule import Violation
    from .isa.shared_memory.descriptor import SharedMemoryDescriptor
    from .ptx.dialect import PTX
    from .reporting.diagnostics import CompileError, Finding, Source
    from .simulator import Launch, Run
    from .simulator.launch.launch import Report, simulate
    from .simulator.machine.tensor_map import TensorMap
    from .tcgen05.dialect import TCGEN05
    from .views.timeline import Timeline
    from .ws.dialect import WS

__all__ = [
    "PTX",
    "TCGEN05",
    "WS",
    "CompileError",
    "Finding",
    "InstructionDescriptor",
    "Kernel",
    "Launch",
    "Layout",
    "Report",
    "Run",
    "SharedMemoryDescriptor",
    "Source",
    "TensorMap",
    "Timeline",
    "Violation",
    "ZeroColumnMask",
    "assemble",
    "check_source",
    "compile_to_ptx",
    "parse_module",
    "simulate",
    "verify",
]

_MODULES = {
    "PTX": ".ptx.dialect",
    "TCGEN05": ".tcgen05.dialect",
    "WS": ".ws.dialect",
    "CompileError": ".reporting.diagnostics",
    "Finding": ".reporting.diagnostics",
    "InstructionDescriptor": ".isa.mma.instruction_descriptor",
    "Kernel": ".host.launcher",
    "Launch": ".simulator",
    "Layout": ".calculator.locate",
    "Report": ".simulator.launch.launch",
    "Run": ".simulator",
    "SharedMemoryDescriptor": ".isa.shared_memory.descriptor",
    "Source": ".reporting.diagnostics",
    "TensorMap": ".simulator.machine.tensor_map",
    "Timeline": ".views.timeline",
    "Violation": ".isa.model.rule",
    "ZeroColumnMask": ".isa.mma.sparse",
    "assemble": ".assembler",
    "check_source": ".check",
    "compile_to_ptx": ".compiler",
    "parse_module": ".compiler",
    "simulate": ".simulator.launch.launch",
    "verify": ".compiler",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name], __name__), name)
