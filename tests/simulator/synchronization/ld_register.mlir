// A register may be read before wait::ld: that makes the thread wait for it, though for no access
// to tensor memory (9.7.16.6.4.5).
//
// argument a: u32 32
// argument out: u32 32
// result out: a

ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @ld_register(%a : i64, %out : i64) attributes {reqntid = array<i32: 32, 1, 1>} {
  %columns = ptx.constant 32 : i32
  %c4 = ptx.constant 4 : i32
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  %from = ptx.mad.wide u32 %lane, %c4, %a
  %to = ptx.mad.wide u32 %lane, %c4, %out
  ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %columns
  %t = ptx.ld "shared::cta" b32 [%slot] -> i32
  %v = ptx.ld global b32 [%from] -> i32
  ptx.tcgen05.st shape_32x32b x1 [%t], {%v}
  ptx.tcgen05.wait st // step: wait::st before the load [T5-SIM-014]
  %w = ptx.tcgen05.ld shape_32x32b x1 [%t] -> i32
  ptx.st global b32 [%to], {%w}
  ptx.tcgen05.wait ld // step: wait::ld before dealloc [T5-SIM-014]
  ptx.tcgen05.dealloc cta_group_1 %t, %columns
  ptx.ret
}
