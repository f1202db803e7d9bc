"""Matrix products of whole tiles."""

from collections.abc import Iterator

from xdsl.ir import SSAValue
from xdsl.irdl import AttrSizedOperandSegments, irdl_op_definition, opt_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..isa.mma.products import METADATA, SCALE, TITLES
from ..isa.model.rule import Violation, raise_any
from ..isa.warp_specialization import OPERAND_RULE
from ..ptx.instruction import segment_sizes
from ..ptx.register_types import PRED
from ..tcgen05.base import optional_typed_operand, typed_operand, violations_reported
from ..tcgen05.types import TensorMemoryType
from .base import WsOperation, enclosing
from .products import Instructions, Operands, instructions_of
from .rings import AllocOp
from .roles import WarpSpecializeOp
from .sources import holding_of
from .text import parse_value, print_attributes
from .types import SharedTileType


@irdl_op_definition
class MmaOp(WsOperation):
    """
    The product of two tiles, along all of their K.

        ws.mma %d, %a, %b (metadata %e)? (scales(%scale_a, %scale_b))? (accumulate %p)?

    The types determine the kind, the instruction descriptors and the number of instructions.
    Without `accumulate`, the first product in a production overwrites `d`, and the later ones are
    added; in the sequential form each product overwrites `d`.

    - `d`: the accumulator, a buffer of a production by mma or of a ws.alloc
    - `a`: M x K, a tile in shared memory, or a matrix in tensor memory of role `a`; half of K if it
      is sparse
    - `b`: N x K, a tile in shared memory
    - `metadata`: which elements of a sparse `a` are stored, a matrix of role `metadata`
    - `scale_a`, `scale_b`: the scale factors of `a` and of `b` (in a pair, of the `b` of both
      CTAs): matrices of role `scale`, with as many factors in a row as there are blocks along K
    - `accumulate`: whether the product is added to `d` or overwrites it
    """

    name = "ws.mma"
    d = typed_operand(TensorMemoryType, what="type of D")
    a = typed_operand(SharedTileType, TensorMemoryType, what="type of A")
    b = typed_operand(SharedTileType, what="type of B")
    metadata = optional_typed_operand(TensorMemoryType, what="type of the metadata", role=METADATA)
    scale_a = optional_typed_operand(TensorMemoryType, what="type of scale_a", role=SCALE)
    scale_b = optional_typed_operand(TensorMemoryType, what="type of scale_b", role=SCALE)
    accumulate = opt_operand_def(PRED)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Parser) -> "MmaOp":
        operands = [parse_value(parser)]
        for _ in range(2):
            parser.parse_punctuation(",")
            operands.append(parse_value(parser))
        present = [1, 1, 1, 0, 0, 0, 0]
        if parser.parse_optional_keyword("metadata") is not None:
            operands.append(parse_value(parser))
            present[3] = 1
        if parser.parse_optional_keyword("scales") is not None:
            with parser.in_parens():
                operands.append(parse_value(parser))
                parser.parse_punctuation(",")
                operands.append(parse_value(parser))
            present[4:6] = 1, 1
        if parser.parse_optional_keyword("accumulate") is not None:
            operands.append(parse_value(parser))
            present[6] = 1
        return cls.create(
            operands=operands,
            properties={"operandSegmentSizes": segment_sizes(tuple(present))},
            attributes=parser.parse_optional_attr_dict(),
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list((self.d, self.a, self.b), printer.print_ssa_value)
        if self.metadata is not None:
            printer.print_string(" metadata ")
            printer.print_ssa_value(self.metadata)
        if self.scale_a is not None and self.scale_b is not None:
            printer.print_string(" scales")
            with printer.in_parens():
                printer.print_list((self.scale_a, self.scale_b), printer.print_ssa_value)
        if self.accumulate is not None:
            printer.print_string(" accumulate ")
            printer.print_ssa_value(self.accumulate)
        print_attributes(printer, self)

    @property
    def read(self) -> dict[str, SSAValue]:
        """The matrices that the product reads, by name."""
        names = ("a", "b", "metadata", "scale_a", "scale_b")
        values = self.a, self.b, self.metadata, self.scale_a, self.scale_b
        return {name: each for name, each in zip(names, values, strict=True) if each is not None}

    @property
    def ctas(self) -> int:
        """The number of CTAs of the product, 1 or 2."""
        kernels = (each for each in enclosing(self) if isinstance(each, WarpSpecializeOp))
        return next((each.ctas for each in kernels), 1)

    def instructions(self, ctas: int) -> Instructions:
        """The instructions of the product. Raises Violation."""
        optional = (
            None if each is None else each.type
            for each in (self.metadata, self.scale_a, self.scale_b)
        )
        return instructions_of(Operands(self.d.type, self.a.type, self.b.type, *optional), ctas)

    def verify_(self) -> None:
        with violations_reported():
            if (self.scale_a is None) != (self.scale_b is None):
                legal = "scale factors of A and of B, or neither"
                raise OPERAND_RULE.violation("one of both", legal, "scales")
            self.instructions(self.ctas)
            raise_any(self._violations())

    def _violations(self) -> Iterator[Violation]:
        for name, buffer in self.read.items():
            if not is_held(buffer):
                legal = "a buffer of a stage that the role holds, or of ws.alloc"
                yield OPERAND_RULE.violation("another value", legal, TITLES[name], culprit=name)
        if not is_held(self.d):
            legal = "a buffer of a stage that the role holds, or of ws.alloc"
            yield OPERAND_RULE.violation("another value", legal, "D", culprit="d")
            return
        if self.accumulate is None and not self._overwrites():
            help_ = "add accumulate and a condition that is false for the first product"
            sentence = "ws.mma needs accumulate, unless a production of a ring gives D"
            yield OPERAND_RULE.violation(None, None, sentence=sentence, culprit="d", help=help_)

    def _overwrites(self) -> bool:
        """Whether it is known, without `accumulate`, which products overwrite D."""
        holding = holding_of(self.d)
        if holding is not None:
            return holding.SIDE == "produce" and holding.ring_op.in_place is None
        return any(isinstance(op, WarpSpecializeOp) and op.is_sequential for op in enclosing(self))


def is_held(buffer: SSAValue) -> bool:
    """Whether a value is a buffer of a region or of a ws.alloc."""
    return isinstance(buffer.owner, AllocOp) or holding_of(buffer) is not None
