"""Tensor copies in im2col mode (9.7.9.25.5). The emulator has no tensor maps of this mode."""

from xdsl.ir import Operation

from ...ptx import instructions as ptx
from ..machine.program import Handler, nothing, unsupported

_copy = unsupported("tensor maps in im2col mode")

HANDLERS: dict[type[Operation], Handler] = {
    ptx.CpAsyncBulkTensorIm2colOp: _copy,
    ptx.CpAsyncBulkTensorIm2colNoOffsOp: _copy,
    ptx.CpReduceAsyncBulkTensorIm2colNoOffsOp: _copy,
    # Caches are not modelled.
    ptx.CpAsyncBulkPrefetchTensorIm2colOp: nothing,
}
