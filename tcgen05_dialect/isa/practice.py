"""Warnings of runs: rules that widely used kernels break (see also `mma/pipeline.py`)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.simulation import PROXY

BEFORE_FENCE = rule(
    "T5-SIM-028",
    "9.7.16.6.4",
    subject="fence before threads synchronise",
    statement=(
        "A thread executes tcgen05.fence::before_thread_sync between its tcgen05 operations and "
        "the synchronisation with another thread, also if the operations are complete."
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
        "for a commit, and later tcgen05 operations, also if the earlier operations are complete."
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
        "overwrites them, also if the threads have read the memory since."
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
        "Writes of several threads to the same memory are ordered, also if they write the same "
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
        "object, also if a CTA barrier comes before the first asynchronous operation that uses it."
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
