"""What a kernel calls its warps, and its buffers in shared memory and tensor memory."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp

from ..compiler import lower_tensors, parse, with_functions
from ..isa.effects.model import StateSpace
from ..language import language_of, text_source
from ..ptx.analysis.control_flow import operations_of
from ..ptx.kernel import KernelOp
from ..reporting.diagnostics import Source
from ..ws.kernel import MATRIX, TILES, Kernel, memory_of
from ..ws.rings import HoldingOp
from ..ws.roles import WarpSpecializeOp, first_warps


class Buffer(NamedTuple):
    """A buffer in one stage: bytes of shared memory or columns of tensor memory, counted from the
    beginning of the memory of all rings."""

    name: str
    first: int
    end: int


@dataclass(frozen=True)
class Names:
    """
    The names of a kernel. `roles` has those of warps by number; `tiles` and `matrices` are the
    buffers of rings; `copied` has, for each variable in shared memory, the bytes of its copies.
    """

    roles: Mapping[int, str] = field(default_factory=dict[int, str])
    tiles: Sequence[Buffer] = ()
    matrices: Sequence[Buffer] = ()
    copied: Mapping[str, Collection[range]] = field(default_factory=dict[str, Collection[range]])

    def of(self, space: StateSpace, owner: str, first: int, end: int) -> str:
        """The name of cells of a variable, an allocation or an array, and which of them, if it is a
        part of a matrix in tensor memory."""
        name = owner.split()[-1].lstrip("@%") if owner else ""
        tensor = space is StateSpace.TENSOR
        rings = self.matrices if tensor else self.tiles
        if rings and name.endswith(MATRIX if tensor else TILES):
            for each in rings:
                if each.first <= first < each.end:
                    whole = not tensor or end - first >= each.end - each.first
                    part = "" if whole else f" {first - each.first}:{end - each.first}"
                    return f"{each.name}{part}"
        if tensor:
            return f"{name} {first}:{end}".strip()
        return f"{name}{self._part(owner, first)}" if space is StateSpace.SHARED else name

    def _part(self, owner: str, first: int) -> str:
        """Which part of a variable begins at a byte, or before it: the number of a tile, if all
        have one size, or else the byte."""
        tiles = self.copied.get(owner, ())
        first = next((tile.start for tile in tiles if first in tile), first)
        sizes = {0 if tile.start % len(tile) else len(tile) for tile in tiles}
        if len(tiles) > 1 and len(sizes) == 1 and 0 not in sizes:
            return f"[{first // max(sizes)}]"
        return f"+{first}" if first else ""


def names_of(module: ModuleOp | Source | str, kernel: str | None = None) -> Names:
    """The names of a kernel of roles and rings; a kernel without them gives none of its own."""
    if not isinstance(module, ModuleOp):
        source = text_source(module) if isinstance(module, str) else module
        if language_of(source.name, source.text) == "PTX":
            return Names()
        module, _ = parse(source)
        lower_tensors(module, source)
    for op in with_functions(module).ops:
        if isinstance(op, KernelOp) and kernel in (None, op.sym_name.data):
            roles = specialized(op)
            return Names() if roles is None else _names(roles)
    return Names()


def specialized(kernel: KernelOp) -> WarpSpecializeOp | None:
    """The roles of a kernel, which partitions its sequential form; None if it has none."""
    inside = operations_of(kernel)
    found = next((each for each in inside if isinstance(each, WarpSpecializeOp)), None)
    if found is None or not found.is_sequential:
        return found
    # Imported here, because few kernels have this form.
    from ..ws.partition.partition import with_roles

    return specialized(with_roles(kernel))


def _names(op: WarpSpecializeOp) -> Names:
    roles = {
        first + index: role.sym_name.data
        for role, first in first_warps(op.roles).items()
        for index in range(role.warps_count)
    }
    buffers = {is_shared: tuple(_buffers(Kernel(op), is_shared)) for is_shared in (True, False)}
    return Names(roles, buffers[True], buffers[False])


def _buffers(kernel: Kernel, is_shared: bool) -> Iterator[Buffer]:
    """The buffers of a kernel in shared memory, or in tensor memory."""
    holdings: dict[object, HoldingOp] = {}
    for use in kernel.rings.values():
        for _, holding in use.holdings:
            holdings.setdefault(holding.ring, holding)
    for owner, places in memory_of(kernel).places.items():
        holding = holdings.get(owner)
        for index, place in enumerate(places):
            if place.is_shared != is_shared:
                continue
            inner = holding.buffers[index].name_hint if holding and len(places) > 1 else None
            part = f".{inner or index}" if len(places) > 1 else ""
            for stage in range(place.stages):
                number = f"[{stage}]" if place.stages > 1 else ""
                first = place.start + stage * place.step
                name = f"{owner.name_hint or 'buffer'}{number}{part}"
                yield Buffer(name, first, first + place.step)
