"""Rules that only a run of a kernel shows to be broken."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import Rule

UNSUPPORTED = Rule(
    "T5-SIM-001",
    "instruction that the emulator runs",
    "9.7",
    "leave the instruction out, or report that it is missing",
)
BOUNDS = Rule(
    "T5-SIM-002",
    "access inside of memory",
    "5.1",
    "keep addresses inside of the buffers and variables that the kernel was given",
)
ALIGNMENT = Rule(
    "T5-SIM-003", "alignment of an access", "9.7.9", "align the address to the size of the access"
)
DIVERGENCE = Rule(
    "T5-SIM-004",
    "aligned instruction with all threads of the warp",
    "9.7.16.6.2",
    "let all threads of the warp reach the instruction together",
)
DEADLOCK = Rule(
    "T5-SIM-005",
    "progress",
    "9.7.13.15",
    "let something arrive at what the threads wait for",
)
STEPS = Rule(
    "T5-SIM-006", "number of steps", "9.7", "let the kernel end, or allow more steps (max_steps)"
)
TRAP = Rule("T5-SIM-007", "kernel that runs to its end", "9.7.19", "do not reach the trap")
BARRIER = Rule(
    "T5-SIM-008",
    "use of a barrier object",
    "9.7.13.15.1",
    "initialise the barrier object before its use, and let each phase count what it was told to",
)
TENSOR_MEMORY = Rule(
    "T5-SIM-009",
    "use of tensor memory that is allocated",
    "9.7.16.7.1",
    "allocate before use, free what was allocated, once, and before the kernel ends",
)
LAUNCH = Rule(
    "T5-SIM-011",
    "launch of a kernel",
    "5.1.6",
    "give the kernel the arguments, threads and memory that it declares",
)
TENSOR_MAP = Rule(
    "T5-SIM-012",
    "tensor map",
    "5.5",
    "encode the map with the extents, strides, box and swizzle that the copy needs",
)
UNWRITTEN = Rule(
    "T5-SIM-013",
    "read of memory that was written",
    "8",
    "write the memory, and wait for the write, before it is read",
)
SCALE_COPIES = Rule(
    "T5-SIM-020",
    "copies of the scale factors",
    "9.7.16.10.7",
    "copy the scale factors to the lanes of all warps (cp with .warpx4 does)",
)
COLLECTOR = Rule(
    "T5-SIM-021",
    "use of the collector buffer",
    "9.7.16.10.9",
    "fill the buffer with the same matrix first, and discard it only after its last use",
)
_GENERIC_ORDER = "8.9"
RACE = Rule(
    "T5-SIM-014",
    "order of accesses to the same memory",
    _GENERIC_ORDER,
    "let a barrier, or a wait for what is asynchronous, come in between",
)
PROXY = Rule(
    "T5-SIM-015",
    "order of accesses through different proxies",
    "9.7.16.6.5",
    "execute fence.proxy.async after the writes and before the threads synchronise",
)
TENSOR_ORDER = Rule(
    "T5-SIM-016",
    "order of tcgen05 operations of different threads",
    "9.7.16.6.4",
    "execute tcgen05.fence::before_thread_sync before the threads synchronise, and "
    "tcgen05.fence::after_thread_sync after it",
)
INITIALISATION = Rule(
    "T5-SIM-017",
    "initialised barrier object that others can see",
    "9.7.13.15.1",
    "execute fence.mbarrier_init or fence.proxy.async after the init, and let a barrier follow",
)
LIFETIME = Rule(
    "T5-SIM-018",
    "memory of a CTA that still runs",
    "5.1.7",
    "let the CTA wait (barrier.cluster, or for the copies) before it ends",
)
COMMIT = Rule(
    "T5-SIM-019",
    "operations that a commit tracks",
    "9.7.16.12.1",
    "commit in the thread that issued the operations, with the same cta_group",
)
