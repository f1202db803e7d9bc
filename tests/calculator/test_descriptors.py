"""Tests of the calculator's descriptors: golden tables and examples of the manual."""

import json
from itertools import product

import numpy as np
import pytest

from tcgen05_dialect.calculator import QuestionError
from tcgen05_dialect.calculator.descriptors import (
    Derivation,
    derivation,
    instruction_descriptor,
    instruction_descriptor_of_any_kind,
    kind_of,
    shared_memory_descriptor,
    sub_masks,
    zero_column_mask,
    zero_columns,
)
from tcgen05_dialect.calculator.operands import box_of
from tcgen05_dialect.isa.mma.instruction_descriptor import InstructionDescriptor
from tcgen05_dialect.isa.mma.sparse import ZeroColumnMask
from tcgen05_dialect.isa.model.rule import Violation, describe
from tcgen05_dialect.isa.shared_memory.descriptor import UNIT_BYTES
from tcgen05_dialect.isa.shared_memory.layout import (
    ATOM_ORDERS,
    ATOMS,
    SWIZZLE_COMBINATIONS,
    SharedMemoryLayout,
)
from tcgen05_dialect.simulator.machine.tensor_map import TensorMap

from ..support.effort import sampled
from ..support.golden_rows import SWIZZLES, shared_memory_layout
from ..support.golden_rows import instruction_descriptor as descriptor_of
from ..support.golden_tables import Json, golden

BF16 = SharedMemoryLayout(128, 128, 16, "k_major", "swizzle_128b")


def fields(answer: Json) -> Json:
    """The named fields of a word."""
    return {each["field"]: each["value"] for each in answer["fields"]}


@pytest.mark.slow
def test_golden_instruction_descriptors() -> None:
    """The table also has words that no MMA takes; the answer then says what is wrong."""
    wrong: list[Json] = []
    for row in sampled(golden("idesc"), 200):
        answer = json.loads(instruction_descriptor(row["kind"], row["value"]).json())
        found, expected = fields(answer), descriptor_of(row)
        found.pop("fixed bits", None)
        forms = [(False, 1), (False, 2), (True, 1)]
        is_legal = any(not expected.violations(*form) for form in forms)
        if (
            any(describe(getattr(expected, name)) != text for name, text in found.items())
            or is_legal == ("wrong" in answer)
            or is_legal != bool(answer.get("instructions"))
            or (is_legal and answer["says"] != str(expected))
        ):
            wrong.append(row)
    assert not wrong


@pytest.mark.slow
def test_golden_shared_memory_descriptors() -> None:
    """The answer lists all MMAs of a tile; a tile that Table 52 forbids is refused."""
    wrong: list[Json] = []
    for row in sampled(golden("sdesc"), 200):
        tile = shared_memory_layout(row)
        arguments = (tile, row["elem"], row["smem_base"], row["mma_mn"], row["mma_k"])
        if not row["in_table_52"]:
            with pytest.raises(Violation):
                Derivation(*arguments)
            continue
        answer = json.loads(derivation(Derivation(*arguments)).json())
        steps = [
            [each["mn"] // row["mma_mn"], each["k"] // row["mma_k"], each["descriptor"]]
            for each in answer["descriptors"]
        ]
        lines = {line["name"]: line["value"] for line in answer["derivation"]}
        word = json.loads(shared_memory_descriptor(int(row["value"], 16)).json())
        expected = {
            "start_address": row["smem_base"],
            "leading_byte_offset": row["lbo_bytes"],
            "stride_byte_offset": row["sbo_bytes"],
            "base_offset": row["base_offset"],
            "swizzle": SWIZZLES[row["swizzle"]],
        }
        if (
            sorted(steps) != sorted(row["steps"])
            or lines["leading byte offset"] != str(row["lbo_bytes"])
            or lines["stride byte offset"] != str(row["sbo_bytes"])
            or lines["base offset"] != str(row["base_offset"])
            or any(fields(word)[name] != str(value) for name, value in expected.items())
        ):
            wrong.append(row)
    assert not wrong


@pytest.mark.slow
def test_golden_zero_column_masks() -> None:
    wrong: list[Json] = []
    for row in sampled(golden("zero_column_mask"), 400):
        if "value" not in row:
            continue
        m, n, word = row["M"], row["N"], int(row["value"], 16)
        answer = json.loads(zero_column_mask(word, m, n).json())
        generated = int(row["mask_hex"], 16)
        columns = [column for column in range(n) if generated >> column & 1]
        shift = row.get("shift", 0)
        if (
            answer["zero_columns"] != columns
            or int(answer["mask"], 16) != generated
            or answer["columns_of_b"] != list(range(shift, shift + n))
        ):
            wrong.append(row)
    assert not wrong


def mask(start_counts: str, first_spans: str, *numbers: int) -> ZeroColumnMask:
    """
    The mask of an example of the manual, which lists the highest sub-mask first and prints - for a
    sub-mask that M does not have.
    """
    starts = [int(each) for each in reversed(start_counts.replace("-", "0").split(", "))]
    firsts = [each == "1" for each in reversed(first_spans.split(", "))]
    non_zero, skip, use, shift = numbers
    return ZeroColumnMask(tuple(starts), tuple(firsts), bool(non_zero), skip, use, shift)


@pytest.mark.parametrize(
    ("m", "example", "printed"),
    [
        (128, mask("0, 0, 0, 0", "0, 0, 0, 0", 0, 4, 3, 0), ["0"]),
        (128, mask("-, -, -, 0", "-, -, -, 0", 1, 2, 3, 0), ["111 0000 111 0000"]),
        (
            64,
            mask("-, -, 0, 0", "-, -, 0, 1", 1, 2, 3, 0),
            ["111 0000 111 0000 111", "0000 111 0000 111 0000"],
        ),
        (
            32,
            mask("1, 2, 1, 0", "0, 0, 1, 1", 1, 2, 3, 2),
            ["0000 111 0000 111", "0000 111 0000 11", "111 0000 111 00", "111 0000 111 000"],
        ),
    ],
)
def test_examples_of_zero_column_masks(m: int, example: ZeroColumnMask, printed: list[str]) -> None:
    """The four examples of 9.7.16.4.3, which print the lowest columns of each sub-mask."""
    found = sub_masks(example, m, 128)
    assert len(found) == len(printed)
    assert all(text.endswith(end) for text, end in zip(found, printed, strict=True))
    if not example.non_zero:
        assert not zero_columns(example, m, 128)
    if example.column_shift:
        assert "2 to 129" in zero_column_mask(example.encode(), m, 128).text()


CANONICAL_LAYOUTS = (
    # Majorness, swizzle, element, LBO and SBO in elements, layout with numbers and with names.
    (
        "k_major",
        "no_swizzle",
        "tf32",
        64,
        32,
        "Swizzle<0,4,3> o ((8,2),(4,4)):((4,32),(1,64))",
        "Swizzle<0,4,3> o ((8,m),(T,2k)):((1T,SBO),(1,LBO))",
    ),
    (
        "k_major",
        "swizzle_32b",
        "tf32",
        None,
        64,
        "Swizzle<1,4,3> o ((8,2),(4,4)):((8,64),(1,4))",
        "Swizzle<1,4,3> o ((8,m),(T,2k)):((2T,SBO),(1,T))",
    ),
    (
        "mn_major",
        "no_swizzle",
        "bf16",
        128,
        64,
        "Swizzle<0,4,3> o ((8,1,2),(8,2)):((1,8,64),(8,128))",
        "Swizzle<0,4,3> o ((T,1,m),(8,k)):((1,T,SBO),(1T,LBO))",
    ),
    (
        "mn_major",
        "swizzle_32b",
        "bf16",
        128,
        256,
        "Swizzle<1,4,3> o ((8,2,2),(8,2)):((1,8,128),(16,256))",
        "Swizzle<1,4,3> o ((T,2,m),(8,k)):((1,T,LBO),(2T,SBO))",
    ),
    (
        "mn_major",
        "swizzle_64b",
        "bf16",
        256,
        512,
        "Swizzle<2,4,3> o ((8,4,2),(8,2)):((1,8,256),(32,512))",
        "Swizzle<2,4,3> o ((T,4,m),(8,k)):((1,T,LBO),(4T,SBO))",
    ),
)
"""The five examples of 9.7.16.3.3; in each, m and k are 2."""


@pytest.mark.parametrize(
    ("major", "swizzle", "element", "leading", "stride", "exact", "canonical"), CANONICAL_LAYOUTS
)
def test_examples_of_canonical_layouts(
    major: str,
    swizzle: str,
    element: str,
    leading: int | None,
    stride: int,
    exact: str,
    canonical: str,
) -> None:
    size = 4 if element == "tf32" else 2
    unit = 16 // size
    atom_mn, atom_k = SharedMemoryLayout(1, 1, 8 * size, major, swizzle).atom
    extents = (2 * atom_mn, 2 * (2 * unit if major == "k_major" else atom_k))
    tile = SharedMemoryLayout(*extents, 8 * size, major, swizzle, "mn_first")
    found = dict(Derivation(tile, element, 0, tile.mn, tile.k).canonical())
    found.pop("Not in the form", None)
    assert found == {
        "Exact layout": exact,
        "Canonical layout": canonical,
        "T": str(unit),
        "m": "2",
        "k": "2",
        "LBO (relative offset)": f"{leading}*sizeof({element})" if leading else "NA",
        "SBO": f"{stride}*sizeof({element})",
        "Encoding of LBO in descriptor": f"(LBO) >> 4 = {leading * size >> 4}"
        if leading
        else "1 (assumed)",
        "Encoding of SBO in descriptor": f"(SBO) >> 4 = {stride * size >> 4}",
    }


def test_any_kind() -> None:
    answer = json.loads(instruction_descriptor_of_any_kind(0x8200490).json())
    says = {each["kind"]: each["says"] for each in answer["kinds"]}
    assert says["f16"] == "f16, bf16 x bf16 -> f32, 128x128"
    assert says["tf32"] == "illegal: a, b"


def test_what_is_wrong_and_why() -> None:
    """An answer marks meaningless bits and fields that contradict each other."""
    text = instruction_descriptor("f16", 0x8200490 | 1 << 6 | 1 << 3).text()
    assert "6      fixed bits = 0b1  <- wrong" in text
    assert "[T5-IDESC-004]" in text
    conflicting = InstructionDescriptor("mxf4", 128, 8, "e2m1", "e2m1", "f32", scale_type="ue8m0")
    wide = instruction_descriptor("mxf4", conflicting.encode()).text()
    assert "wrong" not in wide
    odd = InstructionDescriptor("i8", 64, 40, "u8", "u8", "s32").encode()
    assert "17-22  n = 40 (code 0x5)  <- wrong" in instruction_descriptor("i8", odd).text()
    absolute = shared_memory_descriptor(0x4000404000010840 ^ 6 << 61 | 1 << 52).text()
    assert "[T5-DESC-006]" in absolute


@pytest.mark.parametrize("word", [-1, 1 << 32])
def test_words_of_another_width(word: int) -> None:
    with pytest.raises(Violation):
        instruction_descriptor("f16", word)


def test_lines_of_the_manual_fit_the_page() -> None:
    for answer in (
        instruction_descriptor("mxf4", 0x8200490),
        shared_memory_descriptor(0x4000404000010840),
        zero_column_mask(0x0203028301020100, 32, 256),
        derivation(Derivation(BF16, "bf16", 0x8400, 128, 16)),
    ):
        assert max(map(len, answer.text().splitlines())) <= 100


@pytest.mark.parametrize(
    ("address", "offset"), [(0, 0), (1024, 0), (128, 1), (0x8400 + 5 * 128, 5), (7 * 128, 7)]
)
def test_base_offsets(address: int, offset: int) -> None:
    derived = Derivation(BF16, "bf16", address, 128, 16)
    assert {step.descriptor.base_offset for step in derived.steps()} == {offset}


@pytest.mark.parametrize(
    ("tile", "address", "mma", "message"),
    [
        (BF16, 16, (128, 16), "multiple of 128"),
        (BF16, -1024, (128, 16), "tile in shared memory"),
        (BF16, 0, (100, 16), "a divisor of 128"),
        (BF16, 0, (128, 0), "a divisor of 128"),
        (SharedMemoryLayout(128, 60, 16, "k_major", "swizzle_128b"), 0, (128, 16), "T5-DESC-007"),
        (SharedMemoryLayout(128, 1 << 40, 16, "k_major", "no_swizzle"), 0, (128, 16), "within"),
    ],
)
def test_tiles_that_are_refused(
    tile: SharedMemoryLayout, address: int, mma: tuple[int, int], message: str
) -> None:
    with pytest.raises(Violation, match=message):
        Derivation(tile, "bf16", address, *mma)


def test_kinds_of_elements() -> None:
    assert [kind_of(name) for name in ("bf16", "tf32", "e2m1", "u8")] == [
        "f16",
        "tf32",
        "f8f6f4",
        "i8",
    ]
    assert kind_of("e2m1", "mxf4") == "mxf4"
    for name, kind in (("f32", None), ("e2m1", "f16")):
        with pytest.raises(Violation, match="T5-TYPE-003"):
            kind_of(name, kind)


@pytest.mark.parametrize(
    ("tile", "element", "extents", "copies"),
    [
        (BF16, "bf16", (64, 8), (2, 16)),
        (SharedMemoryLayout(512, 64, 16, "k_major", "swizzle_128b"), "f16", (64, 256), (1, 2)),
        (SharedMemoryLayout(64, 64, 4, "k_major", "swizzle_32b"), "e2m1", (64, 64), (1, 1)),
        (
            SharedMemoryLayout(64, 256, 6, "k_major", "swizzle_128b", "mn_first", pads=True),
            "e3m2",
            (128, 64),
            (2, 1),
        ),
    ],
)
def test_boxes(
    tile: SharedMemoryLayout, element: str, extents: tuple[int, int], copies: tuple[int, int]
) -> None:
    box = box_of(tile, element)
    assert (box.extents, box.copies) == (extents, copies)


def stacked_tiles() -> list[SharedMemoryLayout]:
    """
    Tiles of at least two by two atoms, one for each legal layout whose elements the emulator's
    tensor maps have.
    """
    found: list[SharedMemoryLayout] = []
    for point in SWIZZLE_COMBINATIONS.points():
        place = {"major": point["major"], "swizzle": point["swizzle"]}
        if point["bits"] >= 8 and ATOMS.row(**place):
            mn, k = SharedMemoryLayout(1, 1, point["bits"], **place).atom
            extents = (2 * mn, 3 * k)
            found += [
                SharedMemoryLayout(*extents, point["bits"], **place, atom_order=order)
                for order in ATOM_ORDERS
            ]
    return found


@pytest.mark.parametrize("tile", stacked_tiles(), ids=str)
def test_boxes_fill_the_tile(tile: SharedMemoryLayout) -> None:
    """Copies of the emulator put each element where an MMA reads it."""
    box = box_of(tile, {8: "u8", 16: "f16", 32: "tf32"}[tile.bits])
    width, height = box.extents
    array = np.zeros((height, width), f"uint{tile.bits}")
    tensor_map = TensorMap.of(array, box.extents, box.element, box.swizzle)
    size = tile.bits // 8
    for mn, k in product(range(tile.mn), range(tile.k)):
        major, other = (mn, k) if tile.transposed else (k, mn)
        (along, column), (up, row) = divmod(major, width), divmod(other, height)
        assert along < box.copies[0] and up < box.copies[1]
        start = along * box.steps[0] + up * box.steps[1]
        unit, inside = divmod((row * width + column) * size, UNIT_BYTES)
        place = int(tensor_map.places(start)[unit]) * UNIT_BYTES + inside
        assert start + place == tile.byte_offset(mn, k)


def test_padded_elements_have_few_boxes() -> None:
    tile = SharedMemoryLayout(64, 64, 6, "k_major", "swizzle_64b", pads=True)
    with pytest.raises(QuestionError, match="swizzle_128b"):
        box_of(tile, "e3m2")
    none = SharedMemoryLayout(64, 64, 6, "k_major", "no_swizzle", pads=True)
    with pytest.raises(QuestionError, match="128"):
        box_of(none, "e3m2")
