"""Semantics of the instructions, one module for each family."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module

from xdsl.ir import Operation

from ...isa.instructions.table import family_of
from ..machine.program import Handler
from . import (
    arithmetic,
    bulk_copy,
    control,
    mbarrier,
    memory,
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
    **tensor_core.HANDLERS,
}
"""Operation of `ptx` that most kernels use -> builder of its function."""
_BY_NEED: Mapping[str, Sequence[str]] = {
    "arithmetic": ("rare_arithmetic",),
    "bits": ("rare_arithmetic",),
    "comparison": ("rare_comparison",),
    "conversion": ("rare_comparison",),
    "memory": ("rare_copies",),
    "atomics": ("atomics",),
    "copies": ("bulk_bytes", "rare_copies"),
    "mbarrier": ("rare_barriers",),
    "barriers": ("rare_barriers",),
    "warp": ("rare_barriers",),
    "matrices": ("matrices",),
}
"""Family of instructions -> the modules with its other handlers."""


def handlers_of(types: Iterable[type[Operation]]) -> Mapping[type[Operation], Handler]:
    """The handlers of these operations, and HANDLERS. Imports only the families of these."""
    handlers = dict(HANDLERS)
    names = {each.name.removeprefix("ptx.") for each in {*types} - handlers.keys()}
    for family in filter(None, map(family_of, names)):
        for module in _BY_NEED.get(family, ()):
            handlers |= import_module(f".{module}", __package__).HANDLERS
    return handlers
