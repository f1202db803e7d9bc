// T5-SIM-006
// section: 9.7
// subject: number of steps
// statement: A kernel ends after a limited number of steps.
// why: A loop whose condition never changes runs forever on a GPU.
// fix: correct the condition of the loop, or raise the limit with --max-steps
// shown by: run

ptx.kernel @example() attributes {reqntid = array<i32: 32, 1, 1>} {
  %start = arith.constant 10 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^loop(%start : i32)
^loop(%i : i32):
  %next = arith.subi %i, %c1 : i32
  %more = arith.cmpi ne, %i, %next : i32
  cf.cond_br %more, ^loop(%next : i32), ^done
^done:
  ptx.ret
}

// -----

ptx.kernel @example() attributes {reqntid = array<i32: 32, 1, 1>} {
  %start = arith.constant 10 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^loop(%start : i32)
^loop(%i : i32):
  %last = arith.minui %i, %c1 : i32
  %next = arith.subi %i, %last : i32
  %more = arith.cmpi ne, %i, %next : i32
  cf.cond_br %more, ^loop(%next : i32), ^done
^done:
  ptx.ret
}
