"""The pass `tcgen05-convert-scf-to-cf`: converts structured control flow to branches of `cf`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.arith import AddiOp, CmpiOp
from xdsl.dialects.builtin import (
    DenseIntElementsAttr,
    IndexType,
    IntegerAttr,
    ModuleOp,
    VectorType,
    i1,
    i64,
)
from xdsl.dialects.cf import BranchOp, ConditionalBranchOp, SwitchOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from tcgen05_dialect.isa.ptx.kernel import OPERATION_RULE, PASSED_RULE, REGION_RULE, STEP_RULE
from tcgen05_dialect.ptx.analysis.control_flow import operations_of
from tcgen05_dialect.ptx.analysis.known_values import constant_value
from tcgen05_dialect.ptx.instruction import segment_sizes
from tcgen05_dialect.ptx.text.register_names import keep_labels
from tcgen05_dialect.reporting.diagnostics import located, no_lowering

from .convert_arith_to_ptx import SIGNED_LESS
from .support.conversion import replace


def _check_passed(op: Operation, passed: Sequence[SSAValue], taken: Sequence[SSAValue]) -> None:
    """Check the types of values passed to a block or as results; xDSL does not verify them."""
    found, legal = ([value.type for value in values] for values in (passed, taken))
    if found != legal:
        texts = (f"({', '.join(map(str, types))})" for types in (found, legal))
        raise located(op, PASSED_RULE.violation(*texts))


def _check_structure(op: Operation) -> None:
    """Check that an operation is in a kernel and that each region is one terminated block."""
    if isinstance(op.parent_op(), ModuleOp | None):
        raise located(op, OPERATION_RULE.says("the operation must be inside a kernel"))
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


def _lower_for(op: scf.ForOp) -> None:
    """Lower a counting loop: its header compares the counter, and its last block adds the step."""
    step = constant_value(op.step)
    if step is not None and step <= 0:
        raise located(op, STEP_RULE.violation(step, "a positive number"))
    head, end = _first_block(op.body), _terminator(op.body)
    counter, *carried = head.args
    next_values = tuple(end.operands)
    _check_passed(op, op.iter_args, carried)
    _check_passed(end, next_values, carried)
    first_block = _block_of(op)
    last_block = first_block.split_before(op)
    assert head.first_op is not None
    body = head.split_before(head.first_op)
    op.body.move_blocks_before(last_block)
    step_op = AddiOp.create(
        operands=(counter, op.step), result_types=(counter.type,), location=op.location
    )
    _replace_end(end, step_op, _branch(op, head, (step_op.result, *next_values)))
    first_block.add_op(_entry(op, head, (op.lb, *op.iter_args)))
    less = CmpiOp.create(
        operands=(counter, op.ub),
        result_types=(i1,),
        properties={"predicate": IntegerAttr(SIGNED_LESS, i64)},
        location=op.location,
    )
    head.add_ops((less, _branch_if(op, less.result, body, (), last_block)))
    replace(op, carried)


def _lower_if(op: scf.IfOp) -> None:
    """Lower a conditional: both regions branch to a block whose arguments are the results."""
    if op.results and not op.false_region.blocks:
        raise located(op, REGION_RULE.says("an scf.if with results needs an else region"))
    for region in op.regions:
        if region.blocks:
            end = _terminator(region)
            _check_passed(end, end.operands, op.results)
    first_block = _block_of(op)
    join = first_block.split_before(op, arg_types=op.result_types)
    if op.results:
        join.add_op(_branch(op, join.split_before(op), ()))
    then = _inlined(op, op.true_region, join)
    otherwise = _inlined(op, op.false_region, join) if op.false_region.blocks else join
    first_block.add_op(_branch_if(op, op.cond, then, (), otherwise))
    replace(op, join.args)


def _lower_while(op: scf.WhileOp) -> None:
    """Lower a loop that tests before each iteration; `scf.condition` passes on the results."""
    before, condition = _first_block(op.before_region), _terminator(op.before_region)
    after, end = _first_block(op.after_region), _terminator(op.after_region)
    assert isinstance(condition, scf.ConditionOp)
    results, next_values = tuple(condition.args), tuple(end.operands)
    _check_passed(op, op.arguments, before.args)
    _check_passed(condition, results, op.results)
    _check_passed(condition, results, after.args)
    _check_passed(end, next_values, before.args)
    first_block = _block_of(op)
    last_block = first_block.split_before(op)
    op.before_region.move_blocks_before(last_block)
    op.after_region.move_blocks_before(last_block)
    first_block.add_op(_entry(op, before, op.arguments))
    _replace_end(end, _branch(op, before, next_values))
    _replace_end(condition, _branch_if(op, condition.condition, after, results, last_block))
    replace(op, results)


def _lower_switch(op: scf.IndexSwitchOp) -> None:
    """Lower a switch on an index; xDSL's own pattern would truncate the index to 32 bits."""
    first_block = _block_of(op)
    last_block = first_block.split_before(op, arg_types=op.result_types)
    default = _inlined(op, op.default_region, last_block)
    cases = [_inlined(op, region, last_block) for region in op.case_regions]
    values = [int(value) for value in op.cases.get_values()]
    type_ = VectorType(IndexType(), (len(values),))
    numbers = DenseIntElementsAttr.from_list(type_, values)
    switch = SwitchOp(op.arg, default, (), numbers, cases, [() for _ in cases])
    switch.location = op.location
    first_block.add_op(switch)
    replace(op, last_block.args)


def _branch(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> BranchOp:
    """A branch at the location of `op`, the operation being lowered."""
    return BranchOp.create(operands=arguments, successors=(block,), location=op.location)


def _entry(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> BranchOp:
    """The branch to the first block of a loop, which may have a label of its own."""
    branch = _branch(op, block, arguments)
    keep_labels(op, branch)
    return branch


def _branch_if(
    op: Operation,
    condition: SSAValue,
    then: Block,
    arguments: Sequence[SSAValue],
    otherwise: Block,
) -> ConditionalBranchOp:
    """A branch to `then` with arguments, or to `otherwise`, at the location of `op`."""
    return ConditionalBranchOp.create(
        operands=(condition, *arguments),
        successors=(then, otherwise),
        properties={"operandSegmentSizes": segment_sizes((1, len(arguments), 0))},
        location=op.location,
    )


def _block_of(op: Operation) -> Block:
    assert op.parent is not None
    return op.parent


def _inlined(op: Operation, region: Region, last_block: Block) -> Block:
    """
    Move a region of `op` before `last_block`, to which it then branches; return its first block.
    """
    first_block, end = _first_block(region), _terminator(region)
    _replace_end(end, _branch(op, last_block, tuple(end.operands)))
    region.move_blocks_before(last_block)
    return first_block


def _replace_end(end: Operation, *operations: Operation) -> None:
    """Replace the terminator of a block by operations."""
    block = _block_of(end)
    replace(end, ())
    block.add_ops(operations)


def _first_block(region: Region) -> Block:
    assert region.first_block is not None
    return region.first_block


def _terminator(region: Region) -> Operation:
    """The terminator of a region whose operations have already been lowered."""
    assert region.last_block is not None and region.last_block.last_op is not None
    return region.last_block.last_op


_LOWERINGS: Mapping[type[Operation], Callable[[Any], None]] = {
    scf.ForOp: _lower_for,
    scf.IfOp: _lower_if,
    scf.WhileOp: _lower_while,
    scf.IndexSwitchOp: _lower_switch,
}
_TERMINATORS = (scf.YieldOp, scf.ConditionOp)
"""The terminators of regions; the functions above lower them."""


class ConvertScfToCf(ModulePass):
    """
    Lowers `scf.for`, `scf.if`, `scf.while` and `scf.index_switch`, beginning with the last one.

    Each lowering splits a block and moves the operations after the split. In reverse order this
    takes linear time. xDSL's pass `convert-scf-to-cf` begins with the first operation and takes
    quadratic time.
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
            if (lower := _LOWERINGS.get(type(inner))) is not None:
                lower(inner)
