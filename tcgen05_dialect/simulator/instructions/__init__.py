"""Semantics of the instructions, one module for each family."""

from collections.abc import Mapping

from xdsl.ir import Operation

from ..machine.program import Handler
from . import (
    allocation,
    approximate,
    arithmetic,
    bits,
    bulk_copy,
    control,
    extrema,
    mbarrier,
    memory,
    mma,
    synchronization,
    tcgen05,
    tensor_core,
    wide,
)

HANDLERS: Mapping[type[Operation], Handler] = {
    **arithmetic.HANDLERS,
    **wide.HANDLERS,
    **bits.HANDLERS,
    **extrema.HANDLERS,
    **approximate.HANDLERS,
    **control.HANDLERS,
    **memory.HANDLERS,
    **synchronization.HANDLERS,
    **bulk_copy.HANDLERS,
    **mbarrier.HANDLERS,
    **tcgen05.HANDLERS,
    **allocation.HANDLERS,
    **tensor_core.HANDLERS,
    **mma.HANDLERS,
}
"""Operation of `ptx` -> builder of its function."""
