"""Tests of sparse A: indices, selectors, and positions of the metadata."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tcgen05_dialect.isa.mma import shapes, sparse
from tcgen05_dialect.isa.mma.instruction_descriptor import SPARSITY_SELECTORS
from tcgen05_dialect.isa.mma.shapes import LAYOUTS, data_path_layout
from tcgen05_dialect.isa.model.rule import Violation

from ..support.golden_rows import cute_offsets, sparse_kinds
from ..support.golden_tables import Json, golden

GRANULARITIES = {
    "tf32": "1:2",
    "f16": "2:4",
    "f8f6f4": "2:4",
    "mxf8f6f4": "2:4",
    "i8": "2:4",
    "mxf4": "4:8",
    "mxf4nvf4": "4:8",
}


def metadata_is_right(row: Json) -> bool:
    """`map[m][chunk]` is [lane, column, lowest bit of the index]; M = 128 is layout D."""
    layout = data_path_layout(row["M"], 1, sparse=True, ws=row["ws"])
    return all(
        sparse.GRANULARITIES[kind].chunk == row["chunk"]
        and shapes.instruction_k(kind, sparse=True) == row["K"]
        and row["map"]
        == [
            [
                list(place[1:])
                for chunk in range(row["K"] // row["chunk"])
                for place in sparse.metadata_positions(kind, layout, m, chunk)
            ]
            for m in range(row["M"])
        ]
        for kind in sparse_kinds(row)
    )


def ws_metadata_is_right(row: Json) -> bool:
    """
    The CuTe layout maps (m, k, copy) to elements of the metadata; 2^16 columns of 32 bits are a
    lane.
    """
    bits, elements = map(int, row["meta_bits_per_logical_elem"].split("/"))
    layout = data_path_layout(row["M"], 1, sparse=True, ws=True)
    expected: dict[tuple[int, int, int], tuple[int, int, int]] = {}
    for at, offset in enumerate(cute_offsets(row["cute"])):
        copy, k, m = at // row["M"] // row["K"], at // row["M"] % row["K"], at % row["M"]
        cell, bit = divmod(offset * bits // elements, 32)
        expected[m, k, copy] = (cell >> 16, cell & 0xFFFF, bit)
    return (
        all(
            expected[m, k, copy] == place[1:]
            for kind in sparse_kinds(row)
            for chunk in [sparse.GRANULARITIES[kind].chunk]
            for m in range(row["M"])
            for k in range(0, row["K"], chunk)
            for copy, place in enumerate(sparse.metadata_positions(kind, layout, m, k // chunk))
        )
        and len(expected) == row["M"] * row["K"] * layout.folds
    )


def chunk_is_right(row: Json) -> bool:
    """The granularity of the metadata in global memory."""
    return all(
        granularity.chunk == row["logical_per_chunk"]
        and row["e_bits_per_chunk"] == sparse.INDEX_BITS
        and granularity.chunk * 8 // sparse.INDEX_BITS == row["logical_per_meta_byte"]
        for granularity in (sparse.GRANULARITIES[kind] for kind in sparse_kinds(row))
    )


def index_is_right(row: Json) -> bool:
    """
    The stored elements 1, 2, ... and their chunk; the second chunk has the same index.

    The rows include meaningless indices: of two elements with one position, the later counts.
    """
    names = sparse_kinds(row) or ["f16"]
    for granularity in (sparse.GRANULARITIES[kind] for kind in names):
        count = granularity.stored
        for first, expected in ((1, row["chunk"]), (1 + count, row["second_chunk"])):
            chunk = [0] * granularity.chunk
            places = list(enumerate(granularity.positions(row["index"]), first))
            for value, position in reversed(places):
                chunk[position] = value
            if chunk != expected or len(row["stored"]) != count:
                return False
    return True


CHECKS = {
    "sparse_e_tmem": metadata_is_right,
    "sparse_e_tmem_ws": ws_metadata_is_right,
    "sparse_e_gmem_atom": chunk_is_right,
    "sparse_index": index_is_right,
}


def test_golden_metadata() -> None:
    rows = golden("sparse")
    assert all(sparse_kinds(row) for row in rows)
    assert [row for row in rows if not CHECKS[row["table"]](row)] == []


def test_granularities_as_printed() -> None:
    assert {kind: entry.name for kind, entry in sparse.GRANULARITIES.items()} == GRANULARITIES
    two = {0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b0110, 0b1110}
    printed = {"1:2": {0b1110, 0b0100}, "2:4": two, "4:8": two}
    for name, indices in printed.items():
        assert sparse.INDICES.values("index", granularity=name) == indices


@pytest.mark.parametrize("kind", sparse.GRANULARITIES)
def test_meaningful_indices_name_different_elements(kind: str) -> None:
    granularity = sparse.GRANULARITIES[kind]
    patterns: list[tuple[int, ...]] = []
    for index in sparse.INDICES.values("index", granularity=granularity.name):
        positions = granularity.positions(index)
        assert len(set(positions)) == granularity.stored
        assert set(positions) <= set(range(granularity.chunk))
        if index != 0b0110:
            assert all(one < other for one, other in pairwise(positions))
            patterns.append(positions)
    # Every way to choose, once: one of two, or two of four places.
    assert len(set(patterns)) == len(patterns) == (2 if granularity.name == "1:2" else 6)


def test_selectors_as_printed() -> None:
    """Table 42 and 9.7.16.10.8.4: 0 to 3 for kinds with selectors, 0 for the others."""
    for kind in shapes.KINDS:
        legal = SPARSITY_SELECTORS.values("sparsity_selector", kind=kind, sparse=True)
        assert legal == (set(range(4)) if kind in ("f16", "tf32") else {0})
        assert SPARSITY_SELECTORS.values("sparsity_selector", kind=kind, sparse=False) == {0}
        # A selector chooses between columns, so it is for metadata that fills one.
        assert (sparse.metadata_columns(kind) == 1) == (len(legal) > 1)


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("kind", sparse.GRANULARITIES)
def test_metadata_fills_its_lanes(kind: str, name: str) -> None:
    """
    In every layout, each bit of the columns in the lanes of D and A has one meaning.

    Layouts C and F need the same alignment for A, D and the metadata (9.7.16.10.8.5).
    """
    layout = LAYOUTS[name]
    chunks = shapes.instruction_k(kind, sparse=True) // sparse.GRANULARITIES[kind].chunk
    columns = sparse.metadata_columns(kind)
    for lane in layout.alignments:
        places = [
            place
            for m in range(layout.rows)
            for chunk in range(chunks)
            for place in sparse.metadata_positions(kind, layout, m, chunk, lane)
        ]
        assert len(set(places)) == len(places) == layout.rows * layout.folds * chunks
        assert {place.lane for place in places} == layout.lanes(lane)
        assert {place.column for place in places} == set(range(columns))
        assert {place.bit for place in places} == set(range(0, 32, 4))


@given(st.sampled_from(sorted(shapes.KINDS)), st.integers(0, (1 << 32) - 1))
def test_metadata_violations(kind: str, word: int) -> None:
    legal = sparse.INDICES.values("index", granularity=GRANULARITIES[kind])
    nibbles = [int(digit, 16) for digit in reversed(f"{word:08x}")]
    wrong = [
        bit for bit, nibble in zip(range(0, 32, 4), nibbles, strict=True) if nibble not in legal
    ]
    found = sparse.metadata_violations(kind, word)
    assert [violation.what.split(" of ")[0] for violation in found] == [
        f"index at bit {bit}" for bit in wrong
    ]


def test_messages() -> None:
    (violation,) = sparse.metadata_violations("tf32", 0x4E4E4E40)
    assert str(violation) == (
        "index at bit 0 of the metadata, granularity 1:2 must be 0b0100 or 0b1110; found 0b0000 "
        "[T5-SPARSE-001] (PTX ISA 9.7.16.10.8)"
    )
    assert sparse.metadata_violations("mxf4", 0x4489CD6E) == []
    with pytest.raises(Violation, match="T5-TYPE-002"):
        sparse.metadata_columns("f64")
