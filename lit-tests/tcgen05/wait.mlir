// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx -t ptx | filecheck %s --check-prefix PTX

ptx.kernel @wait() {
  // CHECK: tcgen05.wait ld{{$}}
  // GENERIC: "tcgen05.wait"() <{operation = "ld"}> : () -> ()
  // PTX: tcgen05.wait::ld.sync.aligned;
  tcgen05.wait ld
  // CHECK: tcgen05.wait st {user.hint = "x"}
  // GENERIC: "tcgen05.wait"() <{operation = "st"}> {user.hint = "x"} : () -> ()
  // PTX: tcgen05.wait::st.sync.aligned;
  tcgen05.wait st {user.hint = "x"}
  ptx.ret
}
