"""Kernels: parameters, tensor maps, rings, and the region of the roles."""

from collections.abc import Collection, Sequence
from typing import Annotated, Any, TypeAlias, overload

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
from xdsl.utils.exceptions import VerifyException

from ..isa.element import PACKINGS
from ..isa.model.rule import raise_any
from ..isa.ptx.kernel import check_identifier
from ..isa.shared_memory.layout import MAJORS
from ..isa.shared_memory.tensor_map import ELEMENTS, Box
from ..operations import ptx, ws
from ..ptx.contract import AT_LEAST, AT_MOST, MULTIPLE_OF, SAME_ARRAY, parameter_violations
from ..ptx.kernel import check_parameter
from ..ptx.types import ATTRIBUTE, TensorMapType, check_own_name, choose_target
from ..tcgen05.types import TensorMemoryType
from ..ws.base import RingType, SharedTileType
from ..ws.boxes import order_violations
from ..ws.rings import buffer_violations, ring_violations
from ..ws.roles import REGISTERS
from .buffers import Map, Matrix, Ring, Tile, buffer_for
from .insertion import (
    Insertion,
    box_of,
    check_name,
    check_positive,
    check_word,
    copied,
    tile,
    users_place,
)
from .roles import Held, Role, Scope, give_used_values
from .values import Index, Value, value_of

BufferType: TypeAlias = Annotated[
    SharedTileType | TensorMemoryType,
    "the type of a buffer, such as tile(64, 64, bf16), accumulator(128, 256) or the `tile` of a "
    "tensor map",
]
Tiles: TypeAlias = Annotated[
    Sequence[tuple[Index, int]],
    "a sequence of sizes and extents of tiles, such as [(m, 128), (n, 256)], in which each extent "
    "is an int",
]


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
        self._roles: Block | None = None
        """The block with the roles, from the beginning of its region."""
        self._role_names: set[str] = set()
        super().__init__(Insertion(self._block))
        check_own_name(name)
        raise_any(self.op.directive_violations())

    def parameter(
        self,
        name: str,
        type_: Attribute = i32,
        at_least: int | None = None,
        multiple_of: int | None = None,
        same_array: str | None = None,
        at_most: int | None = None,
    ) -> Value:
        """The next parameter, and its contract. Raises TypeError and ValueError."""
        given = at_least, multiple_of, same_array, at_most
        return Value(self._insertion, self._parameter(name, type_, *given))

    def _parameter(
        self,
        name: str,
        type_: Attribute,
        at_least: int | None = None,
        multiple_of: int | None = None,
        same_array: str | None = None,
        at_most: int | None = None,
    ) -> SSAValue:
        check_name(name)
        given: dict[str, Attribute] = {}
        for key, number in (
            (AT_LEAST, at_least),
            (MULTIPLE_OF, multiple_of),
            (AT_MOST, at_most),
        ):
            if number is not None:
                given[key] = _contract_number(key, number)
        if same_array is not None:
            given[SAME_ARRAY] = StringAttr(same_array)
        _check_new("parameter", name, [each.name_hint for each in self._block.args])
        check_parameter(type_, len(self._block.args), name)
        raise_any(parameter_violations(type_, given))
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

        `tile` of the result is the type of a box in shared memory; the function `tile` describes
        the options. `kind` is the element type of the tensor map, if it does not follow from
        `element`. Raises TypeError for fewer than two extents, and ValueError.
        """
        if len(extents) < 2:
            raise TypeError(f"tensor map {name}: give at least two extents")
        if kind is not None:
            check_word("kind", kind, ELEMENTS)
        *outer, rows, columns = extents
        own = tile(rows, columns, element, major, swizzle, packing=packing)
        return self._map(name, own, box_of(own, outer, kind), same_array)

    def block_map(self, name: str, matrix: TensorMemoryType, same_array: str | None = None) -> Map:
        """
        The next parameter: the tensor map of scale factors or metadata, in the blocks that are
        copied to tensor memory. A box holds the blocks of `matrix`.

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
    def ring(
        self, name: str, stages: int, /, *buffers: BufferType, in_place: bool = False
    ) -> Ring[Any]:
        """A ring of stages, each with these buffers; its barrier objects have its name. Raises
        TypeError without buffers."""
        if not buffers:
            raise TypeError(f"ring {name}: give the type of at least one buffer of a stage")
        check_name(name)
        type_ = RingType.get(stages, buffers)
        raise_any(ring_violations(type_, in_place))
        with self._insertion.here():
            op = ws.RingOp(in_place=in_place, result_type=type_)
        op.ring.name_hint = name
        return Ring(self._insertion, op.ring)

    @overload
    def alloc(self, name: str, type_: SharedTileType) -> Tile: ...
    @overload
    def alloc(self, name: str, type_: TensorMemoryType) -> Matrix: ...
    def alloc(self, name: str, type_: BufferType) -> Tile | Matrix:
        """A buffer of one role, or of the sequential form. Raises TypeError and ValueError."""
        check_name(name)
        raise_any(buffer_violations(type_))
        with self._insertion.here():
            op = ws.AllocOp(result_type=type_)
        op.buffer.name_hint = name
        return buffer_for(self._insertion, op.buffer)

    def warp_specialize(
        self,
        tiles: Tiles = (),
        persistent: bool = False,
        clc: bool = False,
        pair: bool = False,
        group: int | None = None,
    ) -> Held[tuple[Value, ...]]:
        """The roles. `tiles` has a pair for each dimension: a size, and the extent of a tile. The
        region begins with the number of the tile along each dimension. Raises ValueError."""
        if self._insertion.innermost is not None or self._roles is not None:
            found = "in another region" if self._roles is None else "a second one"
            raise ValueError(
                f"warp_specialize must be once in a kernel, around all roles; found {found}"
            )
        cluster = self.op.extents("cluster_dims") or (1,)
        unit = cluster[0] // (2 if pair else 1)
        extents = [extent for _, extent in tiles]
        raise_any(order_violations(extents, group, (unit,), persistent and clc))
        sizes = [value_of(self._insertion, size, i32) for size, _ in tiles]

        def finish(block: Block, given: Sequence[SSAValue]) -> Operation:
            return ws.WarpSpecializeOp(
                sizes,
                extents=extents,
                persistent=persistent,
                clc=clc,
                pair=pair,
                group=group,
                body=block,
            )

        def enter(block: Block) -> tuple[Value, ...]:
            self._roles = block
            return tuple(Value(self._insertion, each) for each in block.args)

        return Held(self._insertion, [i32] * len(tiles), enter, finish).without_results()

    def role(
        self, name: str, warps: int, leader: bool = False, registers: int | None = None
    ) -> Held[Role]:
        """
        The program of some warps. `registers` is the number of registers of each thread; only the
        leader of a pair executes a role with `leader`. Raises TypeError, and ValueError outside of
        `warp_specialize`.
        """
        check_identifier(name)
        check_positive("warps", warps)
        if registers is not None:
            REGISTERS.check(registers)
        if self._roles is None or self._insertion.innermost is not self._roles:
            found = "outside of it" if self._insertion.innermost is None else "in another region"
            raise ValueError(
                f"role {name} must be in the region of kernel.warp_specialize(); found {found}"
            )
        _check_new("role", name, self._role_names)
        self._role_names.add(name)

        def finish(block: Block, given: Sequence[SSAValue]) -> Operation:
            return ws.RoleOp(
                sym_name=name, warps=warps, leader=leader, registers=registers, body=block
            )

        role = Held(self._insertion, (), lambda block: Role(self._insertion, block), finish)
        return role.without_results()

    def module(self, target: str | None = None, ptx_version: str | None = None) -> ModuleOp:
        """
        The module with this kernel, and with a target if one is given. It is not verified;
        `check_source`, `compile_to_ptx` and `simulate` do that, and name the lines that created the
        operations. The version defaults to the first one that supports the target.

        Raises Violation for an unknown target or version, and RuntimeError inside a region or if
        `break` or `return` has left a loop.
        """
        if self._insertion.innermost is not None:
            raise RuntimeError("the module of a kernel is complete only after its regions")
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


def _check_new(what: str, name: str, others: Collection[str | None]) -> None:
    """Raise ValueError for the name of an earlier one."""
    if name in others:
        raise ValueError(
            f"the name of a {what} must be one that no other {what} of the kernel has; found "
            f"{name!r} again"
        )


def _contract_number(key: str, number: int) -> IntegerAttr:
    """The attribute of a contract. Raises ValueError."""
    try:
        return IntegerAttr(number, i64)
    except VerifyException:
        raise ValueError(f"{key} must fit into 64 bits; found {number}") from None
