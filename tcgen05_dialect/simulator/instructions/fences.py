"""Proxy fences, fences with .sync_restrict, and membar (9.7.13.4)."""

from xdsl.ir import Operation

from ...ptx import fences as ptx
from ..machine.program import Handler, nothing
from .synchronization import fence, proxy_fence

HANDLERS: dict[type[Operation], Handler] = {
    ptx.MembarOp: fence,
    # Each memory has one virtual address.
    ptx.FenceProxyAliasOp: nothing,
    ptx.FenceProxyTensormapReleaseOp: fence,
    ptx.FenceProxyTensormapAcquireOp: fence,
    ptx.FenceAcquireSyncRestrictOp: fence,
    ptx.FenceReleaseSyncRestrictOp: fence,
    ptx.FenceProxyAsyncAcquireOp: proxy_fence,
    ptx.FenceProxyAsyncReleaseOp: proxy_fence,
}
