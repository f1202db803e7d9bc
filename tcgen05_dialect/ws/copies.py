"""Copies of scale factors and metadata from shared memory to tensor memory."""

from collections.abc import Iterator
from typing import Self

from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..isa.model.rule import Violation
from ..isa.warp_specialization import COPY_RULE, OPERAND_RULE
from ..tcgen05.base import typed_operand, violations_reported
from ..tcgen05.types import TensorMemoryType
from .base import WsOperation, enclosing, parse_value, print_attributes
from .blocks import COPIED_ROLES
from .products import is_held
from .rings import AllocOp, HoldingOp
from .sources import holding_of
from .types import SharedTileType


@irdl_op_definition
class TmemCopyOp(WsOperation):
    """
    Copy scale factors or metadata to tensor memory, for products of the same region.

        ws.tmem_copy %tile to %matrix

    One thread issues as many `tcgen05.cp` as the tile has blocks, and products that follow read the
    new data. A matrix of ws.alloc has one copy for each stage of the ring from which it is filled,
    so that no copy overwrites data that an earlier product still reads. In a pair both CTAs copy.

    - `tile`: a buffer of a region by mma
    - `matrix`: a buffer in tensor memory, of the type that corresponds to that of the tile
    """

    name = "ws.tmem_copy"
    tile = typed_operand(SharedTileType, what="tile")
    matrix = typed_operand(TensorMemoryType, what="matrix")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        tile = parse_value(parser)
        parser.parse_keyword("to")
        matrix = parse_value(parser)
        return cls.create(operands=[tile, matrix], attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.tile)
        printer.print_string(" to ")
        printer.print_ssa_value(self.matrix)
        print_attributes(printer, self)

    @property
    def holding(self) -> HoldingOp | None:
        """The operation that takes the stage of the tile."""
        return holding_of(self.tile)

    def verify_(self) -> None:
        with violations_reported():
            copied = self.tile.type.copied
            if copied is None:
                legal = f"a tile of role {' or '.join(COPIED_ROLES)}"
                raise OPERAND_RULE.violation(self.tile.type, legal, "the tile", culprit="tile")
            if self.matrix.type != copied:
                legal = f"{copied}, as the tile has"
                what = "the type of the matrix"
                raise OPERAND_RULE.violation(self.matrix.type, legal, what, culprit="matrix")
            if not is_held(self.matrix):
                legal = "a buffer of a stage that the role holds, or of ws.alloc"
                raise OPERAND_RULE.violation("another value", legal, "the matrix", culprit="matrix")


def copies_to(alloc: AllocOp) -> list[TmemCopyOp]:
    """The copies that fill a buffer of one role."""
    users = (use.operation for use in alloc.buffer.uses)
    return [op for op in users if isinstance(op, TmemCopyOp)]


def copy_findings(alloc: AllocOp) -> Iterator[tuple[Operation, Violation]]:
    """The violations by copies to a buffer of one role, and by products that read it."""
    name = f"%{alloc.buffer.name_hint or 'buffer'}"
    copies = copies_to(alloc)
    first: dict[HoldingOp, TmemCopyOp] = {}
    for op in copies:
        holding = op.holding
        if holding is None or op.parent is not holding.home:
            around = op.parent_op()
            found = "another operation" if around is None else around.name
            legal = "the region by mma that holds the tile"
            yield op, COPY_RULE.violation(found, legal, f"the operation around the copy to {name}")
            return
        if first.setdefault(holding, op) is not op:
            what = f"the number of copies to {name} in a region"
            yield op, COPY_RULE.violation(2, 1, what)
            return
        if holding.ring_op is not (ring := next(iter(first)).ring_op):
            found, legal = (f"%{each.ring.name_hint or 'ring'}" for each in (holding.ring_op, ring))
            what = f"the ring of the tiles that are copied to {name}"
            yield op, COPY_RULE.violation(found, f"{legal}, as for an earlier copy", what)
            return
    if copies:
        yield from _read_findings(alloc, name, first)


def _read_findings(
    alloc: AllocOp, name: str, copies: dict[HoldingOp, TmemCopyOp]
) -> Iterator[tuple[Operation, Violation]]:
    """The violations by products in no region in which a copy comes before."""
    for use in [*alloc.buffer.uses]:
        op = use.operation
        if isinstance(op, TmemCopyOp):
            continue
        if not any(_is_before(copy, op) for copy in copies.values()):
            sentence = f"{op.name} uses {name}, but no copy to it comes before in the same region"
            yield op, COPY_RULE.violation(None, None, sentence=sentence)
            return


def _is_before(copy: TmemCopyOp, op: Operation) -> bool:
    """Whether an operation is in the block of a copy, or in a region there, behind the copy."""
    for each in (op, *enclosing(op)):
        if each.parent is copy.parent:
            return copy.is_before_in_block(each)
    return False
