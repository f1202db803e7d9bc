// A CTA sets a flag in global memory, for which a CTA of another cluster waits. The flag itself is
// the message.
// Mistakes are found under every schedule.
//
// grid 2
// argument flag: u32 1
// argument out: u32 1
// result flag: np.array([7])
// result out: np.array([7])

ptx.kernel @clusters(%flag : i64, %out : i64) attributes {reqntid = array<i32: 1, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c7 = ptx.constant 7 : i32
  %cta = ptx.special_register ctaid.x
  %is_first = ptx.setp eq u32 %cta, %c0
  ptx.cond_bra %is_first, ^wait, ^write
^write:
  // step: scope of the write [T5-SIM-014] -> ptx.st release cluster global b32 [%flag], {%c7}
  ptx.st release gpu global b32 [%flag], {%c7}
  ptx.ret
^wait:
  // step: scope of the read [T5-SIM-014] -> %f = ptx.ld acquire cta global b32 [%flag] -> i32
  %f = ptx.ld acquire gpu global b32 [%flag] -> i32
  %is_set = ptx.setp eq u32 %f, %c7
  ptx.cond_bra %is_set, ^read, ^wait
^read:
  ptx.st global b32 [%out], {%f}
  ptx.ret
}
