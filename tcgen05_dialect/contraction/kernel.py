"""Kernels of plans, built in the sequential form of `ws`."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import frexp, prod
from typing import Any, NamedTuple, cast

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerType, VectorType, f32, i1, i32, i64
from xdsl.ir import Attribute, Operation

from ..builder import Kernel, Map, Matrix, Role, Tile, accumulator, half, tile
from ..builder.values import Value as Number
from ..calculator.roofline import ROW_BYTES, ROWS, tiles_of
from ..calculator.roofline import Tile as Plan
from ..isa.element import FLOAT_FORMATS
from ..isa.shared_memory.layout import MAJORS
from ..isa.targets import MULTIPROCESSORS
from ..operations import ptx, ws
from ..ptx.types import TensorMapType
from ..ws.kernel import specialized
from ..ws.partition import partition
from ..ws.partition.plan import MOST_STAGES
from .expression import Array, Splat, unused
from .flat import FOLDS, Access, Apply, Fold, Index, MatrixOperand, Product, Value
from .plan import KernelPlan, bytes_of, is_unsigned, type_name

_CHUNK = 32
"""Columns that a thread computes at a time."""
_WARPS = 4
_GROUP = 8
"""Tiles along M that come before the next tile along N, so that their loads hit the L2 cache."""
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


def build(plan: KernelPlan) -> BuiltKernel:
    """The kernel of a plan."""
    n = plan.extent(plan.columns)
    if not plan.factors:
        columns = -(-n // _CHUNK) * _CHUNK
        columns = columns if plan.folds else min(4 * _CHUNK, columns)
        return _Builder(plan, Plan(ROWS, columns, 0, False, 0, 0, "loads")).build()
    k = plan.extent(plan.depth, *plan.outer_sums)
    tiles = tiles_of(plan.extent(plan.rows), n, k, plan.factors[0].bytes, plan.extent(*plan.outer))
    # A thread that reduces a row needs all of its columns.
    return _Builder(plan, next(t for t in tiles if t.columns >= n or not plan.folds)).build()


class _Builder:
    """
    Builder of one kernel. `counters` has the counters of the loops of the plan; those of a tile
    count tiles. Values of the plan are vectors of i1, i32 or f32, rounded to their types.
    """

    role: Role
    row: Number
    column: Number
    """The row of the thread, and the first column of a chunk."""

    def __init__(self, plan: KernelPlan, own: Plan) -> None:
        self.plan, self.tile = plan, own
        self.kernel = Kernel(plan.name, cluster=[2] if own.is_pair else ())
        self.arguments: list[Array | MatrixOperand | int] = []
        self.counters: dict[int, Number] = {}
        self.chunk = min(_CHUNK, own.columns)
        self.steps = 0
        self.sums: Any = None
        """A function that loads the sums of a chunk."""
        self.of_rows: dict[int, Number] = {}
        """Load or reduction -> its number for the row of the thread."""
        self.places = set[Attribute]()
        """The places in the program of the operations of the epilogue."""
        self.values: dict[int, Number] = {}
        """Value of the plan -> its vector in the chunk."""

    def build(self) -> BuiltKernel:
        """The kernel."""
        plan, own, kernel = self.plan, self.tile, self.kernel
        maps = [self._map(each, name) for each, name in zip(plan.factors, "ab", strict=False)]
        found = {each.array.name: each.array for each in (*plan.loads, plan.result)}
        self.arguments += found.values()
        names = {name: unused(name, ("a_map", "b_map")) for name in found}
        self.pointers = {name: kernel.parameter(own, i64) for name, own in names.items()}
        buffers = [self._buffer(each, name) for each, name in zip(plan.factors, "ab", strict=False)]
        d = None
        if plan.product is not None:
            d = kernel.alloc("d", accumulator(ROWS, own.columns, plan.product.element))
        extents = [(plan.extent(plan.rows), own.rows), (plan.extent(plan.columns), own.columns)]
        if (batch := plan.extent(*plan.outer)) > 1:
            extents.append((batch, 1))
        named = zip("mnb", extents, strict=False)
        self.sizes = [self._size(name, size) for name, (size, _) in named]
        tiles = [(size, extent) for size, (_, extent) in zip(self.sizes, extents, strict=True)]
        group = _GROUP if own.is_persistent else None
        region = kernel.warp_specialize(tiles, own.is_persistent, pair=own.is_pair, group=group)
        with region as counters, kernel.role("tile", warps=_WARPS) as self.role:
            self._place(counters)
            if d is not None:
                self._multiply(maps, buffers, d)
            self._store_tile(d)
        op = cast("ptx.KernelOp", kernel.module().ops.first)
        op.detach()
        for each in op.walk():
            if each.location not in self.places:
                each.location = plan.op.location
        roles = specialized(op)
        if self.steps > MOST_STAGES and roles is not None and roles.is_sequential:
            partition(roles, min(_STAGES, self.steps))
        grid = [-(-size // extent) for size, extent in extents]
        grid[0] *= own.ctas
        if own.is_persistent:
            grid = [min(prod(grid), MULTIPROCESSORS // own.ctas * own.ctas)]
        return BuiltKernel(op, self.arguments, tuple(grid), plan)

    # Parameters, buffers and loops.

    def _rows(self, name: str) -> int:
        """The rows of the tile of a factor in one CTA."""
        return self.tile.columns // self.tile.ctas if name == "b" else ROWS

    def _map(self, operand: MatrixOperand, name: str) -> Map:
        inner, rows = ROW_BYTES // operand.bytes, self._rows(name)
        box = [inner, min(inner, rows)] if operand.is_transposed else [rows, inner]
        ones, major = [1] * (len(operand.dimensions) - 2), MAJORS[operand.is_transposed]
        element = operand.element
        made = self.kernel.tensor_map(f"{name}_map", *ones, *box, element=element, major=major)
        self.arguments.append(operand._replace(box=cast(TensorMapType, made.type).box))
        return made

    def _buffer(self, operand: MatrixOperand, name: str) -> Tile:
        """The tile in shared memory of a factor."""
        rows, columns = self._rows(name), self.tile.depth
        if operand.is_transposed:
            rows, columns = columns, rows
        major = MAJORS[operand.is_transposed]
        return self.kernel.alloc(name, tile(rows, columns, operand.element, major=major))

    def _size(self, name: str, size: int) -> Any:
        """A size of the result: of a kernel with many tiles a parameter, so that verification can
        run it with few."""
        if not self.tile.is_persistent:
            return size
        self.arguments.append(size)
        name = unused(name, self.pointers)
        return self.kernel.parameter(name, at_least=1, at_most=size)

    def _place(self, counters: Sequence[Number]) -> None:
        plan = self.plan
        self.counters = {plan.rows: counters[0], plan.columns: counters[1]}
        self.stored_rows = self.sizes[0]
        if len(counters) > 2:
            self._divide(counters[2], plan.outer)
            # A CTA behind the last of the batch stores nothing.
            is_inside = counters[2] < self.sizes[2]
            self.stored_rows = is_inside.select(self.role.constant(0) + self.sizes[0], 0)
        self.row = counters[0] * self.tile.rows + self.role.thread
        if self.tile.is_pair:
            rank = ptx.SpecialRegisterOp(register="cluster_ctarank")
            self.row = self.row + self.role.value(rank) * ROWS

    def _divide(self, counter: Number, loops: Sequence[int]) -> None:
        """Compute the counters of nested loops from the number of an iteration."""
        for at, number in enumerate(loops):
            inner = self.plan.extent(*loops[at + 1 :])
            own = counter // inner if inner > 1 else counter
            self.counters[number] = own % self.plan.extents[number] if at else own

    def _multiply(self, maps: Sequence[Map], buffers: Sequence[Tile], d: Matrix) -> None:
        plan = self.plan
        blocks = -(-plan.extent(plan.depth) // self.tile.depth)
        self.steps = blocks * plan.extent(*plan.outer_sums)
        for step in self.role.range(self.steps):
            self.counters[plan.depth] = step % blocks if plan.outer_sums else step
            if plan.outer_sums:
                self._divide(step // blocks if blocks > 1 else step, plan.outer_sums)
            for map_, buffer, operand in zip(maps, buffers, plan.factors, strict=True):
                map_.load(buffer, *(self._coordinate(each.number) for each in operand.dimensions))
            d.mma(buffers[0], buffers[1], accumulate=step.ne(0))

    def _coordinate(self, number: int) -> Any:
        if self.plan.extent(number) == 1:
            return 0
        is_half = self.tile.is_pair and number in (self.plan.rows, self.plan.columns)
        return half(self.counters[number]) if is_half else self.counters[number]

    def _store_tile(self, d: Matrix | None) -> None:
        plan, columns = self.plan, self.tile.columns
        loads = [each for each in plan.loads if not self._steps(each)[1]]
        self.of_rows = {id(each): self._element(each, 0, 0) for each in loads}
        first = self.counters[plan.columns] * columns

        def begin(at: Any) -> None:
            self.column, self.values = first + at, {}
            self.sums = None if d is None else partial(d.load, at, self.chunk)

        for fold in plan.folds:
            kind, neutral = FOLDS[fold.reduction.function]
            loop = self.role.carry(0, columns, self.chunk, values=[neutral])
            with loop as (at, before):
                begin(at)
                part = self._value(fold.value)
                if plan.extent(plan.columns) % self.chunk:
                    part = part.keep_first(self.sizes[1] - self.column, neutral)
                loop.give(part.reduce(kind, before, reorder=kind == "add"))
            self.of_rows[id(fold)] = loop.results[0]
        is_of_rows = plan.folds and not self._steps(plan.result)[1]
        for at in (0,) if is_of_rows else self.role.range(0, columns, self.chunk):
            begin(at)
            self._store()

    # Memory.

    def _steps(self, access: Access | Index) -> tuple[int, int]:
        """The distances of elements in consecutive rows, and in consecutive columns."""
        terms = access.offset.terms
        return terms.get(self.plan.rows, 0), terms.get(self.plan.columns, 0)

    def _pointer(self, access: Access) -> Number:
        """The address of the part of an array that the CTA accesses."""
        pointer, size = self.pointers[access.array.name], bytes_of(access.element)
        # Where an index decreases, elements are counted from the last one.
        loops = zip((self.plan.rows, self.plan.columns), self._steps(access), strict=True)
        last = sum(min(step, 0) * (self.plan.extent(number) - 1) for number, step in loops)
        if first := access.offset.constant + last:
            pointer = pointer + first * size
        for number in self.plan.outer:
            if factor := access.offset.terms.get(number, 0):
                pointer = pointer + self.counters[number].to(i64) * (factor * size)
        return pointer

    def _where(
        self, access: Access, rows: Any, column: Any, stores: bool = False
    ) -> dict[str, Any]:
        """A matrix of consecutive elements in memory, and the place of an element in it. Only one
        thread stores an element that is the same in all rows."""
        m, n = self._steps(access)
        counts = self.plan.extent(self.plan.rows), self.plan.extent(self.plan.columns)
        row, column = self._from_end(self.row, m, counts[0]), self._from_end(column, n, counts[1])
        m, n, columns = max(abs(m), int(stores)), abs(n), self.sizes[1]
        reach = [step * (count - 1) for step, count in zip((m, n), counts, strict=True)]
        if not stores and min(m, n) and max(m, n) <= reach[m > n]:
            # Rows overlap, as those of windows do: the matrix has only one.
            row, column, rows, columns, stride = 0, row * m + column * n, 1, sum(reach) + 1, None
        elif m > n:
            column, columns, stride = column * n, max(n, 1) * (columns - 1) + 1, m
            columns = columns if n else 1
        elif n:
            row, rows, column, columns = column, columns, row * m, max(m, 1) * (rows - 1) + 1
            columns, stride = columns if m else 1, n
        else:
            row, rows, column, columns, stride = 0, 1, 0, 1, None
        return {"row": row, "column": column, "shape": (rows, columns), "stride": stride}

    def _from_end(self, place: Any, step: int, count: int) -> Any:
        """The place of an element that is counted from the last one if the step is negative."""
        return place if step >= 0 else (place < count).select(count - 1 - place, 0)

    def _element(self, access: Access, column: Any, at: int) -> Number:
        """One element in the row of the thread."""
        element = access.element
        count = 1 if bytes_of(element) > 1 else _WORD
        where = self._where(access, self.sizes[0], column + at if at else column)
        pointer, stored = self._pointer(access), _stored(element)
        given = self.role.load(pointer, count=count, element=stored, **where)
        return self._widened(given, element, count)[0]

    def _load(self, access: Access) -> Number:
        element = access.element
        m, n = self._steps(access)
        if n == 1 and (not m or m >= self.plan.extent(self.plan.columns)):
            row, rows = (self.row, self.sizes[0]) if m else (0, 1)
            where = row, self.column, self.chunk, (rows, self.sizes[1]), _stored(element), m or None
            whole = self.role.load(self._pointer(access), *where)
            return self._truth(self._widened(whole, element, self.chunk), element)
        parts = [self._element(access, self.column, at) for at in range(self.chunk)]
        return self._truth(self._joined(parts), element)

    def _joined(self, parts: Sequence[Number]) -> Number:
        """The vector of numbers."""
        result = parts[0].splat(self.chunk)
        for at, part in enumerate(parts[1:], 1):
            op = vector.InsertOp(part.ssa_value, result.ssa_value, [at])
            result = self.role.value(op.result)
        return result

    def _count(self, counter: Index) -> Number:
        """The numbers of a counter in a chunk."""
        m, n = self._steps(counter)
        first = self.role.constant(counter.offset.constant)
        for number in self.plan.outer:
            if factor := counter.offset.terms.get(number, 0):
                first = first + self.counters[number] * factor
        first = first + self.row * m if m else first
        if not n:
            return first.splat(self.chunk)
        first = first + self.column * n
        return self._joined([first + at * n if at else first for at in range(self.chunk)])

    def _store(self) -> None:
        access = self.plan.result
        value, element = self._value(self.plan.value, rounds=False), access.element
        if element == i1:
            value = self._selected(value, 1)
        value, pointer = self._narrowed(value, _stored(element)), self._pointer(access)
        m, n = self._steps(access)
        if n in (0, 1):
            shape = self.stored_rows, self.sizes[1] if n else 1
            self.role.store(value, pointer, self.row, self.column, shape, m or None)
            return
        for at in range(self.chunk):
            where = self._where(access, self.stored_rows, self.column + at, stores=True)
            self.role.store(value[at].splat(1), pointer, **where)

    # Arithmetic.

    def _value(self, value: Value, rounds: bool = True) -> Number:
        """The vector of a value; `rounds` rounds it to its type."""
        if not rounds and isinstance(value, Apply):
            return self._apply(value)
        if id(value) not in self.values:
            self.values[id(value)] = self._computed(value)
        return self.values[id(value)]

    def _computed(self, value: Value) -> Number:
        match value:
            case Product():
                return self.sums()
            case Splat():
                return self._number(value)
            case Index():
                return self._count(value)
            case Apply():
                return self._rounded(self._apply(value), value.element)
            case Fold():
                return self._rounded(self.of_rows[id(value)].splat(self.chunk), value.element)
            case Access():
                if (found := self.of_rows.get(id(value))) is None:
                    return self._load(value)
                return self._truth(found.splat(self.chunk), value.element)

    def _constant(self, number: float, element: Attribute) -> Number:
        return self.role.constant(number, VectorType(cast(Any, element), [self.chunk]))

    def _number(self, value: Splat) -> Number:
        number, element = value.number.value.data, value.element
        result = self._constant(number, f32 if isinstance(value.number, FloatAttr) else i32)
        if element == i1:
            return self._truth(result, i1)
        if isinstance(element, IntegerType):
            return result
        form = FLOAT_FORMATS.get(type_name(element))
        is_exact = form is not None and (frexp(number)[0] * 2**form.precision).is_integer()
        return result if is_exact else self._rounded(result, element)

    def _apply(self, value: Apply) -> Number:
        function, element = value.tensor.function, value.element
        operands = [self._value(each) for each in value.operands]
        old = value.operands[0].element
        is_positive = isinstance(function, _UNSIGNED)
        if isinstance(function, arith.CmpiOp):
            # The codes of comparisons without sign are the last.
            is_positive = function.predicate.value.data > 5
        if is_positive:
            operands = [self._positive(each, old) for each in operands]
        if isinstance(function, _RESIZING):
            if element == i1:
                return self._truth(operands[0] & self._constant(1, i32), i1)
            if old == i1:
                return self._selected(operands[0], -1 if isinstance(function, arith.ExtSIOp) else 1)
            # The registers have the number already.
            return operands[0]
        if isinstance(function, arith.BitcastOp):
            narrow = self._narrowed(operands[0], old)
            bits = self._make(vector.BitcastOp, [narrow], _stored(element), self.chunk)
            return self._widened(bits, element, self.chunk)
        if isinstance(function, arith.SIToFPOp | arith.UIToFPOp):
            is_signed = isinstance(function, arith.SIToFPOp)
            op_type, true = (ws.SIToFPOp, -1) if is_signed else (ws.UIToFPOp, 1)
            given = self._selected(operands[0], true) if old == i1 else operands[0]
            type_ = VectorType(f32, [self.chunk])
            return self.role.value(op_type(given.ssa_value, result_type=type_))
        made = self._make(type(function), operands, _wide(element), self.chunk, function.properties)
        cast(Operation, made.ssa_value.owner).location = value.tensor.op.location
        self.places.add(value.tensor.op.location)
        return made

    def _positive(self, value: Number, element: Attribute) -> Number:
        """A number of few bits without its sign."""
        bits = getattr(element, "bitwidth", 0)
        if isinstance(element, AnyFloat) or bits in (1, 32) or is_unsigned(element):
            return value
        return value & self._constant((1 << bits) - 1, i32)

    def _selected(self, truth: Number, number: int) -> Number:
        return truth.select(self._constant(number, i32), 0)

    def _truth(self, value: Number, element: Attribute) -> Number:
        """A loaded vector; truth values are bytes in memory."""
        return value.ne(self._constant(0, i32)) if element == i1 else value

    def _rounded(self, value: Number, element: Attribute) -> Number:
        """The numbers of a vector rounded to a type."""
        if element == i1:
            return value
        return self._widened(self._narrowed(value, element), element, self.chunk)

    def _narrowed(self, value: Number, element: Attribute) -> Number:
        if getattr(element, "bitwidth", 0) == 32:
            return value
        op_type = arith.TruncFOp if isinstance(element, AnyFloat) else arith.TruncIOp
        return self._make(op_type, [value], _stored(element), self.chunk)

    def _widened(self, value: Number, element: Attribute, count: int) -> Number:
        if getattr(element, "bitwidth", 0) == 32:
            return value
        op_type = arith.ExtUIOp if is_unsigned(element) else arith.ExtSIOp
        op_type = arith.ExtFOp if isinstance(element, AnyFloat) else op_type
        # Truth values in memory are bytes.
        return self._make(op_type, [value], i32 if element == i1 else _wide(element), count)

    def _make(
        self,
        op_type: type[Operation],
        operands: Sequence[Number],
        element: Attribute,
        count: int,
        properties: Mapping[str, Attribute] | None = None,
    ) -> Number:
        op = op_type.create(
            operands=[each.ssa_value for each in operands],
            result_types=[VectorType(cast(Any, element), [count])],
            properties=properties or {},
        )
        return self.role.value(op)


_RESIZING = arith.ExtFOp | arith.TruncFOp | arith.ExtSIOp | arith.ExtUIOp | arith.TruncIOp
_UNSIGNED = (
    *(arith.ExtUIOp, arith.UIToFPOp, arith.DivUIOp, arith.RemUIOp),
    *(arith.MaxUIOp, arith.MinUIOp, arith.ShRUIOp),
)


def _wide(element: Attribute) -> Attribute:
    """The type in which threads compute elements."""
    return f32 if isinstance(element, AnyFloat) else i1 if element == i1 else i32


def _stored(element: Attribute) -> Attribute:
    """The type of elements in memory and of vectors, whose integers have no sign."""
    if not isinstance(element, IntegerType):
        return element
    return IntegerType(max(8, cast(IntegerType, element).bitwidth))
