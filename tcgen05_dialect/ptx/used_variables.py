"""The shared variables that a kernel uses."""

from collections.abc import Iterable, Iterator, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block

from ..isa.model.rule import Violation
from ..isa.shared_memory.descriptor import SWIZZLES
from ..isa.targets import RESERVED_SHARED_BYTES, SHARED_BYTES, SHARED_RULE, TARGETS
from ..reporting.diagnostics import OperationError, located
from .analysis.control_flow import reverse_postorder
from .analysis.symbols import find_symbol
from .kernel import KernelOp, SharedMemoryOp
from .structure import AddressOfOp
from .variables import VariableAddressOp

_FEWER = "use fewer or smaller variables, such as fewer stages of a ring"


def used_variables(kernel: KernelOp, blocks: Iterable[Block]) -> list[SharedMemoryOp]:
    """The shared variables that operations in these blocks of a kernel use, in the order of their
    declarations."""
    uses = (
        op
        for block in blocks
        for op in block.ops
        if isinstance(op, AddressOfOp | VariableAddressOp)
    )
    names = dict.fromkeys(op.variable.string_value() for op in uses)
    symbols = (find_symbol(kernel, name) for name in names)
    found = [op for op in symbols if isinstance(op, SharedMemoryOp)]
    tables = dict.fromkeys(op.parent for op in found)
    declared = (op for table in tables if table is not None for op in table.ops)
    order = {op: number for number, op in enumerate(declared)}
    return sorted(found, key=lambda op: order.get(op, 0))


def shared_memory_errors(module: ModuleOp) -> Iterator[OperationError]:
    """The errors of kernels that need more shared memory than a CTA of any target has."""
    if shared_memory_violation([op for op in module.ops if isinstance(op, SharedMemoryOp)]):
        for op in module.ops:
            if isinstance(op, KernelOp):
                used = used_variables(op, reverse_postorder(op.body))
                if violation := shared_memory_violation(used):
                    yield located(op, violation)


def shared_memory_violation(
    variables: Sequence[SharedMemoryOp], target: str | None = None
) -> Violation | None:
    """The violation of a kernel with these variables; None if they may fit into the shared memory
    of a CTA. Without a target, the limit is what a launch can give."""
    total = sum(op.size.value.data for op in variables if op.size is not None)
    needs = {op: op.needs.value.data for op in variables if op.needs is not None}
    most = max(SHARED_BYTES.values())
    largest = most if target is None else SHARED_BYTES[TARGETS[target].suffix]
    subject = SHARED_RULE.subject + (f", {target}" if target else "")
    if total > largest:
        help = _FEWER if total > most else ""
        return SHARED_RULE.violation(total, f"at most {largest}", subject, help=help)
    for op, needed in needs.items():
        # Dynamic variables are behind the others.
        whole = _aligned(RESERVED_SHARED_BYTES + total, op, True) - RESERVED_SHARED_BYTES + needed
        if whole > most:
            found = f"{whole}, of which {needed} are the dynamic ones that it needs"
            return SHARED_RULE.violation(found, f"at most {most}", subject, help=_FEWER)
    return None


def place_shared(
    variables: Iterable[SharedMemoryOp], is_exact: bool = True
) -> tuple[dict[str, int], int]:
    """
    The offset of each shared variable in the shared memory of a CTA, in bytes, and the number of
    bytes that a launch adds to the dynamic ones.

    ptxas places variables one after the other, as they are declared (measured). Unless the places
    should be `is_exact`, no variable is aligned to more than it declares, so that a kernel does not
    work by luck: another variable before it may change its place.
    """
    places: dict[str, int] = {}
    end = RESERVED_SHARED_BYTES
    dynamic: list[SharedMemoryOp] = []
    for op in variables:
        if op.size is None:
            dynamic.append(op)
            continue
        places[op.sym_name.data] = start = _aligned(end, op, is_exact)
        end = start + op.size.value.data
    start = max((_aligned(end, op, is_exact) for op in dynamic), default=end)
    places.update((op.sym_name.data, start) for op in dynamic)
    return places, start - RESERVED_SHARED_BYTES


def _aligned(offset: int, variable: SharedMemoryOp, is_exact: bool) -> int:
    alignment = variable.alignment.value.data
    units = -(-offset // alignment)
    if not is_exact and alignment < _LARGEST_PERIOD:
        units |= 1
    return units * alignment


_LARGEST_PERIOD = max(mode.pattern_bytes for mode in SWIZZLES.values())
"""Largest alignment on which an access depends: the period of the largest swizzle pattern."""
