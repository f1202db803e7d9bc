"""
Parts of a warp: sets of converged lanes.

PTX does not guarantee that lanes reconverge where their branches join. The lanes of one part are
converged: no branch has separated them since an instruction made them converge.
"""

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.tensor_memory.cells import WARP_LANES
from ..numbers.lanes import Lanes


class Parts:
    """The parts of one warp; initially a single part."""

    def __init__(self) -> None:
        self._lowest: npt.NDArray[np.intp] = np.zeros(WARP_LANES, np.intp)
        """Lane -> the lowest lane of its part."""
        self._branches: dict[int, Operation] = {}
        """Lowest lane of a part -> the last branch that separated it from others."""

    def bring_together(self, lanes: Lanes) -> None:
        """Merge the parts of some lanes into one."""
        lowest = self._lowest[lanes]
        if (lowest != lowest[0]).any():
            whole = np.isin(self._lowest, lowest)
            self._lowest[whole] = whole.argmax()

    def separate(self, lanes: Lanes, taken: Lanes, branch: Operation) -> None:
        """Split the parts of some lanes at a branch that only the lanes in `taken` take."""
        numbers = np.flatnonzero(lanes)
        ways = 2 * self._lowest[numbers] + taken[numbers]
        _, lowest, part = np.unique(ways, return_index=True, return_inverse=True)
        self._lowest[numbers] = numbers[lowest][part]
        self._branches.update(dict.fromkeys(numbers[lowest].tolist(), branch))

    def branch(self, lanes: Lanes) -> Operation | None:
        """The branch that separated some lanes, or None if they are together."""
        lowest = self._lowest[lanes]
        return None if (lowest == lowest[0]).all() else self._branches[int(lowest.max())]

    def of(self, lanes: Lanes) -> list[Lanes]:
        """The given lanes, split by part."""
        lowest = self._lowest[lanes]
        if (lowest == lowest[0]).all():
            return [lanes]
        return [lanes & (self._lowest == number) for number in np.unique(lowest)]
