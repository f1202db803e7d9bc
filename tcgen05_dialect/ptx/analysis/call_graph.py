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
from .functions import callee_of, calls_in, functions_of
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
    order = _called_first({home: {each for _, each in calls[home]} for home in calls})
    recursive = _recursive(calls, order)
    for function in recursive:
        for call, callee in calls[function]:
            if (way := _way(calls, callee, function)) is not None:
                yield call, _recursion(call, way)
    if len(order) == len(calls):
        yield from _too_large(calls, order, kernels)


def _recursive(calls: _Calls, order: Sequence[Operation]) -> list[Operation]:
    """The functions in cycles of calls, and those between two cycles."""
    rest = set(calls).difference(order)
    callers: dict[Operation, set[Operation]] = {each: set() for each in rest}
    for home in rest:
        for _, callee in calls[home]:
            if callee in rest:
                callers[callee].add(home)
    outside = set(_called_first(callers))
    return [home for home in calls if home in rest and home not in outside]


def _way(calls: _Calls, start: Operation, end: Operation) -> list[str] | None:
    """The names that a shortest chain of calls from one function to another calls; None if there is
    no chain."""
    above: dict[Operation, tuple[Operation, str] | None] = {start: None}
    pending = [start]
    for home in pending:
        for call, callee in calls[home]:
            if callee not in above:
                above[callee] = home, f"@{call.callee.string_value()}"
                pending.append(callee)
    if end not in above:
        return None
    way: list[str] = []
    each = above[end]
    while each is not None:
        way.append(each[1])
        each = above[each[0]]
    way.reverse()
    return way


def _called_first(calls: Mapping[Operation, set[Operation]]) -> list[Operation]:
    """The keys of a mapping, each after those of its values; none from which a way leads to a
    cycle."""
    sorter = TopologicalSorter[Operation](calls)
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
