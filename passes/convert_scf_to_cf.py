"""Lower the structured control flow of `scf` to the branches of `cf`."""

from collections.abc import Mapping

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import DenseIntElementsAttr, IndexType, ModuleOp, VectorType
from xdsl.dialects.cf import BranchOp, ConditionalBranchOp, SwitchOp
from xdsl.ir import Block, Operation, Region
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import BlockInsertPoint, InsertPoint
from xdsl.transforms.convert_scf_to_cf import ForLowering, IfLowering

from tcgen05_dialect.ptx.errors import OperationError


class WhileLowering(RewritePattern):
    """Lowers `scf.while`, whose results are what its condition passes on when it ends."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.WhileOp, rewriter: PatternRewriter, /) -> None:
        first_block = op.parent_block()
        before, after = op.before_region.block, op.after_region.block
        condition, yield_ = before.last_op, after.last_op
        if first_block is None or not isinstance(condition, scf.ConditionOp) or yield_ is None:
            raise OperationError(op, "has no scf.condition or no scf.yield at the end of a region")
        last_block = first_block.split_before(op)
        results = tuple(condition.args)
        rewriter.inline_region(op.before_region, BlockInsertPoint.before(last_block))
        rewriter.inline_region(op.after_region, BlockInsertPoint.before(last_block))
        rewriter.insert(BranchOp(before, *op.arguments), InsertPoint.at_end(first_block))
        rewriter.replace(yield_, BranchOp(before, *yield_.operands))
        rewriter.replace(
            condition,
            ConditionalBranchOp(condition.condition, after, results, last_block, ()),
        )
        rewriter.replace(op, (), results)


class SwitchLowering(RewritePattern):
    """Lowers `scf.index_switch`; xDSL's own pattern would cut the index to 32 bits."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.IndexSwitchOp, rewriter: PatternRewriter, /) -> None:
        first_block = op.parent_block()
        assert first_block is not None
        last_block = first_block.split_before(op)
        for index, type_ in enumerate(op.result_types):
            last_block.insert_arg(type_, index)
        default = _inlined(op.default_region, last_block, rewriter)
        cases = [_inlined(region, last_block, rewriter) for region in op.case_regions]
        values = [int(value) for value in op.cases.get_values()]
        type_ = VectorType(IndexType(), (len(values),))
        rewriter.insert(
            SwitchOp(
                op.arg,
                default,
                (),
                DenseIntElementsAttr.from_list(type_, values),
                cases,
                [() for _ in cases],
            ),
            InsertPoint.at_end(first_block),
        )
        rewriter.replace(op, (), last_block.args)


def _inlined(region: Region, last_block: Block, rewriter: PatternRewriter) -> Block:
    """The block of a region that is moved before the block that its end branches to."""
    block = region.block
    yield_ = block.last_op
    assert yield_ is not None
    rewriter.replace(yield_, BranchOp(last_block, *yield_.operands))
    rewriter.inline_region(region, BlockInsertPoint.before(last_block))
    return block


_LOWERINGS: Mapping[type[Operation], RewritePattern] = {
    scf.ForOp: ForLowering(),
    scf.IfOp: IfLowering(),
    scf.WhileOp: WhileLowering(),
    scf.IndexSwitchOp: SwitchLowering(),
}
_TERMINATORS = (scf.YieldOp, scf.ConditionOp)
"""What ends the regions of the operations above, and goes with them."""


class ConvertScfToCf(ModulePass):
    """
    Lowers `scf.for`, `scf.if`, `scf.while` and `scf.index_switch`, the last operation first.

    Each pattern splits its block and moves what follows: from the last to the first that costs
    time linear in the program, in the order of xDSL's pass, `convert-scf-to-cf`, it is quadratic.
    """

    name = "tcgen05-convert-scf-to-cf"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in reversed(list(op.walk())):
            pattern = _LOWERINGS.get(type(inner))
            if pattern is not None:
                pattern.match_and_rewrite(inner, PatternRewriter(inner))
            elif inner.name.startswith("scf.") and not isinstance(inner, _TERMINATORS):
                legal = ", ".join(op_type.name for op_type in _LOWERINGS)
                raise OperationError(inner, f"has no lowering to cf; legal: {legal}")
