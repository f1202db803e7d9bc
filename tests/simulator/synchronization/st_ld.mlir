// A warp stores registers to tensor memory, and loads them again.
//
// argument a: u32 32x4
// argument out: u32 32x4
// result out: a

ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @st_ld(%a : i64, %out : i64) attributes {reqntid = array<i32: 32, 1, 1>} {
  %columns = ptx.constant 32 : i32
  %c16 = ptx.constant 16 : i32
  %slot = ptx.address_of @slot
  %lane = ptx.special_register tid.x
  %from = ptx.mad.wide u32 %lane, %c16, %a
  %to = ptx.mad.wide u32 %lane, %c16, %out
  ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %columns
  %t = ptx.ld "shared::cta" b32 [%slot] -> i32
  %v:4 = ptx.ld global b32 [%from] -> 4 x i32
  ptx.tcgen05.st shape_32x32b x4 [%t], {%v#0, %v#1, %v#2, %v#3}
  ptx.tcgen05.wait st // step: wait::st before the load [T5-SIM-014]
  %w:4 = ptx.tcgen05.ld shape_32x32b x4 [%t] -> 4 x i32
  ptx.tcgen05.wait ld // step: wait::ld before dealloc [T5-SIM-014]
  ptx.st global b32 [%to], {%w#0, %w#1, %w#2, %w#3}
  ptx.tcgen05.dealloc cta_group_1 %t, %columns // step: dealloc [T5-SIM-009]
  ptx.ret
}
