"""Words of the opcodes of PTX, also of instructions that `ptx` lacks (9.7)."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORDS = """
    128x128b 128x256b 16x128b 16x256b 16x32bx2 16x64b 1d 2d 2pi 32x128b 32x32b 3d 4d 4x256b 5d
    64x128b L1 L1::32B L1::evict_first L1::evict_last L1::evict_normal L1::evict_unchanged
    L1::no_allocate L2 L2::128B L2::256B L2::64B L2::cache_hint L2::evict_first L2::evict_last
    L2::evict_normal L2::evict_unchanged L2::no_allocate NaN a a1d a2d a2dms abs acc::f16 acc::f32
    acq_rel acquire acube add addr_mode_0 addr_mode_1 addr_mode_2 alias aligned all alloc
    alloc_class_large alloc_large alloc_same alloc_small and any approx array_size arrive
    arrive_drop ashift async async::generic b b1 b1024 b128 b16 b2 b32 b4 b4e b4x16_p64 b64
    b6x16_p32 b8 b8x16 ballot base bf16 bf16x2 bfly block16 block32 block_scale box_dim bulk
    bulk_group c ca cas cc cg channel_data_type channel_order check_layout clamp cluster col
    collector::a collector::a::discard collector::a::fill collector::a::lastuse collector::a::use
    collector::b0 collector::b0::discard collector::b0::fill collector::b0::lastuse
    collector::b0::use collector::b1 collector::b1::discard collector::b1::fill
    collector::b1::lastuse collector::b1::use collector::b2 collector::b2::discard
    collector::b2::fill collector::b2::lastuse collector::b2::use collector::b3
    collector::b3::discard collector::b3::fill collector::b3::lastuse collector::b3::use commit
    commit_group complete_tx const cp cp_fenceproxy cp_mask cs cta cta_group::1 cta_group::2 cube cv
    cvt d dealloc dec depth dis down e2m1 e2m1x2 e2m1x4 e2m3 e2m3x2 e2m3x4 e3m2 e3m2x2 e3m2x4 e4m3
    e4m3x2 e4m3x4 e5m2 e5m2x2 e5m2x4 ecl ecr element_stride elemtype en eq equ evict_first
    evict_last evict_normal evict_unchanged exch exclusive expect_tx f16 f16x2 f32 f32x2 f4e f64
    fabric fence fence::after_thread_sync fence::before_thread_sync fill_mode filter_mode finite
    force_unnormalized_coords fractional ftz full g ge get_first_ctaid get_first_ctaid::x
    get_first_ctaid::y get_first_ctaid::z geu gl global global_address global_dim global_stride gpu
    grad gt gtu height hi hs idx ignore_oob im2col im2col::w im2col::w::128 im2col_no_offs inc
    infinite init interleave_layout inv inval invall is_canceled kind::f16 kind::f8f6f4 kind::i8
    kind::mxf4 kind::mxf4nvf4 kind::mxf8f6f4 kind::tf32 l launch_dependents ld ld_reduce le leu
    level lo load local ls lt ltu lu mark mask matrix::A matrix::D matrix::scaleA matrix::scaleB
    matrix::sparseMetadata max maxabs mbarrier mbarrier::arrive::one mbarrier::complete_tx::bytes
    mbarrier::meet_tx::bytes mbarrier_init memory_layout min mma mma_async mmio multicast
    multicast::cluster multicast::cluster::all multimem nan nc ne neu noComplete no_allocate
    no_membermask_overlap noftz noinc normal normalized_coords notanumber num num_mipmap_levels
    num_samples number one oob or p pack pack::16b param param::entry param::func parity
    pending_count po popc pred prefetch proxy proxy::readonly query query_cancel r range rank rc16
    rc8 read red reduce relaxed release relinquish_alloc_permit relu replace rm rmi rn rna rni row
    rp rpi rs rz rzi s16 s16x2 s2 s2f6x2 s32 s4 s64 s8 safeadd samplerref sat satfinite sc
    scale_vec::1X scale_vec::2X scale_vec::4X scaled::n2::ue8m0 scratch shared shared::cluster
    shared::cta shift shiftamt shr15 shr7 sp sp::ordered_metadata spcompress st store submit
    subnormal surfref swizzle_atomicity swizzle_mode sync sync_restrict::read sync_restrict::reads
    sync_restrict::shared::cluster sync_restrict::shared::cluster::read sync_restrict::shared::cta
    sys tensor tensormap tensormap::generic test_wait tex texref tf32 thread tile tile::gather4
    tile::scatter4 to trans trap try_atom try_cancel try_get try_pullred try_put try_red try_wait tx
    u16 u16x2 u2 u32 u4 u64 u8 u8x4 ue4m3 ue8m0 ue8m0x2 uni unpack::16b up v2 v4 v8 valid_addr
    volatile wait wait::ld wait::st wait_all wait_group warp warpx2::01_23 warpx2::02_13 warpx4 wb
    weak wide width wrap ws wt x1 x128 x16 x2 x32 x4 x64 x8 xor xorsign zero
"""
"""The words that the newest assembler knows, including undocumented ones (measured)."""
WORDS = frozenset(f".{word}" for word in _WORDS.split())
"""The words after the first one of an opcode, except the shapes of matrices."""
_SHAPE = re.compile(r"\.m[0-9]+n[0-9]+(k[0-9]+)?")


_OF_SOME = {
    ".param::entry": frozenset(("cvta", "isspacep", "ld")),
    ".param::func": frozenset(("ld", "st")),
}
"""State space -> the only instructions that have it (measured)."""


def is_word(text: str, first: str = "") -> bool:
    """Whether an instruction of PTX, with this first word of its opcode if given, may have the word
    after it."""
    is_known = text in WORDS or _SHAPE.fullmatch(text) is not None
    return is_known and (not first or first in _OF_SOME.get(text, (first,)))


_WRITES_FIRST = """
    abs activemask add addc alloca and applypriority atom bfe bfi bfind bmsk brev clmad
    clusterlaunchcontrol clz cnot copysign cos createpolicy cvt cvta div dp2a dp4a elect ex2 fma
    fns getctarank isspacep istypep ld ldmatrix ldu lg2 lop3 mad mad24 madc mapa match max
    mbarrier min mma mov movmatrix mul mul24 multimem neg not or popc prmt rcp redux rem rsqrt
    sad selp set setp shf shfl shl shr sin slct sqrt stacksave sub subc suld suq szext tanh
    testp tex tld4 txq vabsdiff vabsdiff2 vabsdiff4 vadd vadd2 vadd4 vavrg2 vavrg4 vmad vmax
    vmax2 vmax4 vmin vmin2 vmin4 vote vset vset2 vset4 vshl vshr vsub vsub2 vsub4 wmma xor
"""
WRITES_FIRST = frozenset(_WRITES_FIRST.split())
"""Instructions whose first operand is a destination, and which read no destination."""
BARRIERS = frozenset(("bar", "barrier"))
"""Barriers: only those with `.red` have a destination (9.7.13.1)."""
REDUCES = ".red"
_WRITES_NOTHING = """
    brkpt cp discard fence griddepcontrol membar nanosleep pmevent prefetch prefetchu red
    setmaxnreg st stackrestore stmatrix sured sust trap
"""
WRITES_NOTHING = frozenset(_WRITES_NOTHING.split())
"""Instructions that only read their operands."""
WRITTEN: dict[tuple[str, ...], int] = {
    ("tcgen05", ".ld"): 1,
    ("tcgen05", ".ld", ".red"): 2,
    ("tcgen05", ".dealloc"): 0,
}
"""First words of other instructions -> the number of operands at the beginning that are
destinations (9.7.16)."""
_CTA, _CLUSTER = ".shared::cta", ".shared::cluster"
_OF_WIDER_REGISTERS = frozenset(("cvt", "ld", "ldu", "st"))
_ALTERNATE = re.compile(r"\.(?:tf32|bf16(?:x2)?|f32x2|u?e\dm\d(?:x\d)?)")
"""A qualifier for numbers in a format that no register has (5.2.3)."""


def may_be_wider(words: Sequence[str]) -> bool:
    """Whether registers of an instruction, by the words of its opcode, may be wider than their type
    (9.4.1; measured)."""
    is_copy = words[1:2] in ([".async"], [".bulk"])
    return words[0] in _OF_WIDER_REGISTERS and not (
        is_copy or any(map(_ALTERNATE.fullmatch, words))
    )


_BITS = re.compile(r"\.b\d+")
_INTEGER = re.compile(r"\.[su]\d+")


def kind_without_qualifier(words: Sequence[str], is_bits: bool, in_vector: bool) -> str:
    """The kind of the type (see `ptx_text.holders`) of an operand without a type qualifier of its
    own, in an instruction with these words in its opcode (measured). With `is_bits`, the operand
    may have a bit type, with which all registers of the size agree; others are integers. Without
    an integer type in the opcode, no register of a packed type holds them."""
    if words[0] == "cvt" and words[1] != ".pack":
        return "a"
    if words[0] != "cp" if in_vector else is_bits and any(map(_BITS.fullmatch, words)):
        return "b"
    return "u" if any(map(_INTEGER.fullmatch, words)) else "i"


UNCHECKED = (
    frozenset(("movmatrix",)),
    frozenset(("fence", ".tensormap::generic")),
    frozenset(("cvt", ".e2m1x2", ".bf16x2")),
)
"""Words of instructions whose registers ptxas does not check (measured)."""
_OTHERS = ("bra", "brx", "call", "exit", "ret", "tensormap", "wgmma")
_UNDOCUMENTED = ("cctl", "cctlu", "fabric", "spcompress", "spdecompress", "trace")
"""Further first words that the newest assembler knows (measured)."""
OPCODES = frozenset(
    (
        *WRITES_FIRST,
        *BARRIERS,
        *WRITES_NOTHING,
        *(words[0] for words in WRITTEN),
        *_OTHERS,
        *_UNDOCUMENTED,
    )
)
"""The first words of all instructions."""
REPEATABLE = frozenset(
    (".NaN", ".approx", ".cc", ".relu", ".sat", ".satfinite", ".shiftamt", ".sync", ".uni")
)
"""Words that ptxas takes twice in an opcode (measured)."""
MAY_LACK = frozenset(
    (
        *((word, space) for word in ("ldmatrix", "stmatrix") for space in (".shared", _CTA)),
        *((word, _CLUSTER) for word in ("st", "red", "mapa", "getctarank")),
        ("clusterlaunchcontrol", _CTA),
        ("st", "semantics"),
        ("testp", "test"),
    )
)
"""
First words of opcodes and words, or names of qualifiers, without which ptxas takes an instruction
that always has them in the dialect: state spaces for which an address is generic, and others
(measured).
"""
