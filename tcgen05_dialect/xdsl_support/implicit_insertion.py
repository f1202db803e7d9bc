"""
Insertion of operations by the `ImplicitBuilder` of the thread that creates them.

While any `ImplicitBuilder` of xDSL is active, xDSL replaces a method of all operations, and
afterwards restores the method that it found. With several threads, the method thus inserts an
operation twice or never. This module installs one method for good; it asks for the builder of the
thread, which xDSL keeps. Uses these private names of xDSL: `_current_builder`,
`_override_operation_post_init`. It can be deleted when xDSL does not replace the method.
"""

from collections.abc import Callable

from xdsl import builder
from xdsl.ir import Operation

_OVERRIDE = "_override_operation_post_init"
_created: Callable[[Operation], None] = Operation.__post_init__


def _insert_created(self: Operation) -> None:
    _created(self)
    current = vars(builder)["_current_builder"].builder
    # An ImplicitBuilder that was active during the import has inserted the operation.
    if current is not None and self.parent is None:
        current.insert(self)


def _install() -> Callable[[Operation], None]:
    Operation.__post_init__ = _insert_created
    return _insert_created


def insert_by_thread() -> None:
    """Let each thread insert the operations that it creates, for the rest of the process."""
    # If xDSL no longer calls it, a test fails.
    setattr(builder, _OVERRIDE, _install)
    _install()
