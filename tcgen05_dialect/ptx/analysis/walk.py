"""The walk over all operations of a module."""

import sys

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation


def operations_of(root: Operation) -> list[Operation]:
    """
    An operation and all operations nested in it, in program order.

    xDSL's own walk is slower: it passes each operation through one generator per nesting level.
    """
    operations: list[Operation] = []
    _append(root, operations)
    return operations


def _append(root: Operation, operations: list[Operation]) -> None:
    operations.append(root)
    for region in root.regions:
        for block in region.blocks:
            op = block.first_op
            while op is not None:
                if op.regions:
                    _append(op, operations)
                else:
                    operations.append(op)
                op = op.next_op


def operations_in(block: Block) -> list[Operation]:
    """
    The operations of a block, as a list: the block may change while it is read.

    A list of xDSL's `ops` is slower: Python first asks for its length, which reads the block, too.
    """
    operations: list[Operation] = []
    op = block.first_op
    while op is not None:
        operations.append(op)
        op = op.next_op
    return operations


def operations_inside_first(root: Operation) -> list[Operation]:
    """An operation and all operations nested in it, each after the operations in its regions."""
    operations: list[Operation] = []
    stack = [root]
    while stack:
        op = stack.pop()
        operations.append(op)
        for region in op.regions:
            for block in region.blocks:
                stack.extend(operations_in(block))
    operations.reverse()
    return operations


def has_functions(module: ModuleOp) -> bool:
    """Whether a module has operations of `func`; nothing is searched if this dialect has not been
    imported."""
    return "xdsl.dialects.func" in sys.modules and any(
        op.name.startswith("func.") for op in operations_of(module)
    )
