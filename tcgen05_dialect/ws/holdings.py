"""The operations by which a role comes to hold a stage of a ring."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any, ClassVar, Literal

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl import prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..isa.model.rule import Violation, alternatives, raise_any
from ..isa.warp_specialization import OPERAND_RULE, PLACE_RULE, ROLE_RULE
from ..tcgen05.base import typed_operand, violations_reported
from ..xdsl_support.words import one_of
from .base import MMA, THREADS, TMA, HolderOp, enclosing, ring_type
from .rings import RingOp
from .roles import RoleOp, outside_violations, role_of
from .text import parse_value
from .types import RingType

Side = Literal["produce", "consume"]
_AROUND = frozenset({"scf.for", "scf.if", "ws.produce", "ws.consume"})
"""Operations in a role that may be around one that takes or ends a stage."""


class HoldingOp(HolderOp, ABC):
    """
    An operation that takes the next stage of a ring: a region, or an acquisition with a token.

    - `ring`: the ring
    - `by`: who works on the buffers: `tma`, `mma` or `threads`
    """

    SIDE: ClassVar[Side]
    KINDS: ClassVar[tuple[str, ...]]
    NOUN: ClassVar[str]
    SPAN: ClassVar[str]
    PLACE: ClassVar[str]
    """
    How messages name the operation, the time for which the stage is held, and the place of what is
    executed once in this time.
    """
    ring = typed_operand(RingType, what="ring")
    by = prop_def(one_of((TMA, MMA, THREADS)))

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
        return ring, type_, StringAttr(parser.parse_keyword_in(cls.KINDS))

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
        if self.kind not in self.KINDS:
            what = "the word after by"
            help_ = f"write {alternatives([f'by {kind}' for kind in self.KINDS])}"
            yield ROLE_RULE.violation(self.kind, self.KINDS, what, culprit="by", help=help_)
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
