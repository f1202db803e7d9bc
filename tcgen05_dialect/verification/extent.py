"""How far a verdict goes: the operations that runs did not reach, and the iterations of loops."""

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set

from xdsl.ir import BlockArgument, Operation, SSAValue

from ..isa.model.rule import plural
from ..ptx.analysis.control_flow import reverse_postorder
from ..simulator.launch.launch import Point
from ..simulator.machine.errors import line_key, line_number, lines_of
from .execution import Skeleton
from .loops import MOST_ITERATIONS, Scenario, SizedLoop
from .periodicity import Need, needed_iterations

_MOST_PLACES = 5
"""Number of places that a sentence lists."""


def gaps(unreached: Sequence[Sequence[Point]]) -> str:
    """Names the operations that no run reached, grouped into consecutive ones."""
    # The compiler adds operations, such as constants, that have no line.
    groups = [[point for point in group if point.line] for group in unreached]
    places = [_lines(group) for group in groups if group]
    count = sum(map(len, groups)) or sum(map(len, unreached))
    if not count:
        return ""
    text = f", but for {count} operation{'s' * (count > 1)} that no run reached"
    if not places:
        return text
    if len(places) > _MOST_PLACES:
        places[_MOST_PLACES:] = [f"{len(places) - _MOST_PLACES} more"]
    *others, last = places
    if others:
        return f"{text}: lines {', '.join(others)} and {last}"
    return f"{text}: line{'' if last.isdecimal() else 's'} {last}"


def computed_at(values: Iterable[SSAValue]) -> str:
    """Text: the lines of the operations that compute values."""
    owners = {each.owner for each in values if isinstance(each.owner, Operation)}
    return lines_of(sorted(owners, key=line_number))


def _lines(points: Sequence[Point]) -> str:
    first, last = points[0].line, points[-1].line
    return f"{first}" if first == last else f"{first} to {last}"


Needs = Mapping[SizedLoop, Need | None]
"""What must be run of a loop, so that a verdict holds for every larger number of iterations; None
if nothing suffices."""


def needs_of(skeleton: Skeleton, loops: Iterable[SizedLoop]) -> Needs:
    """What must be run of loops, after a run of each."""
    blocks, visits = reverse_postorder(skeleton.kernel.body), skeleton.visits
    all_loops, computed = skeleton.loops, skeleton.slice.needed
    return {
        each: needed_iterations(
            blocks, each.loop, visits[each.loop], each.numbers, all_loops, computed
        )
        for each in loops
    }


def runs_of(scenarios: Iterable[Scenario]) -> dict[SizedLoop, set[int]]:
    """The numbers of iterations of each loop."""
    ran: dict[SizedLoop, set[int]] = {}
    for scenario in scenarios:
        for each, count in zip(scenario.loops, scenario.iterations, strict=True):
            ran.setdefault(each, set()).add(count)
    return ran


def extent(
    scenarios: Sequence[Scenario],
    excluded: Iterable[Scenario],
    needs: Needs,
    uncounted: Mapping[SizedLoop, int],
    unreached: Sequence[Sequence[Point]],
    unshown: Set[BlockArgument],
    unsteady: Set[SizedLoop],
    linked: Iterable[Set[BlockArgument]],
) -> str:
    """
    Text: the loops whose number of iterations depends on parameters, and for how many iterations
    the verdict holds.

    `excluded` are scenarios for which the kernel is not made, `uncounted` loops with unknown
    numbers and the largest that were run, `unshown` parameters that decide more than was run, and
    `unsteady` loops that leave something pending. Each set in `linked` decides about one ring.
    """
    ran = runs_of(scenarios) | {each: {count} for each, count in uncounted.items()}
    # Other loops may depend on the same numbers, of which larger ones were not run.
    open_ = {
        each
        for each, counts in ran.items()
        if each in unsteady or not _holds(each, counts, needs.get(each))
    }
    numbers = {p for each in open_ for p in each.numbers} | unshown
    numbers = numbers.union(*(each for each in linked if not numbers.isdisjoint(each)))
    skipped = {(point.file, point.line) for group in unreached for point in group}
    parts: dict[Hashable, list[SizedLoop]] = {}
    for each in sorted(ran, key=lambda each: line_number(each.loop.branch)):
        parts.setdefault(line_key(each.loop.branch), []).append(each)
    texts: dict[str, list[SizedLoop]] = {}
    for key, loops in parts.items():
        if key not in skipped:
            # A loop that was unrolled is several; it ran at least as often as each of them.
            is_open = not open_.isdisjoint(loops) or any(
                not numbers.isdisjoint(each.numbers) for each in loops
            )
            longest = max(loops, key=lambda each: max(ran[each]))
            more_than = _excluded(longest, excluded, scenarios)
            counts = {n for n in ran[longest] if n > more_than}
            # None and one are the smallest numbers that are run.
            smallest = longest.least + 1 if more_than < 0 else longest.least
            texts.setdefault(_range(counts, is_open, smallest), []).append(longest)
    found = [f"{lines_of(each.loop.branch for each in all_)} {t}" for t, all_ in texts.items()]
    return f"; loops: {', '.join(found)}" if found else ""


def _excluded(each: SizedLoop, excluded: Iterable[Scenario], scenarios: Sequence[Scenario]) -> int:
    """The largest number of iterations of a loop that is excluded, because a number on which it
    depends has a value that no other scenario has; -1 if there is none."""
    return max(
        (
            scenario.iterations[scenario.loops.index(each)]
            for scenario in excluded
            if each in scenario.loops
            and any(
                all(other.values[p.index] != scenario.values[p.index] for other in scenarios)
                for p in each.numbers
            )
        ),
        default=-1,
    )


def _range(counts: set[int], is_open: bool, smallest: int) -> str:
    """Text: the numbers of iterations for which a verdict holds; `smallest` is the largest least
    number that leaves out none."""
    least, most = min(counts), max(counts)
    if is_open:
        return f"for up to {most} {plural('iteration', most)}"
    if least <= smallest:
        return "for every number of iterations"
    return f"for {least} iterations and more"


def _holds(each: SizedLoop, counts: set[int], need: Need | None) -> bool:
    """Whether a verdict on some numbers of iterations of a loop holds for every larger number."""
    is_bounded = each.most < MOST_ITERATIONS
    if need is None:
        # Each number may have effects of its own.
        return is_bounded and counts.issuperset(range(each.least, each.most + 1))
    return not any(n <= each.most or not is_bounded for n in need.missing(counts))
