"""Special registers (10): their values in a group of lanes."""

from typing import Any

import numpy as np

from ...isa.targets import MULTIPROCESSORS, RESERVED_SHARED_BYTES
from ...isa.tensor_memory.alloc import WARP_LANES
from .machine import Group

_LANES = np.arange(WARP_LANES, dtype=np.uint64)
_ONE = np.uint64(1)
_WORD = 0xFFFFFFFF
_MASKS = {
    "eq": _ONE << _LANES,
    "lt": (_ONE << _LANES) - _ONE,
    "le": (_ONE << (_LANES + _ONE)) - _ONE,
    "gt": (_ONE << np.uint64(WARP_LANES)) - (_ONE << (_LANES + _ONE)),
    "ge": (_ONE << np.uint64(WARP_LANES)) - (_ONE << _LANES),
}


def special_register(name: str, group: Group) -> Any:
    """Value of a special register: a number for all lanes, or an array with one for each."""
    warp = group.warp
    cta, sizes = warp.cta, group.machine.sizes
    base, _, dimension = name.partition(".")
    if dimension:
        axis = "xyz".index(dimension)
        if base == "tid":
            thread = warp.index * WARP_LANES + np.arange(WARP_LANES)
            x, y, _z = sizes.block
            return (thread % x, thread // x % y, thread // (x * y))[axis]
        clusters = tuple(g // c for g, c in zip(sizes.grid, sizes.cluster, strict=True))
        vectors = {
            "ntid": sizes.block,
            "ctaid": cta.position,
            "nctaid": sizes.grid,
            "clusterid": cta.cluster.position,
            "nclusterid": clusters,
            "cluster_ctaid": tuple(p % c for p, c in zip(cta.position, sizes.cluster, strict=True)),
            "cluster_nctaid": sizes.cluster,
        }
        return vectors[base][axis]
    if name.startswith("lanemask_"):
        return _MASKS[name.removeprefix("lanemask_")]
    threads = sizes.block[0] * sizes.block[1] * sizes.block[2]
    return {
        "laneid": np.arange(WARP_LANES),
        "warpid": warp.index,
        "nwarpid": -(-threads // WARP_LANES),
        "cluster_ctarank": cta.rank,
        "cluster_nctarank": sizes.cluster[0] * sizes.cluster[1] * sizes.cluster[2],
        "total_smem_size": cta.shared.bytes.size,
        "dynamic_smem_size": sizes.dynamic_shared_memory,
        **dict.fromkeys(("clock", "globaltimer_lo"), group.machine.steps & _WORD),
        **dict.fromkeys(("clock_hi", "globaltimer_hi"), group.machine.steps >> 32),
        **dict.fromkeys(("clock64", "globaltimer"), group.machine.steps),
        "is_explicit_cluster": sizes.cluster != (1, 1, 1),
        "aggr_smem_size": cta.shared.bytes.size + RESERVED_SHARED_BYTES,
        "smid": cta.multiprocessor,
        "nsmid": MULTIPROCESSORS,
        "gridid": 0,
    }[name]
