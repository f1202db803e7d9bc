"""The names of warps, and of buffers in shared memory and tensor memory, in a kernel."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ..compiler import lower_tensors, parse, with_functions
from ..isa.effects.model import StateSpace
from ..language import language_of, text_source
from ..ptx.analysis.control_flow import operations_of
from ..ptx.kernel import KernelOp
from ..reporting.diagnostics import Source
from ..ws.kernel import MATRIX, TILES, Kernel, Place, RingUse, memory_of
from ..ws.roles import WarpSpecializeOp, first_warps, role_of


class Buffer(NamedTuple):
    """A buffer in one stage: bytes of shared memory or columns of tensor memory, counted from the
    beginning of the memory of all rings."""

    name: str
    first: int
    end: int


@dataclass(frozen=True)
class Names:
    """The names of a kernel. `roles` has those of warps by number; `tiles` and `matrices` are the
    buffers of rings; `copied` has, for each variable in shared memory, the bytes of its copies."""

    roles: Mapping[int, str] = field(default_factory=dict[int, str])
    tiles: Sequence[Buffer] = ()
    matrices: Sequence[Buffer] = ()
    copied: Mapping[str, Collection[range]] = field(default_factory=dict[str, Collection[range]])

    def of(self, space: StateSpace, owner: str, first: int, end: int) -> str:
        """The name of cells of a variable, an allocation or an array; for a part of a matrix in
        tensor memory, with its columns."""
        # Messages call an array `argument 0 %a`, or `argument 0` if it has no name.
        words = owner.split(" ") if owner.startswith("argument ") else [owner]
        name = (words[2] if len(words) > 2 else owner).lstrip("@%")
        tensor = space is StateSpace.TENSOR
        rings = self.matrices if tensor else self.tiles
        if rings and (name.endswith(MATRIX) if tensor else is_tiles(name)):
            for each in rings:
                if each.first <= first < each.end:
                    whole = not tensor or end - first >= each.end - each.first
                    part = "" if whole else f" {first - each.first}:{end - each.first}"
                    return f"{each.name}{part}"
        if tensor:
            return f"{name} {first}:{end}".strip()
        return f"{name}{self._part(owner, first)}" if space is StateSpace.SHARED else name

    def _part(self, owner: str, first: int) -> str:
        """The part of a variable that contains a byte: the number of the tile if all tiles have one
        size, else the first byte."""
        tiles = self.copied.get(owner, ())
        first = next((tile.start for tile in tiles if first in tile), first)
        sizes = {0 if tile.start % len(tile) else len(tile) for tile in tiles}
        if len(tiles) > 1 and len(sizes) == 1 and 0 not in sizes:
            return f"[{first // max(sizes)}]"
        return f"+{first}" if first else ""


def names_of(module: ModuleOp | Source | str, kernel: str | None = None) -> Names:
    """The names of a kernel; without roles and rings, the names of its variables remain."""
    op = specialized_in(module, kernel)
    if op is None:
        return Names()
    roles = {
        first + index: role.sym_name.data
        for role, first in first_warps(op.roles).items()
        for index in range(role.warps_count)
    }
    rings = [*ring_buffers(op)]
    tiles, matrices = (
        [each for ring in rings if ring.place.is_shared == is_shared for each in ring.stages()]
        for is_shared in (True, False)
    )
    return Names(roles, tiles, matrices)


def specialized_in(
    module: ModuleOp | Source | str, kernel: str | None = None
) -> WarpSpecializeOp | None:
    """The roles of a kernel; None if it has none. A sequential form is partitioned."""
    if not isinstance(module, ModuleOp):
        source = text_source(module) if isinstance(module, str) else module
        if language_of(source.name, source.text) == "PTX":
            return None
        module, _ = parse(source)
        lower_tensors(module, source)
    for op in with_functions(module).ops:
        if isinstance(op, KernelOp) and kernel in (None, op.sym_name.data):
            return _specialized(op)
    return None


def _specialized(kernel: KernelOp) -> WarpSpecializeOp | None:
    inside = operations_of(kernel)
    found = next((each for each in inside if isinstance(each, WarpSpecializeOp)), None)
    if found is None or not found.is_sequential:
        return found
    # Imported here, because few kernels have this form.
    from ..ws.partition.partition import with_roles

    return _specialized(with_roles(kernel))


class RingBuffer(NamedTuple):
    """A buffer of the stages of a ring, or of a ws.alloc; the operations that use it, and the roles
    that produce and consume it."""

    name: str
    part: str
    place: Place
    users: Sequence[Operation]
    roles: tuple[Sequence[str], Sequence[str]]

    def stages(self) -> Iterator[Buffer]:
        """The buffer in each stage."""
        for stage in range(self.place.stages):
            number = f"[{stage}]" if self.place.stages > 1 else ""
            first = self.place.start + stage * self.place.step
            yield Buffer(f"{self.name}{number}{self.part}", first, first + self.place.step)


def ring_buffers(op: WarpSpecializeOp) -> Iterator[RingBuffer]:
    """The buffers of a kernel of roles and rings, in the order of their places."""
    kernel = Kernel(op)
    uses: dict[SSAValue, RingUse] = {use.op.ring: use for use in kernel.rings.values()}
    for owner, places in memory_of(kernel).places.items():
        use = uses.get(owner)
        for index, place in enumerate(places):
            holdings = [] if use is None else [holding for _, holding in use.holdings]
            buffers = [holding.buffers[index] for holding in holdings] or [owner]
            users = [each.operation for buffer in buffers for each in buffer.uses]
            inner = buffers[0].name_hint or str(index)
            yield RingBuffer(
                owner.name_hint or "buffer",
                f".{inner}" if len(places) > 1 else "",
                place,
                [*holdings, *users, *(each for _, each in (use.token_ops if use else ()))],
                _roles(use, users),
            )


def _roles(use: RingUse | None, users: Sequence[Operation]) -> tuple[Sequence[str], Sequence[str]]:
    if use is not None:
        produced, consumed = (
            [role.sym_name.data for role in roles] for roles in (use.producers, use.consumers)
        )
        return produced, consumed
    roles = (role_of(each) for each in users)
    return [*dict.fromkeys(role.sym_name.data for role in roles if role is not None)], ()


def is_tiles(variable: str) -> bool:
    """Whether a variable is that of all tiles of roles and rings, which may have a longer name."""
    return variable.endswith(TILES)
