// Each thread copies four bytes to shared memory, waits for its copies, and reads those of the
// other threads; the last four lanes read nothing, so that zeros are written.
//
// argument a: u32 32
// argument out: u32 32
// result out: np.where(np.arange(32) < 4, 0, a[::-1])

ptx.shared_memory @stage size 128 alignment 16

ptx.kernel @cp_async(%a : i64, %out : i64) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c4 = ptx.constant 4 : i32
  %c28 = ptx.constant 28 : i32
  %c31 = ptx.constant 31 : i32
  %all = ptx.constant -1 : i32
  %stage = ptx.address_of @stage
  %lane = ptx.special_register laneid
  %opposite = ptx.sub s32 %c31, %lane
  %mine = ptx.mad u32 %lane, %c4, %stage
  %theirs = ptx.mad u32 %opposite, %c4, %stage
  %from = ptx.mad.wide u32 %lane, %c4, %a
  %to = ptx.mad.wide u32 %lane, %c4, %out
  %reads = ptx.setp lt u32 %lane, %c28
  %bytes = ptx.selp b32 %c4, %c0, %reads
  ptx.cp.async ca [%mine], [%from], 4 source_size(%bytes)
  // step: commit of the copies [T5-SIM-014]
  ptx.cp.async.commit_group
  // step: number of pending groups [T5-SIM-014] -> ptx.cp.async.wait_group 1
  ptx.cp.async.wait_group 0 // step: wait for the copies [T5-SIM-014]
  ptx.bar.warp.sync %all // step: meeting of the threads behind their waits [T5-SIM-014]
  %v = ptx.ld "shared::cta" b32 [%theirs] -> i32
  ptx.st global b32 [%to], {%v}
  ptx.ret
}
