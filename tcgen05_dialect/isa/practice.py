"""Warnings: rules that widely used kernels break (see also `mma/pipeline.py`)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import Rule, rule
from tcgen05_dialect.isa.shared_memory.descriptor import LAYOUT_RULE, UNSET_RULE
from tcgen05_dialect.isa.shared_memory.layout import ATOM_DISTANCE, ATOM_DISTANCE_IN_PTX
from tcgen05_dialect.isa.simulation import (
    BARRIER,
    BOUNDS,
    INITIALISATION,
    LIFETIME,
    PHASES,
    PROXY,
    RACE,
    UNWRITTEN,
    WARPGROUP,
)

BEFORE_FENCE = rule(
    "T5-SIM-028",
    "9.7.16.6.4",
    subject="fence before threads synchronise",
    statement=(
        "A thread executes tcgen05.fence::before_thread_sync between its tcgen05 operations and "
        "the synchronisation with another thread, even if the operations are complete."
    ),
    why=(
        "The manual orders the later tcgen05 operations of the other thread only after both fences."
    ),
    fix="execute tcgen05.fence::before_thread_sync before the threads synchronise",
    severity="warning",
    practice="CUTLASS, CuTe and Triton leave it out after tcgen05.wait",
    shown_by="run",
)
AFTER_FENCE = rule(
    "T5-SIM-029",
    "9.7.16.6.4",
    subject="fence after threads synchronise",
    statement=(
        "A thread executes tcgen05.fence::after_thread_sync between a wait, for other threads or "
        "for a commit, and later tcgen05 operations, even if the earlier operations are complete."
    ),
    why=("The manual orders the later tcgen05 operations only after the fence."),
    fix="execute tcgen05.fence::after_thread_sync after the wait",
    severity="warning",
    practice="Triton leaves it out",
    shown_by="run",
)
OVERWRITE_FENCE = rule(
    "T5-SIM-031",
    "9.7.16.6.5",
    subject="proxy fence before memory is used again",
    statement=(
        "A proxy fence stands between the writes of threads and an asynchronous operation that "
        "overwrites them, even if the threads have read the memory since."
    ),
    why="The manual orders the two writes, of different proxies, only with such a fence.",
    fix=PROXY.fix,
    severity="warning",
    practice="Triton executes a CTA barrier only",
    unbreakable="the copy needs a tensor map, which belongs to the launch, not to the program",
    shown_by="run",
)
SAME_VALUE = rule(
    "T5-SIM-032",
    "8.9",
    subject="order of writes of the same value",
    statement=(
        "Writes of several threads to the same memory are ordered, even if they write the same "
        "value."
    ),
    why="The manual gives two unordered writes no meaning.",
    fix="let one thread write, or put a barrier between the writes",
    severity="warning",
    practice="Triton lets all threads of a warpgroup write the same word",
    shown_by="run",
)
INIT_FENCE = rule(
    "T5-SIM-033",
    "9.7.13.15.1",
    subject="fence after mbarrier.init",
    statement=(
        "A fence.mbarrier_init or a fence.proxy.async follows the initialisation of a barrier "
        "object, even if a CTA barrier comes before the first asynchronous operation that uses it."
    ),
    why="The manual makes the initialisation visible to the async proxy only with such a fence.",
    fix="execute fence.mbarrier_init or fence.proxy.async after the init",
    severity="warning",
    practice="Triton executes a CTA barrier only",
    shown_by="run",
)
PEER_START = rule(
    "T5-SIM-034",
    "9.7.16.5",
    subject="alloc of a CTA pair after the start of the peer",
    statement="Both CTAs of a pair are running when one executes an alloc with cta_group::2.",
    why="The manual makes alloc an operation of both CTAs, which may start at different times.",
    fix="execute a cluster barrier before alloc",
    severity="warning",
    practice="the 2-SM GEMM tutorial of CuTe allocates before its first cluster barrier",
    shown_by="run",
)
PEER_USES = rule(
    "T5-SIM-035",
    "9.7.16.7.1",
    subject="dealloc of a CTA pair after the loads and stores of the peer",
    statement=(
        "A CTA of a pair frees tensor memory only when the loads and stores of both CTAs are "
        "complete."
    ),
    why=(
        "dealloc frees the columns of both CTAs, and the manual does not guarantee that it waits "
        "for the peer."
    ),
    fix="execute a cluster barrier, or wait for an arrival of the peer, before dealloc",
    severity="warning",
    practice="the 2-SM GEMM tutorial of CuTe frees without a cluster barrier",
    shown_by="run",
)
FIRST_LANES = rule(
    "T5-SIM-036",
    "9.7.16.8.1",
    subject="lane in the address of a load or store",
    statement=(
        "The address of tcgen05.ld and tcgen05.st contains a lane that the executing warp can "
        "access; lane 0 does not stand for the first lane of every warp."
    ),
    why="The manual leaves an access to other lanes undefined.",
    fix="add the first lane of the warp to the lane of the address",
    severity="warning",
    practice="DeepGEMM and TileLang give lane 0 to all warps, and each warp accesses its own lanes",
    unbreakable="only PTX text gets the warning; in IR it is an error",
)
RELAXED_BARRIER = rule(
    "T5-SIM-037",
    "9.7.13.3",
    subject="order of accesses around a cluster barrier",
    statement=(
        "A thread releases its accesses to shared memory when it arrives at a cluster barrier that "
        "orders them before the accesses of other threads, even if these threads are in the same "
        "CTA."
    ),
    why="The manual orders no accesses before an arrival with .relaxed.",
    fix="let barrier.cluster.arrive release",
    severity="warning",
    practice="DeepGEMM reads the address that alloc stored after an arrival with .relaxed",
    unbreakable="only PTX text gets the warning; in IR it is an error",
    shown_by="run",
)
SAME_STORE = rule(
    "T5-SIM-038",
    "8.9",
    subject="bulk store that one thread issues",
    statement="One thread issues a bulk copy from shared memory to global memory.",
    why="Each thread copies by itself, so the copies write the same memory without an order.",
    fix="let one thread issue it, such as the one that elect.sync chooses",
    severity="warning",
    practice="kernels of CuTe DSL let all lanes of a warp issue the same store",
    unbreakable="only PTX text gets the warning; in IR it is an error",
    shown_by="run",
)
GENERIC_ADDRESS = rule(
    "T5-SIM-039",
    "5.1",
    subject="address of an access to shared memory",
    statement="An instruction that names shared memory has an address in shared memory.",
    why="The manual defines generic addresses only for instructions that name no state space.",
    fix="convert the address with cvta.to.shared",
    severity="warning",
    practice="ThunderKittens gives tcgen05.alloc a generic address",
    unbreakable="only PTX text gets the warning; in IR it is an error",
    shown_by="run",
)
LOAD_READ = rule(
    "T5-SIM-040",
    "9.7.16.6.4.5",
    subject="wait for a load before its tensor memory is used again",
    statement=(
        "A tcgen05.wait::ld stands between a tcgen05.ld and the next use, or the dealloc, of its "
        "tensor memory, even if an instruction has read the registers of the load."
    ),
    why=(
        "The manual orders only the accesses to the registers; the access to tensor memory may "
        "happen later."
    ),
    fix="execute tcgen05.wait::ld after the load",
    severity="warning",
    practice="kernels of CuTe DSL read the registers only",
    unbreakable="only PTX text gets the warning; in IR it is an error",
    shown_by="run",
)
LAST_STORE = rule(
    "T5-SIM-041",
    "5.1.7",
    subject="end of a CTA after its bulk stores",
    statement="A CTA ends only after its bulk stores have read its shared memory.",
    why="The manual does not guarantee that shared memory outlives the CTA.",
    fix="execute cp.async.bulk.commit_group after the copy, and cp.async.bulk.wait_group.read",
    severity="warning",
    practice="DeepGEMM does not wait for its last store",
    unbreakable="only PTX text gets the warning; in IR it is an error",
    shown_by="run",
)
LATE_WAIT = rule(
    "T5-SIM-043",
    "9.7.13.15",
    subject="wait of a thread that no other thread awaits",
    statement=(
        "The end of a phase of a barrier object is ordered after all waits for the previous phase, "
        "including the waits of threads that do nothing between them."
    ),
    why=(
        "A wait gives only the parity of its phase: a thread that is late by a whole phase would "
        "wait for another one, or forever."
    ),
    fix=(
        "let only the thread that goes on wait, or put a barrier between the wait and the end of "
        "the next phase"
    ),
    severity="warning",
    practice="in tutorial kernels of ThunderKittens, all threads wait, but only one goes on",
    unbreakable="only PTX text gets the warning; in IR it is an error",
    shown_by="run",
)
LANE_READS = rule(
    "T5-SIM-044",
    "8.9",
    subject="loads of a warp before the arrival of one of its lanes",
    statement=(
        "If the memory that the lanes of a warp have loaded is written next, the lanes synchronise "
        "before one of them arrives at a barrier object for the whole warp."
    ),
    why="The manual orders the loads of a lane only before the arrivals of that lane.",
    fix="execute bar.warp.sync between the loads and the arrival",
    severity="warning",
    practice="kernels of CuTe DSL let one lane arrive for the loads of its warp",
    unbreakable="only PTX text gets the warning; in IR it is an error",
    shown_by="run",
)
PEER_ALLOC = rule(
    "T5-SIM-045",
    "9.7.16.7.1",
    subject="product of a CTA pair after the alloc of the peer",
    statement=(
        "An operation of a CTA pair is ordered after the alloc of both CTAs, not only after the "
        "alloc of the CTA that executes the operation."
    ),
    why=(
        "Both CTAs execute alloc collectively, and the manual does not guarantee that the alloc of "
        "one waits for the peer."
    ),
    fix="execute a cluster barrier, or wait for an arrival of the peer, after alloc",
    severity="warning",
    practice="persistent kernels of CuTe DSL wait for the alloc of their own CTA only",
    unbreakable="only PTX text gets the warning; in IR it is an error",
    shown_by="run",
)
REMOTE_INIT = rule(
    "T5-SIM-046",
    "9.7.13.15.1",
    subject="fence after mbarrier.init for other CTAs",
    statement=(
        "A fence.mbarrier_init follows the initialisation of a barrier object before another CTA "
        "uses the object, even if a cluster barrier comes in between."
    ),
    why="The manual makes the initialisation visible to other CTAs only with that fence.",
    fix="execute fence.mbarrier_init after the init",
    severity="warning",
    practice="tutorial kernels of ThunderKittens execute a cluster barrier only",
    unbreakable="only PTX text gets the warning; in IR it is an error",
    shown_by="run",
)
EMPTY_LANES = rule(
    "T5-SIM-048",
    "9.7.16.10.5",
    subject="lanes that a load reads",
    statement="Each lane that tcgen05.ld reads was written.",
    why="The registers of the lanes that nothing has written hold undefined values.",
    fix="load only lanes that the MMA has written, with a shape that fits them",
    severity="warning",
    practice="DeepGEMM loads 32 lanes of accumulators with M = 64, and uses the 16 written ones",
    unbreakable="only PTX text gets the warning; in IR it is an error",
    shown_by="run",
)
LAST_COMMIT = rule(
    "T5-SIM-049",
    "9.7.13.15.10",
    subject="commits that arrive at a barrier object before its end",
    statement="mbarrier.inval comes after all commits have arrived at the barrier object.",
    why="The manual does not define what an arrival at an invalidated object does.",
    fix="wait for the last commit before mbarrier.inval",
    severity="warning",
    practice="kernels with warp specialisation of Triton 3.5 to 3.8 invalidate it before",
    unbreakable="only PTX text gets the warning; in IR it is an error",
    shown_by="run",
)
UNEQUAL_DECREASE = rule(
    "T5-SIM-050",
    "9.7.19.5",
    subject="number of registers that the warps of a warpgroup keep",
    statement="All warps of a warpgroup execute setmaxnreg.dec with the same number of registers.",
    why="The manual asks for the same instruction in all warps of a warpgroup.",
    fix=WARPGROUP.fix,
    severity="warning",
    practice="mixed-input kernels of CuTe DSL give the warps different numbers",
    unbreakable="only PTX text gets the warning; in IR it is an error",
    shown_by="run",
)
REPEATED_INIT = rule(
    "T5-SIM-051",
    "9.7.13.15.9",
    subject="mbarrier.init that one thread executes",
    statement="One thread initialises a barrier object.",
    why="The manual does not define a second mbarrier.init of an object.",
    fix="let one thread execute mbarrier.init, such as the one that elect.sync chooses",
    severity="warning",
    practice="kernels of CuTe DSL 4.4 and 4.5 let all lanes of a warp execute mbarrier.init",
    unbreakable="only PTX text gets the warning; in IR it is an error",
    shown_by="run",
)
IN_IR = {
    REPEATED_INIT: BARRIER,
    UNEQUAL_DECREASE: WARPGROUP,
    LAST_COMMIT: RACE,
    EMPTY_LANES: UNWRITTEN,
    REMOTE_INIT: INITIALISATION,
    LANE_READS: RACE,
    PEER_ALLOC: RACE,
    LATE_WAIT: PHASES,
    FIRST_LANES: BOUNDS,
    RELAXED_BARRIER: RACE,
    SAME_STORE: RACE,
    GENERIC_ADDRESS: BOUNDS,
    LOAD_READ: RACE,
    LAST_STORE: LIFETIME,
    UNSET_RULE: LAYOUT_RULE,
    ATOM_DISTANCE_IN_PTX: ATOM_DISTANCE,
}
"""
Warning about a kernel of PTX text -> the error in a kernel of IR.

Compilers of NVIDIA and others generate such code. In IR, which people write, it is a mistake.
"""


def warnings_in_ptx(error: Rule) -> list[Rule]:
    """The warnings that a kernel of PTX text may get where one of IR gets the error."""
    return sorted(warning for warning, in_ir in IN_IR.items() if in_ir is error)
