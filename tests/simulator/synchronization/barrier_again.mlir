// Two warps meet at a barrier, one of them then meets a third warp at another one. Were it the same
// barrier, nothing would order the third warp's write before what the first warp reads.
//
// argument out: u32 1
// result out: [1]

ptx.shared_memory @word size 4 alignment 4

ptx.kernel @barrier_again(%out : i64) attributes {reqntid = array<i32: 96, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c5 = arith.constant 5 : i32
  %c64 = arith.constant 64 : i32
  %word = ptx.address_of @word
  %thread = ptx.special_register tid.x
  %warp = arith.shrui %thread, %c5 : i32
  %is_third = arith.cmpi eq, %warp, %c2 : i32
  %is_second = arith.cmpi eq, %warp, %c1 : i32
  %is_first_thread = arith.cmpi eq, %thread, %c0 : i32
  %is_writer = arith.cmpi eq, %thread, %c64 : i32
  scf.if %is_third {
    scf.if %is_writer {
      ptx.st "shared::cta" b32 [%word], {%c1}
    }
    ptx.bar.sync %c2 threads(%c64)
  } else {
    scf.if %is_second {
      // mistake: the barrier that tells of the write after the other one [T5-SIM-014] -> ptx.bar.sync %c1 threads(%c64)
      ptx.bar.sync %c2 threads(%c64) // step: meeting with the writer [T5-SIM-014] -> %unused = arith.constant 0 : i32
      ptx.bar.sync %c1 threads(%c64)
    } else {
      ptx.bar.sync %c1 threads(%c64)
    }
  }
  scf.if %is_first_thread {
    %v = ptx.ld "shared::cta" b32 [%word] -> i32
    ptx.st global b32 [%out], {%v}
  }
  ptx.ret
}
