"""Kernels of plans, built in the sequential form of `ws`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import frexp, prod
from typing import Any, NamedTuple, cast

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IntegerType,
    VectorType,
    f32,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation

from ..builder import Kernel, Map, Matrix, Role, accumulator, half, tile
from ..builder.values import Value as Number
from ..calculator.roofline import ROW_BYTES, ROWS, Tile, tiles_of
from ..isa.element import FLOAT_FORMATS
from ..isa.shared_memory.layout import ATOM_ORDERS, MAJORS
from ..isa.targets import MULTIPROCESSORS
from ..operations import ptx, ws
from ..ws.partition.partition import partition, sequential
from ..ws.partition.plan import MOST_STAGES
from .expression import Affine, Array, Splat
from .flat import FOLDS, Access, Apply, Fold, Load, Product, Value, folds_of
from .operand import MatrixOperand
from .plan import KernelPlan, bytes_of, is_unsigned, loads_of, type_name

_CHUNK = 32
"""Columns that a thread computes at a time."""
_WARPS = 4
_STAGES = 6
"""The most stages of the ring of a kernel with many steps along K; each takes instructions off the
main loop, which is unrolled by their number."""
_WORD = 4
"""Bytes of a register."""


class BuiltKernel(NamedTuple):
    """A kernel, and what a launch passes to it: for each parameter an array, the matrix that its
    tensor map describes, or a number."""

    op: ptx.KernelOp
    arguments: Sequence[Array | MatrixOperand | int]
    grid: tuple[int, ...]
    plan: KernelPlan
    tile: Tile


def build(plan: KernelPlan) -> BuiltKernel:
    """The kernel of a plan. Raises OperationError for operations that kernels do not have."""
    m, n = plan.extent(plan.rows), plan.extent(plan.columns)
    batch = plan.extent(*plan.outer)
    if plan.a is None:
        columns = -(-n // _CHUNK) * _CHUNK
        columns = columns if plan.is_folded else min(4 * _CHUNK, columns)
        chosen = Tile(ROWS, columns, 0, False, 0, 0, "loads")
    else:
        k = plan.extent(plan.depth) * plan.extent(*plan.outer_sums)
        chosen = next(
            each
            for each in tiles_of(m, n, k, plan.a.bytes, batch)
            if each.columns >= n or not plan.is_folded
        )
    return _Builder(plan, chosen).build()


@dataclass
class _Builder:
    plan: KernelPlan
    tile: Tile
    arguments: list[Array | MatrixOperand | int] = field(default_factory=list)
    counters: dict[int, Number] = field(default_factory=dict)
    """Loop of the plan -> its counter; of the loops of a tile, the number of the tile."""
    row: Any = None
    column: Any = None
    """The row of the thread, and the first column of a chunk."""
    chunk: int = _CHUNK
    steps: int = 0
    """The number of steps along K."""
    sums: Any = None
    """The sums of the chunk."""
    folded: dict[int, Number] = field(default_factory=dict)
    """Reduction -> its result for the row of the thread."""
    values: dict[int, Number] = field(default_factory=dict)
    """Value of the plan -> the vector of the chunk."""
    wide: dict[tuple[int, bool], Number] = field(default_factory=dict)
    """The same for the types in which threads compute."""

    def build(self) -> BuiltKernel:
        plan, own = self.plan, self.tile
        self.kernel = kernel = Kernel(plan.name, cluster=[2] if own.is_pair else ())
        factors = [each for each in (plan.a, plan.b) if each is not None]
        maps = [self._map(each, name) for each, name in zip(factors, "ab", strict=False)]
        self.pointers = self._pointers()
        buffers = [self._buffer(each, name) for each, name in zip(factors, "ab", strict=False)]
        d: Matrix | None = None
        if plan.product is not None:
            d = kernel.alloc("d", accumulator(ROWS, own.columns, plan.product.element))
        extents = [(plan.extent(plan.rows), own.rows), (plan.extent(plan.columns), own.columns)]
        if (batch := plan.extent(*plan.outer)) > 1:
            extents.append((batch, 1))
        sizes = [self._size(name, size) for name, (size, _) in zip("mnb", extents, strict=False)]
        self.shape = sizes[0], sizes[1]
        tiles = [(size, extent) for size, (_, extent) in zip(sizes, extents, strict=True)]
        region = kernel.warp_specialize(
            tiles, persistent=own.is_persistent, pair=own.is_pair, group=None
        )
        with region as counters, kernel.role("tile", warps=_WARPS) as role:
            self._place(counters)
            if d is not None:
                self._multiply(role, maps, buffers, d)
            self._store_tile(role, d)
        module = kernel.module()
        (op,) = module.ops
        op.detach()
        for each in op.walk():
            each.location = plan.op.location
        assert isinstance(op, ptx.KernelOp)
        if self.steps > MOST_STAGES and (roles := sequential(op)) is not None:
            partition(op, roles, min(_STAGES, self.steps))
        counts = [-(-size // extent) for size, extent in extents]
        counts[0] *= own.ctas
        if own.is_persistent:
            counts = [min(prod(counts), MULTIPROCESSORS // own.ctas * own.ctas)]
        return BuiltKernel(op, self.arguments, tuple(counts), plan, own)

    # Parameters and buffers.

    def _map(self, operand: MatrixOperand, name: str) -> Map:
        self.arguments.append(operand)
        own = self.tile
        inner = ROW_BYTES // operand.bytes
        rows = own.columns // own.ctas if name == "b" else ROWS
        outer = [1] * (len(operand.dimensions) - 2)
        box = [inner, min(inner, rows)] if operand.is_transposed else [rows, inner]
        major = MAJORS[operand.is_transposed]
        return self.kernel.tensor_map(
            f"{name}_map", *outer, *box, element=operand.element, major=major
        )

    def _buffer(self, operand: MatrixOperand, name: str) -> Any:
        """The tile in shared memory of a factor."""
        own = self.tile
        rows = own.columns // own.ctas if name == "b" else ROWS
        extents = (own.depth, rows) if operand.is_transposed else (rows, own.depth)
        # A row of several boxes.
        is_wide = not operand.is_transposed and own.depth * operand.bytes > ROW_BYTES
        type_ = tile(
            *extents,
            operand.element,
            major=MAJORS[operand.is_transposed],
            atom_order=ATOM_ORDERS[is_wide],
        )
        return self.kernel.alloc(name, type_)

    def _pointers(self) -> dict[str, Number]:
        plan = self.plan
        arrays = [each.access.array for each in loads_of(plan.value)]
        found = {array.name: array for array in [*arrays, plan.result.array]}
        self.arguments += found.values()
        return {name: self.kernel.parameter(name, i64) for name in found}

    def _size(self, name: str, size: int) -> Any:
        """A size of the result: of a kernel with many tiles a parameter, so that verification can
        run it with few."""
        if not self.tile.is_persistent:
            return size
        self.arguments.append(size)
        return self.kernel.parameter(name, at_least=1, at_most=size)

    # The loops.

    def _place(self, counters: Sequence[Number]) -> None:
        plan = self.plan
        self.counters = {plan.rows: counters[0], plan.columns: counters[1]}
        if len(counters) > 2:
            self._divide(counters[2], plan.outer)

    def _divide(self, counter: Number, loops: Sequence[int]) -> None:
        """Compute the counters of nested loops from the number of an iteration."""
        for at, number in enumerate(loops):
            inner = self.plan.extent(*loops[at + 1 :])
            own = counter // inner if inner > 1 else counter
            self.counters[number] = own % self.plan.extents[number] if at else own

    def _multiply(self, role: Role, maps: Sequence[Map], buffers: Sequence[Any], d: Matrix) -> None:
        plan, own = self.plan, self.tile
        blocks = -(-plan.extent(plan.depth) // own.depth)
        self.steps = blocks * plan.extent(*plan.outer_sums)
        for step in role.range(self.steps):
            self.counters[plan.depth] = step
            if plan.outer_sums:
                self.counters[plan.depth] = step % blocks
                self._divide(step // blocks, plan.outer_sums)
            for map_, buffer, operand in zip(maps, buffers, (plan.a, plan.b), strict=True):
                assert operand is not None
                map_.load(buffer, *(self._coordinate(each.index) for each in operand.dimensions))
            d.mma(buffers[0], buffers[1], accumulate=step.ne(0))

    def _coordinate(self, index: Affine) -> Any:
        ((number, _),) = index.terms.items()
        if self.plan.extent(number) == 1:
            return 0
        counter = self.counters[number]
        is_half = self.tile.is_pair and number in (self.plan.rows, self.plan.columns)
        return half(counter) if is_half else counter

    def _store_tile(self, role: Role, d: Matrix | None) -> None:
        plan, own = self.plan, self.tile
        first, first_column = self.counters[plan.rows], self.counters[plan.columns]
        self.row = first * own.rows + role.thread
        if own.is_pair:
            rank = role.value(ptx.SpecialRegisterOp(register="cluster_ctarank"))
            self.row = self.row + rank * ROWS
        self.role = role
        self.chunk = min(_CHUNK, own.columns)
        loads = [each for each in loads_of(plan.value) if self._is_of_row(each)]
        before = [(each, self._of_row(each)) for each in loads]

        def begin(at: Any) -> None:
            self.column = first_column * own.columns + at
            self.wide = {}
            self.values = {
                id(load): self._typed(each.splat(self.chunk), load.element) for load, each in before
            }
            self.sums = None if d is None else lambda: d.load(at, self.chunk)

        for fold in folds_of(plan.value):
            kind, start = FOLDS[fold.reduction.function]
            loop = role.carry(0, own.columns, self.chunk, values=[start])
            with loop as (at, before_chunk):
                begin(at)
                part = self._wide_value(fold.value, True)
                if plan.extent(plan.columns) % self.chunk:
                    part = part.keep_first(self.shape[1] - self.column, start)
                loop.give(part.reduce(kind, before_chunk, reorder=kind == "add"))
            self.folded[id(fold)] = loop.results[0]
        if plan.columns not in plan.result.offset.terms and plan.is_folded:
            begin(0)
            self._store(self._value(plan.value))
            return
        for at in role.range(0, own.columns, self.chunk):
            begin(at)
            self._store(self._value(plan.value))

    # Memory.

    def _factor(self, access: Access, number: int) -> int:
        return access.offset.terms.get(number, 0)

    def _pointer(self, access: Access) -> Number:
        """The address of the part of an array that the CTA accesses."""
        pointer, size = self.pointers[access.array.name], bytes_of(access.array.element)
        if access.offset.constant:
            pointer = pointer + access.offset.constant * size
        for number in self.plan.outer:
            if factor := self._factor(access, number):
                pointer = pointer + self.counters[number].to(i64) * (factor * size)
        return pointer

    def _is_of_row(self, load: Load) -> bool:
        return not self._factor(load.access, self.plan.columns)

    def _of_row(self, load: Load) -> Number:
        """The element for the row of a thread, which is the same in all columns."""
        access, plan = load.access, self.plan
        stride = self._factor(access, plan.rows)
        if not stride:
            return self._loaded(access, 0, 0, 1, (1, 1), None)
        return self._loaded(access, self.row, 0, 1, (self.shape[0], 1), stride)

    def _loaded(
        self,
        access: Access,
        row: Any,
        column: Any,
        count: int,
        shape: tuple[Any, Any],
        stride: int | None,
    ) -> Number:
        """A vector of elements as they are in memory; a single byte is widened."""
        element = _stored_type(access.array.element)
        pointer = self._pointer(access)
        if count > 1 or bytes_of(element) > 1:
            return self.role.load(pointer, row, column, count, shape, element, stride)
        # A vector of bytes fills registers.
        word = self.role.load(pointer, row, column, _WORD, shape, element, stride)
        is_signed = not is_unsigned(access.array.element)
        return self._widened(word, element, is_signed, _WORD)[0].splat(1)

    def _typed(self, value: Number, element: Attribute) -> Number:
        """A vector of loaded elements in the type that they have in the program."""
        if element == i1:
            if value.type == VectorType(i8, [self.chunk]):
                value = self._widened(value, i8, False)
            return value.ne(self.role.constant(0, VectorType(i32, [self.chunk])))
        return (
            self._resized(value, element)
            if bytes_of(element) == 1 and value.type.element_type in (f32, i32)
            else value
        )

    def _load(self, load: Load) -> Number:
        access, plan = load.access, self.plan
        element = access.array.element
        by_row, by_column = (self._factor(access, each) for each in (plan.rows, plan.columns))
        if by_column == 1 and (not by_row or by_row >= plan.extent(plan.columns)):
            row, shape = (self.row, self.shape) if by_row else (0, (1, self.shape[1]))
            stride = by_row or None
            whole = self._loaded(access, row, self.column, self.chunk, shape, stride)
            return self._typed(whole, element)
        parts = [
            self._loaded(access, *where, 1, shape, stride)
            for where, shape, stride in self._scattered(by_row, by_column)
        ]
        result = parts[0].splat(self.chunk)
        for at, part in enumerate(parts[1:], 1):
            op = vector.InsertOp(part[0].ssa_value, result.ssa_value, [at])
            result = self.role.value(op.result)
        return self._typed(result, element)

    def _scattered(
        self, by_row: int, by_column: int
    ) -> list[tuple[tuple[Any, Any], tuple[Any, Any], int | None]]:
        """The row, the column, the shape and the stride of the matrix in memory for each element of
        a chunk."""
        rows, columns = self.shape
        found: list[tuple[tuple[Any, Any], tuple[Any, Any], int | None]] = []
        for at in range(self.chunk):
            column = self.column + at
            if by_column >= by_row:
                shape = columns, max(by_row, 1) * (rows - 1) + 1
                found.append(((column, self.row * by_row), shape, by_column))
            else:
                shape = rows, by_column * (columns - 1) + 1
                found.append(((self.row, column * by_column), shape, by_row))
        return found

    def _store(self, value: Number) -> None:
        access, plan = self.plan.result, self.plan
        element = access.array.element
        if element == i1:
            ones = self.role.constant(1, VectorType(i32, [self.chunk]))
            wide = value.select(ones, 0)
            value = self._make(arith.TruncIOp, [wide], i8, self.chunk)
        by_row, by_column = (self._factor(access, each) for each in (plan.rows, plan.columns))
        pointer = self._pointer(access)
        if by_column in (0, 1):
            stride = by_row or None
            shape = self.shape if by_column else (self.shape[0], 1)
            self.role.store(value, pointer, self.row, self.column, shape, stride)
            return
        for at, (where, shape, stride) in enumerate(self._scattered(by_row, by_column)):
            self.role.store(value[at].splat(1), pointer, *where, shape, stride)

    # Arithmetic.

    def _value(self, value: Value) -> Number:
        key = id(value)
        if key not in self.values:
            self.values[key] = self._computed(value)
        return self.values[key]

    def _computed(self, value: Value) -> Number:
        match value:
            case Product():
                return self.sums()
            case Fold():
                wide = self.folded[id(value)].splat(self.chunk)
                return self._resized(wide, value.element)
            case Load():
                return self._load(value)
            case Splat():
                return self._splat(value)
            case Apply():
                return self._apply(value)

    def _splat(self, value: Splat) -> Number:
        if value.element == i1:
            zero = self.role.constant(0, VectorType(i32, [self.chunk]))
            return zero.eq(zero) if value.number.value.data else zero.ne(zero)
        return self._resized(self._number(value), value.element)

    def _apply(self, value: Apply) -> Number:
        function = value.function
        if isinstance(function, _CONVERSIONS):
            (operand,) = value.operands
            return self._converted(function, self._value(operand), operand.element, value.element)
        is_signed = not isinstance(function, _UNSIGNED) and not _is_unsigned_comparison(function)
        wide = [self._wide_value(each, is_signed) for each in value.operands]
        element = _wide(value.element)
        result = self._make(type(function), wide, element, self.chunk, function.properties)
        return result if element == value.element else self._resized(result, value.element)

    def _wide_value(self, value: Value, is_signed: bool) -> Number:
        """The vector of a value in the type in which threads compute."""
        key = id(value), is_signed
        if key not in self.wide:
            if isinstance(value, Splat) and _is_exact(value):
                self.wide[key] = self._number(value)
            else:
                self.wide[key] = self._widened(self._value(value), value.element, is_signed)
        return self.wide[key]

    def _number(self, value: Splat) -> Number:
        type_ = VectorType(f32 if isinstance(value.number, FloatAttr) else i32, [self.chunk])
        return self.role.constant(value.number.value.data, type_)

    def _widened(
        self, value: Number, element: Attribute, is_signed: bool, count: int | None = None
    ) -> Number:
        wide = _wide(element)
        if wide == element:
            return value
        op_type = arith.ExtSIOp if is_signed else arith.ExtUIOp
        if isinstance(element, AnyFloat):
            op_type = arith.ExtFOp
        return self._make(op_type, [value], wide, self.chunk if count is None else count)

    def _resized(self, value: Number, element: Attribute) -> Number:
        """A vector of f32 or i32 with another type of its kind."""
        if element in (f32, i32):
            return value
        op_type = arith.TruncFOp if isinstance(element, AnyFloat) else arith.TruncIOp
        return self._make(op_type, [value], element, self.chunk)

    def _converted(
        self, function: Operation, value: Number, old: Attribute, new: Attribute
    ) -> Number:
        is_signed = not isinstance(function, _UNSIGNED)
        if old == i1:
            ones = self.role.constant(
                -1 if isinstance(function, arith.ExtSIOp | arith.SIToFPOp) else 1,
                VectorType(i32, [self.chunk]),
            )
            value, old = value.select(ones, 0), i32
        else:
            value, old = self._widened(value, old, is_signed), _wide(old)
        if isinstance(old, AnyFloat) != isinstance(new, AnyFloat):
            to_float = isinstance(new, AnyFloat)
            op_type = type(function)
            if to_float:
                op_type = ws.SIToFPOp if is_signed else ws.UIToFPOp
                value = self.role.value(
                    op_type(value.ssa_value, result_type=VectorType(f32, [self.chunk]))
                )
            else:
                value = self._make(op_type, [value], i32, self.chunk)
        return self._resized(value, new)

    def _make(
        self,
        op_type: type[Operation],
        operands: Sequence[Number],
        element: Attribute,
        count: int,
        properties: Mapping[str, Attribute] = {},
    ) -> Number:
        op = op_type.create(
            operands=[each.ssa_value for each in operands],
            result_types=[VectorType(cast("Any", element), [count])],
            properties=properties,
        )
        return self.role.value(op)


_CONVERSIONS = (
    arith.ExtFOp,
    arith.TruncFOp,
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.TruncIOp,
    arith.SIToFPOp,
    arith.UIToFPOp,
    arith.FPToSIOp,
    arith.FPToUIOp,
)
_UNSIGNED = (
    arith.ExtUIOp,
    arith.UIToFPOp,
    arith.FPToUIOp,
    arith.DivUIOp,
    arith.RemUIOp,
    arith.MaxUIOp,
    arith.MinUIOp,
    arith.ShRUIOp,
)


def _is_exact(value: Splat) -> bool:
    """Whether the number of a constant is one of its type."""
    number, form = value.number.value.data, FLOAT_FORMATS.get(type_name(value.element))
    if not isinstance(value.number, FloatAttr):
        return value.element != i1
    return form is not None and (frexp(number)[0] * 2**form.precision).is_integer()


def _is_unsigned_comparison(function: Operation) -> bool:
    return isinstance(function, arith.CmpiOp) and function.predicate.value.data > 5


def _wide(element: Attribute) -> Attribute:
    """The type of registers in which threads compute elements."""
    if isinstance(element, AnyFloat):
        return f32
    return i1 if element == i1 else i32


def _stored_type(element: Attribute) -> Attribute:
    """The type of elements in memory: truth values are bytes."""
    if isinstance(element, IntegerType):
        return IntegerType(max(8, element.bitwidth))
    return element
