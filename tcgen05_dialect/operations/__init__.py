"""
The operations of each dialect, with constructors whose arguments type checkers check.

The modules `ptx`, `tcgen05` and `ws` have the classes of the operations, types and attributes of a
dialect. The constructors follow from the definitions, and so do their stubs.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from xdsl.ir import Attribute, Dialect, Operation

RAW = "ptx.tcgen05."
"""Before the names of the raw tcgen05 instructions; some have the class name of another one."""


def public_name(op_type: type[Operation]) -> str:
    """The name of the class of an operation; `Tcgen05` comes before that of a raw instruction."""
    return f"{'Tcgen05' if op_type.name.startswith(RAW) else ''}{op_type.__name__}"


REPLACED = {"MovBitsOp": "MovOp with type='b32' and a result_type"}
"""Former names of classes -> what to use instead."""


def unknown(module: str, name: str, known: Iterable[str]) -> AttributeError:
    """The error for a class that a module of operations does not have: it names another one."""
    instead = REPLACED.get(name) or next(iter(get_close_matches(name, [*known], 1)), "")
    help_ = f"; use {instead}" if instead else ""
    return AttributeError(f"module {module!r} has no operation {name}{help_}", name=name)


def classes_of(dialect: Dialect) -> Mapping[str, type[Operation] | type[Attribute]]:
    """The classes of a dialect by their public names."""
    found: dict[str, type[Operation] | type[Attribute]] = {
        public_name(each): each for each in dialect.operations
    }
    return found | {each.__name__: each for each in dialect.attributes}
