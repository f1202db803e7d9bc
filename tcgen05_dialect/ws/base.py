"""
Base classes and small helpers of the operations of `ws`.

Parts of the syntax of `ws`: values whose types are known, and lists of indices.

Addresses of buffers, for raw operations.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Self

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerAttr, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, result_def, traits_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure, is_side_effect_free

from ..isa.warp_specialization import OPERAND_RULE
from ..ptx.register_types import B32
from ..tcgen05.base import typed_operand
from ..xdsl_support.construction import ConstructedOperation
from .types import Buffer, RingType, SharedTileType

_PURE = frozenset({"arith.remui", "arith.extsi", "vector.bitcast", "vector.reduction"})
"""Operations without effects that xDSL does not declare as such."""


class WsOperation(ConstructedOperation, ABC):
    """An operation with an effect on memory or on synchronisation."""

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


TMA, MMA, THREADS = "tma", "mma", "threads"


class HolderOp(WsOperation, ABC):
    """An operation with which a role takes a stage of a ring."""

    NOUN: ClassVar[str]
    """What messages call the operation."""

    @property
    @abstractmethod
    def kind(self) -> str:
        """Who works on the buffers: `tma`, `mma` or `threads`."""


def enclosing(op: Operation | None) -> Iterator[Operation]:
    """The operations around an operation, the innermost first."""
    above = None if op is None else op.parent_op()
    while above is not None:
        yield above
        above = above.parent_op()


def buffer_of(value: SSAValue) -> Buffer | None:
    """The type of a buffer; None if the value is something else."""
    return type_ if isinstance(type_ := value.type, Buffer) else None


def ring_type(value: SSAValue) -> RingType | None:
    """The type of a ring; None if the value is something else."""
    return type_ if isinstance(type_ := value.type, RingType) else None


def only_computes(op: Operation) -> bool:
    """Whether an operation has no effects."""
    return op.name in _PURE or is_side_effect_free(op)


Indices = tuple[list[SSAValue], DenseArrayBase[Any]]
"""The values among some indices, and all indices, with DYNAMIC_INDEX in the places of values."""


def parse_value(parser: Parser) -> SSAValue:
    """
    Parse a value that is already defined; its type is not written. Regions define values before
    their uses, so no operation of `ws` needs a forward reference.
    """
    return known_value(parser, parser.parse_unresolved_operand())


def known_value(parser: Parser, operand: UnresolvedOperand) -> SSAValue:
    """The value of an operand that is already defined."""
    values = parser.ssa_values.get(operand.operand_name)
    if values is None or operand.index >= len(values):
        span = operand.span
        parser.raise_error(f"{span.text} is used but not defined before", span.start, span.end)
    return values[operand.index]


def parse_index(parser: Parser) -> SSAValue | int:
    """Parse an index: a value or a number."""
    operand = parser.parse_optional_unresolved_operand()
    if operand is not None:
        return known_value(parser, operand)
    return parser.parse_integer(allow_boolean=False)


def split(indices: Sequence[SSAValue | int]) -> Indices:
    """The operands and the property that hold some indices."""
    values = [index for index in indices if isinstance(index, SSAValue)]
    numbers = [DYNAMIC_INDEX if isinstance(index, SSAValue) else index for index in indices]
    return values, DenseArrayBase.from_list(i64, numbers)


def mixed(values: Sequence[SSAValue], numbers: DenseArrayBase[Any]) -> list[SSAValue | int]:
    """The indices, each a value or a number."""
    rest = iter(values)
    return [
        next(rest) if number == DYNAMIC_INDEX else int(number) for number in numbers.get_values()
    ]


def check_mixed(values: Sequence[SSAValue], numbers: DenseArrayBase[Any]) -> None:
    """Raise Violation unless there is a value for each index that is not a number."""
    legal = sum(number == DYNAMIC_INDEX for number in numbers.get_values())
    if len(values) != legal:
        what = "the number of values among the indices"
        raise OPERAND_RULE.violation(len(values), legal, what, culprit="indices")


def parse_indices(parser: Parser) -> Indices:
    """Parse indices in square brackets."""
    return split(
        parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parse_index(parser))
    )


def print_indices(printer: Printer, indices: Sequence[SSAValue | int]) -> None:
    """Print indices in square brackets."""
    with printer.in_square_brackets():
        printer.print_list(indices, lambda index: print_index(printer, index))


def print_index(printer: Printer, index: SSAValue | int) -> None:
    """Print a value or a number."""
    if isinstance(index, int):
        printer.print_string(str(index))
    else:
        printer.print_ssa_value(index)


def parse_number(parser: Parser) -> IntegerAttr:
    """Parse a number in parentheses, as in `warps(4)`."""
    with parser.in_parens():
        return IntegerAttr(parser.parse_integer(allow_boolean=False, allow_negative=False), i32)


def parse_values(parser: Parser) -> list[SSAValue]:
    """Parse values in parentheses."""
    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parse_value(parser))


def parse_names(parser: Parser, types: Sequence[Attribute]) -> list[Parser.Argument]:
    """Parse `(%argument, ...)`, the arguments of a region, which have these types."""
    position = parser.pos
    names = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
    )
    if len(names) != len(types):
        parser.raise_error(f"expected {len(types)} names; found {len(names)}", position)
    return [name.resolve(type_) for name, type_ in zip(names, types, strict=True)]


def print_attributes(printer: Printer, op: IRDLOperation) -> None:
    """Print the attributes of other dialects."""
    printer.print_op_attributes(op.attributes)


@irdl_op_definition
class AddressOp(WsOperation):
    """
    The address of a tile in shared memory, for raw operations.

        %address = ws.address %tile

    A matrix in tensor memory needs no such operation: raw operations take it as it is.

    - `tile`: a buffer of a region, or of a ws.alloc
    """

    name = "ws.address"
    tile = typed_operand(SharedTileType, what="buffer")
    result = result_def(B32)
    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        tile = parse_value(parser)
        attributes = parser.parse_optional_attr_dict()
        return cls.create(operands=[tile], attributes=attributes, result_types=[i32])

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.tile)
        print_attributes(printer, self)
