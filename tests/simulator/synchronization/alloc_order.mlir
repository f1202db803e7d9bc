// A warp allocates twice, the larger part first, and moves a row from the one to the other.
//
// argument a: u32 32
// argument out: u32 32
// result out: a

ptx.shared_memory @slots size 8 alignment 4

ptx.kernel @alloc_order(%a : i64, %out : i64) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c64 = ptx.constant 64 : i32
  // step: columns that are no more than before [T5-SIM-009] -> %second = ptx.constant 128 : i32
  %second = ptx.constant 32 : i32
  %c4 = ptx.constant 4 : i32
  %slot0 = ptx.address_of @slots
  %slot1 = ptx.address_of @slots + 4
  %lane = ptx.special_register laneid
  %from = ptx.mad.wide u32 %lane, %c4, %a
  %to = ptx.mad.wide u32 %lane, %c4, %out
  ptx.tcgen05.alloc cta_group_1 shared_cta [%slot0], %c64
  ptx.tcgen05.alloc cta_group_1 shared_cta [%slot1], %second
  %t0 = ptx.ld "shared::cta" b32 [%slot0] -> i32
  %t1 = ptx.ld "shared::cta" b32 [%slot1] -> i32
  %v = ptx.ld global b32 [%from] -> i32
  ptx.tcgen05.st shape_32x32b x1 [%t0], {%v}
  ptx.tcgen05.wait st // step: wait::st before the first load [T5-SIM-014]
  %w = ptx.tcgen05.ld shape_32x32b x1 [%t0] -> i32
  ptx.tcgen05.wait ld // step: wait::ld before dealloc [T5-SIM-014]
  // step: address of the part that is freed [T5-SIM-009] -> ptx.tcgen05.dealloc cta_group_1 %t1, %c64
  // mistake: dealloc before the last use [T5-SIM-009] -> ptx.tcgen05.dealloc cta_group_1 %t1, %second
  ptx.tcgen05.dealloc cta_group_1 %t0, %c64
  ptx.tcgen05.st shape_32x32b x1 [%t1], {%w}
  ptx.tcgen05.wait st // step: wait::st before the second load [T5-SIM-014]
  %x = ptx.tcgen05.ld shape_32x32b x1 [%t1] -> i32
  ptx.tcgen05.wait ld
  ptx.tcgen05.dealloc cta_group_1 %t1, %second
  ptx.st global b32 [%to], {%x}
  ptx.ret
}
