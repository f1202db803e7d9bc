"""Kernels: parameters, tensor maps, rings, and the region of the roles."""

from collections.abc import Sequence
from typing import Any, overload

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ..isa.element import PACKINGS
from ..isa.shared_memory.layout import MAJORS
from ..isa.shared_memory.tensor_map import Box
from ..operations import ptx, ws
from ..ptx.contract import AT_LEAST, MULTIPLE_OF, SAME_ARRAY
from ..ptx.target import ATTRIBUTE, choose_target
from ..ptx.types import TensorMapType
from ..tcgen05.types import TensorMemoryType
from ..ws.types import RingType, SharedTileType
from .buffers import Map, Matrix, Ring, Tile, buffer_for
from .insertion import Insertion, users_place
from .regions import Held
from .results import give_used_values
from .roles import Role, Scope
from .types import box_of, copied, tile
from .values import Value


class Kernel(Scope):
    """
    A kernel of `ws`.

    Operations of any dialect that are created inside the `with` statement of a region are inserted
    into the region. The location of an operation is the line that creates it.
    """

    def __init__(self, name: str, cluster: Sequence[int] = ()) -> None:
        self.op = ptx.KernelOp(sym_name=name, cluster_dims=list(cluster) or None)
        """The operation of the kernel."""
        self.op.location = users_place() or self.op.location
        self._block = self.op.body.block
        self._contracts: list[DictionaryAttr] = []
        super().__init__(Insertion(self._block))

    def parameter(
        self,
        name: str,
        type_: Attribute = i32,
        at_least: int | None = None,
        multiple_of: int | None = None,
        same_array: str | None = None,
    ) -> Value:
        """The next parameter, and its contract."""
        return Value(
            self._insertion, self._parameter(name, type_, at_least, multiple_of, same_array)
        )

    def _parameter(
        self,
        name: str,
        type_: Attribute,
        at_least: int | None = None,
        multiple_of: int | None = None,
        same_array: str | None = None,
    ) -> SSAValue:
        given: dict[str, Attribute] = {
            key: IntegerAttr(number, i64)
            for key, number in ((AT_LEAST, at_least), (MULTIPLE_OF, multiple_of))
            if number is not None
        }
        if same_array is not None:
            given[SAME_ARRAY] = StringAttr(same_array)
        self._contracts.append(DictionaryAttr(given))
        argument = self._block.insert_arg(type_, len(self._block.args))
        argument.name_hint = name
        return argument

    def tensor_map(
        self,
        name: str,
        *extents: int,
        element: Attribute,
        major: str = MAJORS[0],
        swizzle: str | None = None,
        packing: str = PACKINGS[0],
        kind: str | None = None,
        same_array: str | None = None,
    ) -> Map:
        """
        The next parameter: the tensor map of a tensor with boxes of these extents, the contiguous
        one last.

        `tile` of the result is the type of a box in shared memory, of the function `tile` and with
        its defaults. `kind` is the element type of the tensor map, where it does not follow. Raises
        TypeError for fewer than two extents.
        """
        if len(extents) < 2:
            raise TypeError(f"tensor map {name}: give at least two extents")
        *outer, rows, columns = extents
        own = tile(rows, columns, element, major, swizzle, packing=packing)
        return self._map(name, own, box_of(own, outer, kind), same_array)

    def block_map(self, name: str, matrix: TensorMemoryType, same_array: str | None = None) -> Map:
        """
        The next parameter: the tensor map of scale factors or metadata, in the blocks that are
        copied to tensor memory; a box has the blocks of `matrix`.

        `tile` of the result is the type of a box in shared memory. The tensor consists of bytes: a
        block is two-dimensional, and two dimensions count blocks along the rows and columns.
        """
        own = copied(matrix)
        return self._map(name, own, own.blocks.box, same_array)

    def _map(self, name: str, tile: SharedTileType, box: Box, same_array: str | None) -> Map:
        value = self._parameter(name, TensorMapType(box), same_array=same_array)
        return Map(self._insertion, value, tile)

    @overload
    def ring(
        self, name: str, stages: int, buffer: SharedTileType, /, *, in_place: bool = ...
    ) -> Ring[Tile]: ...
    @overload
    def ring(
        self, name: str, stages: int, buffer: TensorMemoryType, /, *, in_place: bool = ...
    ) -> Ring[Matrix]: ...
    @overload
    def ring(
        self,
        name: str,
        stages: int,
        buffer: SharedTileType,
        second: SharedTileType,
        /,
        *more: SharedTileType,
    ) -> Ring[tuple[Tile, ...]]: ...
    @overload
    def ring(
        self,
        name: str,
        stages: int,
        buffer: TensorMemoryType,
        second: TensorMemoryType,
        /,
        *more: TensorMemoryType,
    ) -> Ring[tuple[Matrix, ...]]: ...
    def ring(self, name: str, stages: int, /, *buffers: Any, in_place: bool = False) -> Ring[Any]:
        """A ring of stages, each with these buffers; its barrier objects have its name. Raises
        TypeError without buffers."""
        if not buffers:
            raise TypeError(f"ring {name}: give the type of at least one buffer of a stage")
        with self._insertion.here():
            op = ws.RingOp(in_place=in_place, result_type=RingType.get(stages, buffers))
        op.ring.name_hint = name
        return Ring(self._insertion, op.ring)

    @overload
    def alloc(self, name: str, type_: SharedTileType) -> Tile: ...
    @overload
    def alloc(self, name: str, type_: TensorMemoryType) -> Matrix: ...
    def alloc(self, name: str, type_: SharedTileType | TensorMemoryType) -> Tile | Matrix:
        """A buffer of one role, or of the sequential form."""
        with self._insertion.here():
            op = ws.AllocOp(result_type=type_)
        op.buffer.name_hint = name
        return buffer_for(self._insertion, op.buffer)

    def warp_specialize(
        self,
        tiles: Sequence[tuple[Value, int]] = (),
        persistent: bool = False,
        clc: bool = False,
        pair: bool = False,
        group: int | None = None,
        **more: Any,
    ) -> Held[tuple[Value, ...]]:
        """
        The roles; the region has the number of the tile along each dimension of `tiles`, which are
        pairs of a size and the extent of a tile. `more` are other arguments of
        `ws.WarpSpecializeOp`.
        """

        def finish(block: Block, given: Sequence[SSAValue]) -> Operation:
            return ws.WarpSpecializeOp(
                [size for size, _ in tiles],
                extents=[extent for _, extent in tiles],
                persistent=persistent,
                clc=clc,
                pair=pair,
                group=group,
                body=block,
                **more,
            )

        def enter(block: Block) -> tuple[Value, ...]:
            return tuple(Value(self._insertion, each) for each in block.args)

        return Held(self._insertion, [i32] * len(tiles), enter, finish)

    def role(
        self, name: str, warps: int, leader: bool = False, registers: int | None = None
    ) -> Held[Role]:
        """
        The program of some warps, each of whose threads has this number of registers; only the
        leader of a pair executes a role with `leader`.
        """

        def finish(block: Block, given: Sequence[SSAValue]) -> Operation:
            return ws.RoleOp(
                sym_name=name, warps=warps, leader=leader, registers=registers, body=block
            )

        return Held(self._insertion, (), lambda block: Role(self._insertion, block), finish)

    def module(self, target: str | None = None, ptx_version: str | None = None) -> ModuleOp:
        """
        The module with this kernel, and with a target if one is given. It is not verified;
        `check_source`, `compile_to_ptx` and `simulate` do that, and name the lines that created the
        operations. The version defaults to the first one that supports the target. Raises Violation
        for an unknown target or version.
        """
        if (left := self._insertion.left) is not None:
            place = f"{left.filename.data}:{left.line.data}"
            raise RuntimeError(f"{place}: break and return cannot leave a loop of a kernel")
        if not isinstance(self._block.last_op, ptx.RetOp):
            with self._insertion.here():
                ptx.RetOp()
        if any(each.data for each in self._contracts):
            self.op.arg_attrs = ArrayAttr[Attribute](self._contracts)
        kernel = self.op.clone()
        give_used_values(kernel)
        module = ModuleOp([kernel])
        if target is not None or ptx_version is not None:
            module.attributes[ATTRIBUTE] = choose_target(module, target, ptx_version)
        return module
