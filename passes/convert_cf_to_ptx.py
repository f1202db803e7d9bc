"""The pass `convert-cf-to-ptx`: converts branches of `cf` to branches of `ptx`."""

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.cf import BranchOp, ConditionalBranchOp, SwitchOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from tcgen05_dialect.ptx.analysis.known_values import constant_value
from tcgen05_dialect.ptx.control_flow import BraOp, CondBraOp
from tcgen05_dialect.ptx.instruction import segment_sizes
from tcgen05_dialect.ptx.text.register_names import keep_labels

from .convert_arith_to_ptx import EQUAL, compare, integer_of
from .support.conversion import Conversion, PtxBuilder


class _Edge(NamedTuple):
    """A successor and the values of its arguments."""

    block: Block
    arguments: Sequence[SSAValue]


def _branch(edge: _Edge) -> BraOp:
    return BraOp.create(operands=edge.arguments, successors=[edge.block])


def _branch_if(predicate: SSAValue, then: _Edge, otherwise: _Edge) -> Operation:
    if (known := constant_value(predicate)) is not None:
        return _branch(then if known else otherwise)
    sizes = (1, len(then.arguments), len(otherwise.arguments))
    return CondBraOp.create(
        operands=[predicate, *then.arguments, *otherwise.arguments],
        successors=[then.block, otherwise.block],
        properties={"operandSegmentSizes": segment_sizes(sizes)},
    )


def _lower_branch(build: PtxBuilder, op: BranchOp) -> Sequence[SSAValue]:
    branch = _branch(_Edge(op.successor, op.arguments))
    keep_labels(op, branch)
    build.insert(branch)
    return ()


def _lower_conditional_branch(build: PtxBuilder, op: ConditionalBranchOp) -> Sequence[SSAValue]:
    then = _Edge(op.then_block, op.then_arguments)
    branch = _branch_if(op.cond, then, _Edge(op.else_block, op.else_arguments))
    keep_labels(op, branch)
    build.insert(branch)
    return ()


def _lower_switch(build: PtxBuilder, op: SwitchOp) -> Sequence[SSAValue]:
    """Lower to a chain of comparisons and branches; each branch but the first has its own block."""
    block, flag = op.parent, op.flag
    assert block is not None
    type_ = integer_of(build, flag)
    values = () if op.case_values is None else op.case_values.get_values()
    tests = [
        (compare(build, EQUAL, flag, build.constant(int(value), type_)), _Edge(target, arguments))
        for value, target, arguments in zip(values, op.case_blocks, op.case_operand, strict=True)
    ]
    rest = _Edge(op.default_block, op.default_operands)
    chain: Operation | None = None
    for predicate, edge in reversed(tests):
        if chain is not None:
            rest = _Edge(_block_after(block, chain), ())
        chain = _branch_if(predicate, edge, rest)
        chain.location = op.location
    build.insert(chain or _branch(rest))
    return ()


def _block_after(block: Block, op: Operation) -> Block:
    """Insert a new block that holds `op` after `block`."""
    new = Block([op])
    assert block.parent is not None
    block.parent.insert_block_after(new, block)
    return new


CONVERSION = Conversion(
    {
        BranchOp: _lower_branch,
        ConditionalBranchOp: _lower_conditional_branch,
        SwitchOp: _lower_switch,
    },
    {},
    frozenset({"cf"}),
)


class ConvertCfToPtx(ModulePass):
    """Lowers `cf.br`, `cf.cond_br` and `cf.switch`."""

    name = "convert-cf-to-ptx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        CONVERSION.apply(op)
