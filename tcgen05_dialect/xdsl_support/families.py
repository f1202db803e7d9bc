"""
Dialects whose operations are imported on demand, one family at a time.

xDSL imports all operations of a dialect at the first use of one. An operation takes 0.1 ms to
define, and most kernels use a few families. Uses these private names of xDSL: `_get_known_op`,
`_loaded_dialects`, `_loaded_ops`, `_registered_dialects`. It can be deleted when xDSL finds the
operations of a dialect by name.

Lazy imports: objects that are imported at first use, because imports dominate start-up time.
"""

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import chain
from typing import Any, NamedTuple

from xdsl.context import Context
from xdsl.ir import Attribute, Dialect, Operation

from .operation_format import formats_parsed_at_first_use


class Family(NamedTuple):
    """A family of operations."""

    words: Sequence[str]
    """
    The first words of the names of its operations, which may begin names of other families; empty
    for a family that is always imported.
    """
    load: Callable[[], Sequence[type[Operation]]]


class FamilyDialect(Dialect):
    """A dialect that consists of families."""

    def __init__(
        self, name: str, families: Sequence[Family], attributes: Sequence[type[Attribute]]
    ):
        super().__init__(name, [], list(attributes))
        self.families = families

    @property
    def operations(self) -> Iterator[type[Operation]]:
        """All operations. Imports all families."""
        return chain.from_iterable(family.load() for family in self.families)


class FamilyContext(Context):
    """A context that loads families by need, and parses the formats of operations by need."""

    def load_registered_dialect(self, name: str) -> None:
        load = self._registered_dialects.get(name)
        with formats_parsed_at_first_use():
            dialect = None if load is None else load()
        if not isinstance(dialect, FamilyDialect):
            super().load_registered_dialect(name)
            return
        self._loaded_dialects[name] = dialect
        self._load_families(name, "")
        for attribute in dialect.attributes:
            self.load_attr_or_type(attribute)

    def _get_known_op(self, name: str) -> type[Operation] | None:
        found = super()._get_known_op(name)
        if found is None:
            dialect, _, own = name.partition(".")
            self._load_families(dialect, own.partition(".")[0])
            found = self._loaded_ops.get(name)
        return found

    def _load_families(self, name: str, word: str | None = None) -> None:
        """Load families of a loaded dialect: all, the usual ones, or those with a first word."""
        dialect = self._loaded_dialects.get(name)
        if isinstance(dialect, FamilyDialect):
            for family in dialect.families:
                if word is None or word in (family.words or ("",)):
                    self._loaded_ops.update((op.name, op) for op in family.load())

    @property
    def loaded_ops(self) -> Iterator[type[Operation]]:
        """All operations of the loaded dialects. Imports all their families."""
        for name in self._loaded_dialects:
            self._load_families(name)
        return iter(super().loaded_ops)


def lazy(module: str, name: str) -> Callable[[], Any]:
    """A function that imports `module` and returns its attribute `name`."""
    return lambda: getattr(import_module(module), name)
