"""The grid of a launch, compared with the one that the kernel needs."""

from itertools import zip_longest
from numbers import Integral

from ..isa.model.rule import extents_text
from ..simulator.launch.prepared_launch import PreparedLaunch
from ..simulator.launch.scope import Scope
from ..simulator.machine.errors import LaunchError
from .facts import LaunchFacts


def grid_mismatch(facts: LaunchFacts, prepared: PreparedLaunch) -> str:
    """
    The sentence about a launch whose grid does not have the CTAs of all tiles; empty if it has, or
    if the kernel does not give its grid. A persistent kernel takes any smaller grid.
    """
    numbers = {
        name: int(given)
        for name, given in zip(facts.parameters, prepared.arguments, strict=False)
        if isinstance(given, Integral)
    }
    try:
        needed = Scope(numbers).integers(facts.grid or (), "the grid", "grid")
    except LaunchError:
        return ""
    launch = prepared.launch
    given = tuple(launch.grid or launch.cluster or facts.cluster or (1,))
    pairs = [*zip_longest(given, needed, fillvalue=1)]
    if not needed or all(a == b or (a < b and facts.is_persistent) for a, b in pairs):
        return ""
    least = " at most" if facts.is_persistent else ""
    return (
        f"the grid is {extents_text(given)}; the tiles of ws.warp_specialize need{least} "
        f"{extents_text(needed)}"
    )
