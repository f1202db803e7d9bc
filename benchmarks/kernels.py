"""Kernels of any length, made of repeated parts of a matrix product."""

_HEADER = """\
!a_tile = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!a_tile_16 = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b, k = 16>
!b_tile = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!b_tile_16 = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b, k = 16>
!accumulator = !tcgen05.tmem<128x256xf32>
!chunk = !tcgen05.tmem<32x32xf32>
#multiply = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>

ptx.shared_memory @tiles alignment 1024
ptx.shared_memory @barriers size 72 alignment 8
ptx.shared_memory @slot size 4 alignment 4
"""

_BEGIN = """
ptx.kernel @kernel_{number}(%a_map : !ptx.tensor_map, %c : i64, %blocks : i32)
    attributes {{reqntid = array<i32: 128, 1, 1>}} {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c8 = arith.constant 8 : i32
  %columns = arith.constant 256 : i32
  %true = arith.constant true
  %ring = ptx.address_of @tiles
  %full = ptx.address_of @barriers
  %slot = ptx.address_of @slot
  tcgen05.alloc %slot, %columns
  %acc = tcgen05.load_address %slot : !accumulator
  %a = tcgen05.descriptor %ring : !a_tile
  %b = tcgen05.descriptor %ring : !b_tile
"""

_PART = """
  scf.for %block = %c0 to %blocks step %c1 iter_args(%stage = %c0, %parity = %c0) -> (i32, i32)
      : i32 {
    %offset = arith.muli %stage, %c8 : i32
    %barrier = arith.addi %full, %offset : i32
    ptx.mbarrier.wait [%barrier], %parity
    tcgen05.fence after_thread_sync
    %a_0 = tcgen05.tile %a[%stage] : !a_tile
    %b_0 = tcgen05.tile %b[%stage] : !b_tile
    %not_first = arith.cmpi ne, %block, %c0 : i32
    tcgen05.mma %acc, %a_0, %b_0 accumulate %not_first {idesc = #multiply}
        : !accumulator, !a_tile, !b_tile
    %a_16 = tcgen05.advance %a_0, k = 16 : !a_tile
    %b_16 = tcgen05.advance %b_0, k = 16 : !b_tile
    tcgen05.mma %acc, %a_16, %b_16 accumulate %true {idesc = #multiply}
        : !accumulator, !a_tile_16, !b_tile_16
    tcgen05.commit %barrier
    %stage_plus_1 = arith.addi %stage, %c1 : i32
    %next_stage = arith.andi %stage_plus_1, %c3 : i32
    %wrapped = arith.cmpi eq, %next_stage, %c0 : i32
    %flip = arith.extui %wrapped : i1 to i32
    %next_parity = arith.xori %parity, %flip : i32
    scf.yield %next_stage, %next_parity : i32, i32
  }
  %chunk = tcgen05.slice %acc[%c0, %c0] : !accumulator to !chunk
  %v:32 = tcgen05.ld shape_32x32b x32 %chunk : !chunk
  tcgen05.wait ld
  %w0 = ptx.cvt.pack rn bf16x2 f32 %v#1, %v#0
  %w1 = ptx.cvt.pack rn bf16x2 f32 %v#3, %v#2
  %inside = arith.cmpi slt, %w0, %w1 : i32
  scf.if %inside {
    ptx.st global b32 [%c], {%w0, %w1}
  }
"""
_END = """
  tcgen05.dealloc %acc, %columns : !accumulator
  ptx.ret
}
"""
_VALUES = ("%chunk", "%v", "%w0", "%w1", "%inside")
OPERATIONS_PER_PART = 31


def kernels(operations: int, parts: int) -> str:
    """
    IR of about this many operations: loops over K and their epilogues one after another, `parts`
    of them in each kernel.
    """
    text = [_HEADER]
    for part in range(max(1, operations // OPERATIONS_PER_PART)):
        number, position = divmod(part, parts)
        if position == 0:
            text.append((_END if number else "") + _BEGIN.format(number=number))
        body = _PART
        for value in _VALUES:
            body = body.replace(value, f"{value}_{position}_")
        text.append(body)
    return "".join([*text, _END])
