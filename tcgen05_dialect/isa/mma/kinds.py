"""Kinds, shapes and qualifiers of the matrix products (9.7.16.10)."""

from __future__ import annotations

from typing import NamedTuple

from tcgen05_dialect.isa.model.bitfield import BOOLEANS
from tcgen05_dialect.isa.model.instruction import Qualifier
from tcgen05_dialect.isa.model.rule import alternatives, rule
from tcgen05_dialect.isa.model.table import Limit, Table
from tcgen05_dialect.isa.ptx.registers import TYPE_BITS
from tcgen05_dialect.isa.targets import CTA_GROUP, FEATURES, Version
from tcgen05_dialect.isa.tensor_memory.alloc import LANES


class Kind(NamedTuple):
    """A `.kind`.

    `pads`: elements of fewer than 8 bits are padded in shared memory (9.7.16.10.4). `feature` and
    `sparse_feature` are the target features (see `targets.FEATURES`) that a dense and a sparse MMA
    of this kind need.
    """

    name: str
    block_scaled: bool = False
    pads: bool = False
    feature: str = "base"
    sparse_feature: str = "base"

    @property
    def ptx(self) -> str:
        return f".kind::{self.name}"


KINDS = {
    kind.name: kind
    for kind in (
        Kind("f16"),
        Kind("tf32"),
        Kind("f8f6f4", pads=True),
        Kind("i8", feature="kind_i8"),
        Kind("mxf8f6f4", block_scaled=True, pads=True),
        Kind("mxf4", block_scaled=True, sparse_feature="sparse_mxf4"),
        Kind("mxf4nvf4", True, feature="kind_mxf4nvf4", sparse_feature="sparse_mxf4"),
    )
}


def kind_names(block_scaled: bool) -> tuple[str, ...]:
    """The names of the kinds with scale factors, or of those without."""
    return tuple(name for name, kind in KINDS.items() if kind.block_scaled == block_scaled)


KIND_RULE = rule(
    "T5-TYPE-002",
    kinds=alternatives(kind_names(block_scaled=False)),
    scaled_kinds=alternatives(kind_names(block_scaled=True)),
)
WS_RULE = rule("T5-SHAPE-001")

TRANSPOSE_NEGATE = Table(
    "Table 49",
    "9.7.16.10.1",
    ("kind", "transpose", "negate"),
    (
        (("tf32", "f16", "f8f6f4", "mxf8f6f4"), BOOLEANS, BOOLEANS),
        ("i8", BOOLEANS, False),
        (("mxf4", "mxf4nvf4"), False, BOOLEANS),
    ),
    rule("T5-IDESC-001"),
)

A_MEMORY = Table(
    "Matrix A",
    "9.7.16.10.6",
    ("a_memory", "transpose_a"),
    (("shared", BOOLEANS), ("tensor", False)),
    rule("T5-IDESC-002"),
    titles={"a_memory": "A in {} memory"},
)

_BUFFER = "a"
_WS_BUFFERS = ("b0", "b1", "b2", "b3")
_COLLECTOR_OPS = ("fill", "use", "lastuse", "discard")
COLLECTOR_RULE = rule("T5-COLLECTOR-001", ws_buffers=alternatives(_WS_BUFFERS), buffer=_BUFFER)
COLLECTOR = Table(
    "Collector usage",
    "9.7.16.10.9",
    ("ws", "collector_buffer", "collector_op"),
    (
        (False, _BUFFER, _COLLECTOR_OPS),
        (True, _WS_BUFFERS, _COLLECTOR_OPS),
    ),
    COLLECTOR_RULE,
    titles={
        "ws": ".ws",
        "collector_buffer": "collector buffer",
        "collector_op": "collector operation",
    },
)
REUSING = frozenset(("use", "lastuse"))
"""Operations that reuse the contents of the collector buffer."""
DEFAULT_COLLECTOR = {False: (_BUFFER, "discard"), True: (_WS_BUFFERS[0], "discard")}
"""`ws` -> collector buffer and operation of an MMA without a collector qualifier."""

_ASHIFT_M = (128, 256)
_ASHIFT_OPS = ("lastuse", "discard")
ASHIFT = Table(
    ".ashift",
    "9.7.16.10.9.1",
    ("kind", "ws", "a_memory", "m", "collector_op"),
    ((kind_names(block_scaled=False), False, "tensor", _ASHIFT_M, _ASHIFT_OPS),),
    rule("T5-COLLECTOR-002", m=alternatives(_ASHIFT_M), operations=alternatives(_ASHIFT_OPS)),
    titles={
        "ws": ".ws",
        "a_memory": "A in {} memory",
        "collector_op": "collector operation",
    },
)

OPERANDS = Table(
    "Optional operands",
    "9.7.16.10.9",
    ("kind", "ws", "disable_output_lane", "scale_input_d", "zero_column_mask", "scale_factors"),
    (
        (("f16", "tf32"), False, BOOLEANS, BOOLEANS, False, False),
        (("f8f6f4", "i8"), False, BOOLEANS, False, False, False),
        (("mxf8f6f4", "mxf4", "mxf4nvf4"), False, False, False, False, True),
        (("f16", "tf32", "f8f6f4", "i8"), True, False, False, BOOLEANS, False),
    ),
    rule("T5-MMA-001"),
    {"kind": KIND_RULE, "ws": WS_RULE},
    {"ws": ".ws", "scale_factors": "scale factors"},
)

_POWERS = range(16)
SCALE_INPUT_D = Limit(
    rule("T5-MMA-002", least=_POWERS[0], most=_POWERS[-1]),
    _POWERS,
)


def disable_output_lane_elements(cta_group: int) -> int:
    """The number of 32-bit elements of the disable-output-lane vector, which has one bit for each
    lane of each CTA."""
    CTA_GROUP.check(cta_group)
    return cta_group * LANES // TYPE_BITS["b32"]


def required_features(
    kind: str, sparse: bool, k96: bool = False, scale_input_d: bool = False
) -> tuple[str, ...]:
    """Features (see `targets.FEATURES`) that a target must have for this form of the MMA."""
    needed = [KINDS[kind].feature]
    if sparse:
        needed.append(KINDS[kind].sparse_feature)
    if k96:
        needed.append("k96")
    if scale_input_d:
        needed.append("scale_input_d")
    return tuple(dict.fromkeys(needed))


SCALE_VECTOR_RULE = rule("T5-SCALE-010")


class VectorSize(NamedTuple):
    """A `.scale_vectorsize`; `ptx` is its text. One scale factor scales `block` stored elements of
    a row of A or of a column of B. `number` is the number of scale factors, if the spelling gives
    it independently of K."""

    ptx: str
    block: int
    number: int | None = None


VECTOR_SIZES = {
    None: VectorSize("", 32),
    "scale_vec_1x": VectorSize(".scale_vec::1X", 32, 1),
    "scale_vec_2x": VectorSize(".scale_vec::2X", 32, 2),
    "scale_vec_4x": VectorSize(".scale_vec::4X", 16, 4),
    "block16": VectorSize(".block16", 16),
    "block32": VectorSize(".block32", 32),
}
"""Spellings with the same block are aliases if the kind has both (9.7.16.10.7.1)."""
SCALE_VECTOR_SIZE = Qualifier(
    "scale_vectorsize", {name: size.ptx for name, size in VECTOR_SIZES.items()}, SCALE_VECTOR_RULE
)
SCALE_VECTOR_SIZES = Table(
    "Table 54 by kind",
    "9.7.16.10.7.1",
    ("kind", "scale_vectorsize", "feature"),
    (
        ("mxf8f6f4", None, "base"),
        ("mxf8f6f4", "scale_vec_1x", "scale_vec"),
        ("mxf8f6f4", "block32", "block16_block32"),
        ("mxf4", None, "base"),
        ("mxf4", "scale_vec_2x", "scale_vec"),
        ("mxf4", "block32", "block16_block32"),
        ("mxf4nvf4", ("scale_vec_2x", "scale_vec_4x"), "scale_vec"),
        ("mxf4nvf4", ("block16", "block32"), "block16_block32"),
    ),
    SCALE_VECTOR_RULE,
    {"kind": KIND_RULE},
)
"""Spellings of scale_vectorsize by kind, and the feature that a target needs for each."""


def assembled_vector_size(kind: str, version: Version) -> str | None:
    """
    The spelling of an omitted scale_vectorsize that all assemblers accept.

    ptxas 12.9 and 13.0 take it as .block32, and refuse it before the first version with .block32
    (measured).
    """
    if version >= FEATURES["block16_block32"].first:
        return None
    return SCALE_VECTOR_SIZES.value("scale_vectorsize", kind=kind, feature="scale_vec")


KIND = Qualifier("kind", {kind.name: kind.ptx for kind in KINDS.values()}, KIND_RULE)
BLOCK_SCALE = Qualifier("block_scale", {False: "", True: ".block_scale"}, KIND_RULE)
ASHIFT_QUALIFIER = Qualifier("ashift", {False: "", True: ".ashift"}, ASHIFT.rule)
COLLECTOR_BUFFER = Qualifier(
    "collector buffer",
    {None: ""}
    | {name: f".collector::{name}" for name in sorted(COLLECTOR.values("collector_buffer"))},
    COLLECTOR_RULE,
)
COLLECTOR_OP = Qualifier(
    "collector operation",
    {None: ""} | {name: f"::{name}" for name in sorted(COLLECTOR.values("collector_op"))},
    COLLECTOR_RULE,
)
