"""Special registers that kernels read (10)."""

_DIMENSIONS = ("x", "y", "z")

B32: tuple[str, ...] = (
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
    *("total_smem_size", "dynamic_smem_size"),
)
"""32-bit special registers that are constant while a thread runs."""

_PLACES = ("ctaid", "nctaid", "clusterid", "nclusterid")
OF_GRID = frozenset(name for name in B32 if name.partition(".")[0] in _PLACES)
"""Special registers that tell the extents of the grid, or the place of a CTA or cluster in it."""

VOLATILE_B32: tuple[str, ...] = ("clock", "warpid", "smid", "nsmid")
"""32-bit special registers that may change, because time passes or a thread migrates."""

VOLATILE_B64: tuple[str, ...] = ("clock64", "globaltimer", "gridid")
"""64-bit special registers; two reads may return different values."""

_OTHERS = """
    is_explicit_cluster pm envreg clock_hi clock64 globaltimer_lo globaltimer_hi aggr_smem_size
    reserved_smem_offset_begin reserved_smem_offset_end reserved_smem_offset_cap
    reserved_smem_offset_ current_graph_exec
"""
_NAMES = frozenset(
    (*(name.partition(".")[0] for name in (*B32, *VOLATILE_B32, *VOLATILE_B64)), *_OTHERS.split())
)


def is_special(name: str) -> bool:
    """Whether a name, such as `%tid.x` or `%envreg3`, is that of a special register."""
    base = name.removeprefix("%").partition(".")[0]
    return base in _NAMES or base.removesuffix("_64").rstrip("0123456789") in _NAMES
