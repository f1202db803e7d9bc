"""The walk over all operations of a module."""

from xdsl.ir import Operation


def operations_of(root: Operation) -> list[Operation]:
    """
    An operation and all operations nested in it, in program order.

    xDSL's own walk is slower: it passes each operation through one generator per nesting level.
    """
    operations: list[Operation] = []
    stack = [root]
    while stack:
        op = stack.pop()
        operations.append(op)
        if op.regions:
            inner = _inner(op)
            inner.reverse()
            stack.extend(inner)
    return operations


def operations_inside_first(root: Operation) -> list[Operation]:
    """An operation and all operations nested in it, each after the operations in its regions."""
    operations: list[Operation] = []
    stack = [root]
    while stack:
        op = stack.pop()
        operations.append(op)
        if op.regions:
            stack.extend(_inner(op))
    operations.reverse()
    return operations


def _inner(op: Operation) -> list[Operation]:
    return [o for region in op.regions for block in region.blocks for o in block.ops]
