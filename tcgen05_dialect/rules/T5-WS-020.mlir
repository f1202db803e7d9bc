// T5-WS-020
// section: 9.7.19.5
// subject: registers of the roles
// statement: A role has a number of registers that the hardware can give. Roles that share a
//     warpgroup have the same number, and all threads together have no more registers than at the
//     start of the kernel.
// why: All warps of a warpgroup change their registers together. A role that asks for more than the
//     other roles give up waits forever.
// fix: give more registers to the roles that compute, and fewer to the roles that only issue

ptx.kernel @example() {
  ws.warp_specialize {
    ws.role @compute warps(4) registers(232) { ws.role_barrier }
    ws.role @correct warps(4) registers(232) { ws.role_barrier }
    ws.role @load warps(1) registers(64) { ws.role_barrier }
  }
  ptx.ret
}

// -----

ptx.kernel @example() {
  ws.warp_specialize {
    ws.role @compute warps(4) registers(232) { ws.role_barrier }
    ws.role @correct warps(4) registers(112) { ws.role_barrier }
    ws.role @load warps(1) registers(64) { ws.role_barrier }
  }
  ptx.ret
}
