// RUN: not tcgen05 check %s | filecheck %s

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.6">} {
  ptx.kernel @version(%x : i32) {
    // CHECK: error[T5-TARGET-040]: ptx.mma.sync: PTX version for mma.sync of fp8 with the shape m16n8k16 or sums of f16 on sm_100a must be 8.7 or later; found 8.6
    %d:2 = ptx.mma.sync m16n8k32 row col f16 e4m3 e4m3 f16 {%x, %x, %x, %x}, {%x, %x}, {%x, %x} -> 2 x i32
    ptx.ret
  }
}
