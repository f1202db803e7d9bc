// RUN: tcgen05 check --verify=off %s | filecheck %s
// RUN: tcgen05 compile --verify=off %s -o %t.ptx 2>&1 | filecheck %s
// RUN: tcgen05 check --verify=off %t.ptx | filecheck %s --check-prefix PTX

// The registers at the start of a kernel with setmaxnreg: once for each kernel that does not give them.

// CHECK: :13:3: warning[T5-PTX-248]: ptx.setmaxnreg: the kernel does not say how many registers its threads have at the start; ptxas ignores setmaxnreg then, unless its option --maxrregcount gives the number
// CHECK: help: give the kernel maxnreg
// PTX: warning[T5-PTX-248]: setmaxnreg: the kernel does not say
// CHECK-NOT: warning[
// PTX-NOT: warning[
ptx.kernel @unknown() attributes {maxntid = array<i32: 256>} {
  ptx.setmaxnreg dec 40
  ptx.setmaxnreg inc 232
  ptx.ret
}

ptx.kernel @by_the_number_of_ctas() attributes {maxntid = array<i32: 256>, minnctapersm = 1 : i32} {
  ptx.setmaxnreg dec 40
  ptx.ret
}

ptx.kernel @by_the_number_of_registers() attributes {maxnreg = 96 : i32} {
  ptx.setmaxnreg dec 40
  ptx.ret
}
