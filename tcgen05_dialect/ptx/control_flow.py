"""Branches, and instructions that end a thread (9.7.12)."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Self, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, UnitAttr, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    successor_def,
    traits_def,
    var_operand_def,
    var_successor_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from ..isa.ptx import ir_form
from ..reporting.diagnostics import OperationError
from ..xdsl_support.construction import ConstructedOperation
from ..xdsl_support.operation_format import formatted_op_definition
from .register_types import ANY_REGISTER, B32, PRED


def check_arguments(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> None:
    """Raise OperationError unless `op` passes the arguments that the block takes."""
    found = tuple(argument.type for argument in arguments)
    expected = tuple(argument.type for argument in block.args)
    if found != expected:
        given, taken = (f"({', '.join(map(str, types))})" for types in (found, expected))
        violation = ir_form.BRANCH_RULE.violation(given, taken, "types of the arguments of a block")
        raise OperationError(op, str(violation)) from violation


class Branch(ConstructedOperation, ABC):
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
    """Branch to a block; with `uniform`, all active threads of the warp take it together."""

    name = "ptx.bra"
    arguments = var_operand_def()
    successor = successor_def()
    uniform = opt_prop_def(UnitAttr)
    traits = traits_def(IsTerminator())
    assembly_format = (
        "(`uniform` $uniform^)? $successor (`(` $arguments^ `:` type($arguments) `)`)? attr-dict"
    )

    def targets(self) -> Sequence[tuple[Block, Sequence[SSAValue]]]:
        return ((self.successors[0], self.operands),)


@formatted_op_definition
class CondBraOp(Branch):
    """
    Branch to `then_block` if the predicate holds, else to `else_block`; with `uniform`, all active
    threads of the warp branch to the same block.
    """

    name = "ptx.cond_bra"
    predicate = operand_def(PRED)
    then_arguments = var_operand_def()
    else_arguments = var_operand_def()
    then_block = successor_def()
    else_block = successor_def()
    uniform = opt_prop_def(UnitAttr)
    traits = traits_def(IsTerminator())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "(`uniform` $uniform^)? $predicate `,` "
        "$then_block (`(` $then_arguments^ `:` type($then_arguments) `)`)? `,` "
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


@irdl_op_definition
class BrxOp(Branch):
    """
    Branch to the block with the number `index` in a table: `brx.idx`. The number is less than the
    number of blocks.

        ptx.brx (uniform)? %index, [^block(%argument : <type>), ...] attr-dict
    """

    name = "ptx.brx"
    index = operand_def(B32)
    arguments = var_operand_def(ANY_REGISTER)
    blocks = var_successor_def()
    counts = prop_def(DenseArrayBase.constr(i32))
    uniform = opt_prop_def(UnitAttr)
    traits = traits_def(IsTerminator())

    @classmethod
    def to(
        cls,
        index: SSAValue,
        targets: Sequence[tuple[Block, Sequence[SSAValue]]],
        uniform: bool = False,
    ) -> Self:
        """The branch to the targets, each a block and the arguments passed to it."""
        counts = [len(arguments) for _, arguments in targets]
        properties: dict[str, Attribute] = {"counts": DenseArrayBase.from_list(i32, counts)}
        if uniform:
            properties["uniform"] = UnitAttr()
        return cls.create(
            operands=[index, *(each for _, arguments in targets for each in arguments)],
            successors=[block for block, _ in targets],
            properties=properties,
        )

    def targets(self) -> Sequence[tuple[Block, Sequence[SSAValue]]]:
        found: list[tuple[Block, Sequence[SSAValue]]] = []
        rest = list(self.arguments)
        counts = cast("DenseArrayBase[IntegerType]", self.counts).get_values()
        for block, count in zip(self.blocks, counts, strict=True):
            found.append((block, rest[:count]))
            rest = rest[count:]
        return found

    def verify_(self) -> None:
        counts = cast("DenseArrayBase[IntegerType]", self.counts).get_values()
        if len(counts) != len(self.blocks) or sum(counts) != len(self.arguments):
            violation = ir_form.BRANCH_RULE.violation(
                str(counts), "the number of arguments of each block", "counts"
            )
            raise VerifyException(str(violation)) from violation
        if not self.blocks:
            violation = ir_form.BRANCH_RULE.violation("no blocks", "one block or more")
            raise VerifyException(str(violation)) from violation
        super().verify_()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        uniform = parser.parse_optional_keyword("uniform") is not None
        index = parser.parse_operand(type=i32)
        parser.parse_punctuation(",")
        targets = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: _parse_target(parser)
        )
        op = cls.to(index, targets, uniform)
        op.attributes = parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" uniform " if self.uniform is not None else " ")
        printer.print_ssa_value(self.index)
        printer.print_string(", ")
        with printer.in_square_brackets():
            printer.print_list(self.targets(), lambda target: _print_target(printer, *target))
        printer.print_op_attributes(self.attributes)


def _parse_target(parser: Parser) -> tuple[Block, Sequence[SSAValue]]:
    block = parser.parse_successor()
    if parser.parse_optional_punctuation("(") is None:
        return block, ()
    names = parser.parse_comma_separated_list(
        parser.Delimiter.NONE, parser.parse_unresolved_operand
    )
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    arguments = parser.resolve_operands(names, types, parser.pos)
    parser.parse_punctuation(")")
    return block, arguments


def _print_target(printer: Printer, block: Block, arguments: Sequence[SSAValue]) -> None:
    printer.print_block_name(block)
    if arguments:
        with printer.in_parens():
            printer.print_list(arguments, printer.print_ssa_value)
            printer.print_string(" : ")
            printer.print_list([each.type for each in arguments], printer.print_attribute)


def traps(ops: Iterable[Operation]) -> bool:
    """Whether threads that execute these operations, one after the other, trap."""
    return any(op.name in _TRAPS for op in ops)


_TRAPS = ("ptx.trap", "ptx.trap_here")
