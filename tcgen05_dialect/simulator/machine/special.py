"""The special registers (10), as a group of lanes reads them."""

from typing import Any

import numpy as np

from ...isa.tensor_memory.cells import WARP_LANES
from .machine import Group

_LANES = np.arange(WARP_LANES, dtype=np.uint64)
_ONE = np.uint64(1)
_MASKS = {
    "eq": _ONE << _LANES,
    "lt": (_ONE << _LANES) - _ONE,
    "le": (_ONE << (_LANES + _ONE)) - _ONE,
    "gt": (_ONE << np.uint64(WARP_LANES)) - (_ONE << (_LANES + _ONE)),
    "ge": (_ONE << np.uint64(WARP_LANES)) - (_ONE << _LANES),
}


def special_register(name: str, group: Group) -> Any:
    """The value of a special register, one for all lanes or one for each."""
    warp = group.warp
    cta, launch = warp.cta, group.machine.launch
    base, _, dimension = name.partition(".")
    if dimension:
        axis = "xyz".index(dimension)
        if base == "tid":
            thread = warp.index * WARP_LANES + np.arange(WARP_LANES)
            x, y, _z = launch.block
            return (thread % x, thread // x % y, thread // (x * y))[axis]
        clusters = tuple(g // c for g, c in zip(launch.grid, launch.cluster, strict=True))
        vectors = {
            "ntid": launch.block,
            "ctaid": cta.position,
            "nctaid": launch.grid,
            "clusterid": cta.cluster.position,
            "nclusterid": clusters,
            "cluster_ctaid": tuple(
                p % c for p, c in zip(cta.position, launch.cluster, strict=True)
            ),
            "cluster_nctaid": launch.cluster,
        }
        return vectors[base][axis]
    if name.startswith("lanemask_"):
        return _MASKS[name.removeprefix("lanemask_")]
    threads = launch.block[0] * launch.block[1] * launch.block[2]
    return {
        "laneid": np.arange(WARP_LANES),
        "warpid": warp.index,
        "nwarpid": -(-threads // WARP_LANES),
        "cluster_ctarank": cta.rank,
        "cluster_nctarank": launch.cluster[0] * launch.cluster[1] * launch.cluster[2],
        "total_smem_size": cta.shared.bytes.size,
        "dynamic_smem_size": launch.dynamic_shared_memory,
        "clock": group.machine.steps,
        "clock64": group.machine.steps,
        "globaltimer": group.machine.steps,
        "smid": cta.rank,
        "nsmid": 1,
        "gridid": 0,
    }[name]
