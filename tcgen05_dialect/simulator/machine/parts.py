"""
Parts of a warp: lanes that are together.

Nothing in PTX promises that lanes reconverge where their branches join. Lanes of one part are
together: since an instruction brought them together, no branch has separated them.
"""

import numpy as np
import numpy.typing as npt

from ...isa.tensor_memory.cells import WARP_LANES
from ..numbers.lanes import Lanes


class Parts:
    """The parts of one warp, which begins as a single part."""

    def __init__(self) -> None:
        self._lowest: npt.NDArray[np.intp] = np.zeros(WARP_LANES, np.intp)
        """Lane -> the lowest lane of its part."""

    def bring_together(self, lanes: Lanes) -> None:
        """Make one part of the parts of some lanes."""
        lowest = self._lowest[lanes]
        if (lowest != lowest[0]).any():
            whole = np.isin(self._lowest, lowest)
            self._lowest[whole] = whole.argmax()

    def separate(self, lanes: Lanes, taken: Lanes) -> None:
        """Split the parts of some lanes at a branch that only the lanes `taken` take."""
        numbers = np.flatnonzero(lanes)
        ways = 2 * self._lowest[numbers] + taken[numbers]
        _, lowest, part = np.unique(ways, return_index=True, return_inverse=True)
        self._lowest[numbers] = numbers[lowest][part]

    def of(self, lanes: Lanes) -> list[Lanes]:
        """Some lanes, by part."""
        lowest = self._lowest[lanes]
        if (lowest == lowest[0]).all():
            return [lanes]
        return [lanes & (self._lowest == number) for number in np.unique(lowest)]
