"""The pass `ws-sink-tiles`: replaces the tiles of `ws.warp_specialize` by loops in the roles."""

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.ir import Block, Region, SSAValue
from xdsl.passes import ModulePass

from tcgen05_dialect.ws.roles import RoleOp, WarpSpecializeOp

from .support.functions import without_functions
from .ws.context import with_roles
from .ws.emitter import Constants, Emitter
from .ws.tiles import Tiles, fill, finish


def _sink(op: WarpSpecializeOp) -> None:
    head = Block()
    emit = Emitter(head, Constants())
    emit.location = op.location
    tiles = Tiles(op, emit)
    if op.persistent is None:
        _replace(op, tiles.of_position())
    else:
        total = tiles.total
        bounds = (*tiles.own_block(), total)
        for role in op.roles:
            _sink_into(role, op, bounds, tiles, emit.constants)
    finish(op, head, emit.constants)


def _replace(op: WarpSpecializeOp, indices: list[SSAValue]) -> None:
    for argument, index in zip([*op.indices], indices, strict=True):
        index.name_hint = argument.name_hint
        argument.replace_all_uses_with(index)
        op.body.block.erase_arg(argument)


def _sink_into(
    role: RoleOp,
    op: WarpSpecializeOp,
    bounds: tuple[SSAValue, SSAValue, SSAValue],
    tiles: Tiles,
    constants: Constants,
) -> None:
    """Put a loop over the tiles of this CTA into a role, with the values that depend on them."""
    body = Block(arg_types=[i32])
    emit = Emitter(body, constants)
    emit.location = op.location
    number = body.args[0]
    number.name_hint = "tile"
    fill(emit, op, [*role.body.block.ops], tiles.numbered(emit, number))
    emit.location = op.location
    emit.make(scf.YieldOp)
    first, step, end = bounds
    with emit.inside(role.body.block):
        emit.make(scf.ForOp, [first, end, step], regions=[Region(body)])


class WsSinkTiles(ModulePass):
    """
    Replaces the tiles of `ws.warp_specialize` by the position of the CTA in the grid or, if the
    kernel is persistent, by a loop over tiles in each role. With `clc`, `ws-lower` makes this loop,
    because the requests for tiles need barrier objects.
    """

    name = "ws-sink-tiles"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        without_functions(op)
        for each in with_roles(op, self.name):
            if each.sizes and each.clc is None:
                _sink(each)
