"""
Kernels for expressions of tensors: contractions, elementwise functions and layouts.

A front end builds the graph of `expression`. `plan` divides the graph into kernels; `flat` says
what a kernel computes in each iteration of its loops, and `operand` which matrices it multiplies.
`kernel` builds the kernels in the sequential form of `ws`, and `program` describes their launches.
`has_tensors` finds functions of tensors without the dialect `func`, and imports nothing else.
"""

from xdsl.dialects.builtin import FunctionType, MemRefType, TensorType, UnrankedTensorType
from xdsl.ir import Operation


def has_tensors(op: Operation) -> bool:
    """Whether an operation is a function of tensors, or of memrefs, for which there is an error."""
    type_ = op.properties.get("function_type") if op.name == "func.func" else None
    if not isinstance(type_, FunctionType):
        return False
    types = *type_.inputs, *type_.outputs
    return any(isinstance(each, TensorType | UnrankedTensorType | MemRefType) for each in types)
