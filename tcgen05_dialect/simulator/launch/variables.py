"""Variables of a module in global and constant memory, and of a kernel in local memory."""

from collections.abc import Mapping, Sequence

import numpy as np

from ...ptx.analysis.symbols import symbol_table
from ...ptx.kernel import KernelOp
from ...ptx.variables import VariableOp, local_variables, own_variables
from ..machine.machine import Machine
from ..machine.memory import CONSTANT_WINDOW, GLOBAL_BASE, Memory, Space, aligned

_GAP = 1 << 16
"""Distance between variables, so that an access beyond the end of one is outside memory."""
_SPACES = ("global", "const")
_NULL = 1 << 8
"""First address of a variable: no variable is at a null pointer."""


def place_variables(machine: Machine, kernel: KernelOp) -> Mapping[str, int]:
    """
    Put the variables of a kernel and its module, with their initial bytes, after the arguments in
    memory. Returns the address of each variable in its state space, by name.
    """
    table = symbol_table(kernel)
    ops = [] if table is None else [op for op in table.walk() if isinstance(op, VariableOp)]
    outside = [op for op in ops if not isinstance(op.parent_op(), KernelOp)]
    variables = outside + [op for op in own_variables(kernel) if op.space.data in _SPACES]
    state_spaces = machine.global_space, machine.constants
    spaces: dict[str, Space] = dict(zip(_SPACES, state_spaces, strict=True))
    places: dict[str, int] = {}
    memories: dict[str, Memory] = {}
    for op in variables:
        name, space = op.sym_name.data, spaces[op.space.data]
        first = GLOBAL_BASE if op.space.data == "global" else _NULL
        end = space.memories[-1].end if space.memories else first
        places[name] = aligned(end + _GAP, op.alignment.value.data)
        size = 0 if op.size is None else op.size.value.data
        bytes_ = np.zeros(size, np.uint8)
        bytes_[: len(op.initial)] = op.initial
        written = np.ones(size, np.bool_)
        memories[name] = memory = Memory(f"@{name}", places[name], bytes_, written)
        space.add(memory)
    for op in variables:
        for each in op.targets:
            target = each.symbol.string_value()
            address = places.get(target, 0) + each.addend.data
            if each.kind.data and target in memories and memories[target] in machine.constants:
                address += CONSTANT_WINDOW
            word = np.frombuffer(address.to_bytes(8, "little"), np.uint8)
            memories[op.sym_name.data].bytes[each.at.data : each.at.data + 8] = word
    places.update(_local_places(machine, [*local_variables(kernel)]))
    return places


def _local_places(machine: Machine, variables: Sequence[VariableOp]) -> Mapping[str, int]:
    """The addresses of the variables in local memory; sets its size."""
    places: dict[str, int] = {}
    end = _NULL
    for op in variables:
        size = 0 if op.size is None else op.size.value.data
        places[op.sym_name.data] = start = aligned(end, op.alignment.value.data)
        end = start + size
    machine.local_bytes = end if variables else 0
    return places
