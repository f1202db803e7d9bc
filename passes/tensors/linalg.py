"""Reader of functions of `linalg` on tensors as expressions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any, cast

from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    UNKNOWN_LOC,
    AnyFloat,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    TensorType,
    UnrankedTensorType,
    i32,
)
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import IndexOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from tcgen05_dialect.contraction.expression import (
    Affine,
    Array,
    Contraction,
    Elementwise,
    Iota,
    Joined,
    Part,
    Reshape,
    Tensor,
    View,
    loop,
    operands_of,
    refused,
    row_major,
    unused,
)
from tcgen05_dialect.contraction.program import Program, program

from . import (
    FLOATS,
    applied,
    concatenated,
    contraction,
    is_number,
    padded,
    reduced,
    require_dimensions,
    sliced,
    splat,
)


class FunctionReader:
    """Reader of a function as expressions of tensors."""

    def __init__(self, function: func.FuncOp, module: ModuleOp) -> None:
        self.function, self.module = function, module
        self.tensors: dict[SSAValue, Tensor | None] = {}
        """Value -> its tensor; None for one without content."""
        self._checked = set[Tensor]()
        self._calls: list[str] = []
        """The functions whose calls are read."""

    def program(self, is_tf32: bool) -> Program:
        """The kernels of the function. Raises OperationError."""
        function = self.function
        arguments: list[Array] = []
        for at, value in enumerate(_block(function, function).args):
            name = value.name_hint or f"argument{at}"
            name = unused(name, [each.name for each in arguments])
            shape, element = self.type_of(value, function)
            array = Array(function, shape, element, name, row_major(shape))
            arguments.append(array)
            self.tensors[value] = array
        results = self.body(function)
        if not results:
            raise refused(function, "a function of tensors must return tensors")
        return program(function.sym_name.data, arguments, results, is_tf32)

    def body(self, function: func.FuncOp) -> list[Tensor]:
        """The results of a function, whose arguments are known. Raises OperationError."""
        for op in _block(function, function).ops:
            if isinstance(op, func.ReturnOp):
                return [self.tensor(each, op) for each in op.arguments]
            self.read(op)
            for value in op.results:
                if (found := self.tensors[value]) is not None:
                    self._check(found)
                    shape, _ = self.type_of(value, op)
                    if found.shape != shape:
                        sentence = f"the result must have the shape {list(found.shape)}"
                        raise refused(op, f"{sentence}; found {value.type}")
        raise refused(function, "the function has no func.return")

    def _check(self, tensor: Tensor) -> None:
        """Raise OperationError if a tensor reads elements that another one does not have."""
        if tensor in self._checked:
            return
        self._checked.add(tensor)
        match tensor:
            case View():
                _check_indices(tensor, tensor.base, tensor.indices, tensor.shape)
            case Reshape() if prod(tensor.shape) != prod(tensor.base.shape):
                shapes = f"{list(tensor.base.shape)} and {list(tensor.shape)}"
                raise refused(tensor.op, f"the number of elements must be the same; found {shapes}")
            case Elementwise() if any(each.shape != tensor.shape for each in tensor.operands):
                shapes = " and ".join(str(list(each.shape)) for each in tensor.operands)
                raise refused(tensor.op, f"the operands must have one shape; found {shapes}")
            case Contraction():
                loops = (*tensor.shape, *tensor.sums)
                _check_indices(tensor, tensor.a, tensor.a_indices, loops)
                _check_indices(tensor, tensor.b, tensor.b_indices, loops)
                self._check(tensor.a)
                self._check(tensor.b)
            case Joined():
                for part in tensor.parts:
                    self._check(part.tensor)
                    places = zip(part.low, part.steps or [1] * len(part.low), strict=True)
                    index = [
                        loop(at).times(n).plus(Affine({}, low))
                        for at, (low, n) in enumerate(places)
                    ]
                    _check_indices(tensor, tensor, index, part.tensor.shape)
            case _:
                pass
        for each in operands_of(tensor):
            self._check(each)

    def call(self, op: func.CallOp) -> None:
        """Read the body of a function in place of a call."""
        name = op.callee.string_value()
        if name in self._calls:
            raise refused(op, f"@{name} calls itself")
        for function in self.module.ops:
            if isinstance(function, func.FuncOp) and function.sym_name.data == name:
                function, outside = function.clone(), self.tensors
                for each in function.walk():
                    if each.location is UNKNOWN_LOC:
                        each.location = op.location
                values = _block(function, op).args
                self._calls.append(name)
                self.tensors = {
                    value: self.tensor(given, op)
                    for value, given in zip(values, op.arguments, strict=True)
                }
                results = self.body(function)
                self._calls.pop()
                self.tensors = outside | dict(zip(op.results, results, strict=True))
                return
        raise refused(op, f"the module has no function @{name}")

    def type_of(self, value: SSAValue, op: Operation) -> tuple[tuple[int, ...], Attribute]:
        """The shape and the element type of a value. Raises OperationError."""
        type_, shape, element = value.type, tuple[int, ...](), value.type
        if isinstance(element, IndexType):
            element = i32
        if isinstance(type_, MemRefType):
            help_ = "read linalg before it is turned into operations on buffers"
            raise refused(op, f"the operands must be tensors; found {type_}", help_)
        if isinstance(type_, TensorType):
            given = cast("TensorType[Attribute]", type_)
            shape, element = given.get_shape(), given.element_type
        if 0 in shape:
            raise refused(op, f"tensors must have elements; found {type_}")
        if any(extent < 1 for extent in shape) or isinstance(element, UnrankedTensorType):
            raise refused(op, f"tensors must have static shapes; found {type_}")
        if prod(shape) >> 31:
            raise refused(op, f"tensors must have fewer than {1 << 31} elements; found {type_}")
        if getattr(element, "bitwidth", 64) not in (1, 8, 16, 32):
            raise refused(op, f"elements must have 1, 8, 16 or 32 bits; found {element}")
        if isinstance(element, AnyFloat) and element not in FLOATS:
            raise refused(op, f"kernels do not compute with {element}")
        return shape, element

    def tensor(self, value: SSAValue, op: Operation) -> Tensor:
        """The tensor of an operand."""
        found = self.tensors.get(value)
        if found is None:
            raise refused(op, "the tensor has no content", "fill it with linalg.fill")
        return found

    def read(self, op: Operation) -> None:
        """Read an operation. Raises OperationError for one that kernels do not have."""
        match op:
            case arith.ConstantOp():
                self.tensors[op.result] = self.constant(op, op.value)
            case func.CallOp():
                self.call(op)
            case tensor.EmptyOp():
                self.tensors[op.tensor] = None
            case tensor.ExtractSliceOp():
                x, (shape, element) = self.tensor(op.source, op), self.type_of(op.result, op)
                starts, sizes, steps = _places(op, len(x.shape))
                part = sliced(op, x, starts, steps, sizes)
                self.tensors[op.result] = Reshape(op, shape, element, part)
            case tensor.InsertSliceOp():
                shape, element = self.type_of(op.result, op)
                starts, sizes, steps = _places(op, len(shape))
                inner = Reshape(op, tuple(sizes), element, self.tensor(op.source, op))
                base = self.tensors.get(op.dest)
                parts = [] if base is None else [Part(base, [0] * len(shape))]
                parts.append(Part(inner, starts, steps))
                self.tensors[op.result] = Joined(op, shape, element, parts)
            case tensor.PadOp():
                x, end = self.tensor(op.source, op), cast(Operation, op.region.block.last_op)
                low, high = _places(op, len(x.shape))
                for each in op.region.block.ops:
                    if isinstance(each, arith.ConstantOp):
                        self.read(each)
                number = self.tensors.get(end.operands[0])
                if number is None:
                    raise refused(op, "the padding must be one number for all elements")
                edges = [(*each, 0) for each in zip(low, high, strict=True)]
                self.tensors[op.result] = padded(op, x, edges, number)
            case tensor.ConcatOp():
                parts = [self.tensor(each, op) for each in op.inputs]
                self.tensors[op.result] = concatenated(op, parts, op.dim.value.data)
            case tensor.CastOp():
                self.tensors[op.dest] = self.tensor(op.source, op)
            case tensor.ExpandShapeOp() | tensor.CollapseShapeOp() | tensor.ReshapeOp():
                shape, element = self.type_of(op.results[0], op)
                self.tensors[op.results[0]] = Reshape(
                    op, shape, element, self.tensor(op.operands[0], op)
                )
            case LinalgStructuredOperation():
                self.structured(op)
            case _ if op.name.startswith(("arith.", "math.")) and len(op.results) == 1:
                _, element = self.type_of(op.results[0], op)
                operands = [self.tensor(each, op) for each in op.operands]
                self.tensors[op.results[0]] = applied(op, op, element, operands)
            case _:
                raise refused(op, "no kernel can be made of this operation")

    def constant(self, op: Operation, value: Attribute) -> Tensor:
        """A constant, all of whose elements are one number."""
        shape, element = self.type_of(op.results[0], op)
        if isinstance(value, DenseIntOrFPElementsAttr):
            numbers = [*value.get_values()]
            if len({*map(repr, numbers)}) > 1:
                sentence = "all elements of a constant tensor must be one number"
                raise refused(op, sentence, "pass other tensors as arguments")
            return splat(op, shape, element, numbers[0])
        return splat(op, shape, element, cast("IntegerAttr | FloatAttr", value).value.data)

    def structured(self, op: LinalgStructuredOperation) -> None:
        """Read an operation with indexing maps and a body."""
        for name in ("dimensions", "permutation"):
            if isinstance(numbers := op.properties.get(name), DenseArrayBase):
                rank = max(len(self.type_of(each, op)[0]) for each in op.operands)
                require_dimensions(op, cast(Any, numbers).get_values(), rank)
        maps = [each.data for each in op.get_indexing_maps()]
        kinds = [each.data for each in op.get_iterator_types()]
        extents = self.extents(op, maps, len(kinds))
        sums = [at for at, kind in enumerate(kinds) if kind is not IteratorType.PARALLEL]
        outputs, end = maps[len(op.inputs) :], cast(Operation, op.body.block.last_op)
        own = op.body.block.args[len(op.inputs) :]
        counts = len(op.res), len(outputs), len(own), len(end.operands)
        if len({*counts}) > 1 or len(op.body.block.args) != len(op.operands):
            sentence = "the body must have an argument for each operand, and yield all results"
            raise refused(op, sentence)
        for result, output, out, given in zip(op.res, outputs, own, end.operands, strict=True):
            order = [each.position for each in output.results if isinstance(each, AffineDimExpr)]
            if len({*order}) != len(output.results) or len(order) + len(sums) != len(kinds):
                raise refused(op, "the map of an output must be a permutation of loops")
            # The loops in the order of the result, and after them those of sums.
            places = {each: at for at, each in enumerate([*order, *sums])}
            shape = tuple(extents[each] for each in order)
            body = _Body(self, op, [map_.results for map_ in maps], shape, places)
            if sums:
                extents_of_sums = [extents[each] for each in sums]
                self.tensors[result] = body.contraction(given, out, extents_of_sums)
            else:
                self.tensors[result] = body.pointwise(given, shape)

    def extents(
        self, op: LinalgStructuredOperation, maps: Sequence[AffineMap], count: int
    ) -> list[int]:
        """The extents of the loops of an operation."""
        found: dict[int, int] = {}
        for value, map_ in zip(op.operands, maps, strict=True):
            shape, _ = self.type_of(value, op)
            if len(map_.results) != len(shape):
                message = f"a tensor of rank {len(shape)} needs a map with as many results"
                raise refused(op, f"{message}; found {map_}")
            for each, extent in zip(map_.results, shape, strict=True):
                if not isinstance(each, AffineDimExpr):
                    continue
                if found.setdefault(each.position, extent) != extent:
                    message = f"loop d{each.position} has the extents"
                    raise refused(op, f"{message} {found[each.position]} and {extent}")
        missing = [at for at in range(count) if at not in found]
        if missing:
            raise refused(op, f"no operand gives the extent of loop d{missing[0]}")
        return [found[at] for at in range(count)]


@dataclass
class _Body:
    """
    The body of an operation of linalg, for one output of the shape `shape`.

    `maps` are the indices of the operands; `places` are the numbers in the result of the loops.
    """

    reader: FunctionReader
    op: LinalgStructuredOperation
    maps: Sequence[Sequence[AffineExpr]]
    shape: tuple[int, ...]
    places: Mapping[int, int]

    def affine(self, expression: AffineExpr) -> Affine:
        """An expression of a map. Raises OperationError."""
        match expression:
            case AffineDimExpr():
                return loop(self.places[expression.position])
            case AffineConstantExpr():
                return Affine({}, expression.value)
            case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Add):
                return self.affine(expression.lhs).plus(self.affine(expression.rhs))
            case AffineBinaryOpExpr(AffineBinaryOpKind.Mul, left, AffineConstantExpr(factor)):
                return self.affine(left).times(factor)
            case _:
                raise refused(self.op, f"the map has {expression}; use sums of loops")

    def operand(self, number: int) -> tuple[Tensor, list[Affine]]:
        """The tensor of an operand, and its indices in the loops of the result. Raises
        OperationError."""
        base = self.reader.tensor(self.op.operands[number], self.op)
        return base, [*map(self.affine, self.maps[number])]

    def pointwise(self, value: SSAValue, shape: tuple[int, ...]) -> Tensor:
        """The tensor of a value of the body, over loops."""

        def of_argument(number: int) -> Tensor:
            base, indices = self.operand(number)
            return View(self.op, shape, base.element, base, indices)

        return self.expression(value, shape, of_argument)

    def expression(
        self, value: SSAValue, shape: tuple[int, ...], of_argument: Callable[[int], Tensor]
    ) -> Tensor:
        """The tensor of a value of the body, in which `of_argument` gives those of arguments."""
        block = self.op.body.block

        @cache
        def read(value: SSAValue) -> Tensor:
            owner = value.owner
            if owner is block:
                return of_argument(block.args.index(cast(Any, value)))
            if isinstance(owner, Block) or owner.parent is not block:
                base = self.reader.tensor(value, self.op)
                return View(self.op, shape, base.element, base, [])
            if isinstance(owner, IndexOp):
                axis = self.places[owner.dim.value.data]
                return Iota(self.op, shape, i32, axis)
            if isinstance(owner, arith.ConstantOp):
                splat = self.reader.constant(owner, owner.value)
                return View(owner, shape, splat.element, splat, [])
            if not owner.name.startswith(("arith.", "math.")) or len(owner.results) != 1:
                help_ = "use operations of arith and math"
                raise refused(owner, "no kernel can be made of this operation", help_)
            place = self.op if owner.location is UNKNOWN_LOC else owner
            element = i32 if isinstance(value.type, IndexType) else value.type
            return applied(place, owner, element, [*map(read, owner.operands)])

        return read(value)

    def contraction(self, value: SSAValue, out: SSAValue, sums: Sequence[int]) -> Tensor:
        """A sum of products, added to the output of the argument `out`."""
        op, sum_op, shape = self.op, value.owner, self.shape
        outputs = {*range(len(op.inputs), len(op.operands))}
        operands = () if isinstance(sum_op, Block) else sum_op.operands
        rest = [each for each in operands if each is not out]
        if isinstance(sum_op, Block) or len(operands) != 2 or len(rest) != 1:
            raise refused(op, "the body of a reduction must be an operation on an output")
        (product,) = rest
        if outputs & self.arguments(product):
            raise refused(op, "the body of a reduction must use its output once")
        start = self.pointwise(out, shape)
        factors: list[tuple[Tensor, list[Affine]]] = []
        is_sum = isinstance(sum_op, arith.AddfOp | arith.AddiOp)
        if is_sum and isinstance(product.owner, arith.MulfOp | arith.MuliOp):
            for each in product.owner.operands:
                numbers = self.arguments(each)
                if len(numbers) == 1:
                    base, indices = self.operand(*numbers)
                    factor = self.expression(each, base.shape, lambda _, base=base: base)
                    factors.append((factor, indices))
        loops = [{loop for each in indices for loop in each.terms} for _, indices in factors]
        if len(factors) < 2 or loops[0] == loops[1]:
            # Without rows and columns, tensor cores have nothing to share.
            whole = self.pointwise(product, (*shape, *sums))
            axes = range(len(shape), len(whole.shape))
            return reduced(op, type(sum_op), whole, axes, start)
        (a, a_indices), (b, b_indices) = factors
        indices = a_indices, b_indices
        result = contraction(op, shape, value.type, (a, b), indices, sums)
        if is_number(start, 0):
            return result
        return Elementwise(op, shape, value.type, sum_op, [start, result])

    def arguments(self, value: SSAValue) -> set[int]:
        """The numbers of the arguments of the body that a value depends on."""
        block = self.op.body.block

        @cache
        def depends_on(value: SSAValue) -> set[int]:
            owner = value.owner
            if owner is block:
                return {block.args.index(cast(Any, value))}
            if isinstance(owner, Block) or owner.parent is not block:
                return set()
            if isinstance(owner, IndexOp):
                # An index is no factor: it has loops, but no operand.
                return {-1}
            operands = owner.operands
            return set[int]().union(*map(depends_on, operands))

        return depends_on(value)


def _block(function: func.FuncOp, op: Operation) -> Block:
    """The block of a function. Raises OperationError, at an operation, if it has not just one."""
    if len(function.body.blocks) != 1:
        raise refused(op, "a function of tensors must have one block")
    return function.body.block


def _places(op: Operation, rank: int) -> list[list[int]]:
    """The lists of numbers that place a part of a tensor, such as offsets and strides. Raises
    OperationError for those that are not constant."""
    found: list[list[int]] = []
    for name in _PLACES:
        if (numbers := op.properties.get(f"static_{name}")) is not None:
            found.append([int(each) for each in cast(Any, numbers).get_values()])
            if len(found[-1]) != rank or DYNAMIC_INDEX in found[-1]:
                raise refused(op, f"{name} must be {rank} constants")
    return found


_PLACES = ("offsets", "sizes", "strides", "low", "high")
"""Lists of numbers of operations of `tensor`, in the words of MLIR."""


def _check_indices(
    tensor: Tensor, base: Tensor, indices: Sequence[Affine], loops: Sequence[int]
) -> None:
    """Raise OperationError for indices outside of a tensor; `loops` are the extents of loops."""
    if len(indices) != len(base.shape):
        sentence = f"a tensor of rank {len(indices)} is needed"
        raise refused(tensor.op, f"{sentence}; found the shape {list(base.shape)}")
    for index, extent in zip(indices, base.shape, strict=True):
        if any(number >= len(loops) for number in index.terms):
            raise refused(tensor.op, f"the result has only {len(loops)} dimensions")
        ends = [factor * (loops[number] - 1) for number, factor in index.terms.items()]
        least = index.constant + sum(each for each in ends if each < 0)
        most = index.constant + sum(each for each in ends if each > 0)
        if least < 0 or most >= extent:
            sentence = f"the indices of a dimension must be 0 to {extent - 1}"
            raise refused(tensor.op, f"{sentence}; found {least} to {most}")
