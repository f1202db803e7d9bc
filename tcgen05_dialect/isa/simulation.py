"""Rules whose violations only a run of the kernel can show."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule

UNSUPPORTED = rule(
    "T5-SIM-001",
    "9.7",
    subject="instruction that the emulator runs",
    statement="A kernel consists of instructions that the emulator runs.",
    why="The emulator cannot judge a result that it does not compute.",
    fix="leave the instruction out, or report that it is missing",
    unbreakable="the emulator implements every instruction of the dialect",
    shown_by="run",
)
BOUNDS = rule(
    "T5-SIM-002",
    "5.1",
    subject="access inside of memory",
    statement="Every access lies inside the buffers and variables of the kernel.",
    why="On a GPU the access traps, or reads or overwrites other data.",
    fix="keep addresses inside the buffers and variables of the kernel",
    shown_by="run",
)
ALIGNMENT = rule(
    "T5-SIM-003",
    "9.7.9",
    subject="alignment of an access",
    statement="Every access begins at a multiple of its size.",
    why="On a GPU a misaligned access traps.",
    fix="align the address to the size of the access",
    shown_by="run",
)
DIVERGENCE = rule(
    "T5-SIM-004",
    "9.7.16.6.2",
    subject="aligned instruction with all threads of the warp",
    statement="All threads of a warp execute an aligned instruction together.",
    why="The manual leaves the instruction undefined otherwise; on a GPU the warp may hang.",
    fix="let all threads of the warp reach the instruction together",
    shown_by="run",
)
RECONVERGENCE = rule(
    "T5-SIM-030",
    "9.7.16.6.2",
    subject="lanes that an instruction brings together",
    statement=(
        "Lanes that took different branches meet at bar.warp.sync, or at another instruction for "
        "which they wait, before the warp executes an aligned tcgen05 instruction or setmaxnreg."
    ),
    why=(
        "The manual promises no reconvergence where branches join: the lanes may reach the "
        "instruction one after the other."
    ),
    fix="execute bar.warp.sync behind the branch",
    severity="warning",
    practice="many kernels rely on the lanes to reconverge where the branches join",
    shown_by="run",
)
DEADLOCK = rule(
    "T5-SIM-005",
    "9.7.13.15",
    subject="progress",
    statement="Every wait ends: something arrives at each barrier that a thread waits for.",
    why="On a GPU the kernel hangs.",
    fix="let a matching arrival reach each barrier that a thread waits for",
    shown_by="run",
)
STEPS = rule(
    "T5-SIM-006",
    "9.7",
    subject="number of steps",
    statement="A kernel ends after a limited number of steps.",
    why="A loop whose condition never changes runs forever on a GPU.",
    fix="correct the condition of the loop, or allow more steps (--max-steps)",
    shown_by="run",
)
TRAP = rule(
    "T5-SIM-007",
    "9.7.19",
    subject="kernel that runs to its end",
    statement="A kernel runs to its end without a trap.",
    why="On a GPU a trap ends the kernel with an error.",
    fix="correct what leads to the trap",
    shown_by="run",
)
BARRIER = rule(
    "T5-SIM-008",
    "9.7.13.15.1",
    subject="use of a barrier object",
    statement=(
        "A barrier object is initialised before its use, and each phase gets exactly the arrivals "
        "and bytes that it expects."
    ),
    why="Arrivals at other memory, or in the wrong number, end phases early or never.",
    fix=("initialise the barrier object before its use, and announce every arrival and every byte"),
    shown_by="run",
)
PHASES = rule(
    "T5-SIM-022",
    "9.7.13.15",
    subject="order of the phases of a barrier object",
    statement=(
        "The arrivals and bytes of a phase come after the end of the phase before, and the phase "
        "ends after all waits for the phase before."
    ),
    why=(
        "A wait names only the parity of its phase: a thread that comes late waits for another "
        "phase, or forever. An arrival names no phase: one that comes early counts in the wrong "
        "phase."
    ),
    fix=(
        "wait for the end of a phase before the first arrival or copy of the next one, directly or "
        "through another barrier"
    ),
    shown_by="run",
)
TENSOR_MEMORY = rule(
    "T5-SIM-009",
    "9.7.16.7.1",
    subject="use of tensor memory that is allocated",
    statement="Tensor memory is allocated before its use, and freed once, before the kernel ends.",
    why="Columns that are never freed stay taken: the next kernel waits for them forever.",
    fix="allocate before use, and free each allocation once, before the kernel ends",
    shown_by="run",
)
TENSOR_MAP = rule(
    "T5-SIM-012",
    "5.5",
    subject="tensor map",
    statement="A tensor map has the extents, strides, box and swizzle mode that the copy needs.",
    why="The driver refuses to encode other maps, or the copy fills the tile in another way.",
    fix="encode the map with the extents, strides, box and swizzle that the copy needs",
    unbreakable="the tensor map belongs to the launch, not to the program",
    shown_by="run",
)
UNWRITTEN = rule(
    "T5-SIM-013",
    "8",
    subject="read of memory that was written",
    statement="Memory is written before it is read.",
    why="On a GPU the read returns whatever was there before.",
    fix="write the memory, and wait for the write, before it is read",
    shown_by="run",
)
SCALE_COPIES = rule(
    "T5-SIM-020",
    "9.7.16.10.7",
    subject="copies of the scale factors",
    statement="The scale factors lie in the lanes of all warps.",
    why="The MMA reads a copy of them in the lanes of each warp.",
    fix="copy the scale factors to the lanes of all warps (cp with .warpx4 does)",
    shown_by="run",
)
COLLECTOR = rule(
    "T5-SIM-021",
    "9.7.16.10.9",
    subject="use of the collector buffer",
    statement="An MMA reuses a collector buffer only while the buffer holds the same matrix.",
    why="The MMA multiplies with whatever the buffer holds.",
    fix="fill the buffer with the same matrix first, and discard it only after its last use",
    shown_by="run",
)
_GENERIC_ORDER = "8.9"
RACE = rule(
    "T5-SIM-014",
    _GENERIC_ORDER,
    subject="order of accesses to the same memory",
    statement="Two accesses to the same memory, one of them a write, are ordered.",
    why="On a GPU either may come first, and the result changes from run to run.",
    fix="put a barrier, or a wait for the asynchronous access, between the two",
    shown_by="run",
)
PROXY = rule(
    "T5-SIM-015",
    "9.7.16.6.5",
    subject="order of accesses through different proxies",
    statement=(
        "Accesses of the generic proxy and of the async proxy to the same memory have a proxy "
        "fence between them."
    ),
    why="The async proxy may read memory before the writes of the threads have reached it.",
    fix="execute fence.proxy.async after the writes and before the threads synchronise",
    shown_by="run",
)
TENSOR_ORDER = rule(
    "T5-SIM-016",
    "9.7.16.6.4",
    subject="order of tcgen05 operations of different threads",
    statement=(
        "tcgen05 operations of different threads are ordered by tcgen05 fences around the "
        "synchronisation of the threads."
    ),
    why=(
        "A barrier alone does not order an operation that is still in flight, and a relaxed "
        "barrier orders no tcgen05 operation: the later one may run first."
    ),
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
    statement=(
        "Other threads and the async proxy see a barrier object only after a fence that follows "
        "its initialisation."
    ),
    why="An arrival that comes before the initialisation is visible is lost.",
    fix="execute fence.mbarrier_init or fence.proxy.async after the init, and let a barrier follow",
    shown_by="run",
)
LIFETIME = rule(
    "T5-SIM-018",
    "5.1.7",
    subject="memory of a CTA that still runs",
    statement="A CTA ends only after the last access to its shared memory.",
    why="The memory is given to the next CTA, and the access destroys its data.",
    fix="let the CTA wait (barrier.cluster, or for the copies) before it ends",
    shown_by="run",
)
COLLECTIVE = rule(
    "T5-SIM-023",
    "9.7.16.5",
    subject="collective operation of a CTA pair",
    statement=(
        "Both CTAs of a pair run when one issues an operation of cta_group::2; both execute the "
        "same alloc, dealloc and relinquish_alloc_permit, and free memory that neither uses."
    ),
    why=(
        "The operation takes effect in both CTAs: it is undefined before the other CTA runs or "
        "after its end, and a CTA that frees alone leaves the other without its memory."
    ),
    fix=(
        "execute alloc, dealloc and relinquish_alloc_permit in both CTAs, and let a barrier of the "
        "cluster come before the first alloc and before dealloc"
    ),
    shown_by="run",
)
WARPGROUP = rule(
    "T5-SIM-024",
    "9.7.19.5",
    subject="setmaxnreg of all warps of a warpgroup",
    statement="All warps of a warpgroup execute the same setmaxnreg, one after the other.",
    why="Registers are handed out to a whole warpgroup; the manual leaves the rest undefined.",
    fix="let all warps of the warpgroup execute setmaxnreg, with the same number of registers",
    shown_by="run",
)
COMMIT = rule(
    "T5-SIM-019",
    "9.7.16.12.1",
    subject="operations that a commit tracks",
    statement="A commit tracks the operations of its own thread and of its own cta_group.",
    why="The barrier would complete before the operations of other threads have ended.",
    fix="commit in the thread that issued the operations, with the same cta_group",
    shown_by="run",
)
