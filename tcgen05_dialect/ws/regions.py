"""The regions and tokens by which a role holds a stage of a ring, and the values that pass through
them."""

from abc import ABC
from collections.abc import Iterator, Sequence
from typing import ClassVar, Self

from xdsl.dialects import scf
from xdsl.dialects.builtin import i32
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    lazy_traits_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    HasParent,
    IsTerminator,
    RecursiveMemoryEffect,
    SingleBlockImplicitTerminator,
    ensure_terminator,
)

from ..isa.model.rule import Violation, plural, raise_any
from ..isa.practice import OPERAND_RULE
from ..ptx.register_types import B32
from ..tcgen05.base import typed_operand, violations_reported
from ..xdsl_support.attributes import one_of
from ..xdsl_support.construction import Operands, Properties
from .base import (
    Parts,
    SpelledOperation,
    TokenType,
    WsOperation,
    known_value,
    parse_value,
    print_attributes,
    ring_type,
)
from .rings import HoldingOp, Side, place_violations, texts


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
    NOUN: ClassVar[str] = name
    SPAN: ClassVar[str] = f"after {name}"
    PLACE: ClassVar[str] = f"in the block of {name}"


class TokenOp(SpelledOperation, ABC):
    """An operation on a token. `token` is the stage."""

    token = typed_operand(TokenType, what="token")

    @classmethod
    def parse_operand(cls, parser: Parser) -> SSAValue:
        position = parser.pos
        token = parse_value(parser)
        if not isinstance(token.type, TokenType):
            parser.raise_error(f"expected a token; found a value of type {token.type}", position)
        return token


class EndOp(TokenOp, ABC):
    """An operation that gives a stage back."""

    SIDE: ClassVar[Side]
    FORM: ClassVar[Parts] = ("%token",)

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
    FORM: ClassVar[Parts] = ("%token", "<barrier>")
    barrier = prop_def(one_of(_BARRIERS.values()))
    address = result_def(B32)

    @classmethod
    def inferred_types(cls, operands: Operands, properties: Properties) -> Sequence[Attribute]:
        return [i32]

    def verify_(self) -> None:
        legal = _BARRIERS[self.token.type.side.data]
        if self.barrier.data != legal:
            with violations_reported():
                what = f"the barrier object of a {self.token.type}"
                raise OPERAND_RULE.violation(self.barrier.data, legal, what, culprit="barrier")


@irdl_op_definition
class YieldOp(WsOperation):
    """
    The end of a region with results: the values that the role keeps.

        ws.yield %value, ...
    """

    name = "ws.yield"
    values = var_operand_def()
    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(ProduceOp, ConsumeOp)))

    @classmethod
    def parse(cls, parser: Parser) -> "YieldOp":
        values = parser.parse_optional_undelimited_comma_separated_list(
            lambda: _optional_value(parser), lambda: parse_value(parser)
        )
        return cls.create(operands=values or [], attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        if self.values:
            printer.print_string(" ")
            printer.print_list(self.values, printer.print_ssa_value)
        print_attributes(printer, self)


def _optional_value(parser: Parser) -> SSAValue | None:
    operand = parser.parse_optional_unresolved_operand()
    return None if operand is None else known_value(parser, operand)


class HoldOp(HoldingOp, ABC):
    """
    A region in which a role holds the next stage of a ring.

    - `ring`: the ring
    - `by`: the agent that works on the buffers: `tma`, `mma` or `threads`
    - `outputs`: the values of the `ws.yield` at the end of the region
    """

    NOUN: ClassVar[str] = "a region"
    SPAN: ClassVar[str] = "in the region"
    PLACE: ClassVar[str] = "directly in the region"
    outputs = var_result_def()
    body = region_def("single_block")

    @classmethod
    def block_arguments(cls, operands: Operands, properties: Properties) -> Sequence[Attribute]:
        type_ = ring_type(operands["ring"][0])
        return () if type_ is None else type_.buffers.data

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        ring, type_, by = cls.parse_head(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        names = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
        )
        if len(names) != len(type_.buffers):
            count = len(type_.buffers)
            legal = f"{count} {plural('name', count)}, one for each buffer of a stage"
            parser.raise_error(f"expected {legal}; found {len(names)}", position)
        arguments = [name.resolve(each) for name, each in zip(names, type_.buffers, strict=True)]
        outputs = (
            parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
            if parser.parse_optional_punctuation("->") is not None
            else []
        )
        body = parser.parse_region(arguments)
        op = cls.create(
            operands=[ring],
            properties={"by": by},
            attributes={} if attributes is None else attributes.data,
            result_types=outputs,
            regions=[body],
        )
        for trait in op.get_traits_of_type(SingleBlockImplicitTerminator):
            ensure_terminator(op, trait)
        return op

    def print(self, printer: Printer) -> None:
        self.print_head(printer)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(self.buffers, printer.print_ssa_value)
        if self.outputs:
            printer.print_string(" -> ")
            printer.print_list([each.type for each in self.outputs], printer.print_attribute)
        printer.print_string(" ")
        printer.print_region(
            self.body, print_entry_block_args=False, print_block_terminators=bool(self.outputs)
        )

    @property
    def buffers(self) -> tuple[BlockArgument, ...]:
        """The buffers of the stage."""
        return tuple(self.body.block.args)

    @property
    def home(self) -> Block:
        """The block of the region."""
        return self.body.block

    @property
    def end(self) -> YieldOp:
        """The end of the region."""
        end = self.body.block.last_op
        assert isinstance(end, YieldOp)
        return end

    def violations(self) -> Iterator[Violation]:
        found, legal = (
            [each.type for each in values] for values in (self._yielded(), self.outputs)
        )
        if found != legal:
            what = "the types of the values at the end of the region"
            yield OPERAND_RULE.violation(texts(found) or "none", texts(legal) or "none", what)
        yield from super().violations()

    def _yielded(self) -> tuple[SSAValue, ...]:
        end = self.body.block.last_op
        return tuple(end.values) if isinstance(end, YieldOp) else ()


@irdl_op_definition
class ProduceOp(HoldOp):
    """
    Produce the next stage of a ring.

        ws.produce %ring by <tma|mma|threads> (%buffer, ...) (-> types)? { ... }

    The role waits until the stage is free. At the end of the region the stage is handed over: as
    soon as all its data has arrived, its consumers go on.
    """

    name = "ws.produce"
    SIDE: ClassVar[Side] = "produce"
    traits = traits_def(SingleBlockImplicitTerminator(YieldOp), RecursiveMemoryEffect())


@irdl_op_definition
class ConsumeOp(HoldOp):
    """
    Consume the next stage of a ring.

        ws.consume %ring by <mma|threads> (%buffer, ...) (-> types)? { ... }

    The role waits for the data of the stage. At the end of the region the stage is released: when
    all consumers have read it, the producer may use it again.
    """

    name = "ws.consume"
    SIDE: ClassVar[Side] = "consume"
    traits = traits_def(SingleBlockImplicitTerminator(YieldOp), RecursiveMemoryEffect())


def sources_of(value: SSAValue) -> Iterator[SSAValue]:
    """The values from which a value is computed in one step; none for arguments of other blocks."""
    match value:
        case OpResult():
            yield from _of_result(value.owner, value.index)
        case BlockArgument():
            around = value.owner.parent_op()
            if isinstance(around, scf.ForOp):
                yield from (around.lb, around.ub, around.step)
                if value.index:
                    yield from _carried(around, value.index - 1)
            elif isinstance(around, scf.WhileOp):
                yield from _everything(around)
        case _:
            pass


def _of_result(op: Operation, index: int) -> Iterator[SSAValue]:
    match op:
        case scf.ForOp():
            yield from (op.lb, op.ub, op.step)
            yield from _carried(op, index)
        case scf.IfOp():
            yield op.cond
            for region in op.regions:
                yield from _yielded(region.block.last_op, index)
        case HoldOp():
            yield from _yielded(op.body.block.last_op, index)
        case _:
            yield from _everything(op)


def _carried(loop: scf.ForOp, index: int) -> Iterator[SSAValue]:
    yield loop.iter_args[index]
    yield from _yielded(loop.body.block.last_op, index)


def _yielded(end: Operation | None, index: int) -> Iterator[SSAValue]:
    if end is not None:
        yield end.operands[index]


def _everything(op: Operation) -> Iterator[SSAValue]:
    yield from op.operands
    for region in op.regions:
        for block in region.blocks:
            if block.last_op is not None:
                yield from block.last_op.operands


def holding_of(value: SSAValue) -> HoldingOp | None:
    """
    The operation that takes the stage of a buffer or a token; None for another value, such as the
    buffer of a ws.alloc. Of several that loops and conditionals join, it is the first: they agree
    (T5-WS-007).
    """
    owner = value.owner
    if isinstance(value, BlockArgument) and isinstance(around := owner.parent_op(), HoldOp):
        return around
    seen = {value}
    pending = [value]
    while pending:
        each = pending.pop()
        if isinstance(each.owner, AcquireOp):
            return each.owner
        if each.type == value.type and not _is_computed(each):
            new = [other for other in sources_of(each) if other not in seen]
            seen.update(new)
            pending.extend(reversed(new))
    return None


def _is_computed(value: SSAValue) -> bool:
    """Whether an operation computes a value, rather than passing it on."""
    owner = value.owner
    return isinstance(owner, Operation) and not isinstance(owner, scf.ForOp | scf.IfOp | HoldOp)


def passed_on(value: SSAValue) -> list[SSAValue]:
    """A value and, in order, those by which loops, conditionals and regions pass it on."""
    found = {value: None}
    pending = [value]
    while pending:
        for use in [*pending.pop().uses]:
            new = [each for each in _targets(use.operation, use.index) if each not in found]
            found.update(dict.fromkeys(new))
            pending.extend(new)
    return [*found]


def _targets(op: Operation, index: int) -> Iterator[SSAValue]:
    """The values to which an operand of control flow is passed on."""
    if isinstance(op, scf.ForOp):
        if (at := index - _BOUNDS) >= 0:
            yield from (op.body.block.args[1 + at], op.results[at])
    elif isinstance(op, scf.YieldOp | YieldOp):
        around = op.parent_op()
        if isinstance(around, scf.ForOp):
            yield from (around.body.block.args[1 + index], around.results[index])
        elif isinstance(around, scf.IfOp | HoldOp):
            yield around.results[index]


_BOUNDS = 3
"""The operands of scf.for before the values that it carries."""
