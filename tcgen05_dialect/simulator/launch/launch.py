"""Launching a kernel: its arguments, its memory, its grid."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count as counter
from itertools import product
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import FloatAttr, ModuleOp
from xdsl.ir import Attribute, BlockArgument

from ...compiler import lower, lower_source, make_context, verify
from ...isa.ptx.kernel import MAX_CTAS, TENSOR_MAP_BYTES
from ...isa.ptx.synchronization import MAX_THREADS
from ...isa.simulation import LAUNCH
from ...isa.targets import SHARED_BYTES
from ...isa.tensor_memory.cells import WARP_LANES
from ...ptx.constants import constant_bits
from ...ptx.kernel import KernelOp, SharedMemoryOp
from ...ptx.registers import register_bits
from ...ptx.structure import AddressOfOp, ConstantOp
from ...ptx.types import ParamArrayType, TensorMapType
from ...reporting.diagnostics import CompileError, Source, diagnosed
from ...reporting.findings import Finding, findings_of
from ..instructions import HANDLERS
from ..machine.machine import Group, Machine
from ..machine.memory import RANK_SHIFT, Memory
from ..machine.program import Program
from ..machine.run import Progress, run
from ..machine.schedule import Schedule
from ..machine.state import Cluster, Cta, Extents, LaunchSizes, Warp
from ..machine.statistics import Statistics
from ..machine.tensor_map import TensorMap
from ..machine.tensor_memory import TensorMemory
from ..numbers.lanes import Lanes, uniform
from ..order.clocks import Clocks

Argument: TypeAlias = (
    "npt.NDArray[Any] | int | float | np.integer[Any] | np.floating[Any] | bytes | TensorMap"
)
"""What a kernel is given: an array for a pointer, a number, the bytes of a structure, a map."""

_RESERVED = 1024
"""Bytes of shared memory before the first variable, which the system keeps."""
_GLOBAL_BASE = 0x7F0000000000
_GLOBAL_ALIGNMENT = 256
_GAP = 1 << 16
_PARAMETERS = 1 << 32


@dataclass(frozen=True)
class Report:
    """What a kernel did wrong, and what it did."""

    findings: tuple[Finding, ...]
    statistics: Statistics


def simulate(
    module: ModuleOp | str | Source,
    args: Sequence[Argument],
    *,
    grid: Sequence[int] | None = None,
    block: Sequence[int] | None = None,
    cluster: Sequence[int] | None = None,
    dynamic_shared_memory: int = 0,
    kernel: str | None = None,
    schedule: str = "eager",
    seed: int = 0,
    max_steps: int = 100_000_000,
    trace: Callable[[str], None] | None = None,
    progress: Callable[[int, int], None] | None = None,
    target: str | None = None,
    ptx_version: str | None = None,
) -> Report:
    """
    Run a kernel of a module, or of IR text, on arrays that it reads and writes in place.

    `kernel` names it if there are several. Without `block` a CTA has the threads that the kernel
    requires (`reqntid`), without `cluster` the cluster has its `cluster_dims`, or one CTA, and
    without `grid` there is one cluster;
    `dynamic_shared_memory` is in bytes. `schedule` and `seed`: see `Schedule`. `trace` is told one
    line for each event, `progress` now and then how many instructions have been executed and how
    many asynchronous operations are pending. `target` and `ptx_version` are as for
    `compile_to_ptx`.

    The run ends with the first thing that the kernel does wrong, which the report tells. Raises
    CompileError for a module, or a launch, that cannot be run.
    """
    if isinstance(module, ModuleOp):
        source = None
        verify(module)
        lowered = module.clone()
        lower(lowered, make_context(), target, ptx_version)
    else:
        source = module if isinstance(module, Source) else Source("<string>", module)
        lowered, _ = lower_source(source, target, ptx_version)
    with diagnosed(source):
        found = kernel_of(lowered, kernel)
        threads = found.extents("reqntid") if block is None else block
        if threads is None:
            legal = "threads of a CTA, of a kernel without reqntid"
            raise LAUNCH.violation("none", legal, "block")
        dims = found.extents("cluster_dims") if cluster is None else cluster
        ctas = _extents((1,) if dims is None else dims, "cluster")
        sizes = LaunchSizes(
            ctas if grid is None else _extents(grid, "grid"),
            _extents(threads, "block"),
            ctas,
            dynamic_shared_memory,
        )
        machine = Machine(Schedule(schedule, seed), sizes, max_steps, trace=trace)
        launch = _Launch(found, lowered, machine, args)
    findings: list[Finding] = []
    try:
        with diagnosed(source):
            launch.run(progress)
    except CompileError as error:
        findings.extend(findings_of(error, "<module>" if source is None else source.name))
    return Report(tuple(findings), machine.statistics)


def _extents(given: Sequence[int], what: str) -> Extents:
    if not 1 <= len(given) <= 3 or any(extent < 1 for extent in given):
        raise LAUNCH.violation(tuple(given), "one to three extents of 1 or more", what)
    x, y, z = (*given, 1, 1)[:3]
    return x, y, z


def kernel_of(module: ModuleOp, name: str | None) -> KernelOp:
    """The kernel of a name, or the only one. Raises Violation."""
    kernels = {op.sym_name.data: op for op in module.walk() if isinstance(op, KernelOp)}
    if name is None and len(kernels) == 1:
        return next(iter(kernels.values()))
    if name is None or name not in kernels:
        raise LAUNCH.violation(
            "no kernel" if name is None else f"kernel {name}", ", ".join(kernels) or "none"
        )
    return kernels[name]


class _Launch:
    """One launch."""

    def __init__(
        self,
        kernel: KernelOp,
        module: ModuleOp,
        machine: Machine,
        arguments: Sequence[Argument],
    ):
        _check_sizes(machine.sizes)
        self._sizes = machine.sizes
        self._kernel = kernel
        self._machine = machine
        self._program = Program(kernel, HANDLERS)
        self._variables, self._shared_bytes = _place_variables(
            module, self._sizes.dynamic_shared_memory
        )
        self._warps = -(-_product(self._sizes.block) // WARP_LANES)
        self._numbers = counter(1)
        self._next_address = _GLOBAL_BASE
        self._buffers: dict[int, int] = {}
        self._arguments = self._bind(arguments)

    def run(self, progress: Progress | None) -> None:
        """Run all CTAs; clusters one after the other take the place of those that have ended."""
        waiting = deque(self._clusters())
        machine = self._machine
        ctas = _product(self._sizes.cluster)
        size = Clocks.bytes_for(self._warps * WARP_LANES * ctas)
        resident = max(1, min(_MULTIPROCESSORS // ctas, _CLOCK_BYTES // size))
        for _ in range(min(resident, len(waiting))):
            self._start(waiting.popleft())
        machine.ended = lambda: self._start(waiting.popleft()) if waiting else None
        run(machine, progress)

    def _clusters(self) -> Iterator[Extents]:
        counts = (g // c for g, c in zip(self._sizes.grid, self._sizes.cluster, strict=True))
        for z, y, x in product(*(range(count) for count in reversed(tuple(counts)))):
            yield x, y, z

    def _start(self, position: Extents) -> None:
        sizes = self._sizes
        threads = self._warps * WARP_LANES
        clocks = Clocks(next(self._numbers), threads * _product(sizes.cluster))
        cluster = Cluster(position, sizes.cluster, clocks)
        origin = [p * c for p, c in zip(position, sizes.cluster, strict=True)]
        inner = product(*(range(extent) for extent in reversed(sizes.cluster)))
        for rank, (z, y, x) in enumerate(inner):
            at = origin[0] + x, origin[1] + y, origin[2] + z
            name = f"CTA ({', '.join(map(str, at))})"
            base = (rank << RANK_SHIFT) + _RESERVED
            shared = Memory.shared(f"shared memory of {name}", base, self._shared_bytes)
            cta = Cta(cluster, at, rank, shared, TensorMemory(name))
            cluster.ctas.append(cta)
            cluster.space.add(shared)
            self._start_warps(cta)
        self._machine.clusters.append(cluster)

    def _start_warps(self, cta: Cta) -> None:
        threads = _product(self._sizes.block)
        registers = self._registers(cta)
        for index in range(self._warps):
            lanes = np.arange(WARP_LANES) + index * WARP_LANES < threads
            first = (cta.rank * self._warps + index) * WARP_LANES
            warp = Warp(cta, index, lanes, list(registers), first + np.arange(WARP_LANES))
            cta.warps.append(warp)
            self._machine.groups.append(Group(self._machine, warp, lanes, self._program.entry, ()))

    def _registers(self, cta: Cta) -> list[Lanes]:
        """What the registers of a warp hold at the beginning."""
        registers: list[Lanes] = []
        arguments = dict(zip(self._kernel.body.blocks[0].args, self._arguments, strict=True))
        for value in self._program.values:
            known = 0
            match owner := value.owner:
                case ConstantOp():
                    known = constant_of(owner)
                case AddressOfOp():
                    offset = 0 if owner.offset is None else owner.offset.value.data
                    variable = self._variables[owner.variable.string_value()]
                    known = (cta.rank << RANK_SHIFT) + variable + offset
                case _:
                    known = arguments.get(value, 0) if isinstance(value, BlockArgument) else 0
            registers.append(uniform(known, value.type))
        return registers

    def _bind(self, arguments: Sequence[Argument]) -> list[int]:
        """The bits of each parameter."""
        parameters = self._kernel.body.blocks[0].args
        if len(arguments) != len(parameters):
            raise LAUNCH.violation(f"{len(arguments)} arguments", f"{len(parameters)}")
        return [
            self._bits(index, parameter.type, argument)
            for index, (parameter, argument) in enumerate(zip(parameters, arguments, strict=True))
        ]

    def _bits(self, index: int, type_: Attribute, argument: Argument) -> int:
        match argument:
            case TensorMap() if isinstance(type_, TensorMapType):
                return self._bind_map(argument)
            case bytes() if isinstance(type_, ParamArrayType):
                size = type_.size.data
                if len(argument) == size:
                    return self._add_parameter(argument, type_.alignment.data)
                raise LAUNCH.violation(f"{len(argument)} bytes", size, f"argument {index}")
            case np.ndarray() if register_bits(type_) == 64:
                return self._add_buffer(index, argument)
            case bool() | int() | np.integer() if (bits := _integer_bits(type_)) is not None:
                legal = range(-(1 << bits - 1), 1 << bits)
                if int(argument) not in legal:
                    raise LAUNCH.violation(
                        int(argument), legal, f"argument {index} of type {type_}"
                    )
                return int(argument)
            case float() | np.floating() if str(type_) in ("f32", "f64"):
                bits = register_bits(type_)
                return int.from_bytes(
                    np.array(argument, f"f{(bits or 0) // 8}").tobytes(), "little"
                )
            case _:
                raise LAUNCH.violation(
                    _described(argument), _LEGAL, f"argument {index} of type {type_}"
                )

    def _add_buffer(self, index: int, array: npt.NDArray[Any]) -> int:
        """The address of an array in global memory; the same array has the same address."""
        known = self._buffers.get(id(array))
        if known is not None:
            return known
        if not array.flags.c_contiguous:
            raise LAUNCH.violation(
                "an array with gaps", "a C-contiguous array", f"argument {index}"
            )
        data = array.reshape(-1).view(np.uint8)
        name = f"argument {index}"
        memory = Memory(name, self._next_address, data, np.ones(data.size, np.bool_))
        self._machine.global_space.add(memory)
        self._buffers[id(array)] = memory.base
        self._next_address += -(-(data.size + _GAP) // _GLOBAL_ALIGNMENT) * _GLOBAL_ALIGNMENT
        return memory.base

    def _bind_map(self, tensor_map: TensorMap) -> int:
        """The generic address of a tensor map, of whose tensor global memory gets the buffer."""
        maps = self._machine.tensor_maps
        address = _PARAMETERS + len(maps) * TENSOR_MAP_BYTES
        maps[address] = tensor_map.at(self._add_buffer(len(maps), tensor_map.array))
        return address

    def _add_parameter(self, data: bytes, alignment: int) -> int:
        space = self._machine.parameters
        base = _aligned(space.memories[-1].end if space.memories else 0, alignment)
        content = np.frombuffer(data, np.uint8).copy()
        space.add(Memory("parameters", base, content, np.ones(content.size, np.bool_)))
        return base


def _integer_bits(type_: Attribute) -> int | None:
    """The bits of a register that an integer may be given for."""
    if isinstance(type_, TensorMapType | ParamArrayType):
        return None
    return register_bits(type_)


def _described(argument: Argument) -> str:
    match argument:
        case np.ndarray():
            return f"an array of {argument.dtype}"
        case TensorMap():
            return "a tensor map"
        case bytes():
            return "bytes"
        case _:
            return f"{argument}"


_LEGAL = (
    "an array for an address (64 bits), an integer for an integer, a float for f32 or f64, a "
    "TensorMap for !ptx.tensor_map, bytes for !ptx.param_array"
)
_MULTIPROCESSORS = 148
"""CTAs that run at once, at most."""
_CLOCK_BYTES = 1 << 28
"""Bytes of the clocks of the clusters that run at once."""


def constant_of(op: ConstantOp) -> int:
    """The bits of a constant."""
    known = constant_bits(op.result)
    if known is not None:
        return known
    value = cast(FloatAttr, op.value)
    bits = register_bits(op.result.type) or 0
    if str(op.result.type) == "bf16":
        single = np.array(value.value.data, np.float32).view(np.uint32)
        return int(single) >> 16
    return int(np.array(value.value.data, f"f{bits // 8}").view(f"u{bits // 8}"))


def _product(extents: Extents) -> int:
    x, y, z = extents
    return x * y * z


def _aligned(address: int, alignment: int) -> int:
    return -(-address // alignment) * alignment


def _check_sizes(sizes: LaunchSizes) -> None:
    threads = _product(sizes.block)
    if threads > MAX_THREADS:
        raise LAUNCH.violation(f"{threads} threads", f"at most {MAX_THREADS}", "threads of a CTA")
    if _product(sizes.cluster) > MAX_CTAS:
        raise LAUNCH.violation(sizes.cluster, f"at most {MAX_CTAS} CTAs", "cluster")
    if any(g % c for g, c in zip(sizes.grid, sizes.cluster, strict=True)):
        raise LAUNCH.violation(
            f"grid {sizes.grid}, cluster {sizes.cluster}", "a grid of whole clusters"
        )


def _place_variables(module: ModuleOp, dynamic_bytes: int) -> tuple[dict[str, int], int]:
    """The offset of each shared variable, and how many bytes of shared memory there are."""
    variables = [op for op in module.walk() if isinstance(op, SharedMemoryOp)]
    places: dict[str, int] = {}
    end = _RESERVED
    dynamic: list[SharedMemoryOp] = []
    for op in variables:
        if op.size is None:
            dynamic.append(op)
            continue
        places[op.sym_name.data] = start = _aligned(end, op.alignment.value.data)
        end = start + op.size.value.data
    start = _aligned(end, max((op.alignment.value.data for op in dynamic), default=1))
    places.update((op.sym_name.data, start) for op in dynamic)
    size = start + dynamic_bytes - _RESERVED
    most = max(SHARED_BYTES.values())
    if size > most:
        found = f"{size} bytes, of which {dynamic_bytes} are dynamic"
        raise LAUNCH.violation(found, f"at most {most}", "shared memory of a CTA")
    return places, size
