// A CTA writes to global memory and sets a flag, for which another CTA waits.
//
// argument a: u32 1
// argument middle: u32 1
// argument flag: u32 1
// argument out: u32 1
// result middle: a
// result flag: np.array([1])
// result out: a

ptx.kernel @global_flag(%a : i64, %middle : i64, %flag : i64, %out : i64)
    attributes {reqntid = array<i32: 1, 1, 1>, cluster_dims = array<i32: 2, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %cta = ptx.special_register ctaid.x
  %is_first = ptx.setp eq u32 %cta, %c0
  ptx.cond_bra %is_first, ^wait, ^write
^write:
  %v = ptx.ld global b32 [%a] -> i32
  ptx.st global b32 [%middle], {%v}
  // step: release of the flag [T5-SIM-014] -> ptx.st relaxed gpu global b32 [%flag], {%c1}
  // step: strong write of the flag [T5-SIM-014] -> ptx.st global b32 [%flag], {%c1}
  ptx.st release gpu global b32 [%flag], {%c1}
  ptx.ret
^wait:
  // step: acquire of the flag [T5-SIM-014] -> %f = ptx.ld relaxed gpu global b32 [%flag] -> i32
  // step: strong read of the flag [T5-SIM-014] -> %f = ptx.ld global b32 [%flag] -> i32
  %f = ptx.ld acquire gpu global b32 [%flag] -> i32
  %is_set = ptx.setp eq u32 %f, %c1
  // step: loop for the flag [T5-SIM-014] -> ptx.bra ^read
  ptx.cond_bra %is_set, ^read, ^wait
^read:
  %w = ptx.ld global b32 [%middle] -> i32
  ptx.st global b32 [%out], {%w}
  ptx.ret
}
