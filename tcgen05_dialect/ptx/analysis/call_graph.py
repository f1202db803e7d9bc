"""Checks of all calls of a module: recursion, and the size of the inlined code."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...isa.model.rule import Violation
from ...isa.ptx.ir_form import FUNCTION_RULE
from ..kernel import KernelOp
from .functions import callee_of, calls_in, functions_of, ways_of
from .walk import operations_of

if TYPE_CHECKING:
    from xdsl.dialects.func import CallOp, FuncOp

MOST_OPERATIONS = 1 << 17
"""The most operations that inlining may add to a kernel or a function."""

_Calls: TypeAlias = "Mapping[Operation, Sequence[tuple[CallOp, FuncOp]]]"
"""Kernel or function -> its calls and their functions, in program order."""


def call_violations(module: ModuleOp) -> "Iterator[tuple[CallOp, Violation]]":
    """The recursive calls of a module; if there are none, those that make a kernel too large."""
    functions = functions_of(module)
    kernels = [op for op in module.ops if isinstance(op, KernelOp)]
    calls: _Calls = {
        home: [(call, callee) for call in calls_in(home) if (callee := callee_of(call)) is not None]
        for home in (*functions, *kernels)
    }
    order = _called_first(calls)
    recursive = set(functions).difference(order)
    for function in functions:
        if function in recursive:
            for call, callee in calls[function]:
                if (way := ways_of(callee).get(function)) is not None:
                    yield call, _recursion(call, way)
    if not recursive:
        yield from _too_large(calls, order, kernels)


def _called_first(calls: _Calls) -> list[Operation]:
    """The kernels and functions, each after those that it calls; none that calls recursive ones."""
    sorter = TopologicalSorter[Operation](
        {home: {callee for _, callee in called} for home, called in calls.items()}
    )
    # After a CycleError, the sorter still yields what no cycle blocks.
    with suppress(CycleError):
        sorter.prepare()
    found: list[Operation] = []
    while sorter.is_active():
        ready = sorter.get_ready()
        found += ready
        sorter.done(*ready)
    return found


def _recursion(call: "CallOp", way: Sequence[str]) -> Violation:
    name = call.callee.string_value()
    found = f"@{name}, which calls {', which calls '.join(way or ['itself'])}"
    help = "write a loop of scf instead of the recursion"
    legal = "a function that is not recursive"
    return FUNCTION_RULE.violation(found, legal, "the callee", culprit=f"@{name}", help=help)


def _too_large(
    calls: _Calls, order: Sequence[Operation], kernels: Sequence[KernelOp]
) -> "Iterator[tuple[CallOp, Violation]]":
    """For each kernel that is too large, the first call beyond the limit, in the innermost kernel
    or function that exceeds it. Each such place is reported once."""
    inlined: dict[Operation, int] = {}
    size: dict[Operation, int] = {}
    for home in order:
        inlined[home] = sum(size[callee] for _, callee in calls[home])
        size[home] = len(operations_of(home)) + inlined[home]
    told: set[Operation] = set()
    for kernel in kernels:
        home: Operation | None = kernel
        last = None
        while home is not None and inlined[home] > MOST_OPERATIONS:
            last = home
            home = next((each for _, each in calls[home] if inlined[each] > MOST_OPERATIONS), None)
        if last is None or last in told:
            continue
        told.add(last)
        total = 0
        for call, callee in calls[last]:
            total += size[callee]
            if total > MOST_OPERATIONS:
                yield call, _growth(call, inlined[last])
                break


def _growth(call: "CallOp", found: int) -> Violation:
    name = call.callee.string_value()
    return FUNCTION_RULE.violation(
        found,
        f"at most {MOST_OPERATIONS}",
        "the number of operations that inlining the calls adds here",
        culprit=f"@{name}",
        help="call the function in a loop of scf, or call fewer functions",
    )
