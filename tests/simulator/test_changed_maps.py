"""Tests of tensor maps that a kernel copies and changes, against numpy."""

from typing import Any

import numpy as np
import pytest

from tcgen05_dialect.simulator import SCHEDULES, Run, TensorMap, simulate
from tcgen05_dialect.simulator.machine.tensor_map import decoded, encoded
from tcgen05_dialect.simulator.machine.tensor_memory import Memory, Space

KERNEL = """
ptx.shared_memory @tile size 1024 alignment 1024
ptx.shared_memory @map size 128 alignment 128
ptx.shared_memory @full size 8 alignment 8
ptx.kernel @kernel(%template : !ptx.param_array<128, 64>, %place : i64, %from : i64, %to : i64)
    attributes {reqntid = array<i32: 32>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c4 = ptx.constant 4 : i32
  %c16 = ptx.constant 16 : i32
  %columns = ptx.constant 24 : i32
  %rows = ptx.constant 5 : i32
  %stride = ptx.constant 96 : i64
  %bytes = ptx.constant 1024 : i32
  %tile = ptx.address_of @tile
  %map = ptx.address_of @map
  %full = ptx.address_of @full
  %lane = ptx.special_register laneid
  %first = ptx.setp eq u32 %lane, %c0
  %bytes_of_map = ptx.parameter_address %template : !ptx.param_array<128, 64> -> i64
  %read = ptx.mad.wide u32 %lane, %c4, %bytes_of_map
  %word = ptx.ld param b32 [%read] -> i32
  %own = ptx.mad u32 %lane, %c4, %map
  ptx.st "shared::cta" b32 [%own], {%word}
  ptx.bar.sync %c0
  ptx.cond_bra %first, ^change, ^join
^change:
  ptx.mbarrier.init [%full], %c1
  ptx.fence.mbarrier_init
  CHANGE
  ptx.bra ^join
^join:
  %mask = ptx.constant -1 : i32
  ptx.bar.warp.sync %mask
  ptx.tensormap.cp_fenceproxy gpu [%place], [%map]
  ptx.fence.proxy.tensormap.acquire acquire gpu [%place]
  ptx.cond_bra %first, ^copy, ^end
^copy:
  ptx.mbarrier.arrive.expect_tx [%full], %bytes
  ptx.cp.async.bulk.tensor.load [%tile], %place, {%c0, %c0}, [%full]
  ptx.mbarrier.wait [%full], %c0
  ptx.cp.async.bulk.store [%to], [%tile], %bytes
  ptx.cp.async.bulk.commit_group
  ptx.cp.async.bulk.wait_group 0
  ptx.bra ^end
^end:
  ptx.ret
}
"""
CHANGE = """
  ptx.tensormap.replace global_address "shared::cta" b64 [%map], %from
  ptx.tensormap.replace.dimension global_dim "shared::cta" b32 [%map], 0, %columns
  ptx.tensormap.replace.dimension global_dim "shared::cta" b32 [%map], 1, %rows
  ptx.tensormap.replace.dimension global_stride "shared::cta" b64 [%map], 0, %stride
"""


def run(change: str, template: Any, source: Any, **options: Any) -> tuple[list[str], Any]:
    """The rules of the findings, and the tile that the changed map loads."""
    place, to = np.zeros(128, np.uint8), np.zeros((8, 32), np.float32)
    text = KERNEL.replace("CHANGE", change)
    found = simulate(text, [template, place, source, to], **options).findings
    return [str(each.rule) for each in found], to


def arrays() -> tuple[Any, Any]:
    chance = np.random.default_rng(5)
    return chance.normal(size=(16, 32)).astype("f4"), chance.normal(size=(5, 24)).astype("f4")


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_map_without_changes(schedule: str) -> None:
    template, source = arrays()
    rules, tile = run("", TensorMap.of(template, (32, 8)), source, run=Run(schedule))
    assert rules == []
    assert (tile == template[:8]).all()


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_map_of_another_array(schedule: str) -> None:
    template, source = arrays()
    rules, tile = run(CHANGE, TensorMap.of(template, (32, 8)), source, run=Run(schedule))
    assert rules == []
    expected = np.zeros((8, 32), np.float32)
    expected[:5, :24] = source
    assert (tile == expected).all()


def test_modes() -> None:
    template, source = arrays()
    swizzled = """
  ptx.tensormap.replace.mode swizzle_mode "shared::cta" [%map], 3
  ptx.tensormap.replace.mode fill_mode "shared::cta" [%map], 1"""
    rules, tile = run(CHANGE + swizzled, TensorMap.of(template, (32, 8)), source)
    assert rules == []
    padded = np.full((8, 32), np.nan, np.float32)
    padded[:5, :24] = source
    chunks = padded.reshape(8, 8, 4)
    expected = np.stack([chunks[row][np.arange(8) ^ row] for row in range(8)]).reshape(8, 32)
    assert np.isnan(tile).sum() == np.isnan(expected).sum()
    assert (np.nan_to_num(tile) == np.nan_to_num(expected)).all()


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ('ptx.tensormap.replace.mode elemtype "shared::cta" [%map], 8', "T5-SIM-012"),
        ('ptx.tensormap.replace.mode interleave_layout "shared::cta" [%map], 1', "T5-SIM-012"),
        ('ptx.tensormap.replace rank "shared::cta" b32 [%map], %c0', "T5-SIM-012"),
        ('ptx.tensormap.replace.dimension box_dim "shared::cta" b32 [%map], 0, %c1', "T5-MAP-001"),
        ('ptx.tensormap.replace global_address "shared::cta" b64 [%map], %stride', "T5-SIM-002"),
    ],
)
def test_wrong_changes(change: str, rule: str) -> None:
    template, source = arrays()
    assert run(change, TensorMap.of(template, (32, 8)), source)[0] == [rule]


ACQUIRE = "ptx.fence.proxy.tensormap.acquire acquire gpu [%place]"


@pytest.mark.parametrize(
    ("instead", "rules"),
    [
        ("", ["T5-SIM-047"]),
        ("ptx.fence.proxy.tensormap.release gpu", ["T5-SIM-047"]),
        (ACQUIRE.replace("[%place]", "[%place + 128]"), ["T5-SIM-047"]),
        (
            f"""{ACQUIRE}
  ptx.tensormap.replace.mode fill_mode global [%place], 1""",
            ["T5-SIM-047"],
        ),
        (
            f"""ptx.tensormap.replace.mode fill_mode global [%place], 1
  {ACQUIRE}""",
            [],
        ),
    ],
)
def test_uses_of_changes_that_nothing_has_acquired(instead: str, rules: list[str]) -> None:
    template, source = arrays()
    text = KERNEL.replace(ACQUIRE, "").replace("^copy:\n", f"^copy:\n  {instead}\n")
    text = text.replace("CHANGE", CHANGE)
    to = np.zeros((8, 32), np.float32)
    given = [TensorMap.of(template, (32, 8)), np.zeros(256, np.uint8), source, to]
    report = simulate(text, given)
    assert [each.rule for each in report.findings if each.severity == "error"] == rules
    if rules:
        assert "was changed by ptx.tensormap." in report.findings[0].message


def test_maps_that_nothing_has_written() -> None:
    template, source = arrays()
    text = KERNEL.replace('ptx.st "shared::cta" b32 [%own], {%word}', "").replace("CHANGE", CHANGE)
    given = [TensorMap.of(template, (32, 8)), np.zeros(128, np.uint8), source, np.zeros(256)]
    (finding,) = simulate(text, given).findings
    assert finding.rule == "T5-SIM-013"


@pytest.mark.parametrize(
    ("shape", "box", "options"),
    [
        ((7, 64), (32, 4), {"swizzle": "swizzle_128b_atom_32b"}),
        ((2, 3, 4, 64), (16, 2, 2, 1), {"element_strides": (1, 2, 1, 1), "fill": "nan"}),
        ((64,), (64,), {"swizzle": "no_swizzle"}),
    ],
)
def test_bytes_of_maps_hold_all_fields(shape: Any, box: Any, options: Any) -> None:
    array = np.zeros(shape, np.float32)
    space = Space("global")
    data = array.reshape(-1).view(np.uint8)
    space.add(Memory("array", 1 << 40, data, np.ones(data.size, np.bool_)))
    one = TensorMap.of(array, box, **options).at(1 << 40)
    # The operation is only named in errors.
    operation: Any = None
    other = decoded(operation, encoded(one), space)
    for name in ("element", "extents", "strides", "box", "element_strides", "swizzle", "fill"):
        assert getattr(other, name) == getattr(one, name)
    assert other.address == one.address


WAIT = "  ptx.mbarrier.wait [%full], %c0\n"
STORED = """  ptx.cp.async.bulk.tensor.store %place, {%c0, %c0}, [%tile]
  ptx.cp.async.bulk.commit_group
  WAIT
  LATER
"""


@pytest.mark.parametrize(
    "later",
    [
        "ptx.tensormap.replace.mode fill_mode global [%place], 1",
        "ptx.st global b32 [%place], {%c0}",
    ],
)
@pytest.mark.parametrize(
    ("before", "rules"),
    [
        (WAIT + "LATER", []),
        ("  LATER\n" + WAIT, ["T5-SIM-014"]),
        (WAIT + STORED.replace("WAIT", "ptx.cp.async.bulk.wait_group read 0"), []),
        (WAIT + STORED.replace("WAIT", ""), ["T5-SIM-014"]),
    ],
)
def test_changes_of_maps_that_a_copy_uses(before: str, rules: list[str], later: str) -> None:
    template, source = arrays()
    text = KERNEL.replace(WAIT, before.replace("LATER", later)).replace("CHANGE", CHANGE)
    given = [TensorMap.of(template, (32, 8)), np.zeros(128, np.uint8), source, np.zeros((8, 32))]
    report = simulate(text, given, run=Run("lazy"))
    assert [each.rule for each in report.findings if each.severity == "error"] == rules
    if rules:
        assert "ptx.cp.async.bulk.tensor" in report.findings[0].message
