"""The names of the kernels and shared variables of a module."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from weakref import WeakKeyDictionary, WeakValueDictionary

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation
from xdsl.traits import SymbolOpInterface, SymbolTable

_known: WeakKeyDictionary[Operation, WeakValueDictionary[str, Operation]] = WeakKeyDictionary()
"""Module -> its symbols. A cache, because xDSL reads the whole module for each lookup."""

_read: ContextVar[set[Operation] | None] = ContextVar("tables that have been read", default=None)
"""The symbol tables that have been read and will not change."""


@contextmanager
def unchanging(read: set[Operation]) -> Generator[None]:
    """
    Read each symbol table only once, even after a failed lookup. The caller adds and renames no
    symbol inside. `read` collects the tables that have been read; it is initially empty.
    """
    token = _read.set(read)
    try:
        yield
    finally:
        _read.reset(token)


def name_of(op: Operation) -> str | None:
    """The name that an operation defines; None if there is none, or if it is no string."""
    if not op.has_trait(SymbolOpInterface):
        return None
    name = op.properties.get("sym_name", op.attributes.get("sym_name"))
    return name.data if isinstance(name, StringAttr) else None


def definitions(table: Operation) -> list[tuple[str, Operation]]:
    """All names that a module defines, in program order, with the operations that define them."""
    return [
        (name, op)
        for region in table.regions
        for block in region.blocks
        for op in block.ops
        if (name := name_of(op)) is not None
    ]


def symbol_table(op: Operation) -> Operation | None:
    """The innermost symbol table around an operation: a module, for example."""
    table: Operation | None = op
    while table is not None and not table.has_trait(SymbolTable):
        table = table.parent_op()
    return table


def find_symbol(op: Operation, name: str) -> Operation | None:
    """The operation that defines `name` in the symbol table around `op`; None if there is none."""
    table = symbol_table(op)
    if table is None:
        return None
    found = _known[table].get(name) if table in _known else None
    if found is not None and found.parent_op() is table and name_of(found) == name:
        return found
    read = _read.get()
    if read is None or table not in read:
        _known[table] = WeakValueDictionary(reversed(definitions(table)))
        if read is not None:
            read.add(table)
    return _known[table].get(name)
