"""Copies of scale factors and metadata to tensor memory, conversions of vectors, and masks of
threads."""

from abc import ABC
from collections.abc import Iterator, Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import AnyFloat, IntegerType, Signedness, VectorType
from xdsl.ir import Attribute, Operation
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ..isa.model.rule import Violation, raise_any
from ..isa.practice import COPY_RULE, OPERAND_RULE
from ..ptx.register_types import B32
from ..reporting.diagnostics import value_name
from ..tcgen05.base import typed_operand, violations_reported
from ..tcgen05.types import TensorMemoryType
from ..xdsl_support.construction import Operands, Properties
from .base import (
    COPIED_ROLES,
    Parts,
    SharedTileType,
    SpelledOperation,
    enclosing,
)
from .products import is_held
from .regions import holding_of
from .rings import AllocOp, HoldingOp
from .vectors import vector_shape


@irdl_op_definition
class TmemCopyOp(SpelledOperation):
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
    FORM: ClassVar[Parts] = ("%tile", "to", "%matrix")
    tile = typed_operand(SharedTileType, what="tile")
    matrix = typed_operand(TensorMemoryType, what="matrix")

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
    name = value_name(alloc.buffer, "a buffer")
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
            found, legal = (value_name(each.ring, "a ring") for each in (holding.ring_op, ring))
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
            yield op, COPY_RULE.says(sentence)
            return


def _is_before(copy: TmemCopyOp, op: Operation) -> bool:
    """Whether an operation comes after a copy, in its block or in a region there."""
    for each in (op, *enclosing(op)):
        if each.parent is copy.parent:
            return copy.is_before_in_block(each)
    return False


class IntegersToFloats(SpelledOperation, ABC):
    """
    The integers of a vector as floating-point numbers.

    - `vector`: integers, such as sums of kind i8, or weights of 8 or 4 bits
    - `result`: as many floating-point numbers
    """

    SIGNED: ClassVar[bool]
    FORM: ClassVar[Parts] = ("%vector", "->")
    vector = operand_def(VectorType)
    result = result_def(VectorType)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        with violations_reported():
            raise_any(self._violations())

    def _violations(self) -> Iterator[Violation]:
        given, made = vector_shape(self.vector.type), vector_shape(self.result.type)
        if given is None or not isinstance(given[1], IntegerType):
            legal = "a vector of integers with one dimension, such as vector<32xi32>"
            yield OPERAND_RULE.violation(self.vector.type, legal, "what a thread holds")
        elif cast("IntegerType", given[1]).signedness.data == _OTHER[self.SIGNED]:
            other = UIToFPOp if self.SIGNED else SIToFPOp
            legal = f"{'signed' if self.SIGNED else 'unsigned'} integers"
            what, help_ = "what a thread holds", f"use {other.name}"
            yield OPERAND_RULE.violation(self.vector.type, legal, what, help=help_)
        elif made is None or made[0] != given[0] or not isinstance(made[1], AnyFloat):
            legal = f"a vector of {given[0]} floating-point numbers"
            yield OPERAND_RULE.violation(self.result.type, legal, "the type of the result")


_OTHER = {True: Signedness.UNSIGNED, False: Signedness.SIGNED}


@irdl_op_definition
class SIToFPOp(IntegersToFloats):
    """
    The signed integers of a vector as floating-point numbers, as `arith.sitofp`, which xDSL's own
    verifier refuses for vectors.

        %result = ws.sitofp %vector -> <type>
    """

    name = "ws.sitofp"
    SIGNED: ClassVar[bool] = True


@irdl_op_definition
class UIToFPOp(IntegersToFloats):
    """
    The unsigned integers of a vector as floating-point numbers; see `ws.sitofp`.

        %result = ws.uitofp %vector -> <type>
    """

    name = "ws.uitofp"
    SIGNED: ClassVar[bool] = False


@irdl_op_definition
class KeepFirstOp(SpelledOperation):
    """
    The first elements of a vector as they are, and a number in place of the others.

        %result = ws.keep_first %count of %vector else %other

    A negative count keeps none, and a count beyond the vector keeps all. Masked softmax uses it to
    give the lowest number to the keys that a query must not see.

    - `count`: the number of elements to keep, with its sign
    - `vector`: the elements
    - `other`: a number of the type of the elements
    """

    name = "ws.keep_first"
    FORM: ClassVar[Parts] = ("%count", "of", "%vector", "else", "%other")
    count = operand_def(B32)
    vector = operand_def(VectorType)
    other = operand_def()
    result = result_def(VectorType)
    traits = traits_def(Pure())

    @classmethod
    def inferred_types(cls, operands: Operands, properties: Properties) -> Sequence[Attribute]:
        return [operands["vector"][0].type]

    def verify_(self) -> None:
        with violations_reported():
            raise_any(self._violations())

    def _violations(self) -> Iterator[Violation]:
        shape = vector_shape(self.vector.type)
        if shape is None:
            example = "a vector with one dimension, such as vector<32xf32>"
            yield OPERAND_RULE.violation(self.vector.type, example, "what a thread holds")
            return
        if self.result.type != self.vector.type:
            legal = f"{self.vector.type}, as the operand has"
            yield OPERAND_RULE.violation(self.result.type, legal, "the type of the result")
        if self.other.type != shape[1]:
            what, legal = "the type of the other number", f"{shape[1]}, as the elements have"
            yield OPERAND_RULE.violation(self.other.type, legal, what, culprit="other")
