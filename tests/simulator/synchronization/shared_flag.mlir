// A warp writes to shared memory and sets a flag behind a fence; another warp waits for it.
//
// argument a: u32 1
// argument out: u32 1
// result out: a

ptx.shared_memory @data size 4 alignment 4
ptx.shared_memory @flag size 4 alignment 4

ptx.kernel @shared_flag(%a : i64, %out : i64) attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c32 = ptx.constant 32 : i32
  %data = ptx.address_of @data
  %flag = ptx.address_of @flag
  %thread = ptx.special_register tid.x
  %reads = ptx.setp eq u32 %thread, %c0
  %writes = ptx.setp eq u32 %thread, %c32
  ptx.guard %writes {
    ptx.st relaxed cta "shared::cta" b32 [%flag], {%c0}
  }
  ptx.bar.sync %c0 // step: barrier behind the first write of the flag [T5-SIM-013]
  ptx.cond_bra %writes, ^write, ^other
^write:
  %v = ptx.ld global b32 [%a] -> i32
  ptx.st "shared::cta" b32 [%data], {%v}
  ptx.fence acq_rel cta // step: fence of the writer [T5-SIM-014]
  ptx.st relaxed cta "shared::cta" b32 [%flag], {%c1}
  ptx.ret
^other:
  ptx.cond_bra %reads, ^wait, ^end
^wait:
  %f = ptx.ld relaxed cta "shared::cta" b32 [%flag] -> i32
  %is_set = ptx.setp eq u32 %f, %c1
  ptx.cond_bra %is_set, ^read, ^wait
^read:
  ptx.fence acq_rel cta // step: fence of the reader [T5-SIM-014]
  %w = ptx.ld "shared::cta" b32 [%data] -> i32
  ptx.st global b32 [%out], {%w}
  ptx.ret
^end:
  ptx.ret
}
