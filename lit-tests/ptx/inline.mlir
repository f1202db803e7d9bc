// RUN: tcgen05-opt %s | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

// CHECK: ptx.declaration ".global .align 4 .b8 $table[8] = {1, 2, 3, 4, 5, 6, 7, 8};"
// PTX: .global .align 4 .b8 $table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
ptx.declaration ".global .align 4 .b8 $table[8] = {1, 2, 3, 4, 5, 6, 7, 8};"

ptx.kernel @inline(%x : i32, %out : i64) {
  // CHECK: ptx.declaration ".local .align 4 .b8 depot[16];"
  // PTX: .local .align 4 .b8 depot[16];
  ptx.declaration ".local .align 4 .b8 depot[16];"
  %two = ptx.constant 2 : i32
  // CHECK: %field = ptx.inline "bfe.u32 $0, $1, 4, 15;"(%x : i32) -> i32
  // PTX: bfe.u32 %[[FIELD:r[0-9]+]], %[[X:r[0-9]+]], 4, 15;
  %field = ptx.inline "bfe.u32 $0, $1, 4, 15;" (%x : i32) -> i32
  // A constant is an immediate. A result may be used more than once.
  // PTX-NEXT: mad.lo.u32 %[[SUM:r[0-9]+]], %[[FIELD]], 2, %[[FIELD]];
  %sum = ptx.inline "mad.lo.u32 $0, $1, $2, $1;" (%field, %two : i32, i32) -> i32
  // CHECK: %p, %q = ptx.inline "setp.lt.and.u32 $0|$1, $2, $3, $4;"(%sum, %x, %less : i32, i32, i1) -> i1, i1
  %less = ptx.setp lt u32 %sum, %x
  %p, %q = ptx.inline "setp.lt.and.u32 $0|$1, $2, $3, $4;" (%sum, %x, %less : i32, i32, i1) -> i1, i1
  // A guarded instruction keeps the value of its register where the predicate is false.
  // PTX: @[[P:%p[0-9]+]] bfe.u32 %[[FIELD]], %[[X]], 8, 15;
  %kept = ptx.guard %p else (%field : i32) {
    %inner = ptx.inline "bfe.u32 $0, $1, 8, 15;" (%x : i32) -> i32
    ptx.yield %inner : i32
  }
  // An instruction that may read its destination names the value that is in it.
  // CHECK: %both = ptx.inline "mov.b32 $0, $1;"(%kept : i32) keeps(%sum : i32) -> i32
  // PTX-NEXT: mov.b32 %[[SUM]], %[[FIELD]];
  %both = ptx.inline "mov.b32 $0, $1;" (%kept : i32) keeps (%sum : i32) -> i32
  // CHECK: %address = ptx.inline "mov.u64 $0, $table;" -> i64
  // PTX-NEXT: mov.u64 %[[ADDRESS:rd[0-9]+]], $table;
  %address = ptx.inline "mov.u64 $0, $table;" -> i64
  // CHECK: %high = ptx.inline "mov.b64 {_, $0}, $1;"(%address : i64) -> i32
  // PTX-NEXT: mov.b64 {_, %[[HIGH:r[0-9]+]]}, %[[ADDRESS]];
  %high = ptx.inline "mov.b64 {_, $0}, $1;" (%address : i64) -> i32
  // CHECK: ptx.pragma "nounroll"
  // PTX-NEXT: .pragma "nounroll";
  ptx.pragma "nounroll"
  // CHECK: ptx.inline "st.global.v2.b32 [$0], {$1, $2};"(%out, %both, %high : i64, i32, i32)
  // PTX-NEXT: st.global.v2.b32 [{{.*}}], {%[[SUM]], %[[HIGH]]};
  ptx.inline "st.global.v2.b32 [$0], {$1, $2};" (%out, %both, %high : i64, i32, i32)
  ptx.ret
}
