"""
Arithmetic on vectors, element by element, each in a register, and the words in which loads and
stores have them.

Two f32 elements side by side are computed by one packed instruction, which takes as long as one for
a single element. ptxas gives the two a pair of registers, so that packing costs nothing. ptxas also
joins two maxima or minima into one instruction with three operands.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, cast

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import (
    AnyFloat,
    FixedBitwidthType,
    FloatAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    f16,
    f32,
    i1,
    i16,
    i32,
    i64,
)
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from tcgen05_dialect.isa.tensor_memory.alloc import CELL_BITS
from tcgen05_dialect.ptx import instructions as ptx
from tcgen05_dialect.ptx.analysis.control_flow import operations_of
from tcgen05_dialect.ptx.instruction import Instruction
from tcgen05_dialect.reporting.diagnostics import no_lowering
from tcgen05_dialect.tcgen05.types import ELEMENT_TYPES
from tcgen05_dialect.ws.roles import RoleOp, WarpSpecializeOp
from tcgen05_dialect.ws.vectors import NARROW, is_packed, vector_shape
from tcgen05_dialect.xdsl_support.elementwise import scalar_form, vector_of_truths

from .emitter import Emitter, prepend


class Elements(NamedTuple):
    """
    The elements of a vector, and their type. Elements of another type than this are of f32, and
    rounded when they are packed: one instruction rounds and packs two of them. Packed elements are
    in words, registers of type i32 with several of them.
    """

    values: Sequence[SSAValue]
    type: Attribute

    @property
    def are_words(self) -> bool:
        """Whether each value is a word of packed elements."""
        return is_packed(self.type) and self.values[0].type == i32

    @property
    def length(self) -> int:
        """The number of elements."""
        return len(self.values) * (per_word(self.type) if self.are_words else 1)


def per_word(type_: Attribute) -> int:
    """The number of elements of a type in a register of 32 bits."""
    return CELL_BITS // width(type_)


def width(type_: Attribute) -> int:
    """The number of bits of a type."""
    assert isinstance(type_, FixedBitwidthType)
    return type_.bitwidth


def zero(emit: Emitter, element: Attribute) -> SSAValue:
    """The number 0."""
    if not isinstance(element, AnyFloat):
        return emit.constant(0, cast("IntegerType", element))
    return emit.compute(arith.ConstantOp, (), element, {"value": FloatAttr(0.0, element)})


def widened(emit: Emitter, elements: Elements) -> list[SSAValue]:
    """Each element in a register; 16 bits are in its low half."""
    values = [_rounded(emit, each, elements.type) for each in elements.values]
    if width(elements.type) == CELL_BITS:
        return values
    if elements.type != i16:
        values = [emit.compute(arith.BitcastOp, [each], i16) for each in values]
    return [emit.compute(arith.ExtUIOp, [each], i32) for each in values]


def to_words(emit: Emitter, elements: Elements) -> list[SSAValue]:
    """Pack elements, the first one lowest."""
    values, type_ = elements
    count = per_word(type_)
    if count == 1 or elements.are_words:
        return [*values]
    return [_word(emit, values[at : at + count], type_) for at in range(0, len(values), count)]


def from_words(
    emit: Emitter, words: Sequence[SSAValue], element: Attribute, held: int
) -> list[SSAValue]:
    """The elements in registers, so many in each; packed elements remain in words."""
    bits = width(element)
    if bits == CELL_BITS or is_packed(element):
        return [*words]
    found: list[SSAValue] = []
    for word in words:
        types = [element] * (CELL_BITS // bits)
        parts = emit.ptx(ptx.UnpackOp, {"a": (word,)}, {"type": "b32"}, types).results
        found.extend(parts[:held])
    return found


def alone(emit: Emitter, elements: Elements, at: int) -> SSAValue:
    """An element in a register of its own, one of 8 bits in its low half."""
    type_ = elements.type
    if elements.are_words:
        word, place = divmod(at, per_word(type_))
        (part,) = _fields(emit, elements.values[word], width(type_), [place], arith.ShRUIOp)
        return emit.compute(arith.TruncIOp, [part], i16)
    value = elements.values[at]
    return _narrow(emit, type_, value) if type_ in NARROW else _rounded(emit, value, type_)


def unpacked(emit: Emitter, elements: Elements, signed: bool) -> list[SSAValue]:
    """Packed elements, each in a register of its own: integers of type i32, with or without signs,
    and floating-point numbers of type f16."""
    words, type_ = elements
    if type_ in NARROW:
        properties = {
            "rounding": "rn",
            "type": "f16x2",
            "source": f"{ELEMENT_TYPES[type_].name}x2",
        }
        halves = [
            half
            for word in words
            for half in emit.ptx(ptx.UnpackOp, {"a": (word,)}, {"type": "b32"}, [i16] * 2).results
        ]
        pairs = [emit.ptx(ptx.CvtPackedOp, {"a": (half,)}, properties, [i32]).d for half in halves]
        return from_words(emit, pairs, f16, 2)
    shift = arith.ShRSIOp if signed else arith.ShRUIOp
    places = range(per_word(type_))
    return [part for word in words for part in _fields(emit, word, width(type_), places, shift)]


def _fields(
    emit: Emitter, word: SSAValue, bits: int, places: Iterable[int], shift: type[Operation]
) -> Iterator[SSAValue]:
    """Parts of a word, shifted down from the top, with signs or zeros above them."""
    for place in places:
        top = emit.constant(CELL_BITS - bits * (place + 1))
        high = word if place + 1 == CELL_BITS // bits else emit.binary(arith.ShLIOp, word, top)
        yield emit.binary(shift, high, CELL_BITS - bits)


def packed(emit: Emitter, values: Sequence[SSAValue], type_: Attribute) -> list[SSAValue]:
    """The words with the low bits of integers of type i32."""
    count, bits = per_word(type_), width(type_)
    words: list[SSAValue] = []
    for at in range(0, len(values), count):
        word = emit.constant(0)
        for place, value in enumerate(values[at : at + count]):
            low = emit.binary(arith.AndIOp, value, (1 << bits) - 1)
            moved = emit.binary(arith.ShLIOp, low, bits * place) if place else low
            word = emit.binary(arith.OrIOp, word, moved) if place else moved
        words.append(word)
    return words


def _rounded(emit: Emitter, value: SSAValue, type_: Attribute) -> SSAValue:
    return value if value.type == type_ else emit.compute(arith.TruncFOp, [value], type_)


def _word(emit: Emitter, values: Sequence[SSAValue], type_: Attribute) -> SSAValue:
    if type_ in NARROW:
        halves = tuple(
            _narrow(emit, type_, *values[at : at + 2]) for at in range(0, len(values), 2)
        )
        return emit.ptx(ptx.PackOp, {"parts": halves}, {"type": "b32"}, [i32]).d
    low, high = (_rounded_from(values[at], type_) for at in (0, -1))
    if len(values) == 2 and low is not None and high is not None:
        properties = {"rounding": "rn", "type": f"{type_.name}x2", "source": "f32"}
        return emit.ptx(ptx.CvtPackOp, {"high": (high,), "low": (low,)}, properties).d
    return emit.ptx(ptx.PackOp, {"parts": tuple(values)}, {"type": "b32"}, [i32]).d


def _rounded_from(value: SSAValue, type_: Attribute) -> SSAValue | None:
    """The value of type f32 that an element of a type is rounded from, if any."""
    if value.type != type_:
        return value
    owner = value.owner
    if type(owner) is not arith.TruncFOp:
        return None
    source = owner.input
    return source if source.type == f32 else None


def _narrow(
    emit: Emitter, type_: Attribute, low: SSAValue, high: SSAValue | None = None
) -> SSAValue:
    """One or two numbers of 8 bits in a register of 16 bits."""
    sources = [None if each is None else _rounded_from(each, type_) for each in (low, high)]
    if sources[0] is None or (high is not None and sources[1] is None):
        assert isinstance(low.owner, Operation)
        raise no_lowering(low.owner, "elements of 8 bits that arith.truncf rounds from f32")
    operands = {
        "high": (zero(emit, f32) if sources[1] is None else sources[1],),
        "low": (sources[0],),
    }
    properties = {
        "rounding": "rn",
        "saturate": "satfinite",
        "type": f"{ELEMENT_TYPES[type_].name}x2",
        "source": "f32",
    }
    return emit.ptx(ptx.CvtPackNarrowOp, operands, properties, [i16]).d


def shape_of(value: SSAValue) -> tuple[int, Attribute]:
    """The number of elements of a vector, and their type."""
    shape = vector_shape(value.type)
    assert shape is not None
    return shape


def length_of(value: SSAValue) -> int | None:
    """The number of elements of a vector; None for other values."""
    shape = vector_shape(value.type)
    return None if shape is None else shape[0]


def types_of(value: SSAValue) -> list[Attribute]:
    """The types of the registers with the elements of a vector; the type of another value."""
    shape = vector_shape(value.type)
    if shape is None:
        return [value.type]
    length, element = shape
    return [i32] * (length // per_word(element)) if is_packed(element) else [element] * length


def vectors_before(op: WarpSpecializeOp) -> list[Operation]:
    """The operations outside of the roles that compute vectors, or numbers from vectors, in the
    order of the program."""
    block = op.parent
    before = [] if block is None else [each for each in block.ops if each is not op]
    return [
        each
        for each in (*before, *op.body.block.ops)
        if any(length_of(value) is not None for value in (*each.operands, *each.results))
    ]


def recompute(role: RoleOp, computed: Sequence[Operation]) -> None:
    """Compute the vectors from outside of a role again at its beginning."""
    values: dict[SSAValue, SSAValue] = {}
    head = Block()
    for op in computed:
        clone = op.clone(values)
        values.update(zip(op.results, clone.results, strict=True))
        head.add_op(clone)
    prepend(head, role.body.block)
    for inner in operations_of(role):
        for at, operand in enumerate(inner.operands):
            if operand in values:
                inner.operands[at] = values[operand]


def widen_truths(module: ModuleOp) -> None:
    """Give the results of comparisons of vectors, and what follows from them, vectors of i1 as
    types: xDSL gives them i1. Raises OperationError for an operation that needs one truth."""
    widened: list[SSAValue] = []
    for op in operations_of(module):
        if not op.name.startswith("arith.") or [each.type for each in op.results] != [i1]:
            continue
        type_ = vector_of_truths(op) or next(filter(_is_truths, _types(op)), None)
        if type_ is not None:
            widened.append(Rewriter.replace_value_with_new_type(op.results[0], type_))
    for value in widened:
        for use in value.uses:
            user = use.operation
            if scalar_form(user) is None and not user.name.startswith("vector."):
                raise no_lowering(user, "one truth, such as a vector.reduction <or> of the vector")


def _types(op: Operation) -> Iterable[Attribute]:
    return (value.type for value in op.operands)


def _is_truths(type_: Attribute) -> bool:
    shape = vector_shape(type_)
    return shape is not None and shape[1] == i1


Scalars = Sequence[SSAValue]
_PACKED: Mapping[str, type[Instruction]] = {
    "arith.addf": ptx.AddOp,
    "arith.subf": ptx.SubOp,
    "arith.mulf": ptx.MulOp,
    "math.fma": ptx.FmaOp,
}
"""Operations that one instruction computes for two f32, by name: `math` takes long to import."""
_COMBINING: Mapping[str, type[Operation]] = {
    "mul": arith.MuliOp,
    "minui": arith.MinUIOp,
    "minsi": arith.MinSIOp,
    "maxui": arith.MaxUIOp,
    "maxsi": arith.MaxSIOp,
    "and": arith.AndIOp,
    "or": arith.OrIOp,
    "xor": arith.XOrIOp,
    "minnumf": arith.MinnumfOp,
    "maxnumf": arith.MaxnumfOp,
    "minimumf": arith.MinimumfOp,
    "maximumf": arith.MaximumfOp,
}
_COMBINING_FLOATS: Mapping[str, type[Operation]] = {"mul": arith.MulfOp, "add": arith.AddfOp}
_F32X2 = {"rounding": StringAttr("rn"), "type": StringAttr("f32x2")}
_B64 = {"type": StringAttr("b64")}
_CHAINS = 8
"""Number of partial results of a reduction, which are computed independently of each other."""


class VectorArithmetic:
    """Appends arithmetic on the elements of vectors."""

    def __init__(self, emit: Emitter) -> None:
        self.emit = emit
        self._pairs: dict[tuple[SSAValue, SSAValue], SSAValue] = {}

    @contextmanager
    def scope(self) -> Generator[None]:
        """Forget packed values at the end of a block: only there their definitions dominate."""
        before = dict(self._pairs)
        try:
            yield
        finally:
            self._pairs = before

    def elementwise(self, op: Operation, operands: Sequence[Scalars]) -> list[SSAValue]:
        """The result of an operation on vectors; each operand gives one value for each element."""
        (result,) = op.results
        element = cast("Any", result.type).get_element_type()

        def single(*values: SSAValue) -> SSAValue:
            return self.emit.compute(type(op), values, element, op.properties)

        return self._apply(op.name, element, single, operands)

    def _apply(
        self,
        name: str,
        element: Attribute,
        single: Callable[..., SSAValue],
        operands: Sequence[Scalars],
    ) -> list[SSAValue]:
        """Apply an operation element by element, to two elements at a time where possible."""
        columns = [*zip(*operands, strict=True)]
        packed = _PACKED.get(name) if element == f32 else None
        if packed is None:
            return [single(*column) for column in columns]
        found: list[SSAValue] = []
        for at in range(0, len(columns) - 1, 2):
            found.extend(self._two(packed, columns[at], columns[at + 1]))
        if len(columns) % 2:
            found.append(single(*columns[-1]))
        return found

    def _two(self, packed: type[Instruction], low: Scalars, high: Scalars) -> Scalars:
        wide = [self._pack(a, b) for a, b in zip(low, high, strict=True)]
        result = self.emit.compute(packed, wide, i64, _F32X2)
        first, second = parts = self.emit.make(ptx.UnpackOp, [result], [f32, f32], _B64).results
        self._pairs[first, second] = result
        return parts

    def _pack(self, low: SSAValue, high: SSAValue) -> SSAValue:
        wide = self._pairs.get((low, high))
        if wide is None:
            wide = self.emit.compute(ptx.PackOp, [low, high], i64, _B64)
            self._pairs[low, high] = wide
        return wide

    def reduce(self, op: vector.ReductionOp, values: Scalars) -> SSAValue:
        """The reduction of a vector. Sums and products of floats keep the order of the elements,
        unless `fastmath<reassoc>` allows another."""
        combine, ordered = self._combining(op)
        if op.acc is not None:
            values = (op.acc, *values) if ordered else (*values, op.acc)
        partial, rest = list(values), ()
        if not ordered and len(values) > _CHAINS:
            whole = len(values) // _CHAINS * _CHAINS
            partial, rest = list(values[:_CHAINS]), values[whole:]
            for at in range(_CHAINS, whole, _CHAINS):
                partial = combine(partial, values[at : at + _CHAINS])
            while len(partial) > 1:
                half = len(partial) // 2
                partial = combine(partial[:half], partial[half:])
        total, *others = (*partial, *rest)
        for each in others:
            (total,) = combine([total], [each])
        return total

    def _combining(
        self, op: vector.ReductionOp
    ) -> tuple[Callable[[Scalars, Scalars], list[SSAValue]], bool]:
        """The combination of elements, and whether it must keep their order."""
        kind, element = op.kind.data.value, op.dest.type
        is_float = not isinstance(element, type(i1))
        op_type = _COMBINING.get(kind, arith.AddiOp)
        if is_float:
            op_type = _COMBINING_FLOATS.get(kind, op_type)
        ordered = (
            is_float and kind in _COMBINING_FLOATS and FastMathFlag.REASSOC not in op.fastmath.data
        )

        def single(a: SSAValue, b: SSAValue) -> SSAValue:
            return self.emit.compute(op_type, [a, b], element)

        return lambda a, b: self._apply(op_type.name, element, single, (a, b)), ordered

    def bitcast(self, op: vector.BitcastOp, values: Scalars, element: Attribute) -> list[SSAValue]:
        """The bits of a vector as elements of another type."""
        old, new = _bits(op, values[0].type), _bits(op, element)
        if old == new:
            return [self.emit.compute(arith.BitcastOp, [each], element) for each in values]
        if old < new:
            return [*self._joined(values, new // old, new, element)]
        return [part for each in values for part in self._split(each, old // new, old, element)]

    def _joined(
        self, values: Scalars, count: int, bits: int, element: Attribute
    ) -> Iterator[SSAValue]:
        for at in range(0, len(values), count):
            operands = {"parts": tuple(values[at : at + count])}
            yield self.emit.ptx(ptx.PackOp, operands, {"type": f"b{bits}"}, [element]).d

    def _split(self, value: SSAValue, count: int, bits: int, element: Attribute) -> Scalars:
        properties = {"type": f"b{bits}"}
        return self.emit.ptx(ptx.UnpackOp, {"a": (value,)}, properties, [element] * count).parts


def _bits(op: Operation, element: Attribute) -> int:
    bits = element.bitwidth if isinstance(element, FixedBitwidthType) else 0
    if bits not in (16, 32, 64):
        raise no_lowering(op, "elements of 16, 32 or 64 bits")
    return bits


def constant_position(op: vector.ExtractOp | vector.InsertOp) -> int:
    """The element that an operation accesses. Raises OperationError."""
    position = [*op.get_mixed_position()]
    if len(position) != 1 or not isinstance(position[0], int):
        raise no_lowering(op, "a constant position")
    length, _ = shape_of(op.vector if isinstance(op, vector.ExtractOp) else op.dest)
    if position[0] not in range(length):
        raise no_lowering(op, f"a position within 0 to {length - 1}")
    return position[0]
