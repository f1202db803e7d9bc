"""Tests of tcgen05.ld and tcgen05.st in the emulator, against the golden tables."""

from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from ..support.effort import sampled
from ..support.float_reference import LAYOUTS, extremum
from ..support.golden_tables import Json, golden
from ..support.tensor_memory_kernel import COLUMNS, DUMP, LANES, numbered, run


def access(row: Json) -> tuple[str, str, str]:
    """The shape and number of registers, what packs, and the split offset, as IR spells them."""
    shape = f"shape_{row['shape'][1:]} x{row['num']}"
    option = {"ld": "pack", "st": "unpack"}[row["op"]] if row["pack16"] else ""
    split = row["half_split_off"]
    return shape, option, "" if split is None else f" split_offset({split})"


def places(row: Json) -> npt.NDArray[Any]:
    """Thread x register x half x (lane, column)."""
    halves = 2 if row["pack16"] else 1
    return np.array(row["map"]).reshape(32, row["regs"], halves, 2)


ROWS = [row for row in golden("tmem_ldst") if "map" in row]


def identity(row: Json) -> str:
    return "-".join(str(row[key]) for key in ("op", "shape", "num", "pack16", "half_split_off"))


@pytest.mark.slow
@pytest.mark.parametrize("row", sampled([r for r in ROWS if r["op"] == "ld"], 6), ids=identity)
def test_loads(row: Json) -> None:
    shape, option, split = access(row)
    count = row["regs"]
    stores = "\n".join(
        f"""%i{r} = arith.addi %thread, %k{r} : i32
        %o{r} = ptx.mul.wide u32 %i{r}, %c4
        %t{r} = arith.addi %out, %o{r} : i64
        ptx.st global b32 [%t{r}], {{%v{"" if count == 1 else f"#{r}"}}}"""
        for r in range(count)
    )
    constants = "\n".join(f"%k{r} = arith.constant {32 * r} : i32" for r in range(count))
    names = "%v" if count == 1 else f"%v:{count}"
    found = run(
        f"""{constants}
        scf.if %is_first {{
        {names} = ptx.tcgen05.ld {shape} {option} [%base]{split} -> {count} x i32
        ptx.tcgen05.wait ld
        {stores}
        }}""",
        numbered(),
        32 * count,
    )
    at = places(row)
    cells = numbered()[at[..., 0], at[..., 1]]
    expected = cells[..., 0]
    if row["pack16"]:
        expected = cells[..., 0] & 0xFFFF | cells[..., 1] << 16
    assert np.array_equal(found.reshape(count, 32).T, expected)


SPECIAL = [
    *(0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x3F800000, 0xBF800000),
    *(0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x7F7FFFFF, 0xFFFFFFFF),
]
"""Zeros, subnormal numbers, infinities and NaNs of f32, and integers at the ends of their range."""


def least_or_greatest(op: str, type_: str, absolute: bool, nan: bool, values: list[int]) -> int:
    if type_ != "f32":
        choose = min if op == "min" else max
        return choose(values, key=lambda bits: bits - (bits >> 31 << 32) * (type_ == "s32"))
    layout = LAYOUTS["f32"]
    given = [bits & ~layout.sign if absolute else bits for bits in values]
    return reduce(lambda a, b: extremum(op, layout, a, b, False, nan), given)


@pytest.mark.slow
@pytest.mark.parametrize("op", ["min", "max"])
@pytest.mark.parametrize(
    ("options", "type_"),
    [("", "s32"), ("", "u32"), ("", "f32"), ("abs", "f32"), ("nan", "f32"), ("abs nan", "f32")],
)
def test_reductions(op: str, options: str, type_: str) -> None:
    random = np.random.default_rng(1)
    cells = np.full((LANES, COLUMNS), 1, np.uint32)
    cells[:, :4] = random.choice(np.array(SPECIAL, np.uint32), (LANES, 4))
    register = "f32" if type_ == "f32" else "i32"
    found = run(
        f"""
        %v:5 = ptx.tcgen05.ld.red shape_32x32b x4 {op} {options} {type_} [%mine] -> 5 x {register}
        ptx.tcgen05.wait ld
        %offset = ptx.mul.wide u32 %thread, %c4
        %to = arith.addi %out, %offset : i64
        ptx.st global b32 [%to], {{%v#4}}
        """,
        cells,
        LANES,
    )
    for lane in range(LANES):
        values = cells[lane, :4].tolist()
        expected = least_or_greatest(op, type_, "abs" in options, "nan" in options, values)
        assert found[lane] == expected, [f"{bits:#x}" for bits in (*values, found[lane], expected)]


@pytest.mark.slow
@pytest.mark.parametrize("row", sampled([r for r in ROWS if r["op"] == "st"], 6), ids=identity)
def test_stores(row: Json) -> None:
    shape, option, split = access(row)
    count = row["regs"]
    values = "\n".join(
        f"%k{r} = arith.constant {(r + 1) << 16 | r << 8} : i32\n"
        f"%v{r} = arith.addi %thread, %k{r} : i32"
        for r in range(count)
    )
    registers = ", ".join(f"%v{r}" for r in range(count))
    found = run(
        f"""{values}
        scf.if %is_first {{
        ptx.tcgen05.st {shape} {option} [%base]{split}, {{{registers}}}
        ptx.tcgen05.wait st
        }}
        ptx.bar.sync %c0
        {DUMP}""",
        numbered(),
        LANES * COLUMNS,
    )
    expected = numbered()
    at = places(row)
    thread = np.arange(32, dtype=np.uint32)[:, None]
    register = np.arange(count, dtype=np.uint32)[None]
    stored: Any = ((register + 1) << 16 | register << 8) + thread
    halves = (stored & 0xFFFF, stored >> 16) if row["pack16"] else (stored,)
    for half, value in enumerate(halves):
        expected[at[:, :, half, 0], at[:, :, half, 1]] = value
    assert np.array_equal(found.reshape(LANES, COLUMNS), expected)
