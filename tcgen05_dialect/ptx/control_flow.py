"""Branches, instructions that end a thread (9.7.12), and calls of functions (7.1, 9.7.12.4)."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple, Self, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    FlatSymbolRefAttrConstr,
    IntegerType,
    StringAttr,
    UnitAttr,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    successor_def,
    traits_def,
    var_operand_def,
    var_result_def,
    var_successor_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Violation
from ..isa.ptx import kernel, ptx_text
from ..isa.ptx.kernel import CALL_RULE
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
        violation = kernel.BRANCH_RULE.violation(given, taken, "types of the arguments of a block")
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
    """Branch to `then_block` if the predicate holds, else to `else_block`; with `uniform`, all
    active threads of the warp branch to the same block."""

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
            violation = kernel.BRANCH_RULE.violation(
                str(counts), "the number of arguments of each block", "counts"
            )
            raise VerifyException(str(violation)) from violation
        if not self.blocks:
            violation = kernel.BRANCH_RULE.violation("no blocks", "one block or more")
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


_PARAMETER = re.compile(r"(?:\.align [0-9]+ )?\.[busf][0-9]+(?: ?\[[0-9]+\])?")
_ACCESS = re.compile(
    r"(?P<number>[0-9]+)\+(?P<offset>[0-9]+) (?:\.v(?P<count>[24]))?(?P<type>\.\w+)"
)


class Access(NamedTuple):
    """A store of an argument, or a load of a result: the number of the parameter, the byte where it
    begins, the number of registers, and their type with a dot."""

    number: int
    offset: int
    registers: int
    type: str

    @classmethod
    def of(cls, text: str) -> "Access":
        """The access with this text. Raises ValueError."""
        match = _ACCESS.fullmatch(text)
        if match is None:
            raise ValueError(text)
        count = int(match["count"] or 1)
        return cls(int(match["number"]), int(match["offset"]), count, match["type"])

    def __str__(self) -> str:
        return f"{self.number}+{self.offset} {self.words}"

    @property
    def words(self) -> str:
        """The qualifiers of the instruction."""
        return f".v{self.registers}{self.type}" if self.registers > 1 else self.type


@formatted_op_definition
class CallOp(ConstructedOperation):
    """
    A call of a function.

        %results = ptx.call @<function>(%arguments : <types>) -> <types> attr-dict

    `parameters` and `returned` are the PTX declarations, without names, of the parameters of the
    call and of its return values. `stores` gives the place of each argument in the parameters, and
    `loads` the place of each result in the return values: `"1+8 .v2.b32"` means two registers at
    byte 8 of parameter 1. With `uniform`, all active threads of the warp call the same function.
    """

    name = "ptx.call"
    OTHER: ClassVar[str] = "a function of func is called by func.call"
    callee = prop_def(FlatSymbolRefAttrConstr)
    parameters = prop_def(ArrayAttr[StringAttr])
    returned = prop_def(ArrayAttr[StringAttr])
    stores = prop_def(ArrayAttr[StringAttr])
    loads = prop_def(ArrayAttr[StringAttr])
    uniform = opt_prop_def(UnitAttr)
    arguments = var_operand_def(ANY_REGISTER)
    outputs = var_result_def(ANY_REGISTER)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$callee `(` ($arguments^ `:` type($arguments))? `)` (`->` type($outputs)^)? attr-dict"
    )

    def ptx(
        self, name: Callable[[SSAValue], str], element: Callable[[SSAValue], str]
    ) -> Iterator[str]:
        """The PTX statements, without semicolons; the functions give the texts of values."""
        for number, each in enumerate(self.parameters):
            yield _declaration(each.data, f"param{number}")
        for text, values in self.accesses(self.stores, self.arguments):
            address = f"[param{text.number}+{text.offset}]"
            yield f"st.param{text.words} {address}, {_vector(values, name, element)}"
        for number, each in enumerate(self.returned):
            yield _declaration(each.data, f"retval{number}")
        given = ", ".join(f"param{number}" for number in range(len(self.parameters)))
        returned = ", ".join(f"retval{number}" for number in range(len(self.returned)))
        operands = [f"({returned})"] * bool(returned) + [self.callee.string_value()]
        operands += [f"({given})"] * bool(given)
        yield f"call{'' if self.uniform is None else '.uni'} {', '.join(operands)}"
        for text, values in self.accesses(self.loads, self.outputs):
            address = f"[retval{text.number}+{text.offset}]"
            yield f"ld.param{text.words} {_vector(values, name, element)}, {address}"

    @staticmethod
    def accesses(
        texts: ArrayAttr[StringAttr], values: Sequence[SSAValue]
    ) -> Iterator[tuple[Access, Sequence[SSAValue]]]:
        """Each access of `stores` or `loads`, with its arguments or results."""
        start = 0
        for each in texts:
            access = Access.of(each.data)
            yield access, values[start : start + access.registers]
            start += access.registers

    def verify_(self) -> None:
        for violation in self._violations():
            raise VerifyException(str(violation)) from violation

    def _violations(self) -> Iterator[Violation]:
        for each in (*self.parameters, *self.returned):
            if _PARAMETER.fullmatch(each.data) is None:
                yield CALL_RULE.violation(repr(each.data), '".b64", for example', "parameter")
        sides = (
            ("stores", self.stores, self.parameters, self.arguments, "arguments"),
            ("loads", self.loads, self.returned, self.outputs, "results"),
        )
        for name, texts, declared, values, what in sides:
            count = 0
            for each in texts:
                try:
                    access = Access.of(each.data)
                except ValueError:
                    yield CALL_RULE.violation(repr(each.data), '"0+8 .b32", for example', name)
                    return
                if access.number >= len(declared) or access.type not in ptx_text.REGISTER_BITS:
                    legal = "the number of a declared parameter, an offset and a type"
                    yield CALL_RULE.violation(repr(each.data), legal, name)
                count += access.registers
            if count != len(values):
                yield CALL_RULE.violation(count, len(values), f"registers of {name}, by {what}")


def _declaration(text: str, name: str) -> str:
    type_, bracket, size = text.partition("[")
    return f"{ptx_text.PARAMETER} {type_.rstrip()} {name}{bracket}{size}"


def _vector(
    values: Sequence[SSAValue],
    name: Callable[[SSAValue], str],
    element: Callable[[SSAValue], str],
) -> str:
    if len(values) == 1:
        return name(values[0])
    return f"{{{', '.join(map(element, values))}}}"
