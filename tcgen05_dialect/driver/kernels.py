"""Modules, kernels and launches of the emulated CUDA driver."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from math import prod
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import ModuleOp

from ..compiler import as_written, read_kernels, without_garbage_collection
from ..isa.model.rule import extents_text
from ..isa.ptx.kernel import MAX_THREADS
from ..isa.targets import NEWEST
from ..ptx.kernel import KernelOp, memory_of
from ..ptx.variables import VariableOp
from ..reporting.diagnostics import CompileError, Finding, Source, diagnosed, operation_error
from ..simulator import MAX_STEPS, Launch
from ..simulator.instructions import handlers_of
from ..simulator.launch.binder import bind_bytes
from ..simulator.launch.clusters import GAP, Grid, fill_variables, module_variables, shared_bytes
from ..simulator.launch.launch import sizes_of
from ..simulator.machine.errors import LaunchError
from ..simulator.machine.machine import Machine, Schedule
from ..simulator.machine.program import Program
from ..simulator.machine.run import run_machine
from ..simulator.machine.tensor_memory import Memory, aligned
from .device import CAPABILITY, PORTABLE_CLUSTER, SHARED_WITHOUT_OPT_IN, TARGET
from .numbers import FUNCTION_ATTRIBUTES, FunctionAttribute, Result

Bytes = npt.NDArray[np.uint8]


Known: TypeAlias = Mapping[str, tuple[ModuleOp, Source]]
"""PTX text -> the module from which it was printed, and the source text of the module."""


class Refused(Exception):
    """A call that the driver refuses: a sentence, and the error code."""

    def __init__(self, message: str, code: Result):
        super().__init__(message)
        self.message, self.code = message, code


class Block(NamedTuple):
    """An allocation: its address and size in bytes."""

    address: int
    size: int


class LaunchRequest(NamedTuple):
    """A launch: extents in CTAs and threads, as the driver API gives them; `attributes` are those
    of the function, and `content` the bytes of all parameters."""

    grid: tuple[int, ...]
    block: tuple[int, ...]
    cluster: tuple[int, ...]
    shared_bytes: int
    attributes: Sequence[int]
    content: bytes
    is_sized: bool
    """Whether the host gave the size of the parameters."""


@dataclass(eq=False)
class Kernel:
    """A kernel of a module."""

    op: KernelOp
    source: Source
    program: Program
    parameters: Sequence[tuple[int, int]] = field(init=False)
    """The offset and size of each parameter, in bytes."""

    def __post_init__(self) -> None:
        found: list[tuple[int, int]] = []
        end = 0
        for parameter in self.op.body.blocks[0].args:
            size, alignment = memory_of(parameter.type) or (0, 1)
            start = aligned(end, alignment)
            found.append((start, size))
            end = start + size
        self.parameters = found

    @property
    def name(self) -> str:
        return self.op.sym_name.data

    @property
    def parameter_bytes(self) -> int:
        return sum(self.parameters[-1]) if self.parameters else 0

    @property
    def attributes(self) -> list[int]:
        """The attributes of the function (CUfunction_attribute); 0 for what is not known, such as
        registers, which only an assembler counts."""
        most = self.op.extents("reqntid") or self.op.extents("maxntid") or (MAX_THREADS,)
        cluster = self.op.extents("cluster_dims") or ()
        static = shared_bytes(self.program)
        found = [0] * FUNCTION_ATTRIBUTES
        found[FunctionAttribute.MOST_THREADS] = prod(most)
        found[FunctionAttribute.SHARED] = static
        found[FunctionAttribute.PTX_VERSION] = 10 * NEWEST.major + NEWEST.minor
        found[FunctionAttribute.BINARY_VERSION] = CAPABILITY
        found[FunctionAttribute.MOST_DYNAMIC] = max(0, SHARED_WITHOUT_OPT_IN - static)
        found[FunctionAttribute.CARVEOUT] = -1
        found[FunctionAttribute.CLUSTER_IS_SET] = int(bool(cluster))
        for axis, extent in enumerate(cluster, FunctionAttribute.CLUSTER_WIDTH):
            found[axis] = extent
        return found

    def check(self, request: LaunchRequest) -> None:
        """Raise Refused for a launch that the driver refuses."""
        if request.is_sized and len(request.content) != self.parameter_bytes:
            found = f"the launch gives {len(request.content)} bytes of parameters"
            raise Refused(
                f"{found}, and the kernel has {self.parameter_bytes}", Result.INVALID_VALUE
            )
        if not all(request.grid) or not all(request.block):
            found = f"grid {extents_text(request.grid)}, block {extents_text(request.block)}"
            raise Refused(f"an extent of the launch is 0: {found}", Result.INVALID_VALUE)
        limit = request.attributes[FunctionAttribute.MOST_DYNAMIC]
        if request.shared_bytes > limit:
            raise Refused(
                f"the launch gives {request.shared_bytes} bytes of dynamic shared memory, more "
                f"than the {limit} that the function allows: set its attribute "
                "MAX_DYNAMIC_SHARED_SIZE_BYTES first",
                Result.INVALID_VALUE,
            )
        if (
            prod(request.cluster) > PORTABLE_CLUSTER
            and not request.attributes[FunctionAttribute.LARGE_CLUSTER]
        ):
            found = f"the cluster has {prod(request.cluster)} CTAs, more than {PORTABLE_CLUSTER}"
            raise Refused(
                f"{found}: set the function's attribute NON_PORTABLE_CLUSTER_SIZE_ALLOWED first",
                Result.INVALID_CLUSTER_SIZE,
            )

    @without_garbage_collection()
    def run(
        self,
        request: LaunchRequest,
        memories: Iterable[Memory],
        variables: Mapping[str, Memory],
        schedule: str,
        max_steps: int,
    ) -> tuple[list[Finding], str]:
        """Run the kernel with the allocations and the variables of its module; returns its findings
        and what it prints. Without `max_steps`, each CTA may execute MAX_STEPS instructions. Raises
        Refused."""
        self.check(request)
        cluster = request.cluster if all(request.cluster) else None
        launch = Launch(request.grid, request.block, cluster, request.shared_bytes)
        try:
            sizes = sizes_of(self.op, launch)
            limit = max_steps or MAX_STEPS * prod(request.grid)
            machine = Machine(Schedule(schedule), sizes, limit, records=False)
            for memory in sorted((*memories, *variables.values()), key=lambda each: each.base):
                machine.global_space.add(memory)
            bound = bind_bytes(machine, self.op, request.content)
            bits, addresses = [each.bits for each in bound], [each.address for each in bound]
            grid = Grid(machine, self.program, bits, addresses, variables)
        except LaunchError as error:
            raise Refused(error.message, Result.INVALID_VALUE) from error
        findings: list[Finding] = []
        try:
            with closing(machine), diagnosed(self.source):
                grid.start()
                run_machine(machine)
        except CompileError as error:
            findings += error.findings_in(self.source.name)
        for warning in machine.judge.warnings:
            if not machine.judge.follows(warning):
                findings += operation_error(warning, self.source).findings_in(self.source.name)
        return as_written(findings, self.source), "".join(machine.printed)


_BINARIES = (b"\x7fELF", b"\x50\xed\x55\xba")
"""The first bytes of a cubin, and of a fat binary."""


_TARGET = re.compile(r"^\s*\.target\s+(sm_(\d+)([af]?))\b", re.MULTILINE)


def _other_device(text: str) -> str | None:
    """The target of PTX text that the device does not run: code for an architecture or a family is
    only for these, other code for all newer architectures (11.1.2)."""
    found = _TARGET.search(text)
    if found is None:
        return None
    number = int(found[2])
    runs = number == CAPABILITY if found[3] else number <= CAPABILITY
    return None if runs else found[1]


@dataclass(eq=False)
class Module:
    """A module, with the address and the bytes of each of its variables."""

    op: ModuleOp
    source: Source
    variables: dict[str, tuple[int, Bytes]] = field(default_factory=dict[str, tuple[int, Bytes]])

    @property
    def room(self) -> int:
        """The bytes that the variables need."""
        ops = module_variables(self.op)
        return sum(_size(op) + op.alignment.value.data + GAP for op in ops)

    def place(self, start: int, content: Bytes) -> None:
        """Put the variables, with their initial bytes, into memory that begins at an address."""
        end = start
        for op in module_variables(self.op):
            address = aligned(end, op.alignment.value.data)
            end = address + _size(op)
            self.variables[op.sym_name.data] = address, content[address - start : end - start]
            end += GAP
        fill_variables(self.op, self.memories())

    def memories(self) -> Mapping[str, Memory]:
        """The variables as memories of the emulator."""
        return {
            name: Memory(f"@{name}", address, content, np.ones(content.size, np.bool_))
            for name, (address, content) in self.variables.items()
        }


def _size(op: VariableOp) -> int:
    return 0 if op.size is None else op.size.value.data


class Modules:
    """The modules that a host program has loaded."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._modules: dict[int, Module] = {}
        self._kernels: dict[int, tuple[int, Kernel]] = {}
        self._count = 0

    @without_garbage_collection()
    def load(self, content: bytes, name: str) -> int:
        """Load PTX; `name` is that of the text in messages. Raises Refused and CompileError."""
        if content.startswith(_BINARIES):
            raise Refused(
                "the module is machine code, which the emulated driver cannot run: load its PTX, "
                'as Program(...).compile("ptx") of cuda.core, nvcc --ptx and NVRTC make it',
                Result.NO_BINARY_FOR_GPU,
            )
        source = Source(name, content.rstrip(b"\0").decode(errors="replace"))
        if (made_for := _other_device(source.text)) is not None:
            raise Refused(
                f"the module is for {made_for}, and the device is sm_{CAPABILITY}: compile it for "
                f"{TARGET}, or for sm_{CAPABILITY} or an older architecture without suffix",
                Result.NO_BINARY_FOR_GPU,
            )
        known = self._known.get(source.text)
        op, source = known or (read_kernels(source, TARGET, str(NEWEST)).module, source)
        self._count += 1
        self._modules[self._count] = Module(op, source)
        return self._count

    def __getitem__(self, number: int) -> Module:
        """The module with a number. Raises KeyError."""
        return self._modules[number]

    def unload(self, module: int) -> None:
        """Forget a module and its kernels."""
        self._modules.pop(module, None)
        self._kernels = {k: found for k, found in self._kernels.items() if found[0] != module}

    def kernel(self, module: int, name: str) -> tuple[int, Kernel]:
        """A kernel of a module, with its number. Raises Refused and CompileError."""
        source = self[module].source
        ops = {op.sym_name.data: op for op in self[module].op.walk() if isinstance(op, KernelOp)}
        if name not in ops:
            known = ", ".join(ops) or "none"
            raise Refused(f"the module has no kernel {name}; it has: {known}", Result.NOT_FOUND)
        with diagnosed(source):
            program = Program(ops[name], handlers_of(map(type, ops[name].walk())))
        self._count += 1
        self._kernels[self._count] = module, Kernel(ops[name], source, program)
        return self._count, self._kernels[self._count][1]

    def function(self, number: int) -> tuple[Module, Kernel]:
        """The kernel with a number, and its module. Raises KeyError."""
        module, kernel = self._kernels[number]
        return self[module], kernel


class Allocations:
    """The memory of the device, an arena that begins at an address of the host program."""

    def __init__(self, arena: npt.NDArray[np.uint8], base: int):
        self._arena, self.base = arena, base
        self._written: dict[Block, npt.NDArray[np.bool_]] = {}

    def from_address(self, address: int) -> npt.NDArray[np.uint8] | None:
        """The bytes from an address to the end of the arena; None if it is not in the arena."""
        start = address - self.base
        return self._arena[start:] if 0 <= start < len(self._arena) else None

    def relative(self, content: bytes) -> bytes:
        """Bytes with all addresses in the arena relative to its begin."""
        words = np.frombuffer(content, np.uint64, len(content) // 8).copy()
        words[words - np.uint64(self.base) < len(self._arena)] -= np.uint64(self.base)
        return words.tobytes() + content[words.nbytes :]

    def memories(self, blocks: Sequence[Block]) -> Iterator[Memory]:
        """The allocations as memories of the emulator; all bytes count as written."""
        known = self._written
        self._written = {
            each: known[each] if each in known else np.ones(each.size, np.bool_)
            for each in sorted(blocks)
        }
        for block, written in self._written.items():
            name = f"the allocation of {block.size} bytes at {block.address:#x}"
            start = block.address - self.base
            yield Memory(name, block.address, self._arena[start : start + block.size], written)
