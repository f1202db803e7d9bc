"""
Parts of a warp: sets of converged lanes.

PTX does not guarantee that lanes reconverge where their branches join. The lanes of one part are
converged: no branch has separated them since an instruction made them converge.
"""

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.tensor_memory.alloc import WARP_LANES
from ..numbers.lanes import Lanes, every, some


class Parts:
    """The parts of one warp; initially a single part."""

    def __init__(self) -> None:
        self._lowest: npt.NDArray[np.intp] = np.zeros(WARP_LANES, np.intp)
        """Lane -> the lowest lane of its part."""
        self._branches: dict[int, Operation] = {}
        """Lowest lane of a part -> the last branch that separated it from others."""
        self._is_one = True
        """Whether there is a single part, which is the usual case."""

    def bring_together(self, lanes: Lanes) -> None:
        """Merge the parts of some lanes into one."""
        if self._is_one:
            return
        lowest = self._lowest[lanes]
        if some(lowest != lowest[0]):
            together = set(lowest.tolist())
            whole = [number in together for number in self._lowest.tolist()]
            self._lowest[whole] = whole.index(True)
            self._is_one = every(self._lowest == self._lowest[0])

    def separate(self, lanes: Lanes, taken: Lanes, branch: Operation) -> None:
        """Split the parts of some lanes at a branch that only the lanes in `taken` take."""
        lowest = self._lowest.copy()
        for number in set(lowest[lanes].tolist()):
            for way in (lanes & taken, lanes & ~taken):
                part = way & (lowest == number)
                if some(part):
                    first = int(part.argmax())
                    self._lowest[part] = first
                    self._branches[first] = branch
        self._is_one = False

    def branch(self, lanes: Lanes) -> Operation | None:
        """The branch that separated some lanes, or None if they are together."""
        if self._is_one:
            return None
        lowest = self._lowest[lanes]
        return None if every(lowest == lowest[0]) else self._branches[int(lowest.max())]

    def of(self, lanes: Lanes) -> list[Lanes]:
        """The given lanes, split by part."""
        if self._is_one:
            return [lanes]
        lowest = self._lowest[lanes]
        if every(lowest == lowest[0]):
            return [lanes]
        return [lanes & (self._lowest == number) for number in np.unique(lowest)]
