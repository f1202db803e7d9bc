"""
Executable form of a kernel: one function for each instruction.

Checks of operands that become known in a run: the verifiers of the `ptx` dialect are called again,
with the values as constants.

Special registers (10): their values in a group of lanes.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from math import prod
from typing import Any

import numpy as np
from xdsl.ir import Block as IRBlock
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...isa.effects.model import LOADED, REGISTER
from ...isa.practice import FAILED_COORDINATES, UNDEFINED, UNSUPPORTED
from ...isa.targets import MULTIPROCESSORS, RESERVED_SHARED_BYTES
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx.analysis.control_flow import (
    END,
    ControlFlowGraph,
    closure,
    operations_of,
    reverse_postorder,
    successors,
)
from ...ptx.analysis.operand_checks import asked_values, verify_with, warnings_with
from ...ptx.analysis.registers import entry_registers, register_changes
from ...ptx.analysis.values import forwards, is_pure, loads_parameter, operations
from ...ptx.control_flow import Branch, CondBraOp
from ...ptx.effects import completed_by, completions_of, is_strong_access
from ...ptx.instruction import Instruction
from ...ptx.kernel import KernelOp, SharedMemoryOp
from ...ptx.structure import GuardOp, UndefinedOp, YieldOp, is_branch_over_stores, unguarded
from ...ptx.text.syntax import values_of
from ...ptx.types import TargetAttr, known_target_of
from ...ptx.variables import used_variables
from ..numbers.floats import Lanes, every, some
from ..order.clocks import Clock
from .errors import fault
from .gathering import (
    Flag,
    Lanewise,
    Storing,
    addresses_of,
    condition_of,
    coordinate_values,
    done_before,
    in_runs,
    joining,
    refusing,
    together,
    undefined_values,
)
from .machine import Block, Group, Step, Wait, all_of
from .state import VECTORS, Warp, Ways


def checked(
    step: Step,
    op: Instruction,
    registers: Sequence[tuple[SSAValue, int]],
    target: TargetAttr | None,
) -> Step:
    """Wrap an instruction to verify it with the values in registers, once for equal values."""
    values = [value for value, _ in registers]
    indices = [index for _, index in registers]
    seen: set[tuple[int, ...]] = set()
    # The compiler checks the features that do not depend on these operands.
    known = op.features()

    def run(group: Group) -> Wait | None:
        lanes = group.mask.nonzero()[0]
        rows = [group.read(index)[lanes].tolist() for index in indices]
        # Without registers, the instruction is illegal whatever they contain.
        for bits in ({*zip(*rows, strict=True)} if rows else {()}) - seen:
            given = dict(zip(values, bits, strict=True))
            verify_with(op, given, target, known)
            for warning in warnings_with(op, given):
                group.machine.judge.warn(op, warning)
            seen.add(bits)
        return step(group)

    return run


Handler = Callable[[Any, "Program"], Step]
"""Builds the function of one instruction."""
Watch = Callable[[Any, "Program"], Step | None]
"""Builds a step to take before or after one instruction, or gives None. Such a step never waits."""


def watched(handler: Handler, before: Sequence[Watch], after: Sequence[Watch] = ()) -> Handler:
    """The handler, with steps before and after those of its instructions."""

    def handle(op: Operation, program: "Program") -> Step:
        step = handler(op, program)
        first, last = (
            [found for watch in all_ if (found := watch(op, program)) is not None]
            for all_ in (before, after)
        )

        def run(group: Group) -> Wait | None:
            for each in first:
                each(group)
            wait = step(group)
            for each in last:
                each(group)
            return wait

        return run if first or last else step

    return handle


class Program:
    """
    A kernel as blocks of functions, without unreachable blocks and without the operations that
    `keeps` refuses. The parameters `several` may have several values at once; see `Machine.split`.

    Raises OperationError for an operation that the emulator does not support.
    """

    def __init__(
        self,
        kernel: KernelOp,
        handlers: Mapping[type[Operation], Handler],
        keeps: Callable[[Operation], bool] = lambda op: True,
        several: Iterable[SSAValue] = (),
    ):
        self.kernel = kernel
        self._handlers = handlers
        self._target = known_target_of(kernel)
        self._indices: dict[SSAValue | Flag, int] = {}
        self._undefined, self._coordinates = undefined_values(kernel), coordinate_values(kernel)
        # The flags of undefined values have one truth value in each lane.
        self.several = set[SSAValue]() if self._undefined else forwards(several, _results)
        """The values that may have several numbers in a lane."""
        self.ways: dict[Operation, Ways] = {}
        """Branch or guard -> the ways that it went in the run."""
        self._graph = graph = ControlFlowGraph(kernel.body, endless_loops_end=True)
        reachable = set(graph.blocks)
        self.blocks = {block: Block() for block in kernel.body.blocks if block in reachable}
        self._set_joins(graph)
        varied = {self.index(value) for value in self.several}
        readers = _readers(self.blocks if kernel.is_read else ())
        for source, block in self.blocks.items():
            steps: list[tuple[Operation, Step]] = []
            read: set[Operation] = set()
            for op in source.ops:
                if not read.issuperset(loads := readers.get(op, ())):
                    steps.append((op, _reading([self.index(each.results[0]) for each in loads])))
                    read.update(loads)
                if keeps(op):
                    steps += self._steps(op)
            for op, step, values in in_runs(steps, varied):
                block.ops.append(op)
                block.steps.append(self._after_loads(step, values))

    @cached_property
    def polls(self) -> bool:
        """Whether the kernel reads memory again and again, until another cluster has written it."""
        return any(is_strong_access(op) and op.results for op in self.kernel.walk())

    @property
    def entry(self) -> Block:
        return self.blocks[self.kernel.body.blocks[0]]

    @cached_property
    def variables(self) -> Sequence[SharedMemoryOp]:
        """The shared variables that the kernel uses."""
        return used_variables(self.kernel, reverse_postorder(self.kernel.body))

    @property
    def values(self) -> Mapping[SSAValue | Flag, int]:
        """Value, or flag of an undefined value -> index of its register."""
        return self._indices

    @cached_property
    def maxnreg(self) -> int | None:
        """The registers of each thread at the start, if the kernel changes and gives them."""
        return entry_registers(self.kernel, register_changes(operations_of(self.kernel)))

    def index(self, value: SSAValue) -> int:
        """Index of the register of a value."""
        return self._indices.setdefault(value, len(self._indices))

    def flag(self, value: SSAValue | None) -> int:
        """Index of the register that tells in which lanes a value is undefined."""
        flag = Flag(value if value in self._undefined else None)
        return self._indices.setdefault(flag, len(self._indices))

    def flags(
        self, values: Sequence[SSAValue], targets: Sequence[SSAValue]
    ) -> Sequence[tuple[int, int]]:
        """The flags of values, and the flags of the values to which they are assigned."""
        pairs = zip(values, targets, strict=True)
        return [(self.flag(a), self.flag(b)) for a, b in pairs if b in self._undefined]

    def operands(self, op: Operation, name: str) -> list[int]:
        """The registers of an operand, which has no, one or several values."""
        return [self.index(value) for value in values_of(op, name)]

    def decision(self, op: Operation) -> Ways:
        """The ways of a branch or guard, for its step to record them."""
        return self.ways.setdefault(op, Ways())

    def forget_ways(self) -> None:
        """Begin the record of ways for another run."""
        for ways in self.ways.values():
            ways.held = ways.failed = False
            ways.entries.clear()

    def step(self, op: Operation) -> Step:
        """Build the function of an instruction. Raises OperationError if there is none."""
        handler = self._handlers.get(type(op))
        if handler is None:
            raise fault(op, UNSUPPORTED, f"the emulator does not support {op.name}")
        step = together(op, handler(op, self))
        if self._undefined:
            step = self._refusing(op, step)
        if isinstance(op, Instruction):
            try:
                asked = asked_values(op)
                is_legal = True
            except VerifyException:
                # PTX text may move an illegal number to an operand; a thread must execute it.
                asked, is_legal = (), False
            registers = [(value, self.index(value)) for value in asked]
            if registers or not is_legal:
                step = checked(step, op, registers, self._target)
        if isinstance(step, Lanewise):
            return step
        return self._splitting(step, condition_of(op) if isinstance(op, Branch) else op.operands)

    def _splitting(self, step: Step, values: Sequence[SSAValue]) -> Step:
        """Wrap an instruction to read one number of each of some values."""
        several = [self.index(value) for value in values if value in self.several]

        def run(group: Group) -> Wait | None:
            for index in several:
                if group.warp.registers[index].ndim > 1:
                    group.machine.split(group, index)
            return step(group)

        if several and isinstance(step, Storing):
            step.before.append(self._splitting(done_before, values))
            return step
        return run if several else step

    def _steps(self, op: Operation) -> Sequence[tuple[Operation, Step]]:
        """The instructions of an operation, which may be a guard."""
        for result in op.results:
            self.index(result)
        if not isinstance(op, GuardOp):
            return [(op, self.step(op)), *self._flags(op)]
        condition, negated = self.index(op.predicate), op.negated is not None
        ways = self.decision(op)
        kept: list[tuple[Operation, Step]] = []
        for inner, result, old in zip(
            op.instructions[0].results if op.outputs else (), op.outputs, op.kept, strict=True
        ):
            # The result has the old value, and then that of the lanes that execute the instruction.
            register = self._indices[inner] = self.index(result)
            kept.append((op, Lanewise(_same, [self.index(old)], register)))
            if result in self._undefined:
                flag = self._indices[Flag(inner)] = self.flag(result)
                kept.append((op, Lanewise(_same, [self.flag(old)], flag)))
        if is_branch_over_stores(op):
            kept.append((op, self._splitting(_parting(op, condition), [op.predicate])))

        select = _selecting(condition, negated, ways)

        def guarded(step: Step) -> Step:
            step = self._refusing(op, _guarded(step, select))
            return self._splitting(step, [op.predicate])

        return kept + [
            (inner, guarded(step))
            for each in op.instructions
            for inner, step in [(each, self.step(each)), *self._flags(each)]
        ]

    def _refusing(self, op: Operation, step: Step) -> Step:
        """A step that raises OperationError if an address or condition is undefined."""
        asked = [(each, "address") for each in addresses_of(op)]
        decisive = [each for each in condition_of(op) if each in self._coordinates]
        if decisive and not self._only_selects(op):
            asked += [(each, "condition") for each in decisive]
        for value, what in asked:
            if value in self._undefined:
                rule = FAILED_COORDINATES if value in self._coordinates else UNDEFINED
                step = refusing(op, step, [self.flag(value)], rule, what)
        return step

    def _only_selects(self, op: Operation) -> bool:
        """Whether a branch only decides which values are computed, as a selection does."""
        block = op.parent
        if not isinstance(op, CondBraOp) or block is None:
            return False
        blocks, sides = self._graph.blocks, self._graph.sides(self._graph.number[block])
        inside = operations(blocks[at] for side in sides for at in side)
        return bool(sides) and all(
            is_pure(type(each)) or isinstance(each, Branch) or loads_parameter(each)
            for each in inside
        )

    def _flags(self, op: Operation) -> Sequence[tuple[Operation, Step]]:
        """The steps that tell in which lanes the results of an instruction are undefined, if they
        may be."""
        if not self._undefined or isinstance(op, UndefinedOp):
            return ()
        flags = [
            self._indices.get(Flag(each), self.flag(each))
            for each in op.results
            if Flag(each) in self._indices or each in self._undefined
        ]
        values, sources = [*map(self.index, op.operands)], [*map(self.flag, op.operands)]
        return [(op, joining(op, values, sources, flag)) for flag in flags]

    def _after_loads(self, step: Step, values: Sequence[SSAValue]) -> Step:
        loaded = [self.index(value) for value in values if _is_loaded(value)]
        return _after_loads(step, loaded) if loaded else step

    def _set_joins(self, graph: ControlFlowGraph) -> None:
        """Set the blocks where lanes that take different branches join. Endless loops count as
        ends."""
        for source, join in zip(graph.blocks, graph.joins, strict=True):
            if join is not None and join != END:
                self.blocks[source].join = self.blocks[graph.blocks[join]]


def _results(op: Operation, value: SSAValue) -> Iterable[SSAValue]:
    parent = op.parent_op()
    return parent.results if isinstance(op, YieldOp) and parent else op.results


def _readers(blocks: Iterable[IRBlock]) -> Mapping[Operation, Sequence[Operation]]:
    """Operation -> the loads of tensor memory whose registers it may read before a wait for loads.
    Some kernels rely on the registers alone."""
    places: dict[Operation, tuple[IRBlock, int]] = {}
    # The indices of the waits of a block, and the number of its operations.
    stops: dict[IRBlock, list[int]] = {}
    loads: list[Operation] = []
    for block in blocks:
        places.update((op, (block, index)) for index, op in enumerate(block.ops))
        waits = [places[op][1] for op in block.ops if LOADED in completed_by(op)]
        stops[block] = [*waits, len(block.ops)]
        loads += [op for op in block.ops if REGISTER in completions_of(op)]

    @cache
    def after_end(block: IRBlock) -> set[IRBlock]:
        """The blocks that a thread may enter between the end of a block and a wait."""
        return closure(
            successors(block), lambda each: () if len(stops[each]) > 1 else successors(each)
        )

    readers: dict[Operation, list[Operation]] = {}
    for load in loads:
        block, start = places[load]
        stop = next(each for each in stops[block] if each > start)
        entered = after_end(block) if stop == stops[block][-1] else ()
        uses = {unguarded(use.operation) for each in load.results for use in each.uses}
        for reader in uses & places.keys():
            home, index = places[reader]
            is_later = home is block and start < index < stop
            if is_later or (home in entered and index < stops[home][0]):
                readers.setdefault(reader, []).append(load)
    return readers


def _reading(loads: list[int]) -> Step:
    """Step that records that an instruction reads the registers of loads, after they arrived."""

    def read(group: Group) -> None:
        clocks = group.warp.cta.cluster.clocks
        for register in loads:
            if register in group.warp.loads:
                moves, number = group.warp.loads[register]
                component = clocks.reads_of(clocks.component(moves))
                clocks.complete(group.rows, component, number, Clock.SEEN)

    return _after_loads(read, loads)


def _is_loaded(value: SSAValue) -> bool:
    """Whether an asynchronous load writes the register."""
    owner = value.owner
    if isinstance(owner, GuardOp):
        return any(REGISTER in completions_of(op) for op in owner.instructions)
    return isinstance(owner, Operation) and REGISTER in completions_of(owner)


def _after_loads(step: Step, loaded: list[int]) -> Step:
    """Wrap an instruction to wait for pending loads of its operands (9.7.16.6.4.5)."""

    def checked(group: Group) -> Wait | None:
        pending = group.warp.pending
        tasks = [pending[index] for index in loaded if index in pending] if pending else []
        if not tasks:
            return step(group)
        group.index -= 1
        return all_of(tasks, "registers that are loaded")

    return checked


def _parting(guard: GuardOp, condition: int) -> Step:
    """Step that parts the lanes at the branch that a guard is in PTX."""

    def part(group: Group) -> None:
        holds = group.warp.registers[condition] & group.mask
        if some(holds) and some(group.mask & ~holds):
            group.warp.parts.separate(group.mask, holds, guard)

    return part


def _selecting(condition: int, negated: bool, ways: Ways) -> Callable[[Group], Lanes]:
    """Function that gives the lanes of a group that a predicate selects, and records the ways."""

    def select(group: Group) -> Lanes:
        holds = group.warp.registers[condition]
        active = group.mask & (~holds if negated else holds)
        ways.held |= some(active)
        ways.failed |= some(group.mask & ~active)
        return active

    return select


def _guarded(step: Step, select: Callable[[Group], Lanes]) -> Step:
    """Wrap an instruction to run only in the lanes that its predicate selects."""

    def guarded(group: Group) -> Wait | None:
        mask, active = group.mask, select(group)
        if not some(active):
            return None
        if group.machine.recorder is not None:
            group.machine.recorder.runs(group, group.waiting)
        rest = mask & ~active
        if not some(rest):
            return step(group)
        group.mask, group.full = active, False
        try:
            return step(group)
        finally:
            if not group.over:
                # The step may have gathered other lanes.
                group.mask = group.mask | rest
            else:
                # Only the selected lanes ended.
                group.mask, group.over = rest, False
            group.full = every(group.mask)

    if isinstance(step, Storing):
        return replace(step, alone=_guarded(step.alone, select), select=select)
    return guarded


def computing(make: Callable[[Any], Callable[..., Lanes]]) -> Handler:
    """Handler of an instruction with one result: the function of its operands that `make` gives for
    the instruction."""

    def handler(op: Operation, program: Program) -> Step:
        function = make(op)
        operands = [program.index(operand) for operand in op.operands]
        if not program.several.isdisjoint(op.operands):
            function = _of_several(function)
        return Lanewise(function, operands, program.index(op.results[0]))

    return handler


def pure(function: Callable[..., Lanes]) -> Handler:
    """Handler of an instruction with one result that is a function of its operands."""
    return computing(lambda op: function)


def _of_several(function: Callable[..., Lanes]) -> Callable[..., Lanes]:
    """A function of lanes that also takes operands with several numbers in each lane."""

    def computed(*values: Lanes) -> Lanes:
        several = [each.shape for each in values if each.ndim > 1]
        if not several:
            return function(*values)
        flat = [np.broadcast_to(each, several[0]).ravel() for each in values]
        return function(*flat).reshape(several[0])

    return computed


def _same(value: Lanes) -> Lanes:
    return value


def nothing(op: Operation, program: Program) -> Step:
    """Handler of an instruction without a visible effect."""
    return done_before


def unsupported(what: str) -> Handler:
    """Handler of an instruction that the emulator does not execute, because it lacks something."""

    def handler(op: Operation, program: Program) -> Step:
        raise fault(op, UNSUPPORTED, f"the emulator does not support {what}")

    return handler


_LANES = np.arange(WARP_LANES, dtype=np.uint64)
_ONE = np.uint64(1)
_WORD = 0xFFFFFFFF
_MASKS = {
    "eq": _ONE << _LANES,
    "lt": (_ONE << _LANES) - _ONE,
    "le": (_ONE << (_LANES + _ONE)) - _ONE,
    "gt": (_ONE << np.uint64(WARP_LANES)) - (_ONE << (_LANES + _ONE)),
    "ge": (_ONE << np.uint64(WARP_LANES)) - (_ONE << _LANES),
}


def _threads(warp: Warp, x: int, y: int) -> Sequence[Lanes]:
    """The numbers of the threads of a warp along each axis of a CTA with these extents."""
    thread = warp.index * WARP_LANES + np.arange(WARP_LANES)
    return thread % x, thread // x % y, thread // (x * y)


def _clock(group: Group) -> int:
    return group.machine.steps


_SPECIAL: Mapping[str, Callable[[Group], Any]] = {
    **{f"lanemask_{name}": lambda _, mask=mask: mask for name, mask in _MASKS.items()},
    "laneid": lambda _: np.arange(WARP_LANES),
    "warpid": lambda group: group.warp.index,
    "nwarpid": lambda group: -(-prod(group.machine.sizes.block) // WARP_LANES),
    "cluster_ctarank": lambda group: group.warp.cta.rank,
    "cluster_nctarank": lambda group: prod(group.machine.sizes.cluster),
    "total_smem_size": lambda group: group.warp.cta.shared.bytes.size,
    "dynamic_smem_size": lambda group: group.machine.sizes.dynamic_shared_memory,
    **dict.fromkeys(("clock", "globaltimer_lo"), lambda group: _clock(group) & _WORD),
    **dict.fromkeys(("clock_hi", "globaltimer_hi"), lambda group: _clock(group) >> 32),
    **dict.fromkeys(("clock64", "globaltimer"), _clock),
    "is_explicit_cluster": lambda group: group.machine.sizes.cluster != (1, 1, 1),
    "aggr_smem_size": lambda group: group.warp.cta.shared.bytes.size + RESERVED_SHARED_BYTES,
    "smid": lambda group: group.warp.cta.multiprocessor,
    "nsmid": lambda _: MULTIPROCESSORS,
    "gridid": lambda _: 0,
}


def special_register(name: str) -> Callable[[Group], Any]:
    """The value of a special register as a function of the lanes that read it: a number for all, or
    an array with one for each."""
    base, _, dimension = name.partition(".")
    if not dimension:
        return _SPECIAL[name]
    axis = "xyz".index(dimension)
    if base == "tid":
        return lambda group: _threads(group.warp, *group.machine.sizes.block[:2])[axis]
    vector = VECTORS[base]
    return lambda group: vector(group.warp.cta.position, group.machine.sizes)[axis]
