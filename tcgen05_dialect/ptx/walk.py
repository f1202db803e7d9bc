"""Reading all operations of a module."""

from xdsl.ir import Operation


def operations_of(root: Operation) -> list[Operation]:
    """
    An operation and all below it, in the order of the text.

    xDSL's own walk hands each operation through as many generators as it is deep.
    """
    operations: list[Operation] = []
    stack = [root]
    while stack:
        op = stack.pop()
        operations.append(op)
        if op.regions:
            inner = [o for region in op.regions for block in region.blocks for o in block.ops]
            stack.extend(reversed(inner))
    return operations
