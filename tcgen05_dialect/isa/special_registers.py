"""The special registers that kernels read (PTX ISA 10)."""

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
    *("laneid", "warpid", "nwarpid", "smid", "nsmid", "cluster_ctarank", "cluster_nctarank"),
    *("lanemask_eq", "lanemask_le", "lanemask_lt", "lanemask_ge", "lanemask_gt"),
    *("clock", "total_smem_size", "dynamic_smem_size"),
)
"""Those of 32 bits."""

B64: tuple[str, ...] = ("clock64", "globaltimer", "gridid")
"""Those of 64 bits."""
