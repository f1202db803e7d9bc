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
