"""tensormap.replace and tensormap.cp_fenceproxy: fields of tensor maps (9.7.9.26, 9.7.13.15)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Limit, Place, Table
from tcgen05_dialect.isa.ptx.bulk_copy import DIMENSIONS
from tcgen05_dialect.isa.ptx.kernel import TENSOR_MAP_ALIGNMENT, TENSOR_MAP_BYTES

REPLACE = "9.7.9.26.1"
CP_FENCEPROXY = "9.7.13.15.18"
SPACES = ("global", "shared::cta")
MAP = Place(TENSOR_MAP_BYTES, TENSOR_MAP_ALIGNMENT)
"""The place of a tensor map in memory."""


def _fields(
    id: str, name: str, statement: str, rows: tuple[tuple[str | tuple[str, ...], str], ...]
) -> Table:
    return Table(
        name,
        REPLACE,
        ("field", "type"),
        rows,
        rule(id),
    )


TENSOR_ADDRESS = "global_address"
"""The field that holds the address of the tensor."""
FIELDS = _fields(
    "T5-PTX-230",
    "a field",
    "The address in a tensor map has 64 bits, and the rank has 32.",
    ((TENSOR_ADDRESS, "b64"), ("rank", "b32")),
)
DIMENSION_FIELDS = _fields(
    "T5-PTX-231",
    "a field of a dimension",
    "A stride in a tensor map has 64 bits; an extent, and the step of a box, have 32.",
    ((("box_dim", "global_dim", "element_stride"), "b32"), ("global_stride", "b64")),
)
ORDINAL = Limit(
    rule("T5-PTX-232"),
    range(max(DIMENSIONS.values)),
)
ELEMENT_TYPES = (
    *("u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f32.ftz", "f64", "bf16", "tf32"),
    *("tf32.ftz", "b4x16", "b4x16_p64", "b6x16_p32"),
)
"""The element type of each value of the field `elemtype`."""
FIRST_PACKED = ELEMENT_TYPES.index("b4x16")
"""The first value of `elemtype` that only newer versions have."""
SWIZZLE_MODES = ("no_swizzle", "swizzle_32b", "swizzle_64b", "swizzle_128b", "swizzle_96b")
"""The swizzle mode of each value of the field `swizzle_mode`; the last one needs a feature."""
ATOMICITIES = ("", "_atom_32b", "_atom_32b_flip_8b", "_atom_64b")
"""What each value of the field `swizzle_atomicity` adds to the name of a swizzle mode."""
INTERLEAVES = ("no_interleave", "interleave_16b", "interleave_32b")
FILL_MODES = ("zero", "nan")
MODES = Table(
    "mode of a tensor map",
    REPLACE,
    ("field", "value"),
    tuple(
        (field, tuple(range(len(values))))
        for field, values in (
            ("elemtype", ELEMENT_TYPES),
            ("interleave_layout", INTERLEAVES),
            ("swizzle_mode", SWIZZLE_MODES),
            ("swizzle_atomicity", ATOMICITIES),
            ("fill_mode", FILL_MODES),
        )
    ),
    rule("T5-PTX-233"),
)
BOX_FIELDS = frozenset({"rank", "box_dim", "element_stride", "elemtype", "swizzle_mode"})
"""The fields on which the bytes of a box and of its tile depend."""
