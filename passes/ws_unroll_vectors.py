"""The pass `ws-unroll-vectors`: replaces the vectors of threads by registers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast, get_args

from xdsl.context import Context
from xdsl.dialects import arith, scf, vector
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    f32,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import IsTerminator

from tcgen05_dialect.isa.ptx.kernel import OPERATION_RULE
from tcgen05_dialect.isa.tensor_memory.alloc import WARP_LANES
from tcgen05_dialect.ptx.analysis.control_flow import operations_in, operations_of
from tcgen05_dialect.ptx.instruction import segment_sizes
from tcgen05_dialect.reporting.diagnostics import located, no_lowering
from tcgen05_dialect.ws import vectors as ws
from tcgen05_dialect.ws.copies import IntegersToFloats, KeepFirstOp, SIToFPOp, UIToFPOp
from tcgen05_dialect.ws.roles import RoleOp
from tcgen05_dialect.ws.tma import TmaLoadOp, TmaStoreOp
from tcgen05_dialect.ws.vectors import NARROW, Store, is_packed, vector_shape

from .support.conversion import without_functions
from .ws import memory_access
from .ws.context import erase, with_roles
from .ws.emitter import Constants, Emitter, Value, prepend
from .ws.memory_access import PendingStores
from .ws.vectors import (
    Elements,
    Scalars,
    VectorArithmetic,
    constant_position,
    length_of,
    packed,
    per_word,
    recompute,
    shape_of,
    to_words,
    types_of,
    unpacked,
    vectors_before,
    widen_truths,
    width,
)

_ACCESSES = (ws.TmemLoadOp, ws.TmemStoreOp)
_Conversion = (
    arith.ExtFOp
    | arith.TruncFOp
    | arith.ExtSIOp
    | arith.ExtUIOp
    | arith.TruncIOp
    | arith.SIToFPOp
    | arith.UIToFPOp
)
_CONVERSIONS = get_args(_Conversion)
_TAKE_PACKED = (
    *_CONVERSIONS,
    *(arith.ConstantOp, vector.BitcastOp, SIToFPOp, UIToFPOp),
    *(ws.TmemLoadOp, ws.TmemStoreOp, ws.LocalLoadOp, ws.LocalStoreOp),
    *(ws.GlobalLoadOp, ws.GlobalStoreOp),
)
"""Operations whose vectors may have packed elements, besides control flow."""


class _Unroller:
    """Replaces the vectors in a role."""

    def __init__(self, role: RoleOp) -> None:
        self.role = role
        self.emit = Emitter(role.body.block, Constants())
        self.arithmetic = VectorArithmetic(self.emit)
        self.stores = PendingStores(self.emit)
        self.scalars: dict[SSAValue, Scalars] = {}
        self.first_lane = self._first_lane() if self._accesses_tensor_memory() else None
        self._rounded: list[SSAValue] = []
        """The results of arith.truncf, which stores may pack without using them."""

    def _accesses_tensor_memory(self) -> bool:
        return any(isinstance(op, _ACCESSES) for op in operations_of(self.role))

    def _first_lane(self) -> SSAValue:
        """The first lane of the warp, computed at the beginning of the role."""
        block = self.role.body.block
        thread = self.role.thread
        if thread is None:
            thread = block.insert_arg(i32, 0)
            thread.name_hint = "thread"
        emit = Emitter(Block(), self.emit.constants)
        emit.location = self.role.location
        lane = emit.times(emit.warp_of(thread), WARP_LANES)
        lane.name_hint = "first_lane"
        prepend(emit.block, block)
        return lane

    def run(self) -> None:
        """Replace the vectors in the role."""
        block = self.role.body.block
        with self.stores.inside(self.role):
            self.block(block)
            if self.role.specialized.clc is not None:
                self.stores.end()
        self._drop_packed()
        self.emit.constants.prepend(block)

    def _drop_packed(self) -> None:
        """Remove elements that stores have packed. Elements of 8 bits have no registers."""
        for value in self._rounded:
            op = value.owner
            assert isinstance(op, arith.TruncFOp)
            if value.first_use is None:
                op.detach()
                _drop(op)
            elif value.type in NARROW:
                raise no_lowering(op, "elements of 8 bits that only stores use")

    def block(self, block: Block) -> None:
        """Replace the vectors in a block, and among its arguments."""
        old = [each for each in block.args if length_of(each) is not None]
        for argument in old:
            self.scalars[argument] = self._expanded_argument(block, argument)
        operations = operations_in(block)
        for op in operations:
            op.detach()
        with self.emit.inside(block), self.arithmetic.scope():
            for op in operations:
                self.emit.location = op.location
                self.operation(op)
        for argument in old:
            block.erase_arg(argument)

    def _expanded_argument(self, block: Block, argument: SSAValue) -> Scalars:
        first = block.args.index(argument)  # pyright: ignore[reportArgumentType]
        return [block.insert_arg(type_, first + at) for at, type_ in enumerate(types_of(argument))]

    def operation(self, op: Operation) -> None:
        """Append an operation without its vectors."""
        if isinstance(op, scf.ForOp | scf.WhileOp):
            # A wait before the loop saves one in each iteration.
            inside = (each.address for each in operations_of(op) if isinstance(each, _ACCESSES))
            self.stores.settle((*op.operands, *inside))
        elif op.has_trait(IsTerminator):
            # In control flow, a matrix gets another name.
            self.stores.settle(op.operands)
            self.stores.end()
        lower = _LOWERINGS.get(type(op))
        if isinstance(op, arith.ConstantOp) and length_of(op.result) is None:
            lower = None
        values = (*op.operands, *op.results)
        arguments = [arg for region in op.regions for block in region.blocks for arg in block.args]
        _check_packed(op, values)
        if lower is not None:
            result = lower(self, op)
            self._replace(op, result)
        elif not any(length_of(value) is not None for value in (*values, *arguments)):
            location = op.location
            self._regions(op)
            self.emit.location = location
            self.emit.add(op)
            self._note_rounded(op, op.results)
        elif op.regions or op.has_trait(IsTerminator):
            self._structured(op)
        elif op.name.startswith(("arith.", "math.")) and len(op.results) == 1:
            self._elementwise(op)
        else:
            raise no_lowering(op, "operations of arith, math, vector and ws on vectors")

    def _regions(self, op: Operation) -> None:
        with self.stores.inside(op):
            for region in op.regions:
                for block in region.blocks:
                    self.block(block)

    def _structured(self, op: Operation) -> None:
        """Replace vectors among the operands and results of control flow by their elements."""
        regions = [op.detach_region(region) for region in [*op.regions]]
        types = [each for result in op.results for each in types_of(result)]
        new = type(op).create(
            operands=[value for each in op.operands for value in self.of(each)],
            result_types=types,
            properties=op.properties,
            attributes=op.attributes,
            regions=regions,
        )
        location = op.location
        rest = iter(new.results)
        for result in op.results:
            if length_of(result) is None:
                result.replace_all_uses_with(next(rest))
            else:
                self.scalars[result] = [next(rest) for _ in types_of(result)]
        _drop(op)
        self._regions(new)
        self.emit.location = location
        self.emit.add(new)

    def of(self, value: SSAValue) -> Scalars:
        """The elements of a vector; another value alone."""
        return self.scalars.get(value, (value,))

    def _stored(self, value: SSAValue) -> Elements:
        return Elements(self.of(value), shape_of(value)[1])

    def _unpacked(self, value: SSAValue, signed: bool = False) -> Scalars:
        """The elements of a vector, each in a register of its own."""
        elements = self._stored(value)
        return unpacked(self.emit, elements, signed) if elements.are_words else elements.values

    def _elementwise(self, op: Operation) -> None:
        lengths = dict.fromkeys(filter(None, map(length_of, (*op.operands, *op.results))))
        if len(lengths) > 1:
            found = " and ".join(map(str, lengths))
            raise located(
                op,
                OPERATION_RULE.violation(
                    found,
                    "the same",
                    "the numbers of elements of its vectors",
                    help=f"give each operand and result {next(iter(lengths))} elements",
                ),
            )
        if isinstance(op, _CONVERSIONS) and any(map(_has_packed, (*op.operands, *op.results))):
            self._convert(cast("_Conversion", op))
            return
        (length,) = lengths
        operands = [
            [each] * length if length_of(each) is None else self.of(each) for each in op.operands
        ]
        if isinstance(op, arith.TruncFOp) and _is_only_stored(op) and operands[0][0].type == f32:
            self._replace(op, operands[0])
            return
        elements = self.arithmetic.elementwise(op, operands)
        self._note_rounded(op, elements)
        self._replace(op, elements)

    def _convert(self, op: _Conversion) -> None:
        """Replace a conversion from or to packed elements."""
        element = shape_of(op.result)[1]
        values = self._unpacked(op.input, isinstance(op, arith.ExtSIOp | arith.SIToFPOp))
        match op:
            case arith.TruncFOp():
                values = self._floats(values, f32)
                if not _is_only_stored(op):
                    values = to_words(self.emit, Elements(values, element))
            case arith.TruncIOp():
                values = packed(self.emit, self._integers(values, i32), element)
            case arith.ExtFOp():
                values = self._floats(values, element)
            case arith.ExtSIOp() | arith.ExtUIOp():
                values = self._integers(values, element)
            case _:
                values = self._as_floats(values, element, isinstance(op, arith.SIToFPOp))
        self._replace(op, values)

    def _integers(self, values: Scalars, type_: Attribute) -> Scalars:
        """Integers of type i32, or of another type for i32, with another width."""
        return [_resized(self.emit, each, type_, arith.ExtSIOp, arith.TruncIOp) for each in values]

    def _floats(self, values: Scalars, type_: Attribute) -> Scalars:
        """Floating-point numbers in another type; numbers of 16 bits are made from f32."""
        if values[0].type == type_:
            return values
        wide = [_resized(self.emit, each, f32, arith.ExtFOp, arith.TruncFOp) for each in values]
        if type_ == f32:
            return wide
        rounded = [self.emit.compute(arith.TruncFOp, [each], type_) for each in wide]
        self._rounded.extend(rounded)
        return rounded

    def _as_floats(self, values: Scalars, type_: Attribute, signed: bool) -> Scalars:
        """Small integers of type i32 as floating-point numbers: f32 represents all of them."""
        op_type = arith.SIToFPOp if signed else arith.UIToFPOp
        return self._floats([self.emit.compute(op_type, [each], f32) for each in values], type_)

    def _note_rounded(self, op: Operation, values: Sequence[SSAValue]) -> None:
        if isinstance(op, arith.TruncFOp):
            self._rounded.extend(values)

    def _replace(self, op: Operation, values: Scalars) -> None:
        """Replace the result of an operation by the elements of a vector, or by one value."""
        if op.results:
            (result,) = op.results
            if length_of(result) is None:
                result.replace_all_uses_with(values[0])
            else:
                self.scalars[result] = values
        _drop(op)

    # Operations on vectors.

    def constant(self, op: arith.ConstantOp) -> Scalars:
        value = op.value
        assert isinstance(value, DenseIntOrFPElementsAttr)
        numbers = cast("Sequence[Any]", value.get_values())
        length, element = shape_of(op.result)
        if is_packed(element):
            if not isinstance(element, IntegerType):
                raise no_lowering(op, f"a constant of f32, and arith.truncf to {element}")
            values = [self.emit.constant(each) for each in numbers]
            return packed(self.emit, values, cast("Attribute", element))
        # Texts tell -0.0 and 0.0 apart.
        if len({*map(repr, numbers)}) == 1:
            return [self._number(numbers[0], element)] * length
        return [self._number(each, element) for each in numbers]

    def _number(self, number: Any, element: Attribute) -> SSAValue:
        make = IntegerAttr if isinstance(number, int) else FloatAttr
        properties = {"value": make(number, cast("Any", element))}
        return self.emit.compute(arith.ConstantOp, (), element, properties)

    def broadcast(self, op: vector.BroadcastOp) -> Scalars:
        values, length = self.of(op.source), shape_of(op.vector)[0]
        if len(values) not in (1, length):
            raise no_lowering(op, "a number, or a vector of the same length")
        return values if len(values) == length else [values[0]] * length

    def extract(self, op: vector.ExtractOp) -> Scalars:
        return [self.of(op.vector)[constant_position(op)]]

    def insert(self, op: vector.InsertOp) -> Scalars:
        values = [*self.of(op.dest)]
        values[constant_position(op)] = op.source
        return values

    def reduction(self, op: vector.ReductionOp) -> Scalars:
        return [self.arithmetic.reduce(op, self.of(op.vector))]

    def bitcast(self, op: vector.BitcastOp) -> Scalars:
        # Packed elements are words of 32 bits already.
        element = shape_of(op.result)[1]
        type_ = i32 if is_packed(element) else element
        return self.arithmetic.bitcast(op, self.of(op.source), type_)

    def to_floats(self, op: IntegersToFloats) -> Scalars:
        element = shape_of(op.result)[1]
        if _has_packed(op.vector):
            return self._as_floats(self._unpacked(op.vector, op.SIGNED), element, op.SIGNED)
        op_type = arith.SIToFPOp if op.SIGNED else arith.UIToFPOp
        return [self.emit.compute(op_type, [each], element) for each in self.of(op.vector)]

    def keep_first(self, op: KeepFirstOp) -> Scalars:
        count, other = op.count, op.other
        return [
            self.emit.select(self.emit.compare("slt", at, count), value, other)
            for at, value in enumerate(self.of(op.vector))
        ]

    def tmem_load(self, op: ws.TmemLoadOp) -> Scalars:
        assert self.first_lane is not None
        length, _ = shape_of(op.result)
        (column,) = op.mixed_indices
        self.stores.access(op.address, column, length)
        return memory_access.load_tensor_memory(
            self.emit, op.address, self.first_lane, column, length
        )

    def tmem_store(self, op: ws.TmemStoreOp) -> Scalars:
        assert self.first_lane is not None
        (column,) = op.mixed_indices
        elements = self._stored(op.value)
        length = elements.length
        self.stores.access(op.address, column, length)
        memory_access.store_tensor_memory(self.emit, op.address, self.first_lane, column, elements)
        self.stores.store(op.address, column, length)
        return ()

    def local_load(self, op: ws.LocalLoadOp) -> Scalars:
        length, element = shape_of(op.result)
        row, column = _row_and_column(op)
        return memory_access.load_shared_memory(self.emit, op.tile, row, column, length, element)

    def local_store(self, op: ws.LocalStoreOp) -> Scalars:
        row, column = _row_and_column(op)
        memory_access.store_shared_memory(self.emit, op.tile, row, column, self._stored(op.value))
        return ()

    def tma(self, op: TmaLoadOp | TmaStoreOp) -> Scalars:
        rows = [row for each in op.rows for row in self.of(each)]
        sizes = segment_sizes((1, 1, len(op.indices), len(rows)))
        new = type(op).create(
            operands=[op.tensor_map, op.tile, *op.indices, *rows],
            properties={**op.properties, "operandSegmentSizes": sizes},
            attributes=op.attributes,
        )
        self.emit.add(new)
        return ()

    def global_load(self, op: ws.GlobalLoadOp) -> Scalars:
        return memory_access.load_global_memory(self.emit, op, *shape_of(op.result))

    def global_store(self, op: ws.GlobalStoreOp) -> Scalars:
        memory_access.store_global_memory(self.emit, op, self._stored(op.value))
        return ()


def _row_and_column(op: ws.LocalLoadOp | ws.LocalStoreOp) -> tuple[Value, int]:
    row = op.mixed_indices[0]
    column = op.known_indices()[1]
    assert column is not None
    return row, column


def _is_only_stored(op: arith.TruncFOp) -> bool:
    """Whether only stores use a vector; they round its elements."""
    return all(isinstance(use.operation, Store) for use in op.result.uses)


def _check_packed(op: Operation, values: Iterable[SSAValue]) -> None:
    """Raise OperationError for an operation on packed elements that is not lowered."""
    passes_on = bool(op.regions) or op.has_trait(IsTerminator)
    if any(map(_has_packed, values)) and not (passes_on or isinstance(op, _TAKE_PACKED)):
        raise no_lowering(op, "elements of 16 bits or more: convert elements of 8 or 4 bits")
    is_stored = isinstance(op, arith.TruncFOp) and _is_only_stored(op)
    if any(map(_has_part_of_a_word, op.results)) and not is_stored:
        raise no_lowering(op, "packed elements that fill registers of 32 bits, or are only stored")


def _has_packed(value: SSAValue) -> bool:
    """Whether a value is a vector of packed elements."""
    shape = vector_shape(value.type)
    return shape is not None and is_packed(shape[1])


def _has_part_of_a_word(value: SSAValue) -> bool:
    """Whether a value is a vector of packed elements that do not fill its last word."""
    shape = vector_shape(value.type)
    return shape is not None and is_packed(shape[1]) and shape[0] % per_word(shape[1]) != 0


def _resized(
    emit: Emitter,
    value: SSAValue,
    type_: Attribute,
    extend: type[Operation],
    truncate: type[Operation],
) -> SSAValue:
    """A number in a type of the same kind that may have another width."""
    if value.type == type_:
        return value
    op_type = extend if width(value.type) < width(type_) else truncate
    return emit.compute(op_type, [value], type_)


def _drop(op: Operation) -> None:
    op.drop_all_references()


_LOWERINGS: Mapping[type[Operation], Callable[[_Unroller, Any], Scalars]] = {
    arith.ConstantOp: _Unroller.constant,
    vector.BroadcastOp: _Unroller.broadcast,
    vector.ExtractOp: _Unroller.extract,
    vector.InsertOp: _Unroller.insert,
    vector.ReductionOp: _Unroller.reduction,
    vector.BitcastOp: _Unroller.bitcast,
    KeepFirstOp: _Unroller.keep_first,
    SIToFPOp: _Unroller.to_floats,
    UIToFPOp: _Unroller.to_floats,
    ws.TmemLoadOp: _Unroller.tmem_load,
    ws.TmemStoreOp: _Unroller.tmem_store,
    ws.LocalLoadOp: _Unroller.local_load,
    ws.LocalStoreOp: _Unroller.local_store,
    ws.GlobalLoadOp: _Unroller.global_load,
    ws.GlobalStoreOp: _Unroller.global_store,
    TmaLoadOp: _Unroller.tma,
    TmaStoreOp: _Unroller.tma,
}


class WsUnrollVectors(ModulePass):
    """Replaces vectors in roles by one register for each element, and lowers the operations of `ws`
    that load and store vectors."""

    name = "ws-unroll-vectors"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        without_functions(op)
        widen_truths(op)
        for specialized in with_roles(op, self.name):
            computed = vectors_before(specialized)
            for role in specialized.roles:
                if computed:
                    recompute(role, computed)
                _Unroller(role).run()
            for each in reversed(computed):
                # A tile of the kernel may still depend on one; it has no lowering.
                if not any(result.uses for result in each.results):
                    erase(each)
