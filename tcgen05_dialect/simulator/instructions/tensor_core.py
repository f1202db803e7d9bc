"""Instructions for matrix products, copies, shifts, commits and fences of the tensor core."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...isa.effects.model import Ordering, Orderings
from ...isa.element import element
from ...isa.mma.instruction_descriptor import (
    InstructionDescriptor,
    later_k_violations,
    without_later_k,
)
from ...isa.mma.products import TITLES
from ...isa.practice import BOUNDS, COLLECTIVE, COMMIT, UNWRITTEN
from ...isa.shared_memory.descriptor import (
    UNIT_BYTES,
    SharedMemoryDescriptor,
    is_unset,
    unset_violation,
    with_constant,
)
from ...isa.tensor_memory import copies
from ...isa.tensor_memory.alloc import CELL_BITS, LANES, Cell, unpack
from ...ptx import tcgen05 as ops
from ...ptx.effects import completions_of, effects_of, orders_of
from ...ptx.kernel import is_read
from ...ptx.tcgen05_mma import OPERATIONS, Mma
from ...ptx.text.syntax import offset_of, word_of
from ..machine.barrier import Mbarrier
from ..machine.errors import fault, helped, place_of
from ..machine.machine import Group, Machine, Step
from ..machine.operands import SharedMatrix
from ..machine.product import ProductExecution, instruction_descriptor
from ..machine.program import Handler, Program
from ..machine.state import Cta, may_precede_peer
from ..machine.tensor_core import Commit, Task
from ..machine.tensor_memory import block
from ..numbers.floats import Lanes
from ..order.clocks import Clocks, Rows, mark
from ..order.events import Access
from ..order.race_detector import Touched
from ..provenance.record import Provenance
from .mbarrier import check_visible
from .memory import spaces
from .tcgen05 import cta_group, ctas_of


def _commit(op: ops.CommitOp, program: Program) -> Step:
    address, offset = program.index(op.mbarrier), offset_of(op, "mbarrier")
    mask = None if op.multicast_mask is None else program.index(op.multicast_mask)
    generic = op.space is None
    ctas, orders = ctas_of(op), orders_of(op)
    (completion,) = effects_of(type(op)).tracks

    def step(group: Group) -> None:
        machine, cluster = group.machine, group.warp.cta.cluster
        _, addresses = spaces(
            op, group, None if generic else "shared::cluster", group.read(address)
        )
        for lane in group.lanes:
            at = int(addresses[lane]) + offset
            owner = cluster.cta_of(op, at)
            if mask is None:
                targets = [(owner, at)]
            else:
                targets = [
                    (cta, at - owner.shared.base + cta.shared.base)
                    for cta in cluster.named_by(int(group.read(mask)[lane]))
                ]
            unit, clocks, rows = cluster.tensor_core, cluster.clocks, group.warp.rows[[lane]]
            component = unit.completed(int(rows[0]), ctas, completion)
            if (missed := unit.missed(component, group.warp.rows)) is not None:
                left = f"no commit tracks {missed.name}, {place_of(missed)}"
                raise fault(op, COMMIT, f"this thread has issued nothing to track, and {left}")
            tracked, number = unit.tracked(int(rows[0]), component)
            _fence_tensor(clocks, rows, orders)
            message = mark(clocks.release(rows), component, number, True)
            tasks: list[Task] = []
            signals: list[Commit] = []
            for cta, place in targets:
                barrier = cta.mbarrier(op, place)
                remote = cta is not group.warp.cta
                check_visible(op, barrier, rows, machine.judge, remote)
                barrier.use(component, number, op if remote else None, is_commit=True)
                signals.append(Commit(number, barrier.name, *_phase_of(machine, barrier)))
                arrive = partial(
                    barrier.arrive, group.warp.brings(op, 1), message, np.array([component])
                )
                tasks.append(machine.issue(Task(op, [arrive], tracked, barrier)))
            unit.commit(component, tasks, signals[0] if signals else None)

    return step


def _phase_of(machine: Machine, barrier: Mbarrier) -> tuple[int, int]:
    """The component that counts the phases of a barrier object, and the phase for the next commit,
    if only commits arrive."""
    tasks = [task for task in machine.tasks if task.signals is barrier]
    earlier = sum(isinstance(task.op, ops.CommitOp) and not task.done for task in tasks)
    return barrier.phases.component, barrier.phases.over + earlier // barrier.count


def _fence(op: ops.FenceOp, program: Program) -> Step:
    orders = orders_of(op)

    def step(group: Group) -> None:
        _fence_tensor(group.warp.cta.cluster.clocks, group.rows, orders)

    return step


def _fence_tensor(clocks: Clocks, rows: Rows, orders: Orderings) -> None:
    """Order tcgen05 operations of threads, as far as an instruction does so."""
    if Ordering.BEFORE_THREAD_SYNC in orders:
        clocks.fence_before(rows)
    if Ordering.AFTER_THREAD_SYNC in orders:
        clocks.fence_after(rows)


def issue(
    op: Operation,
    group: Group,
    lane: int,
    kind: str,
    key: Hashable,
    ctas: int,
    touched: Sequence[Touched],
    steps: Sequence[Callable[[], None]],
) -> None:
    """
    Issue a tensor core operation of a thread, with a kind and a key (see `Issued`).

    Raises OperationError if its accesses race with others.
    """
    machine, unit, rows = group.machine, group.warp.cta.cluster.tensor_core, group.warp.rows[[lane]]
    if ctas == 2 and (early := may_precede_peer(op, group.warp.cta, rows)):
        raise fault(op, COLLECTIVE, early, "execute a cluster barrier before the operation")
    (completion,) = completions_of(op)
    judge = machine.judge
    issued = unit.register(op, kind, key, int(rows[0]), ctas, completion)
    accesses: dict[str, Access] = {}
    for each in touched:
        access = accesses.get(each.role)
        if access is None:
            access = accesses[each.role] = judge.operation(
                op,
                group.warp,
                rows,
                issued.completion,
                issued.number,
                completion,
                group.width,
                issued,
                each.role,
            )
        if each.written:
            judge.write(access, each.memory, each.where, each.updated)
        else:
            same = kind, key, each.role, each.where
            judge.read(access, each.memory, each.where, same, each.operand)
    machine.issue(unit.start(issued, steps if machine.computes else accesses_only(touched)))


def accesses_only(touched: Sequence[Touched]) -> list[Callable[[], None]]:
    """Steps of an operation in a run without data: they read and write, but compute nothing."""

    def read() -> None:
        for each in touched:
            if each.is_read:
                with helped(UNWRITTEN, each.help, each.operand):
                    each.memory.check_written(each.where)

    def write() -> None:
        for each in touched:
            if each.written:
                each.memory.written[each.where.index] = True

    return [read, write]


def descriptor_word(op: Operation, group: Group, name: str, word: int) -> int:
    """The operand `name`, a shared memory descriptor, as the manual defines it: PTX text may leave
    its constant field 0, with a warning."""
    if is_unset(word) and is_read(op):
        group.machine.judge.warn(op, unset_violation(name, TITLES.get(name, "")))
        return with_constant(word)
    return word


def _idesc(op: Mma, group: Group, kind: str, word: int) -> InstructionDescriptor:
    """The instruction descriptor: PTX text may set a bit that later GPUs read, with a warning."""
    if is_read(op):
        for violation in later_k_violations(kind, word):
            group.machine.judge.warn(op, violation)
        word = without_later_k(kind, word)
    return instruction_descriptor(kind, word)


def _cp(op: ops.CpOp, program: Program) -> Step:
    address, descriptor = program.index(op.address), program.index(op.descriptor)
    offset, ctas = offset_of(op, "address"), ctas_of(op)
    shape, multicast = op.shape.data, word_of(op, "multicast")
    format_ = None if op.format is None else copies.FORMATS[op.format.data]

    def step(group: Group) -> None:
        for lane in group.lanes:
            cell = unpack(int(group.read(address)[lane]) + offset)
            if cell.lane:
                # The manual does not define other lanes.
                raise fault(op, BOUNDS, f"the address names lane {cell.lane}; it must name lane 0")
            word = descriptor_word(op, group, "descriptor", int(group.read(descriptor)[lane]))
            source = SharedMemoryDescriptor.decode(word)
            copies = [
                _Copy(cta, shape, multicast, format_, source, cell)
                for cta in cta_group(group, ctas)
            ]
            touched = [each for copy in copies for each in copy.touched()]
            steps = [copy.run for copy in copies]
            issue(op, group, lane, "cp", shape, ctas, touched, steps)
            for copy in copies if group.machine.records else ():
                copy.record(op, group.machine.provenance)

    return step


@dataclass(frozen=True)
class _Copy:
    """Copy of a matrix to the tensor memory of a CTA."""

    cta: Cta
    shape: str
    multicast: str | None
    format: copies.Format | None
    source: SharedMemoryDescriptor
    cell: Cell

    @property
    def _extents(self) -> tuple[int, int]:
        """Numbers of rows and of tensor memory columns."""
        shape = copies.SHAPES[self.shape]
        return shape.rows, shape.columns

    def _matrix(self) -> SharedMatrix:
        rows, columns = self._extents
        return SharedMatrix(
            self.cta.shared, self.source, False, rows, columns * CELL_BITS // 8, 8, False
        )

    def _lanes(self, row: int) -> tuple[int, ...]:
        return copies.destination_lanes(self.shape, self.multicast, row)

    def touched(self) -> Iterator[Touched]:
        """Cells that the copy reads and writes. Raises Violation."""
        rows, columns = self._extents
        yield Touched(self.cta.shared, self._matrix().cells(), False)
        self.cta.tensor.check(self.cell.column, columns)
        lanes = np.array([self._lanes(row) for row in range(rows)]).ravel()
        where = block(lanes, self.cell.column, columns)
        yield Touched(self.cta.tensor, where, True)

    def record(self, op: Operation, provenance: Provenance) -> None:
        """Record the copy, which the operation `op` issues."""
        columns = range(self.cell.column, self.cell.column + self._extents[1])
        provenance.copied(op, self.cta.tensor, columns, self._matrix())

    def run(self) -> None:
        """Perform the copy. Raises Violation."""
        rows, columns = self._extents
        data = self._matrix().read().astype(np.uint8)
        if self.format is not None:
            units = data.reshape(-1, UNIT_BYTES)
            data = np.array(
                [list(self.format.decompress(unit.tobytes())) for unit in units], np.uint8
            ).reshape(rows, -1)
        words = np.ascontiguousarray(data).view(np.uint32)
        for row in range(rows):
            lanes = np.array(self._lanes(row))
            places = self.cell.column + np.arange(columns)
            self.cta.tensor.write(lanes[:, None], places[None], words[row][None])


def _shift(op: ops.ShiftOp, program: Program) -> Step:
    address, offset, ctas = program.index(op.address), offset_of(op, "address"), ctas_of(op)

    def move(cta: Cta, cell: Cell) -> None:
        lanes, columns = _shifted(cell)
        sources = np.array([copies.source_lane(int(lane)) for lane in lanes])
        values = cta.tensor.read(sources[:, None], columns[None])
        cta.tensor.write(lanes[:, None], columns[None], values)

    def step(group: Group) -> None:
        for lane in group.lanes:
            cell = unpack(int(group.read(address)[lane]) + offset)
            copies.ADDRESS_LANES.check(lane=cell.lane)
            lanes, columns = _shifted(cell)
            where = block(lanes, cell.column, columns.size)
            touched: list[Touched] = []
            for cta in cta_group(group, ctas):
                cta.tensor.check(cell.column, copies.COLUMNS)
                touched.append(Touched(cta.tensor, where, True, updated=True))
            steps = [partial(move, cta, cell) for cta in cta_group(group, ctas)]
            issue(op, group, lane, "shift", None, ctas, touched, steps)

    return step


def _shifted(cell: Cell) -> tuple[Lanes, Lanes]:
    """Lanes and columns that a shift writes."""
    return np.arange(cell.lane, LANES), cell.column + np.arange(copies.COLUMNS)


def _mma(op: Mma, program: Program) -> Step:
    form, kind, ctas = op.form(), op.kind_name, op.ctas
    registers: dict[str, int] = {}
    lanes: Sequence[int] = ()
    for operand in op.product.operands:
        if operand.holder == "vector":
            lanes = program.operands(op, operand.name)
        elif operand.holder == "register":
            registers.update((operand.name, at) for at in program.operands(op, operand.name))
    offsets = {name: offset_of(op, name) for name in registers}
    scale: Any = op.properties.get("scale_input_d")
    descriptors = [each.name for each in form.matrices_in("shared")]
    exponent: int = 0 if scale is None else scale.value.data

    def product(group: Group, lane: int) -> ProductExecution:
        values = {name: int(group.read(at)[lane]) + offsets[name] for name, at in registers.items()}
        for name in descriptors:
            values[name] = descriptor_word(op, group, name, values[name])
        return ProductExecution(
            form=form,
            ctas=cta_group(group, ctas),
            idesc=_idesc(op, group, kind, values["idesc"]),
            values=values,
            scale_input_d=exponent,
            disabled=tuple(int(group.read(at)[lane]) for at in lanes),
        )

    def step(group: Group) -> None:
        for lane in group.lanes:
            multiply = product(group, lane)
            idesc = multiply.idesc
            key = (multiply.values["d"], idesc.m, idesc.n)
            steps = multiply.issue()
            issue(op, group, lane, "mma", key, ctas, [*multiply.touched()], steps)
            if group.machine.records:
                multiply.record(op, group.machine.provenance)
            statistics = group.machine.statistics
            statistics.matrix_products += 1
            statistics.multiply_adds += multiply.multiply_adds
            if group.machine.recorder is not None:
                bits = multiply.multiply_adds * element(idesc.a).bits
                group.machine.recorder.works(bits // ctas)

    return step


HANDLERS: Mapping[type[Operation], Handler] = {
    **dict.fromkeys(OPERATIONS.values(), _mma),
    ops.CommitOp: _commit,
    ops.FenceOp: _fence,
    ops.CpOp: _cp,
    ops.ShiftOp: _shift,
}
