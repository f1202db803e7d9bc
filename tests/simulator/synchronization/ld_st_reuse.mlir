// A warp loads columns of tensor memory, and stores other numbers there.
//
// argument a: u32 32x4
// argument first: u32 32x4
// argument second: u32 32x4
// result first: a
// result second: a + 1

ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @ld_st_reuse(%a : i64, %first : i64, %second : i64)
    attributes {reqntid = array<i32: 32, 1, 1>} {
  %columns = ptx.constant 32 : i32
  %c1 = ptx.constant 1 : i32
  %c16 = ptx.constant 16 : i32
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  %from = ptx.mad.wide u32 %lane, %c16, %a
  %to_first = ptx.mad.wide u32 %lane, %c16, %first
  %to_second = ptx.mad.wide u32 %lane, %c16, %second
  %v:4 = ptx.ld global b32 [%from] -> 4 x i32
  %n0 = ptx.add s32 %v#0, %c1
  %n1 = ptx.add s32 %v#1, %c1
  %n2 = ptx.add s32 %v#2, %c1
  %n3 = ptx.add s32 %v#3, %c1
  ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %columns
  %t = ptx.ld "shared::cta" b32 [%slot] -> i32
  ptx.tcgen05.st shape_32x32b x4 [%t], {%v#0, %v#1, %v#2, %v#3}
  ptx.tcgen05.wait st // step: wait::st before the first load [T5-SIM-014]
  %w:4 = ptx.tcgen05.ld shape_32x32b x4 [%t] -> 4 x i32
  ptx.tcgen05.wait ld // step: wait::ld before the columns are stored to again [T5-SIM-014]
  ptx.tcgen05.st shape_32x32b x4 [%t], {%n0, %n1, %n2, %n3}
  ptx.tcgen05.wait st // step: wait::st before the second load [T5-SIM-014]
  %x:4 = ptx.tcgen05.ld shape_32x32b x4 [%t] -> 4 x i32
  ptx.tcgen05.wait ld // step: wait::ld before dealloc [T5-SIM-014]
  ptx.tcgen05.dealloc cta_group_1 %t, %columns
  ptx.st global b32 [%to_first], {%w#0, %w#1, %w#2, %w#3}
  ptx.st global b32 [%to_second], {%x#0, %x#1, %x#2, %x#3}
  ptx.ret
}
