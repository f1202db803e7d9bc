"""Test for functions of tensors that does not import the dialect `func`."""

from xdsl.dialects.builtin import FunctionType, MemRefType, TensorType, UnrankedTensorType
from xdsl.ir import Operation


def has_tensors(op: Operation) -> bool:
    """Whether an operation is a function of tensors, or of memrefs, for which there is an error."""
    type_ = op.properties.get("function_type") if op.name == "func.func" else None
    if not isinstance(type_, FunctionType):
        return False
    types = *type_.inputs, *type_.outputs
    return any(isinstance(each, TensorType | UnrankedTensorType | MemRefType) for each in types)
