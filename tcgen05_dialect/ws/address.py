"""Addresses of buffers, for raw operations."""

from typing import Self

from xdsl.dialects.builtin import i32
from xdsl.irdl import irdl_op_definition, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from ..ptx.register_types import B32
from ..tcgen05.base import typed_operand
from .base import WsOperation
from .text import parse_value, print_attributes
from .types import SharedTileType


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
