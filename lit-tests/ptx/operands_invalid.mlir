// RUN: not tcgen05 check --verify off %s | filecheck %s

// The operands are not constant; the errors hold for all their values.

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.shared_memory @slot size 4 alignment 4

  // CHECK: error[T5-DESC-001]: ptx.tcgen05.mma: A: fixed bits of the shared memory descriptor must be 0b001; found 0b000, for every value of %a
  // CHECK: help: set the constant field of the descriptor, and leave the other fixed bits 0 (bits 46-48 of the shared memory descriptor)
  ptx.kernel @fixed_bits(%d : i32, %tile : i32, %b : i64, %idesc : i32) {
    %p = ptx.constant true
    %c4 = ptx.constant 4 : i32
    %c14 = ptx.constant 14 : i32
    %low = ptx.bfe u32 %tile, %c4, %c14
    %high = ptx.constant 0x40000040 : i32
    %a = ptx.pack b64 {%low, %high}
    ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
    ptx.ret
  }

  // CHECK: error[T5-DESC-017]: ptx.tcgen05.mma: A: stride dimension byte offset, from each of 16 swizzle atoms to the next, must be a multiple of 1024, the bytes of an atom of swizzle_128b; found 512, for every value of %a
  ptx.kernel @stride(%d : i32, %tile : i32, %b : i64) {
    %p = ptx.constant true
    %c4 = ptx.constant 4 : i32
    %c14 = ptx.constant 14 : i32
    %idesc = ptx.constant 0x8200010 : i32
    %low = ptx.bfe u32 %tile, %c4, %c14
    %high = ptx.constant 0x40004020 : i32
    %a = ptx.pack b64 {%low, %high}
    ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
    ptx.ret
  }

  // The start address advances in a loop.
  // CHECK: error[T5-SWIZZLE-001]: ptx.tcgen05.mma: B: swizzle mode must be no_swizzle, swizzle_32b, swizzle_64b, swizzle_128b or swizzle_128b_atom_32b; found 0b011, for every value of %b
  ptx.kernel @loop(%d : i32, %tile : i64, %a : i64, %idesc : i32, %n : i32) {
    %p = ptx.constant true
    %zero = ptx.constant 0 : i32
    %one = ptx.constant 1 : i32
    %step = ptx.constant 2 : i64
    %mask = ptx.constant 0x3fff : i64
    %rest = ptx.constant 0x6000404000000000 : i64
    %start = ptx.and b64 %tile, %mask
    %first = ptx.or b64 %start, %rest
    ptx.bra ^loop(%first, %zero : i64, i32)
  ^loop(%b : i64, %i : i32):
    ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
    %next_b = ptx.add s64 %b, %step
    %next_i = ptx.add s32 %i, %one
    %more = ptx.setp lt s32 %next_i, %n
    ptx.cond_bra %more, ^loop(%next_b, %next_i : i64, i32), ^end
  ^end:
    ptx.ret
  }

  // CHECK: error[T5-IDESC-003]: ptx.tcgen05.mma: fixed bits of the instruction descriptor must be 0b0; found 0b1, for the value 0x8200050 of %idesc where %q is false
  ptx.kernel @selected(%d : i32, %a : i64, %b : i64, %n : i32) {
    %p = ptx.constant true
    %zero = ptx.special_register ctaid.x
    %f16 = ptx.constant 0x8200010 : i32
    %wrong = ptx.constant 0x8200050 : i32
    %q = ptx.setp gt s32 %n, %zero
    %idesc = ptx.selp b32 %f16, %wrong, %q
    ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
    ptx.ret
  }

  // The launch need not select the wrong one.
  // CHECK-NOT: error[T5-IDESC-003]
  ptx.kernel @selected_by_parameter(%d : i32, %a : i64, %b : i64, %flags : !ptx.param_array<4, 4>) {
    %p = ptx.constant true
    %zero = ptx.constant 0 : i32
    %f16 = ptx.constant 0x8200010 : i32
    %wrong = ptx.constant 0x8200050 : i32
    %flag = ptx.ld param b32 [%flags] -> i32
    %q = ptx.setp ne b32 %flag, %zero
    %idesc = ptx.selp b32 %wrong, %f16, %q
    ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
    ptx.ret
  }

  // CHECK: error[T5-TMEM-008]: ptx.tcgen05.mma: A is in columns 64 to 71 of D
  ptx.kernel @overlap(%d : i32, %b : i64) {
    %p = ptx.constant true
    %idesc = ptx.constant 0x8200010 : i32
    %c64 = ptx.constant 64 : i32
    %a = ptx.add s32 %d, %c64
    ptx.tcgen05.mma cta_group_1 f16 [%d], [%a], %b, %idesc, %p
    ptx.ret
  }

  // CHECK: error[T5-SIM-009]: ptx.tcgen05.mma: columns of D 0 to 127, counted from the start of the allocation in line {{[0-9]+}}, are not within its 64 columns
  // CHECK: error[T5-ALLOC-004]: ptx.tcgen05.dealloc: dealloc frees 32 columns of the allocation in line {{[0-9]+}} of 64 columns
  ptx.kernel @columns(%a : i64, %b : i64) attributes {reqntid = array<i32: 32>} {
    %p = ptx.constant true
    %slot = ptx.address_of @slot
    %idesc = ptx.constant 0x8200010 : i32
    %c64 = ptx.constant 64 : i32
    %c32 = ptx.constant 32 : i32
    ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %c64
    %d = ptx.ld shared b32 [%slot] -> i32
    ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
    ptx.tcgen05.dealloc cta_group_1 %d, %c32
    ptx.ret
  }

  // CHECK: error[T5-SIM-009]: ptx.tcgen05.alloc: no dealloc frees the columns that it allocates
  // CHECK: error[T5-LDST-005]: ptx.tcgen05.ld: warp 1 accesses lane 0, but it can access only lanes 32 to 63
  ptx.kernel @lanes() attributes {reqntid = array<i32: 128>} {
    %slot = ptx.address_of @slot
    %c32 = ptx.constant 32 : i32
    %zero = ptx.constant 0 : i32
    %thread = ptx.special_register tid.x
    %is_first = ptx.setp lt u32 %thread, %c32
    ptx.guard %is_first {
      ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %c32
    }
    ptx.bar.sync %zero
    %d = ptx.ld shared b32 [%slot] -> i32
    %value = ptx.tcgen05.ld shape_32x32b x1 [%d] -> 1 x i32
    ptx.ret
  }
}
