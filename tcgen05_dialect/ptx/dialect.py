"""The Dialect object of `ptx`."""

from xdsl.ir import Dialect, Operation

from . import (
    approximate,
    arithmetic,
    bits,
    bulk_copy,
    contract,
    control_flow,
    extrema,
    kernel,
    mbarrier,
    memory,
    structure,
    synchronization,
    tcgen05,
    tcgen05_mma,
    wide,
)
from .target import TargetAttr
from .types import ParamArrayType, TensorMapType

_FAMILIES = (
    kernel,
    contract,
    structure,
    arithmetic,
    wide,
    bits,
    extrema,
    approximate,
    memory,
    mbarrier,
    bulk_copy,
    synchronization,
    control_flow,
    tcgen05,
    tcgen05_mma,
)

PTX = Dialect(
    "ptx",
    [
        op
        for family in _FAMILIES
        for op in vars(family).values()
        if isinstance(op, type)
        and op.__module__ == family.__name__
        and "name" in vars(op)
        # Asked last, because it is slow for a class without this trait.
        and issubclass(op, Operation)
    ],
    [TargetAttr, TensorMapType, ParamArrayType],
)
