"""Sizes of a launch: their defaults, and the limits of the kernel and the hardware."""

from collections.abc import Sequence
from math import prod
from operator import index
from typing import Any

from ...isa.model.rule import extents_text, raise_any
from ...isa.ptx.kernel import ONE_TO_THREE, ExtentLimits, extents_violations
from ...isa.targets import SHARED_BYTES
from ...ptx.kernel import KernelOp
from ..machine.errors import LaunchError, blaming, refused
from ..machine.state import Extents, LaunchSizes
from ..settings import Launch

_MOST_CTAS = 1 << 20
_GRID = ExtentLimits((range(1, _MOST_CTAS + 1),) * 3, _MOST_CTAS)
_MOST_SHARED = max(SHARED_BYTES.values())


def sizes_of(kernel: KernelOp, launch: Launch) -> LaunchSizes:
    """Sizes of a launch; the directives of the kernel are the defaults. Raises LaunchError."""
    with blaming("block"):
        block = _block(kernel, launch)
    with blaming("cluster"):
        cluster = _cluster(kernel, launch)
    with blaming("grid", "cluster"):
        grid = cluster if launch.grid is None else _grid(launch.grid, cluster)
    with blaming("dynamic_shared_memory"):
        shared = integer(
            launch.dynamic_shared_memory, "the dynamic shared memory", 0, _MOST_SHARED, "bytes"
        )
    return LaunchSizes(grid, block, cluster, shared)


def _block(kernel: KernelOp, launch: Launch) -> Extents:
    required, most = kernel.extents("reqntid"), kernel.extents("maxntid")
    given = required if launch.block is None else launch.block
    if given is None:
        message = "the launch must give the block, because the kernel has no reqntid"
        help = "add block = [128] to the launch file, --block 128, or Launch(block=(128,))"
        raise LaunchError(message, help=help)
    block = _legal("block", given, "reqntid")
    if required is not None:
        _check_same("block", block, required, "reqntid")
    if most is not None and prod(block) > prod(most):
        legal = f"at most {prod(most)}, the product of the kernel's maxntid"
        raise refused(prod(block), legal, "the number of threads of the block")
    return block


def _cluster(kernel: KernelOp, launch: Launch) -> Extents:
    required = kernel.extents("cluster_dims")
    given = required if launch.cluster is None else launch.cluster
    cluster = _legal("cluster", (1,) if given is None else given, "cluster_dims")
    if required is not None:
        _check_same("cluster", cluster, required, "cluster_dims")
    return cluster


def _grid(given: Sequence[int], cluster: Extents) -> Extents:
    extents = _integers("grid", given)
    if not _GRID.allow(extents):
        raise refused(extents_text(extents), _GRID.legal, "the grid")
    grid = _padded(extents)
    if any(g % c for g, c in zip(grid, cluster, strict=True)):
        legal = f"a multiple of the cluster, {extents_text(cluster)}, along each dimension"
        raise refused(extents_text(grid), legal, "the grid")
    return grid


def integer(value: Any, what: str, least: int, most: int | None = None, unit: str = "") -> int:
    """The value as an integer between `least` and `most`. Raises LaunchError."""
    try:
        number = index(value)
    except TypeError as error:
        raise refused(repr(value), f"an integer{unit and f' of {unit}'}", what) from error
    if number < least or (most is not None and number > most):
        legal = f"{least} or more" if most is None else f"{least} to {most}"
        raise refused(number, f"{legal} {unit}".strip(), what)
    return number


def _legal(what: str, given: Sequence[int], directive: str) -> Extents:
    """Extents that are legal for a directive."""
    extents = _integers(what, given)
    violations = extents_violations(directive, extents)
    raise_any(each.replaced(what=f"the {what}", culprit="") for each in violations)
    return _padded(extents)


def _integers(what: str, given: Sequence[int]) -> tuple[int, ...]:
    try:
        return tuple(map(index, given))
    except TypeError as error:
        raise refused(repr(given), f"{ONE_TO_THREE} integers", f"the {what}") from error


def _padded(extents: tuple[int, ...]) -> Extents:
    x, y, z = (*extents, 1, 1)[:3]
    return x, y, z


def _check_same(what: str, found: Extents, required: tuple[int, ...], directive: str) -> None:
    if found != _padded(required):
        legal = f"{extents_text(_padded(required))}, the kernel's {directive}"
        raise refused(extents_text(found), legal, f"the {what}")
