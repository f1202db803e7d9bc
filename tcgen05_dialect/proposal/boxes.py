"""
Boxes of tensor maps, as far as a kernel tells them: the bytes that barrier objects expect, the
distances of tiles in shared memory, and the swizzle mode and the element type of matrix products.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Any, NamedTuple

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, Operation, SSAValue

from ..isa.mma.instruction_descriptor import InstructionDescriptor
from ..isa.model.rule import Violation
from ..isa.ptx.bulk_copy import CTA_GROUPS as COPY_GROUPS
from ..isa.shared_memory.descriptor import DESCRIPTOR_LAYOUT
from ..isa.shared_memory.swizzle import SWIZZLES
from ..isa.shared_memory.tensor_map import BOX_EXTENTS, ELEMENTS
from ..ptx import arithmetic
from ..ptx import bulk_copy as ptx
from ..ptx.kernel import KernelOp
from ..ptx.known_values import constant_bits, constant_value
from ..ptx.mbarrier import Expectation
from ..ptx.structure import GuardOp
from ..ptx.tcgen05_mma import CTA_GROUPS, Mma
from .origins import Origins, backwards

Key = tuple[int, int]
"""A tensor map: the number of a parameter, and the byte of it at which the map begins."""
_LOADS = ptx.CpAsyncBulkTensorLoadOp, ptx.CpAsyncBulkTensorGather4Op
_ROWS = ptx.CpAsyncBulkTensorGather4Op, ptx.CpAsyncBulkTensorScatter4Op
_COPIES = (*_LOADS, *ptx.TILE_STORES, ptx.CpAsyncBulkTensorScatter4Op)
_USES = (*_COPIES, ptx.CpAsyncBulkPrefetchTensorOp, ptx.PrefetchTensormapOp)
_DEFAULT = "f16"
_GATHERED = 4
"""Boxes that a copy of rows moves."""


class BoxProposal(NamedTuple):
    """The box of a tensor map, innermost dimension first. `doubts` name the parts that are
    guesses."""

    extents: tuple[int, ...]
    element: str
    swizzle: str
    doubts: tuple[str, ...]


@dataclass(eq=False)
class _Map:
    """What copies tell about a tensor map."""

    rank: int = 2
    picks_rows: bool = False
    is_loaded: bool = False
    tiles: set[int] = field(default_factory=set[int])
    """The places of its tiles in dynamic shared memory, as far as they are constant."""
    bytes: int | None = None


class _Load(NamedTuple):
    """A load of a tile; `weight` counts the CTAs for whose loads a barrier object expects bytes."""

    key: Key
    tile: SSAValue
    weight: int


class _Phase(NamedTuple):
    """The bytes that a barrier object expects, and the loads that bring them."""

    bytes: int
    loads: Sequence[_Load]

    @property
    def counts(self) -> Mapping[Key, int]:
        """The number of boxes of each map."""
        counts: Counter[Key] = Counter()
        for key, _, weight in self.loads:
            counts[key] += weight
        return counts

    def tiles(self, key: Key) -> Sequence[SSAValue]:
        """The tiles of the loads of a map."""
        return [load.tile for load in self.loads if load.key == key]


class Copies:
    """The copies of a kernel."""

    def __init__(self, kernel: KernelOp, origins: Origins):
        self._origins = origins
        self._maps: dict[Key, _Map] = {}
        self._swizzles: set[str] = set()
        self._elements: set[str] = set()
        phases: list[_Phase] = []
        for op in kernel.walk():
            if isinstance(op, _USES):
                self._see(op)
            elif isinstance(op, Mma):
                self._see_product(op)
        for block in kernel.body.blocks:
            phases += self._phases(block)
        self._solve(phases)

    def boxes(self) -> Mapping[Key, BoxProposal]:
        """The box of each tensor map."""
        return {key: self._box(each) for key, each in self._maps.items()}

    def _keys(self, value: SSAValue) -> Iterator[Key]:
        for origin in self._origins.of(value):
            if origin.is_address and isinstance(origin.of, int) and origin.offset is not None:
                yield origin.of, origin.offset

    def _see(self, op: Any) -> None:
        for key in self._keys(op.tensor_map):
            found = self._maps.setdefault(key, _Map())
            if not isinstance(op, _COPIES):
                continue
            found.picks_rows |= isinstance(op, _ROWS)
            found.rank = 2 if found.picks_rows else len(op.coordinates)
            found.is_loaded |= isinstance(op, _LOADS)
            tile = op.destination if isinstance(op, _LOADS) else op.source
            for origin in self._origins.of(tile):
                if isinstance(origin.of, str) and origin.offset is not None:
                    found.tiles.add(origin.offset)

    def _see_product(self, op: Mma) -> None:
        for value in (op.a, op.b):
            codes = backwards(value, _swizzle_code)
            self._swizzles |= {each.name for each in SWIZZLES.values() if each.code in codes}
        for bits in backwards(op.idesc, constant_bits):
            try:
                descriptor = InstructionDescriptor.decode(op.kind_name, bits)
            except Violation:
                continue
            self._elements |= {_map_element(each) for each in (descriptor.a, descriptor.b)}

    def _phases(self, block: Block) -> Iterator[_Phase]:
        """The phases that a block fills: the loads after, or else before, each expectation."""
        loads: list[_Load] = []
        expected: int | None = None
        for op in _instructions(block):
            if isinstance(op, _LOADS):
                masks = (
                    []
                    if op.multicast_mask is None
                    else [*backwards(op.multicast_mask, constant_bits)]
                )
                weight = masks[0].bit_count() if len(masks) == 1 else 1
                weight *= ctas_of(op)  # The leader of a pair expects the bytes of both.
                loads += [_Load(key, op.destination, weight) for key in self._keys(op.tensor_map)]
            elif isinstance(op, Expectation):
                if expected is not None and loads:
                    yield _Phase(expected, loads)
                    loads, expected = [], None
                known = backwards(op.bytes, constant_bits)
                if len(known) == 1:
                    expected = (expected or 0) + known.pop()
        if expected and loads:
            yield _Phase(expected, loads)

    def _solve(self, phases: Sequence[_Phase]) -> None:
        """Find the bytes of the boxes from those of the phases."""
        for _ in self._maps:
            for phase in phases:
                unknown = [key for key in phase.counts if self._maps[key].bytes is None]
                rooms = {key: [*self._rooms(key, phase)] for key in unknown}
                trials = (
                    dict(zip(others, sizes, strict=True))
                    for last in unknown
                    if (others := [key for key in unknown if key != last]) or len(unknown) == 1
                    for sizes in product(*(rooms[key] for key in others))
                )
                any(self._complete(phase, unknown, trial) for trial in trials)

    def _complete(self, phase: _Phase, unknown: Sequence[Key], trial: Mapping[Key, int]) -> bool:
        """Set the bytes of the unknown boxes of a phase, if a trial leaves one of them open and
        that fits. Returns whether it does."""
        counts = phase.counts
        sizes = {key: self._maps[key].bytes for key in counts} | dict(trial)
        open_ = [key for key in unknown if sizes[key] is None]
        rest = phase.bytes - sum((sizes[key] or 0) * count for key, count in counts.items())
        if len(open_) != 1:
            return False
        (last,) = open_
        size, over = divmod(rest, counts[last])
        if size <= 0 or over or any(size > room for room in self._rooms(last, phase)):
            return False
        sizes[last] = size
        for key in unknown:
            self._maps[key].bytes = sizes[key]
        return True

    def _rooms(self, key: Key, phase: _Phase) -> Iterator[int]:
        """The bytes from a tile of a map to the next tile: of the same phase, of another stage of
        a ring, or of any map."""
        tiles = phase.tiles(key)
        bases = [_base(tile) for tile in tiles]
        if len(tiles) > 1 and len({root for root, _ in bases}) == 1:
            yield min(b - a for a, b in pairwise(sorted(offset for _, offset in bases)))
        elif len(tiles) == 1 and (stride := _stride(tiles[0])):
            yield stride
        places = sorted({tile for each in self._maps.values() for tile in each.tiles})
        own = self._maps[key].tiles
        yield from sorted({after - tile for tile, after in pairwise(places) if tile in own})[:1]

    def _box(self, found: _Map) -> BoxProposal:
        doubts: list[str] = []
        element = next(iter(self._elements), _DEFAULT)
        if len(self._elements) != 1 or not found.is_loaded:
            doubts.append("the element type")
        swizzle = next(iter(self._swizzles), "no_swizzle")
        if found.rank > 3:
            swizzle = "no_swizzle"
        if len(self._swizzles) != 1 or not found.is_loaded or found.rank > 3:
            doubts.append("the swizzle mode")
        size = ELEMENTS[element].item_bits // 8
        mode = SWIZZLES[swizzle]
        total = found.bytes
        if total is None:
            doubts.append("the box")
            total = (mode.width if mode.is_swizzled else 128) * 64
        elements = total // size
        if found.picks_rows:
            # Several warps may execute one instruction that gathers rows.
            inner = mode.width // size if mode.is_swizzled else elements // _GATHERED
            if found.bytes != inner * size * _GATHERED and "the box" not in doubts:
                doubts.append("the box")
            return BoxProposal((max(1, inner), 1), element, swizzle, tuple(doubts))
        if not mode.is_swizzled and "the box" not in doubts:
            doubts.append("the shape of the box")
        extents: list[int] = []
        longest = mode.width // size if mode.is_swizzled else BOX_EXTENTS[-1]
        for _ in range(found.rank):
            extent = next(
                each for each in range(min(elements, longest), 0, -1) if not elements % each
            )
            extents.append(extent)
            elements, longest = elements // extent, BOX_EXTENTS[-1]
        return BoxProposal(tuple(extents), element, swizzle, tuple(doubts))


def _instructions(block: Block) -> Iterator[Operation]:
    for op in block.ops:
        if isinstance(op, GuardOp):
            yield from op.instructions
        else:
            yield op


def ctas_of(op: Operation) -> int:
    """The number of CTAs that execute an instruction together: 2 for one of a CTA pair."""
    group = op.properties.get("cta_group")
    if not isinstance(group, StringAttr):
        return 1
    return (CTA_GROUPS | COPY_GROUPS)[group.data]


def _map_element(name: str) -> str:
    """The element type of a tensor map for matrices of an element type."""
    return {"f16": "f16", "bf16": "bf16", "tf32": "f32"}.get(name, "u8")


_SWIZZLE_BIT = DESCRIPTOR_LAYOUT.field("swizzle").lo
_HALF = 32


def _swizzle_code(value: SSAValue) -> int | None:
    """The code of the swizzle mode in a descriptor whose upper half is constant."""
    owner = value.owner
    if (known := constant_bits(value)) is not None:
        return known >> _SWIZZLE_BIT
    if isinstance(owner, arithmetic.PackOp) and len(owner.parts) > 1:
        high = backwards(owner.parts[-1], constant_bits)
        return high.pop() >> _SWIZZLE_BIT - _HALF if len(high) == 1 else None
    if isinstance(owner, arithmetic.OrOp | arithmetic.AddOp):
        found = [_swizzle_code(each) for each in owner.operands]
        known_codes = [each for each in found if each]
        return known_codes[0] if known_codes else None
    return None


def _base(value: SSAValue) -> tuple[SSAValue, int]:
    """An address as another value plus a constant."""
    offset = 0
    while isinstance(owner := value.owner, arithmetic.AddOp):
        known = [constant_value(each) for each in owner.operands]
        if known[0] is None and known[1] is not None:
            value, offset = owner.operands[0], offset + known[1]
        elif known[1] is None and known[0] is not None:
            value, offset = owner.operands[1], offset + known[0]
        else:
            break
    return value, offset


def _stride(value: SSAValue) -> int | None:
    """The bytes by which an address changes with the stage of a ring: the constant factor of one
    of its terms; None if there is none, or more than one."""
    found: list[int] = []
    pending = [value]
    while pending and len(found) < 2:
        owner = pending.pop().owner
        if isinstance(owner, arithmetic.AddOp):
            pending += owner.operands
        elif isinstance(owner, arithmetic.ShlOp):
            bits = constant_value(owner.operands[1])
            found += [] if bits is None else [1 << bits]
        elif isinstance(owner, arithmetic.MulOp | arithmetic.MadOp):
            known = [constant_value(each) for each in owner.operands[:2]]
            found += [each for each in known if each is not None]
            pending += owner.operands[2:]
    return found[0] if len(found) == 1 else None
