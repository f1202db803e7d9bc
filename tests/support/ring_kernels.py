"""
Matrix products of `blocks` blocks of K, 128x16 of A and 8x16 of B each, through a ring of stages.

Warps 0 to 3 store the sums, warp 4 copies and warp 5 multiplies; a style replaces parts.
"""

from .kernel_text import kernel

BYTES = 4352
"""Bytes of the tiles of a stage."""
_TYPES = """
!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<8x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x8xf32>
!rows = !tcgen05.tmem<32x8xf32>
"""
IDESC = "{idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>}"
WAIT = "ptx.mbarrier.wait [{barrier}], {parity}"


def header(blocks: int, rows: int = 128) -> str:
    """Arguments and result of a product, and the types that its parts use."""
    return f"""// argument a: bf16 128x{16 * max(blocks, 1)}, box 16x128 swizzle_32b
// argument b: bf16 8x{16 * max(blocks, 1)}, box 16x8 swizzle_32b
// argument out: f32 {rows}x8
// argument blocks: {blocks}
// result out: (a @ b.T)[:{rows}]
{_TYPES}"""


PARAMETERS = {
    "a_map": "!ptx.tensor_map<128x16xbf16, swizzle_32b>",
    "b_map": "!ptx.tensor_map<8x16xbf16, swizzle_32b>",
    "out": "i64",
    "blocks": "i32",
}


def shared(stages: int) -> dict[str, int]:
    return {
        "a_tiles": 4096 * stages,
        "b_tiles": 256 * stages,
        "loaded": 8 * stages,
        "free": 8 * stages,
        "multiplied": 8,
        "slot": 4,
    }


def init(stages: int, loaded: str = "%c1", free: str = "%c1") -> str:
    """The thread initialises the barrier objects."""
    each = "\n".join(
        f"ptx.mbarrier.init [%loaded + {8 * n}], {loaded}\n"
        f"ptx.mbarrier.init [%free + {8 * n}], {free}"
        for n in range(stages)
    )
    return f"{each}\nptx.mbarrier.init [%multiplied], %c1\n{INIT_FENCES}"


INIT_FENCES = 'ptx.fence.mbarrier_init\nptx.fence.proxy.async "shared::cta"'


def addresses(stage: str = "%stage", tag: str = "") -> str:
    """The barrier objects and the tiles of a stage."""
    return f"""
%at{tag} = arith.muli {stage}, %c8 : i32
%l{tag} = arith.addi %loaded, %at{tag} : i32
%f{tag} = arith.addi %free, %at{tag} : i32
%a_tile{tag} = ptx.mad u32 {stage}, %c4096, %a_tiles
%b_tile{tag} = ptx.mad u32 {stage}, %c256, %b_tiles
"""


def copies(block: str = "%i", tag: str = "") -> str:
    """The copies of a block of A and of B."""
    return f"""
%column{tag} = arith.muli {block}, %c16 : i32
ptx.cp.async.bulk.tensor.load [%a_tile{tag}], %a_map, {{%column{tag}, %c0}}, [%l{tag}]
ptx.cp.async.bulk.tensor.load [%b_tile{tag}], %b_map, {{%column{tag}, %c0}}, [%l{tag}]
"""


def load(block: str = "%i", tag: str = "") -> str:
    """The arrival that expects the bytes of a stage, and its copies."""
    return f"ptx.mbarrier.arrive.expect_tx [%l{tag}], %c{BYTES}{copies(block, tag)}"


def multiply(accumulate: str = "%is_later", tag: str = "", d: str = "%d") -> str:
    """The product of a stage, once its tiles have come, and the commit that frees it."""
    return f"""
tcgen05.fence after_thread_sync
%a{tag} = tcgen05.descriptor %a_tile{tag} : !a
%b{tag} = tcgen05.descriptor %b_tile{tag} : !b
tcgen05.mma {d}, %a{tag}, %b{tag} accumulate {accumulate} {IDESC} : !d, !a, !b
tcgen05.commit %f{tag}
"""


IS_LATER = "%is_later = arith.cmpi ne, %i, %c0 : i32"
COMMIT = "tcgen05.commit %multiplied"


def counted(stages: int, body: str, before: str = "%i", end: str = "%blocks") -> str:
    """A loop over blocks whose stage and parity are computed from the number of the block."""
    return f"""
scf.for %i = %c0 to {end} step %c1 : i32 {{
  %stage = arith.remui {before}, %c{stages} : i32
  %round = arith.divui {before}, %c{stages} : i32
  %parity = arith.andi %round, %c1 : i32
  %parity_before = arith.xori %parity, %c1 : i32
  {addresses()}
  {body}
}}
"""


def producer(stages: int) -> str:
    wait = WAIT.format(barrier="%f", parity="%parity_before")
    return counted(stages, f"{wait}\n{load()}")


def consumer(stages: int) -> str:
    wait = WAIT.format(barrier="%l", parity="%parity")
    return counted(stages, f"{wait}\n{IS_LATER}\n{multiply()}") + COMMIT


def store(d: str = "%d", to: str = "%to", tag: str = "") -> str:
    """The stores of the sums of a row, loaded from tensor memory."""
    return f"""
%part{tag} = tcgen05.slice {d}[%first_lane, 0] : !d to !rows
%v{tag}:8 = tcgen05.ld shape_32x32b x8 %part{tag} : !rows
tcgen05.wait ld
ptx.st global b32 [{to}], {{%v{tag}#0, %v{tag}#1, %v{tag}#2, %v{tag}#3}}
ptx.st global b32 [{to} + 16], {{%v{tag}#4, %v{tag}#5, %v{tag}#6, %v{tag}#7}}
"""


EPILOGUE = f"""
ptx.mbarrier.wait [%multiplied], %c0
tcgen05.fence after_thread_sync
%to = ptx.mad.wide u32 %thread, %c32, %out
{store()}
"""

ROLES = """
%copies = arith.cmpi eq, %warp, %c4 : i32
%multiplies = arith.cmpi eq, %warp, %c5 : i32
%stores = arith.cmpi ult, %warp, %c4 : i32
%is_producer = arith.andi %copies, %elected : i1
%is_consumer = arith.andi %multiplies, %elected : i1
"""


def specialised(
    stages: int,
    setup: str,
    producer: str,
    consumer: str,
    epilogue: str = EPILOGUE,
    roles: str = ROLES,
) -> str:
    """The body of a kernel in which warp 4 copies, warp 5 multiplies and the others store."""
    return f"""
{roles}
scf.if %is_producer {{
{setup}
}}
scf.if %multiplies {{
  tcgen05.alloc %slot, %c32
  tcgen05.relinquish_alloc_permit
}}
tcgen05.fence before_thread_sync
ptx.bar.sync %c0
tcgen05.fence after_thread_sync
%all = tcgen05.load_address %slot : !all
%d = tcgen05.slice %all[0, 0] : !all to !d
scf.if %is_producer {{
{producer}
}}
scf.if %is_consumer {{
{consumer}
}}
ptx.bar.warp.sync %all_lanes
scf.if %stores {{
{epilogue}
}}
tcgen05.fence before_thread_sync
ptx.bar.sync %c0
scf.if %multiplies {{
  tcgen05.fence after_thread_sync
  tcgen05.dealloc %all, %c32 : !all
}}
"""


def product(name: str, body: str, stages: int = 3, blocks: int = 8, threads: int = 192) -> str:
    """Text of a kernel that computes the product."""
    return kernel(name, body, PARAMETERS, shared(stages), threads, header(blocks))
