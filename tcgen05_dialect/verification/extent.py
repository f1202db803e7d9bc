"""How far a verdict goes: the operations that runs did not reach, and the iterations of loops."""

from collections.abc import Iterable, Mapping, Sequence

from ..isa.model.rule import plural
from ..ptx.analysis.dominance import reverse_postorder
from ..simulator.launch.coverage import Point
from ..simulator.machine.errors import line_key, line_number, lines_of
from .execution import Skeleton
from .periodicity import needed_iterations
from .sizes import MOST_ITERATIONS, Scenario, SizedLoop

_MOST_PLACES = 5
"""Number of places that a sentence lists."""


def gaps(unreached: Sequence[Sequence[Point]]) -> str:
    """Text: the operations that no run reached; those of one list follow each other."""
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


def _lines(points: Sequence[Point]) -> str:
    first, last = points[0].line, points[-1].line
    return f"{first}" if first == last else f"{first} to {last}"


Needs = Mapping[SizedLoop, int | None]
"""Number of iterations of a loop from which a verdict holds for every number; None if for none."""


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


def runs_of(scenarios: Iterable[Scenario]) -> dict[SizedLoop, range]:
    """The smallest and the largest number of iterations of each loop."""
    ran: dict[SizedLoop, range] = {}
    for scenario in scenarios:
        for each, count in zip(scenario.loops, scenario.iterations, strict=True):
            before = ran.get(each, range(count, count + 1))
            ran[each] = range(min(before.start, count), max(before.stop, count + 1))
    return ran


def extent(
    scenarios: Sequence[Scenario], needs: Needs, unreached: Sequence[Sequence[Point]]
) -> str:
    """Text: the loops whose number of iterations depends on parameters, and for how many iterations
    the verdict holds."""
    ran = runs_of(scenarios)
    # Other loops may depend on the same numbers, of which larger ones were not run.
    open_ = [each for each, counts in ran.items() if not _holds(each, counts, needs[each])]
    numbers = {p for each in open_ for p in each.numbers}
    skipped = {(point.file, point.line) for group in unreached for point in group}
    texts: dict[str, list[SizedLoop]] = {}
    for each in sorted(ran, key=lambda each: line_number(each.loop.branch)):
        if line_key(each.loop.branch) not in skipped:
            is_open = each in open_ or not numbers.isdisjoint(each.numbers)
            texts.setdefault(_range(each, ran[each], is_open), []).append(each)
    found = [f"{lines_of(each.loop.branch for each in all_)} {t}" for t, all_ in texts.items()]
    return f"; loops: {', '.join(found)}" if found else ""


def _range(each: SizedLoop, counts: range, is_open: bool) -> str:
    """Text: the numbers of iterations for which a verdict holds."""
    if is_open:
        return f"for up to {counts.stop - 1} {plural('iteration', counts.stop - 1)}"
    # None and one are the smallest numbers that are run.
    if counts.start <= each.least + 1:
        return "for every number of iterations"
    return f"for {counts.start} iterations and more"


def _holds(each: SizedLoop, counts: range, needed: int | None) -> bool:
    """Whether a verdict on some numbers of iterations of a loop holds for every larger number."""
    most = counts.stop - 1
    return most == each.most < MOST_ITERATIONS or (needed is not None and most >= needed)
