"""Asynchronous copies, and changes of tensor maps (9.7.9.25, 9.7.9.26)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tcgen05_dialect.isa.effects.model import (
    COPIED,
    COPIED_BY_THREAD,
    SOURCE_READ,
    WRITTEN,
    Actor,
    Area,
    Choice,
    Effects,
    Ordering,
    Participants,
    Proxy,
    StateSpace,
)
from tcgen05_dialect.isa.effects.model import SCOPES as SCOPES
from tcgen05_dialect.isa.instructions.mbarrier import BARRIER_OBJECT
from tcgen05_dialect.isa.instructions.mbarrier import shared_spellings as shared_spellings
from tcgen05_dialect.isa.instructions.table import WordOf
from tcgen05_dialect.isa.model.rule import alternatives, rule
from tcgen05_dialect.isa.model.table import Limit, Place, Table
from tcgen05_dialect.isa.ptx.kernel import TENSOR_MAP_ALIGNMENT, TENSOR_MAP_BYTES
from tcgen05_dialect.isa.targets import CTA_GROUP

_SIZES = (4, 8, 16)
COPY_SIZES = Table(
    "cp.async",
    "9.7.9.25.3.1",
    ("cache", "size"),
    (("ca", _SIZES), ("cg", _SIZES[-1])),
    rule("T5-PTX-053", sizes=alternatives(_SIZES), largest=_SIZES[-1]),
)
COPY_SIZE = Limit(COPY_SIZES.rule, COPY_SIZES.values("size"))
PENDING_COPIES = Limit(
    rule("T5-PTX-054"),
    range(1 << 31),
)

CHUNK_BYTES = 16
"""Bytes of a chunk of a bulk copy: the unit of sizes, addresses and byte masks."""
_LIMIT = 1 << 20
BULK_SIZE = Limit(
    rule("T5-PTX-200", chunk_bytes=CHUNK_BYTES, limit=_LIMIT),
    range(0, _LIMIT, CHUNK_BYTES),
)
CHUNKS = Place(
    0,
    CHUNK_BYTES,
    rule("T5-PTX-201", chunk_bytes=CHUNK_BYTES),
    amount="`size` bytes",
)
"""The place of a bulk copy; its operand `size` determines the number of bytes."""
IGNORED = Limit(
    rule("T5-PTX-202", chunk_bytes=CHUNK_BYTES),
    range(CHUNK_BYTES),
)

_NOFTZ = "noftz"
_HALVES = ("f16", "bf16")
_ANYWHERE = (
    ("add", ("u32", "s32", "u64")),
    (("min", "max"), ("u32", "s32")),
    (("inc", "dec"), "u32"),
    (("and", "or", "xor"), "b32"),
)
"""Operations and types of reductions in shared and global memory."""
REMOTE_REDUCTION = Table(
    "cp.reduce.async.bulk to shared memory",
    "9.7.9.25.4.2",
    ("operation", "type"),
    _ANYWHERE,
    rule("T5-PTX-203"),
)
FLOAT_SUM = "add", _NOFTZ, "f32"
"""The sum of f32 that keeps subnormal numbers, which only newer versions have."""
GLOBAL_REDUCTION = Table(
    "cp.reduce.async.bulk to global memory",
    "9.7.9.25.4.2",
    ("operation", "noftz", "type"),
    (
        *((operation, None, type_) for operation, type_ in _ANYWHERE),
        ("add", None, ("f32", "f64")),
        ("add", _NOFTZ, _HALVES),
        FLOAT_SUM,
        (("min", "max"), None, ("u64", "s64", *_HALVES)),
        (("and", "or", "xor"), None, "b64"),
    ),
    rule("T5-PTX-204"),
)

DIMENSIONS = Limit(
    rule("T5-PTX-050"),
    range(1, 6),
)
PENDING = Limit(
    rule("T5-PTX-051"),
    range(1 << 31),
)
ROW_COPY_RANK = 2
"""Rank of the tensors of copies of four rows."""
COPIED_ROWS = 4
"""The rows of such a copy, each with a coordinate of its own."""
ROW_COORDINATES = Limit(
    rule("T5-PTX-055"),
    frozenset((1 + COPIED_ROWS,)),
)
_TILE_ALIGNMENT = 128
_TILE_RULE = rule("T5-PTX-052", tile_alignment=_TILE_ALIGNMENT)
TILE = Place(0, _TILE_ALIGNMENT, _TILE_RULE, amount="a box")
"""The place of a tile in shared memory; the tensor map determines its size."""
CTA_GROUPS = {text.removeprefix("."): ctas for ctas, text in CTA_GROUP.spellings.items()}
"""Qualifier of a copy -> the number of CTAs whose barrier objects the copy may signal."""

TENSOR_REDUCTION = Table(
    "cp.reduce.async.bulk.tensor",
    "9.7.9.25.5.3",
    ("operation", "element"),
    (
        ("add", ("u32", "s32", "u64", "f32", "f16", "bf16")),
        (("min", "max"), ("u32", "s32", "u64", "s64", "f16", "bf16")),
        (("inc", "dec"), "u32"),
        (("and", "or", "xor"), ("u32", "s32", "f32", "u64", "s64", "f64")),
    ),
    rule("T5-PTX-205"),
)

_MODES = "5.5.4, 5.5.5, 9.7.9.25.5.2"
_RANKS = range(3, 6)
IM2COL = Table(
    "load in im2col mode",
    _MODES,
    ("mode", "coordinates", "offsets"),
    (
        *(("im2col", rank, rank - 2) for rank in _RANKS),
        (("im2col::w", "im2col::w::128"), tuple(_RANKS), 2),
    ),
    rule("T5-PTX-210"),
)
IM2COL_RANKS = Limit(
    rule("T5-PTX-211"),
    _RANKS,
)

_REPLACE = "9.7.9.26.1"
MAP = Place(TENSOR_MAP_BYTES, TENSOR_MAP_ALIGNMENT)
"""The place of a tensor map in memory."""


def _fields(id: str, name: str, rows: tuple[tuple[str | tuple[str, ...], str], ...]) -> Table:
    return Table(
        name,
        _REPLACE,
        ("field", "type"),
        rows,
        rule(id),
    )


TENSOR_ADDRESS = "global_address"
"""The field that holds the address of the tensor."""
FIELDS = _fields(
    "T5-PTX-230",
    "a field",
    ((TENSOR_ADDRESS, "b64"), ("rank", "b32")),
)
DIMENSION_FIELDS = _fields(
    "T5-PTX-231",
    "a field of a dimension",
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
    _REPLACE,
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

_SIZE = "`size` bytes"
COPY_BY_THREAD = Effects(
    reads=(Area(StateSpace.GLOBAL, ("source",), _SIZE, completion=COPIED_BY_THREAD),),
    writes=(Area(StateSpace.SHARED, ("destination",), _SIZE, completion=COPIED_BY_THREAD),),
    actor=Actor.COPY,
    data=("cache_policy",),
)
COMMIT_BY_THREAD = Effects(tracks=(COPIED_BY_THREAD,))
WAIT_BY_THREAD = Effects(completes=(COPIED_BY_THREAD,))
ARRIVAL_BY_THREAD = Effects(
    writes=(Area(StateSpace.BARRIER, ("address",), BARRIER_OBJECT),),
    orders=(Ordering.RELEASE,),
    scope="cta",
    arrives_at="address",
)
COMMIT = Effects(tracks=(SOURCE_READ, WRITTEN))
# A copy that is complete has read its source.
WAIT = Effects(
    completes=Choice("read", {"read": (SOURCE_READ,), None: (SOURCE_READ, WRITTEN)}),
)

_CACHED = ("cache_policy",)
_BARRIER = Area(StateSpace.BARRIER, ("mbarrier",), BARRIER_OBJECT, Proxy.ASYNC)


def _async(space: StateSpace, operands: tuple[str, ...], extent: Place | str) -> Area:
    """An area that a bulk copy with a barrier object accesses."""
    return Area(space, operands, extent, Proxy.ASYNC, COPIED)


def _reduction(row: Effects, data: tuple[str, ...]) -> Effects:
    """The effects of a copy as effects of a reduction, which several threads may repeat."""
    return row._replace(
        reads=(*row.reads, row.writes[0]),
        executed_by=Participants.EACH,
        scope="gpu",
        data=data,
        is_atomic=True,
    )


BULK_LOAD = Effects(
    reads=(_async(StateSpace.GLOBAL, ("source",), CHUNKS),),
    writes=(_async(StateSpace.SHARED, ("destination",), CHUNKS), _BARRIER),
    actor=Actor.TMA,
    executed_by=Participants.ONE,
    completes_at="mbarrier",
    data=_CACHED,
)
BULK_REMOTE = BULK_LOAD._replace(reads=(_async(StateSpace.SHARED, ("source",), CHUNKS),), data=())
BULK_STORE = Effects(
    reads=(Area(StateSpace.SHARED, ("source",), CHUNKS, Proxy.ASYNC, SOURCE_READ),),
    writes=(Area(StateSpace.GLOBAL, ("destination",), CHUNKS, Proxy.ASYNC, WRITTEN),),
    actor=Actor.TMA,
    executed_by=Participants.ONE,
    data=(*_CACHED, "byte_mask"),
)
# A prefetch changes caches only.
BULK_PREFETCH = Effects(actor=Actor.TMA, data=("source", "size", *_CACHED))
REMOTE_SUM = _reduction(BULK_REMOTE, ())
GLOBAL_SUM = _reduction(BULK_STORE, _CACHED)

_BOX = ("tensor_map", "coordinates")
_TENSOR_MAP = Area(StateSpace.TENSOR_MAP, ("tensor_map",), proxy=Proxy.TENSORMAP)
LOAD = Effects(
    reads=(_TENSOR_MAP, _async(StateSpace.GLOBAL, _BOX, "a box")),
    writes=(_async(StateSpace.SHARED, ("destination",), TILE), _BARRIER),
    actor=Actor.TMA,
    executed_by=Participants.ONE,
    completes_at="mbarrier",
    data=_CACHED,
)
IM2COL_LOAD = LOAD._replace(
    reads=(_TENSOR_MAP, _async(StateSpace.GLOBAL, (*_BOX, "offsets"), "a box"))
)
STORE = Effects(
    reads=(_TENSOR_MAP, Area(StateSpace.SHARED, ("source",), TILE, Proxy.ASYNC, SOURCE_READ)),
    writes=(Area(StateSpace.GLOBAL, _BOX, "a box", Proxy.ASYNC, WRITTEN),),
    actor=Actor.TMA,
    executed_by=Participants.ONE,
    data=_CACHED,
)
SUM = _reduction(STORE, _CACHED)
PREFETCH = Effects(reads=(_TENSOR_MAP,), actor=Actor.TMA, data=("coordinates", *_CACHED))
IM2COL_PREFETCH = PREFETCH._replace(data=(*PREFETCH.data, "offsets"))
PREFETCH_OF_MAP = Effects(reads=(_TENSOR_MAP,))

_MAP = Area(StateSpace.MEMORY, ("address",), MAP)
CHANGE_OF_MAP = Effects(reads=(_MAP,), writes=(_MAP,))
COPY_OF_MAP = Effects(
    reads=(Area(StateSpace.SHARED, ("source",), MAP),),
    writes=(Area(StateSpace.GLOBAL, ("destination",), MAP),),
    executed_by=Participants.WHOLE,
    orders=(Ordering.RELEASE,),
)


def copy_spellings(line: str) -> Mapping[str, str]:
    """The spelling of a syntax line with `.shared`, which is short for `.shared::cta`."""
    return {"shared": line.replace("shared::cta", "shared")}


def tile_spellings(line: str) -> Mapping[str, str]:
    """The spelling without the load mode `.tile`, which is the default."""
    return {"without_tile": line.replace(".tile", "")}


def _to_cta(line: str) -> str:
    """The syntax line of a load to this CTA, without multicast."""
    for part in ("?multicast_mask(.multicast::cluster)", "?multicast_mask(, %multicast_mask)"):
        line = line.replace(part, "")
    return line.replace("shared::cluster", "shared::cta")


def cta_spellings(line: str) -> Mapping[str, str]:
    """The spelling of a load to this CTA."""
    return {"shared::cta": _to_cta(line)}


def load_spellings(line: str) -> Mapping[str, str]:
    """The spellings of a load of a tile, whose mode is the default."""
    return {
        **tile_spellings(line),
        **cta_spellings(line),
        "shared::cta_without_tile": _to_cta(line).replace(".tile", ""),
    }


def features_of_sum(word: WordOf) -> Sequence[str]:
    """The features of targets that a bulk reduction needs."""
    words = tuple(word(name) for name in ("operation", "noftz", "type"))
    return ("bulk_sum_of_f32",) if words == FLOAT_SUM else ()


def features_of_mode(word: WordOf) -> Sequence[str]:
    """The features of targets that a mode of a tensor map needs."""
    field, value = word("field"), word("value")
    assert isinstance(value, int)
    if field == "elemtype" and value >= FIRST_PACKED:
        return ("packed_tensor_maps",)
    if field == "swizzle_mode" and value == len(SWIZZLE_MODES) - 1:
        return ("swizzle_96b",)
    return ()


INSTRUCTIONS = r"""
prefetch.tensormap | prefetch.tensormap [%tensor_map]
      / const: prefetch.const.tensormap [%tensor_map]
      / param: prefetch.param.tensormap [%tensor_map]
    | 9.7.9.15 | tensor_map MAP_ADDRESS | PREFETCH_OF_MAP
    | Prefetch a tensor map into the cache from which copies read it.
cp.async
    | cp.async.$cache.shared::cta.global?cache_policy(.L2::cache_hint).$prefetch [%destination], [%source], $size?source_size(, %source_size)?cache_policy(, %cache_policy)
    | 9.7.9.25.3.1
    | COPY_SIZES; prefetch? L2::64B L2::256B L2::128B; destination SHARED_ADDRESS; source
      cache_policy B64; source_size B32; size in COPY_SIZE; also copy_spellings; base CopyByThread;
      as predicate source_size
    | COPY_BY_THREAD
    | Copy `size` bytes, as part of the current group. Only the first `source_size` bytes are
      read, if that is given; zeros are written for the others.
cp.async.commit_group | cp.async.commit_group | 9.7.9.25.3.2 | - | COMMIT_BY_THREAD
    | Put the copies that this thread has started since the last commit into a group.
cp.async.wait_group | cp.async.wait_group $pending | 9.7.9.25.3.3 | pending in PENDING_COPIES
    | WAIT_BY_THREAD | Wait until at most the latest `pending` groups of copies are incomplete.
cp.async.wait_all | cp.async.wait_all | 9.7.9.25.3.3 | - | WAIT_BY_THREAD
    | Wait for all copies that this thread has started.
cp.async.bulk.load
    | cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes?multicast_mask(.multicast::cluster)?cache_policy(.L2::cache_hint) [%destination], [%source], %size, [%mbarrier]?multicast_mask(, %multicast_mask)?cache_policy(, %cache_policy)
    | 9.7.9.25.4.1
    | destination mbarrier SHARED_ADDRESS; source cache_policy B64; size B32 in BULK_SIZE;
      multicast_mask B16; also cta_spellings; base SizedInstruction | BULK_LOAD
    | Copy `size` bytes from global to shared memory; `mbarrier` tracks its completion. With a
      multicast mask, the copy and its completion go to the same places in each CTA of the mask.
cp.async.bulk.load.ignore_oob
    | cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes?cache_policy(.L2::cache_hint).ignore_oob [%destination], [%source], %size, %ignored_left, %ignored_right, [%mbarrier]?cache_policy(, %cache_policy)
    | 9.7.9.25.4.1
    | destination mbarrier SHARED_ADDRESS; source cache_policy B64; size B32 in BULK_SIZE;
      ignored_left B32 in IGNORED; ignored_right B32 in IGNORED; base SizedInstruction; needs
      bulk_ignore_oob | BULK_LOAD
    | Copy `size` bytes from global to shared memory, of which `ignored_left` bytes at the
      beginning and `ignored_right` bytes at the end may be out of bounds: their copies are
      indeterminate.
cp.async.bulk.remote
    | cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%destination], [%source], %size, [%mbarrier]
    | 9.7.9.25.4.1
    | destination source mbarrier SHARED_ADDRESS; size B32 in BULK_SIZE; base SizedInstruction
    | BULK_REMOTE
    | Copy `size` bytes from shared memory of this CTA to that of another CTA of the cluster;
      `mbarrier` tracks its completion.
cp.async.bulk.store
    | cp.async.bulk.global.shared::cta.bulk_group?cache_policy(.L2::cache_hint)?byte_mask(.cp_mask) [%destination], [%source], %size?cache_policy(, %cache_policy)?byte_mask(, %byte_mask)
    | 9.7.9.25.4.1
    | destination cache_policy B64; source SHARED_ADDRESS; size B32 in BULK_SIZE; byte_mask B16;
      base SizedInstruction | BULK_STORE
    | Copy `size` bytes from shared to global memory, as part of the current bulk group. Bit i of
      the byte mask tells whether byte i of each chunk of 16 bytes is copied.
cp.reduce.async.bulk.remote
    | cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.$operation.$type [%destination], [%source], %size, [%mbarrier]
    | 9.7.9.25.4.2
    | REMOTE_REDUCTION; destination source mbarrier SHARED_ADDRESS; size B32 in BULK_SIZE; base
      SizedInstruction | REMOTE_SUM
    | Combine each number in shared memory of a CTA of the cluster with one of this CTA;
      `mbarrier` tracks its completion.
cp.reduce.async.bulk.store
    | cp.reduce.async.bulk.global.shared::cta.bulk_group?cache_policy(.L2::cache_hint).$operation.$noftz.$type [%destination], [%source], %size?cache_policy(, %cache_policy)
    | 9.7.9.25.4.2
    | GLOBAL_REDUCTION; destination cache_policy B64; source SHARED_ADDRESS; size B32 in
      BULK_SIZE; base SizedInstruction; needs features_of_sum | GLOBAL_SUM
    | Combine each number in global memory with one in shared memory, as part of the current bulk
      group.
cp.async.bulk.prefetch
    | cp.async.bulk.prefetch.L2.global?cache_policy(.L2::cache_hint) [%source], %size?cache_policy(, %cache_policy)
    | 9.7.9.25.4.3 | source cache_policy B64; size B32 in BULK_SIZE | BULK_PREFETCH
    | Prefetch `size` bytes of global memory into the L2 cache.
cp.async.bulk.tensor.load
    | cp.async.bulk.tensor.#(coordinates)d.shared::cluster.global.tile.mbarrier::complete_tx::bytes?multicast_mask(.multicast::cluster).$cta_group?cache_policy(.L2::cache_hint) [%destination], [!tensor_map, {%coordinates}], [%mbarrier]?multicast_mask(, %multicast_mask)?cache_policy(, %cache_policy)
    | 9.7.9.25.5.2
    | cta_group? cta_group::1 cta_group::2; destination mbarrier SHARED_ADDRESS; tensor_map
      TENSOR_MAP; coordinates B32 in DIMENSIONS; multicast_mask B16; cache_policy B64; also
      load_spellings; base BoxInstruction | LOAD
    | Copy a box of a tensor from global to shared memory; `mbarrier` tracks its completion.
cp.async.bulk.tensor.store
    | cp.async.bulk.tensor.#(coordinates)d.global.shared::cta.tile.bulk_group?cache_policy(.L2::cache_hint) [!tensor_map, {%coordinates}], [%source]?cache_policy(, %cache_policy)
    | 9.7.9.25.5.2
    | tensor_map TENSOR_MAP; coordinates B32 in DIMENSIONS; source SHARED_ADDRESS; cache_policy
      B64; also tile_spellings; base BoxInstruction | STORE
    | Copy a box of a tensor from shared to global memory, as part of the current bulk group.
cp.async.bulk.tensor.gather4
    | cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes?multicast_mask(.multicast::cluster).$cta_group?cache_policy(.L2::cache_hint) [%destination], [!tensor_map, {%coordinates}], [%mbarrier]?multicast_mask(, %multicast_mask)?cache_policy(, %cache_policy)
    | 9.7.9.25.5.2
    | cta_group? cta_group::1 cta_group::2; destination mbarrier SHARED_ADDRESS; tensor_map
      TENSOR_MAP; coordinates B32 in ROW_COORDINATES; multicast_mask B16; cache_policy B64; also
      cta_spellings | LOAD
    | Copy four rows of a matrix to shared memory, one after the other. The coordinates are the
      column and the four rows.
cp.async.bulk.tensor.scatter4
    | cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group?cache_policy(.L2::cache_hint) [!tensor_map, {%coordinates}], [%source]?cache_policy(, %cache_policy)
    | 9.7.9.25.5.2
    | tensor_map TENSOR_MAP; coordinates B32 in ROW_COORDINATES; source SHARED_ADDRESS;
      cache_policy B64 | STORE
    | Copy four rows from shared memory to a matrix, as part of the current bulk group.
cp.async.bulk.tensor.im2col
    | cp.async.bulk.tensor.#(coordinates)d.shared::cluster.global.$mode.mbarrier::complete_tx::bytes?multicast_mask(.multicast::cluster).$cta_group?cache_policy(.L2::cache_hint) [%destination], [!tensor_map, {%coordinates}], [%mbarrier], {%offsets}?multicast_mask(, %multicast_mask)?cache_policy(, %cache_policy)
    | 9.7.9.25.5.2
    | IM2COL; cta_group? cta_group::1 cta_group::2; destination mbarrier SHARED_ADDRESS;
      tensor_map TENSOR_MAP; coordinates B32; offsets multicast_mask B16; cache_policy B64; also
      cta_spellings | IM2COL_LOAD
    | Copy pixels of a tensor to shared memory as columns; `mbarrier` tracks its completion. The
      offsets are those of the pixel in the filter or, in the modes `im2col::w`, the halo and the
      offset along w.
cp.async.bulk.tensor.im2col_no_offs
    | cp.async.bulk.tensor.#(coordinates)d.global.shared::cta.im2col_no_offs.bulk_group?cache_policy(.L2::cache_hint) [!tensor_map, {%coordinates}], [%source]?cache_policy(, %cache_policy)
    | 9.7.9.25.5.2
    | tensor_map TENSOR_MAP; coordinates B32 in IM2COL_RANKS; source SHARED_ADDRESS; cache_policy
      B64 | STORE
    | Copy columns from shared memory to pixels of a tensor, as part of the current bulk group.
cp.reduce.async.bulk.tensor
    | cp.reduce.async.bulk.tensor.#(coordinates)d.global.shared::cta.$operation.tile.bulk_group?cache_policy(.L2::cache_hint) [!tensor_map, {%coordinates}], [%source]?cache_policy(, %cache_policy)
    | 9.7.9.25.5.3
    | operation max min inc and dec or xor add; tensor_map TENSOR_MAP; coordinates B32 in
      DIMENSIONS; source SHARED_ADDRESS; cache_policy B64; also tile_spellings; base
      BoxInstruction | SUM
    | Combine each element of a box of a tensor in global memory with one in shared memory, as
      part of the current bulk group. The tensor map gives the type of the elements.
cp.reduce.async.bulk.tensor.im2col_no_offs
    | cp.reduce.async.bulk.tensor.#(coordinates)d.global.shared::cta.$operation.im2col_no_offs.bulk_group?cache_policy(.L2::cache_hint) [!tensor_map, {%coordinates}], [%source]?cache_policy(, %cache_policy)
    | 9.7.9.25.5.3
    | operation max min inc and dec or xor add; tensor_map TENSOR_MAP; coordinates B32 in
      IM2COL_RANKS; source SHARED_ADDRESS; cache_policy B64 | SUM
    | Combine pixels of a tensor with columns in shared memory, as part of the current bulk group.
cp.async.bulk.prefetch.tensor
    | cp.async.bulk.prefetch.tensor.#(coordinates)d.L2.global.tile?cache_policy(.L2::cache_hint) [!tensor_map, {%coordinates}]?cache_policy(, %cache_policy)
    | 9.7.9.25.5.4
    | tensor_map TENSOR_MAP; coordinates B32 in DIMENSIONS; cache_policy B64; also tile_spellings;
      base BoxInstruction | PREFETCH | Prefetch a box of a tensor into the L2 cache.
cp.async.bulk.prefetch.tensor.gather4
    | cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4?cache_policy(.L2::cache_hint) [!tensor_map, {%coordinates}]?cache_policy(, %cache_policy)
    | 9.7.9.25.5.4 | tensor_map TENSOR_MAP; coordinates B32 in ROW_COORDINATES; cache_policy B64
    | PREFETCH | Prefetch four rows of a matrix into the L2 cache.
cp.async.bulk.prefetch.tensor.im2col
    | cp.async.bulk.prefetch.tensor.#(coordinates)d.L2.global.$mode?cache_policy(.L2::cache_hint) [!tensor_map, {%coordinates}], {%offsets}?cache_policy(, %cache_policy)
    | 9.7.9.25.5.4 | IM2COL; tensor_map TENSOR_MAP; coordinates B32; offsets B16; cache_policy B64
    | IM2COL_PREFETCH
    | Prefetch pixels of a tensor into the L2 cache; the offsets are those of a load.
cp.async.bulk.commit_group | cp.async.bulk.commit_group | 9.7.9.25.6.1 | - | COMMIT
    | Put the bulk copies that this thread has started since the last commit into a bulk group.
cp.async.bulk.wait_group | cp.async.bulk.wait_group.$read $pending | 9.7.9.25.6.2
    | read? read; pending in PENDING | WAIT
    | Wait until at most the latest `pending` bulk groups are incomplete; with `read`, until the
      earlier groups have read their sources.
tensormap.replace | tensormap.replace.tile.$field.$space.b1024.$type [%address], %value
    | 9.7.9.26.1
    | FIELDS; space? global shared::cta; address B32_OR_B64 of space; value B32_OR_B64 of type
    | CHANGE_OF_MAP | Replace the address of the tensor, or its rank minus one, in a tensor map.
tensormap.replace.dimension
    | tensormap.replace.tile.$field.$space.b1024.$type [%address], $ordinal, %value | 9.7.9.26.1
    | DIMENSION_FIELDS; space? global shared::cta; address B32_OR_B64 of space; value B32_OR_B64
      of type; ordinal in ORDINAL | CHANGE_OF_MAP
    | Replace an extent or a stride of a dimension in a tensor map; `ordinal` counts from the
      innermost. For `global_stride`, ordinal n selects the stride of dimension n + 1.
tensormap.replace.mode | tensormap.replace.tile.$field.$space.b1024.b32 [%address], $value
    | 9.7.9.26.1
    | MODES; space? global shared::cta; address B32_OR_B64 of space; needs features_of_mode
    | CHANGE_OF_MAP | Replace the element type, the swizzle mode or another mode in a tensor map.
cp.async.mbarrier.arrive | cp.async.mbarrier.arrive.$increment.shared::cta.b64 [%address]
    | 9.7.13.15.15
    | increment? noinc; address SHARED_ADDRESS; also shared_spellings; base BarrierInstruction
    | ARRIVAL_BY_THREAD
    | Let the completion of all copies that this thread has started arrive at a barrier object.
      Unless `noinc` is given, the phase expects one more arrival.
tensormap.cp_fenceproxy
    | tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.$scope.sync.aligned [%destination], [%source], 128
    | 9.7.13.15.18 | scope SCOPES; destination B64; source B32_OR_B64 | COPY_OF_MAP
    | Copy a tensor map from shared to global memory, and release it to threads that acquire it
      with `ptx.fence.proxy.tensormap.acquire`.
"""
