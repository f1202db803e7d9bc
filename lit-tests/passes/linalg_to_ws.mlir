// RUN: tcgen05-opt %s -p linalg-to-ws | filecheck %s

// CHECK:      ptx.kernel @product(%a_map: !ptx.tensor_map<128x64xbf16, swizzle_128b>, %b_map: !ptx.tensor_map<16x64xbf16, swizzle_128b>, %result: i64) {
// CHECK:        ws.warp_specialize tiles(%[[i:\d+]], %[[j:\d+]]) of (%c128 by 128, %c128 by 16) {
// CHECK:            scf.for %[[k:\d+]] =
// CHECK-NEXT:       ws.tma_load %a_map[%[[i]], %[[k]]] to %a
// CHECK-NEXT:       ws.tma_load %b_map[%[[j]], %[[k]]] to %b
// CHECK-NEXT:       %[[later:\d+]] = arith.cmpi ne, %[[k]], %c0 : i32
// CHECK-NEXT:       ws.mma %d, %a, %b accumulate %[[later]]
// CHECK:            %[[sums:\d+]] = ws.tmem_load %d[{{.*}}] -> vector<16xf32>
// CHECK-NEXT:       ws.global_store %[[sums]] to %result[{{.*}}] of (%c128, %c128)
func.func @product(%x: tensor<128x64xbf16>, %y: tensor<128x64xbf16>) -> tensor<128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x128xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %z = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                       affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %y : tensor<128x64xbf16>, tensor<128x64xbf16>)
      outs(%start : tensor<128x128xf32>) -> tensor<128x128xf32>
  func.return %z : tensor<128x128xf32>
}
