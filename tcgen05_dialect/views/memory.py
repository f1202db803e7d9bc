"""The contents of shared memory and tensor memory in a kernel: names, places and lines of use."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.ir import Operation

from ..calculator import Cell, ColourGroup, Grid, Record
from ..calculator.answer import Answer, Field, Fields, Records
from ..compiler import read_kernels
from ..isa.targets import RESERVED_SHARED_BYTES, SHARED_BYTES
from ..isa.tensor_memory.alloc import COLUMNS
from ..ptx.analysis.control_flow import operations_of
from ..ptx.analysis.known_values import constant_value
from ..ptx.analysis.values import forwards
from ..ptx.effects import effects_of
from ..ptx.kernel import KernelOp, SharedMemoryOp
from ..ptx.structure import AddressOfOp
from ..ptx.tcgen05 import AllocOp, DeallocOp
from ..ptx.variables import place_shared, used_variables
from ..reporting.diagnostics import Source
from ..simulator.instructions.tcgen05 import allocation_name
from ..simulator.launch.launch import kernel_of
from ..simulator.machine.errors import line_number
from .bars import MATRIX, RingBuffer, is_tiles, ring_buffers, specialized_in

_COLUMNS = 40
"""Width of a lifetime: characters in text, columns in a picture."""
_SHARED, _TENSOR = "shared memory", "tensor memory"


class Kept(NamedTuple):
    """A part of memory: `stages` times `size` bytes or columns from `first` on; `first` is None if
    it is unknown. `lines` goes from the first line of use to the last; `by` names the roles."""

    name: str
    first: int | None
    size: int
    stages: int
    lines: range
    by: str = ""

    @property
    def total(self) -> int:
        return self.size * self.stages

    @property
    def end(self) -> int:
        """The byte or column after the last one."""
        return (self.first or 0) + self.total

    @property
    def place(self) -> str:
        """The first and the last byte or column."""
        if self.first is None or not self.total:
            return "?"
        return f"{self.first}-{self.end - 1}"


class Memory(NamedTuple):
    """The memory of a kernel, whose operations are in `lines`. With `is_open`, the launch adds
    bytes."""

    kernel: str
    shared: Sequence[Kept]
    tensor: Sequence[Kept]
    columns: int
    lines: range
    is_open: bool

    @property
    def bytes(self) -> int:
        """Bytes of shared memory, up to the last one."""
        return max((each.end for each in self.shared), default=0)


def memory_of_kernel(source: Source, name: str | None = None) -> Memory:
    """The memory of a kernel of IR or PTX. Raises CompileError."""
    kernel = kernel_of(read_kernels(source).module, name)
    roles = specialized_in(source, kernel.sym_name.data)
    rings = [] if roles is None else [*ring_buffers(roles)]
    inside = operations_of(kernel)
    variables = used_variables(kernel, kernel.body.blocks)
    allocations = [op for op in inside if isinstance(op, AllocOp)]
    return Memory(
        kernel.sym_name.data,
        [*_shared(variables, rings, kernel)],
        [*_tensor(allocations, rings, kernel)],
        sum(constant_value(op.columns) or 0 for op in allocations),
        _span(inside),
        any(op.size is None and op.needs is None for op in variables),
    )


def _shared(
    variables: Sequence[SharedMemoryOp], rings: Sequence[RingBuffer], kernel: KernelOp
) -> Iterator[Kept]:
    """The variables, those of tiles as the buffers of rings and, behind these, the responses to
    requests for tiles."""
    places, _ = place_shared(variables)
    for op in sorted(variables, key=lambda each: places[each.sym_name.data]):
        name = op.sym_name.data
        first = places[name] - RESERVED_SHARED_BYTES
        size = op.needs if op.size is None else op.size
        whole = Kept(name, first, 0 if size is None else size.value.data, 1, _uses(name, kernel))
        inner = [each for each in rings if each.place.is_shared] if is_tiles(name) else []
        if not inner:
            yield whole
            continue
        buffers = [_of_ring(each, first) for each in inner]
        yield from buffers
        end = max(each.end for each in buffers)
        if end < whole.end:
            yield Kept("responses", end, whole.end - end, 1, whole.lines)


def _tensor(
    allocations: Sequence[AllocOp], rings: Sequence[RingBuffer], kernel: KernelOp
) -> Iterator[Kept]:
    inner = [each for each in rings if not each.place.is_shared]
    ends = [op for op in operations_of(kernel) if isinstance(op, DeallocOp)]
    first: int | None = 0
    for op in allocations:
        columns, name = constant_value(op.columns), allocation_name(op, kernel)
        if name.endswith(MATRIX) and inner:
            yield from (_of_ring(each, 0) for each in inner)
        else:
            lines = _span([op, *ends])
            yield Kept(name.lstrip("%") or "allocation", first, columns or 0, 1, lines)
        # Where a later one lies depends on the order of the run.
        first = None


def _of_ring(buffer: RingBuffer, base: int) -> Kept:
    place = buffer.place
    lines, by = _span(buffer.users), " -> ".join(filter(None, map(", ".join, buffer.roles)))
    return Kept(
        f"{buffer.name}{buffer.part}", base + place.start, place.step, place.stages, lines, by
    )


def _uses(name: str, kernel: KernelOp) -> range:
    """The lines of the instructions that get an address in a variable."""

    def is_access(op: Operation) -> bool:
        effects = effects_of(type(op))
        return bool(effects.reads or effects.writes or effects.arrives_at)

    starts = (
        op.result
        for op in operations_of(kernel)
        if isinstance(op, AddressOfOp) and op.variable.string_value() == name
    )
    addresses = forwards(starts, lambda op, _: () if is_access(op) else op.results)
    users = (use.operation for address in addresses for use in address.uses)
    return _span([*filter(is_access, users)])


def _span(ops: Sequence[Operation]) -> range:
    """The lines of operations, from the first to the last one."""
    lines = [line for op in ops if (line := line_number(op))]
    return range(min(lines), max(lines) + 1) if lines else range(0)


def answer(memory: Memory) -> Answer:
    """The memory as fields, records and drawings of lifetimes."""
    bytes_ = f"{memory.bytes} of {max(SHARED_BYTES.values())} bytes"
    if memory.is_open:
        bytes_ += ", and those that the launch adds"
    fields = [
        Field(_SHARED, memory.bytes, bytes_),
        Field(_TENSOR, memory.columns, f"{memory.columns} of {COLUMNS} columns allocated"),
    ]
    found = (_SHARED, "bytes", memory.shared), (_TENSOR, "columns", memory.tensor)
    drawings = [
        Records(f"in {title}", _records(unit, kept), [*_drawn(kept, unit, memory)])
        for title, unit, kept in found
        if kept
    ]
    title = f"memory of @{memory.kernel}"
    return Answer(title, [Fields("", fields), *drawings], lambda: picture(memory))


def _records(unit: str, kept: Sequence[Kept]) -> list[dict[str, object]]:
    return [
        {
            "name": each.name,
            "first": each.first,
            unit: each.size,
            "stages": each.stages,
            "first line": each.lines.start,
            "last line": each.lines.stop - 1,
            "by": each.by,
        }
        for each in kept
    ]


def _drawn(kept: Sequence[Kept], unit: str, memory: Memory) -> Iterator[str]:
    """A table with the lifetimes drawn."""
    first, last = memory.lines.start, memory.lines.stop - 1
    scale = f"line {first}".ljust(_COLUMNS - len(str(last))) + str(last)
    rows = [("name", unit, "size", "by", scale)]
    for each in kept:
        size = f"{each.stages} x {each.size}" if each.stages > 1 else str(each.size or "?")
        lifetime = "".join(".#"[lives] for lives in _shares(each, memory))
        rows.append((each.name, each.place, size, each.by, lifetime))
    if not any(row[3] for row in rows[1:]):
        rows = [(*row[:3], row[4]) for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(map(str.ljust, row, widths)).rstrip()


def _shares(kept: Kept, memory: Memory) -> Iterator[bool]:
    """For each part of the lines of a kernel, whether something lives there."""
    count = len(memory.lines)
    for at in range(_COLUMNS):
        first = memory.lines.start + at * count // _COLUMNS
        end = max(first + 1, memory.lines.start + (at + 1) * count // _COLUMNS)
        yield kept.lines.start < end and first < kept.lines.stop


def picture(memory: Memory) -> Grid:
    """The lifetimes as a grid, for pictures: a row for each name."""
    count = len(memory.lines)
    starts = [memory.lines.start + at * count // _COLUMNS for at in range(_COLUMNS)]
    kept = [(each, "bytes", 0) for each in memory.shared]
    kept += [(each, "columns", 1) for each in memory.tensor]
    groups = ColourGroup(_SHARED, 0), ColourGroup(_TENSOR, 1)
    return Grid(
        f"memory of @{memory.kernel}: {memory.bytes} bytes of shared memory, {memory.columns} "
        f"columns of tensor memory; lines of the program from left to right",
        "line",
        [" ".join(str(start)) if at % 5 == 0 else "" for at, start in enumerate(starts)],
        [f"{each.name}: {unit} {each.place}" for each, unit, _ in kept],
        [
            [
                Cell("#", "#", groups[group], (Record(name=each.name),)) if lives else Cell()
                for lives in _shares(each, memory)
            ]
            for each, _, group in kept
        ],
    )
