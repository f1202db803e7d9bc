"""Tests of the small families: alloc, cp, shift, commit, fence, wait."""

import pytest

from tcgen05_dialect.isa.mma.products import product_of
from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.isa.ptx.kernel import check_cta_mask
from tcgen05_dialect.isa.tensor_memory import alloc, copies, ld_st


@pytest.mark.parametrize(
    ("mnemonic", "printed"),
    [
        # Mnemonics of the manual's own examples, in the order of its grammar.
        (
            alloc.ALLOC.mnemonic(cta_group=1, space="shared_cta"),
            "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32",
        ),
        (alloc.DEALLOC.mnemonic(cta_group=2), "tcgen05.dealloc.cta_group::2.sync.aligned.b32"),
        (
            alloc.RELINQUISH_ALLOC_PERMIT.mnemonic(cta_group=1),
            "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned",
        ),
        (
            ld_st.LD.mnemonic(shape="shape_32x32b", num="x2"),
            "tcgen05.ld.sync.aligned.32x32b.x2.b32",
        ),
        (
            ld_st.ST.mnemonic(shape="shape_16x128b", num="x1", unpack=True),
            "tcgen05.st.sync.aligned.16x128b.x1.unpack::16b.b32",
        ),
        (alloc.WAIT.mnemonic(operation="ld"), "tcgen05.wait::ld.sync.aligned"),
        (
            copies.CP.mnemonic(cta_group=2, shape="shape_128x128b", format="b6x16_p32"),
            "tcgen05.cp.cta_group::2.128x128b.b8x16.b6x16_p32",
        ),
        (
            copies.CP.mnemonic(cta_group=1, shape="shape_64x128b", multicast="warpx2_02_13"),
            "tcgen05.cp.cta_group::1.64x128b.warpx2::02_13",
        ),
        (
            alloc.COMMIT.mnemonic(cta_group=1),
            "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64",
        ),
        (
            alloc.FENCE.mnemonic(order="before_thread_sync"),
            "tcgen05.fence::before_thread_sync",
        ),
        (
            product_of(ws=False, sparse=False).mnemonic.mnemonic(cta_group=1, kind="tf32"),
            "tcgen05.mma.cta_group::1.kind::tf32",
        ),
        (
            product_of(ws=True, sparse=True).mnemonic.mnemonic(
                cta_group=1, kind="tf32", collector_buffer="b1", collector_op="fill"
            ),
            "tcgen05.mma.ws.sp.cta_group::1.kind::tf32.collector::b1::fill",
        ),
        # The manual's example of shift has its qualifiers the other way round than its grammar.
        (copies.SHIFT.mnemonic(cta_group=1), "tcgen05.shift.cta_group::1.down"),
    ],
)
def test_mnemonics(mnemonic: str, printed: str) -> None:
    assert mnemonic == printed


def test_columns() -> None:
    legal = {32, 64, 128, 256, 512}
    for columns in range(-1, 1025):
        if columns in legal:
            alloc.check_columns(columns)
        else:
            with pytest.raises(Violation, match=r"256 or 512; found .* \[T5-ALLOC-001\]"):
                alloc.check_columns(columns)


def test_state_spaces() -> None:
    with pytest.raises(Violation, match=r"found shared_cta .*T5-COMMIT-001"):
        alloc.COMMIT.mnemonic(cta_group=1, space="shared_cta")
    with pytest.raises(Violation, match=r"found shared_cluster .*T5-ALLOC-002"):
        alloc.ALLOC.mnemonic(cta_group=1, space="shared_cluster")


def test_cta_mask() -> None:
    check_cta_mask(0xFFFF)
    with pytest.raises(Violation, match=r"found 65536 \[T5-PTX-079\]"):
        check_cta_mask(0x10000)


def test_shift() -> None:
    copies.ADDRESS_LANES.check(lane=96)
    with pytest.raises(Violation, match=r"0, 32, 64 or 96; found 16 \[T5-SHIFT-001\]"):
        copies.ADDRESS_LANES.check(lane=16)
    assert copies.COLUMNS == 8
    assert [copies.source_lane(lane) for lane in (0, 30, 31, 32, 126, 127)] == [
        1,
        31,
        31,
        33,
        127,
        127,
    ]
    assert copies.SHIFT.feature == "shift"


@pytest.mark.parametrize(
    ("shape", "multicast", "lanes"),
    [
        ("shape_128x256b", None, {0: (0,), 127: (127,)}),
        ("shape_4x256b", None, {0: (0,), 3: (96,)}),
        ("shape_128x128b", None, {5: (5,)}),
        ("shape_64x128b", "warpx2_02_13", {5: (5, 69), 37: (37, 101)}),
        ("shape_64x128b", "warpx2_01_23", {5: (5, 37), 37: (69, 101)}),
        ("shape_32x128b", "warpx4", {5: (5, 37, 69, 101)}),
    ],
)
def test_copy_destinations(
    shape: str, multicast: str | None, lanes: dict[int, tuple[int, ...]]
) -> None:
    for row, expected in lanes.items():
        assert copies.destination_lanes(shape, multicast, row) == expected
    rows = range(copies.SHAPES[shape].rows)
    reached = [lane for row in rows for lane in copies.destination_lanes(shape, multicast, row)]
    assert len(set(reached)) == len(reached)
    assert len(reached) == (4 if shape == "shape_4x256b" else 128)


def test_copy_refuses() -> None:
    with pytest.raises(Violation, match=r"warpx4; found none \[T5-CP-002\]"):
        copies.destination_lanes("shape_32x128b", None, 0)
    with pytest.raises(Violation, match=r"; found warpx4 \[T5-CP-002\]"):
        copies.destination_lanes("shape_128x128b", "warpx4", 0)
    with pytest.raises(Violation, match=r"found shape_16x64b \[T5-CP-001\]"):
        copies.destination_lanes("shape_16x64b", None, 0)
    assert copies.SHAPES["shape_4x256b"].columns == 8
    # A payload in the middle of its byte: 00xxxx00 and 0xxxxxx0.
    for format_ in copies.FORMATS.values():
        assert 2 * format_.shift + format_.bits == 8
