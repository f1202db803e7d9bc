"""Tests of mma.sync in the emulator, against numpy."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest
from xdsl.dialects.builtin import f64, i32
from xdsl.ir import SSAValue
from xdsl.utils.test_value import create_ssa_value

from tcgen05_dialect.isa.instructions.matrices import MMA, MMA_OF_F64
from tcgen05_dialect.ptx.instructions import MmaSyncF64Op, MmaSyncOp
from tcgen05_dialect.simulator.instructions.matrices import HANDLERS

Array = npt.NDArray[Any]
FLOATS: Mapping[str, Any] = {
    "f64": np.float64,
    "f32": np.float32,
    "tf32": np.float32,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
}
WIDTHS = {"s32": 32, "u8": 8, "s8": 8, "u4": 4, "s4": 4, "b1": 1}


def width(type_: str) -> int:
    return WIDTHS.get(type_) or 8 * np.dtype(FLOATS[type_]).itemsize


def encoded(numbers: Array, type_: str) -> Array:
    """The bits of numbers."""
    if type_ in FLOATS:
        return numbers.astype(FLOATS[type_]).view(f"u{width(type_) // 8}").astype(np.uint64)
    return numbers.astype(np.int64).view(np.uint64) & np.uint64((1 << width(type_)) - 1)


def packed(bits: Array, size: int) -> Array:
    """Rows of registers: each holds the next elements of a row, the first in its lowest bits."""
    count = max(1, 32 // size)
    parts = bits.reshape(len(bits), -1, count) << np.arange(count, dtype=np.uint64) * np.uint64(
        size
    )
    return np.bitwise_or.reduce(parts, axis=2)


def fragment(rows: Array, type_: str) -> Array:
    """The registers of all lanes for rows along K: like the tiles of 8 rows of 16 bytes that
    ldmatrix loads."""
    registers = packed(encoded(rows, type_), width(type_))
    tiles = registers.reshape(len(rows) // 8, 8, -1, 4)
    return tiles.transpose(2, 0, 1, 3).reshape(-1, 32)


def accumulator(matrix: Array, type_: str) -> Array:
    """The registers of all lanes for C or D: each lane has two neighbours in a row of 8."""
    registers = packed(encoded(matrix, type_), width(type_))
    tiles = registers.reshape(len(matrix) // 8, 8, 4, -1)
    return tiles.transpose(0, 3, 1, 2).reshape(-1, 32)


def run(point: Mapping[str, Any], a: Array, b: Array, c: Array) -> Array:
    """The registers of D in all lanes."""
    op_type = MmaSyncF64Op if point["d_type"] == "f64" else MmaSyncOp
    type_ = f64 if point["d_type"] == "f64" else i32
    operands = {
        name: [create_ssa_value(type_) for _ in registers]
        for name, registers in (("a", a), ("b", b), ("c", c))
    }
    words = {
        name: value
        for name, value in point.items()
        if value is not None and name not in (*operands, "d")
    }
    op = op_type.assemble(operands, [type_] * point["d"], words)
    op.verify_()
    state: dict[SSAValue, Array] = dict(zip(op.operands, (*a, *b, *c), strict=True))

    def places(op: Any, name: str) -> Sequence[SSAValue]:
        return operands[name]

    def same(value: SSAValue) -> SSAValue:
        return value

    program: Any = SimpleNamespace(operands=places, index=same)
    group: Any = SimpleNamespace(
        machine=SimpleNamespace(computes=True), read=state.__getitem__, write=state.__setitem__
    )
    assert HANDLERS[op_type](op, program)(group) is None
    return np.array([state[each] for each in op.results])


def numbers_of(chance: np.random.Generator, type_: str, shape: tuple[int, int]) -> Array:
    """Small integers, whose sums are exact in every type."""
    low, high = {"b1": (0, 2), "u4": (0, 16), "u8": (0, 256), "s8": (-128, 128)}.get(type_, (-4, 5))
    return chance.integers(low, high, shape)


POINTS = [point for table in (MMA, MMA_OF_F64) for point in table.points()]
IN_WARPS = [p for p in POINTS if p["shape"] != "m8n8k4" or p["d_type"] == "f64"]


def test_every_form() -> None:
    chance = np.random.default_rng(0)
    assert len(IN_WARPS) > 50
    for point in IN_WARPS:
        m, nk = point["shape"].removeprefix("m").split("n")
        rows, columns, k = int(m), *map(int, nk.split("k"))
        a = numbers_of(chance, point["a_type"], (rows, k))
        b = numbers_of(chance, point["b_type"], (k, columns))
        c = numbers_of(chance, "c", (rows, columns))
        match point.get("bit_operation"):
            case "and":
                d = a @ b + c
            case "xor":
                d = (a[:, :, None] ^ b[None]).sum(axis=1) + c
            case _:
                d = a @ b + c
        found = run(
            point,
            fragment(a, point["a_type"]),
            fragment(b.T, point["b_type"]),
            accumulator(c, point["c_type"]),
        )
        assert (found == accumulator(d, point["d_type"])).all(), point


@pytest.mark.parametrize("saturate", [None, "satfinite"])
def test_sums_of_integers_wrap_or_saturate(saturate: str | None) -> None:
    (point,) = (
        p
        for p in IN_WARPS
        if (p["shape"], p["a_type"], p["b_type"]) == ("m16n8k32", "s8", "s8")
        and p["saturate"] == saturate
    )
    a, b = np.full((16, 32), -128), np.full((32, 8), -128)
    c = np.full((16, 8), (1 << 31) - 1)
    d = a @ b + c
    d = np.minimum(d, (1 << 31) - 1) if saturate else d
    found = run(point, fragment(a, "s8"), fragment(b.T, "s8"), accumulator(c, "s32"))
    assert (found == accumulator(d, "s32")).all()


def test_sums_of_floats_are_rounded_once() -> None:
    (point,) = (p for p in IN_WARPS if (p["shape"], p["a_type"]) == ("m16n8k16", "bf16"))
    chance = np.random.default_rng(1)
    a = chance.standard_normal((16, 16)).astype(ml_dtypes.bfloat16)
    b = chance.standard_normal((16, 8)).astype(ml_dtypes.bfloat16)
    c = chance.standard_normal((16, 8)).astype(np.float32)
    d = (a.astype(np.float64) @ b.astype(np.float64) + c).astype(np.float32)
    found = run(point, fragment(a, "bf16"), fragment(b.T, "bf16"), accumulator(c, "f32"))
    assert (found == accumulator(d, "f32")).all()


def quad_pair(matrix: str, layout: str, type_: str, lane: int, i: int) -> tuple[int, int]:
    """The row and column of element `i` of a lane, as the manual gives them for m8n8k4."""
    low = lane < 16
    match matrix, layout:
        case ("a", "row"):
            return lane % 4 + (0 if low else 4), i
        case ("a", _):
            return i % 4 + (0 if low else 4), lane % 4
        case ("b", "row"):
            return lane % 4, i + (0 if low else 4)
        case ("b", _):
            return i, lane % 4 + (0 if low else 4)
        case _ if type_ == "f16":
            return lane % 4 + (0 if low else 4), i
        case _:
            row = (lane & 0b1) + (i & 0b10)
            return row if low else row + 4, (i & 0b100) + (lane & 0b10) + (i & 0b1)


def distributed(matrices: Array, name: str, layout: str, type_: str) -> Array:
    """The registers of all lanes for the matrices of four quad pairs."""
    count = {"a": 4, "b": 4}.get(name, 8)
    lanes: list[Array] = []
    for lane in range(32):
        places = [quad_pair(name, layout, type_, lane, i) for i in range(count)]
        numbers = np.array([[matrices[lane % 16 // 4][place] for place in places]])
        lanes.append(packed(encoded(numbers, type_), width(type_))[0])
    return np.array(lanes).T


def test_products_of_quad_pairs() -> None:
    chance = np.random.default_rng(2)
    points = [p for p in POINTS if p["shape"] == "m8n8k4" and p["a_type"] == "f16"]
    assert len(points) == 12
    for point in points:
        a, b, c = (chance.integers(-4, 5, (4, *shape)) for shape in ((8, 4), (4, 8), (8, 8)))
        given = [
            distributed(a, "a", point["a_layout"], "f16"),
            distributed(b, "b", point["b_layout"], "f16"),
            distributed(c, "c", "", point["c_type"]),
        ]
        found = run(point, *given)
        assert (found == distributed(a @ b + c, "d", "", point["d_type"])).all(), point
