"""
The state space of a generic address (5.1, 9.7.9.19).

The windows of constant, local and shared memory are not in global memory; that of the parameters
is.
"""

import numpy as np
from xdsl.ir import Operation

from ...ptx import instructions as ptx
from ..machine.machine import Group, Step, Wait
from ..machine.memory import SHARED_WINDOW, WINDOW_BYTES
from ..machine.program import Handler, Program
from ..numbers.floats import Lanes
from .memory import is_in_window

_WINDOWS = ("const", "local", "shared::cluster")
"""The state spaces with windows outside global memory."""


def _isspacep(op: ptx.IsspacepOp, program: Program) -> Step:
    a, d, space = program.index(op.a), program.index(op.d), op.space.data

    def step(group: Group) -> Wait | None:
        addresses = group.read(a).astype(np.int64)
        group.write(d, _is_in(group, addresses, space))
        return None

    return step


def _is_in(group: Group, addresses: Lanes, space: str) -> Lanes:
    if space == "global":
        return ~np.logical_or.reduce([is_in_window(addresses, each) for each in _WINDOWS])
    if space in ("shared", "shared::cta"):
        first = SHARED_WINDOW + group.warp.cta.shared.base
        return (addresses >= first) & (addresses < first + WINDOW_BYTES)
    return is_in_window(addresses, space)


HANDLERS: dict[type[Operation], Handler] = {ptx.IsspacepOp: _isspacep}
