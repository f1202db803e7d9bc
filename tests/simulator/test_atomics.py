"""Tests of atomic operations: their values against Python, and what they order."""

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tcgen05_dialect.simulator import Launch, simulate

KERNEL = """
ptx.kernel @kernel(%cell : i64, %in : i64, %out : i64) attributes {{reqntid = array<i32: 32>}} {{
  %bytes = ptx.constant {bytes} : i32
  %lane = ptx.special_register laneid
  %from = ptx.mad.wide u32 %lane, %bytes, %in
  %to = ptx.mad.wide u32 %lane, %bytes, %out
  %x = ptx.ld global {load} [%from] -> {type}
  {body}
  ptx.ret
}}
"""
OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "add": lambda old, x: old + x,
    "min": min,
    "max": max,
    "inc": lambda old, x: 0 if old >= x else old + 1,
    "dec": lambda old, x: x if old == 0 or old > x else old - 1,
    "and": lambda old, x: old & x,
    "or": lambda old, x: old | x,
    "xor": lambda old, x: old ^ x,
    "exch": lambda old, x: x,
}


@pytest.mark.parametrize(
    ("operation", "type_"),
    [
        *((name, type_) for name in ("add", "min", "max") for type_ in ("u32", "s32", "u64")),
        *((name, "s64") for name in ("min", "max")),
        *((name, "u32") for name in ("inc", "dec")),
        *((name, type_) for name in ("and", "or", "xor", "exch") for type_ in ("b32", "b64")),
    ],
)
def test_integers(operation: str, type_: str) -> None:
    size = int(type_[1:])
    dtype = np.dtype(f"{'i' if type_[0] == 's' else 'u'}{size // 8}")
    chance = np.random.default_rng(size)
    values = chance.integers(0, 1 << size, 32, f"u{size // 8}").view(dtype)
    values[::3] %= 5
    cell, out = values[:1].copy(), np.zeros(32, dtype)
    wanted: list[int] = []
    current = int(cell[0])
    for value in values.tolist():
        wanted.append(current)
        current = OPERATIONS[operation](current, value)
        current = int(np.array([current % (1 << size)], f"u{size // 8}").view(dtype)[0])
    body = f"%old = ptx.atom global {operation} {type_} [%cell], %x\n"
    body += f"ptx.st global b{size} [%to], {{%old}}"
    text = KERNEL.format(bytes=size // 8, load=f"b{size}", type=f"i{size}", body=body)
    report = simulate(text, [cell, values, out])
    assert report.findings == ()
    assert out.tolist() == wanted
    assert cell.tolist() == [current]


@pytest.mark.parametrize(
    ("type_", "register", "dtype"),
    [
        ("f32", "f32", np.float32),
        ("f64", "f64", np.float64),
        ("f16", "f16", np.float16),
        ("bf16", "bf16", ml_dtypes.bfloat16),
    ],
)
def test_sums_of_floats_are_rounded_one_by_one(type_: str, register: str, dtype: Any) -> None:
    values = np.random.default_rng(1).normal(size=32).astype(dtype)
    cell, out = np.zeros(1, dtype), np.zeros(32, dtype)
    current, wanted = cell[0], list[Any]()
    for value in values:
        wanted.append(current)
        current = dtype(current + value)
    noftz = "noftz " if register in ("f16", "bf16") else ""
    size = np.dtype(dtype).itemsize
    body = f"%old = ptx.atom relaxed gpu global add {noftz}{type_} [%cell], %x\n"
    body += f"ptx.st global b{8 * size} [%to], {{%old}}"
    text = KERNEL.format(bytes=size, load=f"b{8 * size}", type=register, body=body)
    assert simulate(text, [cell, values, out]).findings == ()
    assert (out == np.array(wanted)).all()
    assert cell[0] == current


def test_red_of_f32_flushes_subnormal_numbers_in_global_memory() -> None:
    values = np.full(32, 1e-40, np.float32)
    text = KERNEL.format(bytes=4, load="b32", type="f32", body="ptx.red global add f32 [%cell], %x")
    cell = np.zeros(1, np.float32)
    simulate(text, [cell, values, np.zeros(32, np.float32)])
    assert cell[0] == 0


def test_vectors_and_pairs() -> None:
    values = np.arange(32, dtype=np.float32)
    cell = np.zeros(4, np.float32)
    body = """%old:4 = ptx.atom.vector global add f32 [%cell], {%x, %x, %x, %x} -> 4 x f32
      ptx.st global f32 [%to], {%old#3}"""
    out = np.zeros(32, np.float32)
    text = KERNEL.format(bytes=4, load="b32", type="f32", body=body)
    assert simulate(text, [cell, values, out]).findings == ()
    assert out.tolist() == [0, *np.cumsum(values)[:-1].tolist()]
    assert cell.tolist() == [496.0] * 4
    halves = np.ones(64, np.float16)
    pair = np.array([3, 5], np.float16)
    body = "ptx.red global add noftz f16x2 [%cell], %x"
    text = KERNEL.format(bytes=4, load="b32", type="i32", body=body)
    simulate(text, [pair.view(np.uint32), halves.view(np.uint32), np.zeros(32, np.uint32)])
    assert pair.tolist() == [35, 37]


def test_one_lane_takes_a_lock() -> None:
    body = """%c0 = ptx.constant 0 : i32
      %old = ptx.atom.cas acquire gpu global b32 [%cell], %c0, %x
      ptx.st global b32 [%to], {%old}"""
    values = np.arange(7, 39, dtype=np.uint32)
    cell, out = np.zeros(1, np.uint32), np.ones(32, np.uint32)
    text = KERNEL.format(bytes=4, load="b32", type="i32", body=body)
    simulate(text, [cell, values, out])
    assert cell[0] == 7
    assert out.tolist() == [0, *[7] * 31]


COUNTER = """
ptx.kernel @kernel(%data : i64, %count : i64, %out : i64)
    attributes {{reqntid = array<i32: 96>}} {{
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c4 = ptx.constant 4 : i32
  %c32 = ptx.constant 32 : i32
  %c64 = ptx.constant 64 : i32
  %thread = ptx.special_register tid.x
  %mine = ptx.mad.wide u32 %thread, %c4, %data
  %produces = ptx.setp lt u32 %thread, %c64
  ptx.cond_bra %produces, ^produce, ^wait
^produce:
  ptx.st global b32 [%mine], {{%thread}}
  ptx.red {release} gpu global add u32 [%count], %c1
  ptx.ret
^wait:
  %done = ptx.ld acquire gpu global u32 [%count] -> i32
  %more = ptx.setp lt u32 %done, %c64
  ptx.cond_bra %more, ^wait, ^read
^read:
  %first = ptx.sub u32 %thread, %c64
  %at = ptx.mad.wide u32 %first, %c4, %data
  %to = ptx.mad.wide u32 %first, %c4, %out
  %x = ptx.ld global b32 [%at] -> i32
  %y = ptx.ld global b32 [%at + 128] -> i32
  %sum = ptx.add u32 %x, %y
  ptx.st global b32 [%to], {{%sum}}
  ptx.ret
}}
"""


@pytest.mark.parametrize("release", ["release", "relaxed"])
def test_a_counter_releases_what_every_thread_wrote(release: str) -> None:
    """The last reduction passes on what the earlier ones released; relaxed ones release nothing."""
    arrays = [np.zeros(96, np.uint32), np.zeros(1, np.uint32), np.zeros(32, np.uint32)]
    report = simulate(COUNTER.format(release=release), arrays)
    rules = {each.rule for each in report.findings}
    assert bool(rules) == (release == "relaxed"), rules
    if release == "release":
        assert arrays[2].tolist() == [2 * n + 32 for n in range(32)]


def test_atomics_of_different_ctas_do_not_race() -> None:
    body = "ptx.red global add u32 [%cell], %x"
    text = KERNEL.format(bytes=4, load="b32", type="i32", body=body)
    cell = np.zeros(1, np.uint32)
    report = simulate(
        text, [cell, np.ones(32, np.uint32), np.zeros(32, np.uint32)], Launch(grid=(3,))
    )
    assert report.findings == ()
    assert cell[0] == 96


def test_a_plain_store_races_with_an_atomic_operation() -> None:
    body = """ptx.red global add u32 [%cell], %x
      %c1 = ptx.constant 1 : i32
      %zero = ptx.setp eq u32 %lane, %c1
      ptx.guard %zero { ptx.st global b32 [%cell], {%x} }"""
    text = KERNEL.format(bytes=4, load="b32", type="i32", body=body)
    cell = np.zeros(1, np.uint32)
    report = simulate(
        text, [cell, np.ones(32, np.uint32), np.zeros(32, np.uint32)], Launch(grid=(2,))
    )
    assert report.findings
