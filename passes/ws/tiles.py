"""
The loops of roles over the tiles of a kernel, and the place of a CTA among those of its cluster
that share tiles.

Tiles by cluster launch control (9.7.13.16): a role that asks for them, and a loop in each other
role that works on its own tile first, and then on those of the responses.
"""

from collections.abc import Sequence
from functools import cache, cached_property

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, StringAttr, i1, i16, i32, i128
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import is_side_effect_free

from tcgen05_dialect.isa.instructions.barriers import DIMENSIONS
from tcgen05_dialect.ptx import instructions as ptx
from tcgen05_dialect.ws.base import AddressOp
from tcgen05_dialect.ws.boxes import (
    RESPONSE_RING,
    RESPONSE_TILE,
    Cluster,
    Sharing,
    TryCancelOp,
    mask_of,
    receivers,
)
from tcgen05_dialect.ws.regions import ConsumeOp, ProduceOp, YieldOp
from tcgen05_dialect.ws.rings import THREADS, TMA, RingOp
from tcgen05_dialect.ws.roles import RoleOp, WarpSpecializeOp, requester_of

from .emitter import Constants, Emitter, move_before


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
        return self._head.ptx(ptx.SpecialRegisterOp, properties={"register": name}).d

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
    """Move operations of a role to the body of a loop over tiles, behind what the kernel computes
    from the indices of the tile."""
    values: dict[SSAValue, SSAValue] = {}
    values.update(zip(op.indices, indices, strict=True))
    for each in _computed(op):
        clone = each.clone(values)
        values.update(zip(each.results, clone.results, strict=True))
        emit.block.add_op(clone)
    for each in inside:
        emit.move(each)
    for value, new in values.items():
        value.replace_uses_with_if(new, lambda use: emit.block.is_ancestor(use.operation))
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
    move_before(head.ops, op)
    op.operands = []
    op.properties["extents"] = DenseArrayBase.from_list(i32, [])
    for name in ("persistent", "clc", "group"):
        op.properties.pop(name, None)


def _computed(op: WarpSpecializeOp) -> list[Operation]:
    """The operations beside the roles."""
    return [each for each in op.body.block.ops if not isinstance(each, RoleOp)]


def request_tiles(op: WarpSpecializeOp) -> None:
    """Replace the tiles of an operation with `clc`."""
    head = Block()
    emit = Emitter(head, Constants())
    emit.location = op.location
    tiles = Tiles(op, emit)
    ring = emit.make(RingOp, (), [RESPONSE_RING]).ring
    ring.name_hint = "responses"
    position = tiles.position()
    requester = _requester(op, ring)
    for role in op.roles:
        _repeat(role, op, ring, position, tiles, emit.constants)
    op.body.block.add_op(requester)
    finish(op, head, emit.constants)


def _requester(op: WarpSpecializeOp, ring: SSAValue) -> RoleOp:
    """The role that asks for tiles until there is none."""
    worker = requester_of(op.roles)
    body, loop, filling = Block(), Block(), Block(arg_types=[RESPONSE_TILE])
    emit = Emitter(filling, Constants())
    emit.location = op.location
    request = emit.make(TryCancelOp, filling.args, [i1])
    emit.make(YieldOp, [request.more])
    with emit.inside(loop):
        by = {"by": StringAttr(TMA)}
        hold = emit.make(ProduceOp, [ring], [i1], by, [Region(filling)])
        _end_with(emit, hold.results[0], ())
    with emit.inside(body):
        _add_loop(emit, (), loop)
    registers = worker.registers_count
    numbers = {"warps": worker.warps_count} | (
        {} if registers is None else {"registers": registers}
    )
    role = RoleOp.create(
        properties={
            "sym_name": worker.sym_name,
            **{name: IntegerAttr(number, i32) for name, number in numbers.items()},
        },
        regions=[Region(body)],
    )
    role.location = op.location
    return role


def _repeat(
    role: RoleOp,
    op: WarpSpecializeOp,
    ring: SSAValue,
    first: Sequence[SSAValue],
    tiles: Tiles,
    constants: Constants,
) -> None:
    """Put the operations of a role into a loop, after the operations that prepare it."""
    body = Block(arg_types=[each.type for each in first])
    emit = Emitter(body, constants)
    emit.location = op.location
    for argument, dimension in zip(body.args, DIMENSIONS, strict=False):
        argument.name_hint = f"cta_{dimension}"
    inside = [*role.body.block.ops]
    count = next((at for at, each in enumerate(inside) if not _prepares(each, op)), len(inside))
    fill(emit, op, inside[count:], tiles.at(emit, body.args))
    emit.location = op.location
    more, *following = _next(emit, ring, len(first))
    _end_with(emit, more, following)
    with emit.inside(role.body.block):
        _add_loop(emit, first, body)


def _prepares(op: Operation, around: WarpSpecializeOp) -> bool:
    """Whether an operation at the beginning of a role does not depend on the tile."""
    is_pure = is_side_effect_free(op) or isinstance(op, ptx.ShflSyncOp)
    block = around.body.block
    return is_pure and not any(
        each in block.args or each.owner in [*block.ops] for each in op.operands
    )


def _next(emit: Emitter, ring: SSAValue, dimensions: int) -> Sequence[SSAValue]:
    """Append the wait for a response: whether there is a tile, and a position in its cluster."""
    reading = Block(arg_types=[RESPONSE_TILE])
    types = [i1, *[i32] * dimensions]
    with emit.inside(reading):
        address = emit.compute(AddressOp, reading.args, i32)
        load = emit.ptx(
            ptx.LdOp,
            {"address": (address,)},
            {"space": "shared::cta", "type": "b128"},
            [i128],
        )
        response = {"response": (load.results[0],)}
        more = emit.ptx(ptx.ClusterlaunchcontrolIsCanceledOp, response).d
        position = [
            emit.ptx(ptx.ClusterlaunchcontrolFirstCtaOp, response, {"coordinate": each}).d
            for each in DIMENSIONS[:dimensions]
        ]
        # The next response comes through the async proxy.
        emit.ptx(ptx.FenceProxyAsyncOp, properties={"space": "shared::cta"})
        emit.make(YieldOp, [more, *position])
    by = {"by": StringAttr(THREADS)}
    return emit.make(ConsumeOp, [ring], types, by, [Region(reading)]).results


def _end_with(emit: Emitter, more: SSAValue, following: Sequence[SSAValue]) -> None:
    emit.make(scf.ConditionOp, [more, *following])


def _add_loop(emit: Emitter, first: Sequence[SSAValue], body: Block) -> None:
    """Append a loop that goes on with the values at the end of its body."""
    types = [each.type for each in first]
    after = Block(arg_types=types)
    with emit.inside(after):
        emit.make(scf.YieldOp, after.args)
    emit.make(scf.WhileOp, first, types, regions=[Region(body), Region(after)])


Sharings = tuple[Sharing, ...]


class ClusterPlace:
    """Values about this CTA, each made once, by `emit`."""

    def __init__(self, op: WarpSpecializeOp, emit: Emitter) -> None:
        self._cluster: Cluster = op.cluster
        self._ctas = op.ctas
        self._emit = emit
        self.position = cache(self._position)
        self.mask = cache(self._mask)
        self.others = cache(self._others)
        self._register = cache(self._read)
        self._first = cache(self._lowest)

    def _read(self, name: str) -> SSAValue:
        return self._emit.ptx(ptx.SpecialRegisterOp, properties={"register": name}).d

    @property
    def rank(self) -> SSAValue:
        """The rank of this CTA."""
        return self._register("cluster_ctarank")

    @cached_property
    def is_first(self) -> SSAValue:
        """Whether this CTA has rank 0."""
        return self._emit.compare("eq", self.rank, 0)

    def _position(self, sharing: Sharing) -> SSAValue:
        """The position of this CTA among the CTAs that share a tile."""
        at = self._register(f"cluster_ctaid.{sharing.dimension}")
        return self._emit.over(at, sharing.unit)

    def _lowest(self, sharing: Sharing) -> SSAValue:
        """The lowest rank of the CTAs that share a tile with this one."""
        rank, before = self._register("cluster_ctarank"), self.position(sharing)
        return self._emit.minus(rank, self._emit.times(before, sharing.step))

    def _mask(self, sharings: Sharings, of_pair: bool) -> SSAValue:
        """The mask of the CTAs that share a tile with this one or, in its leader, with either CTA
        of the pair."""
        emit = self._emit
        found: SSAValue | None = None
        for sharing in sharings:
            ranks = {0, 1} if of_pair else {0}
            bits = mask_of({each for r in ranks for each in receivers([sharing], self._cluster, r)})
            mask = emit.binary(arith.ShLIOp, bits, self._first(sharing))
            found = mask if found is None else emit.binary(arith.OrIOp, found, mask)
        assert found is not None
        mask = emit.compute(arith.TruncIOp, [found], i16)
        mask.name_hint = "multicast_mask"
        return mask

    def _others(self, sharings: Sharings) -> list[SSAValue]:
        """The ranks of the other CTAs that share a tile with this one."""
        emit = self._emit
        ranks: list[SSAValue] = []
        for sharing in sharings:
            for distance in range(1, sharing.ctas):
                after = emit.plus(self.position(sharing), distance)
                position = emit.binary(arith.RemUIOp, after, sharing.ctas)
                ranks.append(emit.plus(self._first(sharing), emit.times(position, sharing.step)))
        return ranks
