"""The pass `linalg-to-ws`: functions of `linalg` on tensors become kernels of `ws`."""

from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from tcgen05_dialect.contraction import has_tensors
from tcgen05_dialect.contraction.program import Program

from .tensors.linalg import FunctionReader

TF32 = "tcgen05.tf32"
"""The attribute of a function whose products of f32 tensor cores multiply as tf32."""


@dataclass(frozen=True)
class LinalgToWs(ModulePass):
    """Turns each function of linalg on tensors into kernels of ws in the sequential form. With
    `tf32`, tensor cores multiply f32 as tf32."""

    name = "linalg-to-ws"
    tf32: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        lower_functions(op, self.tf32)


def lower_functions(module: ModuleOp, is_tf32: bool = False) -> list[Program]:
    """Replace the functions of tensors in a module by their kernels; returns their programs.
    Raises OperationError."""
    found: list[Program] = []
    reader_type = _reader_type(module)
    for function in [*module.ops]:
        if not (isinstance(function, func.FuncOp) and has_tensors(function)):
            continue
        visibility = function.sym_visibility
        if visibility is None or visibility.data != "private":
            reader = reader_type(function, module)
            lowered = reader.program(is_tf32 or TF32 in function.attributes)
            block = cast(Block, function.parent)
            block.insert_ops_before([each.op for each in lowered.kernels], function)
            found.append(lowered)
    for function in [*module.ops]:
        if has_tensors(function):
            function.detach()
            function.erase()
    return found


def _reader_type(module: ModuleOp) -> "type[FunctionReader]":
    if not any(isinstance(op, UnregisteredOp) for op in module.walk()):
        return FunctionReader
    # Imported here, because most modules have no operations of StableHLO.
    from .tensors.stablehlo import StableHloReader

    return StableHloReader
