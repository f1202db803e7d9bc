// The lanes of a warp write and count themselves; another warp waits until all have.
ptx.shared_memory @data size 128 alignment 4
ptx.shared_memory @count size 4 alignment 4

ptx.kernel @counted(%out : i64) attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %data = ptx.address_of @data
  %count = ptx.address_of @count
  %thread = ptx.special_register tid.x
  %lane = ptx.special_register laneid
  %to = ptx.mad.wide u32 %lane, %c4, %out
  %mine = ptx.mad u32 %lane, %c4, %data
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %writes = arith.cmpi ult, %thread, %c32 : i32
  scf.if %is_first {
    ptx.st "shared::cta" b32 [%count], {%c0}
  }
  ptx.bar.sync %c0
  scf.if %writes {
    ptx.st "shared::cta" b32 [%mine], {%thread}
    ptx.red release cta "shared::cta" add u32 [%count], %c1
  } else {
    scf.while () : () -> () {
      %f = ptx.ld acquire cta "shared::cta" b32 [%count] -> i32
      %again = arith.cmpi ult, %f, %c32 : i32
      scf.condition(%again)
    } do {
      scf.yield
    }
    %v = ptx.ld "shared::cta" b32 [%mine] -> i32
    ptx.st global b32 [%to], {%v}
  }
  ptx.ret
}
