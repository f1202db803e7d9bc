"""Accesses to memory of several GPUs (9.7.9.14). The emulator has one GPU."""

from xdsl.ir import Operation

from ...ptx import instructions as ptx
from ..machine.program import Handler, unsupported

_access = unsupported("addresses of the memory of several GPUs")

HANDLERS: dict[type[Operation], Handler] = {
    ptx.MultimemLdReduceOp: _access,
    ptx.MultimemStOp: _access,
    ptx.MultimemRedOp: _access,
}
