"""Scenarios of clusters other than the first of a grid."""

from collections.abc import Iterator
from functools import cache

from ..simulator.machine.state import LaunchSizes
from .execution import Skeleton
from .iterations import Iterations, Unknown
from .launches import cluster_at, cta_axes, other_clusters
from .loops import Loop, sources_of
from .scenario import MOST_ITERATIONS, Scenario
from .sizes import Chooser

_PLACES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96)
"""Places of clusters along an axis that are tried."""


def scenarios_of_clusters(skeleton: Skeleton, sizes: LaunchSizes) -> Iterator[Scenario]:
    """
    Scenarios of an inner and of the last cluster of larger grids, if more than addresses in global
    memory depends on the place of a CTA; and of clusters in which loops go through their rings, if
    the place decides how often.
    """
    if sizes.grid != sizes.cluster:
        return
    launches = other_clusters(sizes, cta_axes(skeleton.decisive))
    for loop in skeleton.loops:
        launches += _wrapping(skeleton, loop, sizes)
    for each in dict.fromkeys(launches):
        # With a few iterations of each loop.
        yield Chooser(skeleton, each).scenarios(thorough=False)[-1]


def _wrapping(skeleton: Skeleton, loop: Loop, sizes: LaunchSizes) -> list[LaunchSizes]:
    """The launch of the first cluster in which a loop goes through its ring twice; empty if its
    number of iterations does not depend on the place of a CTA alone."""
    step_of = cache(skeleton.program.step)
    found: list[tuple[int, LaunchSizes]] = []
    for axis in sorted(cta_axes(sources_of(loop))):
        for place in _PLACES:
            launch = cluster_at(sizes, {axis: place})
            try:
                count = int(Iterations(loop, step_of, launch, ()).at({}, MOST_ITERATIONS)[0])
            except Unknown:
                return []
            if count > 2 * loop.stages:
                return [launch]
            found.append((count, launch))
    return [max(found, key=lambda each: each[0])[1]] if found else []
