"""
Properties of operations that MLIR prints in generic format and xDSL does not declare.

Most of them are promises and permissions for optimisations: without them, an operation computes
the same. Uses no private names. It can be deleted when xDSL declares the properties of MLIR.
"""

from collections.abc import Mapping

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation

_PROMISES: Mapping[str, str] = {
    "arg_attrs": "array",
    "branch_weights": "array",
    "fastmath": "arith.fastmath",
    "isExact": "unit",
    "no_inline": "unit",
    "overflowFlags": "arith.overflow",
    "res_attrs": "array",
}
"""Property -> the name of its kind of attribute. `array` is also that of a dense array."""
_ROUNDING = "roundingmode"
_TO_NEAREST_EVEN = 0


def drop_promises(operation: Operation) -> None:
    """
    Remove the properties that xDSL does not declare and without which the operation computes the
    same: promises, permissions, and the rounding mode that it has by default.
    """
    if not isinstance(operation, IRDLOperation):
        return
    declared = operation.get_irdl_definition().properties
    for name, value in [*operation.properties.items()]:
        if name not in declared and _is_without_effect(name, value):
            del operation.properties[name]


def _is_without_effect(name: str, value: Attribute) -> bool:
    if name == _ROUNDING:
        return isinstance(value, IntegerAttr) and value.value.data == _TO_NEAREST_EVEN
    return name in _PROMISES and value.name == _PROMISES[name]
