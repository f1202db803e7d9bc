"""Rules that only a run of a kernel shows to be broken."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule

UNSUPPORTED = rule(
    "T5-SIM-001",
    "9.7",
    subject="instruction that the emulator runs",
    fix="leave the instruction out, or report that it is missing",
    unbreakable="the emulator has every instruction",
    shown_by="run",
)
BOUNDS = rule(
    "T5-SIM-002",
    "5.1",
    subject="access inside of memory",
    fix="keep addresses inside of the buffers and variables that the kernel was given",
    shown_by="run",
)
ALIGNMENT = rule(
    "T5-SIM-003",
    "9.7.9",
    subject="alignment of an access",
    fix="align the address to the size of the access",
    shown_by="run",
)
DIVERGENCE = rule(
    "T5-SIM-004",
    "9.7.16.6.2",
    subject="aligned instruction with all threads of the warp",
    fix="let all threads of the warp reach the instruction together",
    shown_by="run",
)
DEADLOCK = rule(
    "T5-SIM-005",
    "9.7.13.15",
    subject="progress",
    fix="let something arrive at what the threads wait for",
    shown_by="run",
)
STEPS = rule(
    "T5-SIM-006",
    "9.7",
    subject="number of steps",
    fix="let the kernel end, or allow more steps (max_steps)",
    shown_by="run",
)
TRAP = rule(
    "T5-SIM-007",
    "9.7.19",
    subject="kernel that runs to its end",
    fix="do not reach the trap",
    shown_by="run",
)
BARRIER = rule(
    "T5-SIM-008",
    "9.7.13.15.1",
    subject="use of a barrier object",
    fix=(
        "initialise the barrier object before its use, and let each phase count what it was told to"
    ),
    shown_by="run",
)
TENSOR_MEMORY = rule(
    "T5-SIM-009",
    "9.7.16.7.1",
    subject="use of tensor memory that is allocated",
    fix="allocate before use, free what was allocated, once, and before the kernel ends",
    shown_by="run",
)
LAUNCH = rule(
    "T5-SIM-011",
    "5.1.6",
    subject="launch of a kernel",
    fix="give the kernel the arguments, threads and memory that it declares",
    unbreakable="it is about what a kernel is launched with",
    shown_by="run",
)
TENSOR_MAP = rule(
    "T5-SIM-012",
    "5.5",
    subject="tensor map",
    fix="encode the map with the extents, strides, box and swizzle that the copy needs",
    unbreakable="it is about what a kernel is launched with",
    shown_by="run",
)
UNWRITTEN = rule(
    "T5-SIM-013",
    "8",
    subject="read of memory that was written",
    fix="write the memory, and wait for the write, before it is read",
    shown_by="run",
)
SCALE_COPIES = rule(
    "T5-SIM-020",
    "9.7.16.10.7",
    subject="copies of the scale factors",
    fix="copy the scale factors to the lanes of all warps (cp with .warpx4 does)",
    shown_by="run",
)
COLLECTOR = rule(
    "T5-SIM-021",
    "9.7.16.10.9",
    subject="use of the collector buffer",
    fix="fill the buffer with the same matrix first, and discard it only after its last use",
    shown_by="run",
)
_GENERIC_ORDER = "8.9"
RACE = rule(
    "T5-SIM-014",
    _GENERIC_ORDER,
    subject="order of accesses to the same memory",
    fix="let a barrier, or a wait for what is asynchronous, come in between",
    shown_by="run",
)
PROXY = rule(
    "T5-SIM-015",
    "9.7.16.6.5",
    subject="order of accesses through different proxies",
    fix="execute fence.proxy.async after the writes and before the threads synchronise",
    shown_by="run",
)
TENSOR_ORDER = rule(
    "T5-SIM-016",
    "9.7.16.6.4",
    subject="order of tcgen05 operations of different threads",
    fix=(
        "execute tcgen05.fence::before_thread_sync before the threads synchronise, and "
        "tcgen05.fence::after_thread_sync after it"
    ),
    shown_by="run",
)
INITIALISATION = rule(
    "T5-SIM-017",
    "9.7.13.15.1",
    subject="initialised barrier object that others can see",
    fix="execute fence.mbarrier_init or fence.proxy.async after the init, and let a barrier follow",
    shown_by="run",
)
LIFETIME = rule(
    "T5-SIM-018",
    "5.1.7",
    subject="memory of a CTA that still runs",
    fix="let the CTA wait (barrier.cluster, or for the copies) before it ends",
    shown_by="run",
)
COMMIT = rule(
    "T5-SIM-019",
    "9.7.16.12.1",
    subject="operations that a commit tracks",
    fix="commit in the thread that issued the operations, with the same cta_group",
    shown_by="run",
)
