// Two warps take turns with the whole of tensor memory: the second alloc waits for the dealloc.
//
// argument a: u32 64
// argument out: u32 64
// result out: a

ptx.shared_memory @slots size 8 alignment 4

ptx.kernel @alloc_waits(%a : i64, %out : i64) attributes {reqntid = array<i32: 64, 1, 1>} {
  %columns = ptx.constant 512 : i32
  %c4 = ptx.constant 4 : i32
  %c5 = ptx.constant 5 : i32
  %c2 = ptx.constant 2 : i32
  %c21 = ptx.constant 21 : i32
  %slots = ptx.address_of @slots
  %thread = ptx.special_register tid.x
  %warp = ptx.shr u32 %thread, %c5
  %offset = ptx.shl b32 %warp, %c2
  %slot = ptx.add s32 %slots, %offset
  %lanes = ptx.shl b32 %warp, %c21
  %from = ptx.mad.wide u32 %thread, %c4, %a
  %to = ptx.mad.wide u32 %thread, %c4, %out
  ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %columns
  // step: slots of their own for the two addresses [T5-SIM-014] -> %t = ptx.ld "shared::cta" b32 [%slots] -> i32
  %t = ptx.ld "shared::cta" b32 [%slot] -> i32
  %mine = ptx.add s32 %t, %lanes
  %v = ptx.ld global b32 [%from] -> i32
  ptx.tcgen05.st shape_32x32b x1 [%mine], {%v}
  ptx.tcgen05.wait st // step: wait::st before the load [T5-SIM-014]
  %w = ptx.tcgen05.ld shape_32x32b x1 [%mine] -> i32
  ptx.tcgen05.wait ld
  ptx.tcgen05.dealloc cta_group_1 %t, %columns // step: dealloc for which the other alloc waits [T5-SIM-005]
  ptx.st global b32 [%to], {%w}
  ptx.ret
}
