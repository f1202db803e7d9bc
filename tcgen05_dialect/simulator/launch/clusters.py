"""
Grid of a launch: clusters with their shared memory and warps, and the variables of the kernel.

Other data: a second run for threads that wrote the same value to one place. They may have done so
by chance: the data of a launch are equal, as zeros are. With other data the values differ, unless
the kernel makes them equal.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache, lru_cache
from itertools import count, product
from math import prod
from typing import TypeAlias

import numpy as np
from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...isa.model.rule import Violation
from ...isa.practice import RACE
from ...isa.targets import MULTIPROCESSORS, RESERVED_SHARED_BYTES, SHARED_BYTES
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx.analysis.known_values import constant_bits
from ...ptx.analysis.symbols import symbol_table
from ...ptx.analysis.values import slice_of
from ...ptx.kernel import KernelOp, SharedMemoryOp
from ...ptx.structure import AddressOfOp, ConstantOp
from ...ptx.variables import (
    ParameterAddressOp,
    VariableAddressOp,
    VariableOp,
    local_variables,
    own_variables,
    place_shared,
)
from ...reporting.diagnostics import OperationError, located
from ...xdsl_support.attributes import attribute_bits
from ..machine.errors import blaming, refused
from ..machine.gathering import Flag, initial_flag
from ..machine.machine import Group, Machine
from ..machine.program import Program
from ..machine.run import Progress, run_machine
from ..machine.state import Cluster, Cta, Extents, Warp
from ..machine.tensor_memory import (
    CONSTANT_WINDOW,
    GLOBAL_BASE,
    RANK_SHIFT,
    Memory,
    Space,
    TensorMemory,
    Variable,
    aligned,
)
from ..numbers.floats import Lanes, uniform
from ..numbers.integers import SEEDS, content_of
from ..order.clocks import Clocks

GAP = 1 << 16
"""Distance between variables, so that an access beyond the end of one is outside memory."""
_SPACES = ("global", "const")
_NULL = 1 << 8
"""First address of a variable: no variable is at a null pointer."""


def place_variables(
    machine: Machine, kernel: KernelOp, kept: Mapping[str, Memory]
) -> Mapping[str, int]:
    """
    Put the variables of a kernel and its module, with their initial bytes, after the arguments in
    memory; `kept` are memories of variables that have their bytes from earlier launches, already
    in place. Returns the address of each variable in its state space, by name.
    """
    table = symbol_table(kernel)
    variables = [] if table is None else module_variables(table)
    variables += [op for op in own_variables(kernel) if op.space.data in _SPACES]
    memories = _memories(machine.global_space, machine.constants, variables, kept)
    _fill([op for op in variables if op.sym_name.data not in kept], memories, machine.constants)
    places = {name: memory.base for name, memory in memories.items()}
    end = 0
    for op in local_variables(kernel):
        places[op.sym_name.data] = start = aligned(end or _NULL, op.alignment.value.data)
        end = start + _size(op)
    machine.local_bytes = end
    return places


def _size(op: VariableOp | SharedMemoryOp) -> int:
    return 0 if op.size is None else op.size.value.data


def fill_variables(module: Operation, memories: Mapping[str, Memory]) -> None:
    """Write the initial bytes of the variables of a module to their memories."""
    variables, constants = module_variables(module), Space("constant")
    _fill(variables, _memories(Space("global"), constants, variables, memories), constants)


def module_variables(module: Operation) -> list[VariableOp]:
    """The variables that a module declares, in global and constant memory."""
    # A run does not walk through the other kernels of a large module.
    outside = (op for region in module.regions for block in region.blocks for op in block.ops)
    others = [op for op in outside if not isinstance(op, KernelOp)]
    nested = (each for op in others for each in module_variables(op))
    return [*(op for op in others if isinstance(op, VariableOp)), *nested]


def _memories(
    global_space: Space,
    constants: Space,
    variables: Sequence[VariableOp],
    kept: Mapping[str, Memory],
) -> Mapping[str, Memory]:
    """The memories of variables, in their state spaces. A kept one in global memory is there
    already; one in constant memory gets an address."""
    memories: dict[str, Memory] = {}
    for op in variables:
        name, is_global = op.sym_name.data, op.space.data == "global"
        memory, space = kept.get(name), global_space if is_global else constants
        if memory is None or not is_global:
            first = GLOBAL_BASE if is_global else _NULL
            end = space.memories[-1].end if space.memories else first
            content = np.zeros(_size(op), np.uint8) if memory is None else memory.bytes
            written = np.ones(_size(op), np.bool_)
            place = aligned(end + GAP, op.alignment.value.data)
            memory = Memory(f"@{name}", place, content, written)
            space.add(memory)
        memories[name] = memory
    return memories


def _fill(
    variables: Sequence[VariableOp], memories: Mapping[str, Memory], constants: Space
) -> None:
    """Write the initial bytes of variables, which may be addresses of others."""
    for op in variables:
        bytes_ = memories[op.sym_name.data].bytes
        bytes_[: len(op.initial)] = op.initial
        for each in op.targets:
            target, address = memories.get(each.symbol.string_value()), each.addend.data
            if target is not None:
                address += target.base
                if each.kind.data and target in constants:
                    address += CONSTANT_WINDOW
            word = np.frombuffer(address.to_bytes(8, "little"), np.uint8)
            bytes_[each.at.data : each.at.data + 8] = word


_CLOCK_BYTES = 1 << 28
"""Maximum size of the clocks of all resident clusters; most are never written."""
_POLLING_CLOCK_BYTES = 5 << 27
"""The same for a kernel whose clusters may wait for each other: enough for a CTA of 256 threads on
each multiprocessor."""


Bits: TypeAlias = int | tuple[int, ...]
"""The bits of a parameter, or several for runs that go on together; see `Machine.split`."""


class Grid:
    """
    The clusters of a launch of a program. `parameters` are the bits of the kernel's parameters,
    `addresses` their addresses in the state space `.param`, and `kept` the memories of variables of
    the module whose bytes are not the initial ones. Raises LaunchError if the shared memory of a
    CTA is too small.
    """

    def __init__(
        self,
        machine: Machine,
        program: Program,
        parameters: Sequence[Bits],
        addresses: Sequence[int] = (),
        kept: Mapping[str, Memory] | None = None,
    ):
        self._sizes = sizes = machine.sizes
        self._machine = machine
        self._program, kernel = program, program.kernel
        variables = program.variables
        self._variables, self._shared_bytes = _place(
            variables, sizes.dynamic_shared_memory, kernel.is_read
        )
        for op in variables:
            if op.needs is not None and sizes.dynamic_shared_memory < op.needs.value.data:
                legal = f"at least {op.needs.value.data} bytes, which the kernel needs"
                with blaming("dynamic_shared_memory"):
                    raise refused(sizes.dynamic_shared_memory, legal, "the dynamic shared memory")
        is_dynamic = any(op.size is None for op in variables)
        self._dynamic = sizes.dynamic_shared_memory if is_dynamic else None
        self._named = sorted(
            Variable(
                self._variables[op.sym_name.data] - RESERVED_SHARED_BYTES,
                f"@{op.sym_name.data}",
                _size(op),
                op.alignment.value.data,
            )
            for op in variables
        )
        self._warps = -(-prod(sizes.block) // WARP_LANES)
        self._numbers = count(1)
        self._registers: dict[int, list[Lanes]] = {}
        """Rank of a CTA in its cluster -> initial registers of its warps."""
        self._parameters = dict(zip(kernel.body.blocks[0].args, parameters, strict=True))
        self._addresses = addresses
        self._places = place_variables(machine, kernel, kept or {})

    def start(self, most: int = MULTIPROCESSORS) -> None:
        """Start the resident clusters, at most a number of them; each cluster that ends makes room
        for another."""
        waiting = deque(self._positions())
        ctas = prod(self._sizes.cluster)
        clock_bytes = Clocks.bytes_for(self._warps * WARP_LANES * ctas)
        most_bytes = _POLLING_CLOCK_BYTES if self._program.polls else _CLOCK_BYTES
        resident = max(1, min(MULTIPROCESSORS // ctas, most_bytes // clock_bytes, most))

        def start_next(multiprocessor: int) -> None:
            if waiting:
                self._start_cluster(waiting.popleft(), multiprocessor)

        def cancel() -> Extents | None:
            if not waiting:
                return None
            x, y, z = (p * c for p, c in zip(waiting.popleft(), self._sizes.cluster, strict=True))
            return x, y, z

        for number in range(resident):
            start_next(number * ctas)
        self._machine.cancel = cancel
        self._machine.not_started = lambda: len(waiting)
        self._machine.ended = lambda cluster: start_next(cluster.ctas[0].multiprocessor)

    def _positions(self) -> Iterator[Extents]:
        if self._sizes.alone is not None:
            yield self._sizes.alone
            return
        counts = (g // c for g, c in zip(self._sizes.grid, self._sizes.cluster, strict=True))
        for z, y, x in product(*(range(extent) for extent in reversed(tuple(counts)))):
            yield x, y, z

    def _start_cluster(self, position: Extents, multiprocessor: int) -> None:
        """Start a cluster on consecutive multiprocessors, one for each CTA."""
        extents = self._sizes.cluster
        threads = self._warps * WARP_LANES * prod(extents)
        cluster = Cluster(Clocks(next(self._numbers), threads))
        origin = [p * c for p, c in zip(position, extents, strict=True)]
        inner = product(*(range(extent) for extent in reversed(extents)))
        for rank, (z, y, x) in enumerate(inner):
            at = origin[0] + x, origin[1] + y, origin[2] + z
            name = f"CTA ({', '.join(map(str, at))})"
            base = (rank << RANK_SHIFT) + RESERVED_SHARED_BYTES
            shared = Memory.shared(f"shared memory of {name}", base, self._shared_bytes)
            shared.variables = self._named
            shared.dynamic = self._dynamic
            cta = Cta(cluster, at, rank, multiprocessor + rank, shared, TensorMemory(name))
            cluster.ctas.append(cta)
            cluster.space.add(shared)
            self._start_warps(cta)
        self._machine.clusters.append(cluster)

    def _start_warps(self, cta: Cta) -> None:
        threads = prod(self._sizes.block)
        if cta.rank not in self._registers:
            self._registers[cta.rank] = self._registers_of(cta.rank)
        registers = self._registers[cta.rank]
        for index in range(self._warps):
            lanes = np.arange(WARP_LANES) + index * WARP_LANES < threads
            first = (cta.rank * self._warps + index) * WARP_LANES
            rows = first + np.arange(WARP_LANES)
            warp = Warp(cta, index, lanes, list(registers), rows, self._program.maxnreg)
            cta.warps.append(warp)
            self._machine.groups.append(Group(self._machine, warp, lanes, self._program.entry, ()))
        cta.shared.threads = cta.rows

    def _registers_of(self, rank: int) -> list[Lanes]:
        """Initial registers of a warp: parameters, constants and addresses."""
        registers, placed = _initial_registers(self._program, len(self._program.values))
        registers, shared = registers.copy(), cache(uniform)
        for at, value in placed:
            known = 0
            match owner := value.owner:
                case AddressOfOp():
                    variable = self._variables[owner.variable.string_value()]
                    known = (rank << RANK_SHIFT) + variable + owner.start
                case VariableAddressOp():
                    name = owner.variable.string_value()
                    known = owner.start + self._places.get(name, 0)
                    if name in self._variables:
                        known += (rank << RANK_SHIFT) + self._variables[name]
                case ParameterAddressOp():
                    known = self._addresses[owner.index]
                case _ if isinstance(value, BlockArgument):
                    known = self._parameters.get(value, 0)
                case _:
                    pass
            if isinstance(known, tuple):
                registers[at] = np.stack([shared(each, value.type) for each in known])
            else:
                registers[at] = shared(known, value.type)
        return registers


@lru_cache(maxsize=2)
def _initial_registers(
    program: Program, count: int
) -> tuple[list[Lanes], list[tuple[int, SSAValue]]]:
    """The initial registers of a program, 0 where they depend on the launch, and the values that
    depend on it, each with the index of its register. `count` is the number of values."""
    registers: list[Lanes] = []
    placed: list[tuple[int, SSAValue]] = []
    # Most values are computed later: they share their first zeros.
    shared = cache(uniform)
    entry = program.kernel.body.blocks[0]
    for at, value in enumerate(program.values):
        if isinstance(value, Flag):
            registers.append(initial_flag(value))
            continue
        owner = value.owner
        if owner is entry or isinstance(owner, _PLACED):
            placed.append((at, value))
        known: int | None = 0
        if isinstance(owner, ConstantOp):
            known = constant_bits(owner.result)
            if known is None and isinstance(owner.value, FloatAttr):
                known = attribute_bits(owner.value)
            assert known is not None
        registers.append(shared(known, value.type))
    return registers, placed


_PLACED = (AddressOfOp, VariableAddressOp, ParameterAddressOp)
"""Operations whose results depend on the launch."""


def shared_bytes(program: Program) -> int:
    """Bytes of shared memory without dynamic ones, which leave room for those that the kernel
    needs. Raises LaunchError."""
    variables = program.variables
    needed = max((op.needs.value.data for op in variables if op.needs is not None), default=0)
    return _place(variables, needed, program.kernel.is_read)[1] - needed


def _place(
    variables: Sequence[SharedMemoryOp], dynamic_bytes: int, is_read: bool
) -> tuple[dict[str, int], int]:
    """The offset of each shared variable, and the total size in bytes. Raises LaunchError."""
    most = max(SHARED_BYTES.values())
    places, other_bytes = place_shared(variables, is_exact=is_read)
    if other_bytes + dynamic_bytes > most:
        places, other_bytes = place_shared(variables)
    size = other_bytes + dynamic_bytes
    if size > most:
        found = f"{size} bytes, of which {dynamic_bytes} are dynamic"
        with blaming("dynamic_shared_memory"):
            raise refused(found, f"at most {most} bytes", "the shared memory of a CTA")
    return places, size


def change_contents(machine: Machine, seed: int) -> None:
    """Give the arrays of a launch contents that differ from place to place."""
    for memory in machine.global_space.memories:
        memory.bytes = content_of(np.arange(memory.base, memory.end), seed)


def race_with_other_data(
    kernel: KernelOp,
    shared: Iterable[Operation],
    machine_with: Callable[[int], tuple[Machine, Grid]],
    progress: Progress | None,
) -> OperationError | None:
    """
    Run a kernel with other data if some of the stores `shared`, of the same value to one place by
    several threads, store data. Returns the error if threads then write different values; None
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
                run_machine(machine, progress)
            except OperationError as error:
                violation = error.__cause__
                assert isinstance(violation, Violation)
                ops = error.operation, error.related
                if violation.rule is RACE and not stores.isdisjoint(ops):
                    text = violation.sentence or violation.text
                    text += "; the data of this launch are equal there, other data differ"
                    shown = violation.replaced(sentence=text, subject="")
                    return located(error.operation, shown, error.related)
    return None
