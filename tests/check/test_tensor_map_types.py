"""Tests that `check` finds a wrong box in the type of a tensor map."""

import re
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import NamedTuple

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.isa.shared_memory.descriptor import SWIZZLES
from tcgen05_dialect.isa.shared_memory.tensor_map import ELEMENTS, FLOATS, Box

from ..support.effort import sampled
from ..support.repository import EXAMPLES, ROOT

_TYPE = re.compile(r"!ptx\.tensor_map<([\dx]+)x([a-z]\w*)(?:, (\w+))?>")
_KERNELS = ROOT / "tests" / "simulator" / "synchronization"
_BY_THREADS = "threads read the tile, or write it too"
UNDECIDED = {
    "cp_mma_ws_sp": _BY_THREADS,
    "mixed_arrivals": _BY_THREADS,
    "shift_mma": "tcgen05.cp reads the tile as bytes",
}
"""Kernel -> why `check` cannot decide how its tiles are read."""


def _is_decided(path: Path) -> bool:
    """Whether MMAs read all tiles of a kernel, which every CTA copies for itself."""
    text = path.read_text()
    is_typed = _TYPE.search(text) is not None and "tcgen05.descriptor" in text
    return is_typed and "cluster_dims" not in text and path.stem not in UNDECIDED


FILES = (*EXAMPLES.glob("*.mlir"), *filter(_is_decided, sorted(_KERNELS.glob("*.mlir"))))


class Mutant(NamedTuple):
    """A kernel with another type of a tensor map."""

    type_: str
    text: str


def _mutants(text: str) -> Iterator[Mutant]:
    """Kernels with one wrong type, but for boxes whose rows may be anywhere."""
    for match in _TYPE.finditer(text):
        extents = [int(extent) for extent in match[1].split("x")]
        element, swizzle = match[2], match[3] or "no_swizzle"
        changes = [(extents, element, each) for each in SWIZZLES if each != swizzle]
        changes += [(extents, each, swizzle) for each in ELEMENTS if _is_other(each, element)]
        changes += [(each, element, swizzle) for each in _boxes(extents)]
        for box, kind, mode in changes:
            if [*Box(tuple(reversed(box)), kind, mode).open_violations()]:
                continue
            type_ = f"!ptx.tensor_map<{'x'.join(map(str, box))}x{kind}, {mode}>"
            yield Mutant(type_, text[: match.start()] + type_ + text[match.end() :])


def _is_other(element: str, right: str) -> bool:
    """Whether a copy of this element moves other bytes, or numbers of another format."""
    found, known = ELEMENTS[element], ELEMENTS[right]
    return found.bits != known.bits or (element != right and {element, right} <= FLOATS)


def _boxes(extents: list[int]) -> Iterator[list[int]]:
    for at, extent in enumerate(extents):
        for other in (extent // 2, extent * 2):
            yield [*extents[:at], other, *extents[at + 1 :]]
    yield [prod(extents[:-1]) * extents[-1]]


@pytest.mark.slow
@pytest.mark.parametrize("file", sampled(FILES, 5), ids=lambda file: file.stem)
def test_wrong_type_is_found(file: Path) -> None:
    text = file.read_text()
    right = [finding.rule for finding in check_source(text)]
    missed = [
        mutant.type_
        for mutant in sampled(_mutants(text), 3)
        if [finding.rule for finding in check_source(mutant.text)] == right
    ]
    assert missed == []


def test_kernels_are_many() -> None:
    assert len(FILES) > 15


@pytest.mark.parametrize("kernel", UNDECIDED)
def test_undecided_kernel_is_typed(kernel: str) -> None:
    assert _TYPE.search((_KERNELS / f"{kernel}.mlir").read_text())
