"""The pass `ws-sink-tiles`: replaces the tiles of `ws.warp_specialize` by loops in the roles."""

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i32
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from tcgen05_dialect.ptx.analysis.walk import operations_of
from tcgen05_dialect.ws.roles import RoleOp, WarpSpecializeOp

from .ws.emitter import Constants, Emitter
from .ws.tiles import Tiles


def _sink(op: WarpSpecializeOp) -> None:
    head = Block()
    emit = Emitter(head, Constants())
    emit.location = op.location
    tiles = Tiles(op, emit)
    if op.persistent is None:
        _replace(op, tiles.of_position())
    else:
        _sink_loop(op, tiles, emit.constants)
    emit.constants.prepend(head)
    parent = op.parent
    assert parent is not None
    for each in [*head.ops]:
        each.detach()
        parent.insert_op_before(each, op)
    op.operands = []
    op.properties["extents"] = DenseArrayBase.from_list(i32, [])
    for name in ("persistent", "group"):
        op.properties.pop(name, None)


def _replace(op: WarpSpecializeOp, indices: list[SSAValue]) -> None:
    for argument, index in zip([*op.indices], indices, strict=True):
        index.name_hint = argument.name_hint
        argument.replace_all_uses_with(index)
        op.body.block.erase_arg(argument)


def _sink_loop(op: WarpSpecializeOp, tiles: Tiles, constants: Constants) -> None:
    """Put a loop over the tiles of this CTA into each role, with the values that depend on them."""
    total = tiles.total
    first, step = tiles.own_block()
    computed = [each for each in op.body.block.ops if not isinstance(each, RoleOp)]
    for role in op.roles:
        _sink_into(role, op, computed, (first, total, step), tiles, constants)
    for each in reversed(computed):
        each.detach()
        each.erase()
    for argument in reversed([*op.indices]):
        op.body.block.erase_arg(argument)


def _sink_into(
    role: RoleOp,
    op: WarpSpecializeOp,
    computed: list[Operation],
    bounds: tuple[SSAValue, SSAValue, SSAValue],
    tiles: Tiles,
    constants: Constants,
) -> None:
    old = role.body.block
    body = Block(arg_types=[i32])
    emit = Emitter(body, constants)
    emit.location = op.location
    number = body.args[0]
    number.name_hint = "tile"
    values: dict[SSAValue, SSAValue] = {}
    values.update(zip(op.indices, tiles.numbered(emit, number), strict=True))
    for each in computed:
        clone = each.clone(values)
        values.update(zip(each.results, clone.results, strict=True))
        body.add_op(clone)
    for each in [*old.ops]:
        emit.move(each)
    for value, new in values.items():
        value.replace_uses_with_if(new, lambda use: _is_inside(use.operation, body))
        if new.name_hint is None:
            new.name_hint = value.name_hint
    end = scf.YieldOp.create()
    end.location = op.location
    body.add_op(end)
    loop = scf.ForOp.create(operands=bounds, regions=[Region(body)])
    loop.location = op.location
    old.add_op(loop)


def _is_inside(op: Operation, block: Block) -> bool:
    above: Operation | None = op
    while above is not None:
        if above.parent is block:
            return True
        above = above.parent_op()
    return False


class WsSinkTiles(ModulePass):
    """
    Replaces the tiles of `ws.warp_specialize` by the position of the CTA in the grid or, if the
    kernel is persistent, by a loop over tiles in each role.
    """

    name = "ws-sink-tiles"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in operations_of(op):
            if isinstance(inner, WarpSpecializeOp) and inner.sizes:
                _sink(inner)
