// T5-PTX-174
// section: 9.7.14.5.14
// subject: form of mma.sync
// statement: The element types of mma.sync have a product of the shape, and the fragments have the
//     registers that the shape and the types need.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use a shape, types and numbers of registers that go together

ptx.kernel @example(%x : i32) {
  %d:4 = ptx.mma.sync m16n8k16 row col f32 f16 f16 f32 {%x, %x}, {%x}, {%x, %x, %x, %x} -> 4 x i32
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32) {
  %d:4 = ptx.mma.sync m16n8k16 row col f32 f16 f16 f32 {%x, %x, %x, %x}, {%x, %x}, {%x, %x, %x, %x} -> 4 x i32
  ptx.ret
}
