"""The tiles of a kernel, as values: how many there are, and which ones a CTA has."""

from collections.abc import Sequence
from functools import cached_property

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Block, Operation, SSAValue

from tcgen05_dialect.isa.ptx.clusterlaunchcontrol import DIMENSIONS
from tcgen05_dialect.ptx.structure import SpecialRegisterOp
from tcgen05_dialect.ws.roles import RoleOp, WarpSpecializeOp

from .emitter import Constants, Emitter


class Tiles:
    """
    The tiles in blocks, each of which the CTAs of a cluster have at a time: as many along each
    dimension as the cluster has CTAs or, in pairs, half as many along the first.

    Values for all roles are made by `head`.
    """

    def __init__(self, op: WarpSpecializeOp, head: Emitter) -> None:
        self._op, self._head = op, head
        self._dimensions = DIMENSIONS[: len(op.tile)]

    def _register(self, name: str) -> SSAValue:
        return self._head.ptx(SpecialRegisterOp, properties={"register": name}).d

    def position(self) -> list[SSAValue]:
        """The position of this CTA in the grid."""
        return [self._register(f"ctaid.{each}") for each in self._dimensions]

    def of_position(self) -> list[SSAValue]:
        """The indices of the tile at the position of this CTA in the grid."""
        position = self.position()
        if self._op.group is not None:
            return self.at(self._head, position)
        x, *others = position
        return [self._head.over(x, self._op.ctas), *others]

    def at(self, emit: Emitter, position: Sequence[SSAValue]) -> list[SSAValue]:
        """The indices of the tile of this CTA, if its cluster had a CTA at this position."""
        extents = self._op.cluster
        block = [emit.over(at, extent) for at, extent in zip(position, extents, strict=False)]
        if self._op.group is not None:
            row, column, *outer = block
            number = emit.plus(row, emit.times(column, self.counts[0]))
            block = [*self._grouped(emit, number), *outer]
        return self._in_block(emit, block)

    @cached_property
    def counts(self) -> Sequence[SSAValue]:
        """The number of blocks along each dimension."""
        op = self._op
        return [
            self._head.binary(arith.CeilDivUIOp, size, extent * tiles)
            for size, extent, tiles in zip(op.sizes, op.tile, op.cluster_tiles, strict=False)
        ]

    @property
    def total(self) -> SSAValue:
        """The number of blocks."""
        total, *others = self.counts
        for each in others:
            total = self._head.times(total, each)
        return total

    def own_block(self) -> tuple[SSAValue, SSAValue]:
        """The number of the cluster along x, and the number of clusters along x."""
        along_x, *_ = self._op.cluster
        first, step = (self._register(f"{name}.x") for name in ("ctaid", "nctaid"))
        return self._head.over(first, along_x), self._head.over(step, along_x)

    @cached_property
    def inside(self) -> Sequence[SSAValue | None]:
        """The position of the tile of this CTA in its block; None along one tile."""
        op, units = self._op, (self._op.ctas, 1, 1)
        return [
            self._head.over(self._register(f"cluster_ctaid.{dimension}"), unit)
            if tiles > 1
            else None
            for dimension, tiles, unit in zip(
                self._dimensions, op.cluster_tiles, units, strict=False
            )
        ]

    def numbered(self, emit: Emitter, number: SSAValue) -> list[SSAValue]:
        """The indices of the tile of this CTA in the block with a number."""
        rows, *others = self.counts
        radices = self.counts[:-1]
        if self._op.group is not None:
            columns, *outer = others
            radices = [self._head.times(rows, columns), *outer[:-1]] if outer else []
        found: list[SSAValue] = []
        for radix in radices:
            found.append(emit.binary(arith.RemUIOp, number, radix))
            number = emit.binary(arith.DivUIOp, number, radix)
        found.append(number)
        if self._op.group is not None:
            found[:1] = self._grouped(emit, found[0])
        return self._in_block(emit, found)

    def _grouped(self, emit: Emitter, number: SSAValue) -> list[SSAValue]:
        """The row and the column of the block with a number, in groups of rows."""
        size, most = self._whole_group, self._rows_of_group
        first = emit.times(emit.binary(arith.DivUIOp, number, size), most)
        inside = emit.binary(arith.RemUIOp, number, size)
        height = emit.binary(arith.MinUIOp, emit.binary(arith.SubiOp, self.counts[0], first), most)
        row = emit.plus(first, emit.binary(arith.RemUIOp, inside, height))
        return [row, emit.binary(arith.DivUIOp, inside, height)]

    @cached_property
    def _rows_of_group(self) -> int:
        """The number of rows of blocks in a group."""
        assert self._op.group is not None
        return self._op.group.value.data // self._op.cluster_tiles[0]

    @cached_property
    def _whole_group(self) -> SSAValue:
        """The number of blocks in a group that is not the last."""
        _, columns, *_ = self.counts
        return self._head.times(columns, self._rows_of_group)

    def _in_block(self, emit: Emitter, block: Sequence[SSAValue]) -> list[SSAValue]:
        """The indices of the tile of this CTA in the block with these indices."""
        return [
            each if inside is None else emit.plus(emit.times(each, tiles), inside)
            for each, inside, tiles in zip(block, self.inside, self._op.cluster_tiles, strict=False)
        ]


def fill(
    emit: Emitter, op: WarpSpecializeOp, inside: Sequence[Operation], indices: Sequence[SSAValue]
) -> None:
    """
    Move operations of a role to the body of a loop over tiles, behind what the kernel computes from
    the indices of the tile.
    """
    values: dict[SSAValue, SSAValue] = {}
    values.update(zip(op.indices, indices, strict=True))
    for each in _computed(op):
        clone = each.clone(values)
        values.update(zip(each.results, clone.results, strict=True))
        emit.block.add_op(clone)
    for each in inside:
        emit.move(each)
    for value, new in values.items():
        value.replace_uses_with_if(new, lambda use: _is_inside(use.operation, emit.block))
        if new.name_hint is None:
            new.name_hint = value.name_hint


def finish(op: WarpSpecializeOp, head: Block, constants: Constants) -> None:
    """Insert what the roles share, and remove the tiles of an operation."""
    for each in reversed(_computed(op) if op.indices else []):
        each.detach()
        each.erase()
    for argument in reversed([*op.indices]):
        op.body.block.erase_arg(argument)
    constants.prepend(head)
    parent = op.parent
    assert parent is not None
    for each in [*head.ops]:
        each.detach()
        parent.insert_op_before(each, op)
    op.operands = []
    op.properties["extents"] = DenseArrayBase.from_list(i32, [])
    for name in ("persistent", "clc", "group"):
        op.properties.pop(name, None)


def _computed(op: WarpSpecializeOp) -> list[Operation]:
    """The operations beside the roles."""
    return [each for each in op.body.block.ops if not isinstance(each, RoleOp)]


def _is_inside(op: Operation, block: Block) -> bool:
    above: Operation | None = op
    while above is not None:
        if above.parent is block:
            return True
        above = above.parent_op()
    return False
