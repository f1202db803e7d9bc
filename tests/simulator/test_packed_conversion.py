"""Tests of conversions of packed numbers of at most 8 bits, against ml_dtypes."""

from collections.abc import Iterator, Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tcgen05_dialect.isa.instructions.conversion import PACK, PACKED, PACKED_ELEMENTS, QUADS
from tcgen05_dialect.ptx.instruction import Instruction
from tcgen05_dialect.ptx.instructions import (
    CvtPackedOp,
    CvtPackIntegersOp,
    CvtPackNarrowOp,
    CvtPackShortIntegersOp,
    CvtStochasticOp,
    CvtStochasticPairOp,
)

from ..support.arithmetic_reference import text
from .test_arithmetic import instances, run

FORMATS: dict[str, Any] = {
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "e3m2": ml_dtypes.float6_e3m2fn,
    "e2m3": ml_dtypes.float6_e2m3fn,
    "e2m1": ml_dtypes.float4_e2m1fn,
    "ue8m0": ml_dtypes.float8_e8m0fnu,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
}
LIMITS: Any = ml_dtypes.finfo
HALVES = np.arange(1 << 16, dtype=np.uint16)
CANONICAL = 0x7FFF
"""NaN of f16 and bf16."""


def split(type_: str) -> tuple[str, int]:
    element, _, count = type_.partition("x")
    return element, int(count)


def slot(element: str) -> int:
    return PACKED_ELEMENTS[element].slot_bits if element in PACKED_ELEMENTS else 16


def part(bits: Sequence[int], type_: str, place: int) -> Any:
    """The codes at a place of packed registers."""
    element, _ = split(type_)
    size = slot(element)
    return np.array(bits, np.uint64) >> size * place & (1 << size) - 1


def numbers(codes: Any, element: str) -> Any:
    """The numbers for codes, by ml_dtypes."""
    dtype = np.dtype(FORMATS[element])
    kept = codes & (1 << LIMITS(dtype).bits) - 1
    return kept.astype(f"u{dtype.itemsize}").view(dtype).astype(np.float64)


def codes(values: Any, element: str, op: Instruction) -> Any:
    """The codes for numbers, by ml_dtypes, with the qualifiers of an instruction."""
    if element == "ue8m0":
        return exponents(values, op)
    dtype = np.dtype(FORMATS[element])
    nan, greatest = np.isnan(values), float(LIMITS(dtype).max)
    limited = np.clip(values, -greatest, greatest) if text(op, "saturate") else values
    bits = limited.astype(dtype).view(f"u{dtype.itemsize}").astype(np.uint64)
    if text(op, "relu"):
        bits = np.where(np.signbit(values), 0, bits)
    absent = {"e4m3": 0x7F, "e5m2": 0x7F, "e3m2": 0x1F, "e2m3": 0x1F, "e2m1": 7}
    return np.where(nan, absent.get(element, CANONICAL), bits)


def exponents(values: Any, op: Instruction) -> Any:
    """The codes of ue8m0 for numbers of f32 and bf16, which are multiples of 2^-149."""
    found: list[int] = []
    for value in values.tolist():
        if value != value:
            found.append(255)
        elif abs(value) == np.inf:
            found.append(254 if text(op, "saturate") else 255)
        else:
            steps = int(abs(value) * 2.0**149)
            up = text(op, "rounding") == "rp"
            log = (steps - 1).bit_length() if up else steps.bit_length() - 1
            code = max(0, log - 149 + 127) if steps else 0
            found.append(min(code, 254) if text(op, "saturate") else code)
    return np.array(found, np.uint64)


def floats() -> Any:
    """Bits of f32: all f16 and bf16 numbers, what lies beside them, and random ones."""
    chance = np.random.default_rng(7)
    wide = (HALVES.astype(np.uint32) << 16).view(np.float32)
    with np.errstate(invalid="ignore"):
        near = HALVES.view(np.float16).astype(np.float32)
        beside = np.nextafter(near, np.float32(np.inf))
    random = chance.integers(0, 1 << 32, 1 << 14, dtype=np.uint32).view(np.float32)
    return np.concatenate([wide, near, beside, random]).view(np.uint32)


def of(op_type: type[Instruction], type_: str, source: str = "") -> Iterator[Instruction]:
    found = [
        op
        for op in instances(op_type)
        if text(op, "type") == type_ and (not source or text(op, "source") == source)
    ]
    assert found
    yield from found


@pytest.mark.slow
@pytest.mark.parametrize("type_", sorted(PACK.values("type")))
def test_floats_to_packed_numbers(type_: str) -> None:
    bits = floats() if type_ != "ue8m0x2" else floats()[::16]
    element, _ = split(type_)
    for op in of(CvtPackNarrowOp, type_):
        (found,) = run(op, [bits, bits[::-1]])
        with np.errstate(all="ignore"):
            wanted = codes(bits.view(np.float32).astype(np.float64), element, op)
        assert (part(found, type_, 1) == wanted).all(), op
        assert (part(found, type_, 0) == wanted[::-1]).all(), op


PAIRS = sorted({(row["type"], row["source"]) for row in PACKED.points()})


@pytest.mark.slow
@pytest.mark.parametrize(("type_", "source"), PAIRS)
def test_packed_numbers(type_: str, source: str) -> None:
    """Every code, beside another one."""
    (to, _), (from_, _) = split(type_), split(source)
    size = slot(from_)
    codes_ = np.arange(1 << size, dtype=np.uint64)
    step = 8 if to == "ue8m0" else 1
    bits = (codes_ | codes_[::-1] << size)[::step]
    scales = np.resize(np.arange(1 << 16, dtype=np.uint64)[::509], len(bits))
    for op in of(CvtPackedOp, type_, source):
        operands = [bits, scales][: len(op.operands)]
        (found,) = run(op, [each.tolist() for each in operands])
        for place in (0, 1):
            with np.errstate(all="ignore"):
                values = numbers(part(bits.tolist(), source, place), from_)
                if len(operands) == 2:
                    values = values * numbers(part(scales.tolist(), "ue8m0x2", place), "ue8m0")
                wanted = codes(values, to, op)
            assert (part(found, type_, place) == wanted).all(), op


@pytest.mark.slow
@pytest.mark.parametrize("type_", QUADS)
def test_random_bits_choose_between_neighbours(type_: str) -> None:
    """No random bits truncate; the share of results that are rounded up is the rest."""
    element, _ = split(type_)
    chance = np.random.default_rng(3)
    values = np.array([0.0, 1.0, -1.5, 1.2, -1.2, 0.3, 5.5, 1e9, -np.inf], np.float32)
    random = chance.integers(0, 1 << 32, 2048, dtype=np.uint32)
    for op in of(CvtStochasticOp, type_):
        for value in values.tolist():
            bits = [int(np.float32(value).view(np.uint32))] * len(random)
            (found,) = run(op, [bits, bits, bits, bits, random.tolist()])
            (cut,) = run(op, [[bits[0]]] * 4 + [[0]])
            for place in range(4):
                given = numbers(part(found, type_, place), element)
                (low,) = numbers(part(cut, type_, place), element).tolist()
                greatest = float(LIMITS(FORMATS[element]).max)
                wanted = np.clip(max(value, 0) if text(op, "relu") else value, -greatest, greatest)
                assert abs(low) <= abs(wanted)
                assert abs(given.mean() - wanted) <= 0.05 * max(1, abs(given - low).max()), op


@pytest.mark.parametrize("type_", ["f16x2", "bf16x2"])
def test_random_bits_are_added_below_the_last_bit(type_: str) -> None:
    chance = np.random.default_rng(5)
    count = {"f16x2": 13, "bf16x2": 16}[type_]
    exponents = chance.integers(127 - 10, 127 + 10, 4096, dtype=np.uint32)
    bits = exponents << 23 | chance.integers(0, 1 << 23, 4096, dtype=np.uint32)
    random = chance.integers(0, 1 << 32, 4096, dtype=np.uint32)
    for op in of(CvtStochasticPairOp, type_):
        (found,) = run(op, [bits.tolist(), bits.tolist(), random.tolist()])
        for place in (0, 1):
            added = bits + (random >> 16 * place & (1 << count) - 1)
            kept = (added >> count << count).view(np.float32).astype(FORMATS[type_[:-2]])
            assert (part(found, type_, place) == kept.view(np.uint16)).all(), op


@pytest.mark.parametrize("op_type", [CvtPackIntegersOp, CvtPackShortIntegersOp])
def test_packed_integers(op_type: type[Instruction]) -> None:
    chance = np.random.default_rng(9)
    for op in instances(op_type):
        type_ = text(op, "type")
        size = int(type_[1:])
        least, greatest = (
            (-(1 << size - 1), (1 << size - 1) - 1) if type_[0] == "s" else (0, (1 << size) - 1)
        )
        operands = chance.integers(-(1 << 31), 1 << 31, (3, 64))
        operands[:2, ::2] = chance.integers(least - 2, greatest + 3, (2, 32))
        lanes = (operands % (1 << 32)).tolist()[: len(op.operands)]
        (found,) = run(op, lanes)
        for lane, bits in enumerate(found):
            high, low = (
                max(least, min(greatest, int(operands[i, lane]))) % (1 << size) for i in (0, 1)
            )
            rest = lanes[2][lane] if len(lanes) > 2 else 0
            assert bits == (rest << 2 * size | high << size | low) % (1 << 32), op
