"""Rows of the golden tables as objects of isa/."""

import re
from collections.abc import Iterator
from itertools import product

from tcgen05_dialect import InstructionDescriptor
from tcgen05_dialect.isa.mma.shapes import KINDS
from tcgen05_dialect.isa.shared_memory.layout import SharedMemoryLayout

from .golden_tables import Json

SWIZZLES = {
    "NONE": "no_swizzle",
    "32B": "swizzle_32b",
    "64B": "swizzle_64b",
    "128B": "swizzle_128b",
    "128B_32B_ATOM": "swizzle_128b_atom_32b",
}
MAJORS = {"K": "k_major", "MN": "mn_major"}
MAX_SHIFTS = {0: 0, 1: 8, 2: 16, 3: 32}
"""Code of the maximum shift in an instruction descriptor -> rows."""


def instruction_descriptor(row: Json) -> InstructionDescriptor:
    """The descriptor of a row of idesc."""
    return InstructionDescriptor(
        kind=row["kind"],
        m=row["M"],
        n=row["N"],
        a=row["a"],
        b=row["b"],
        d=row["d"],
        transpose_a=bool(row["transpose_a"]),
        transpose_b=bool(row["transpose_b"]),
        negate_a=bool(row["negate_a"]),
        negate_b=bool(row["negate_b"]),
        saturate=bool(row.get("saturate", 0)),
        sparse=bool(row["sparse"]),
        sparsity_selector=row.get("sparsity_selector", 0),
        max_shift=MAX_SHIFTS[row.get("max_shift", 0)],
        scale_type=row.get("scale"),
        sfa_id=row.get("sfa_id", 0),
        sfb_id=row.get("sfb_id", 0),
        k96=bool(row.get("k96", 0)),
    )


def shared_memory_layout(row: Json) -> SharedMemoryLayout:
    """The tile of a row of sdesc or swizzle."""
    return SharedMemoryLayout(
        mn=row["tile_mn"],
        k=row["tile_k"],
        bits=row["bits"],
        major=MAJORS[row["major"]],
        swizzle=SWIZZLES[row["swizzle"]],
        atom_order=row["atom_order"].lower().replace("-", "_"),
    )


def flag(attributes: Json, name: str) -> bool:
    """Whether the attributes of a row of forms have a qualifier."""
    return bool(attributes.get(name))


def sparse_kinds(row: Json) -> list[str]:
    """The kinds of a row of sparse, which names one or several, some with their granularity."""
    names = row["kind"].split()[0].split("/")
    return [name for name in names if name in KINDS]


def cute_offsets(layout: str) -> Iterator[int]:
    """The offsets to which a CuTe layout maps the indices, in order; the first mode is the
    fastest."""
    shape, strides = (map(int, re.findall(r"\d+", part)) for part in layout.split(":"))
    modes = list(zip(shape, strides, strict=True))[::-1]
    for index in product(*(range(extent) for extent, _ in modes)):
        yield sum(i * stride for i, (_, stride) in zip(index, modes, strict=True))
