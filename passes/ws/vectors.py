"""
Values that are vectors: their shapes, and their computation outside of roles.

Arithmetic on the elements of vectors, each in a register: element by element, and reductions.

Two f32 elements side by side are computed by one packed instruction, which takes as long as one for
a single element. ptxas gives the two a pair of registers, so that packing costs nothing. ptxas also
joins two maxima or minima into one instruction with three operands.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, cast

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import FixedBitwidthType, ModuleOp, StringAttr, f32, i1, i32, i64
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from tcgen05_dialect.ptx import instructions as ptx
from tcgen05_dialect.ptx.analysis.control_flow import operations_of
from tcgen05_dialect.ptx.instruction import Instruction
from tcgen05_dialect.reporting.diagnostics import no_lowering
from tcgen05_dialect.ws.roles import RoleOp, WarpSpecializeOp
from tcgen05_dialect.ws.vectors import is_packed, vector_shape
from tcgen05_dialect.xdsl_support.elementwise import scalar_form, vector_of_truths

from .emitter import Emitter, prepend
from .packing import per_word


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
    """
    The operations outside of the roles that compute vectors, or numbers from vectors, in the order
    of the program.
    """
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
    """
    Give the results of comparisons of vectors, and what follows from them, vectors of i1 as types:
    xDSL gives them i1. Raises OperationError for an operation that needs one truth.
    """
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
        """
        The reduction of a vector. Sums and products of floats keep the order of the elements,
        unless `fastmath<reassoc>` allows another.
        """
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
