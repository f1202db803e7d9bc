"""Statistics of a run."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Statistics:
    """
    Counts of a run: instructions by warp index in the CTA (the cost of each role), matrix products
    and their multiply-adds, bytes moved by TMA, and the maximum number of tensor memory columns
    allocated by one CTA.
    """

    instructions: Counter[int] = field(default_factory=Counter[int])
    matrix_products: int = 0
    multiply_adds: int = 0
    bytes_loaded: int = 0
    bytes_stored: int = 0
    tensor_memory_columns: int = 0

    def __str__(self) -> str:
        warps = ", ".join(f"warp {warp}: {n}" for warp, n in sorted(self.instructions.items()))
        return "\n".join(
            (
                f"instructions          {self.instructions.total()} ({warps})",
                f"matrix products       {self.matrix_products}",
                f"multiply-adds         {self.multiply_adds}",
                f"bytes loaded by TMA   {self.bytes_loaded}",
                f"bytes stored by TMA   {self.bytes_stored}",
                f"tensor memory columns {self.tensor_memory_columns}",
            )
        )
