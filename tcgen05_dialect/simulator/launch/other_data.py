"""
Other data: a second run for threads that wrote the same value to one place.

They may have done so by chance: the data of a launch are equal, as zeros are. With other data the
values differ, unless the kernel makes them equal.
"""

from collections.abc import Callable, Iterable
from contextlib import closing

import numpy as np
from xdsl.ir import Operation

from ...isa.model.rule import Violation
from ...isa.practice import RACE
from ...ptx.analysis.control_slice import slice_of
from ...ptx.kernel import KernelOp
from ...reporting.diagnostics import OperationError, located
from ..machine.machine import Machine
from ..machine.run import run_machine
from ..numbers.contents import SEEDS, content_of
from .grid import Grid


def change_contents(machine: Machine, seed: int) -> None:
    """Give the arrays of a launch contents that differ from place to place."""
    for memory in machine.global_space.memories:
        memory.bytes = content_of(np.arange(memory.base, memory.end), seed)


def race_with_other_data(
    kernel: KernelOp,
    shared: Iterable[Operation],
    machine_with: Callable[[int], tuple[Machine, Grid]],
) -> OperationError | None:
    """
    Run a kernel with other data if some of the stores `shared`, by which threads wrote the same
    value to one place, store data. Returns the error if threads then write different values; None
    if they do not, or if addresses or control depend on data.
    """
    slice_ = slice_of(kernel)
    stores = {op for op in shared if slice_.stored_by_threads(op)}
    if not stores or slice_.is_of_memory:
        return None
    for seed in range(SEEDS if slice_.compares_data(kernel.walk()) else 1):
        machine, grid = machine_with(seed)
        with closing(machine):
            try:
                grid.start()
                run_machine(machine)
            except OperationError as error:
                violation = error.__cause__
                assert isinstance(violation, Violation)
                ops = error.operation, error.related
                if violation.rule is RACE and not stores.isdisjoint(ops):
                    return _of_other_data(error, violation)
    return None


def _of_other_data(error: OperationError, violation: Violation) -> OperationError:
    text = violation.sentence or violation.text
    found = f"{text}; the data of this launch are equal there, other data differ"
    return located(error.operation, violation.replaced(sentence=found, subject=""), error.related)
