"""
The pass `tcgen05-inline-functions`: inlines the functions of `func`.

xDSL has no such pass.
"""

from collections.abc import Mapping, Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.cf import BranchOp
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.ptx.analysis.control_flow import closure, operations_of
from tcgen05_dialect.ptx.analysis.functions import (
    call_violations,
    calls_in,
    check_call,
    functions_of,
    is_straight,
)
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.reporting.diagnostics import located


def inline_functions(module: ModuleOp) -> list[Operation]:
    """
    Inline the calls in kernels, and remove the functions that nothing calls any more. Inlined
    operations keep their locations in the functions.

    A call inside structured control flow is kept if its function has several blocks. Returns the
    operations inlined into kernels. Raises OperationError for a wrong call.
    """
    for call, violation in call_violations(module):
        raise located(call, violation)
    kernels = [op for op in module.ops if isinstance(op, KernelOp)]
    functions = {each.sym_name.data: each for each in functions_of(module)}
    for home in (*kernels, *functions.values()):
        for call in calls_in(home):
            _check(call)
    found = [op for kernel in kernels for op in _expand(kernel, functions)]

    def called(home: Operation) -> list[FuncOp]:
        return [functions[call.callee.string_value()] for call in calls_in(home)]

    kept = closure((each for kernel in kernels for each in called(kernel)), called)
    for function in functions.values():
        if function not in kept:
            function.detach()
            function.erase()
    return found


def _check(call: CallOp) -> None:
    """Raise OperationError if a call cannot be inlined."""
    try:
        check_call(call)
    except Violation as violation:
        raise located(call, violation) from violation


def _expand(kernel: KernelOp, functions: Mapping[str, FuncOp]) -> list[Operation]:
    """Inline the calls in a kernel, and those in the inlined bodies. Returns the inlined
    operations."""
    found: list[Operation] = []
    pending = calls_in(kernel)
    pending.reverse()
    while pending:
        call = pending.pop()
        function = functions[call.callee.string_value()]
        assert call.parent is not None
        if is_straight(function):
            inlined = _insert(call, function)
        elif call.parent.parent is kernel.body:
            inlined = _splice(call, call.parent, function)
        else:
            _check(call)
            continue
        found += inlined
        pending += (op for op in reversed(inlined) if isinstance(op, CallOp))
    return [op for op in found if op.parent is not None]


def _copy(function: FuncOp) -> tuple[Region, list[Operation]]:
    """A copy of a body, and its operations without the returns."""
    copy = Region()
    function.body.clone_into(copy)
    inside = (each for block in copy.blocks for op in block.ops for each in operations_of(op))
    return copy, [op for op in inside if not isinstance(op, ReturnOp)]


def _insert(call: CallOp, function: FuncOp) -> list[Operation]:
    """Replace a call by a body of one block."""
    copy, found = _copy(function)
    end = copy.block.last_op
    assert end is not None
    Rewriter.inline_block(copy.block, InsertPoint.before(call), call.arguments)
    Rewriter.replace_op(call, (), end.operands)
    Rewriter.erase_op(end)
    return found


def _splice(call: CallOp, block: Block, function: FuncOp) -> list[Operation]:
    """Replace a call by a body of several blocks, to which its block then branches."""
    copy, found = _copy(function)
    ends = [end for each in copy.blocks if isinstance(end := each.last_op, ReturnOp)]
    is_single = len(ends) == 1
    rest = block.split_before(call, arg_types=() if is_single else call.result_types)
    first = copy.blocks[0]
    arguments = tuple(call.arguments)
    if not any(first in each.successors for each in found):
        # A constant, unlike the argument of a block, is printed where it is used.
        for argument, value in zip(tuple(first.args), arguments, strict=True):
            argument.replace_all_uses_with(value)
            first.erase_arg(argument)
        arguments = ()
    block.add_op(_branch(call, first, arguments))
    copy.move_blocks_before(rest)
    Rewriter.replace_op(call, (), ends[0].operands if is_single else rest.args)
    for end in ends:
        home = end.parent
        assert home is not None
        values = () if is_single else tuple(end.operands)
        Rewriter.erase_op(end)
        home.add_op(_branch(end, rest, values))
    return found


def _branch(op: Operation, block: Block, values: Sequence[SSAValue]) -> BranchOp:
    return BranchOp.create(operands=values, successors=(block,), location=op.location)


class InlineFunctions(ModulePass):
    """Inlines the functions of `func`. A call inside structured control flow is kept if its
    function has several blocks: run the pass again after `tcgen05-convert-scf-to-cf`."""

    name = "tcgen05-inline-functions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        inline_functions(op)
