"""Rings of stages, buffers of one role, and the operations that hold a stage."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any, ClassVar, Literal

from xdsl.dialects.builtin import ArrayAttr, IntAttr, StringAttr, UnitAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..isa.model.rule import Violation, alternatives, raise_any
from ..isa.practice import OPERAND_RULE, PLACE_RULE, RING_RULE, ROLE_RULE
from ..isa.tensor_memory.alloc import COLUMNS
from ..tcgen05.base import typed_operand, violations_reported
from ..tcgen05.types import TensorMemoryType
from ..xdsl_support.attributes import one_of
from .base import (
    MMA,
    THREADS,
    TMA,
    HolderOp,
    RingType,
    SharedTileType,
    WsOperation,
    enclosing,
    parse_buffer_type,
    parse_value,
    print_attributes,
    ring_type,
)
from .roles import RoleOp, outside_violations, role_of


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


Side = Literal["produce", "consume"]
_AROUND = frozenset({"scf.for", "scf.if", "ws.produce", "ws.consume"})
"""Operations in a role that may be around one that takes or ends a stage."""


_AGENTS = (TMA, MMA, THREADS)


class HoldingOp(HolderOp, ABC):
    """
    An operation that takes the next stage of a ring: a region, or an acquisition with a token.

    - `ring`: the ring
    - `by`: who works on the buffers: `tma`, `mma` or `threads`
    """

    SIDE: ClassVar[Side]
    NOUN: ClassVar[str]
    SPAN: ClassVar[str]
    PLACE: ClassVar[str]
    """How messages name the operation, the time for which the stage is held, and the place of what
    is executed once in this time."""
    ring = typed_operand(RingType, what="ring")
    by = prop_def(one_of(_AGENTS))

    @property
    @abstractmethod
    def buffers(self) -> Sequence[SSAValue]:
        """The buffers of the stage."""

    @property
    @abstractmethod
    def home(self) -> Block | None:
        """The block of the operations that are executed once while the stage is held."""

    @property
    def kind(self) -> str:
        """Who works on the buffers: `tma`, `mma` or `threads`."""
        return self.by.data

    @property
    def agents(self) -> Sequence[str]:
        """Who may work on the buffers: TMA reads no stage."""
        return _AGENTS if self.SIDE == "produce" else (MMA, THREADS)

    @property
    def is_by_reading_tma(self) -> bool:
        return self.kind == TMA and TMA not in self.agents

    @property
    def ring_op(self) -> RingOp:
        """The operation that makes the ring."""
        owner = self.ring.owner
        assert isinstance(owner, RingOp)
        return owner

    @classmethod
    def parse_head(cls, parser: Parser) -> tuple[SSAValue, RingType, StringAttr]:
        """Parse the ring, and who works on its buffers."""
        position = parser.pos
        ring = parse_value(parser)
        type_ = ring_type(ring)
        if type_ is None:
            parser.raise_error(f"expected a ring; found a value of type {ring.type}", position)
        parser.parse_keyword("by")
        return ring, type_, StringAttr(parser.parse_keyword_in(_AGENTS))

    def print_head(self, printer: Printer) -> None:
        """Print the ring, and who works on its buffers."""
        printer.print_string(" ")
        printer.print_ssa_value(self.ring)
        printer.print_string(f" by {self.kind}")

    def verify_(self) -> None:
        with violations_reported():
            raise_any(self.violations())

    def violations(self) -> Iterator[Violation]:
        """The violations of rules on the operation itself."""
        if not isinstance(self.ring.owner, RingOp):
            yield OPERAND_RULE.violation("another value", "a result of ws.ring", "the ring")
            return
        types = [each.type for each in self.buffers]
        if types != [*self.ring.type.buffers]:
            yield OPERAND_RULE.violation(
                texts(types), texts(self.ring.type.buffers), "the types of the buffers"
            )
        legal, what = self.agents, "the word after by"
        if self.kind not in legal:
            help_ = f"write {alternatives([f'by {it}' for it in legal])}"
            if self.is_by_reading_tma:
                help_ += "; put ws.tma_store of a tile into the region that produces the tile"
            yield ROLE_RULE.violation(self.kind, legal, what, culprit="by", help=help_)
            return
        yield from place_violations(self)
        for around in enclosing(self):
            if isinstance(around, HoldingOp) and around.ring is self.ring:
                legal, what = "a region of another ring", "the region around it"
                yield PLACE_RULE.violation("one of the same ring", legal, what)


def place_violations(op: Operation) -> Iterator[Violation]:
    """The violations by the place of an operation that takes or ends a stage."""
    if role_of(op) is None:
        yield from outside_violations(op)
        return
    for around in takewhile(lambda each: not isinstance(each, RoleOp), enclosing(op)):
        if around.name not in _AROUND:
            legal = "scf.for, scf.if, or a region"
            help_ = f"move it out of {around.name}, or use scf.for and scf.if instead"
            what = "the operation around it"
            yield PLACE_RULE.violation(around.name, legal, what, help=help_)


def texts(types: Any) -> str:
    """Types as a text."""
    return ", ".join(map(str, types))
