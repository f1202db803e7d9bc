// T5-PTX-113
// section: 5.1.6.1
// subject: use of a parameter
// statement: An operation that accesses parameter memory names a parameter of its kernel, and loads
//     the parameter with its type.
// why: Only a parameter is in parameter memory.
// fix: use an argument of the kernel, with its own type

ptx.kernel @example(%x : i32) {
  %y = ptx.add u32 %x, %x
  %z = ptx.load_parameter %y : i32 -> i32
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32) {
  %y = ptx.add u32 %x, %x
  %z = ptx.load_parameter %x : i32 -> i32
  ptx.ret
}
