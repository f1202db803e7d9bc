"""Tables of the matrix products: kinds, shapes, element types, qualifiers and data path layouts
(9.7.16.2.1, 9.7.16.10)."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from tcgen05_dialect.isa.element import container_bits
from tcgen05_dialect.isa.model.bitfield import BOOLEANS
from tcgen05_dialect.isa.model.rule import alternatives, rule
from tcgen05_dialect.isa.model.table import Limit, Qualifier, Table
from tcgen05_dialect.isa.ptx.ptx_text import TYPE_BITS
from tcgen05_dialect.isa.targets import CTA_GROUP, CTA_GROUP_RULE, FEATURES, Version
from tcgen05_dialect.isa.tensor_memory.alloc import CELL_BITS, LANES, WARP_LANES


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


TYPE_RULE = rule("T5-TYPE-003")

_F8F6F4 = ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1")
_F16 = ("f16", "bf16")
_I8 = ("s8", "u8")
_N8 = range(8, 257, 8)
_N16 = range(16, 257, 16)
_N32 = range(32, 257, 32)
_N_I8 = (8, 16, 24, *range(32, 257, 16))
_N_WS = (64, 128, 256)
_N_WS_SPARSE = (64, 128)
_M1 = (64, 128)
_M2 = (128, 256)
_M_WS = (32, 64, 128)
SHAPE_RULE = rule("T5-SHAPE-002")
_DENSE, _SPARSE = BOOLEANS
_NO_WS, _WS = BOOLEANS
_F32 = "f32"
_SCALES = ("ue8m0", "ue4m3")
# fmt: off
SHAPES = Table(
    "Table 39", "9.7.16.2.1",
    ("kind", "ws", "cta_group", "sparse", "d", "a", "b", "scale", "m", "n", "k"),
    (
        ("f16", _NO_WS, 1, _DENSE, "f16", "f16", "f16", None, _M1, _N8, 16),
        ("f16", _NO_WS, 1, _DENSE, _F32, _F16, _F16, None, _M1, _N8, 16),
        ("f16", _NO_WS, 1, _SPARSE, "f16", "f16", "f16", None, _M1, _N8, 32),
        ("f16", _NO_WS, 1, _SPARSE, _F32, _F16, _F16, None, _M1, _N8, 32),
        ("f16", _NO_WS, 2, _DENSE, "f16", "f16", "f16", None, _M2, _N16, 16),
        ("f16", _NO_WS, 2, _DENSE, _F32, _F16, _F16, None, _M2, _N16, 16),
        ("f16", _NO_WS, 2, _SPARSE, "f16", "f16", "f16", None, _M2, _N16, 32),
        ("f16", _NO_WS, 2, _SPARSE, _F32, _F16, _F16, None, _M2, _N16, 32),
        ("f16", _WS, 1, _DENSE, "f16", "f16", "f16", None, _M_WS, _N_WS, 16),
        ("f16", _WS, 1, _DENSE, _F32, _F16, _F16, None, _M_WS, _N_WS, 16),
        ("f16", _WS, 1, _SPARSE, "f16", "f16", "f16", None, _M_WS, _N_WS_SPARSE, 32),
        ("f16", _WS, 1, _SPARSE, _F32, _F16, _F16, None, _M_WS, _N_WS_SPARSE, 32),
        ("tf32", _NO_WS, 1, _DENSE, _F32, "tf32", "tf32", None, _M1, _N8, 8),
        ("tf32", _NO_WS, 1, _SPARSE, _F32, "tf32", "tf32", None, _M1, _N8, 16),
        ("tf32", _NO_WS, 2, _DENSE, _F32, "tf32", "tf32", None, _M2, _N16, 8),
        ("tf32", _NO_WS, 2, _SPARSE, _F32, "tf32", "tf32", None, _M2, _N16, 16),
        ("tf32", _WS, 1, _DENSE, _F32, "tf32", "tf32", None, _M_WS, _N_WS, 8),
        ("tf32", _WS, 1, _SPARSE, _F32, "tf32", "tf32", None, _M_WS, _N_WS_SPARSE, 16),
        ("f8f6f4", _NO_WS, 1, _DENSE, (_F32, "f16"), _F8F6F4, _F8F6F4, None, _M1, _N8, 32),
        ("f8f6f4", _NO_WS, 1, _SPARSE, (_F32, "f16"), _F8F6F4, _F8F6F4, None, _M1, _N8, 64),
        ("f8f6f4", _NO_WS, 2, _DENSE, (_F32, "f16"), _F8F6F4, _F8F6F4, None, _M2, _N16, 32),
        ("f8f6f4", _NO_WS, 2, _SPARSE, (_F32, "f16"), _F8F6F4, _F8F6F4, None, _M2, _N16, 64),
        ("f8f6f4", _WS, 1, _DENSE, (_F32, "f16"), _F8F6F4, _F8F6F4, None, _M_WS, _N_WS, 32),
        ("f8f6f4", _WS, 1, _SPARSE, (_F32, "f16"), _F8F6F4, _F8F6F4, None, _M_WS, _N_WS_SPARSE, 64),
        ("mxf8f6f4", _NO_WS, 1, _DENSE, _F32, _F8F6F4, _F8F6F4, "ue8m0", 128, _N8, 32),
        ("mxf8f6f4", _NO_WS, 1, _SPARSE, _F32, _F8F6F4, _F8F6F4, "ue8m0", 128, _N8, 64),
        ("mxf8f6f4", _NO_WS, 2, _DENSE, _F32, _F8F6F4, _F8F6F4, "ue8m0", _M2, _N16, 32),
        ("mxf8f6f4", _NO_WS, 2, _SPARSE, _F32, _F8F6F4, _F8F6F4, "ue8m0", 256, _N16, 64),
        ("i8", _NO_WS, 1, _DENSE, "s32", _I8, _I8, None, _M1, _N_I8, 32),
        ("i8", _NO_WS, 1, _SPARSE, "s32", _I8, _I8, None, _M1, _N_I8, 64),
        ("i8", _NO_WS, 2, _DENSE, "s32", _I8, _I8, None, _M2, _N32, 32),
        ("i8", _NO_WS, 2, _SPARSE, "s32", _I8, _I8, None, _M2, _N32, 64),
        ("i8", _WS, 1, _DENSE, "s32", _I8, _I8, None, _M_WS, _N_WS, 32),
        ("i8", _WS, 1, _SPARSE, "s32", _I8, _I8, None, _M_WS, _N_WS_SPARSE, 64),
        ("mxf4", _NO_WS, 1, _DENSE, _F32, "e2m1", "e2m1", "ue8m0", 128, _N8, 64),
        ("mxf4", _NO_WS, 1, _SPARSE, _F32, "e2m1", "e2m1", "ue8m0", 128, _N8, 128),
        ("mxf4", _NO_WS, 2, _DENSE, _F32, "e2m1", "e2m1", "ue8m0", 128, _N16, 64),
        ("mxf4", _NO_WS, 2, _DENSE, _F32, "e2m1", "e2m1", "ue8m0", 256, _N16, (64, 96)),
        ("mxf4", _NO_WS, 2, _SPARSE, _F32, "e2m1", "e2m1", "ue8m0", 256, _N16, 128),
        ("mxf4nvf4", _NO_WS, 1, _DENSE, _F32, "e2m1", "e2m1", _SCALES, 128, _N8, 64),
        ("mxf4nvf4", _NO_WS, 1, _SPARSE, _F32, "e2m1", "e2m1", _SCALES, 128, _N8, 128),
        ("mxf4nvf4", _NO_WS, 2, _DENSE, _F32, "e2m1", "e2m1", _SCALES, 128, _N16, 64),
        ("mxf4nvf4", _NO_WS, 2, _DENSE, _F32, "e2m1", "e2m1", _SCALES, 256, _N16, (64, 96)),
        ("mxf4nvf4", _NO_WS, 2, _SPARSE, _F32, "e2m1", "e2m1", _SCALES, 256, _N16, 128),
    ),
    SHAPE_RULE,
    {
        "kind": KIND_RULE, "ws": WS_RULE, "cta_group": WS_RULE, "sparse": WS_RULE,
        "d": TYPE_RULE, "a": TYPE_RULE, "b": TYPE_RULE, "scale": TYPE_RULE,
    },
    {
        "ws": ".ws", "d": "D of type {}", "a": "A of type {}", "b": "B of type {}",
        "scale": "scale_type",
    },
)
# fmt: on
K96_RULE = rule("T5-SHAPE-006", m=_M2[-1])
SHAPES_OF_CUTLASS = Table(
    "Shapes of CUTLASS that Table 39 lacks",
    "9.7.16.2.1",
    SHAPES.columns,
    (
        ("mxf4nvf4", _NO_WS, 1, _DENSE, _F32, "e2m1", "e2m1", _SCALES, 128, _N16, 96),
        ("mxf4nvf4", _NO_WS, 2, _DENSE, _F32, "e2m1", "e2m1", _SCALES, 128, _N16, 96),
    ),
    K96_RULE,
)
"""The structs SM103_MXF4_ULTRA_SS_VS and SM103_MXF4_ULTRA_2x1SM_SS_VS of CUTLASS 4.7."""

N_OF_CUTLASS = Table(
    "N in CUTLASS if A is in tensor memory",
    "9.7.16.2.1",
    ("kind", "sparse", "a_memory", "cta_group", "m", "n"),
    (
        (("f16", "tf32", "f8f6f4"), _DENSE, "tensor", 1, 64, _N8),
        (("f16", "tf32", "f8f6f4"), _DENSE, "tensor", 1, 128, _N16),
        (("f16", "tf32", "f8f6f4"), _DENSE, "tensor", 2, _M2, _N32),
    ),
    rule("T5-SHAPE-007", step=_N16.step, m=_M1[-1], pair_step=_N32.step),
    titles={"a_memory": "A in {} memory"},
)
"""The structs SM100_MMA_*_TS and SM100_MMA_*_2x1SM_TS of CUTLASS 4.7."""

K96 = 96
"""The K selected by bit 31 of the instruction descriptor for mxf4 and mxf4nvf4 (Table 44)."""


def stored_elements(elements: int, sparse: bool) -> int:
    """The number of stored elements among `elements` elements of a row of A: half of them if A is
    sparse (9.7.16.10.8)."""
    return elements // 2 if sparse else elements


def instruction_k(kind: str, sparse: bool, k96: bool = False) -> int:
    """The K of one instruction in elements, including elements of a sparse A that are not stored.

    Raises Violation if `kind` has no such K."""
    values = SHAPES.values("k", kind=kind, sparse=sparse)
    if k96:
        SHAPES.check(kind=kind, sparse=sparse, k=K96)
        return K96
    SHAPES.check(kind=kind, sparse=sparse)
    return next(iter(values - {K96}))


def instruction_k_bytes(kind: str, bits: int, sparse: bool, k96: bool = False) -> int:
    """The number of bytes of shared memory that one instruction reads from each row of a K-major B
    with elements of `bits` bits. From a row of A it reads the same number, or half of it if A is
    sparse."""
    return instruction_k(kind, sparse, k96) * container_bits(bits, KINDS[kind].pads) // 8


TRANSPOSED_B_8BIT = Table(
    "Table 50",
    "9.7.16.10.1",
    ("cta_group", "n"),
    ((1, _N16), (2, _N32)),
    rule("T5-SHAPE-003", step=_N16.step, pair_step=_N32.step),
    {"cta_group": CTA_GROUP_RULE},
)
TRANSPOSED_B_BITS = 8


LAYOUT_RULE = rule("T5-SHAPE-004")
ALIGNMENT_RULE = rule("T5-TMEM-002")
_HALF_LANES = WARP_LANES // 2


class Position(NamedTuple):
    """The place of an element: CTA of the pair, lane, column, and lowest bit in the 32-bit cell."""

    cta: int
    lane: int
    column: int
    bit: int = 0


class DataPathLayout(NamedTuple):
    """A data path layout.

    Each CTA holds `rows` rows of D. N is divided into `folds` parts, each in its own lanes. If
    `is_half`, D uses only 16 of each warp's 32 lanes, the lower or the upper ones.
    """

    name: str
    section: str
    rows: int
    folds: int = 1
    is_half: bool = False

    @property
    def alignments(self) -> tuple[int, ...]:
        """Lanes at which the matrices may begin."""
        return (0, _HALF_LANES) if self.is_half else (0,)

    def check_lane(self, lane: int) -> None:
        """Raise Violation unless the address of D, A or the metadata may have this lane."""
        if lane not in self.alignments:
            raise ALIGNMENT_RULE.violation(lane, self.alignments, f"lane in layout {self.name}")

    def _lane(self, row: int, lane: int) -> int:
        if self.is_half:
            warp, row = divmod(row, _HALF_LANES)
            return warp * WARP_LANES + row + lane
        return row + lane

    def columns(self, n: int) -> int:
        """The number of tensor memory columns of a D with `n` columns: each cell holds one element
        of any size."""
        return n // self.folds

    def position(self, m: int, n: int, extent_n: int, lane: int = 0) -> Position:
        """The position of D(m, n) in a matrix of `extent_n` columns. `lane` is the lane of the
        address of D; the column is relative to that address. A 16-bit element occupies the low half
        of its cell."""
        cta, row = divmod(m, self.rows)
        fold, column = divmod(n, self.columns(extent_n))
        return Position(cta, self._lane(row, lane) + fold * self.rows, column)

    def a_positions(self, m: int, k: int, bits: int, lane: int = 0) -> tuple[Position, ...]:
        """The positions of A(m, k) in tensor memory, with elements of `bits` bits: one in each lane
        that holds row m of D, thus several if N is folded."""
        cta, row = divmod(m, self.rows)
        column, bit = divmod(k * bits, CELL_BITS)
        return tuple(
            Position(cta, self._lane(row, lane) + fold * self.rows, column, bit)
            for fold in range(self.folds)
        )

    def lanes(self, lane: int = 0) -> frozenset[int]:
        """The lanes of D in each CTA."""
        return frozenset(
            self._lane(row, lane) + fold * self.rows
            for row in range(self.rows)
            for fold in range(self.folds)
        )


LAYOUTS = {
    layout.name: layout
    for layout in (
        DataPathLayout("A", "9.7.16.10.5.1", LANES),
        DataPathLayout("B", "9.7.16.10.5.2", LANES // 2, 2),
        DataPathLayout("C", "9.7.16.10.5.3", LANES // 2, is_half=True),
        DataPathLayout("D", "9.7.16.10.5.4", LANES),
        DataPathLayout("E", "9.7.16.10.5.5", LANES // 2, 2),
        DataPathLayout("F", "9.7.16.10.5.6", LANES // 2, is_half=True),
        DataPathLayout("G", "9.7.16.10.5.7", LANES // 4, 4),
    )
}

DATA_PATH_LAYOUTS = Table(
    "Data path layout",
    "9.7.16.10.5",
    ("m", "cta_group", "sparse", "ws", "layout"),
    (
        (32, 1, BOOLEANS, True, "G"),
        (64, 1, BOOLEANS, True, "E"),
        (64, 1, BOOLEANS, False, "F"),
        (128, 1, BOOLEANS, BOOLEANS, "D"),
        (128, 2, False, False, "B"),
        (128, 2, True, False, "C"),
        (256, 2, BOOLEANS, False, "A"),
    ),
    LAYOUT_RULE,
    {"cta_group": CTA_GROUP_RULE, "ws": WS_RULE},
    {"ws": ".ws"},
)


@cache
def data_path_layout(m: int, cta_group: int, sparse: bool, ws: bool) -> DataPathLayout:
    """The layout of an MMA with this M and these qualifiers. Raises Violation if there is none."""
    name = DATA_PATH_LAYOUTS.value("layout", m=m, cta_group=cta_group, sparse=sparse, ws=ws)
    return LAYOUTS[name]
