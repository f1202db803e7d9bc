// RUN: tcgen05-opt %s -p convert-cf-to-ptx | filecheck %s

// CHECK-LABEL: ptx.kernel @branches
ptx.kernel @branches(%a : i32, %b : i32) {
  // CHECK: %[[P:.*]] = ptx.setp
  %p = ptx.setp eq b32 %a, %b
  // CHECK-NEXT: ptx.cond_bra %[[P]], ^[[LOOP:.*]](%a, %b : i32, i32), ^[[END:.*]](%a : i32)
  cf.cond_br %p, ^loop(%a, %b : i32, i32), ^end(%a : i32)
^loop(%c : i32, %d : i32):
  // CHECK: ptx.bra ^[[LOOP]](%{{.*}}, %{{.*}} : i32, i32)
  cf.br ^loop(%d, %c : i32, i32)
^end(%e : i32):
  ptx.ret
}

// A branch on what is known goes one way only.
// CHECK-LABEL: ptx.kernel @known
ptx.kernel @known() {
  // CHECK: ptx.constant true
  %true = ptx.constant 1 : i1
  // CHECK-NEXT: ptx.bra ^[[YES:.*]]{{$}}
  cf.cond_br %true, ^yes, ^no
  // CHECK-NEXT: ^[[YES]]:
^yes:
  ptx.ret
^no:
  ptx.ret
}

// CHECK-LABEL: ptx.kernel @switch
ptx.kernel @switch(%a : i32) {
  // CHECK-DAG: %[[SEVEN:.*]] = ptx.constant 7 : i32
  // CHECK-DAG: %[[NINE:.*]] = ptx.constant 9 : i32
  // CHECK: %[[IS_SEVEN:.*]] = ptx.setp eq b32 %a, %[[SEVEN]]
  // CHECK-NEXT: %[[IS_NINE:.*]] = ptx.setp eq b32 %a, %[[NINE]]
  // CHECK-NEXT: ptx.cond_bra %[[IS_SEVEN]], ^[[ONE:.*]](%a : i32), ^[[NEXT:.*]]{{$}}
  // CHECK-NEXT: ^[[NEXT]]:
  // CHECK-NEXT: ptx.cond_bra %[[IS_NINE]], ^[[TWO:.*]], ^[[DEFAULT:.*]]{{$}}
  cf.switch %a : i32, [
    default: ^default,
    7: ^one(%a : i32),
    9: ^two
  ]
^one(%b : i32):
  ptx.ret
^two:
  ptx.ret
^default:
  ptx.ret
}

// CHECK-LABEL: ptx.kernel @no_cases
ptx.kernel @no_cases(%a : i32) {
  // CHECK-NEXT: ptx.bra ^{{.*}}(%a : i32)
  cf.switch %a : i32, [
    default: ^default(%a : i32)
  ]
^default(%b : i32):
  ptx.ret
}
