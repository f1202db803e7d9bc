// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @overwritten(%x : i32) {
  %low, %carry = ptx.add.cc u32 %x, %x
  %other, %another = ptx.sub.cc u32 %x, %x
  // CHECK: error[T5-PTX-170]: ptx.addc: carry must be the one that it reads; found that of ptx.sub.cc
  %high = ptx.addc u32 %x, %x, %carry
  ptx.ret
}

// -----

ptx.kernel @inline(%x : i32) {
  %low, %carry = ptx.add.cc u32 %x, %x
  %other = ptx.inline "add.cc.u32 $0, $1, $1;" (%x : i32) -> i32
  // CHECK: error[T5-PTX-170]: ptx.subc.cc: carry must be the one that it reads; found that of ptx.inline
  %high, %next = ptx.subc.cc u32 %x, %x, %carry
  ptx.ret
}

// -----

ptx.kernel @other_path(%x : i32, %p : i1) {
  %low, %carry = ptx.add.cc u32 %x, %x
  ptx.cond_bra %p, ^one, ^two
^one:
  %other, %another = ptx.mad.cc lo u32 %x, %x, %x
  ptx.bra ^two
^two:
  // CHECK: error[T5-PTX-170]: ptx.madc: carry must be the one that it reads; found that of ptx.mad.cc
  %high = ptx.madc hi u32 %x, %x, %x, %carry
  ptx.ret
}

// -----

ptx.kernel @argument(%x : i32) {
  %low, %carry = ptx.add.cc u32 %x, %x
  ptx.bra ^one(%carry : !ptx.carry)
^one(%passed : !ptx.carry):
  // CHECK: error[T5-PTX-170]: ptx.addc.cc: carry must be the one that it reads; found the argument of a block
  %high, %next = ptx.addc.cc u32 %x, %x, %carry
  ptx.ret
}

// -----

ptx.kernel @no_carry(%x : i32) {
  // CHECK: error[T5-PTX-080]: ptx.subc: carry: type of an operand or a result must be !ptx.carry; found i32
  %high = ptx.subc u32 %x, %x, %x
  ptx.ret
}

// -----

ptx.kernel @half(%x : i16) {
  // CHECK: error: expected s32, s64, u32 or u64 as type; found u16
  %low, %carry = ptx.add.cc u16 %x, %x
  ptx.ret
}
