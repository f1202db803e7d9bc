"""Tests of the public descriptor classes: any value, readable text, lazy loading."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tcgen05_dialect
from tcgen05_dialect import InstructionDescriptor, SharedMemoryDescriptor, ZeroColumnMask
from tcgen05_dialect.isa.mma import sparse
from tcgen05_dialect.isa.mma.instruction_descriptor import descriptor_layout
from tcgen05_dialect.isa.mma.shapes import KINDS
from tcgen05_dialect.isa.model.bitfield import BitLayout, FieldReading
from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.isa.shared_memory.descriptor import DESCRIPTOR_LAYOUT

from ..support.effort import part

PUBLIC = ("InstructionDescriptor", "SharedMemoryDescriptor", "ZeroColumnMask")
VALUES, EACH = 4_000, 100


class Format(NamedTuple):
    """A format of a public class, with its `decode` and `explain`."""

    layout: BitLayout
    decode: Callable[[int], Any]
    explain: Callable[[int], list[FieldReading]]


def instruction_format(kind: str) -> Format:
    return Format(
        descriptor_layout(kind),
        partial(InstructionDescriptor.decode, kind),
        partial(InstructionDescriptor.explain, kind),
    )


FORMATS = {kind: instruction_format(kind) for kind in KINDS} | {
    "shared memory": Format(
        DESCRIPTOR_LAYOUT,
        SharedMemoryDescriptor.decode,
        SharedMemoryDescriptor.explain,
    ),
    "zero-column mask": Format(sparse.MASK_LAYOUT, ZeroColumnMask.decode, ZeroColumnMask.explain),
}
INSTRUCTION_FORMATS = tuple(FORMATS[kind] for kind in KINDS)


def uniform(format_: Format, random: Random) -> int:
    return random.getrandbits(format_.layout.width)


def mostly_legal(format_: Format, random: Random) -> int:
    """A value with legal fields, except that one field in ten has random bits."""
    value = 0
    for field in format_.layout.fields:
        code = field.encode(random.choice(tuple(field.legal)))
        assert code is not None
        if random.random() < 0.1:
            code = random.getrandbits(field.hi - field.lo + 1)
        value |= code << field.lo
    return value


def key(violation: Violation) -> tuple[str, str, object]:
    return violation.rule.id, violation.what, violation.found


def is_refused(descriptor: object) -> bool:
    """Whether every instruction refuses the descriptor."""
    if isinstance(descriptor, InstructionDescriptor):
        forms = product((False, True), (1, 2))
        return all(descriptor.violations(*form) for form in forms)
    if isinstance(descriptor, SharedMemoryDescriptor):
        return bool(descriptor.violations())
    assert isinstance(descriptor, ZeroColumnMask)
    return all(descriptor.violations(m) for m in (32, 64, 128))


def check(format_: Format, value: int) -> None:
    """The value is that of its descriptor, or the violation names exactly the wrong fields."""
    readings = format_.explain(value)
    word = width = 0
    for reading in readings:
        lo, _, hi = reading.bits.partition("-")
        word |= reading.raw << int(lo)
        width += int(hi or lo) - int(lo) + 1
    assert (word, width) == (value, format_.layout.width)
    wrong = [(reading, reading.violation) for reading in readings if reading.violation is not None]
    try:
        descriptor = format_.decode(value)
    except Violation as violation:
        assert list(map(key, violation.parts)) == [key(part) for _, part in wrong]
        for reading, part in wrong:
            place = f"bit{'s' if '-' in reading.bits else ''} {reading.bits}"
            named = place if reading.field == "fixed bits" else f"{reading.field} ({place})"
            assert part.help.endswith(f"({named} of the {format_.layout.noun})")
    else:
        # Fields that are legal one by one may still not go together.
        assert bool(wrong) == is_refused(descriptor)
        assert descriptor.encode() == value
        assert str(descriptor) and "\n" not in str(descriptor)


@pytest.mark.slow
@pytest.mark.parametrize("draw", [uniform, mostly_legal])
@pytest.mark.parametrize(
    "formats",
    [
        INSTRUCTION_FORMATS,
        (FORMATS["shared memory"],),
        (FORMATS["zero-column mask"],),
    ],
    ids=PUBLIC,
)
def test_any_value_decodes_or_names_every_wrong_field(
    formats: tuple[Format, ...], draw: Callable[[Format, Random], int]
) -> None:
    # The values come from seeds, since hypothesis prefers small numbers to uniform ones.
    @settings(deadline=None, max_examples=part(VALUES // EACH), database=None)
    @given(st.sampled_from(formats), st.integers(0, (1 << 64) - 1))
    def property_(format_: Format, seed: int) -> None:
        random = Random(seed)
        for _ in range(EACH):
            check(format_, draw(format_, random))

    property_()


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("draw", [uniform, mostly_legal])
def test_some_values(name: str, draw: Callable[[Format, Random], int]) -> None:
    random = Random(name)
    for _ in range(50):
        check(FORMATS[name], draw(FORMATS[name], random))


@pytest.mark.parametrize("name", FORMATS)
def test_edges(name: str) -> None:
    """No bits, all bits, each single bit; a wider number and a negative one are refused."""
    format_ = FORMATS[name]
    width = format_.layout.width
    for value in (0, (1 << width) - 1, *(1 << bit for bit in range(width))):
        check(format_, value)
    for value in (-1, 1 << width):
        for function in (format_.decode, format_.explain):
            text = r"(descriptor|mask) must be 0 to 0xf+; found -?0x.*"
            with pytest.raises(Violation, match=text):
                function(value)


@pytest.mark.parametrize(
    ("descriptor", "text"),
    [
        (
            InstructionDescriptor("f16", 128, 256, "bf16", "f16", "f32", negate_b=True),
            "f16, bf16 x f16 -> f32, 128x256, negate_b",
        ),
        (
            SharedMemoryDescriptor(0x400, 16, 1024, swizzle="swizzle_128b"),
            "swizzle_128b at 0x400, leading 0x10, stride 0x400",
        ),
        (
            SharedMemoryDescriptor(0, 0x800, 1024, 3, True, "swizzle_128b"),
            "swizzle_128b at 0x0, absolute 0x800, stride 0x400, base offset 3",
        ),
        (ZeroColumnMask(), "no column zeroed"),
        (ZeroColumnMask(column_shift=2), "no column zeroed; shifted by 2"),
        (
            ZeroColumnMask((0, 1, 2, 1), (True, True, False, False), True, 2, 3),
            "3 zeroed, 4 used; sub-masks begin zeroed without 0, zeroed without 1, "
            "used without 2, used without 1",
        ),
    ],
)
def test_text(descriptor: object, text: str) -> None:
    assert str(descriptor) == text


def test_explain_says_what_is_wrong() -> None:
    lines = [str(reading) for reading in ZeroColumnMask.explain(63 << 56 | 1 << 38 | 5 << 8)]
    assert lines[1] == " 8-15  start_count1 = 0x5: 5"
    assert lines[8] == (
        "36-38  fixed bits = 0x4: fixed bits of the zero-column mask must be 0b000; found 0b100 "
        "[T5-DESC-010] (PTX ISA 9.7.16.4.3)"
    )
    assert "0, 1, ... 32; found 63 [T5-DESC-011]" in lines[12]
    assert len(lines) == 14


F16 = InstructionDescriptor("f16", 128, 256, "f16", "f16", "f32")
MXF4 = InstructionDescriptor("mxf4", 256, 64, "e2m1", "e2m1", "f32", scale_type="ue8m0")


@pytest.mark.parametrize(
    ("descriptor", "wrong"),
    [
        (F16, {}),
        (replace(F16, m=32, n=128, max_shift=8), {}),
        (replace(F16, m=256, n=16), {}),
        (replace(F16, d="f16", b="bf16"), {"b": ["T5-TYPE-003"]}),
        (replace(F16, m=32, n=8), {"n": ["T5-SHAPE-002"]}),
        (replace(F16, sparsity_selector=2), {"sparsity_selector": ["T5-IDESC-006"]}),
        (replace(MXF4, k96=True, sparse=True), {"k96": ["T5-SHAPE-002"]}),
        (
            replace(MXF4, sfa_id=1, sfb_id=3),
            {"sfa_id": ["T5-SCALE-001"], "sfb_id": ["T5-SCALE-001"]},
        ),
        (replace(MXF4, sfa_id=1, sfb_id=3, k96=True), {}),
        (
            InstructionDescriptor("f8f6f4", 128, 8, "e2m1", "e4m3", "f32", True, True),
            {"transpose_a": ["T5-SWIZZLE-002"], "n": ["T5-SHAPE-003"]},
        ),
        (
            InstructionDescriptor("f8f6f4", 256, 24, "e4m3", "e4m3", "f32", False, True),
            {"n": ["T5-SHAPE-002", "T5-SHAPE-003"]},
        ),
    ],
)
def test_explain_names_fields_that_do_not_go_together(
    descriptor: InstructionDescriptor, wrong: dict[str, list[str]]
) -> None:
    readings = InstructionDescriptor.explain(descriptor.kind, descriptor.encode())
    found = {
        reading.field: [part.rule.id for part in reading.violation.parts]
        for reading in readings
        if reading.violation is not None
    }
    assert found == wrong


def test_explain_names_what_an_absolute_offset_excludes() -> None:
    descriptor = SharedMemoryDescriptor(0, 1024, 0, 3, True, "swizzle_64b")
    wrong = [
        reading.field for reading in descriptor.explain(descriptor.encode()) if reading.violation
    ]
    assert wrong == ["base_offset", "swizzle"]
    legal = replace(descriptor, base_offset=0, swizzle="swizzle_128b")
    assert all(reading.is_legal for reading in legal.explain(legal.encode()))


def test_the_package_loads_them_on_demand() -> None:
    """Importing the package loads no module of isa/; a name loads its own module, and no xDSL."""
    code = (
        "import sys, tcgen05_dialect as package\n"
        "print(any('tcgen05_dialect.' in name for name in sys.modules))\n"
        f"for name in {PUBLIC}: getattr(package, name)\n"
        "loaded = {name for name in sys.modules if 'tcgen05_dialect.' in name}\n"
        "print(sorted({name.split('.')[1] for name in loaded}))\n"
        "print('xdsl' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split("\n")[:3] == ["False", "['isa']", "False"]
    assert set(PUBLIC) <= set(tcgen05_dialect.__all__)
    for name in PUBLIC:
        class_ = getattr(tcgen05_dialect, name)
        assert class_.__doc__
        assert all(callable(getattr(class_, method)) for method in ("encode", "decode", "explain"))
