"""Checks of what a pass on roles takes, when it runs without the passes before it."""

from xdsl.dialects.builtin import ModuleOp

from tcgen05_dialect.ptx.analysis.walk import operations_of
from tcgen05_dialect.ws.kernel import warp_specialized
from tcgen05_dialect.ws.roles import WarpSpecializeOp

from ..support.checks import out_of_order
from .vector_values import length_of


def with_roles(module: ModuleOp, own: str) -> list[WarpSpecializeOp]:
    """
    The `ws.warp_specialize` of each kernel that has one. Raises OperationError for the sequential
    form, which `ws-partition` replaces.
    """
    found = warp_specialized(module)
    for each in found:
        if each.is_sequential:
            legal = "one with roles that hold stages of rings"
            raise out_of_order(each, legal, "ws-partition", own)
    return found


def check_unrolled(op: WarpSpecializeOp, own: str) -> None:
    """Raise OperationError for tiles and vectors, which earlier passes replace."""
    if op.sizes and op.clc is None:
        raise out_of_order(op, "one without tiles", "ws-sink-tiles", own)
    for role in op.roles:
        for each in operations_of(role):
            if any(length_of(value) is not None for value in (*each.operands, *each.results)):
                raise out_of_order(each, "one without vectors", "ws-unroll-vectors", own)
