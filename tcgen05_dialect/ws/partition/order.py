"""The order in which the only role of a kernel executes operations, for several sizes."""

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from xdsl.ir import Operation

from ...ptx.kernel import KernelOp
from ..control_flow import ControlFlow, Excluded, run_of
from ..evaluation import deciding
from ..games import assumptions, sizes_of, sizes_text
from ..kernel import Kernel


class Order(NamedTuple):
    """The sizes of a run as the begin of a sentence, what the role executes, in order, and which
    way conditionals go."""

    sizes: str
    operations: Sequence[Operation]
    ways: Set[tuple[Operation, bool]]


def orders(function: KernelOp, kernel: Kernel, operations: Sequence[Operation]) -> Iterator[Order]:
    """
    For each size, some operations of the only role in the order in which it executes them. Raises
    Undecided.
    """
    needed = {*deciding(operations, assumptions(function)), *kernel.op.sizes}
    flow = ControlFlow(needed, operations)
    (role,) = kernel.roles
    for sizes in sizes_of(function, kernel, needed):
        try:
            run = run_of(function, kernel, sizes, flow, role)
        except Excluded:
            continue
        yield Order(sizes_text(sizes), run.passed, run.ways)
