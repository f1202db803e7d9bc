// T5-MAP-001
// section: 5.5
// subject: box of a tensor map
// statement: The box of a tensor map has legal extents. Its swizzle mode is legal for its elements
//     and at least as wide as its rows.
// why: The driver refuses to encode other maps.
// fix: give the map a box and a swizzle mode that the driver accepts

// A row of the box has 128 bytes.
!map = !ptx.tensor_map<128x64xbf16, swizzle_64b>
ptx.kernel @example(%map : !map) {
  ptx.prefetch.tensormap [%map]
  ptx.ret
}

// -----

!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.kernel @example(%map : !map) {
  ptx.prefetch.tensormap [%map]
  ptx.ret
}
