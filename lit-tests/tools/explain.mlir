// RUN: tcgen05 explain T5-ALLOC-001 | filecheck %s
// RUN: tcgen05 explain t5-alloc-001 | filecheck %s
// RUN: tcgen05 explain | filecheck %s --check-prefix LIST
// RUN: not tcgen05 explain T5-ALLOC-01 2>&1 | filecheck %s --check-prefix UNKNOWN
// RUN: tcgen05 explain T5-PTX-021 | filecheck %s --check-prefix UNBREAKABLE
// RUN: not tcgen05 explain nothing 2>&1 | filecheck %s --check-prefix NOTHING

// CHECK: T5-ALLOC-001, error: nCols
// CHECK-NEXT: section: PTX ISA 9.7.16.7.1
// CHECK-NEXT: fix: allocate a power of two of columns, 32 to 512
// CHECK: This breaks the rule:
// CHECK: tcgen05.alloc
// CHECK: This keeps it:
// CHECK: tcgen05.alloc
// CHECK: ptx.ret

// LIST: T5-ALLOC-001 {{ +}}nCols
// LIST: T5-CTA_GROUP-001 number of CTAs
// LIST: T5-WAIT-001 {{ +}}operation to wait for

// UNKNOWN: tcgen05: error: there is no rule T5-ALLOC-01; did you mean T5-ALLOC-001, {{.*}}? `tcgen05 explain` lists all
// UNKNOWN-NOT: {{.}}

// NOTHING: tcgen05: error: there is no rule nothing; `tcgen05 explain` lists all

// UNBREAKABLE: No program breaks it: all combinations of its qualifiers are legal.
