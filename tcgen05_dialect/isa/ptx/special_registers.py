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

VOLATILE_B32: tuple[str, ...] = ("clock", "warpid", "smid", "nsmid")
"""32-bit special registers that may change, because time passes or a thread migrates."""

VOLATILE_B64: tuple[str, ...] = ("clock64", "globaltimer", "gridid")
"""64-bit special registers; two reads may return different values."""
