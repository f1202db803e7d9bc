"""
Functions of the dialect `func`, and the check of their calls.

Calls are inlined, so PTX text contains no functions. Whatever depends on the calling kernel is
verified after inlining.

Checks of all calls of a module: recursion, and the size of the inlined code.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, SymbolRefAttr
from xdsl.ir import Attribute, Block, Operation
from xdsl.traits import IsTerminator, Pure

from ...isa.model.rule import Violation, did_you_mean, raise_any
from ...isa.ptx.kernel import FUNCTION_RULE
from ..kernel import KernelOp
from ..variables import ParameterUse
from .control_flow import operations_of
from .symbols import definitions, find_symbol, symbol_table

if TYPE_CHECKING:
    from xdsl.dialects.func import CallOp, FuncOp, ReturnOp

CALL, FUNCTION, RETURN = "func.call", "func.func", "func.return"
_OWN = ("ptx.", "tcgen05.", "ws.")


def _is_call(op: Operation) -> "TypeGuard[CallOp]":
    return op.name == CALL


def _is_function(op: Operation | None) -> "TypeGuard[FuncOp]":
    return op is not None and op.name == FUNCTION


def _is_return(op: Operation | None) -> "TypeGuard[ReturnOp]":
    return op is not None and op.name == RETURN


def calls_in(op: Operation) -> "list[CallOp]":
    """The calls in an operation, in program order."""
    return [each for each in operations_of(op) if _is_call(each)]


def functions_of(module: ModuleOp) -> "list[FuncOp]":
    """The functions of a module, in program order."""
    return [op for op in module.ops if _is_function(op)]


def verified_inlined(module: ModuleOp) -> set[Operation]:
    """
    The operations that are verified only after inlining: those of kernels with calls, and in
    functions those that need a role or a parameter of a kernel.
    """
    found: set[Operation] = set()
    for op in module.ops:
        inside = operations_of(op)
        if isinstance(op, KernelOp) and any(map(_is_call, inside)):
            found.update(each for each in inside if not _is_call(each))
        elif _is_function(op):
            found.update(filter(_needs_kernel, inside))
    return found


def verified_as_written(module: ModuleOp, inlined: ModuleOp) -> set[Operation]:
    """The operations that need not be verified in a copy of a module with its calls inlined: all
    except those of kernels with calls."""
    kernels = zip(_kernels(module), _kernels(inlined), strict=True)
    changed = {copy for kernel, copy in kernels if calls_in(kernel)}
    others = (op for op in inlined.ops if op not in changed)
    return {inlined, *(each for op in others for each in operations_of(op))}


def _kernels(module: ModuleOp) -> list[KernelOp]:
    return [op for op in module.ops if isinstance(op, KernelOp)]


def _needs_kernel(op: Operation) -> bool:
    if op.name.startswith("ws."):
        return not op.has_trait(Pure)
    return isinstance(op, ParameterUse)


def is_straight(function: "FuncOp") -> bool:
    """Whether a function is one block that ends with a return; its calls may be anywhere."""
    blocks = function.body.blocks
    return len(blocks) == 1 and _is_return(blocks[0].last_op)


def function_violations(op: Operation) -> Iterator[Violation]:
    """The violations by an operation of `func`."""
    if _is_call(op):
        yield from _call_violations(op)
    elif _is_function(op):
        yield from _definition_violations(op)
    elif _is_return(op):
        yield from _return_violations(op)


def callee_of(call: "CallOp") -> "FuncOp | None":
    """The function that a call names; None if there is none."""
    name = _callee_name(call)
    function = None if name is None else find_symbol(call, name)
    return function if _is_function(function) else None


def _callee_name(call: "CallOp") -> str | None:
    """The name of the function that a call names; None if its attribute is of another kind."""
    callee = call.properties.get("callee")
    return callee.string_value() if isinstance(callee, SymbolRefAttr) else None


def check_call(call: "CallOp") -> None:
    """Raise Violation if a call cannot be inlined."""
    raise_any(_form_violations(call))
    function = callee_of(call)
    assert function is not None
    if not is_straight(function) and (role := _role_of(call)) is not None:
        raise_any(_role_violations(call, role, (function,)))


def _call_violations(call: "CallOp") -> Iterator[Violation]:
    """The violations by a call, except those that only the whole module shows."""
    yield from _form_violations(call)
    function, role = callee_of(call), _role_of(call)
    if function is not None and role is not None:
        yield from _role_violations(call, role, _reached(function))


def _form_violations(call: "CallOp") -> Iterator[Violation]:
    name, table = _callee_name(call), symbol_table(call)
    if name is None or table is None:
        return
    home = _home(call, table)
    if not (isinstance(home, KernelOp) or _is_function(home)):
        what, help = "the operation around func.call", "move the call into a kernel or a function"
        yield FUNCTION_RULE.violation(home.name, "ptx.kernel or func.func", what, help=help)
        return
    function = find_symbol(call, name)
    if not _is_function(function):
        found = f"@{name}, which is {'nothing' if function is None else function.name}"
        known = [each for each, op in definitions(table) if _is_function(op)]
        help = did_you_mean(name, known).replace("mean ", "mean @")
        legal = "the name of a func.func of the module"
        yield FUNCTION_RULE.violation(found, legal, "the callee", culprit=f"@{name}", help=help)
        return
    if not function.body.blocks:
        what, help = f"the body of @{name}", f"write the body of @{name}"
        yield FUNCTION_RULE.violation("none", "one block or more", what, help=help)
    pairs = (
        ("arguments", call.arguments, function.function_type.inputs),
        ("results", call.res, function.function_type.outputs),
    )
    for noun, values, types in pairs:
        given = [each.type for each in values]
        if given != [*types]:
            found, legal = _listed(given), _listed(types)
            what = f"the types of the {noun} of @{name}"
            help = f"give the call the {noun} that the function declares"
            yield FUNCTION_RULE.violation(found, legal, what, help=help)


def _role_of(call: "CallOp") -> Operation | None:
    """The operation of `ws` around a call."""
    role = call.parent_op()
    while role is not None and not role.name.startswith("ws."):
        role = role.parent_op()
    return role


def _role_violations(
    call: "CallOp", role: Operation, functions: "Iterable[FuncOp]"
) -> Iterator[Violation]:
    """The violation if one of the functions that a call in a role reaches has several blocks."""
    for callee in functions:
        if callee.body.blocks and not is_straight(callee):
            what = f"in {role.name}, the number of blocks of @{callee.sym_name.data}"
            found, legal = len(callee.body.blocks), "1, which ends with func.return"
            help = "write the control flow of the function with scf.if and scf.for"
            culprit = f"@{call.callee.string_value()}"
            yield FUNCTION_RULE.violation(found, legal, what, culprit=culprit, help=help)
            return


def _home(op: Operation, table: Operation) -> Operation:
    """The top-level operation of a module that contains an operation; the module for a top-level
    operation."""
    home = above = op
    while above is not table and above is not None:
        home, above = above, above.parent_op()
    return table if home is op else home


def _reached(function: "FuncOp") -> "dict[FuncOp, None]":
    """A function and those that it calls, also indirectly, the nearest first."""
    found: dict[FuncOp, None] = {function: None}
    pending = [function]
    for each in pending:
        for call in calls_in(each):
            callee = callee_of(call)
            if callee is not None and callee not in found:
                found[callee] = None
                pending.append(callee)
    return found


def _definition_violations(function: "FuncOp") -> Iterator[Violation]:
    above = function.parent_op()
    if not isinstance(above, ModuleOp | None):
        what, help = "the operation around a func.func", "move the function out of the operation"
        yield FUNCTION_RULE.violation(above.name, "the module", what, help=help)
        return
    for block in function.body.blocks:
        yield from _end_violations(block)
    for attributes in (function.arg_attrs, function.res_attrs):
        for key in (key for each in attributes or () for key in each.data):
            if key.startswith(_OWN):
                legal = "none, because a function has no contract"
                help = "write the contract at the parameter of the kernel, or ptx.assume"
                what = "the attributes of parameters and results of a func.func"
                yield FUNCTION_RULE.violation(key, legal, what, culprit=key, help=help)
    inside = operations_of(function)[1:]
    if not is_straight(function) and (own := [x for x in inside if x.name.startswith("ws.")]):
        what = f"the number of blocks of a function with {own[0].name}"
        blocks = len(function.body.blocks)
        help = "write the control flow with scf.if and scf.for"
        yield FUNCTION_RULE.violation(blocks, "1, which ends with func.return", what, help=help)


def _end_violations(block: Block) -> Iterator[Violation]:
    end = block.last_op
    is_end = end is not None and end.has_trait(IsTerminator, value_if_unregistered=False)
    if end is None or not is_end or end.name == "ptx.ret":
        found = "nothing" if end is None else end.name
        legal = "func.return, a branch, or ptx.exit, which ends the thread"
        help = "end the function with func.return"
        yield FUNCTION_RULE.violation(found, legal, "the end of a block of a func.func", help=help)


def _return_violations(op: "ReturnOp") -> Iterator[Violation]:
    function = op.parent_op()
    if not _is_function(function):
        found = "nothing" if function is None else function.name
        help = "end a kernel with ptx.ret, and a region of scf with scf.yield"
        what = "the operation around func.return"
        yield FUNCTION_RULE.violation(found, FUNCTION, what, help=help)
        return
    found = _listed([each.type for each in op.arguments])
    legal = _listed(function.function_type.outputs)
    if found != legal:
        what = f"the types of the results of @{function.sym_name.data}"
        help = "return values of the types that the function declares"
        yield FUNCTION_RULE.violation(found, legal, what, help=help)


def _listed(types: "list[Attribute] | ArrayAttr[Attribute]") -> str:
    return f"({', '.join(map(str, types))})"


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
