"""Lower the branches of `cf` to those of `ptx`."""

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i32
from xdsl.dialects.cf import BranchOp, ConditionalBranchOp, SwitchOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from tcgen05_dialect.ptx.arithmetic import SetpOp
from tcgen05_dialect.ptx.control_flow import BraOp, CondBraOp
from tcgen05_dialect.ptx.errors import OperationError

from .support.builder import PtxBuilder


def _cond_bra(
    predicate: SSAValue,
    then: tuple[Block, list[SSAValue]],
    otherwise: tuple[Block, list[SSAValue]],
) -> CondBraOp:
    operands = [predicate, *then[1], *otherwise[1]]
    sizes = [1, len(then[1]), len(otherwise[1])]
    return CondBraOp.create(
        operands=operands,
        successors=[then[0], otherwise[0]],
        properties={"operandSegmentSizes": DenseArrayBase.from_list(i32, sizes)},
    )


def _bra(block: Block, arguments: list[SSAValue]) -> BraOp:
    return BraOp.create(operands=arguments, successors=[block])


def _lower_switch(op: SwitchOp, build: PtxBuilder) -> None:
    """A chain of comparisons, each in a block of its own."""
    block = op.parent
    assert block is not None and block.parent is not None
    default = op.default_block, list(op.default_operands)
    values = [] if op.case_values is None else list(op.case_values.get_values())
    cases = [
        (int(value), target, list(operands))
        for value, target, operands in zip(values, op.case_blocks, op.case_operand, strict=True)
    ]
    if op.flag.type != i32:
        raise OperationError(op, f"flag has type {op.flag.type}; legal: i32")
    build.at = op
    tests: list[tuple[SSAValue, Block, list[SSAValue]]] = [
        (build.compute(SetpOp, "b32", op.flag, build.constant(value), comparison="eq"), *rest)
        for value, *rest in cases
    ]
    chain: Operation = _bra(*default)
    for predicate, target, operands in reversed(tests):
        rest_block = Block([chain])
        block.parent.insert_block_after(rest_block, block)
        chain = _cond_bra(predicate, (target, operands), (rest_block, []))
    chain.location = op.location
    Rewriter.replace_op(op, chain, ())


class ConvertCfToPtx(ModulePass):
    """Lowers `cf.br`, `cf.cond_br` and `cf.switch`."""

    name = "convert-cf-to-ptx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        build = PtxBuilder()
        for inner in list(op.walk()):
            match inner:
                case BranchOp():
                    new = _bra(inner.successor, list(inner.arguments))
                case ConditionalBranchOp():
                    new = _cond_bra(
                        inner.cond,
                        (inner.then_block, list(inner.then_arguments)),
                        (inner.else_block, list(inner.else_arguments)),
                    )
                case SwitchOp():
                    _lower_switch(inner, build)
                    continue
                case _:
                    continue
            new.location = inner.location
            Rewriter.replace_op(inner, new, ())
