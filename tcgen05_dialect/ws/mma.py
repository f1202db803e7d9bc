"""Matrix products of whole tiles."""

from collections.abc import Iterator
from functools import lru_cache

from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    opt_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..isa.element import PACKINGS
from ..isa.mma.instruction_descriptor import InstructionDescriptor
from ..isa.mma.kinds import KINDS
from ..isa.mma.operation import Form, violations
from ..isa.mma.products import product_of
from ..isa.mma.shapes import SHAPES, instruction_k
from ..isa.model.rule import Violation, raise_any
from ..isa.warp_specialization import OPERAND_RULE
from ..ptx.register_types import PRED
from ..tcgen05.base import typed_operand, violations_reported
from ..tcgen05.mma_checks import agreement_violations
from ..tcgen05.types import SharedMemoryDescriptorType, TensorMemoryType
from .base import WsOperation, enclosing
from .regions import HoldOp, holding_of
from .rings import AllocOp
from .roles import WarpSpecializeOp
from .text import parse_value, print_attributes
from .types import SharedTileType


@irdl_op_definition
class MmaOp(WsOperation):
    """
    The product of two tiles, along all of their K.

        ws.mma %d, %a, %b (accumulate %p)?

    The types determine the kind, the instruction descriptor and the number of instructions. Without
    `accumulate`, the first product in a production overwrites `d`, and the later ones are added.

    - `d`: the accumulator, a buffer of a production by mma or of a ws.alloc
    - `a`: M x K, a tile in shared memory, or a matrix in tensor memory of role `a`
    - `b`: N x K, a tile in shared memory
    - `accumulate`: whether the product is added to `d` or overwrites it
    """

    name = "ws.mma"
    d = typed_operand(TensorMemoryType, what="type of D")
    a = typed_operand(SharedTileType, TensorMemoryType, what="type of A")
    b = typed_operand(SharedTileType, what="type of B")
    accumulate = opt_operand_def(PRED)

    @classmethod
    def parse(cls, parser: Parser) -> "MmaOp":
        operands = [parse_value(parser)]
        for _ in range(2):
            parser.parse_punctuation(",")
            operands.append(parse_value(parser))
        if parser.parse_optional_keyword("accumulate") is not None:
            operands.append(parse_value(parser))
        return cls.create(operands=operands, attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands[:3], printer.print_ssa_value)
        if self.accumulate is not None:
            printer.print_string(" accumulate ")
            printer.print_ssa_value(self.accumulate)
        print_attributes(printer, self)

    @property
    def ctas(self) -> int:
        """The number of CTAs of the product, 1 or 2."""
        kernels = (each for each in enclosing(self) if isinstance(each, WarpSpecializeOp))
        return next((each.ctas for each in kernels), 1)

    def instructions(self, ctas: int) -> "Instructions":
        """The instructions of the product. Raises Violation."""
        return instructions_of(self.d.type, self.a.type, self.b.type, ctas)

    def verify_(self) -> None:
        with violations_reported():
            self.instructions(self.ctas)
            raise_any(self._violations())

    def _violations(self) -> Iterator[Violation]:
        for name, buffer in (("a", self.a), ("b", self.b)):
            if not _is_held(buffer, self):
                legal = "a buffer of a region around the operation, or of ws.alloc"
                yield OPERAND_RULE.violation("another value", legal, name.upper(), culprit=name)
        if not _is_held(self.d, self):
            legal = "a buffer of a region around the operation, or of ws.alloc"
            yield OPERAND_RULE.violation("another value", legal, "D", culprit="d")
            return
        holding = holding_of(self.d)
        if self.accumulate is None and (
            holding is None or holding.ring_op.in_place or holding.SIDE != "produce"
        ):
            help_ = "add accumulate and a condition that is false for the first product"
            sentence = "ws.mma needs accumulate, unless a production of a ring gives D"
            yield OPERAND_RULE.violation(None, None, sentence=sentence, culprit="d", help=help_)


def _is_held(buffer: SSAValue, op: MmaOp) -> bool:
    return isinstance(buffer.owner, AllocOp) or isinstance(holding_of(buffer), HoldOp)


class Instructions:
    """The instructions of a product of whole tiles: their descriptor and number."""

    def __init__(self, idesc: InstructionDescriptor, extent_k: int) -> None:
        self.idesc = idesc
        self.k = instruction_k(idesc.kind, idesc.sparse)
        self.count = extent_k // self.k

    def a_step(
        self, a: SharedMemoryDescriptorType | TensorMemoryType
    ) -> SharedMemoryDescriptorType | TensorMemoryType:
        """The type of the A of one instruction; a tile in shared memory is advanced instead."""
        if isinstance(a, SharedMemoryDescriptorType):
            return a
        role, packing = a.role.data, a.packing.data
        return TensorMemoryType.get(a.rows.data, self.k, a.element, role, a.layout_name, packing)


@lru_cache(maxsize=256)
def instructions_of(
    d: TensorMemoryType,
    a: SharedTileType | TensorMemoryType,
    b: SharedTileType,
    ctas: int,
) -> Instructions:
    """The instructions of a product of whole tiles of these types. Raises Violation."""
    a_matrix = a.descriptor if isinstance(a, SharedTileType) else a
    b_tile = b.descriptor
    rows, k = (a.layout.mn, a.layout.k) if isinstance(a, SharedTileType) else _extents(a)
    kind = _kind(d, a_matrix, b_tile)
    idesc = InstructionDescriptor(
        kind,
        rows * ctas,
        b_tile.mn.data * ctas,
        a_matrix.element_type.name,
        b_tile.element_type.name,
        d.element_type.name,
        transpose_a=isinstance(a, SharedTileType) and a.layout.transposed,
        transpose_b=b.layout.transposed,
    )
    form = Form(
        product_of(ws=False, sparse=False),
        kind,
        ctas,
        "shared" if isinstance(a, SharedTileType) else "tensor",
    )
    raise_any(violations(form, idesc, lanes={}, mask=None, exponent=None))
    found = Instructions(idesc, k)
    raise_any(agreement_violations(form, idesc, (d, found.a_step(a_matrix), b_tile)))
    if k != b_tile.k.data or k % found.k:
        shown, legal = f"{k} of A and {b_tile.k.data} of B", f"one multiple of {found.k}"
        raise OPERAND_RULE.violation(shown, legal, "the number of elements along K")
    return found


def _extents(matrix: TensorMemoryType) -> tuple[int, int]:
    return matrix.rows.data, matrix.columns.data


def _kind(d: TensorMemoryType, a: Attribute, b: SharedMemoryDescriptorType) -> str:
    """The kind of a product without scale factors. Raises Violation."""
    assert isinstance(a, SharedMemoryDescriptorType | TensorMemoryType)
    names = {"a": a.element_type.name, "b": b.element_type.name, "d": d.element_type.name}
    kinds = SHAPES.values("kind", ws=False, sparse=False, scale=None, **names)
    pads = b.packing.data == PACKINGS[0]
    found = sorted(kind for kind in kinds if KINDS[kind].pads == pads or len(kinds) == 1)
    if not found:
        shown = f"{names['a']} x {names['b']} -> {names['d']}"
        legal = "types that one kind has"
        help_ = "see the kinds of #tcgen05.idesc"
        raise OPERAND_RULE.violation(shown, legal, "the element types", help=help_)
    return found[0]
