"""Proxy fences, fences with .sync_restrict, and membar (9.7.13.4)."""

from xdsl.ir import Operation

from ...ptx import instructions as ptx
from ...ptx.syntax import offset_of
from ..machine.machine import Group, Step, Wait
from ..machine.program import Handler, Program, nothing
from .synchronization import fence, proxy_fence


def _acquire_map(op: ptx.FenceProxyTensormapAcquireOp, program: Program) -> Step:
    """Step that makes the changes of a tensor map visible to copies."""
    order = fence(op, program)
    index, offset = program.index(op.address), offset_of(op, "address")

    def step(group: Group) -> Wait | None:
        addresses = group.read(index)
        for lane in group.lanes:
            group.machine.changed_maps.pop(int(addresses[lane]) + offset, None)
        return order(group)

    return step


HANDLERS: dict[type[Operation], Handler] = {
    ptx.MembarOp: fence,
    # Each memory has one virtual address.
    ptx.FenceProxyAliasOp: nothing,
    ptx.FenceProxyTensormapReleaseOp: fence,
    ptx.FenceProxyTensormapAcquireOp: _acquire_map,
    ptx.FenceAcquireSyncRestrictOp: fence,
    ptx.FenceReleaseSyncRestrictOp: fence,
    ptx.FenceProxyAsyncAcquireOp: proxy_fence,
    ptx.FenceProxyAsyncReleaseOp: proxy_fence,
}
