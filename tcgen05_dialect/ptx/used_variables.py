"""The shared variables that a kernel uses."""

from collections.abc import Iterable

from xdsl.ir import Block

from ..isa.shared_memory.swizzle import SWIZZLES
from ..isa.targets import RESERVED_SHARED_BYTES
from .analysis.symbols import find_symbol
from .kernel import KernelOp, SharedMemoryOp
from .structure import AddressOfOp
from .variables import VariableAddressOp


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
