"""Explanation of a wrong result: remarks from the record of a run, the likeliest cause first."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import gcd
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ..machine.errors import lines_of, place_of
from ..machine.tensor_map import TensorMap
from ..machine.tensor_memory import Memory
from ..order.events import Events
from .record import Block, Pairing, Provenance, Tile
from .results import (
    Flags,
    Remark,
    Result,
    exchanged,
    fills,
    has_nan,
    layout_remark,
    moved,
    multiple,
    never_stored,
    only_stored,
    region,
)

_MOST = 3
"""Maximum number of remarks."""
_MOST_OF_A_KIND = 2
Remarks: TypeAlias = Iterator[Remark | None]
_BYTE = 8
_WHOLE = "the copies must cover all blocks of rows, columns and K"


class StoredArray(NamedTuple):
    """An array of global memory as the program sees it: `content` has its shape."""

    name: str
    memory: Memory
    content: npt.NDArray[Any]

    def viewed(self, dtype: np.dtype[Any]) -> "StoredArray":
        """The same with its bits as numbers of another type, if it holds bits of this size."""
        content = self.content
        if content.dtype.kind == "u" and content.dtype.itemsize == dtype.itemsize:
            return self._replace(content=content.view(dtype))
        return self

    def elements(self, of_bytes: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """For each element, the number of its first byte."""
        size = self.content.itemsize
        return of_bytes[: self.content.nbytes : size].reshape(self.content.shape)


class Wrong(NamedTuple):
    """An array that differs from its expected content, at the elements that are marked."""

    array: StoredArray
    expected: npt.NDArray[Any]
    marked: Flags


def explain(
    record: Provenance, events: Events, arrays: Sequence[StoredArray], wrong: Sequence[Wrong]
) -> list[Remark]:
    """Remarks that may explain wrong arrays, the likeliest cause first."""
    known = _Explanation(record, events, arrays)
    results = [known.result(each) for each in wrong]
    effects = known.effects(wrong, results) if wrong else ()
    for kinds in (known.causes(wrong, results), effects):
        found: dict[Remark, None] = {}
        for kind in kinds:
            remarks = (each for each in kind if each is not None)
            found.update(dict.fromkeys(islice(remarks, _MOST_OF_A_KIND)))
        if found:
            return list(found)[:_MOST]
    return []


class _Explanation:
    def __init__(self, record: Provenance, events: Events, arrays: Sequence[StoredArray]):
        self._record, self._events = record, events
        self._arrays: Mapping[int, StoredArray] = {each.memory.base: each for each in arrays}

    def causes(self, wrong: Sequence[Wrong], results: Sequence[Result]) -> Iterator[Remarks]:
        """Remarks about causes by kind, the likeliest kind first."""
        yield self._nan_scales(results)
        yield self._layouts()
        yield self._scales()
        yield self._overwritten()
        yield self._pairings()
        yield self._repeated()
        yield map(exchanged, results)
        yield (
            each
            for at, result in zip(wrong, results, strict=True)
            for each in self._blocks(at, result)
        )
        yield map(moved, results)

    def effects(self, wrong: Sequence[Wrong], results: Sequence[Result]) -> Iterator[Remarks]:
        """Remarks about consequences of a cause, the likeliest kind first."""
        yield map(only_stored, results)
        yield self._never_loaded(wrong)
        yield self._never_multiplied()
        yield map(multiple, results)
        yield map(never_stored, results)
        yield self._scale_sources()

    def _name(self, tensor: TensorMap) -> str:
        array = None if tensor.address is None else self._arrays.get(tensor.address)
        return "the tensor" if array is None else array.name

    def result(self, wrong: Wrong) -> Result:
        array = wrong.array
        ids = self._writers(array)
        stores = dict.fromkeys(self._events.source(id_).op for id_ in np.unique(ids) if id_)
        name, content = array.name, array.content
        return Result(name, content, wrong.expected, wrong.marked, ids != 0, list(stores))

    def _writers(self, array: StoredArray) -> npt.NDArray[Any]:
        """For each element, the number of the last write of its first byte."""
        writers = array.memory.shadow.last_writes
        if writers is None:
            writers = np.zeros(array.memory.bytes.size, np.int32)
        return array.elements(writers)

    def _layouts(self) -> Iterator[Remark]:
        """Remarks about layouts, one for each copy and MMA operand."""
        seen: set[tuple[Operation, str]] = set()
        for reading in self._record.readings.values():
            key = reading.tiles[0].op, reading.name
            if key in seen:
                continue
            remark = layout_remark(reading, self._name(reading.tiles[0].map))
            if remark is not None:
                seen.add(key)
                yield remark

    def _scales(self) -> Iterator[Remark]:
        for op, found in self._record.scales.items():
            for each in found:
                if each.is_product:
                    what = f"the {_words(each.name)} of this MMA were written by another MMA"
                    help = "place scale factors and accumulators in different columns"
                    yield Remark(op, f"{what}, {place_of(each.writer)}, as its result", help)
            writers: dict[Operation, set[str]] = {}
            for each in found:
                writers.setdefault(each.writer, set()).add(each.name)
            for writer, names in writers.items():
                if len(names) > 1:
                    what = f"{_words('A')} and {_words('B')} are read from columns that"
                    help = "compare the columns of the copies with those of the operands"
                    yield Remark(op, f"{what} {place_of(writer)} writes", help)

    def _nan_scales(self, results: Sequence[Result]) -> Iterator[Remark]:
        """Remarks about scale factors that are NaN, if they may be why a result is NaN."""
        if not any(has_nan(each.found[each.wrong]) for each in results):
            return
        for (op, name), found in self._record.nan_scales.items():
            are = "is" if found.number == 1 else "are"
            what = f"{found.number} of the {found.total} {_words(name)} that it reads {are} NaN"
            the = "it" if found.number == 1 else "the first"
            matrix, along = name.removeprefix("scale_").upper(), found.along
            what += f": {the} is {found.bits:#x}, for elements [{found.row}, "
            what += f"{along.start}:{along.stop}] of {matrix}, in {found.place}"
            for each in self._record.scales.get(op, ()):
                if each.name == name and each.map is not None:
                    what += f", copied from {self._name(each.map)} at {place_of(each.writer)}"
                    break
            yield Remark(op, what, "give scale factors that are numbers")

    def _scale_sources(self) -> Iterator[Remark]:
        """Remarks about the tensors from which scale factors come: they may be exchanged."""
        for op, found in self._record.scales.items():
            sources = [
                f"{_words(each.name)} come from {self._name(each.map)}, "
                f"by the copy at {place_of(each.writer)}"
                for each in found
                if each.map is not None
            ]
            if len(sources) > 1:
                help = "check that these are the tensors and the columns of the scale factors"
                yield Remark(op, ", and ".join(sources), help)

    def _overwritten(self) -> Remarks:
        help = "accumulate in all MMAs but the first of a tile"
        for first, second in self._record.overwritten:
            what = f"it overwrites the sums of the MMA at {place_of(first)}, which nothing has read"
            yield Remark(second, what, help)

    def _pairings(self) -> Remarks:
        help = "use the same coordinate of K for A and B, in the copies and in the descriptors"
        for op, pairing in self._record.pairings.items():
            yield Remark(op, f"it multiplies {self._product(pairing)}", help)

    def _repeated(self) -> Remarks:
        help = "let each MMA read a different part of K, and each copy load a different block"
        for op, pairing in self._record.repeated.items():
            before = f"of which {place_of(pairing.op)} has added elements before"
            yield Remark(op, f"it adds the product of {self._product(pairing)}, {before}", help)

    def _product(self, pairing: Pairing) -> str:
        parts: list[str] = []
        for each in (pairing.a, pairing.b):
            tile, span = each.tile, each.along
            axes = [":"] * len(tile.origin)
            if span is not None and each.reading.along is not None:
                axes[-1 - each.reading.along] = f"{span.start}:{span.stop}"
            name = f"{self._name(tile.map)}[{', '.join(axes)}]"
            parts.append(f"{name}, loaded at {place_of(tile.op)}")
        return ", by ".join(parts)

    def _blocks(self, wrong: Wrong, result: Result) -> Iterator[Remark]:
        """Remarks about CTAs that store another part than they compute."""
        array = wrong.array
        if array.content.ndim != 2 or not self._record.blocks:
            return
        ids = self._writers(array)
        ctas: dict[str, list[int]] = {}
        for id_ in np.unique(ids).tolist():
            if id_:
                ctas.setdefault(self._events.source(id_).cta, []).append(id_)
        found: list[tuple[int, Remark]] = []
        for cta, mine in ctas.items():
            stored = np.isin(ids, mine)
            blocks = self._record.blocks.get(cta, {})
            if len(blocks) != 1 or not (stored & wrong.marked).any() or not fills(stored):
                continue
            ((block, op),) = blocks.items()
            if not _agrees(block, stored):
                part = f"{array.name}{region(stored)}"
                what = f"{cta} stores {part}, but multiplies {self._block(block)}"
                help = "use the same rows and columns of the result in the copies and in the stores"
                found.append((min(len(block.rows), len(block.columns)), Remark(op, what, help)))
        # The CTA that multiplies the most is the clearest example.
        yield from (remark for _, remark in sorted(found, key=lambda each: -each[0])[:1])

    def _block(self, block: Block) -> str:
        parts: list[str] = []
        for tensor, span in ((block.a, block.rows), (block.b, block.columns)):
            rows = f"rows {span.start} to {span.stop - 1}" if span else "no row"
            parts.append(f"{rows} of {self._name(tensor)}")
        return " by ".join(parts)

    def _never_loaded(self, wrong: Sequence[Wrong]) -> Iterator[Remark]:
        copies: dict[int, list[tuple[Operation, TensorMap, set[tuple[int, ...]]]]] = {}
        for (op, tensor), origins in self._record.boxes.items():
            if tensor.address is not None and tensor.address in self._arrays:
                copies.setdefault(tensor.address, []).append((op, tensor, origins))
        results = {each.array.memory.base for each in wrong}
        for base, loads in copies.items():
            if base in results:
                continue
            array = self._arrays[base]
            loaded = np.zeros(array.memory.bytes.size, np.uint8)
            for _, tensor, origins in loads:
                for origin in origins:
                    part = tensor.window(origin).of(loaded)
                    part[...] = np.iinfo(part.dtype).max
            missing = array.elements(loaded) == 0
            if missing.any():
                ops, part = [op for op, _, _ in loads], f"{array.name}{region(missing)}"
                part = part if fills(missing) else f"parts of {part}"
                what = f"{part} is never loaded by the copies at {lines_of(ops)}"
                yield Remark(ops[0], what, _WHOLE)

    def _never_multiplied(self) -> Iterator[Remark]:
        used = {tile.op for tile in self._record.uses.values() if tile.read}
        seen: set[Operation] = set()
        for tile in self._record.uses.values():
            if tile.op not in used or tile.op in seen:
                continue
            unread = _unread(tile)
            if unread.any():
                seen.add(tile.op)
                name = self._name(tile.map)
                part = f"elements {region(unread)} of the tile of {name} at {tile.place}"
                what = f"{part} are loaded here, but no MMA reads them"
                yield Remark(tile.op, what, "let the MMAs cover the whole tile along K")


def _unread(tile: Tile) -> Flags:
    """Elements of a tile that no tensor core operation has read."""
    read = np.zeros(tile.size, np.bool_)
    # A byte may hold parts of several elements.
    bits = np.arange(0, _BYTE, gcd(_BYTE, tile.element_bits))
    for where in tile.read:
        inside = np.asarray(where.index) - tile.first
        read[inside[(inside >= 0) & (inside < tile.size)]] = True
    at = tile.linear((np.flatnonzero(read)[:, None] + tile.first) * _BYTE + bits)
    found = np.zeros(tile.elements, np.bool_)
    found[at[at >= 0] // tile.element_bits] = True
    return ~found.reshape(tile.map.tile[::-1])


def _agrees(block: Block, stored: Flags) -> bool:
    """Whether a CTA stores the rows and columns that it multiplies, in any order."""
    axes = np.flatnonzero(stored.any(axis=1)), np.flatnonzero(stored.any(axis=0))
    spans = [range(int(found[0]), int(found[-1]) + 1) for found in axes]
    return any(
        spans
        == [
            range(max(0, span.start), min(extent, span.stop))
            for span, extent in zip(order, stored.shape, strict=True)
        ]
        for order in ((block.rows, block.columns), (block.columns, block.rows))
    )


def _words(name: str) -> str:
    return f"scale factors of {name.removeprefix('scale_').upper()}"
