// RUN: tcgen05-opt %s | tcgen05-opt | filecheck %s
// RUN: tcgen05-opt --print-op-generic %s | tcgen05-opt | filecheck %s
// RUN: tcgen05 compile %s | filecheck %s --check-prefix PTX

// The innermost dimension is the last one. Without a swizzle mode, the box is not swizzled.
// CHECK: ptx.kernel @boxes(%plain: !ptx.tensor_map, %tile: !ptx.tensor_map<128x64xbf16, swizzle_128b>, %line: !ptx.tensor_map<16xu8>, %short: !ptx.tensor_map<128x32xbf16, swizzle_128b>, %five: !ptx.tensor_map<1x2x3x4x8xf32>, %packed: !ptx.tensor_map<2x128xb4x16_p64, swizzle_128b>, %same: !ptx.tensor_map<16xu8>) {
// PTX: .visible .entry boxes(
// PTX-NEXT: .param .align 64 .b8 boxes_param_0[128],
// PTX-NEXT: .param .align 64 .b8 boxes_param_1[128],
ptx.kernel @boxes(
    %plain : !ptx.tensor_map,
    %tile : !ptx.tensor_map<128x64xbf16, swizzle_128b>,
    %line : !ptx.tensor_map<16xu8>,
    %short : !ptx.tensor_map<128x32xbf16, swizzle_128b>,
    %five : !ptx.tensor_map<1x2x3x4x8xf32>,
    %packed : !ptx.tensor_map<2x128xb4x16_p64, swizzle_128b>,
    %same : !ptx.tensor_map<16xu8, no_swizzle>
) {
  ptx.ret
}
