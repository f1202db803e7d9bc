"""Tests of bulk copies and reductions of bytes: their values against numpy, and their order."""

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

from tcgen05_dialect.isa.instructions.copies import FLOAT_SUM, GLOBAL_REDUCTION, REMOTE_REDUCTION
from tcgen05_dialect.isa.model.table import Table
from tcgen05_dialect.simulator import SCHEDULES, Launch, Run, simulate

Numbers = npt.NDArray[Any]
HEAD = """
ptx.shared_memory @tile size 512 alignment 16
ptx.shared_memory @loaded size 8 alignment 8
"""
KERNEL = (
    HEAD
    + """
ptx.kernel @kernel(%source : i64, %target : i64) attributes {reqntid = array<i32: 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %bytes = ptx.constant 512 : i32
  %mask = ptx.constant 0x8421 : i16
  %left = ptx.constant 3 : i32
  %right = ptx.constant 15 : i32
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  ptx.mbarrier.init [%loaded], %c1
  ptx.fence.mbarrier_init
  ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
  ptx.cp.async.bulk.prefetch [%source], %bytes
  LOAD
  ptx.mbarrier.wait [%loaded], %c0
  STORE
  ptx.cp.async.bulk.commit_group
  ptx.cp.async.bulk.wait_group 0
  ptx.ret
}
"""
)
LOAD = "ptx.cp.async.bulk.load [%tile], [%source], %bytes, [%loaded]"
STORE = "ptx.cp.async.bulk.store [%target], [%tile], %bytes"


def kernel(load: str = LOAD, store: str = STORE) -> str:
    return KERNEL.replace("LOAD", load).replace("STORE", store)


def finding(text: str, *arguments: Any, **options: Any) -> str:
    (found,) = simulate(text, list(arguments), **options).findings
    return f"{found.rule}: {found}"


def arrays() -> tuple[Numbers, Numbers]:
    chance = np.random.default_rng(1)
    source, target = chance.integers(0, 256, (2, 512), np.uint8)
    return source, target


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_bytes_are_copied(schedule: str) -> None:
    source, target = arrays()
    assert simulate(kernel(), [source, target], run=Run(schedule)).findings == ()
    assert (target == source).all()


def test_a_byte_mask_selects_bytes_of_each_chunk() -> None:
    source, target = arrays()
    before = target.copy()
    text = kernel(store=STORE.replace("store", "store byte_mask(%mask)"))
    assert simulate(text, [source, target]).findings == ()
    copied = np.isin(np.arange(512) % 16, (0, 5, 10, 15))
    assert (target == np.where(copied, source, before)).all()


IGNORING = "ptx.cp.async.bulk.load.ignore_oob [%tile], [%source], %bytes, %left, %right, [%loaded]"


def test_ignored_bytes_are_unwritten() -> None:
    place = "@tile in shared memory of CTA (0, 0, 0)"
    assert f"{place} was never written" in finding(kernel(IGNORING), *arrays())


def test_ignored_bytes_may_be_out_of_bounds() -> None:
    source, target = arrays()
    copied = "ptx.cp.async.bulk.store byte_mask(%mask) [%target], [%tile + 16], %c16"
    text = kernel(IGNORING, f"%c16 = ptx.constant 16 : i32\n  {copied}")
    assert simulate(text, [source[:497].copy(), target]).findings == ()
    assert "T5-SIM-002" in finding(text, source[:496].copy(), target)


def test_bytes_around_ignored_ones_are_copied() -> None:
    source, target = arrays()
    before = target.copy()
    store = """%kept = ptx.constant 0x7ff8 : i16
  %some = ptx.constant 496 : i32
  ptx.cp.async.bulk.store byte_mask(%kept) [%target], [%tile], %some"""
    text = kernel(IGNORING, store)
    assert simulate(text, [source, target]).findings == ()
    copied = np.isin(np.arange(512) % 16, range(3, 15)) & (np.arange(512) < 496)
    assert (target == np.where(copied, source, before)).all()


TYPES: dict[str, Any] = {
    "u32": np.uint32,
    "s32": np.int32,
    "u64": np.uint64,
    "s64": np.int64,
    "b32": np.uint32,
    "b64": np.uint64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
}


def _increased(old: Numbers, last: Numbers) -> Numbers:
    return np.where(old >= last, 0, old + 1)


def _decreased(old: Numbers, last: Numbers) -> Numbers:
    return np.where((old == 0) | (old > last), last, old - 1)


FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "inc": _increased,
    "dec": _decreased,
}


def _points(table: Table) -> list[tuple[Any, ...]]:
    return [tuple(point.values()) for point in table.points()]


def numbers(type_: str) -> tuple[Any, Any]:
    """The bytes of two tiles with numbers of a type."""
    dtype, chance = np.dtype(TYPES[type_]), np.random.default_rng(7)
    if dtype.kind in "iu":
        bits = chance.integers(0, 256, (2, 512), np.uint8)
        bits[:, : 4 * dtype.itemsize] = 0
        return bits[0].view(dtype), bits[1].view(dtype)
    values = chance.normal(size=(2, 512 // dtype.itemsize)).astype(dtype)
    return values[0], values[1]


@pytest.mark.parametrize(
    ("operation", "noftz", "type_"),
    [point for point in _points(GLOBAL_REDUCTION) if point != FLOAT_SUM],
)
def test_reductions_in_global_memory(operation: str, noftz: str | None, type_: str) -> None:
    source, target = numbers(type_)
    expected = FUNCTIONS[operation](target.copy(), source)
    reduce = f"ptx.cp.reduce.async.bulk.store {operation} {noftz or ''} {type_}"
    text = kernel(store=STORE.replace("ptx.cp.async.bulk.store", reduce))
    assert simulate(text, [source, target]).findings == ()
    assert (target == expected.astype(target.dtype)).all()


def test_sums_of_f32_flush_subnormal_numbers_unless_noftz() -> None:
    for noftz, expected in (("", 0), ("noftz ", np.float32(3e-40))):
        source, target = np.full(128, 1e-40, np.float32), np.full(128, 2e-40, np.float32)
        store = STORE.replace("cp.async.bulk.store", f"cp.reduce.async.bulk.store add {noftz}f32")
        text = (
            'builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.4">} {'
            f"{kernel(store=store)}}}"
        )
        assert simulate(text, [source, target]).findings == ()
        np.testing.assert_allclose(target, expected, rtol=1e-4)


CLUSTER = (
    HEAD
    + """
ptx.shared_memory @own size 512 alignment 16
ptx.kernel @kernel(%source : i64, %target : i64)
    attributes {reqntid = array<i32: 1>, cluster_dims = array<i32: 2>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c512 = ptx.constant 512 : i32
  %bytes = ptx.constant 512 : i32
  %expected = ptx.constant EXPECTED : i32
  %both = ptx.constant 3 : i16
  %tile = ptx.address_of @tile
  %own = ptx.address_of @own
  %loaded = ptx.address_of @loaded
  %rank = ptx.special_register cluster_ctarank
  %first = ptx.setp eq u32 %rank, %c0
  %peer = ptx.xor b32 %rank, %c1
  %to = ptx.mapa %tile, %peer
  %barrier = ptx.mapa %loaded, %peer
  %mine = ptx.mad.wide u32 %rank, %c512, %target
  ptx.mbarrier.init [%loaded], %c1
  ptx.fence.mbarrier_init
  ptx.mbarrier.arrive.expect_tx [%loaded], %expected
  BEFORE
  ptx.barrier.cluster.arrive
  ptx.barrier.cluster.wait
  MOVE
  ptx.mbarrier.wait [%loaded], %c0
  ptx.cp.async.bulk.store [%mine], [%tile], %bytes
  ptx.cp.async.bulk.commit_group
  ptx.cp.async.bulk.wait_group 0
  ptx.barrier.cluster.arrive
  ptx.barrier.cluster.wait
  ptx.ret
}
"""
)


def clustered(before: str, move: str, expected: int = 512) -> str:
    text = CLUSTER.replace("BEFORE", before).replace("MOVE", move)
    return text.replace("EXPECTED", str(expected))


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_multicast_goes_to_each_cta(schedule: str) -> None:
    source, target = arrays()[0], np.zeros((2, 512), np.uint8)
    load = LOAD.replace("load", "load multicast_mask(%both)", 1)
    text = clustered("", f"ptx.guard %first {{\n {load}\n }}")
    report = simulate(text, [source, target], Launch(grid=(2,)), run=Run(schedule))
    assert report.findings == ()
    assert (target == source).all()


@pytest.mark.parametrize(("operation", "type_"), [("", "u32"), *_points(REMOTE_REDUCTION)])
def test_copies_and_reductions_between_ctas(operation: str, type_: str) -> None:
    source, old = numbers(type_)
    both = np.concatenate((source, old))
    target = np.zeros((2, *source.shape), source.dtype)
    before = """%old = ptx.add u64 %source, %w512
  ptx.cp.async.bulk.load [%own], [%source], %bytes, [%loaded]
  ptx.cp.async.bulk.load [%tile], [%old], %bytes, [%loaded]
  ptx.mbarrier.wait [%loaded], %c0
  ptx.mbarrier.arrive.expect_tx [%loaded], %bytes"""
    before = "%w512 = ptx.constant 512 : i64\n  " + before
    name = f"ptx.cp.reduce.async.bulk.remote {operation} {type_}"
    move = f"{name if operation else 'ptx.cp.async.bulk.remote'} [%to], [%own], %bytes, [%barrier]"
    text = clustered(before, move, 1024).replace(
        "wait [%loaded], %c0\n  ptx.cp.async.bulk.store",
        "wait [%loaded], %c1\n  ptx.cp.async.bulk.store",
    )
    report = simulate(text, [both, target], Launch(grid=(2,)))
    assert report.findings == ()
    expected = FUNCTIONS[operation](old, source) if operation else source
    assert (target == expected.astype(target.dtype)).all()


def test_a_lost_wait_is_a_race() -> None:
    text = kernel().replace("ptx.mbarrier.wait [%loaded], %c0", "")
    assert "T5-SIM-014" in finding(text, *arrays())


def test_reductions_of_several_ctas_do_not_race() -> None:
    source, target = np.ones(128, np.uint32), np.zeros(128, np.uint32)
    text = kernel(store=STORE.replace("cp.async.bulk.store", "cp.reduce.async.bulk.store add u32"))
    assert simulate(text, [source, target], Launch(grid=(4,))).findings == ()
    assert (target == 4).all()


def test_copies_of_several_ctas_race() -> None:
    assert "T5-SIM-014" in finding(kernel(), *arrays(), launch=Launch(grid=(2,)))


def test_a_size_is_checked_at_run_time() -> None:
    text = KERNEL.replace("%source : i64", "%given : i32, %source : i64")
    text = text.replace("LOAD", LOAD).replace("STORE", STORE.replace("%bytes", "%given"))
    assert "T5-PTX-200" in finding(text, 24, *arrays())
    assert "T5-PTX-084" in finding(text, 1024, *arrays())


def test_a_misaligned_source_is_refused() -> None:
    text = kernel(LOAD.replace("[%source]", "[%source + 8]"))
    assert "T5-PTX-201" in finding(text, *arrays())
