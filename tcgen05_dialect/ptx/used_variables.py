"""The shared variables that a kernel uses."""

from collections.abc import Iterable

from xdsl.ir import Block

from ..isa.targets import RESERVED_SHARED_BYTES
from .analysis.symbols import find_symbol
from .kernel import KernelOp, SharedMemoryOp
from .structure import AddressOfOp
from .variables import VariableAddressOp


def used_variables(kernel: KernelOp, blocks: Iterable[Block]) -> list[SharedMemoryOp]:
    """The shared variables that operations in these blocks of a kernel use, by first use."""
    uses = (
        op
        for block in blocks
        for op in block.ops
        if isinstance(op, AddressOfOp | VariableAddressOp)
    )
    names = dict.fromkeys(op.variable.string_value() for op in uses)
    found = (find_symbol(kernel, name) for name in names)
    return [op for op in found if isinstance(op, SharedMemoryOp)]


def place_shared(variables: Iterable[SharedMemoryOp]) -> tuple[dict[str, int], int]:
    """
    The offset of each shared variable in the shared memory of a CTA, in bytes, and the number of
    bytes that a launch adds to the dynamic ones.
    """
    places: dict[str, int] = {}
    end = RESERVED_SHARED_BYTES
    dynamic: list[SharedMemoryOp] = []
    for op in variables:
        if op.size is None:
            dynamic.append(op)
            continue
        places[op.sym_name.data] = start = _aligned(end, op)
        end = start + op.size.value.data
    start = max((_aligned(end, op) for op in dynamic), default=end)
    places.update((op.sym_name.data, start) for op in dynamic)
    return places, start - RESERVED_SHARED_BYTES


def _aligned(offset: int, variable: SharedMemoryOp) -> int:
    alignment = variable.alignment.value.data
    return -(-offset // alignment) * alignment
