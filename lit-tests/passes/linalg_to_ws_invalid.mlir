// RUN: not tcgen05 check %s | filecheck %s

// CHECK: linalg_to_ws_invalid.mlir:4:1: error[T5-TENSOR-001]: func.func: tensors must have static shapes; found tensor<?x64xbf16>
func.func @dynamic(%x: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  func.return %x : tensor<?x64xbf16>
}
