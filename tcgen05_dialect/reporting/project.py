"""What reports and public functions say of the project itself: version, web addresses, rules,
internal errors and wrong arguments."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from types import MappingProxyType

from .. import isa
from ..isa.model.rule import REGISTRY, Rule

HOME = "https://github.com/tcgen05-dialect/tcgen05-dialect"
DOCUMENTATION = f"{HOME}/tree/main/docs"
RULES = f"{HOME}/blob/main/tcgen05_dialect/rules"


def version() -> str:
    """The version of the installed project; of a source tree that is not installed, `unknown`."""
    from importlib import metadata

    try:
        return metadata.version("tcgen05-dialect")
    except metadata.PackageNotFoundError:
        return "unknown"


TRACEBACK_VARIABLE = "TCGEN05_TRACEBACK"


def internal_error(error: Exception) -> str:
    """The message of an error that no input may cause; raises it if a traceback is wanted."""
    from ..isa.model.rule import printable
    from ..kept_results import FAILURE

    sys.audit(FAILURE)
    if isinstance(error, MemoryError):
        return "the memory of this process is full: give it more, or make the input smaller"

    if os.environ.get(TRACEBACK_VARIABLE):
        raise error

    found = printable(f"{type(error).__name__}: {error}")
    return (
        f"internal error: {found} (tcgen05 {version()}; please report it at {HOME}/issues, with "
        f"the traceback that {TRACEBACK_VARIABLE}=1 shows)"
    )


_QUOTED = 60
"""Maximum number of characters of an argument that a message quotes."""


def check_type(name: str, value: object, types: tuple[type, ...], legal: str) -> None:
    """Raise TypeError unless an argument is of one of the types; `legal` describes them."""
    if not isinstance(value, types):
        found = f"{value!r:.{_QUOTED}} of type {type(value).__name__}"
        raise TypeError(f"{name} must be {legal}; found {found}")


@cache
def rules() -> Mapping[str, Rule]:
    """All rules by id, in order. Imports all modules of `isa`, which declare them."""
    for module in walk_packages(isa.__path__, f"{isa.__name__}."):
        import_module(module.name)
    return MappingProxyType(dict(sorted(REGISTRY.items())))
