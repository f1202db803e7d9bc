"""
Tiles by cluster launch control (9.7.13.16): a role that asks for them, and a loop in each other
role that works on its own tile first, and then on those of the responses.
"""

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerAttr, StringAttr, i1, i32, i128
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import is_side_effect_free

from tcgen05_dialect.isa.ptx.clusterlaunchcontrol import DIMENSIONS
from tcgen05_dialect.ptx.clusterlaunchcontrol import (
    ClusterlaunchcontrolFirstCtaOp,
    ClusterlaunchcontrolIsCanceledOp,
)
from tcgen05_dialect.ptx.memory import LdOp
from tcgen05_dialect.ptx.synchronization import FenceProxyAsyncOp, ShflSyncOp
from tcgen05_dialect.ws.address import AddressOp
from tcgen05_dialect.ws.holdings import THREADS, TMA
from tcgen05_dialect.ws.regions import ConsumeOp, ProduceOp, YieldOp
from tcgen05_dialect.ws.responses import RING, TILE, TryCancelOp
from tcgen05_dialect.ws.rings import RingOp
from tcgen05_dialect.ws.roles import RoleOp, WarpSpecializeOp
from tcgen05_dialect.ws.warps import requester_of

from .emitter import Constants, Emitter
from .tiles import Tiles, fill, finish


def request_tiles(op: WarpSpecializeOp) -> None:
    """Replace the tiles of an operation with `clc`."""
    head = Block()
    emit = Emitter(head, Constants())
    emit.location = op.location
    tiles = Tiles(op, emit)
    ring = emit.make(RingOp, (), [RING]).ring
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
    body, loop, filling = Block(), Block(), Block(arg_types=[TILE])
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
    """Put the operations of a role into a loop, behind those that prepare it."""
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
    is_pure = is_side_effect_free(op) or isinstance(op, ShflSyncOp)
    block = around.body.block
    return is_pure and not any(
        each in block.args or each.owner in [*block.ops] for each in op.operands
    )


def _next(emit: Emitter, ring: SSAValue, dimensions: int) -> Sequence[SSAValue]:
    """Append the wait for a response: whether there is a tile, and a position in its cluster."""
    reading = Block(arg_types=[TILE])
    types = [i1, *[i32] * dimensions]
    with emit.inside(reading):
        address = emit.compute(AddressOp, reading.args, i32)
        load = emit.ptx(
            LdOp,
            {"address": (address,)},
            {"space": "shared::cta", "type": "b128"},
            [i128],
        )
        response = {"response": (load.results[0],)}
        more = emit.ptx(ClusterlaunchcontrolIsCanceledOp, response).d
        position = [
            emit.ptx(ClusterlaunchcontrolFirstCtaOp, response, {"coordinate": each}).d
            for each in DIMENSIONS[:dimensions]
        ]
        # The next response comes through the async proxy.
        emit.ptx(FenceProxyAsyncOp, properties={"space": "shared::cta"})
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
