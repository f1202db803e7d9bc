"""
Reader of the final IR of cuTile as expressions of tensors.

A kernel says which tiles of arrays a block reads for each tile that it stores. The reader takes the
tiles apart: an index of an array becomes a sum of loop counters. The loops go over the tiles, over
the elements of a tile and over the iterations of a sum. Two loops, as in `128 * tile + row`, become
one loop over the array, so the result does not depend on the order of the blocks and the size of
their tiles.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from math import exp, inf
from typing import Any, NamedTuple, cast

from xdsl.dialects import arith, builtin, math
from xdsl.dialects.builtin import (
    AnyFloat,
    IntegerType,
    Signedness,
)
from xdsl.ir import Attribute, Operation

from tcgen05_dialect.contraction.expression import (
    Affine,
    Array,
    Contraction,
    Elementwise,
    Reduction,
    Reshape,
    Splat,
    Tensor,
    View,
    loop,
    refused,
)
from tcgen05_dialect.contraction.flat import FOLDS
from tcgen05_dialect.contraction.program import Program, program

from . import (
    EXPRESSIONS,
    FUNCTIONS,
    compared,
    contraction,
    converted,
    is_number,
    make,
    pointwise,
    splat,
)
from .cutile_blocks import Blocks, placed, result_number

ELEMENTS: Mapping[str, Attribute] = {
    "bfloat16": builtin.bf16,
    "float16": builtin.f16,
    "float32": builtin.f32,
    "tfloat32": builtin.f32,
    "float8_e4m3fn": builtin.f8E4M3FN,
    "float8_e5m2": builtin.f8E5M2,
    "bool_": builtin.i1,
    **{f"int{bits}": IntegerType(bits) for bits in (8, 16, 32)},
    **{f"uint{bits}": IntegerType(bits, Signedness.UNSIGNED) for bits in (8, 16, 32)},
}
"""Type of cuTile -> element type."""
_NAMES = {
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "divide",
    "neg": "negate",
    "or_": "or",
    "max": "maximum",
    "min": "minimum",
    "exp": "exponential",
    "sin": "sine",
    "cos": "cosine",
    "and_": "and",
    "invert": "not",
    "bitwise_not": "not",
}
"""Function of cuTile -> that of StableHLO, where they differ."""
_OF_FLOATS: Mapping[str, type[Operation]] = {
    "exp2": math.Exp2Op,
    "log2": math.Log2Op,
    "max": arith.MaxnumfOp,
    "min": arith.MinnumfOp,
}
"""Function of cuTile -> its operation on floats, where NaN is no result of max and min."""


class _Part(NamedTuple):
    """A tensor, whose dimensions are loops."""

    loops: tuple[int, ...]
    tensor: Tensor


class _Use(NamedTuple):
    """An index of an array that an operation reads, as a sum of loops."""

    op: Any
    place: Affine
    array: Array
    dimension: int


class TileReader:
    """
    Reader of a kernel of cuTile.

    `parameters` has the array or the number of each parameter of `block`, and `grid` the numbers of
    blocks. Elementwise functions are those of StableHLO.
    """

    def __init__(
        self, name: str, block: Any, grid: Sequence[int], parameters: Mapping[str, Array | int]
    ) -> None:
        self.name, self.parameters, self.grid = name, parameters, grid
        self.is_tf32 = False
        self.stored: set[str] = set()
        """The names of the arrays that are stored."""
        self.owners: dict[str, Any] = {}
        """Name of a value -> the operation that makes it."""
        self.carried: dict[str, Any] = {}
        """Name of a value that a loop carries -> the operation that makes the next one."""
        self.stores: list[tuple[Any, tuple[Any, ...]]] = []
        """The stores, each with the operations around it."""
        self.arrays: dict[str, Array] = {}
        """The arrays that are read."""
        self.blocks = Blocks(self.owners, parameters, grid)
        self.scope: dict[str, tuple[range, Affine]] = {}
        """Counter of a loop -> its values, and the number of the iteration."""
        self._walk(block, ())

    def _walk(self, block: Any, around: tuple[Any, ...]) -> None:
        for op in block:
            self.owners |= {each.name: op for each in op.result_vars}
            if op.op == "tile_load" and (array := self.blocks.array(op)).name in self.stored:
                raise refused(placed(op), f"{array.name} is read after tiles of it were stored")
            if op.op == "tile_store":
                self.stores.append((op, around))
                self.stored.add(self.blocks.array(op).name)
            elif op.has_observable_effect and not (op.is_terminator or op.nested_blocks):
                raise refused(placed(op), "no kernel can be made of this operation")
            if op.op != "tile_reduce":
                for inner in op.nested_blocks:
                    self._walk(inner, (*around, op))
            if op.op == "loop" and op.body.operations[-1].op == "continue":
                pairs = zip(op.body_vars, op.body.operations[-1].values, strict=True)
                self.carried |= {var.name: self.owners.get(value.name) for var, value in pairs}

    def kernels(self) -> Program:
        """The kernels. Raises OperationError."""
        results: dict[str, Tensor] = {}
        for op, around in self.stores:
            array = self.blocks.array(op)
            if array.name in results:
                raise refused(placed(op), f"{array.name} is stored twice")
            results[array.name] = self._stored(op, around, array)
        order = [each for each in self.parameters.values() if isinstance(each, Array)]
        read = [each for each in order if each.name in self.arrays]
        return program(self.name, read, [*results.values()], self.is_tf32, [*results])

    # Blocks and the tiles that they store.

    def _stored(self, op: Any, around: Sequence[Any], array: Array) -> Tensor:
        """The tensor that the blocks store to an array."""
        place = placed(op)
        self.target, self.tile = array, tuple(op.view.get_type().tile_shape)
        self.tiles = [-(-n // t) for n, t in zip(array.shape, self.tile, strict=True)]
        self.blocks = Blocks(self.owners, self.parameters, self.grid)
        self.blocks.store(op, around, self.tiles)
        self.joined: dict[int, int] = {}
        self.sizes: dict[int, int] = {}
        self.tails: dict[int, int] = {}
        self._evaluated(op)
        self._join(op, array)
        part = self._evaluated(op)
        # A loop over the array, or one over the tiles and one over the elements of each.
        order = [each for group in self.dimensions for each in group if each not in self.joined]
        indices = [loop(order.index(each)) for each in part.loops]
        if len(order) == len(array.shape):
            return View(place, array.shape, part.tensor.element, part.tensor, indices)
        shape = tuple(self.sizes.get(each, self.counts[each]) for each in order)
        view = View(place, shape, part.tensor.element, part.tensor, indices)
        return Reshape(place, array.shape, view.element, view)

    def _evaluated(self, op: Any) -> _Part:
        """The tile that an operation stores."""
        self.counts: list[int] = []
        self.known: dict[Any, _Part] = {}
        self.uses: list[_Use] = []
        self.groups: list[Sequence[int]] = []
        """Loops over the elements of tiles and over tiles; two of a group may be one loop."""
        self.elements: set[int] = set()
        """The loops over the elements of tiles."""
        self.made: dict[Any, Tensor] = {}
        """What a tensor is made of -> the tensor."""
        self.unique: set[int] = set()
        self.padded: dict[int, tuple[View, set[int], float | None]] = {}
        """Number of a view -> the view, its loops that go behind the end of the array, and the
        number there."""
        self.outer = [self._loop(each) for each in self.tiles]
        self.inner = [self._loop(each, is_of_elements=True) for each in self.tile]
        pairs = zip(self.outer, self.inner, strict=True)
        self.dimensions = [[*a.terms, *b.terms] for a, b in pairs]
        self.groups += self.dimensions
        return self._tile(op.tile, self.inner)

    def _join(self, op: Any, array: Array) -> None:
        """Make one loop of loops over tiles and over the elements of each, and find the ends of
        arrays inside of tiles."""
        counts = [*self.counts]
        for group in self.groups:
            self._join_group(group, counts)
        for loops, size, extent in zip(self.dimensions, self.tile, array.shape, strict=True):
            if loops and (len(loops) == 1 or loops[0] in self.joined):
                counts[loops[-1]] = extent
            elif extent % size:
                help_ = "index loads by the tile and its elements together"
                raise refused(placed(op), f"tiles of {size} must divide {extent}", help_)
        self.sizes = dict(enumerate(counts))
        for use in self.uses:
            self._find_end(use, counts)
        self.sizes |= self.tails

    def _join_group(self, group: Sequence[int], counts: list[int]) -> None:
        """Join loops of a group where all uses step from the end of a tile to the next one."""
        indices = [each.place.terms for each in self.uses]
        for inner in (each for each in group if each in self.elements):
            for outer in (each for each in group if each not in self.elements):
                size, done = counts[inner], (*self.joined, *self.joined.values())
                alike = (t.get(outer, 0) == size * t.get(inner, 0) for t in indices)
                if outer not in done and inner not in done and all(alike):
                    self.joined[outer] = inner
                    counts[inner] *= counts[outer]

    def _find_end(self, use: _Use, counts: Sequence[int]) -> None:
        """Note where the array of a use ends inside of a tile. Raises OperationError if tiles lie
        outside of it."""
        index, extent = self._resolved(use.place), use.array.shape[use.dimension]
        terms = index.terms
        last = sum(step * (counts[number] - 1) for number, step in terms.items())
        if index.constant < 0 or any(step < 0 for step in terms.values()):
            raise refused(placed(use.op), f"the tiles must begin inside of {use.array.name}")
        if index.constant + last < extent:
            return
        number = next(iter(terms), -1)
        rest = extent - index.constant
        is_stored = any(number in loops for loops in self.dimensions)
        if [*terms.values()] != [1] or rest < 1 or is_stored:
            found = f"{extent} elements in dimension {use.dimension}"
            sentence = f"{use.array.name} has {found}; the tiles that are used have more"
            raise refused(placed(use.op), sentence)
        self.tails[number] = min(self.tails.get(number, rest), rest)

    def _resolved(self, index: Affine) -> Affine:
        terms = {each: step for each, step in index.terms.items() if each not in self.joined}
        return Affine(terms, index.constant)

    def _loop(self, count: int, is_of_elements: bool = False) -> Affine:
        """The counter of a new loop; 0 if it has one iteration."""
        if count == 1:
            return Affine({})
        self.counts.append(count)
        if is_of_elements:
            self.elements.add(len(self.counts) - 1)
        return loop(len(self.counts) - 1)

    # Tiles.

    def _index(self, var: Any, user: Any) -> Affine:
        """A number as a sum of loops."""
        return self.blocks.index(var, user, self.outer, self.scope)

    def _tile(self, var: Any, at: Sequence[Affine]) -> _Part:
        """The elements of a tile at a place."""
        scope = tuple((name, *own.terms) for name, (_, own) in self.scope.items())
        places = tuple((tuple(sorted(each.terms.items())), each.constant) for each in at)
        key = var.name, places, scope
        if key not in self.known:
            part = self._read(var, at)
            self.known[key] = part._replace(tensor=self._shared(part.tensor))
        return self.known[key]

    def _shared(self, tensor: Tensor) -> Tensor:
        """A tensor that is the same for the same computation with other loops, so that a kernel
        computes it once."""
        if id(tensor) in self.unique or isinstance(tensor, Array):
            return tensor
        key: tuple[Any, ...] = ()
        match tensor:
            case Splat():
                key = (tensor.number,)
            case Elementwise():
                tensor.operands = [*map(self._shared, tensor.operands)]
                function = tensor.function
                key = function.name, *function.properties.items(), *map(id, tensor.operands)
            case View():
                tensor.base = self._shared(tensor.base)
                padding = self.padded[id(tensor)][2] if id(tensor) in self.padded else None
                key = id(tensor.base), padding, str(tensor.indices)
            case Reduction():
                tensor.base = self._shared(tensor.base)
                key = id(tensor.base), tensor.axis, tensor.function
            case Contraction():
                tensor.a, tensor.b = self._shared(tensor.a), self._shared(tensor.b)
                key = id(tensor.a), id(tensor.b), str((tensor.a_indices, tensor.b_indices))
            case _:
                pass
        found = self.made.setdefault((type(tensor), tensor.shape, tensor.element, key), tensor)
        if id(tensor) in self.padded and found is not tensor:
            self.padded[id(found)][1].update(self.padded[id(tensor)][1])
        self.unique.add(id(found))
        return found

    def _read(self, var: Any, at: Sequence[Affine]) -> _Part:
        op = self.blocks.owner(var)
        if var.get_type().shape == () and (op is None or op.op in _LEAVES):
            number = self._index(var, op or var)
            if number.terms:
                raise refused(placed(op or var), "a number in a tile must be that of all blocks")
            return self._splat(var, number.constant)
        if op is None:
            sentence = "a loop may carry only sums, maxima or minima of its iterations"
            raise refused(placed(self.carried.get(var.name) or var), sentence)
        place = placed(op)
        match op.op:
            case "tile_load":
                return self._load(op, at)
            case "typed_const":
                return self._splat(var, op.value)
            case "tile_broadcast":
                pairs = zip(op.x.get_type().shape, at, strict=True)
                return self._tile(op.x, [own if n > 1 else Affine({}) for n, own in pairs])
            case "tile_permute":
                places = [at[list[int](op.axes).index(each)] for each in range(len(at))]
                return self._tile(op.x, places)
            case "tile_reshape":
                return self._tile(op.x, _reshaped(op, at))
            case "tile_reduce" | "loop" | "tile_mma":
                kind = self._kind(var)
                terms = self._terms(kind, var, at, [])
                if not terms:
                    return self._splat(var, _NEUTRAL[kind])
                return reduce(lambda a, b: self._elementwise(op, kind, [a, b]), terms)
            case _:
                parts = [self._tile(each, at) for each in op.all_inputs()]
                return self._together(parts, lambda *x: self._computed(op, place, var, *x))

    def _computed(self, op: Any, place: Operation, var: Any, *x: Tensor) -> Tensor:
        """An elementwise function of tensors."""
        match op.op:
            case "tile_astype":
                return converted(place, x[0], _element(var))
            case "raw_where":
                return make(place, arith.SelectOp, x[1].element, *x)
            case "raw_cmp":
                return compared(place, op.fn.upper(), *x)
            case "fma":
                product = pointwise(place, "multiply", x[:2])
                return pointwise(place, "add", [product, x[2]])
            case "unaryop" | "raw_binary_arith" | "raw_binary_bitwise":
                return self._function(place, op.fn, x, getattr(op, "propagate_nan", False))
            case _:
                raise refused(place, "no kernel can be made of this operation")

    def _function(
        self, place: Operation, name: str, x: Sequence[Tensor], keeps_nan: bool = False
    ) -> Tensor:
        element = x[0].element
        if name in _OF_FLOATS and isinstance(element, AnyFloat) and not keeps_nan:
            return make(place, _OF_FLOATS[name], element, *x)
        if (known := _NAMES.get(name, name)) in FUNCTIONS or known in EXPRESSIONS:
            return pointwise(place, known, x)
        raise refused(place, f"kernels do not have the function {name}")

    def _splat(self, var: Any, value: float) -> _Part:
        return _Part((), splat(placed(var), (), _element(var), value))

    def _load(self, op: Any, at: Sequence[Affine]) -> _Part:
        array, place, type_ = self.blocks.array(op), placed(op), op.view.get_type()
        self.arrays[array.name] = array
        indices: list[Affine] = []
        for dimension, (var, size, own) in enumerate(
            zip(op.index, type_.tile_shape, at, strict=True)
        ):
            index = self._index(var, op).times(size).plus(own)
            self.uses.append(_Use(op, index, array, dimension))
            indices.append(self._resolved(index))
        if array.name in self.stored:
            own = [
                a.times(size).plus(b)
                for a, size, b in zip(self.outer, self.tile, self.inner, strict=True)
            ]
            if array is not self.target or indices != [*map(self._resolved, own)]:
                raise refused(place, f"other blocks store the tile of {array.name} that this reads")
        loops = sorted({each for index in indices for each in index.terms})
        places = [
            Affine({loops.index(each): step for each, step in index.terms.items()}, index.constant)
            for index in indices
        ]
        view = View(place, self._shape(loops), array.element, array, places)
        ends = {
            number
            for index, extent in zip(indices, array.shape, strict=True)
            for number in index.terms
            if self.tails.get(number) == extent - index.constant
        }
        self.padded[id(view)] = view, ends, _PADDING.get(type_.padding_mode.name)
        return _Part(tuple(loops), view)

    def _shape(self, loops: Sequence[int]) -> tuple[int, ...]:
        return tuple(self.sizes.get(each, self.counts[each]) for each in loops)

    def _widened(self, part: _Part, loops: Sequence[int]) -> Tensor:
        """The tensor of a part, with the dimensions of other loops, too."""
        tensor = part.tensor
        if part.loops == tuple(loops):
            return tensor
        indices = [loop(loops.index(each)) for each in part.loops]
        return View(tensor.op, self._shape(loops), tensor.element, tensor, indices)

    def _together(self, parts: Sequence[_Part], compute: Callable[..., Tensor]) -> _Part:
        loops = tuple(sorted({each for part in parts for each in part.loops}))
        return _Part(loops, compute(*(self._widened(each, loops) for each in parts)))

    def _elementwise(self, op: Any, name: str, parts: Sequence[_Part]) -> _Part:
        """A function of tensors."""
        place = placed(op)
        return self._together(parts, lambda *x: self._function(place, name, x))

    # Sums over the elements of tiles and over iterations.

    def _kind(self, var: Any) -> str:
        """The function of a sum, which is a reduction of a tile, or what a loop carries."""
        op = self.blocks.owner(var)
        match op and op.op:
            case "tile_mma" | "fma":
                return "add"
            case "raw_binary_arith":
                return op.fn
            case "loop":
                return self._kind(_end(op)[result_number(op, var)])
            case "tile_reduce" if len(op.xs) == 1 and len(op.body) == 2:
                first = op.body.operations[0]
                return first.fn if first.op == "raw_binary_arith" else first.op
            case _:
                sentence = "a reduction must be a sum, a product, a maximum or a minimum"
                raise refused(placed(op or var), sentence)

    def _terms(
        self, kind: str, var: Any, at: Sequence[Affine], sums: Sequence[int], carried: str = ""
    ) -> list[_Part]:
        """The terms of the sum of a tile over loops, without that of a carried value."""
        if var.name == carried:
            return []
        op = self.blocks.owner(var)
        match op and op.op:
            case "tile_reshape":
                return self._terms(kind, op.x, _reshaped(op, at), sums, carried)
            case "tile_reduce" if self._kind(var) == kind:
                axis, (x,) = op.axis, op.xs
                own = self._loop(x.get_type().shape[axis], is_of_elements=True)
                places = [*at[:axis], own, *at[axis:]]
                return self._terms(kind, x, places, [*sums, *own.terms])
            case "tile_mma" if kind == "add":
                before = self._terms(kind, op.acc, at, sums, carried)
                return [*before, self._product(op, at, sums)]
            case "fma" if self._reaches(op.acc, carried):
                before = self._terms(kind, op.acc, at, sums, carried)
                product = self._elementwise(
                    op, "mul", [self._tile(op.lhs, at), self._tile(op.rhs, at)]
                )
                return [*before, self._summed(op, kind, product, sums)]
            case "raw_binary_arith" if op.fn == kind and self._reaches(var, carried):
                if self._reaches(op.lhs, carried) and self._reaches(op.rhs, carried):
                    raise refused(placed(op), "a sum may have the carried value once")
                return [
                    part
                    for each in (op.lhs, op.rhs)
                    for part in self._terms(kind, each, at, sums, carried)
                ]
            case "loop" if self._kind(var) == kind:
                number = result_number(op, var)
                before = self._terms(kind, op.initial_values[number], at, sums, carried)
                start, stop, step = (self._index(v, op) for v in (op.start, op.stop, op.step))
                if start.terms or stop.terms or step.terms:
                    raise refused(placed(op), "all blocks must have as many iterations")
                counters = range(start.constant, stop.constant, step.constant)
                if not counters:
                    return before
                own, counter = self._loop(len(counters)), op.induction_var.name
                self.scope[counter] = counters, own
                inner, sums = op.body_vars[number].name, [*sums, *own.terms]
                found = self._terms(kind, _end(op)[number], at, sums, inner)
                del self.scope[counter]
                return [*before, *found]
            case _:
                part = self._tile(var, at)
                if is_number(part.tensor, FOLDS[self._fold(op, kind, part.tensor)][1]):
                    return []
                return [self._summed(op, kind, part, sums)]

    def _reaches(self, var: Any, carried: str) -> bool:
        """Whether a value is a sum with the carried one."""
        op = self.blocks.owner(var)
        if var.name == carried or op is None:
            return var.name == carried
        if op.op not in ("tile_mma", "fma", "loop", "raw_binary_arith"):
            return False
        return any(self._reaches(each, carried) for each in op.all_inputs())

    def _fold(self, op: Any, kind: str, tensor: Tensor) -> type[Operation]:
        """The operation of a reduction."""
        function = cast(Elementwise, self._function(placed(op), kind, [tensor, tensor])).function
        if type(function) not in FOLDS:
            raise refused(placed(op), f"kernels do not reduce {tensor.element} by {kind}")
        return type(function)

    def _summed(self, op: Any, kind: str, part: _Part, sums: Sequence[int]) -> _Part:
        place, fold = placed(op), self._fold(op, kind, part.tensor)
        self.groups.append(sums)
        for number in reversed([each for each in sums if each not in self.joined]):
            loops = sorted({*part.loops, number})
            tensor, axis = self._widened(part, loops), loops.index(number)
            if number in self.tails and self._padding(tensor, number) != FOLDS[fold][1]:
                raise refused(place, *_padded(f"change the result of {kind}"))
            loops.remove(number)
            shape, element = self._shape(loops), tensor.element
            part = _Part(tuple(loops), Reduction(place, shape, element, tensor, axis, fold))
        return part

    def _product(self, op: Any, at: Sequence[Affine], sums: Sequence[int]) -> _Part:
        """A product of matrices, summed over loops, too."""
        place = placed(op)
        own = self._loop(op.x.get_type().shape[-1], is_of_elements=True)
        sums = [*sums, *own.terms]
        self.groups.append(sums)
        sums = [each for each in sums if each not in self.joined]
        places = [*at[:-1], own], [*at[:-2], own, at[-1]]
        a, b = (
            self._tile(self._factor(var, op), each)
            for var, each in zip((op.x, op.y), places, strict=True)
        )
        loops = sorted({*a.loops, *b.loops} - {*sums})
        if {*sums} - {*a.loops, *b.loops}:
            raise refused(place, "each iteration must multiply tiles of its own")
        for number in sums:
            ends = [self._padding(each.tensor, number) for each in (a, b)]
            if number in self.tails and 0 not in ends:
                raise refused(place, *_padded("are factors"))
        order = [*loops, *sums]
        of_a, of_b = ([loop(order.index(each)) for each in part.loops] for part in (a, b))
        element, factors = _element(op.result_var), (a.tensor, b.tensor)
        shape, extents = self._shape(loops), self._shape(sums)
        product = contraction(place, shape, element, factors, (of_a, of_b), extents)
        return _Part(tuple(loops), product)

    def _factor(self, var: Any, op: Any) -> Any:
        """A factor, before it is rounded to tf32, which tensor cores do."""
        name = str(var.get_type().dtype)
        if name == "float32":
            raise refused(placed(op), "tensor cores do not multiply float32", _TF32)
        owner = self.blocks.owner(var)
        if name == "tfloat32":
            self.is_tf32 = True
            if owner is not None and owner.op == "tile_astype":
                return owner.x
        return var

    def _padding(self, tensor: Tensor, number: int) -> float | None:
        """The number of a tensor in iterations of a loop behind the ends of arrays, None if it is
        not known."""
        match tensor:
            case Splat():
                return tensor.number.value.data
            case View() if id(tensor) in self.padded:
                _, ends, found = self.padded[id(tensor)]
                return found if number in ends else None
            case View():
                return self._padding(tensor.base, number)
            case Elementwise():
                given = [self._padding(each, number) for each in tensor.operands]
                return _at_padding(tensor.function, given)
            case _:
                return None


def _at_padding(function: Operation, given: Sequence[float | None]) -> float | None:
    """The result of a function for numbers, some of which may be any finite ones."""
    first, last = given[0], given[-1]
    match function:
        case arith.MulfOp() | arith.MuliOp() if 0 in given:
            return 0
        case arith.AddfOp() | arith.SubfOp() if first == -inf and last not in (inf, -inf):
            return -inf
        case arith.AddfOp() | arith.AddiOp() if first is not None and last is not None:
            return first + last
        case arith.DivfOp() if first == 0 and last != 0:
            return 0
        case math.ExpOp() | math.Exp2Op() if first is not None and first < 1:
            return exp(first) if isinstance(function, math.ExpOp) else 2**first
        case arith.TruncFOp() | arith.ExtFOp() | arith.SIToFPOp() | arith.ExtSIOp():
            return first
        case arith.MaximumfOp() | arith.MaxnumfOp() if first is not None and last is not None:
            return max(first, last)
        case arith.SelectOp() if given[1] == last:
            return last
        case _:
            return None


_LEAVES = ("tile_bid", "tile_num_blocks", "num_tiles", "assume_bounded", "assume_div_by")
"""Operations that make numbers without tiles."""
_NEUTRAL = {"add": 0, "mul": 1, "max": -inf, "min": inf}
"""Function of a reduction -> the result of one of nothing."""
_PADDING = {"ZERO": 0.0, "NEG_ZERO": 0.0, "POS_INF": inf, "NEG_INF": -inf}
_TF32 = "convert both to ct.tfloat32, with 10 bits after the point, or to ct.bfloat16"


def _padded(what: str) -> tuple[str, str]:
    sentence = f"elements behind the end of an array {what}"
    return sentence, "give the load a padding_mode that changes nothing, such as ZERO for a sum"


def _element(var: Any) -> Attribute:
    """The element type of a value. Raises OperationError."""
    name = str(var.get_type().dtype)
    if name not in ELEMENTS:
        raise refused(placed(var), f"kernels do not compute with {name}")
    return ELEMENTS[name]


def _end(op: Any) -> Sequence[Any]:
    """The values at the end of an iteration of a loop. Raises OperationError."""
    end = op.body.operations[-1]
    if not op.is_for_loop or end.op != "continue":
        raise refused(placed(op), "the number of iterations must be known")
    return end.values


def _reshaped(op: Any, at: Sequence[Affine]) -> list[Affine]:
    """The place in a tile before it was reshaped."""
    old, new = op.x.get_type().shape, op.result_var.get_type().shape
    if [n for n in old if n > 1] != [n for n in new if n > 1]:
        sentence = "a reshape may only add and remove dimensions of one element"
        raise refused(placed(op), f"{sentence}; found {[*old]} to {[*new]}")
    kept = iter(own for own, n in zip(at, new, strict=True) if n > 1)
    return [next(kept) if n > 1 else Affine({}) for n in old]
