"""The operands from which values come, through loops and branches."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, cast

from xdsl.dialects import cf, scf
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from ...isa.effects.model import StateSpace
from ...ptx.control_flow import Branch
from ...ptx.known_values import constant_bits
from .listing import Operand
from .steps import effects_of, kind

Feeds: TypeAlias = Callable[[SSAValue], Iterable[Operand]]


def sources(value: SSAValue) -> Iterator[SSAValue]:
    """The values from which a value is computed, without a load from memory."""
    return (each.value for each in feeds(value))


def feeds(value: SSAValue) -> Iterator[Operand]:
    """The operands from which a value is computed, without a load from memory."""
    owner = value.owner
    if isinstance(owner, Block):
        yield from _passed(cast("BlockArgument", value))
    elif owner.regions:
        index = [*owner.results].index(cast("OpResult", value))
        if isinstance(owner, scf.WhileOp):
            condition = owner.before_region.block.last_op
            assert condition is not None
            # The first operand is the condition.
            yield Operand(condition, index + 1)
            return
        for region in owner.regions:
            for block in region.blocks:
                if isinstance(block.last_op, scf.YieldOp):
                    yield Operand(block.last_op, index)
    elif not _is_load(owner):
        yield from (Operand(owner, index) for index in range(len(owner.operands)))


def _is_load(op: Operation) -> bool:
    """Whether the results come from memory, not from the operands."""
    return kind(op) == "tcgen05.load_address" or any(
        each.space is not StateSpace.REGISTERS for each in effects_of(op).reads
    )


def _passed(argument: BlockArgument) -> Iterator[Operand]:
    """The operands that an argument of a block may take."""
    block, index = argument.block, argument.index
    op = block.parent_op()
    if isinstance(op, scf.ForOp):
        # The operands are the bounds and the step, and then the initial values.
        yield Operand(op, index + 2 if index else 0)
        if index and block.last_op is not None:
            yield Operand(block.last_op, index - 1)
    elif isinstance(op, scf.WhileOp):
        condition, last = op.before_region.block.last_op, op.after_region.block.last_op
        assert condition is not None and last is not None
        if block is op.after_region.block:
            # The first operand is the condition.
            yield Operand(condition, index + 1)
        else:
            yield Operand(op, index)
            if index < len(last.operands):
                yield Operand(last, index)
    else:
        region = block.parent
        for each in () if region is None else region.blocks:
            if each.last_op is not None:
                yield from _passed_by(each.last_op, block, index)


def _passed_by(branch: Operation, block: Block, index: int) -> Iterator[Operand]:
    """The operands that a branch passes to an argument of a block."""
    match branch:
        case Branch():
            targets = branch.targets()
        case cf.BranchOp():
            targets = [(branch.successor, branch.arguments)]
        case cf.ConditionalBranchOp():
            targets = [
                (branch.then_block, branch.then_arguments),
                (branch.else_block, branch.else_arguments),
            ]
        case _:
            return
    # The last operands are the arguments of all targets.
    at = len(branch.operands) - sum(len(values) for _, values in targets)
    for target, values in targets:
        if target is block:
            yield Operand(branch, at + index)
        at += len(values)


def constants(root: Operand, through: Feeds = feeds) -> list[Operand]:
    """The constant operands from which an operand is computed, the nearest first."""
    found: list[Operand] = []
    seen: set[SSAValue] = set()
    pending = [root]
    for operand in pending:
        value = operand.value
        if constant_bits(value) is not None:
            found.append(operand)
        elif value not in seen:
            seen.add(value)
            pending += through(value)
    return found


def is_fixed(value: SSAValue) -> bool:
    """Whether a value is computed only from constants."""
    if constant_bits(value) is not None:
        return True
    owner = value.owner
    return (
        isinstance(owner, Operation)
        and not owner.regions
        and bool(owner.operands)
        and not _is_load(owner)
        and all(map(is_fixed, owner.operands))
    )
