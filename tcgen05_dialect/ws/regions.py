"""The regions in which a role holds a stage of a ring."""

from abc import ABC
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Literal, Self

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    lazy_traits_def,
    prop_def,
    region_def,
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

from ..isa.model.rule import Violation, raise_any
from ..isa.warp_specialization import OPERAND_RULE, PLACE_RULE, ROLE_RULE
from ..tcgen05.base import typed_operand, violations_reported
from ..xdsl_support.constructible import Operands, Properties
from .base import WsOperation, enclosing, ring_type
from .rings import RingOp
from .roles import ElectedOp, RoleOp, WarpSpecializeOp, role_of
from .text import known_value, parse_value, print_attributes
from .types import RingType

Side = Literal["produce", "consume"]
TMA, MMA, THREADS = "tma", "mma", "threads"


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


class HoldOp(WsOperation, ABC):
    """
    A region in which a role holds the next stage of a ring.

    - `ring`: the ring
    - `by`: the agent that works on the buffers: `tma`, `mma` or `threads`
    - `outputs`: the values of the `ws.yield` at the end of the region
    """

    SIDE: ClassVar[Side]
    KINDS: ClassVar[tuple[str, ...]]
    ring = typed_operand(RingType, what="ring")
    by = prop_def(StringAttr)
    outputs = var_result_def()
    body = region_def("single_block")

    @classmethod
    def block_arguments(cls, operands: Operands, properties: Properties) -> Sequence[Attribute]:
        type_ = ring_type(operands["ring"][0])
        return () if type_ is None else type_.buffers.data

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        ring = parse_value(parser)
        type_ = ring_type(ring)
        if type_ is None:
            parser.raise_error(f"expected a ring; found a value of type {ring.type}", position)
        parser.parse_keyword("by")
        by = StringAttr(parser.parse_keyword_in(cls.KINDS))
        attributes = parser.parse_optional_attr_dict_with_keyword()
        names = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
        )
        if len(names) != len(type_.buffers):
            legal = f"{len(type_.buffers)} names, one for each buffer of a stage"
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
        printer.print_string(" ")
        printer.print_ssa_value(self.ring)
        printer.print_string(f" by {self.kind}")
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
    def kind(self) -> str:
        """Who works on the buffers: `tma`, `mma` or `threads`."""
        return self.by.data

    @property
    def buffers(self) -> tuple[BlockArgument, ...]:
        """The buffers of the stage."""
        return tuple(self.body.block.args)

    @property
    def ring_op(self) -> RingOp:
        """The operation that makes the ring."""
        owner = self.ring.owner
        assert isinstance(owner, RingOp)
        return owner

    @property
    def end(self) -> YieldOp:
        """The end of the region."""
        end = self.body.block.last_op
        assert isinstance(end, YieldOp)
        return end

    def verify_(self) -> None:
        with violations_reported():
            raise_any(self._violations())

    def _violations(self) -> Iterator[Violation]:
        if not isinstance(self.ring.owner, RingOp):
            yield OPERAND_RULE.violation("another value", "a result of ws.ring", "the ring")
            return
        types = [each.type for each in self.buffers]
        if types != [*self.ring.type.buffers]:
            yield OPERAND_RULE.violation(
                _texts(types), _texts(self.ring.type.buffers), "the types of the buffers"
            )
        found, legal = (
            [each.type for each in values] for values in (self._yielded(), self.outputs)
        )
        if found != legal:
            what = "the types of the values at the end of the region"
            yield OPERAND_RULE.violation(_texts(found) or "none", _texts(legal) or "none", what)
        yield from self._place_violations()

    def _yielded(self) -> tuple[SSAValue, ...]:
        end = self.body.block.last_op
        return tuple(end.values) if isinstance(end, YieldOp) else ()

    def _place_violations(self) -> Iterator[Violation]:
        if self.kind not in self.KINDS:
            yield ROLE_RULE.violation(self.kind, self.KINDS, "the word after by", culprit="by")
            return
        role = role_of(self)
        if role is None:
            found, what = "no ws.role", "the operation around the region"
            yield PLACE_RULE.violation(found, "a ws.role", what)
            return
        if self.kind != THREADS and role.warps_count != 1:
            what = f"the number of warps of a role with a region by {self.kind}"
            yield ROLE_RULE.violation(role.warps_count, 1, what)
        if (
            isinstance(pair := role.parent_op(), WarpSpecializeOp)
            and pair.pair is not None
            and ((self.kind == MMA) != (role.leader is not None))
        ):
            found = "no leader" if role.leader is None else "leader"
            legal = "no leader" if role.leader is not None else "leader"
            what = f"in a pair, a role with a region by {self.kind}"
            yield ROLE_RULE.violation(found, legal, what)
        for around in enclosing(self):
            if isinstance(around, RoleOp):
                return
            if isinstance(around, ElectedOp) or around.name not in _AROUND:
                legal = "scf.for, scf.if, or another region"
                yield PLACE_RULE.violation(around.name, legal, "the operation around the region")
            elif isinstance(around, HoldOp) and around.ring is self.ring:
                legal = "a region of another ring"
                yield PLACE_RULE.violation("one of the same ring", legal, "the region around it")


def _texts(types: Any) -> str:
    return ", ".join(map(str, types))


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
    KINDS: ClassVar[tuple[str, ...]] = (TMA, MMA, THREADS)
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
    KINDS: ClassVar[tuple[str, ...]] = (MMA, THREADS)
    traits = traits_def(SingleBlockImplicitTerminator(YieldOp), RecursiveMemoryEffect())


_AROUND = frozenset({"scf.for", "scf.if", ProduceOp.name, ConsumeOp.name})
"""Operations that may be around a region in a role."""


def holding_of(buffer: SSAValue) -> HoldOp | None:
    """The region that holds a buffer; None for the buffer of a ws.alloc."""
    if isinstance(buffer, BlockArgument):
        around = buffer.owner.parent_op()
        return around if isinstance(around, HoldOp) else None
    return None


def holdings(root: Operation) -> list[HoldOp]:
    """The regions inside an operation, in the order of the program."""
    return [op for op in root.walk() if isinstance(op, HoldOp)]
