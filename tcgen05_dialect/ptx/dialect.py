"""The Dialect object of `ptx`."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module

from xdsl.ir import Operation

from ..xdsl_support.fast_parser import Family, FamilyDialect
from .target import TargetAttr
from .types import CarryType, ParamArrayType, TensorMapType
from .variables import SymbolAddressAttr

_ALWAYS: Sequence[str] = ()
_FAMILIES: Mapping[str, Sequence[str]] = {
    ".kernel": _ALWAYS,
    ".contract": _ALWAYS,
    ".parameters": _ALWAYS,
    ".inline": _ALWAYS,
    ".variables": _ALWAYS,
    ".call": _ALWAYS,
    ".structure": _ALWAYS,
    ".arithmetic": _ALWAYS,
    ".wide": ("mad", "mul"),
    ".atomics": ("atom", "red"),
    ".barrier_reduction": ("bar",),
    ".async_stores": ("red", "st"),
    ".bits": _ALWAYS,
    ".packed_conversion": ("cvt",),
    ".comparison": (
        "copysign",
        "set",
        "set_combined",
        "setp_combined",
        "setp_pair",
        "slct",
        "testp",
    ),
    ".mixed_precision": ("add", "fma", "sub"),
    ".extended_precision": ("add", "addc", "mad", "madc", "sub", "subc"),
    ".integers": (
        *("add", "bmsk", "cnot", "dp2a", "fns", "mad", "mad24", "max", "min", "mul24", "sad"),
        *("sub", "szext"),
    ),
    ".extrema": ("max3", "min3"),
    ".approximate": ("cos", "rsqrt", "sin", "tanh"),
    ".memory": _ALWAYS,
    ".mbarrier": _ALWAYS,
    ".mbarrier_drop": ("mbarrier",),
    ".bulk_copy": _ALWAYS,
    ".bulk_bytes": ("cp",),
    ".im2col": ("cp",),
    ".cp_async": ("cp",),
    ".ldmatrix": ("ldmatrix", "movmatrix", "stmatrix"),
    ".mma_sync": ("mma",),
    ".cache_hints": ("applypriority", "discard", "prefetchu"),
    ".isspacep": ("isspacep",),
    ".multimem": ("multimem",),
    ".tensormap": ("tensormap",),
    ".createpolicy": ("createpolicy",),
    ".clusterlaunchcontrol": ("clusterlaunchcontrol",),
    ".fences": ("fence", "membar"),
    ".warp": ("activemask", "match", "redux", "vote"),
    ".synchronization": _ALWAYS,
    ".control_flow": _ALWAYS,
    ".tcgen05": _ALWAYS,
    ".tcgen05_mma": _ALWAYS,
}
"""
Family -> the first words of its operations: it is imported if a kernel uses one of them. Families
that the lowering or the analyses import are always imported.
"""


def _family(name: str, words: Sequence[str]) -> Family:
    @cache
    def load() -> list[type[Operation]]:
        module = import_module(name, __package__)
        return [
            op
            for op in vars(module).values()
            if isinstance(op, type)
            and op.__module__ == module.__name__
            and "name" in vars(op)
            # Asked last, because it is slow for a class without this trait.
            and issubclass(op, Operation)
        ]

    return Family(words, load)


PTX = FamilyDialect(
    "ptx",
    [_family(name, words) for name, words in _FAMILIES.items()],
    [TargetAttr, TensorMapType, ParamArrayType, CarryType, SymbolAddressAttr],
)
