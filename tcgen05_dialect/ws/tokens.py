"""Stages that a role holds by a token: for holdings that do not nest."""

from abc import ABC
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Self

from xdsl.dialects.builtin import StringAttr, i32
from xdsl.ir import Attribute, Block, OpResult
from xdsl.irdl import irdl_op_definition, prop_def, result_def, var_result_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..isa.model.rule import Violation, raise_any
from ..isa.practice import OPERAND_RULE
from ..ptx.register_types import B32
from ..tcgen05.base import typed_operand, violations_reported
from ..xdsl_support.attributes import one_of
from ..xdsl_support.construction import Operands, Properties
from .base import TokenType, WsOperation, parse_value, print_attributes, ring_type
from .rings import MMA, THREADS, TMA, HoldingOp, Side, place_violations


class AcquireOp(HoldingOp, ABC):
    """
    An operation that takes the next stage of a ring, and gives a token and its buffers.

    - `token`: the stage, until it is given back
    - `held`: the buffers of the stage
    """

    token = result_def(TokenType)
    held = var_result_def()

    @classmethod
    def inferred_types(cls, operands: Operands, properties: Properties) -> Sequence[Attribute]:
        type_ = ring_type(operands["ring"][0])
        return [TokenType.get(cls.SIDE), *(() if type_ is None else type_.buffers)]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        ring, type_, by = cls.parse_head(parser)
        return cls.create(
            operands=[ring],
            properties={"by": by},
            attributes=parser.parse_optional_attr_dict(),
            result_types=[TokenType.get(cls.SIDE), *type_.buffers],
        )

    def print(self, printer: Printer) -> None:
        self.print_head(printer)
        print_attributes(printer, self)

    @property
    def buffers(self) -> tuple[OpResult, ...]:
        """The buffers of the stage."""
        return tuple(self.held)

    @property
    def home(self) -> Block | None:
        """The block of the operation."""
        return self.parent

    def violations(self) -> Iterator[Violation]:
        if self.token.type.side.data != self.SIDE:
            legal = TokenType.get(self.SIDE)
            yield OPERAND_RULE.violation(self.token.type, legal, "the type of the token")
        yield from super().violations()


@irdl_op_definition
class ProducerAcquireOp(AcquireOp):
    """
    Take the next stage of a ring, to produce it.

        %token, %buffer, ... = ws.producer_acquire %ring by <tma|mma|threads>

    The role waits until the stage is free. It fills the buffers, and then hands the stage over by
    ws.producer_commit. The rules of a region ws.produce hold for what is done between the two.
    """

    name = "ws.producer_acquire"
    SIDE: ClassVar[Side] = "produce"
    KINDS: ClassVar[tuple[str, ...]] = (TMA, MMA, THREADS)
    NOUN: ClassVar[str] = name
    SPAN: ClassVar[str] = f"after {name}"
    PLACE: ClassVar[str] = f"in the block of {name}"


@irdl_op_definition
class ConsumerWaitOp(AcquireOp):
    """
    Wait for the data of the next stage of a ring, to consume it.

        %token, %buffer, ... = ws.consumer_wait %ring by <mma|threads>

    The role uses the buffers, and then gives the stage back by ws.consumer_release. The rules of a
    region ws.consume hold for what is done between the two.
    """

    name = "ws.consumer_wait"
    SIDE: ClassVar[Side] = "consume"
    KINDS: ClassVar[tuple[str, ...]] = (MMA, THREADS)
    NOUN: ClassVar[str] = name
    SPAN: ClassVar[str] = f"after {name}"
    PLACE: ClassVar[str] = f"in the block of {name}"


class TokenOp(WsOperation, ABC):
    """An operation on a token. `token` is the stage."""

    token = typed_operand(TokenType, what="token")

    @classmethod
    def parse_token(cls, parser: Parser) -> Any:
        """Parse a value that is a token."""
        position = parser.pos
        token = parse_value(parser)
        if not isinstance(token.type, TokenType):
            parser.raise_error(f"expected a token; found a value of type {token.type}", position)
        return token


class EndOp(TokenOp, ABC):
    """An operation that gives a stage back."""

    SIDE: ClassVar[Side]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        token = cls.parse_token(parser)
        return cls.create(operands=[token], attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.token)
        print_attributes(printer, self)

    def verify_(self) -> None:
        with violations_reported():
            if self.token.type.side.data != self.SIDE:
                legal, what = TokenType.get(self.SIDE), "the type of the token"
                raise OPERAND_RULE.violation(self.token.type, legal, what, culprit="token")
            raise_any(place_violations(self))


@irdl_op_definition
class ProducerCommitOp(EndOp):
    """
    Hand a stage over: as soon as all its data has arrived, its consumers go on.

        ws.producer_commit %token

    - `token`: the stage, which the role holds no longer
    """

    name = "ws.producer_commit"
    SIDE: ClassVar[Side] = "produce"


@irdl_op_definition
class ConsumerReleaseOp(EndOp):
    """
    Give a stage back: when all consumers have read it, the producer may use it again.

        ws.consumer_release %token

    - `token`: the stage, which the role holds no longer
    """

    name = "ws.consumer_release"
    SIDE: ClassVar[Side] = "consume"


_BARRIERS = {"produce": "full", "consume": "empty"}
"""The barrier object at which a side arrives."""


@irdl_op_definition
class MbarrierOp(TokenOp):
    """
    The address of the barrier object at which the commit or the release of a stage arrives, for raw
    operations.

        %address = ws.mbarrier %token <full|empty>

    A producer has the barrier object `full`, a consumer `empty`. In a pair it may be that of the
    leader, and the address is then one of the cluster.

    - `token`: the stage, which the role still holds
    - `barrier`: `full` or `empty`
    """

    name = "ws.mbarrier"
    barrier = prop_def(one_of(_BARRIERS.values()))
    address = result_def(B32)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        token = cls.parse_token(parser)
        barrier = StringAttr(parser.parse_keyword_in([*_BARRIERS.values()]))
        return cls.create(
            operands=[token],
            properties={"barrier": barrier},
            attributes=parser.parse_optional_attr_dict(),
            result_types=[i32],
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.token)
        printer.print_string(f" {self.barrier.data}")
        print_attributes(printer, self)

    def verify_(self) -> None:
        legal = _BARRIERS[self.token.type.side.data]
        if self.barrier.data != legal:
            with violations_reported():
                what = f"the barrier object of a {self.token.type}"
                raise OPERAND_RULE.violation(self.barrier.data, legal, what, culprit="barrier")
