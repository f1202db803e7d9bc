"""Semantics of the instructions, one module for each family."""

from collections.abc import Iterable, Mapping
from importlib import import_module

from xdsl.ir import Operation

from ..machine.program import Handler
from . import (
    allocation,
    arithmetic,
    bulk_copy,
    control,
    mbarrier,
    memory,
    mma,
    synchronization,
    tcgen05,
    tensor_core,
)

HANDLERS: Mapping[type[Operation], Handler] = {
    **arithmetic.HANDLERS,
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
"""Operation of `ptx` that most kernels use -> builder of its function."""
_BY_NEED = frozenset(
    {
        *(
            ".approximate",
            ".async_stores",
            ".atomics",
            ".barrier_reduction",
            ".bits",
            ".bulk_bytes",
            ".cache_hints",
            ".call",
            ".clusterlaunchcontrol",
            ".cp_async",
            ".createpolicy",
        ),
        *(
            ".comparison",
            ".extended_precision",
            ".extrema",
            ".fences",
            ".im2col",
            ".integers",
            ".isspacep",
            ".ldmatrix",
            ".mbarrier_drop",
            ".mixed_precision",
            ".mma_sync",
            ".multimem",
            ".packed_conversion",
            ".tensormap",
            ".warp",
            ".wide",
        ),
    }
)
"""Modules of other families, which have the names of their modules in `ptx`."""


def handlers_of(types: Iterable[type[Operation]]) -> Mapping[type[Operation], Handler]:
    """The handlers of these operations, and HANDLERS. Imports only the families of these."""
    families = {f".{op_type.__module__.rpartition('.')[2]}" for op_type in set(types)}
    handlers = dict(HANDLERS)
    for family in families & _BY_NEED:
        handlers |= import_module(family, __package__).HANDLERS
    return handlers
