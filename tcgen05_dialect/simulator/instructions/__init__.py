"""What each instruction does, by family."""

from collections.abc import Mapping

from xdsl.ir import Operation

from ..program import Handler
from . import arithmetic, bulk_copy, control, memory, mma, synchronization, tcgen05

HANDLERS: Mapping[type[Operation], Handler] = {
    **arithmetic.HANDLERS,
    **control.HANDLERS,
    **memory.HANDLERS,
    **synchronization.HANDLERS,
    **bulk_copy.HANDLERS,
    **tcgen05.HANDLERS,
    **mma.HANDLERS,
}
"""Operation of `ptx` -> what makes its function."""
