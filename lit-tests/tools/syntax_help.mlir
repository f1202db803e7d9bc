// RUN: not tcgen05 check %s | filecheck %s

// Syntax errors say what to write instead.

ptx.kernel @k(%at : i32, %sum : i32, %tile : i32) {
  %x = arith.addi %at, %sum
  // CHECK: :6:28: error: expected ':'; found the end of the line
  // CHECK: help: end the operation with : TYPE, the type of the result
  %y = arith.cmpi eq, %at, %sum
  // CHECK: :9:32: error: expected ':'; found the end of the line
  // CHECK: help: write : and the type, as in : i32
  %z = arith.extui %at : i32
  // CHECK: :12:29: error: expected 'to'; found the end of the line
  // CHECK: help: end the operation with to TYPE, the type of the result
  %w = arith.extui %at
  // CHECK: :15:23: error: expected ':'; found the end of the line
  // CHECK: help: end the operation with : TYPE to TYPE, the types of the input and the result
  %d = tcgen05.load_address %at
  // CHECK: :18:32: error: expected ':'; found the end of the line
  // CHECK: help: end the operation with : TYPE, the type of the address
  tcgen05.mma %f, %a, %b accumulate %true {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>}
  // CHECK: :21:{{[0-9]+}}: error: expected ':'; found the end of the line
  // CHECK: help: end the operation with : TYPE, TYPE, TYPE, the types of D, A and B
  ptx.st b32 [%at], %sum
  // CHECK: :24:21: error: expected '{'; found %sum
  // CHECK: help: write {%sum}
  ptx.st b32 %at, {%sum}
  // CHECK: :27:14: error: expected '['; found %at
  // CHECK: help: write [%at]
  tcgen05.wait::ld
  // CHECK: :30:15: error: expected ld or st; found ':'
  // CHECK: help: qualifiers of PTX are words in IR: write tcgen05.wait ld
  cf.br ^next(%at)
  // CHECK: :33:18: error: expected ':'; found ')'
  // CHECK: help: write : and the type, as in : i32
  ptx.mbarrier.try_wiat [%at], %sum
  // CHECK: :36:3: error: unknown operation ptx.mbarrier.try_wiat
  // CHECK: help: did you mean ptx.mbarrier.try_wait?
  ptx.mbarrier.lock [%at]
  // CHECK: :39:3: error: unknown operation ptx.mbarrier.lock
  // CHECK: help: operations that begin with ptx.mbarrier: mbarrier.arrive, {{.*}}, mbarrier.wait
  ptx.ret
}

ptx.kernel @types(%map : !ptx.tensor_map<128x128xf8E4M3FN, swizzle_128b>) {
  // CHECK: :45:50: error: expected b4x16, {{.*}} or u64; found f8E4M3FN
  // CHECK: help: for 8 bits, write u8
  ptx.ret
}

ptx.kernel @calls(%at : i32) {
  call @f(%at) : (i32) -> ()
  // CHECK: :52:14: error: expected ':'; found ')'
  // CHECK: help: write : and the type, as in : i32; a function of func is called by func.call
  ptx.ret
}

func @f()
// CHECK: :58:1: error: unknown operation func
// CHECK: help: write an operation of the dialect func, such as func.call
