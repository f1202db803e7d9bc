"""The registers of the threads of a kernel with setmaxnreg (PTX ISA 9.7.19.5)."""

from collections.abc import Iterator, Sequence
from math import prod
from typing import Protocol, TypeGuard

from xdsl.ir import Operation

from ...isa.model.rule import Violation
from ...isa.ptx.synchronization import (
    ENTRY_REGISTERS,
    REGISTER_BUDGET,
    most_registers,
    registers_at_start,
)
from ..kernel import KernelOp, kernel_around
from .walk import operations_of


class RegisterChange(Protocol):
    """A setmaxnreg; its class imports this module."""

    @property
    def takes(self) -> bool: ...

    @property
    def count(self) -> int: ...


def register_changes(ops: Sequence[Operation]) -> list[RegisterChange]:
    """The setmaxnreg among operations."""
    return [op for op in ops if _is_change(op)]


def _is_change(op: Operation) -> TypeGuard[RegisterChange]:
    """Whether an operation is a setmaxnreg."""
    return op.name == "ptx.setmaxnreg"


def entry_registers(kernel: KernelOp, changes: Sequence[RegisterChange]) -> int | None:
    """The registers of each thread at the start of a kernel; None if they are unknown, or if it has
    no setmaxnreg, without which ptxas chooses their number."""
    if not changes:
        return None
    numbers = dict(kernel.numbers())
    increases = [op.count for op in changes if op.takes]
    return registers_at_start(
        numbers.get("maxnreg"), numbers.get("minnctapersm"), _threads(kernel), increases
    )


def _threads(kernel: KernelOp) -> int:
    """The largest number of threads of a CTA; 0 if the kernel does not limit it."""
    return prod(kernel.extents("reqntid") or kernel.extents("maxntid") or (0,))


def register_warnings(op: Operation) -> Iterator[Violation]:
    """The warning about the first setmaxnreg of a kernel without a number of registers."""
    kernel = kernel_around(op)
    if kernel is None or not _is_change(op):
        return
    changes = register_changes(operations_of(kernel))
    if changes[0] is op and entry_registers(kernel, changes) is None:
        sentence = "the kernel does not say how many registers its threads have at the start"
        yield ENTRY_REGISTERS.violation(None, None, sentence=sentence)


def register_violations(op: Operation) -> Iterator[Violation]:
    """The violations by a setmaxnreg that are certain if a warp executes it."""
    kernel = kernel_around(op)
    if kernel is None or not _is_change(op):
        return
    changes = register_changes(operations_of(kernel))
    start = entry_registers(kernel, changes)
    if start is None:
        return
    most = max([start, *(each.count for each in changes if each.takes)])
    if not op.takes and op.count > most:
        sentence = f"no thread has more than {most} registers; found dec {op.count}"
        yield REGISTER_BUDGET.violation(None, None, sentence=sentence)
    elif op.takes and op.count > start and all(each.takes for each in changes):
        sentence = (
            f"the threads have {start} registers at the start, and no setmaxnreg.dec gives up any; "
            f"found inc {op.count}"
        )
        yield REGISTER_BUDGET.violation(None, None, sentence=sentence)
    required = prod(kernel.extents("reqntid") or (0,))
    if op is changes[0] and required and start > most_registers(required):
        sentence = (
            f"{required} threads with {start} registers each at the start do not fit into a "
            f"multiprocessor; at most {most_registers(required)} do"
        )
        help_ = f"lower maxnreg to {most_registers(required)}"
        yield REGISTER_BUDGET.violation(None, None, sentence=sentence, help=help_)
