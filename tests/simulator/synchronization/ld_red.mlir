// A warp stores registers to tensor memory, and loads the largest of each thread's.
//
// argument a: u32 32x4
// argument out: u32 32
// result out: a.max(axis=1)

builtin.module attributes {ptx.target = #ptx.target<"sm_103a", "8.8">} {
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @ld_red(%a : i64, %out : i64) attributes {reqntid = array<i32: 32, 1, 1>} {
  %columns = ptx.constant 32 : i32
  %c4 = ptx.constant 4 : i32
  %c16 = ptx.constant 16 : i32
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  %from = ptx.mad.wide u32 %lane, %c16, %a
  %to = ptx.mad.wide u32 %lane, %c4, %out
  ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %columns
  %t = ptx.ld "shared::cta" b32 [%slot] -> i32
  %v:4 = ptx.ld global b32 [%from] -> 4 x i32
  ptx.tcgen05.st shape_32x32b x4 [%t], {%v#0, %v#1, %v#2, %v#3}
  ptx.tcgen05.wait st // step: wait::st before the load [T5-SIM-014]
  %w:5 = ptx.tcgen05.ld.red shape_32x32b x4 max u32 [%t] -> 5 x i32
  ptx.tcgen05.wait ld // step: wait::ld before dealloc [T5-SIM-014]
  ptx.st global b32 [%to], {%w#4}
  ptx.tcgen05.dealloc cta_group_1 %t, %columns // step: dealloc [T5-SIM-009]
  ptx.ret
}
}
