"""The words that follow the first word of an opcode, of all instructions (9.7)."""

from __future__ import annotations

import re

_WORDS = """
    128x128b 128x256b 16x128b 16x256b 16x32bx2 16x64b 1d 2d 32x128b 32x32b 3d 4d 4x256b 5d 64x128b
    L1 L1::32B L1::evict_first L1::evict_last L1::evict_normal L1::evict_unchanged L1::no_allocate
    L2 L2::128B L2::256B L2::64B L2::cache_hint L2::evict_first L2::evict_last L2::evict_normal
    L2::evict_unchanged L2::no_allocate NaN a a1d a2d a2dms abs acc::f16 acc::f32 acq_rel acquire
    acube add addr_mode_0 addr_mode_1 addr_mode_2 alias aligned all alloc alloc_class_large
    alloc_large alloc_same alloc_small and any approx array_size arrive arrive_drop ashift async
    async::generic b b1 b1024 b128 b16 b2 b32 b4 b4e b4x16_p64 b64 b6x16_p32 b8 b8x16 ballot base
    bf16 bf16x2 bfly block16 block32 block_scale box_dim bulk bulk_group c ca cas cc cg
    channel_data_type channel_order check_layout clamp cluster col collector::a
    collector::a::discard collector::a::fill collector::a::lastuse collector::a::use collector::b0
    collector::b0::discard collector::b0::fill collector::b0::lastuse collector::b0::use
    collector::b1 collector::b1::discard collector::b1::fill collector::b1::lastuse
    collector::b1::use collector::b2 collector::b2::discard collector::b2::fill
    collector::b2::lastuse collector::b2::use collector::b3 collector::b3::discard
    collector::b3::fill collector::b3::lastuse collector::b3::use commit commit_group complete_tx
    const cp cp_fenceproxy cp_mask cs cta cta_group::1 cta_group::2 cube cv cvt d dealloc dec depth
    dis down e2m1 e2m1x2 e2m1x4 e2m3 e2m3x2 e2m3x4 e3m2 e3m2x2 e3m2x4 e4m3 e4m3x2 e4m3x4 e5m2 e5m2x2
    e5m2x4 ecl ecr element_stride elemtype en eq equ evict_first evict_last evict_normal
    evict_unchanged exch exclusive expect_tx f16 f16x2 f32 f32x2 f4e f64 fabric fence
    fence::after_thread_sync fence::before_thread_sync fill_mode filter_mode finite
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


def is_word(text: str) -> bool:
    """Whether an instruction of PTX may have the word after the first word of its opcode."""
    return text in WORDS or _SHAPE.fullmatch(text) is not None
