// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @address() {
  %ring = ws.ring 1 : !tile
  ws.warp_specialize {
    ws.role @write warps(1) {
      ws.produce %ring by threads (%tile) {
        // CHECK: %address = ws.address %tile
        // GENERIC: %address = "ws.address"(%tile) : (!ws.smem<64x64xbf16, k_major, swizzle_128b>) -> i32
        %address = ws.address %tile
        ptx.st "shared::cta" b32 [%address], {%address}
      }
    }
    ws.role @read warps(1) {
      ws.consume %ring by threads (%tile) {
        %address = ws.address %tile
        %v = ptx.ld "shared::cta" b32 [%address] -> i32
      }
    }
  }
  ptx.ret
}
