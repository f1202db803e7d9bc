"""Rules whose violations only a run of the kernel can find."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule

UNSUPPORTED = rule(
    "T5-SIM-001",
    "9.7",
    subject="instruction that the emulator supports",
    statement="A kernel consists of instructions that the emulator supports.",
    why="The emulator cannot check a result that it does not compute.",
    fix="use an operation of the dialect instead, or report that it is missing",
    shown_by="run",
)
BOUNDS = rule(
    "T5-SIM-002",
    "5.1",
    subject="access inside memory",
    statement="Every access is inside the buffers and variables of the kernel.",
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
    why="Otherwise the behaviour is undefined; on a GPU the warp may hang.",
    fix="make all threads of the warp execute the instruction together",
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
    fix="execute bar.warp.sync after the branch",
    severity="warning",
    practice="many kernels rely on lanes reconverging where the branches join",
    shown_by="run",
)
DEADLOCK = rule(
    "T5-SIM-005",
    "9.7.13.15",
    subject="progress",
    statement=(
        "Every wait ends: each barrier for which a thread waits gets the arrivals that it expects."
    ),
    why="On a GPU the kernel hangs.",
    fix="give each barrier for which a thread waits all arrivals that it expects",
    shown_by="run",
)
STEPS = rule(
    "T5-SIM-006",
    "9.7",
    subject="number of steps",
    statement="A kernel ends after a limited number of steps.",
    why="A loop whose condition never changes runs forever on a GPU.",
    fix="correct the condition of the loop, or raise the limit with --max-steps",
    shown_by="run",
)
TRAP = rule(
    "T5-SIM-007",
    "9.7.19",
    subject="completion of the kernel",
    statement="A kernel completes without a trap.",
    why="On a GPU a trap ends the kernel with an error.",
    fix="remove the cause of the trap",
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
    why=(
        "If arrivals go to other memory or come in the wrong number, phases end too early or never."
    ),
    fix=(
        "initialise the barrier object before its use, and make each phase expect exactly its "
        "arrivals and bytes"
    ),
    shown_by="run",
)
PHASES = rule(
    "T5-SIM-022",
    "9.7.13.15",
    subject="order of the phases of a barrier object",
    statement=(
        "The arrivals and bytes of a phase are ordered after the end of the previous phase, and "
        "the end of a phase is ordered after all waits for the previous phase. The phase cannot "
        "end before its bytes are expected."
    ),
    why=(
        "A wait gives only the parity of its phase: a late thread would wait for another phase, "
        "or forever. An arrival gives no phase: an early arrival would count in the wrong phase."
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
    subject="use of allocated tensor memory",
    statement="Tensor memory is allocated before its use, and freed once, before the kernel ends.",
    why="Columns that are not freed stay allocated; the next kernel would wait for them forever.",
    fix="allocate before use, and free each allocation once, before the kernel ends",
    shown_by="run",
)
TENSOR_MAP = rule(
    "T5-SIM-012",
    "5.5",
    subject="tensor map",
    statement="A tensor map has the extents, strides, box and swizzle mode that the copy needs.",
    why="The driver refuses to encode other maps, or the copy fills the tile in another order.",
    fix="encode the map with the extents, strides, box and swizzle that the copy needs",
    unbreakable="the tensor map belongs to the launch, not to the program",
    shown_by="run",
)
CHANGED_MAP = rule(
    "T5-SIM-047",
    "9.7.13.4",
    subject="use of a changed tensor map",
    statement=(
        "A tensor map that threads have changed in global memory is acquired with "
        "fence.proxy.tensormap before a copy uses it."
    ),
    why="Copies read tensor maps through a separate proxy, and may otherwise use the old map.",
    fix=(
        "after the change, execute fence.proxy.tensormap::generic.acquire with the address of the "
        "map in the threads that use it"
    ),
    shown_by="run",
    unbreakable="the tensor map belongs to the launch, not to the program",
)
UNWRITTEN = rule(
    "T5-SIM-013",
    "8",
    subject="read of initialised memory",
    statement="Memory is written before it is read.",
    why="On a GPU the read returns an undefined value.",
    fix="write the memory, and wait for the write, before it is read",
    shown_by="run",
)
UNDEFINED = rule(
    "T5-SIM-042",
    "8",
    subject="address that is computed from written registers",
    statement="The address of an access depends only on registers that were written.",
    why="A register that no instruction has written may hold any value.",
    fix="write the register on every path to the access",
    shown_by="run",
)
SCALE_COPIES = rule(
    "T5-SIM-020",
    "9.7.16.10.7",
    subject="copies of the scale factors",
    statement="The lanes of each warp hold a copy of the scale factors.",
    why="The MMA reads the copy in the lanes of each warp.",
    fix="copy the scale factors to the lanes of all warps (cp with .warpx4 does)",
    shown_by="run",
)
COLLECTOR = rule(
    "T5-SIM-021",
    "9.7.16.10.9",
    subject="use of the collector buffer",
    statement="An MMA reuses a collector buffer only while the buffer holds the same matrix.",
    why="The MMA uses the contents of the buffer, whatever they are.",
    fix="fill the buffer with the same matrix first, and discard it only after its last use",
    shown_by="run",
)
_GENERIC_ORDER = "8.9"
RACE = rule(
    "T5-SIM-014",
    _GENERIC_ORDER,
    subject="order of accesses to the same memory",
    statement="Two accesses to the same memory, one of them a write, are ordered.",
    why="On a GPU either may come first, and the result may change from run to run.",
    fix="put a barrier, or a wait for the asynchronous access, between the two accesses",
    shown_by="run",
)
PROXY = rule(
    "T5-SIM-015",
    "9.7.16.6.5",
    subject="order of accesses through different proxies",
    statement=(
        "Between accesses to the same memory by the generic proxy and by the async proxy there is "
        "a proxy fence."
    ),
    why="The async proxy may access memory before the writes of the threads are visible to it.",
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
        "A barrier alone does not order an operation that is not complete, and a relaxed barrier "
        "orders no tcgen05 operations. The later operation may execute first."
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
    subject="visibility of an initialised barrier object",
    statement=(
        "A barrier object is used by other threads and by the async proxy only after a fence that "
        "follows its initialisation."
    ),
    why="An arrival is lost if it comes before the initialisation is visible.",
    fix="execute fence.mbarrier_init or fence.proxy.async after the init, followed by a barrier",
    shown_by="run",
)
LIFETIME = rule(
    "T5-SIM-018",
    "5.1.7",
    subject="access to the shared memory of a running CTA",
    statement=(
        "An access to the shared memory of another CTA comes after the start of that CTA, and a "
        "CTA ends only after the last access to its shared memory."
    ),
    why=(
        "Before and after, the memory may belong to another CTA, whose data the access would "
        "destroy."
    ),
    fix="make the CTA wait before it ends: at barrier.cluster, or for the copies",
    shown_by="run",
)
COLLECTIVE = rule(
    "T5-SIM-023",
    "9.7.16.5",
    subject="collective operation of a CTA pair",
    statement=(
        "Both CTAs of a pair are running when one issues mma, cp or shift with cta_group::2. Both "
        "CTAs execute the same alloc, dealloc and relinquish_alloc_permit, and they free only "
        "memory that no mma, cp or shift uses."
    ),
    why=(
        "The operation takes effect in both CTAs. It is undefined before the other CTA starts and "
        "after it ends, and a CTA that frees memory alone takes it from the other CTA."
    ),
    fix=(
        "execute alloc, dealloc and relinquish_alloc_permit in both CTAs, with a cluster barrier "
        "before the first operation of the pair and before dealloc"
    ),
    shown_by="run",
)
WARPGROUP = rule(
    "T5-SIM-024",
    "9.7.19.5",
    subject="setmaxnreg of all warps of a warpgroup",
    statement="All warps of a warpgroup execute the same sequence of setmaxnreg.",
    why="Registers are allocated to whole warpgroups; otherwise the behaviour is undefined.",
    fix="execute setmaxnreg with the same number of registers in all warps of the warpgroup",
    shown_by="run",
)
REGISTER_POOL = rule(
    "T5-SIM-052",
    "9.7.19.5",
    subject="registers of a warp at setmaxnreg",
    statement=(
        "A warp raises its number of registers with setmaxnreg.inc, and lowers it with "
        "setmaxnreg.dec. "
        "The warps of a CTA take at most the registers that other warps have given up."
    ),
    why=(
        "A change in the other direction is undefined. setmaxnreg.inc waits until the registers "
        "are free, or forever."
    ),
    fix=(
        "lower the number of registers in setmaxnreg.inc, or give up more with setmaxnreg.dec in "
        "other warps"
    ),
    shown_by="run",
)
LAST_REQUEST = rule(
    "T5-SIM-053",
    "9.7.13.16.1",
    subject="request after a request that failed",
    statement=(
        "A CTA that has read the response to a request that failed executes no further "
        "clusterlaunchcontrol.try_cancel."
    ),
    why="The behaviour of a later request is undefined.",
    fix="leave the loop of the requests when is_canceled does not hold",
    shown_by="run",
)
FAILED_COORDINATES = rule(
    "T5-SIM-054",
    "9.7.13.16.2",
    subject="coordinates of the first CTA of a cancelled cluster",
    statement=(
        "Addresses and conditions depend on the coordinates in a response only if is_canceled "
        "holds for the response."
    ),
    why="If no launch was cancelled, the coordinates are undefined.",
    fix="test is_canceled before the coordinates are used",
    shown_by="run",
)
COMMIT = rule(
    "T5-SIM-019",
    "9.7.16.12.1",
    subject="operations that a commit tracks",
    statement="A commit tracks the operations of its own thread and of its own cta_group.",
    why="The barrier object would not wait for the operations of other threads.",
    fix="commit in the thread that issued the operations, with the same cta_group",
    shown_by="run",
)
