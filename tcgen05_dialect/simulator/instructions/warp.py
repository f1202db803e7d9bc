"""Votes, matches and reductions in a warp (9.7.13.8 to 9.7.13.12)."""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx import instructions as ptx
from ..machine.gathering import gather
from ..machine.machine import Group, Step, Wait
from ..machine.program import Handler, Program
from ..numbers import floats
from ..numbers.floats import F32, Lanes, every, some
from ..numbers.integers import on_integers
from .synchronization import mask_of_lanes, meet

_BITS = np.uint32(1) << np.arange(WARP_LANES, dtype=np.uint32)


def _as_mask(lanes: Lanes) -> int:
    """The mask of some lanes."""
    return int(_BITS[lanes].sum(dtype=np.uint64))


def _exchanging(compute: Callable[[Any, Lanes, Lanes], Sequence[Lanes]]) -> Handler:
    """
    Handler of an instruction whose results depend on operand `a` in the lanes of the mask.
    `compute` gets the operation, the lanes, and the values in all lanes of the warp.
    """

    def handler(op: Any, program: Program) -> Step:
        lanes_of, a = mask_of_lanes(op, program), program.index(op.a)
        results = [program.index(result) for result in op.results]

        def step(group: Group) -> Wait | None:
            named = lanes_of(group)
            wait = gather(group, named, op)
            if wait is not None:
                return wait
            lanes = named & group.warp.lanes
            if every(lanes == group.mask):
                meet(op, group, group.rows)
            for result, value in zip(results, compute(op, lanes, group.read(a)), strict=True):
                group.write(result, value)
            return None

        return step

    return handler


def _vote(op: ptx.VoteSyncOp, lanes: Lanes, a: Lanes) -> Sequence[Lanes]:
    holds = a[lanes]
    result = {
        "all": every(holds),
        "any": some(holds),
        "uni": every(holds) or not some(holds),
    }[op.mode.data]
    return [np.full(WARP_LANES, result)]


def _ballot(op: Operation, lanes: Lanes, a: Lanes) -> Sequence[Lanes]:
    return [np.full(WARP_LANES, _as_mask(lanes & a), np.uint32)]


def _match_any(op: Operation, lanes: Lanes, a: Lanes) -> Sequence[Lanes]:
    masks = [_as_mask(lanes & (a == a[lane])) for lane in range(WARP_LANES)]
    return [np.array(masks, np.uint32)]


def _match_all(op: Operation, lanes: Lanes, a: Lanes) -> Sequence[Lanes]:
    agree = every(a[lanes] == a[lanes][0])
    mask = _as_mask(lanes) if agree else 0
    return [np.full(WARP_LANES, mask, np.uint32), np.full(WARP_LANES, agree)]


_FUNCTIONS: dict[str, Any] = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


def _redux(op: ptx.ReduxSyncOp, lanes: Lanes, a: Lanes) -> Sequence[Lanes]:
    function, type_ = _FUNCTIONS[op.operation.data], op.type.data
    if type_ == "f32":
        if op.abs is not None:
            a = a & ~F32.sign
        combine = floats.extremum(function, F32, False, op.nan is not None)
    else:
        combine = on_integers(type_, function)
    parts = [a[[lane]] for lane in np.flatnonzero(lanes)]
    return [np.repeat(reduce(combine, parts), WARP_LANES)]


def _activemask(op: ptx.ActivemaskOp, program: Program) -> Step:
    result = program.index(op.d)

    def step(group: Group) -> Wait | None:
        group.write(result, np.full(WARP_LANES, _as_mask(group.mask), np.uint32))
        return None

    return step


HANDLERS: dict[type[Operation], Handler] = {
    ptx.VoteSyncOp: _exchanging(_vote),
    ptx.VoteSyncBallotOp: _exchanging(_ballot),
    ptx.MatchSyncAnyOp: _exchanging(_match_any),
    ptx.MatchSyncAllOp: _exchanging(_match_all),
    ptx.ReduxSyncOp: _exchanging(_redux),
    ptx.ActivemaskOp: _activemask,
}
