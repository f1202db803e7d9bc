"""The registers of a CTA that setmaxnreg moves between its warps (9.7.19.5)."""

from dataclasses import dataclass

from ...isa.ptx.synchronization import registers_of
from ...isa.tensor_memory.alloc import WARP_LANES


@dataclass(eq=False)
class RegisterPool:
    """
    The registers that setmaxnreg.dec has given up and that setmaxnreg.inc may take. The manual
    adds no registers at the start of the CTA and none at the end of a warp.
    """

    name: str
    free: int = 0

    def required(self, before: int, after: int) -> int:
        """The registers that a warp takes if each thread has `after` instead of `before`; negative
        if it gives them up."""
        return WARP_LANES * (registers_of(after) - registers_of(before))
