// A warp stores twice to the same columns, in another shape the second time.
//
// argument a: u32 32x4
// argument out: u32 32x4
// result out: np.vstack([a[:16], a[16:] + 1])

ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @st_st(%a : i64, %out : i64) attributes {reqntid = array<i32: 32, 1, 1>} {
  %columns = ptx.constant 32 : i32
  %c1 = ptx.constant 1 : i32
  %c16 = ptx.constant 16 : i32
  %upper = ptx.constant 1048576 : i32
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  %from = ptx.mad.wide u32 %lane, %c16, %a
  %to = ptx.mad.wide u32 %lane, %c16, %out
  ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %columns
  %t = ptx.ld "shared::cta" b32 [%slot] -> i32
  %v:4 = ptx.ld global b32 [%from] -> 4 x i32
  ptx.tcgen05.st shape_32x32b x4 [%t], {%v#0, %v#1, %v#2, %v#3}
  ptx.tcgen05.wait st // step: wait::st before the load [T5-SIM-014]
  %t16 = ptx.add s32 %t, %upper
  %w:2 = ptx.tcgen05.ld shape_16x64b x2 [%t16] -> 2 x i32
  ptx.tcgen05.wait ld // step: wait::ld before what was loaded is stored to [T5-SIM-014]
  %n0 = ptx.add s32 %w#0, %c1
  %n1 = ptx.add s32 %w#1, %c1
  ptx.tcgen05.st shape_16x64b x2 [%t16], {%n0, %n1}
  ptx.tcgen05.wait st // step: wait::st before all is loaded [T5-SIM-014]
  %x:4 = ptx.tcgen05.ld shape_32x32b x4 [%t] -> 4 x i32
  ptx.tcgen05.wait ld
  ptx.st global b32 [%to], {%x#0, %x#1, %x#2, %x#3}
  ptx.tcgen05.dealloc cta_group_1 %t, %columns
  ptx.ret
}
