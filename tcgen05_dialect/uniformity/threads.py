"""The threads of a CTA, as far as the directives of the kernel determine their number."""

from math import prod
from typing import NamedTuple

from ..isa.instructions.barriers import MAX_THREADS
from ..isa.tensor_memory.alloc import WARP_LANES
from ..ptx.instructions import SpecialRegisterOp
from ..ptx.kernel import KernelOp
from .lane_values import UNKNOWN, Shared, Value, packed

_DIMENSIONS = ("x", "y", "z")


class Threads(NamedTuple):
    """
    The threads of a CTA. If they `exist`, every launch has these extents. Otherwise a launch may
    have fewer threads, all in the first dimension; if `extents` is empty, it may have any extents.
    """

    extents: tuple[int, ...]
    exist: bool

    @property
    def number(self) -> int:
        return prod(self.extents) if self.extents else MAX_THREADS

    @property
    def all(self) -> int:
        """The set of all threads; thread i is bit i."""
        return (1 << self.number) - 1

    def warps(self) -> list[int]:
        """The set of threads of each warp."""
        warp = (1 << WARP_LANES) - 1
        return [self.all & warp << first for first in range(0, self.number, WARP_LANES)]

    def holding(self, predicate: Value, expected: bool) -> int:
        """The set of threads in which a predicate may have a value."""
        if predicate.shared is not Shared.KNOWN:
            return self.all
        if len(predicate.known) == 1:
            return self.all if bool(predicate.known[0]) is expected else 0
        found = int("".join(map(str, reversed(predicate.known))), 2)
        return found if expected else self.all & ~found


def threads_of(kernel: KernelOp) -> Threads:
    """The threads of the CTAs of a kernel."""
    if (required := kernel.extents("reqntid")) is not None:
        return Threads(_three(required), exist=True)
    most = _three(kernel.extents("maxntid") or (MAX_THREADS,))
    return Threads(most if most[1:] == (1, 1) and not _is_deep(kernel) else (), exist=False)


def _three(extents: tuple[int, ...]) -> tuple[int, ...]:
    return (*extents, 1, 1)[: len(_DIMENSIONS)]


def _is_deep(kernel: KernelOp) -> bool:
    """Whether a kernel asks for a second dimension of its CTAs."""
    deep = {f"{name}.{dimension}" for name in ("tid", "ntid") for dimension in _DIMENSIONS[1:]}
    return any(
        isinstance(op, SpecialRegisterOp) and op.register.data in deep
        for block in kernel.body.blocks
        for op in block.ops
    )


def special_register(name: str, threads: Threads) -> Value:
    """The value of a special register in each thread."""
    base, _, dimension = name.partition(".")
    axis = _DIMENSIONS.index(dimension) if dimension else 0
    if base == "laneid":
        return _each(threads, 1, WARP_LANES)
    if base == "tid":
        if not threads.extents:
            return UNKNOWN
        return _each(threads, prod(threads.extents[:axis]), threads.extents[axis])
    if base == "ntid" and threads.exist:
        return Value(Shared.KNOWN, (threads.extents[axis],))
    if base == "warpid":
        return Value(Shared.WARP)
    return UNKNOWN if base in _OF_A_THREAD else Value(Shared.CTA)


_OF_A_THREAD = ("clock", "lanemask_eq", "lanemask_le", "lanemask_lt", "lanemask_ge", "lanemask_gt")


def _each(threads: Threads, period: int, extent: int) -> Value:
    """The value that counts to `extent`, one up after each `period` threads."""
    numbers = [thread // period % extent for thread in range(threads.number)]
    return Value(Shared.KNOWN, packed(numbers))
