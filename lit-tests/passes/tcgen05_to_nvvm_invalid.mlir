// RUN: tcgen05-opt %s -p tcgen05-to-nvvm --verify-diagnostics --split-input-file

// LLVM would read the registers before a wait that is elsewhere.
ptx.kernel @load(%address: i32) {
  %holds = arith.cmpi eq, %address, %address : i32
  // expected-error@+1 {{expected a load with a wait for it in its block}}
  %v = ptx.tcgen05.ld shape_32x32b x1 [%address] -> i32
  scf.if %holds {
    ptx.tcgen05.wait ld
  }
  ptx.ret
}

// -----

// expected-error@+1 {{one of a kernel without structures as parameters}}
ptx.kernel @parameter(%structure: !ptx.param_array<64, 16>) {
  ptx.ret
}

// -----

ptx.kernel @carry(%n: i32) {
  // expected-error@+1 {{one whose operands LLVM takes in inline assembly}}
  %sum, %carry = ptx.add.cc u32 %n, %n
  ptx.ret
}

// -----

// expected-error@+1 {{one of a kernel or a variable in shared memory}}
ptx.declaration ".global .align 4 .b8 table[16];"
