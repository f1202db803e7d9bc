// A warp writes; two lanes of another one read that in turn, by the same instruction. The first warp
// then writes again.
//
// argument out: u32 2
// result out: [1, 1]

ptx.shared_memory @word size 4 alignment 4
ptx.shared_memory @written size 8 alignment 8
ptx.shared_memory @read size 8 alignment 8

ptx.kernel @lanes(%out : i64) attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %word = ptx.address_of @word
  %written = ptx.address_of @written
  %read = ptx.address_of @read
  %thread = ptx.special_register tid.x
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_writer = arith.cmpi eq, %thread, %c32 : i32
  %are_readers = arith.cmpi ult, %thread, %c2 : i32
  // step: arrival of the first lane [T5-SIM-014] -> %first_teller = arith.constant 1 : i32
  %first_teller = arith.constant 0 : i32
  %tellers = arith.subi %c2, %first_teller : i32
  %tells = arith.cmpi uge, %thread, %first_teller : i32
  scf.if %is_first {
    ptx.mbarrier.init [%written], %c1
    ptx.mbarrier.init [%read], %tellers
  }
  ptx.bar.sync %c0
  scf.if %is_writer {
    ptx.st "shared::cta" b32 [%word], {%c1}
    ptx.mbarrier.arrive [%written]
    ptx.mbarrier.wait [%read], %c0
    ptx.st "shared::cta" b32 [%word], {%c2}
  }
  scf.if %are_readers {
    scf.for %i = %c0 to %c2 step %c1 : i32 {
      %is_mine = arith.cmpi eq, %i, %thread : i32
      scf.if %is_mine {
        // step: wait of the second lane [T5-SIM-014] -> %waits = arith.cmpi eq, %thread, %c0 : i32
        // step: wait of the first lane [T5-SIM-014] -> %waits = arith.cmpi eq, %thread, %c1 : i32
        %waits = arith.constant true
        scf.if %waits {
          ptx.mbarrier.wait [%written], %c0
        }
        %v = ptx.ld "shared::cta" b32 [%word] -> i32
        %to = ptx.mad.wide u32 %thread, %c4, %out
        ptx.st global b32 [%to], {%v}
      }
    }
    scf.if %tells {
      ptx.mbarrier.arrive [%read]
    }
  }
  ptx.ret
}
