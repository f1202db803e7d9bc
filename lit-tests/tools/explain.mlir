// RUN: tcgen05 explain T5-CP-002 | filecheck %s
// RUN: tcgen05 explain t5-cp-002 | filecheck %s
// RUN: tcgen05 explain T5-SIM-014 | filecheck %s --check-prefix SIM
// RUN: tcgen05 explain | filecheck %s --check-prefix FAMILIES
// RUN: tcgen05 explain T5-ALLOC wait | filecheck %s --check-prefix LIST
// RUN: tcgen05 explain T5-ALLOC-001 T5-CP-002 | filecheck %s --check-prefix SEVERAL
// RUN: not tcgen05 explain T5-CP-002 T5-ALLOC-01 2>&1 | filecheck %s --check-prefix UNKNOWN
// RUN: tcgen05 explain T5-PTX-021 | filecheck %s --check-prefix UNBREAKABLE
// RUN: not tcgen05 explain T5-FOO-001 2>&1 | filecheck %s --check-prefix FAMILY
// RUN: not tcgen05 explain T5-ALLOC-099 2>&1 | filecheck %s --check-prefix NUMBER
// RUN: not tcgen05 explain T5-ALOC-001 2>&1 | filecheck %s --check-prefix CLOSE
// RUN: not tcgen05 explain cp-2 2>&1 | filecheck %s --check-prefix PREFIX
// RUN: tcgen05 explain tcgen05.cp ptx.tcgen05.wait | filecheck %s --check-prefix EFFECTS
// RUN: not tcgen05 explain tcgen05.wiat 2>&1 | filecheck %s --check-prefix INSTRUCTION
// RUN: tcgen05 explain T5-INPUT | filecheck %s --check-prefix INPUT
// RUN: not tcgen05 explain nothing 2>&1 | filecheck %s --check-prefix NOTHING

// CHECK: T5-CP-002 (error, found by check)
// CHECK-NEXT: The shape of cp determines its multicast
// CHECK: Why: Without the multicast the lanes of the other warps
// CHECK: This program breaks the rule:
// CHECK: tcgen05.cp
// CHECK: `tcgen05 check` says:
// CHECK: T5-CP-002.mlir:{{.*}}: error[T5-CP-002]: tcgen05.cp:
// CHECK: This program keeps the rule:
// CHECK: tcgen05.cp
// CHECK: ptx.ret
// CHECK: Fix: give the multicast that the shape requires.
// CHECK-NEXT: Section: PTX ISA 9.7.16.9.2

// SIM: T5-SIM-014 (error, found by a run)
// SIM: `tcgen05 sim --schedule lazy` says:
// SIM: error[T5-SIM-014]: ptx.ld: @word in shared memory of CTA (0, 0, 0) was written by ptx.st

// EFFECTS: tcgen05.cp
// EFFECTS-NEXT: reads           shared memory at `descriptor`: the rows of `shape`
// EFFECTS-NEXT: writes          tensor memory at `address`: the columns of `shape`
// EFFECTS-NEXT: by              the tensor core
// EFFECTS-NEXT: proxy           async
// EFFECTS-NEXT: complete after  commit and wait for its barrier object
// EFFECTS-NEXT: executed by     one thread
// EFFECTS-NEXT: section         9.7.16.9.2
// EFFECTS: tcgen05.wait
// EFFECTS: orders          `ld`: waits for `tcgen05.ld`; `st`: waits for `tcgen05.st`

// INSTRUCTION: tcgen05: error: tcgen05.wiat is not an instruction that does more than compute registers; did you mean tcgen05.wait?

// FAMILIES: T5-ALLOC {{ +[0-9]+}} rules, such as: The number of columns
// FAMILIES: T5-CTA_GROUP {{ +[0-9]+}} rules, such as: An instruction works for one CTA
// FAMILIES: `tcgen05 explain T5-ALLOC` lists a family, `T5` all rules.
// RUN: tcgen05 explain T5 | filecheck %s --check-prefix EVERY
// EVERY: T5-ALLOC-001
// EVERY: T5-WS-001

// LIST: T5-ALLOC-001 {{ +}}The number of columns
// LIST-NOT: T5-CTA_GROUP
// LIST: T5-WAIT-001 {{ +}}A tcgen05 wait

// SEVERAL: T5-ALLOC-001 (error
// SEVERAL: T5-CP-002 (error

// UNKNOWN: tcgen05: error: there is no rule T5-ALLOC-01; did you mean T5-ALLOC-001?
// UNKNOWN-NOT: {{.}}

// NOTHING: tcgen05: error: there is no rule nothing; the families of rules are T5-ALLOC, {{.*}}, T5-WAIT, T5-WS; `tcgen05 explain FAMILY` lists the rules of one

// FAMILY: tcgen05: error: there is no rule T5-FOO-001; the families of rules are T5-ALLOC, {{.*}}T5-WAIT
// NUMBER: tcgen05: error: there is no rule T5-ALLOC-099; T5-ALLOC has the rules 001, 002, {{[0-9, ]*$}}
// CLOSE: tcgen05: error: there is no rule T5-ALOC-001; did you mean T5-ALLOC-001?
// PREFIX: tcgen05: error: there is no rule cp-2; did you mean T5-CP-002?

// INPUT: T5-INPUT (error, found by check)
// INPUT-NEXT: The input can be read, parsed and compiled.

// UNBREAKABLE: No program breaks the rule: IR and PTX can spell only legal combinations.
