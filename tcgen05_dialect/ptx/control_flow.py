"""Branches, and instructions that end a thread (9.7.12)."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    operand_def,
    successor_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from ..isa.ptx import ir_form
from ..reporting.operation_error import OperationError
from ..xdsl_support.operation_format import formatted_op_definition
from .instruction import Instruction, instruction
from .register_types import PRED


def check_arguments(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> None:
    """Raise OperationError unless `op` passes the arguments that the block takes."""
    found = tuple(argument.type for argument in arguments)
    expected = tuple(argument.type for argument in block.args)
    if found != expected:
        given, taken = (f"({', '.join(map(str, types))})" for types in (found, expected))
        violation = ir_form.BRANCH_RULE.violation(given, taken, "types of the arguments of a block")
        raise OperationError(op, str(violation)) from violation


class Branch(IRDLOperation, ABC):
    """A branch that passes arguments to blocks."""

    @abstractmethod
    def targets(self) -> Sequence[tuple[Block, Sequence[SSAValue]]]:
        """The successor blocks and the arguments passed to each."""

    def check_targets(self) -> None:
        """Raise OperationError unless each block gets the arguments that it takes."""
        for block, arguments in self.targets():
            check_arguments(self, block, arguments)

    def verify_(self) -> None:
        try:
            self.check_targets()
        except OperationError as error:
            raise VerifyException(error.message) from error


@formatted_op_definition
class BraOp(Branch):
    """Branch to a block."""

    name = "ptx.bra"
    arguments = var_operand_def()
    successor = successor_def()
    traits = traits_def(IsTerminator())
    assembly_format = "$successor (`(` $arguments^ `:` type($arguments) `)`)? attr-dict"

    def targets(self) -> Sequence[tuple[Block, Sequence[SSAValue]]]:
        return ((self.successors[0], self.operands),)


@formatted_op_definition
class CondBraOp(Branch):
    """Branch to `then_block` if the predicate holds, else to `else_block`."""

    name = "ptx.cond_bra"
    predicate = operand_def(PRED)
    then_arguments = var_operand_def()
    else_arguments = var_operand_def()
    then_block = successor_def()
    else_block = successor_def()
    traits = traits_def(IsTerminator())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$predicate `,` $then_block (`(` $then_arguments^ `:` type($then_arguments) `)`)? `,` "
        "$else_block (`(` $else_arguments^ `:` type($else_arguments) `)`)? attr-dict"
    )

    def targets(self) -> Sequence[tuple[Block, Sequence[SSAValue]]]:
        # The accessors by name take several times as long.
        sizes: Any = self.properties["operandSegmentSizes"]
        count = sizes.get_values()[1]
        then_block, else_block = self.successors
        return (
            (then_block, self.operands[1 : 1 + count]),
            (else_block, self.operands[1 + count :]),
        )


@instruction("ret")
class RetOp(Instruction):
    """Return from the kernel."""

    name = "ptx.ret"
    traits = traits_def(IsTerminator())


@instruction("exit")
class ExitOp(Instruction):
    """End the thread."""

    name = "ptx.exit"
    traits = traits_def(IsTerminator())


@instruction("trap")
class TrapOp(Instruction):
    """Abort the kernel with an error."""

    name = "ptx.trap"
    traits = traits_def(IsTerminator())
