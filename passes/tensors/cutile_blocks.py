"""Blocks of a kernel of cuTile: the tiles that they store, and the numbers that they compute."""

import operator
from collections.abc import Mapping, Sequence
from importlib import import_module
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr, UnregisteredOp
from xdsl.ir import Operation

from tcgen05_dialect.contraction.expression import Affine, Array, refused

_OPERATORS = "add sub mul floordiv neg eq ne lt le gt ge and_ or_ xor"
"""Functions of cuTile on integers with the name of an operator of Python."""
_NUMBERS = {"c_mod": "fmod", "max": "maximum", "min": "minimum"}
"""Other function of cuTile on integers -> that of numpy."""
_OWN = "/cuda/tile/"
"""A part of the names of the files of cuTile."""


def placed(op: Any) -> Operation:
    """An operation at the line of the kernel of an operation, or of a value, of cuTile."""
    place = op.loc
    while place.call_site is not None and _OWN in (place.filename or ""):
        place = place.call_site
    made = UnregisteredOp.with_name(f"cutile.{getattr(op, 'op', 'value')}").create()
    if place.filename:
        line, column = IntAttr(place.line), IntAttr(place.col + 1)
        made.location = FileLineColLoc(StringAttr(place.filename), line, column)
    return made


def result_number(op: Any, var: Any) -> int:
    """The number of a result of an operation."""
    return [each.name for each in op.result_vars].index(var.name)


class Blocks:
    """
    The blocks that store an array, one for each tile.

    `owners` has the operations that make values, `parameters` the arrays and the numbers of
    parameters. In arrays of numbers, blocks are the last dimension.
    """

    def __init__(
        self, owners: Mapping[str, Any], parameters: Mapping[str, Any], grid: Sequence[int]
    ) -> None:
        import numpy as np

        self.owners, self.parameters = owners, parameters
        self.grid: Sequence[int] = [*grid, 1, 1][:3]
        numbers = np.indices(self.grid[::-1]).reshape(3, -1)[::-1]
        self.known: dict[str, Any] = {f"bid{axis}": numbers[axis] for axis in range(3)}
        """Value -> its number in each block."""

    def owner(self, var: Any) -> Any:
        """The operation that makes a value; None for a parameter or a value that a loop carries."""
        return self.owners.get(var.name)

    def array(self, op: Any) -> Array:
        """The array whose tiles an operation uses. Raises OperationError."""
        view, type_ = self.owner(op.view), op.view.get_type()
        if view.op != "make_partition_view" or [*type_.order] != sorted(type_.order):
            raise refused(placed(op), "the tiles must not overlap, and not be transposed")
        owner = self.owner(view.array)
        if owner is None or owner.op != "make_tensor_view":
            raise refused(placed(op), "the array must be a parameter of the kernel")
        return cast(Array, self.parameters[owner.base_ptr.name])

    def store(self, op: Any, around: Sequence[Any], tiles: Sequence[int]) -> None:
        """Keep the blocks that store tiles, once for each iteration of the loops around the store.
        `tiles` are the numbers of tiles. Raises OperationError unless each is stored once."""
        import numpy as np

        place, name = placed(op), self.array(op).name
        for each in around:
            if each.op != "loop" or not each.is_for_loop:
                raise refused(place, "tiles must not be stored under a condition")
            shape = self.known["bid0"].shape
            bounds = (self.number(v, op, {}) for v in (each.start, each.stop, each.step))
            start, stop, step = (np.broadcast_to(v, shape) for v in bounds)
            counts = np.maximum(-(-(stop - start) // step), 0)
            rows = np.repeat(np.arange(len(counts)), counts)
            iterations = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
            self.known = {name: given[rows] for name, given in self.known.items()}
            self.known[each.induction_var.name] = start[rows] + step[rows] * iterations
        indices = [self.number(each, op, {}) for each in op.index]
        places = np.stack([np.broadcast_to(v, self.known["bid0"].shape) for v in indices])
        is_inside = ((places >= 0) & (np.array(tiles) > places.T).T).all(axis=0)
        self.places = places[:, is_inside]
        """For each dimension of the array the numbers of the tiles."""
        self.known = {name: given[is_inside] for name, given in self.known.items()}
        numbers = np.ravel_multi_index([*self.places], tiles)
        if len(np.unique(numbers)) != numbers.size:
            raise refused(place, f"several blocks store the same tile of {name}")
        if numbers.size != prod(tiles):
            found = f"{numbers.size} of {prod(tiles)} tiles of {name}"
            raise refused(place, f"the blocks must store all tiles; they store {found}")

    def number(self, var: Any, user: Any, counters: Mapping[str, Any]) -> Any:
        """A number, or an array of those for all blocks and counters. Raises OperationError."""
        np: Any = import_module("numpy")  # Many of its types are unknown.
        known: dict[str, Any] = {**self.known, **counters}

        def read(var: Any) -> Any:
            if var.name not in known:
                known[var.name] = compute(var)
            return known[var.name]

        def compute(var: Any) -> Any:
            op, given = self.owner(var), self.parameters.get(var.name)
            match op and op.op:
                case None if isinstance(given, int):
                    return given
                case "typed_const" if isinstance(op.value, int):
                    return int(op.value)
                case "tile_bid":
                    return known[f"bid{op.axis}"]
                case "tile_num_blocks":
                    return self.grid[int(op.axis)]
                case "assume_bounded" | "assume_div_by" | "tile_astype":
                    return read(op.x)
                case "num_tiles":
                    at = result_number(op, var)
                    return -(-self.array(op).shape[at] // op.view.get_type().tile_shape[at])
                case "raw_where":
                    return np.where(read(op.cond), read(op.x), read(op.y))
                case "raw_binary_arith" if op.fn == "cdiv":
                    return -(-read(op.lhs) // read(op.rhs))
                case _ if getattr(op, "fn", "") in (*_OPERATORS.split(), *_NUMBERS):
                    of_numpy = _NUMBERS.get(op.fn)
                    function = getattr(np, of_numpy) if of_numpy else getattr(operator, op.fn)
                    return function(*map(read, op.all_inputs()))
                case _:
                    sentence = "indices and bounds of loops must come from blocks, loops and shapes"
                    raise refused(placed(user), sentence)

        return read(var)

    def index(
        self,
        var: Any,
        user: Any,
        tiles: Sequence[Affine],
        scope: Mapping[str, tuple[range, Affine]],
    ) -> Affine:
        """
        A number as a sum of loops: `tiles` over the tiles that are stored, and `scope`, which has
        the values and the iteration of counters. Raises OperationError for other numbers.
        """
        import numpy as np

        count, counters = len(scope), dict[str, Any]()
        for at, (name, (values, _)) in enumerate(scope.items()):
            counters[name] = np.array(values).reshape(-1, *[1] * (count - at))
        value = self.number(var, user, counters)
        sizes = [len(values) for values, _ in scope.values()]
        all_values = np.broadcast_to(value, (*sizes, self.places.shape[1]))
        # The block of the tile in front, and in front in all dimensions but one.
        first = self.places.sum(axis=0).argmin()
        result = Affine({}, int(all_values[(*[0] * count, first)]))
        found: Any = result.constant
        for own, places in zip(tiles, self.places, strict=True):
            if own.terms:
                others = self.places.sum(axis=0) - places
                block = ((places == 1) & (others == 0)).argmax()
                step = int(all_values[(*[0] * count, block)]) - result.constant
                found, result = found + step * places, result.plus(own.times(step))
        for at, (_, own) in enumerate(scope.values()):
            if own.terms:
                place = [int(each == at) for each in range(count)]
                step = int(all_values[(*place, first)]) - result.constant
                iterations = np.arange(sizes[at]).reshape(-1, *[1] * (count - at))
                found = found + step * iterations if step else found
                result = result.plus(own.times(step))
        if np.any(found != value):
            sentence = "the number must be a sum of the tile's indices and of loop counters"
            raise refused(placed(user), sentence)
        return result
