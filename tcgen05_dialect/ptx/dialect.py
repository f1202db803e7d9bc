"""The Dialect object of `ptx`."""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module

from xdsl.ir import Operation

from ..isa.instructions.table import FAMILIES, family_of
from ..xdsl_support.fast_parser import Family, FamilyDialect
from .definition import operation, operations
from .types import CarryType, ParamArrayType, TargetAttr, TensorMapType
from .variables import SymbolAddressAttr

_MODULES = (
    *(".kernel", ".contract", ".variables", ".structure", ".control_flow"),
    *(".tcgen05", ".tcgen05_mma"),
)
"""The modules whose operations have classes in Python."""


def _declared(module: str) -> Callable[[str | None], Sequence[type[Operation]]]:
    @cache
    def load() -> Sequence[type[Operation]]:
        names = vars(import_module(module, __package__))
        return [
            op
            for op in names.values()
            if isinstance(op, type)
            and op.__module__ == names["__name__"]
            and "name" in vars(op)
            # Asked last, because it is slow for a class without this trait.
            and issubclass(op, Operation)
        ]

    return lambda name: load()


def _instructions(family: str) -> Callable[[str | None], Sequence[type[Operation]]]:
    def load(name: str | None) -> Sequence[type[Operation]]:
        if name is None:
            return operations(family)
        return [operation(name)] if family_of(name) == family else []

    return load


PTX = FamilyDialect(
    "ptx",
    [
        *(Family((), _declared(module)) for module in _MODULES),
        *(Family(words, _instructions(name)) for name, words in FAMILIES.items()),
    ],
    [TargetAttr, TensorMapType, ParamArrayType, CarryType, SymbolAddressAttr],
)
