// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: error[T5-PTX-105]: ptx.kernel: attribute of an operation must be cluster_dims, declarations, directives, maxnreg, maxntid, minnctapersm, reqntid, sym_name; found reqntidd
// CHECK: help: did you mean reqntid?
ptx.kernel @misspelt() attributes {reqntidd = array<i32: 128>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-105]: builtin.module: attribute of an operation must be ptx.target; found ptx.targt
// CHECK: help: did you mean ptx.target?
builtin.module attributes {ptx.targt = #ptx.target<"sm_100a", "8.6">} {
}

// -----

ptx.kernel @cta_group() {
  // CHECK: error[T5-PTX-105]: tcgen05.relinquish_alloc_permit: attribute of an operation must be cta_group; found cta_grup
  // CHECK: help: did you mean cta_group?
  tcgen05.relinquish_alloc_permit {cta_grup = 2 : i32}
  ptx.ret
}

// -----

// The attributes of others, and those of builtin.module, are theirs.
// CHECK: builtin.module attributes {other = 1 : i32, user.note = "kept"} {
builtin.module attributes {other = 1 : i32, user.note = "kept"} {
  // CHECK: ptx.kernel @other() attributes {user.note = "kept"} {
  ptx.kernel @other() attributes {user.note = "kept"} {
    ptx.ret
  }
}
