"""Tests of isa/ against every row of the golden tables."""

import json
import re
from hashlib import sha256
from typing import Any

import pytest

from tcgen05_dialect import InstructionDescriptor, SharedMemoryDescriptor, ZeroColumnMask
from tcgen05_dialect.isa import targets
from tcgen05_dialect.isa.mma import shapes
from tcgen05_dialect.isa.mma.products import product_of
from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.isa.model.table import Mnemonic
from tcgen05_dialect.isa.tensor_memory import alloc, copies, ld_st

from ..support.golden_rows import (
    flag,
    instruction_descriptor,
    shared_memory_layout,
)
from ..support.golden_tables import Json, golden


def test_instruction_descriptors() -> None:
    wrong: list[Json] = []
    for row in golden("idesc"):
        descriptor = instruction_descriptor(row)
        decoded = InstructionDescriptor.decode(row["kind"], row["value"])
        if descriptor.encode() != row["value"] or decoded != descriptor:
            wrong.append(row)
    assert not wrong


def test_shared_memory_descriptors() -> None:
    """A row's `steps` are (block along mn, block along k, value) of every MMA of the tile."""
    wrong: list[Json] = []
    for row in golden("sdesc"):
        tile, extents = shared_memory_layout(row), (row["mma_mn"], row["mma_k"])
        descriptor = tile.descriptor(row["smem_base"], *extents)
        fields = (
            descriptor.start_address == row["smem_base"]
            and descriptor.leading_byte_offset == row["lbo_bytes"]
            and descriptor.stride_byte_offset == row["sbo_bytes"]
            and descriptor.base_offset == row["base_offset"]
        )
        value = int(row["value"], 16)
        steps = [
            tile.descriptor(
                row["smem_base"] + tile.advance(mn * extents[0], k * extents[1]), *extents
            )
            for mn, k, _ in row["steps"]
        ]
        if (
            not fields
            or descriptor.encode() != value
            or SharedMemoryDescriptor.decode(value) != descriptor
            or [f"{step.encode():#018x}" for step in steps] != [hex_ for *_, hex_ in row["steps"]]
            or row["in_table_52"] != (tile.violations() == [])
        ):
            wrong.append(row)
    assert not wrong


def test_swizzled_layouts() -> None:
    wrong: list[Json] = []
    for row in golden("swizzle"):
        tile = shared_memory_layout(row)
        offsets = [
            [tile.bit_offset(mn, k) / row["bits"] for k in range(tile.k)] for mn in range(tile.mn)
        ]
        if tile.atom != (row["atom_mn"], row["atom_k"]) or offsets != row["off"]:
            wrong.append(row)
    assert not wrong


def test_zero_column_masks() -> None:
    wrong: list[Json] = []
    for row in golden("zero_column_mask"):
        mask = ZeroColumnMask(
            start_count=tuple(row["sc"]),
            first_span=tuple(bool(row["fs"] >> i & 1) for i in range(4)),
            non_zero=bool(row["nzm"]),
            skip_span=row["skip_span"],
            use_span=row["use_span"],
            column_shift=row.get("shift", 0),
        )
        # Two rows are examples of the manual, which has no value.
        value = int(row["value"], 16) if "value" in row else mask.encode()
        if (
            mask.encode() != value
            or ZeroColumnMask.decode(value) != mask
            or mask.mask(row["M"], row["N"]) != int(row["mask_hex"], 16)
            or mask.violations(row["M"])
        ):
            wrong.append(row)
    assert not wrong


def test_fragments() -> None:
    wrong: list[Json] = []
    for row in golden("tmem_ldst"):
        shape, num = f"shape_{row['shape'][1:]}", f"x{row['num']}"
        pack, split = bool(row["pack16"]), row["half_split_off"]
        fragment = ld_st.fragment(shape, num, pack, split)
        touched = [cell for registers in fragment for cells in registers for cell in cells]
        footprint = ld_st.footprint(shape, num, pack, split)
        columns = {column for part in footprint.columns for column in part}
        first, last, count = row["columns_touched"]
        flat = [[[x for cell in cells for x in cell] for cells in thread] for thread in fragment]
        if (
            ld_st.registers(shape, num) != row["regs"]
            or sha256(json.dumps(flat, separators=(",", ":")).encode()).hexdigest()
            != row["sha256_map"]
            or sorted({cell.lane for cell in touched}) != row["lanes_touched"]
            or list(footprint.lanes) != row["lanes_touched"]
            or {cell.column for cell in touched} != columns
            or (min(columns), max(columns), len(columns)) != (first, last, count)
        ):
            wrong.append(row)
    assert not wrong


def positions(row: Json, chosen: shapes.DataPathLayout) -> list[Any]:
    """The layout in the form of the row, for the first CTA."""
    rows, bits = range(row["m_per_cta"]), row["elem_bits"]
    if row["operand"] == "A":
        return [
            [list(chosen.a_positions(m, k, bits)[0][1:]) for k in range(row["N"])] for m in rows
        ]
    return [[list(chosen.position(m, n, row["N"])[1:]) for n in range(row["N"])] for m in rows]


def test_data_path_layouts() -> None:
    wrong: list[Json] = []
    for row in golden("datapath"):
        point = (row["M"], row["cta_group"], row["sparse"], row["ws"])
        if row["layout"] not in shapes.LAYOUTS:
            # The row of an implementation that goes beyond the manual's table.
            with pytest.raises(Violation):
                shapes.data_path_layout(*point)
            continue
        chosen = shapes.data_path_layout(*point)
        if (
            chosen.name != row["layout"]
            or chosen.rows != row["m_per_cta"]
            or ("lane_col_bit" in row and positions(row, chosen) != row["lane_col_bit"])
        ):
            wrong.append(row)
        elif "lane_col_bit" not in row:
            # Layout C: nobody else has it, so its rows follow from layout F.
            for m in range(row["M"]):
                lane = 32 * (m % 64 // 16) + m % 64 % 16
                assert chosen.position(m, 5, 64) == (m // 64, lane, 5, 0)
                assert chosen.position(m, 5, 64, 16) == (m // 64, lane + 16, 5, 0)
    assert not wrong


def form(group: str, attributes: Json) -> tuple[Mnemonic, Json]:
    """The instruction of a row of forms, and its qualifiers in the identifiers of the IR."""
    cta_group = {"cta_group": attributes.get("cta_group")}
    shape = f"shape_{attributes.get('shape')}"
    match group:
        case "alloc":
            space = "shared_cta" if attributes["space"] == "shared::cta" else None
            return alloc.ALLOC, cta_group | {"space": space}
        case "dealloc":
            return alloc.DEALLOC, cta_group
        case "relinquish_alloc_permit":
            return alloc.RELINQUISH_ALLOC_PERMIT, cta_group
        case "ld":
            return ld_st.LD, {
                "shape": shape,
                "num": attributes["num"],
                "pack": flag(attributes, "pack"),
            }
        case "st":
            return ld_st.ST, {
                "shape": shape,
                "num": attributes["num"],
                "unpack": flag(attributes, "unpack"),
            }
        case "ld.red":
            return ld_st.LD_RED, {
                "shape": shape,
                "num": attributes["num"],
                "op": attributes["redop"],
                "type": attributes["type"],
                "abs": flag(attributes, "abs"),
                "nan": flag(attributes, "nan"),
            }
        case "wait":
            return alloc.WAIT, {"operation": attributes["op"]}
        case "fence":
            return alloc.FENCE, {"order": f"{attributes['op']}_thread_sync"}
        case "shift":
            return copies.SHIFT, cta_group
        case "commit":
            space = "shared_cluster" if attributes["space"] == "shared::cluster" else None
            multicast = flag(attributes, "multicast")
            return alloc.COMMIT, cta_group | {"space": space, "multicast": multicast}
        case "cp":
            multicast = attributes.get("multicast")
            source = attributes.get("fmt")
            return copies.CP, cta_group | {
                "shape": shape,
                "multicast": multicast and multicast.replace("::", "_"),
                "format": source and source.removeprefix("b8x16."),
            }
        case _:
            buffer, _, operation = attributes.get("collector", "").rpartition("::")
            ws, sparse = ".ws" in group, ".sp" in group
            return product_of(ws, sparse).mnemonic, cta_group | {
                "kind": attributes["kind"],
                "block_scale": flag(attributes, "block_scale"),
                "ashift": flag(attributes, "ashift"),
                "collector_buffer": (buffer or "a") if operation else None,
                "collector_op": operation or None,
            }


def needed_features(group: str, attributes: Json, instruction: Mnemonic) -> tuple[str, ...]:
    if not group.startswith("mma"):
        return (instruction.feature,)
    return shapes.required_features(
        attributes["kind"], ".sp" in group, scale_input_d=flag(attributes, "scale_input_d")
    )


def test_spellings_and_targets_of_all_forms() -> None:
    """Mnemonic and first versions; block-scaled MMAs come with their scale vector sizes."""
    wrong: list[str] = []
    for row in golden("forms"):
        if row["attrs"].get("block_scale"):
            continue
        instruction, qualifiers = form(row["group"], row["attrs"])
        features = needed_features(row["group"], row["attrs"], instruction)
        versions = {
            target: str(max(version for version in first if version is not None))
            for target in targets.TARGETS
            for first in [[targets.first_version(feature, target) for feature in features]]
            if None not in first
        }
        mnemonic = re.split(r"[ ;]", row["ptx"], maxsplit=1)[0]
        if instruction.mnemonic(**qualifiers) != mnemonic or versions != row["min_ptx_by_target"]:
            wrong.append(row["id"])
    assert not wrong
