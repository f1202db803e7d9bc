"""Rings of stages, and buffers of one role."""

from collections.abc import Iterator

from xdsl.dialects.builtin import ArrayAttr, IntAttr, UnitAttr
from xdsl.irdl import irdl_op_definition, opt_prop_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..isa.model.rule import Violation, raise_any
from ..isa.tensor_memory.cells import COLUMNS
from ..isa.warp_specialization import RING_RULE
from ..tcgen05.base import violations_reported
from ..tcgen05.types import TensorMemoryType
from .base import WsOperation
from .text import print_attributes
from .types import RingType, SharedTileType, parse_buffer_type


@irdl_op_definition
class RingOp(WsOperation):
    """
    A ring of stages, each with the same buffers.

        %ring = ws.ring <stages> (in_place)? : <type of a buffer>, ...

    One or more roles produce the stages, in order, and others consume them. The ring owns the
    memory of its buffers and two barrier objects for each stage. With `in_place`, the consumer may
    write the buffers, and the next production finds the data that it wrote; such a ring has one
    stage.

    - `ring`: has the type `!ws.ring<STAGES x (TYPES)>`
    """

    name = "ws.ring"
    in_place = opt_prop_def(UnitAttr)
    ring = result_def(RingType)

    @classmethod
    def parse(cls, parser: Parser) -> "RingOp":
        stages = parser.parse_integer(allow_boolean=False, allow_negative=False)
        in_place = parser.parse_optional_keyword("in_place") is not None
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        buffers = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, lambda: parse_buffer_type(parser)
        )
        return cls.create(
            properties={"in_place": UnitAttr()} if in_place else {},
            attributes=attributes,
            result_types=[RingType(IntAttr(stages), ArrayAttr(buffers))],
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.stages}{' in_place' if self.in_place else ''}")
        print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_list(self.ring.type.buffers, printer.print_attribute)

    @property
    def stages(self) -> int:
        """The number of stages."""
        return self.ring.type.stages.data

    @property
    def in_tensor_memory(self) -> bool:
        """Whether the buffers are in tensor memory; else they are in shared memory."""
        return isinstance(self.ring.type.buffers.data[0], TensorMemoryType)

    def verify_(self) -> None:
        with violations_reported():
            raise_any(ring_violations(self.ring.type, bool(self.in_place)))


def ring_violations(ring: RingType, in_place: bool) -> Iterator[Violation]:
    """The violations by the type of a ring."""
    stages = ring.stages.data
    if stages < 1:
        yield RING_RULE.violation(stages, "1 or more", "the number of stages")
    if not ring.buffers.data:
        yield RING_RULE.violation(0, "1 or more", "the number of buffers of a stage")
    if in_place and stages > 1:
        yield RING_RULE.violation(stages, 1, "the number of stages of a ring with in_place")
    if len({type(each) for each in ring.buffers}) > 1:
        found, legal = "both", "shared memory or tensor memory"
        help_ = "make a ring for each memory"
        yield RING_RULE.violation(found, legal, "the memory of the buffers", help=help_)
    for each in ring.buffers:
        yield from buffer_violations(each)


def buffer_violations(buffer: SharedTileType | TensorMemoryType) -> Iterator[Violation]:
    """The violations by the type of a buffer."""
    if isinstance(buffer, SharedTileType):
        yield from buffer.violations()
    elif (columns := buffer.footprint[1]) > COLUMNS:
        what = f"the number of columns of {buffer}"
        yield RING_RULE.violation(columns, f"at most {COLUMNS}", what)


@irdl_op_definition
class AllocOp(WsOperation):
    """
    A buffer of one role.

        %buffer = ws.alloc : <type>

    The operations of the role access the buffer in program order. In the sequential form, a buffer
    that several kinds of operations access becomes a ring.

    - `buffer`: a tile in shared memory, or a matrix in tensor memory
    """

    name = "ws.alloc"
    buffer = result_def()

    @classmethod
    def parse(cls, parser: Parser) -> "AllocOp":
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.create(attributes=attributes, result_types=[parse_buffer_type(parser)])

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_attribute(self.buffer.type)
