// RUN: tcgen05-opt %s -p ws-unroll-vectors | filecheck %s

// An access to columns that the thread has stored to waits for the store; the end of the region
// waits for all others.
!d = !tcgen05.tmem<128x64xf32>
!cell = !tcgen05.tmem<128x2xf32>
// CHECK-LABEL: ptx.kernel @again
ptx.kernel @again(%n : i32, %c : i32) {
  %cells = ws.ring 1 : !d
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %p = arith.cmpi eq, %n, %c : i32
  %x = arith.constant dense<1.0> : vector<2xf32>
  ws.warp_specialize {
    ws.role @write warps(4) threads(%t) {
      ws.produce %cells by threads (%d) {
        // CHECK: tcgen05.st
        ws.tmem_store %x to %d[0]
        // CHECK-NOT: tcgen05.wait
        // CHECK: tcgen05.st
        ws.tmem_store %x to %d[2]
        // CHECK: tcgen05.wait st
        // CHECK-NEXT: tcgen05.slice
        // CHECK-NEXT: tcgen05.ld
        %y = ws.tmem_load %d[1] -> vector<2xf32>
        // CHECK-NOT: tcgen05.wait st
        // CHECK: tcgen05.st
        ws.tmem_store %y to %d[0]
        // CHECK: tcgen05.wait st
        // CHECK: tcgen05.st
        ws.tmem_store %x to %d[%c]
        // CHECK-NEXT: tcgen05.wait st
        // CHECK-NEXT: scf.for
        // CHECK-NEXT: tcgen05.slice
        // CHECK-NEXT: tcgen05.st
        // CHECK-NEXT: tcgen05.wait st
        // CHECK-NEXT: }
        scf.for %i = %zero to %n step %one : i32 {
          ws.tmem_store %x to %d[4]
        }
        // CHECK: scf.for
        // CHECK-NEXT: tcgen05.slice
        // CHECK-NEXT: tcgen05.st
        // CHECK-NEXT: }
        scf.for %i = %zero to %n step %two : i32 {
          ws.tmem_store %x to %d[%i]
        }
        // Two iterations have a column in common.
        // CHECK-NEXT: tcgen05.wait st
        // CHECK-NEXT: scf.for
        // CHECK-NEXT: tcgen05.slice
        // CHECK-NEXT: tcgen05.st
        // CHECK-NEXT: tcgen05.wait st
        // CHECK-NEXT: }
        scf.for %i = %zero to %n step %one : i32 {
          ws.tmem_store %x to %d[%i]
        }
      }
    }
    // CHECK: ws.role @branch
    ws.role @branch warps(4) threads(%t) {
      ws.produce %cells by threads (%d) {
        ws.tmem_store %x to %d[0]
        // CHECK: scf.if
        // CHECK-NEXT: tcgen05.wait st
        // CHECK: tcgen05.ld
        scf.if %p { %y = ws.tmem_load %d[0] -> vector<2xf32> }
        // No wait comes between the store and this load if the condition is false.
        // CHECK: tcgen05.wait st
        // CHECK-NEXT: tcgen05.slice
        // CHECK-NEXT: tcgen05.ld
        %y = ws.tmem_load %d[0] -> vector<2xf32>
        %cell = tcgen05.slice %d[0, 0] : !d to !cell
        ws.tmem_store %x to %d[0]
        // A slice has columns of the matrix.
        // CHECK: tcgen05.st
        // CHECK-NEXT: tcgen05.wait st
        // CHECK-NEXT: tcgen05.slice
        // CHECK-NEXT: tcgen05.ld
        %z = ws.tmem_load %cell[0] -> vector<2xf32>
      }
    }
    ws.role @read warps(4) threads(%t) {
      ws.consume %cells by threads (%d) { %y = ws.tmem_load %d[0] -> vector<2xf32> }
    }
  }
  ptx.ret
}
