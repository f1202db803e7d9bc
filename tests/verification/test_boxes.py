"""Tests of boxes of tensor maps that the verifier infers without their types."""

import re

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.reporting.diagnostics import Finding, Source
from tcgen05_dialect.simulator import TensorMap
from tcgen05_dialect.simulator.launch.launch import kernel_of
from tcgen05_dialect.verification.execution import Skeleton
from tcgen05_dialect.verification.knowledge import Undecided

from ..simulator.test_pairs import NAMES, launch_of, text_of
from ..support.effort import sampled

_BOX = re.compile("!ptx.tensor_map<[^>]*>")
WITH_MAPS = [name for name in NAMES if "!ptx.tensor_map" in text_of(name)]


@pytest.mark.slow
@pytest.mark.parametrize("kernel", sampled(WITH_MAPS, 12))
def test_boxes(kernel: str) -> None:
    text = _BOX.sub("!ptx.tensor_map", text_of(kernel))
    skeleton = Skeleton(kernel_of(lower_source(Source(kernel, text)).module, None))
    found = skeleton.infer_boxes({}, skeleton.launches()[0])
    expected = {
        index: argument.tile_bytes
        for index, argument in enumerate(launch_of(kernel).arguments)
        if isinstance(argument, TensorMap)
    }
    assert {index: box.bytes for index, box in found.items()} == expected


def test_with_maps_there_are_kernels() -> None:
    assert len(WITH_MAPS) > 10


_ROWS = """
ptx.shared_memory @tile size 1024 alignment 1024
ptx.shared_memory @bar size 8 alignment 8
ptx.kernel @rows(%from : !ptx.tensor_map, %to : !ptx.tensor_map)
    attributes {reqntid = array<i32: 32>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %bytes = arith.constant 512 : i32
  %tile = ptx.address_of @tile
  %bar = ptx.address_of @bar
  %thread = ptx.special_register tid.x
  %first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %first {
    ptx.mbarrier.init [%bar], %c1
    ptx.fence.mbarrier_init
    ptx.mbarrier.arrive.expect_tx [%bar], %bytes
    ptx.cp.async.bulk.tensor.gather4 [%tile], %from, {%c0, %c1, %c0, %c1, %c0}, [%bar]
    ptx.mbarrier.wait [%bar], %c0
    ptx.cp.async.bulk.tensor.scatter4 %to, {%c0, %c0, %c1, %c2, %c3}, [%tile]
    ptx.cp.async.bulk.commit_group
    ptx.cp.async.bulk.wait_group 0
  }
  ptx.ret
}
"""


def _rules(text: str) -> list[str]:
    return [str(each.rule) for each in _found(text) if each.severity != "remark"]


def _found(text: str) -> list[Finding]:
    return check_source(Source("kernel.mlir", text), verify="quick")


def test_a_copy_of_four_rows_has_four_boxes() -> None:
    """The rows of the loaded tile are 128 bytes each, and so are those of the stored one."""
    skeleton = Skeleton(kernel_of(lower_source(Source("rows", _ROWS)).module, None))
    found = skeleton.infer_boxes({}, skeleton.launches()[0])
    assert {index: box.bytes for index, box in found.items()} == {0: 128, 1: 128}
    assert _rules(_ROWS) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("ptx.mbarrier.wait [%bar], %c0\n", "\n", "T5-SIM-014"),
        ("%to, {%c0, %c0, %c1, %c2, %c3}", "%to, {%c0, %c0, %c1, %c2, %c2}", "T5-SIM-014"),
        ("    ptx.cp.async.bulk.wait_group 0\n", "", "T5-SIM-018"),
    ],
)
def test_a_mistake_in_a_copy_of_four_rows_is_found(old: str, new: str, rule: str) -> None:
    assert old in _ROWS
    assert _rules(_ROWS.replace(old, new)) == [rule]


_BAR = "ptx.shared_memory @bar size 8 alignment 8\n"


@pytest.mark.parametrize(
    ("type_", "rule"),
    [("!ptx.tensor_map<1x64xbf16>", "T5-SIM-008"), ("!ptx.tensor_map", "T5-SIM-005")],
)
def test_rows_over_a_barrier_object(type_: str, rule: str) -> None:
    """A copy writes over a barrier object, or fewer bytes come than a phase expects, because no
    copy may do so."""
    text = _ROWS.replace(_BAR, "").replace("!ptx.tensor_map", type_, 1)
    assert _rules(text.replace("address_of @bar", "address_of @tile + 512")) == []
    assert _rules(text.replace("address_of @bar", "address_of @tile + 504")) == [rule]


_STORED = """
ptx.shared_memory @tile size 1024 alignment 1024
ptx.kernel @stored(%to : !ptx.tensor_map) attributes {reqntid = array<i32: 32>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %all_lanes = arith.constant -1 : i32
  %tile = ptx.address_of @tile
  %bar = ptx.address_of @tile + 512
  %thread = ptx.special_register tid.x
  %first = arith.cmpi eq, %thread, %c0 : i32
  %mine = ptx.mad u32 %thread, %c16, %tile
  ptx.st "shared::cta" b32 [%mine], {%c0, %c0, %c0, %c0}
  ptx.fence.proxy.async "shared::cta"
  ptx.bar.warp.sync %all_lanes
  scf.if %first {
    ptx.mbarrier.init [%bar], %c1
    ptx.cp.async.bulk.tensor.store %to, {%c0, %c0}, [%tile]
    ptx.cp.async.bulk.commit_group
    ptx.cp.async.bulk.wait_group 0
  }
  ptx.ret
}
"""


def test_a_stored_tile_ends_before_a_barrier_object() -> None:
    skeleton = Skeleton(kernel_of(lower_source(Source("stored", _STORED)).module, None))
    found = skeleton.infer_boxes({}, skeleton.launches()[0])
    assert {index: box.bytes for index, box in found.items()} == {0: 512}
    assert _rules(_STORED) == []


def test_a_box_is_not_inferred_if_data_stop_the_run_before_a_phase_ends() -> None:
    """The room for the tile tells less than the bytes that a phase expects."""
    loop = """
    %number = ptx.ld global b32 [%data] -> i32
    scf.for %i = %c0 to %number step %c1 : i32 {
      ptx.st global b32 [%data], {%i}
    }
    ptx.mbarrier.wait [%bar], %c0
    """
    text = _ROWS.replace("@rows(", "@rows(%data : i64, ")
    text = text.replace("    ptx.mbarrier.wait [%bar], %c0\n", loop)
    skeleton = Skeleton(kernel_of(lower_source(Source("rows", text)).module, None))
    with pytest.raises(Undecided, match="control depends on %number loaded at line 21"):
        skeleton.infer_boxes({}, skeleton.launches()[0])


def _missing_copy(name: str) -> str:
    """A product whose tiles are in one variable; no copy loads one of them."""
    text = text_of("mma_ld").replace("@a_tile size 4096", "@a_tile size 4352")
    text = re.sub("ptx.shared_memory @b_tile.*\n", "", text)
    text = text.replace("ptx.address_of @b_tile", "ptx.address_of @a_tile + 4096")
    assert [each.message for each in _found(text)] == ["@mma_ld: verified"]
    return re.sub(rf".*load \[%{name}_tile\].*\n", "", text)


@pytest.mark.slow
def test_a_missing_copy_is_an_error() -> None:
    assert "T5-SIM-005" in _rules(_missing_copy("a"))


def test_a_box_that_would_fill_the_tiles_of_two_operands_is_unknown() -> None:
    (found,) = _found(_missing_copy("b"))
    assert found.message == (
        "@mma_ld: not decided: the box of parameter %a_map cannot be inferred: its 4352 bytes "
        "would be a tile of A and a tile of B; write it in its type, as in "
        "!ptx.tensor_map<128x64xbf16, swizzle_128b>"
    )


def test_tiles_may_lie_where_others_were_before() -> None:
    """A second copy loads the upper half of a tile that the kernel no longer needs."""
    again = """ptx.mbarrier.wait [%bar], %c0
    ptx.fence.proxy.async "shared::cta"
    ptx.mbarrier.arrive.expect_tx [%bar], %bytes
    %half = arith.addi %tile, %bytes : i32
    ptx.cp.async.bulk.tensor.load [%half], %to, {%c0, %c0}, [%bar]
    ptx.mbarrier.wait [%bar], %c1
"""
    load = "ptx.cp.async.bulk.tensor.load [%tile], %from, {%c0, %c0}, [%bar]"
    text = re.sub(r"ptx.cp.async.bulk.tensor.gather4.*", load, _ROWS)
    text = re.sub(r"ptx.mbarrier.wait \[%bar\], %c0\n", again, text)
    text = re.sub(r".*(scatter4|commit_group|wait_group).*\n", "", text)
    text = text.replace("arrive.expect_tx [%bar], %bytes", "arrive.expect_tx [%bar], %all", 1)
    text = text.replace("  %tile = ", "  %all = arith.constant 1024 : i32\n  %tile = ")
    skeleton = Skeleton(kernel_of(lower_source(Source("rows", text)).module, None))
    found = skeleton.infer_boxes({}, skeleton.launches()[0])
    assert {index: box.bytes for index, box in found.items()} == {0: 1024, 1: 512}
