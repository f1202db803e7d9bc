"""Special registers that kernels read (10)."""

_DIMENSIONS = ("x", "y", "z")

CONSTANT_B32: tuple[str, ...] = (
    *(
        f"{name}.{dimension}"
        for name in (
            *("tid", "ntid", "ctaid", "nctaid"),
            *("clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid"),
        )
        for dimension in _DIMENSIONS
    ),
    *("laneid", "nwarpid", "cluster_ctarank", "cluster_nctarank"),
    *("lanemask_eq", "lanemask_le", "lanemask_lt", "lanemask_ge", "lanemask_gt"),
    *("total_smem_size", "dynamic_smem_size", "aggr_smem_size", "gridid"),
    *(f"reserved_smem_offset_{part}" for part in ("begin", "end", "cap", "0", "1")),
    *(f"envreg{number}" for number in range(32)),
)
"""32-bit special registers that are constant while a thread runs."""

_PLACES = ("ctaid", "nctaid", "clusterid", "nclusterid")
OF_GRID = frozenset(name for name in CONSTANT_B32 if name.partition(".")[0] in _PLACES)
"""Special registers that tell the extents of the grid, or the place of a CTA or cluster in it."""

_COUNTERS = range(8)
VOLATILE_B32: tuple[str, ...] = (
    *("clock", "clock_hi", "globaltimer_lo", "globaltimer_hi", "warpid", "smid", "nsmid"),
    *(f"pm{number}" for number in _COUNTERS),
)
"""32-bit special registers that may change, because time passes or a thread migrates."""

VOLATILE_B64: tuple[str, ...] = (
    *("clock64", "globaltimer", "gridid", "current_graph_exec"),
    *(f"pm{number}_64" for number in _COUNTERS),
)
"""64-bit special registers; two reads may return different values."""
PREDICATES: tuple[str, ...] = ("is_explicit_cluster",)
"""Special registers that are predicates."""
OUTSIDE = frozenset(
    name
    for name in (*CONSTANT_B32, *VOLATILE_B32, *VOLATILE_B64)
    if name.startswith(("reserved_smem_offset_", "envreg", "pm", "current_graph"))
)
"""Special registers whose contents the driver or the hardware decides, not the kernel."""

NAMES = tuple(f"%{name}" for name in (*CONSTANT_B32, *VOLATILE_B32, *VOLATILE_B64, *PREDICATES))
"""The special registers as PTX spells them."""
_STEMS = frozenset(name.removeprefix("%").partition(".")[0] for name in NAMES)
READERS = frozenset(("mov", "cvt"))
"""Instructions that take a special register as an operand."""


def is_special(name: str) -> bool:
    """Whether a name, such as `%tid.x` or `%envreg3`, is that of a special register."""
    return name.removeprefix("%").partition(".")[0] in _STEMS
