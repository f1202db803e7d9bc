// The attribute ptx.name fixes the names of labels and parameters in PTX; lowering keeps it.
// RUN: tcgen05 compile %s -o %t.ptx
// RUN: filecheck %s --input-file %t.ptx
// RUN: tcgen05 compile %s --emit cubin -o %t.cubin
// RUN: tcgen05 opt %s --print-op-generic | tcgen05 compile - | filecheck %s

// CHECK: .param .b64 out
// CHECK-NEXT: .param .b32 count
// CHECK: ld.param.b64 %rd1, [out];
// CHECK: sum_loop:
// CHECK: @!{{.*}} bra done;
// CHECK: nothing:
// CHECK: done:
ptx.kernel @k(%p : i64 {ptx.name = "out"}, %n : i32 {ptx.name = "count", ptx.at_least = 1}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (i32) : i32 {
    %b = arith.addi %a, %i : i32
    scf.yield %b : i32
  } {ptx.name = "sum_loop"}
  %is = arith.cmpi eq, %s, %c0 : i32
  cf.cond_br %is, ^then, ^end {ptx.name = ["nothing", "done"]}
^then:
  ptx.st global b32 [%p], {%c1}
  cf.br ^end
^end:
  ptx.st global b32 [%p], {%s}
  ptx.ret
}

// Only a label of the second successor:
// RUN: sed 's/"nothing"/""/' %s | tcgen05 compile - | filecheck %s --check-prefix SECOND
// SECOND-NOT: nothing:
// SECOND: done:

// Names are PTX identifiers, and different ones.
// RUN: sed 's/"sum_loop"/"1st"/' %s > %t.illegal.mlir
// RUN: sed 's/"sum_loop"/"$L__4"/' %s > %t.number.mlir
// RUN: sed 's/"sum_loop"/"done"/' %s > %t.twice.mlir
// RUN: sed 's/"sum_loop"/"count"/' %s > %t.parameter.mlir
// RUN: sed 's/"sum_loop"/"k"/' %s > %t.symbol.mlir
// RUN: sed 's/"sum_loop"/["a", "b"]/' %s > %t.many.mlir
// RUN: sed 's/"count"/"out"/' %s > %t.same.mlir
// RUN: sed 's/"count"/"k"/' %s > %t.kernel.mlir
// RUN: sed 's/"count"/"a-b"/' %s > %t.minus.mlir
// RUN: sed 's/"count"/3/' %s > %t.three.mlir
// RUN: not tcgen05 check --verify=off %t.illegal.mlir %t.number.mlir %t.twice.mlir %t.parameter.mlir %t.symbol.mlir %t.many.mlir %t.same.mlir %t.kernel.mlir %t.minus.mlir %t.three.mlir | filecheck %s --check-prefix WRONG
// WRONG: illegal.mlir:17:{{[0-9]+}}: error[T5-PTX-070]: scf.for: name must be a letter followed by letters, digits, _ and $, or _ or $ followed by at least one of these; found '1st'
// WRONG: number.mlir:17:{{[0-9]+}}: error[T5-PTX-070]: scf.for: name must be a name that does not begin with $L__; found $L__4
// WRONG: twice.mlir:{{[0-9]+}}:{{[0-9]+}}: error[T5-PTX-070]: {{.*}}: name must be a name that no other label of the kernel has; found done
// WRONG: parameter.mlir:17:{{[0-9]+}}: error[T5-PTX-070]: scf.for: name must be a name that no symbol of the module and no parameter has; found count
// WRONG: symbol.mlir:17:{{[0-9]+}}: error[T5-PTX-070]: scf.for: name must be a name that no symbol of the module and no parameter has; found k
// WRONG: many.mlir:17:{{[0-9]+}}: error[T5-PTX-105]: scf.for: ptx.name must be at most 1 string, one for each label
// WRONG: same.mlir:14:{{[0-9]+}}: error[T5-PTX-070]: ptx.kernel: name must be a name that no other parameter has; found out
// WRONG: kernel.mlir:14:{{[0-9]+}}: error[T5-PTX-070]: ptx.kernel: name must be {{.*}}; found @k, the name of a parameter of @k
// WRONG: minus.mlir:14:{{[0-9]+}}: error[T5-PTX-070]: ptx.kernel: name must be a letter followed by {{.*}}; found 'a-b'
// WRONG: three.mlir:14:{{[0-9]+}}: error[T5-PTX-105]: ptx.kernel: ptx.name must be a string; found 3

// RUN: printf 'ptx.kernel @k(%%%%p : i1) {\n  scf.if %%%%p {\n  } {ptx.name = "a"}\n  ptx.ret\n}\n' > %t.if.mlir
// RUN: not tcgen05 check --verify=off %t.if.mlir | filecheck %s --check-prefix IF
// IF: error[T5-PTX-105]: scf.if:

// The roles of ws keep the labels of loops.
// RUN: sed -e '/ws.mma/{n;n;s/}/} {ptx.name = "main_loop"}/}' %S/../../examples/ws/gemm.mlir | tcgen05 compile - | filecheck %s --check-prefix ROLES
// ROLES: main_loop:
