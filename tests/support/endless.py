"""A kernel that takes longer than any limit."""

LOOP = """\
ptx.kernel @k() attributes {reqntid = array<i32: 1024, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n = arith.constant 100000000 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    ptx.bar.sync %c0
  }
  ptx.ret
}
"""
