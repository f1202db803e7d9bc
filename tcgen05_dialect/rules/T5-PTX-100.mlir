// T5-PTX-100
// section: 5.2
// subject: definition of a value
// statement: A value is defined on every path to its use.
// why: The register would have an undefined value; ptxas does not report it.
// fix: define the value before the use on every path

ptx.kernel @example(%out : i64) {
  ptx.st global b32 [%out], {%x}
  %x = ptx.constant 1 : i32
  ptx.ret
}

// -----

ptx.kernel @example(%out : i64) {
  %x = ptx.constant 1 : i32
  ptx.st global b32 [%out], {%x}
  ptx.ret
}
