// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @constant_result(%x : i32) {
  // CHECK: error[T5-PTX-107]: ptx.constant: type of a constant must be i32; found i64
  %c = "ptx.constant"() <{value = 1 : i32}> : () -> i64
  ptx.ret
}

// -----

ptx.kernel @constant_value(%x : i32) {
  %c = ptx.constant "one"
  // CHECK: expected an integer or a float with its type; found "one"
  ptx.ret
}

// -----

ptx.kernel @constant_without_type(%x : i32) {
  %c = ptx.constant unit
  // CHECK: expected an integer or a float with its type; found unit
  ptx.ret
}

// -----

ptx.kernel @constant_type(%x : i32) {
  // CHECK: error[T5-PTX-080]: ptx.constant: result: type of an operand or a result must be i1, i16, f16, bf16, i32, f32, i64, f64 or i8; found i4
  %c = ptx.constant 1 : i4
  ptx.ret
}

// -----

ptx.kernel @constant_index(%x : i32) {
  // CHECK: error[T5-PTX-080]: ptx.constant: result: type of an operand or a result must be i1, i16, f16, bf16, i32, f32, i64, f64 or i8; found index
  %c = ptx.constant 1 : index
  ptx.ret
}

// -----

ptx.kernel @constant_range(%x : i32) {
  %c = ptx.constant 4294967296 : i32
  // CHECK: error: integer value 4294967296 is out of range for type i32 which supports values in the range [-2147483648, 4294967296)
  ptx.ret
}

// -----

ptx.kernel @no_variable(%x : i32) {
  // CHECK: error[T5-PTX-108]: ptx.address_of: name of a shared variable must be the name of a ptx.shared_memory; found @nothing, which is nothing
  %a = ptx.address_of @nothing
  ptx.ret
}

// -----

ptx.kernel @address_of_a_kernel() {
  // CHECK: error[T5-PTX-108]: ptx.address_of: name of a shared variable must be the name of a ptx.shared_memory; found @address_of_a_kernel, which is ptx.kernel
  %a = ptx.address_of @address_of_a_kernel
  ptx.ret
}

// -----

ptx.kernel @nested_symbol(%x : i32) {
  %a = ptx.address_of @a::@b
  // CHECK: error[T5-PTX-105]: ptx.address_of: variable must be the name of a symbol, such as @name; found @a::@b
  ptx.ret
}

// -----

ptx.shared_memory @v size 4 alignment 4
ptx.kernel @address_type() {
  // CHECK: error[T5-PTX-080]: ptx.address_of: result: type of an operand or a result must be i32; found i64
  %a = "ptx.address_of"() <{variable = @v}> : () -> i64
  ptx.ret
}

// -----

ptx.kernel @register(%x : i32) {
  // CHECK: expected aggr_smem_size, cluster_ctaid.x, {{.*}} or total_smem_size as register; found "tid.w"
  %r = ptx.special_register "tid.w"
  ptx.ret
}

// -----

ptx.kernel @register_of_64_bits(%x : i32) {
  // CHECK: expected aggr_smem_size, cluster_ctaid.x, {{.*}} or total_smem_size as register; found clock64
  %r = ptx.special_register clock64
  ptx.ret
}

// -----

ptx.kernel @register_of_32_bits(%x : i32) {
  // CHECK: expected clock64, current_graph_exec, globaltimer, gridid, pm0_64, {{.*}} or pm7_64 as register
  %r = ptx.special_register.b64 "tid.x"
  ptx.ret
}

// -----

ptx.kernel @register_type(%x : i32) {
  // CHECK: error[T5-PTX-080]: ptx.special_register: d: type of an operand or a result must be i32; found i64
  %r = ptx.special_register laneid -> i64
  ptx.ret
}

// -----

ptx.kernel @guarded_result(%x : i32) {
  %p = ptx.setp eq b32 %x, %x
  // CHECK: error[T5-PTX-103]: ptx.guard: guarded body must be instructions without results, or an instruction whose results the guard yields, with `else` and the values to keep where it is not executed; found ptx.add, which has a result
  ptx.guard %p {
    %y = ptx.add s32 %x, %x
  }
  ptx.ret
}

// -----

ptx.kernel @guarded_block(%x : i32) {
  %p = ptx.setp eq b32 %x, %x
  // CHECK: error[T5-PTX-103]: ptx.guard: guarded body must be single instructions; found ptx.mbarrier.wait
  ptx.guard %p {
    ptx.mbarrier.wait [%x], %x
  }
  ptx.ret
}

// -----

ptx.kernel @guarded_constant(%x : i32) {
  %p = ptx.setp eq b32 %x, %x
  // CHECK: error[T5-PTX-103]: ptx.guard: guarded body must be single instructions; found ptx.constant
  ptx.guard %p {
    %c = ptx.constant 1 : i32
  }
  ptx.ret
}

// -----

ptx.kernel @guarded_branch(%x : i32) {
  %p = ptx.setp eq b32 %x, %x
  ptx.guard not %p {
    ptx.bra ^end
  }
  // CHECK: no block in this region has the label ^end
  ptx.bra ^end
^end:
  ptx.ret
}

// -----

ptx.kernel @guarded_guard(%x : i32) {
  %p = ptx.setp eq b32 %x, %x
  // CHECK: error[T5-PTX-103]: ptx.guard: guarded body must be single instructions; found ptx.guard
  ptx.guard %p {
    ptx.guard %p {
      ptx.exit
    }
  }
  ptx.ret
}

// -----

ptx.kernel @guarded_arith(%x : i32) {
  %p = ptx.setp eq b32 %x, %x
  // CHECK: error[T5-PTX-103]: ptx.guard: guarded body must be single instructions; found arith.constant
  ptx.guard %p {
    %c = arith.constant 1 : i32
  }
  ptx.ret
}

// -----

ptx.kernel @nothing_guarded(%x : i32) {
  %p = ptx.setp eq b32 %x, %x
  // CHECK: error: ptx.guard: Region 'body' at position 0 expected a single block, but got 0 blocks
  ptx.guard %p {
  }
  ptx.ret
}

// -----

ptx.kernel @predicate(%x : i32) {
  // CHECK: has type i32, but is used here with type i1
  ptx.guard %x {
    ptx.exit
  }
  ptx.ret
}

// -----

ptx.kernel @k(%x : i32) {
  %p = ptx.setp eq b32 %x, %x
  // CHECK: error[T5-PTX-103]: ptx.guard: guarded body must be without arguments; found arguments
  ptx.guard %p {
  ^body(%y : i32):
    ptx.nanosleep %y
  }
  ptx.ret
}

// -----

// CHECK: type is already given before the attributes
ptx.kernel @given_twice(%x : i32) {
  %y = ptx.add s32 %x, %x {type = "u32"}
  ptx.ret
}

// -----

ptx.shared_memory @barriers size 16 alignment 8
ptx.kernel @outside() {
  // CHECK: error[T5-PTX-082]: ptx.address_of: offset into @barriers must be 0, 1, ... 16; found 24
  %b = ptx.address_of @barriers + 24
  ptx.ret
}

// -----

ptx.kernel @no_yield(%x : i32) {
  %p = ptx.setp eq b32 %x, %x
  // CHECK: error[T5-PTX-103]: ptx.guard: guarded body must be ptx.yield with all results of ptx.add at the end of the body; found no ptx.yield
  %y = ptx.guard %p else (%x : i32) {
    %z = ptx.add s32 %x, %x
  }
  ptx.ret
}

// -----

ptx.kernel @yields_another_value(%x : i32) {
  %p = ptx.setp eq b32 %x, %x
  // CHECK: error[T5-PTX-103]: ptx.guard: guarded body must be ptx.yield with all results of ptx.add at the end of the body; found other values
  %y = ptx.guard %p else (%x : i32) {
    %z = ptx.add s32 %x, %x
    ptx.yield %x : i32
  }
  ptx.ret
}

// -----

ptx.kernel @yields_another_type(%x : i32, %l : i64) {
  %p = ptx.setp eq b32 %x, %x
  // CHECK: error[T5-PTX-103]: ptx.guard: types of the results must be i64; found i32
  %y = ptx.guard %p else (%l : i64) {
    %z = ptx.add s32 %x, %x
    ptx.yield %z : i32
  }
  ptx.ret
}

// -----

ptx.kernel @several(%x : i32) {
  %p = ptx.setp eq b32 %x, %x
  // CHECK: error[T5-PTX-103]: ptx.guard: guarded body must be one instruction, because the guard has results; found 2 instructions
  %y = ptx.guard %p else (%x : i32) {
    %z = ptx.add s32 %x, %x
    %w = ptx.add s32 %x, %x
    ptx.yield %w : i32
  }
  ptx.ret
}

// -----

ptx.kernel @needless_yield(%x : i32) {
  %p = ptx.setp eq b32 %x, %x
  // CHECK: error[T5-PTX-103]: ptx.guard: guarded body must be no ptx.yield, because the guard has no results; found ptx.yield
  ptx.guard %p {
    ptx.nanosleep %x
    ptx.yield %x : i32
  }
  ptx.ret
}

// -----

ptx.kernel @undefined() {
  // CHECK: error[T5-PTX-080]: ptx.undefined: type of an operand or a result
  %x = ptx.undefined : i4
  ptx.ret
}
