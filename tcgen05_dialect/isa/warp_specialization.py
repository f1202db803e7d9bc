"""
Rules of warp-specialised kernels: which operations may use a stage, and how roles exchange stages.

These rules determine the waits of each role and the arrivals that end them. The lowering of `ws`
writes only kernels that need no other synchronisation.
"""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule

_COMPLETION = "9.7.13.15.5"
"""Completion of the copies that a phase of a barrier object tracks."""
_COMMIT = "9.7.16.12.1"
_PHASE = "9.7.13.15.4"

TMA_RULE = rule(
    "T5-WS-001",
    _COMPLETION,
    subject="use of a buffer in a region by tma",
    statement="A region by tma loads each of its buffers exactly once, and on every path.",
    why="The barrier object of the stage expects the bytes of each buffer once.",
    fix=(
        "load each buffer with one ws.tma_load, outside of scf.if and scf.for in the region, or with "
        "raw operations in ws.elected"
    ),
)
MMA_RULE = rule(
    "T5-WS-002",
    _COMMIT,
    subject="use of a buffer in a region by mma",
    statement=(
        "In a region by mma, only tcgen05 instructions of the issuing thread use the buffers; a "
        "production writes each buffer, and a consumption reads each buffer."
    ),
    why="The commit at the end of the region tracks only these instructions.",
    fix="use the buffers with ws.mma, or with raw tcgen05 operations in ws.elected",
)
THREADS_RULE = rule(
    "T5-WS-003",
    _PHASE,
    subject="use of a buffer in a region by threads",
    statement=(
        "In a region by threads, the threads themselves use the buffers; a production writes each "
        "buffer, and a consumption reads each buffer."
    ),
    why="The arrival at the end of the region does not wait for asynchronous instructions.",
    fix="use a region by tma or by mma for ws.tma_load or ws.mma",
)
WRITE_RULE = rule(
    "T5-WS-004",
    _PHASE,
    subject="write to a consumed buffer",
    statement="A consumer writes a buffer only if its ring has in_place.",
    why="Other consumers may read the buffer, and the next production does not expect the data.",
    fix="give the ring in_place, or write to another ring",
)
PLACE_RULE = rule(
    "T5-WS-005",
    _PHASE,
    subject="region of a ring",
    statement=(
        "Each region of a ring is in a role. The regions of a ring in one role are alike: all "
        "produce or all consume, all by the same agent (tma, mma or threads); none is inside "
        "another. The same holds for stages that a role takes by tokens. Several roles may produce "
        "one ring only if all of them produce by threads and other roles consume it. A ws.alloc is "
        "used by one role, and in this role by threads or by mma, but not by both."
    ),
    why="Each role counts its stages in order; other regions would take a stage out of turn.",
    fix="put the region into a role of its own, or beside the other region",
)
UNIFORM_RULE = rule(
    "T5-WS-006",
    _PHASE,
    subject="condition around a region",
    statement=(
        "All threads of a role execute its regions equally often: the conditions and loops around "
        "a region do not depend on the thread. The same holds for ws.role_barrier and for each "
        "operation that one thread issues for the role, such as ws.mma; nor do the operands of "
        "such an operation depend on the thread."
    ),
    why=(
        "A thread that skips a region neither waits for the stage nor arrives; the phases diverge. "
        "Which thread issues an operation is undefined."
    ),
    fix="compute the value from parameters, tiles, loop counters or constants",
)
TOKEN_RULE = rule(
    "T5-WS-007",
    _PHASE,
    subject="token of a stage",
    statement=(
        "Each stage that a role takes by a token is given back exactly once on every path. A token "
        "may be passed on by scf.for, scf.if and regions, and its buffers with it. A buffer is "
        "used only while the role holds its stage."
    ),
    why=(
        "A stage that is not given back blocks the other roles; one that is given back twice, or "
        "used later, belongs to another role."
    ),
    fix="give the stage back once, by ws.producer_commit or ws.consumer_release, after its uses",
)
SIZE_RULE = rule(
    "T5-WS-009",
    "5.1.7, 9.7.16.7.1",
    subject="memory of the rings",
    statement=(
        "The rings and buffers of a kernel fit into the shared memory of a CTA and into its "
        "tensor memory."
    ),
    why="The launch fails, or the allocation of tensor memory never returns.",
    fix="give a ring fewer stages, or use smaller tiles",
)
BALANCE_RULE = rule(
    "T5-WS-011",
    _PHASE,
    subject="number of stages",
    statement="Each role that consumes a ring consumes as many stages as are produced.",
    why=(
        "A consumer of more stages waits forever; a stage that nobody consumes is still in use "
        "when the kernel ends, or blocks the producer."
    ),
    fix=(
        "produce as many stages as are consumed; exclude sizes that never occur, with "
        "ptx.at_least, ptx.multiple_of or ptx.assume"
    ),
)
DEADLOCK_RULE = rule(
    "T5-WS-012",
    _PHASE,
    subject="order of the regions",
    statement="The roles of a kernel finish.",
    why="Roles that wait for each other's stages hang in every schedule.",
    fix="produce a stage before the role waits for what depends on it, or add a stage to the ring",
)
ROWS_RULE = rule(
    "T5-WS-014",
    "9.7.16.8.1",
    subject="warps of a role that accesses tensor memory",
    statement=(
        "A role that loads from tensor memory or stores to it has four warps, and thread t has "
        "row t. Rows and columns lie inside the buffer, as far as they follow from constants, from "
        "loops with constant bounds, and from the number of the thread."
    ),
    why="Each warp of a warpgroup can access only its quarter of the lanes.",
    fix="give the role the warps of one warpgroup; make two warpgroups two roles",
)
BOX_RULE = rule(
    "T5-WS-015",
    "5.5.7, 9.7.9.25",
    subject="box of the tensor map",
    statement=(
        "A tile consists of whole boxes of its tensor map, which has the swizzle mode and the "
        "elements of the tile."
    ),
    why=(
        "Otherwise the copies would fill bytes outside the tile, or arrange its elements "
        "differently."
    ),
    fix="give the tensor map a box that divides the tile, with its swizzle mode and element type",
)
RING_RULE = rule(
    "T5-WS-016",
    _PHASE,
    subject="ring",
    statement=(
        "A ring has at least one stage, and its buffers are all in shared memory or all in tensor "
        "memory. It has a producer, and a consumer unless TMA stores each stage. A ring in_place "
        "has one stage."
    ),
    why="The stages follow each other in one memory; without a consumer no stage becomes free.",
    fix="declare the ring with the stages and the buffers that the roles exchange",
)
ROLE_RULE = rule(
    "T5-WS-017",
    "9.7.13.1",
    subject="roles of a kernel",
    statement=(
        "A kernel has one ws.warp_specialize, directly in its body. Its roles have different names "
        "and together fit into a CTA. A role with regions by tma or by mma has one warp."
    ),
    why="The roles divide the warps of the CTA; one thread of a role issues TMA and MMA.",
    fix="make one ws.warp_specialize whose roles have the warps that they need",
)
OPERAND_RULE = rule(
    "T5-WS-018",
    "9.7.16.10.9",
    subject="operand of the operation",
    statement=(
        "An operation of ws takes buffers of a stage that the role holds, or of ws.alloc, and "
        "types that agree. A token of ws.producer_acquire is ended by ws.producer_commit, and one "
        "of ws.consumer_wait by ws.consumer_release."
    ),
    why="At any other time the stage belongs to another role.",
    fix="use the operation while the role holds the stage, with types that agree",
)
COPY_RULE = rule(
    "T5-WS-019",
    "9.7.16.6.2",
    subject="copy to tensor memory",
    statement=(
        "A ws.tmem_copy to a ws.alloc is directly in the region that holds its tile. A region has "
        "one copy to each matrix; the products that read the matrix follow it in this region. All "
        "copies to a matrix come from one ring."
    ),
    why=(
        "The manual does not order a copy after an earlier product that reads the matrix. That "
        "product is certainly complete only after its stage has been released."
    ),
    fix="copy the tile to a matrix of its own, in the region of the products that read it",
)
REGISTERS_RULE = rule(
    "T5-WS-020",
    "9.7.19.5",
    subject="registers of the roles",
    statement=(
        "A role has a number of registers that the hardware can give. Roles that share a "
        "warpgroup have the same number, and all threads together have no more registers than at "
        "the start of the kernel."
    ),
    why=(
        "All warps of a warpgroup change their registers together. A role that asks for more than "
        "the other roles give up waits forever."
    ),
    fix="give more registers to the roles that compute, and fewer to the roles that only issue",
)
STORE_RULE = rule(
    "T5-WS-021",
    "9.7.9.25.5.2",
    subject="tile that TMA stores",
    statement="A kernel stores each tile of a tensor at most once by ws.tma_store.",
    why="Nothing orders two stores to one tile; the tensor may keep the bytes of either one.",
    fix="store the tile once, or give the stores different indices",
)
MULTICAST_RULE = rule(
    "T5-WS-022",
    "9.7.9.25.5.2",
    subject="multicast of a tile",
    statement=(
        "A multicast is along a dimension of the cluster of the kernel. The CTAs along it load the "
        "same tiles in the same order, and an equal number of boxes of each."
    ),
    why=(
        "Each of these CTAs writes its boxes to the shared memory of all of them. If they load "
        "different tiles, each receives parts of all; a CTA that loads more often waits forever."
    ),
    fix="multicast only tiles whose indices are the same for all CTAs along the dimension",
)
TURN_RULE = rule(
    "T5-WS-030",
    _PHASE,
    subject="turns at a buffer",
    statement=(
        "In the sequential form, the operations that use a buffer belong to one role, or to roles "
        "that take turns: one role writes the buffer, then the others read it."
    ),
    why="Roles hand a buffer over as a stage of a ring, which they produce and consume in turns.",
    fix="write the buffer before each read, or use another buffer",
)
VALUE_RULE = rule(
    "T5-WS-031",
    "9.7.13.1",
    subject="value of another role",
    statement=(
        "In the sequential form, loads, products and the control around them depend only on what "
        "each role can compute: parameters, tiles, loop counters and constants."
    ),
    why="Roles exchange buffers; a value in the registers of one role is unknown to the others.",
    fix="compute the value from parameters, tiles, loop counters or constants",
)
FORM_RULE = rule(
    "T5-WS-032",
    "9.7.13.1",
    subject="operation in the sequential form",
    statement=(
        "In the sequential form, operations of ws and raw accesses to tensor memory use the "
        "buffers of ws.alloc, directly in the role or in scf.for and scf.if."
    ),
    why="The role of an operation, and the waits before and after it, follow from its kind.",
    fix="use operations of ws, or write the roles and rings",
)
