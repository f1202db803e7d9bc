"""Lower the structured control flow of `scf` to the branches of `cf`."""

from collections.abc import Callable, Mapping, Sequence

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import (
    DenseIntElementsAttr,
    IndexType,
    LocationAttr,
    ModuleOp,
    VectorType,
)
from xdsl.dialects.cf import BranchOp, ConditionalBranchOp, SwitchOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import BlockInsertPoint, InsertPoint
from xdsl.transforms.convert_scf_to_cf import ForLowering, IfLowering

from tcgen05_dialect.isa.program import OPERATION_RULE, PASSED_RULE, REGION_RULE, STEP_RULE
from tcgen05_dialect.ptx.constants import constant_value
from tcgen05_dialect.ptx.errors import located, no_lowering
from tcgen05_dialect.ptx.walk import operations_of


def _check_passed(op: Operation, passed: Sequence[SSAValue], taken: Sequence[SSAValue]) -> None:
    """Check what an operation passes on to a block or as results; xDSL verifies it nowhere."""
    found, legal = ([value.type for value in values] for values in (passed, taken))
    if found != legal:
        texts = (f"({', '.join(map(str, types))})" for types in (found, legal))
        raise located(op, PASSED_RULE.violation(*texts))


def _check_structure(op: Operation) -> None:
    """Check where an operation is and that its regions are a block each that ends as it must."""
    if isinstance(op.parent_op(), ModuleOp | None):
        found = f"{op.name} outside of a kernel"
        raise located(op, OPERATION_RULE.violation(found, "one inside a kernel"))
    for index, region in enumerate(op.regions):
        if isinstance(op, scf.IfOp) and region is op.false_region and not region.blocks:
            continue
        if len(region.blocks) != 1:
            found = f"{len(region.blocks)} blocks"
            raise located(op, REGION_RULE.violation(found, "one block", f"region {index}"))
        is_condition = isinstance(op, scf.WhileOp) and region is op.before_region
        legal = scf.ConditionOp if is_condition else scf.YieldOp
        end = region.block.last_op
        if not isinstance(end, legal):
            place, found = (op, "nothing") if end is None else (end, end.name)
            raise located(place, REGION_RULE.violation(found, legal.name, f"end of region {index}"))


class CheckedForLowering(ForLowering):
    """Lowers `scf.for` that counts upwards."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, for_op: scf.ForOp, rewriter: PatternRewriter, /) -> None:
        step = constant_value(for_op.step)
        if step is not None and step <= 0:
            raise located(for_op, STEP_RULE.violation(step, "a positive number"))
        carried, end = _first_block(for_op.body).args[1:], _terminator(for_op.body)
        _check_passed(for_op, for_op.iter_args, carried)
        _check_passed(end, end.operands, carried)
        super().match_and_rewrite(for_op, rewriter)


class CheckedIfLowering(IfLowering):
    """Lowers `scf.if` whose regions end with what it results in."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.IfOp, rewriter: PatternRewriter, /) -> None:
        if op.results and not op.false_region.blocks:
            what = "region for the other case"
            raise located(
                op, REGION_RULE.violation("nothing", "a region, since there are results", what)
            )
        for region in op.regions:
            if region.blocks:
                end = _terminator(region)
                _check_passed(end, end.operands, op.results)
        super().match_and_rewrite(op, rewriter)


class WhileLowering(RewritePattern):
    """Lowers `scf.while`, whose results are what its condition passes on when it ends."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.WhileOp, rewriter: PatternRewriter, /) -> None:
        first_block = op.parent_block()
        before, condition = _first_block(op.before_region), _terminator(op.before_region)
        after, yield_ = _first_block(op.after_region), _terminator(op.after_region)
        assert first_block is not None and isinstance(condition, scf.ConditionOp)
        results = tuple(condition.args)
        _check_passed(op, op.arguments, before.args)
        _check_passed(condition, results, op.results)
        _check_passed(condition, results, after.args)
        _check_passed(yield_, yield_.operands, before.args)
        last_block = first_block.split_before(op)
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
    """The first block of a region that is moved before the block that its end branches to."""
    first_block, yield_ = _first_block(region), _terminator(region)
    rewriter.replace(yield_, BranchOp(last_block, *yield_.operands))
    rewriter.inline_region(region, BlockInsertPoint.before(last_block))
    return first_block


def _first_block(region: Region) -> Block:
    assert region.first_block is not None
    return region.first_block


def _terminator(region: Region) -> Operation:
    """The end of a region, in which the operations that it holds have been lowered already."""
    assert region.last_block is not None and region.last_block.last_op is not None
    return region.last_block.last_op


_LOWERINGS: Mapping[type[Operation], RewritePattern] = {
    scf.ForOp: CheckedForLowering(),
    scf.IfOp: CheckedIfLowering(),
    scf.WhileOp: WhileLowering(),
    scf.IndexSwitchOp: SwitchLowering(),
}
_TERMINATORS = (scf.YieldOp, scf.ConditionOp)
"""What ends the regions of the operations above, and goes with them."""


def _locating(location: LocationAttr) -> Callable[[Operation], None]:
    """What gives new operations a location."""

    def locate(op: Operation) -> None:
        op.location = location

    return locate


class ConvertScfToCf(ModulePass):
    """
    Lowers `scf.for`, `scf.if`, `scf.while` and `scf.index_switch`, the last operation first.

    Each pattern splits its block and moves what follows: from the last to the first that costs
    time linear in the program, in the order of xDSL's pass, `convert-scf-to-cf`, it is quadratic.
    """

    name = "tcgen05-convert-scf-to-cf"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        operations = [inner for inner in operations_of(op) if inner.name.startswith("scf.")]
        for inner in operations:
            if type(inner) not in _LOWERINGS and not isinstance(inner, _TERMINATORS):
                legal = ", ".join(op_type.name for op_type in _LOWERINGS)
                raise no_lowering(inner, legal)
            if not isinstance(inner, _TERMINATORS):
                _check_structure(inner)
        for inner in reversed(operations):
            if (pattern := _LOWERINGS.get(type(inner))) is not None:
                rewriter = PatternRewriter(inner)
                rewriter.operation_insertion_handler.append(_locating(inner.location))
                pattern.match_and_rewrite(inner, rewriter)
