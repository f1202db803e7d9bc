"""Proxy fences, fences with .sync_restrict, and membar (9.7.13.4)."""

from xdsl.irdl import operand_def

from ..isa.ptx.fences import MEMBAR_SCOPES, TENSORMAP_SCOPES, TENSORMAP_SEMANTICS
from .instruction import EffectInstruction, instruction, opt_offset, qualifier
from .register_types import B64


@instruction("membar.$scope", spellings={"scope": MEMBAR_SCOPES})
class MembarOp(EffectInstruction):
    """Order memory accesses of this thread for the threads of the scope, as `fence.sc` does."""

    name = "ptx.membar"
    scope = qualifier(*MEMBAR_SCOPES)


@instruction("fence.proxy.alias", also={"membar": "membar.proxy.alias"})
class FenceProxyAliasOp(EffectInstruction):
    """Order memory accesses through virtual addresses of the same memory."""

    name = "ptx.fence.proxy.alias"


@instruction("fence.proxy.tensormap::generic.release.$scope")
class FenceProxyTensormapReleaseOp(EffectInstruction):
    """
    Make changes of tensor maps by the generic proxy visible to threads that acquire them with
    `ptx.fence.proxy.tensormap.acquire`.
    """

    name = "ptx.fence.proxy.tensormap.release"
    scope = qualifier(*TENSORMAP_SCOPES)


@instruction("fence.proxy.tensormap::generic.$semantics.$scope [%address], 128")
class FenceProxyTensormapAcquireOp(EffectInstruction):
    """Order later uses of the tensor map at `address` after changes by the generic proxy."""

    name = "ptx.fence.proxy.tensormap.acquire"
    semantics = qualifier(*TENSORMAP_SEMANTICS)
    scope = qualifier(*TENSORMAP_SCOPES)
    address = operand_def(B64)
    address_offset = opt_offset()


@instruction("fence.acquire.sync_restrict::shared::cluster.cluster")
class FenceAcquireSyncRestrictOp(EffectInstruction):
    """Acquire what other threads release with operations on barrier objects of the cluster."""

    name = "ptx.fence.acquire.sync_restrict"


@instruction("fence.release.sync_restrict::shared::cta.cluster")
class FenceReleaseSyncRestrictOp(EffectInstruction):
    """Release earlier accesses for operations on barrier objects of this CTA."""

    name = "ptx.fence.release.sync_restrict"


@instruction("fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster")
class FenceProxyAsyncAcquireOp(EffectInstruction):
    """Order accesses of the async proxy after those that barrier objects of the cluster order."""

    name = "ptx.fence.proxy.async.acquire"


@instruction("fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster")
class FenceProxyAsyncReleaseOp(EffectInstruction):
    """Release earlier accesses to shared memory of this CTA to the async proxy of the cluster."""

    name = "ptx.fence.proxy.async.release"
