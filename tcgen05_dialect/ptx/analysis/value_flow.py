"""Flow of values through operations and branches, in time linear in the number of uses."""

from collections.abc import Callable, Iterable, Mapping

from xdsl.ir import Block, Operation, SSAValue

from ..control_flow import Branch


def passed_values(blocks: Iterable[Block]) -> dict[SSAValue, list[SSAValue]]:
    """Argument of a block -> the values that branches pass to it."""
    found: dict[SSAValue, list[SSAValue]] = {}
    for block in blocks:
        branch = block.last_op
        if isinstance(branch, Branch):
            for target, values in branch.targets():
                for argument, value in zip(target.args, values, strict=True):
                    found.setdefault(argument, []).append(value)
    return found


def forwards(
    roots: Iterable[SSAValue], results: Callable[[Operation, SSAValue], Iterable[SSAValue]]
) -> set[SSAValue]:
    """
    Values, and all values that are computed from them. `results` are those of an operation that
    depend on one of its operands; branches pass values on to the arguments of blocks.
    """
    found: set[SSAValue] = set()
    pending = list(roots)
    while pending:
        value = pending.pop()
        if value in found:
            continue
        found.add(value)
        for use in value.uses:
            op = use.operation
            if isinstance(op, Branch):
                for target, passed in op.targets():
                    pending += (
                        argument
                        for argument, each in zip(target.args, passed, strict=True)
                        if each is value
                    )
            else:
                pending += results(op, value)
    return found


def backwards(
    roots: Iterable[SSAValue],
    passed: Mapping[SSAValue, Iterable[SSAValue]],
    operands: Callable[[Operation], Iterable[SSAValue]],
) -> set[SSAValue]:
    """
    Values, and all values from which they are computed. `passed` is the result of `passed_values`;
    `operands` are those of an operation on which its results depend.
    """
    found: set[SSAValue] = set()
    pending = list(roots)
    while pending:
        value = pending.pop()
        if value in found:
            continue
        found.add(value)
        owner = value.owner
        pending += passed.get(value, ()) if isinstance(owner, Block) else operands(owner)
    return found
