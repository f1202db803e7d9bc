"""Sizes of the launches that the verifier invents."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import prod

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue

from ..isa.effects.model import is_strong
from ..isa.targets import SHARED_BYTES
from ..ptx.instructions import (
    ClusterlaunchcontrolTryCancelOp,
    LdOp,
    MapaOp,
    SpecialRegisterOp,
    StOp,
)
from ..ptx.syntax import values_of, word_of
from ..simulator.launch.grid import shared_bytes
from ..simulator.launch.launch import sizes_of
from ..simulator.machine.program import Program
from ..simulator.machine.state import LaunchSizes
from ..simulator.settings import Launch
from .knowledge import Undecided
from .origins import Inventory, is_global, unknown_threads

Cluster = Sequence[int] | None
"""The extents of a cluster; None for those of the kernel."""
_PAIR = StringAttr("cta_group_2")
_CLUSTERS = ((1,), (2,), (1, 2), (4,), (2, 2))
"""The clusters that are tried."""
_OF_GRID = ("ctaid", "clusterid", "nctaid", "nclusterid")
"""Special registers that tell the place of a CTA in the grid, and the extent of the grid."""
_CLUSTERS_ALONG = 3
"""Number of clusters along an axis of a larger grid."""
_WAITING = (2, 0, 1, 3, 4)
"""Numbers of clusters that wait while another takes over their work: with the work of the cluster
itself, up to two rounds and one more in a ring of two accumulators. Runs for `quick` come first."""


def cluster_user(ops: Inventory) -> Operation | None:
    """An operation whose meaning depends on the number of CTAs of a cluster; None if there is
    none."""
    return next((op for op in ops.ops if type(op) is MapaOp or _mask(op)), None)


def clusters_of(ops: Inventory, required: Cluster) -> list[Cluster]:
    """
    The clusters with which a kernel may be launched, the smallest first. A kernel does not tell
    more if it has no cluster_dims.
    """
    if required is not None:
        return [None]
    least = 2 if any(op.properties.get("cta_group") == _PAIR for op in ops.ops) else 1
    if cluster_user(ops) is None:
        return [(least,)]
    return [each for each in _CLUSTERS if prod(each) >= least]


def launches_of(program: Program, ops: Inventory, cluster: Cluster) -> list[LaunchSizes]:
    """
    Sizes of launches, with the maximum of shared memory: a launch of one cluster and, if clusters
    may wait for each other, one of two.

    Raises Undecided if the kernel does not determine them.
    """
    if found := unknown_threads(program.kernel):
        raise Undecided(found)
    variables = program.variables
    room = 0
    if any(each.size is None for each in variables):
        room = max(SHARED_BYTES.values()) - shared_bytes(program)
    sizes = sizes_of(program.kernel, Launch(cluster=cluster, dynamic_shared_memory=room))
    if not clusters_meet(ops):
        return [sizes]
    x, y, z = sizes.grid
    return [sizes, replace(sizes, grid=(2 * x, y, z))]


def cta_axes(values: Iterable[SSAValue]) -> set[str]:
    """The axes along which values depend on the place of a CTA in the grid, or on its extent."""
    names = (op.register.data for each in values if isinstance(op := each.owner, SpecialRegisterOp))
    return {name[-1] for name in names if name.partition(".")[0] in _OF_GRID}


def other_clusters(sizes: LaunchSizes, axes: Iterable[str]) -> list[LaunchSizes]:
    """Launches of grids that are larger along some axes; an inner and the last cluster run."""
    return [cluster_at(sizes, dict.fromkeys(axes, at)) for at in (1, 2)] if axes else []


def cluster_at(sizes: LaunchSizes, place: Mapping[str, int]) -> LaunchSizes:
    """A launch in which one cluster runs, given by its number along axes."""
    x, y, z = (place.get(axis, 0) for axis in "xyz")
    counts = (max(_CLUSTERS_ALONG, place[axis] + 1) if axis in place else 1 for axis in "xyz")
    gx, gy, gz = (n * c for n, c in zip(counts, sizes.cluster, strict=True))
    return replace(sizes, grid=(gx, gy, gz), alone=(x, y, z))


def waiting_clusters(ops: Inventory) -> Sequence[int]:
    """The numbers of clusters whose work the first one may take over; empty if it never does."""
    return _WAITING if ops.of(ClusterlaunchcontrolTryCancelOp) else ()


def clusters_meet(ops: Inventory) -> bool:
    """Whether clusters may wait for each other, at flags in global memory."""
    return any(
        is_global(op) and is_strong(word_of(op, "semantics")) for op in ops.of(LdOp, StOp)
    ) and any(
        op.register.data.startswith(("ctaid", "clusterid")) for op in ops.of(SpecialRegisterOp)
    )


def _mask(op: Operation) -> bool:
    """Whether an operation has the CTA mask of a multicast."""
    return hasattr(op, "multicast_mask") and bool(values_of(op, "multicast_mask"))
