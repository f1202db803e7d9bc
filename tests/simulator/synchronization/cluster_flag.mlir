// The threads of a CTA write to global memory, and one of them sets a flag. In a CTA of another
// cluster one thread waits for the flag, and all threads read.
// Mistakes are found under every schedule.
//
// grid 2
// argument a: u32 64
// argument middle: u32 64
// argument flag: u32 1
// argument out: u32 64
// result middle: a
// result flag: np.array([1])
// result out: a

ptx.kernel @cluster_flag(%a : i64, %middle : i64, %flag : i64, %out : i64)
    attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %thread = ptx.special_register tid.x
  %cta = ptx.special_register ctaid.x
  %writes = arith.cmpi eq, %cta, %c1 : i32
  %is_first_thread = arith.cmpi eq, %thread, %c0 : i32
  %from = ptx.mad.wide u32 %thread, %c4, %a
  %here = ptx.mad.wide u32 %thread, %c4, %middle
  %to = ptx.mad.wide u32 %thread, %c4, %out
  scf.if %writes {
    %v = ptx.ld global b32 [%from] -> i32
    ptx.st global b32 [%here], {%v}
    ptx.bar.sync %c0 // step: barrier before the flag [T5-SIM-014]
    scf.if %is_first_thread {
      // step: release of the flag [T5-SIM-014] -> ptx.st relaxed gpu global b32 [%flag], {%c1}
      // step: scope of the flag [T5-SIM-014] -> ptx.st release cluster global b32 [%flag], {%c1}
      ptx.st release gpu global b32 [%flag], {%c1}
    }
  } else {
    scf.if %is_first_thread {
      scf.while () : () -> () {
        %f = ptx.ld relaxed gpu global b32 [%flag] -> i32
        %again = arith.cmpi eq, %f, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
      // step: scope of the fence [T5-SIM-014] -> ptx.fence acq_rel cluster
      ptx.fence acq_rel gpu // step: fence behind the flag [T5-SIM-014]
    }
    ptx.bar.sync %c0 // step: barrier behind the flag [T5-SIM-014]
    %w = ptx.ld global b32 [%here] -> i32
    ptx.st global b32 [%to], {%w}
  }
  ptx.ret
}
