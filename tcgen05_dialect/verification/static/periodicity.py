"""
Periodicity of loops: how many iterations must run, so that a verdict holds for any number, and how
far a verdict goes.

The iterations of a loop that waits at the barriers of a ring repeat each other: everything that
they do depends on values that repeat, except for addresses in global memory. The period is that of
the places of tiles and barriers. Parities may flip from period to period. The barriers of the ring
order accesses that are one period apart, and therefore also accesses that are further apart. A run
of two periods thus shows what any longer run would show. The first and the last iterations may
differ.
"""

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import Pure

from ...isa.model.rule import plural
from ...ptx import instructions as ptx
from ...ptx.analysis.control_flow import closure
from ...ptx.analysis.values import computed_from, operations, passed_values
from ...ptx.control_flow import Branch, CondBraOp
from ...ptx.register_types import register_bits
from ...ptx.structure import GuardOp, unguarded
from ...simulator.launch.launch import Point
from ...simulator.machine.errors import line_key, line_number, lines_of
from ..execution import Skeleton
from .control import ASKING, kinds_of
from .courses import FIXED, Course, Courses, joined, outside, together
from .loops import MOST_ITERATIONS, MOST_STAGES, Loop, Scenario, SizedLoop, Visits

_MOST_PERIOD = 128
"""Largest period that is looked for."""
_MOST_AFTER = 2
"""Largest number of first iterations in which an argument may differ, as a predicate that is false
only in the first one."""
_SAME = (
    *(ptx.SpecialRegisterOp, ptx.ElectSyncOp),
    # The result stands for the phase of the arrival, in each iteration.
    *(ptx.MbarrierArriveStateOp, ptx.MbarrierArriveExpectTxStateOp),
)
"""Operations whose results mean the same in each iteration."""
MOST_RUN = 2 * MOST_STAGES + 2
"""Largest number of iterations that is run."""
_MOST_ROUNDS = 8
"""Limit on the repetitions of the analysis of a loop that contains others."""


class Need(NamedTuple):
    """
    What must be run of a loop, so that a verdict holds for any larger number of iterations: at
    least `iterations` once; and numbers of at least `least` with all remainders by `remainders`,
    if what follows the loop depends on the number of iterations.
    """

    iterations: int
    least: int
    remainders: int

    def missing(self, counts: Container[int]) -> list[int]:
        """The numbers of iterations that must still be run after some others."""
        most = max(self.iterations, self.least + self.remainders) + self.remainders
        found: list[int] = []
        for remainder in range(self.remainders):
            same = [n for n in range(self.least, MOST_RUN) if n % self.remainders == remainder]
            if not any(n in counts for n in same):
                found += [n for n in same if self.iterations <= n <= most][:1]
        if not any(n in counts for n in (*range(self.iterations, MOST_RUN), *found)):
            found.append(self.iterations)
        return found


def needed_iterations(
    blocks: Sequence[Block],
    loop: Loop,
    visits: Visits,
    numbers: Iterable[SSAValue],
    loops: Iterable[Loop],
    computed: Container[SSAValue],
) -> Need | None:
    """
    What must be run, so that a verdict holds for any larger number of iterations; None if there is
    no such number.

    `blocks` are those of the kernel in reverse postorder. `numbers` are the parameters on which the
    number of iterations depends, `loops` all loops of the kernel, and `computed` the values on
    which its effects depend.
    """
    inside = [each for each in blocks if each in loop.body]
    assumed: dict[SSAValue, Course] = {}
    for argument, columns in zip(loop.carried, visits.columns(), strict=False):
        course = _observed(columns)
        if course is not None:
            first = outside(loop.carried[argument][0])
            start = first.start if course.period == 1 and not course.after else None
            assumed[argument] = replace(course, start=start)
    remainders = _remainders(inside, loop, numbers, loops, assumed)
    if remainders is None:
        return None
    found = _Analysis(loop, inside, assumed, computed).needed()
    if found is None or not visits.is_steady(found.period):
        return None
    return Need(
        found.after + 2 * found.period + found.before, found.after + found.period, remainders
    )


def _remainders(
    inside: Sequence[Block],
    loop: Loop,
    numbers: Iterable[SSAValue],
    loops: Iterable[Loop],
    assumed: Mapping[SSAValue, Course],
) -> int | None:
    """
    The number by whose remainder the number of iterations decides the effects outside the loop; 1
    if it does not, and None if it decides them in another way.

    They may depend on values of the last iteration, and on the parameters that give the number. A
    loop that goes on where another one has ended depends on them as that one did.
    """
    headers = {argument for each in loops for argument in each.carried}
    own = {result for op in operations(inside) for result in op.results}
    own |= {argument for block in inside for argument in block.args}
    body = frozenset[Block | None](inside)

    def step(value: SSAValue) -> Iterator[SSAValue]:
        for use in value.uses:
            for each in _computed_by(use.operation, value, body, value in own):
                if each in own or each not in headers:
                    yield each

    last = _Last(loop, assumed, own | {*numbers})
    remainders = 1
    for value in closure([*own, *numbers], step):
        for op in (use.operation for use in value.uses):
            is_inside = _block_of(op) in body
            if not (is_inside and value in own) and _decides_effects(op, value):
                course = None if is_inside else last.course(value)
                if course is None or not course.repeats:
                    return None
                remainders = lcm(remainders, course.period)
    return remainders


def _computed_by(
    op: Operation, value: SSAValue, body: Container[Block | None], is_own: bool
) -> Iterable[SSAValue]:
    """The values outside a loop that an operation computes from a value; `is_own`: of the loop."""
    is_inside = _block_of(op) in body
    is_own = is_own and is_inside
    if isinstance(op, Branch):
        # The loop passes values of the last iteration on, too.
        return [
            argument
            for target, values in op.targets()
            for argument, each in zip(target.args, values, strict=True)
            if each is value and not (is_own and target in body)
        ]
    # Comparisons with counters are part of the analysis of iterations.
    if is_own or (is_inside and isinstance(op, ptx.SetpOp)):
        return ()
    return op.results if op.has_trait(Pure) or isinstance(op, ptx.ShflSyncOp) else ()


def _decides_effects(op: Operation, value: SSAValue) -> bool:
    """Whether the effects of an operation, other than in global memory, depend on a value."""
    if isinstance(op, Branch | ptx.ShflSyncOp | GuardOp) or op.has_trait(Pure):
        return False
    return any(operand is value and kind != "global" for operand, kind in kinds_of(op))


class _Last:
    """The courses of values outside a loop, as functions of its number of iterations; `changing`
    are the values of the loop, and the parameters that give the number."""

    def __init__(
        self, loop: Loop, assumed: Mapping[SSAValue, Course], changing: Container[SSAValue]
    ):
        self._changing = changing
        self._courses: dict[SSAValue, Course | None] = dict(assumed)
        condition = loop.condition.owner
        if isinstance(condition, ptx.SetpOp):
            for counter, limit in ((condition.a, condition.b), (condition.b, condition.a)):
                course = assumed.get(counter)
                if course is not None and course.period == 1 and course.rate:
                    self._courses[limit] = Course(rate=course.rate)

    def course(self, value: SSAValue, depth: int = 16) -> Course | None:
        """The course of a value; None if it has none, or is computed in too many operations."""
        if value not in self._courses:
            self._courses[value] = self._computed(value, depth)
        return self._courses[value]

    def _computed(self, value: SSAValue, depth: int) -> Course | None:
        op = value.owner
        if value in self._changing or not depth:
            return None
        if isinstance(op, Block):
            # Branches may choose other arguments by the number of iterations.
            is_parameter = op.parent is not None and op is op.parent.blocks[0]
            return outside(value) if is_parameter else None
        if not op.has_trait(Pure) or not op.operands:
            return outside(value)
        return Courses(None).result(op, [self.course(each, depth - 1) for each in op.operands])


def _observed(entries: Sequence[Sequence[int]]) -> Course | None:
    """The course of an argument by its values: the one that shows earliest in the loop, and of
    several the one that repeats values."""
    longest = max(map(len, entries), default=0)
    for shown in range(1, min(longest, _MOST_PERIOD + 1)):
        found: list[Course] = []
        for after in range(min(shown, _MOST_AFTER + 1)):
            period = shown - after
            changes = {
                later - earlier
                for entry in entries
                for earlier, later in zip(entry[after:], entry[shown:], strict=False)
            }
            if len(changes) == 1:
                found.append(Course(period, Fraction(changes.pop(), period), after=after))
        if found:
            return min(found, key=lambda each: not each.repeats)
    return None


class _Period(NamedTuple):
    """The period of a loop, and its irregular first and last iterations."""

    period: int
    after: int
    before: int


class _Analysis:
    """The courses of the values of a loop, from those that the arguments of its header seem to
    have."""

    def __init__(
        self,
        loop: Loop,
        blocks: Sequence[Block],
        assumed: Mapping[SSAValue, Course],
        computed: Container[SSAValue],
    ):
        self._loop, self._blocks = loop, blocks
        self._passed = passed_values(blocks)
        self._inside = frozenset(blocks)
        polled = (op.done for op in operations(blocks) if isinstance(op, ASKING) and op.done.uses)
        self._hints = {each for each in computed_from(polled) if register_bits(each.type) is None}
        """Predicates that tell whether a wait is over. They decide only whether to wait again."""
        self._assumed = {each: course for each, course in assumed.items() if each in computed}
        self._computed = computed
        self._courses: dict[SSAValue, Course | None] = {
            **self._assumed,
            **dict.fromkeys(self._hints, FIXED),
        }
        self._control: Course | None = FIXED
        self._is_complete = False

    def needed(self) -> _Period | None:
        """The period of the loop; None if it has none."""
        for _ in range(_MOST_ROUNDS):
            before = dict(self._courses)
            self._control, self._is_complete = FIXED, True
            for block in self._blocks:
                self._visit(block)
            if self._is_complete or self._courses == before:
                return self._period() if self._is_consistent() else None
        return None

    def _course(self, value: SSAValue) -> Course | None:
        if value in self._courses:
            return self._courses[value]
        if _block_of(value.owner) in self._inside:
            return None
        found = self._courses[value] = outside(value)
        return found

    def _visit(self, block: Block) -> None:
        for argument in block.args:
            if argument not in self._loop.carried and argument not in self._hints:
                self._courses[argument] = self._joined(self._passed.get(argument, ()))
        courses = Courses(self._end())
        for op in operations([block]):
            if isinstance(op, CondBraOp):
                if op is not self._loop.branch:
                    self._control = together((self._control, self._course(op.predicate)))
            elif not any(each in self._computed for each in op.results):
                pass
            elif isinstance(op, _SAME):
                self._courses |= dict.fromkeys(op.results, FIXED)
            elif isinstance(op, ptx.ShflSyncOp):
                found = together(map(self._course, op.operands))
                self._courses |= dict.fromkeys(op.results, found)
            elif op.has_trait(Pure) and op.results[0] not in self._hints:
                hinted = any(each in self._hints for each in op.operands)
                found = None if hinted else courses.result(op, [*map(self._course, op.operands)])
                self._courses[op.results[0]] = found

    def _joined(self, values: Sequence[SSAValue]) -> Course | None:
        """The course of an argument to which branches pass some values. In the first round, those
        of inner loops are unknown."""
        known = [
            self._course(each)
            for each in values
            if each in self._courses or _block_of(each.owner) not in self._inside
        ]
        self._is_complete &= len(known) == len(values)
        if not known or self._control is None:
            return None
        found = joined(known)
        if found is None or len(values) == 1:
            return found
        # The branches decide which of the values is passed.
        return joined((found, replace(self._control, rate=found.rate, start=found.start)))

    def _end(self) -> Course | None:
        """The difference that ends the loop."""
        op = self._loop.condition.owner
        if not isinstance(op, ptx.SetpOp):
            return None
        a, b = (self._course(each) for each in (op.a, op.b))
        return None if a is None or b is None else Courses(None).difference(a, b)

    def _is_consistent(self) -> bool:
        """Whether the arguments of the header take the courses that are assumed."""
        for argument, (_, following) in self._loop.carried.items():
            assumed = self._assumed.get(argument)
            if assumed is None or argument in self._hints:
                continue
            found = self._course(following)
            if (
                found is None
                or found.rate != assumed.rate
                or assumed.period % found.period
                or found.after > assumed.after
                or found.before
            ):
                return False
        return True

    def _period(self) -> _Period | None:
        if self._control is None:
            return None
        courses, parities = [self._control], [FIXED]
        for op in operations(self._blocks):
            if op is self._loop.branch:
                continue
            for operand, kind in kinds_of(op):
                course = self._course(operand)
                if course is not None and course.repeats:
                    (parities if kind == "parity" else courses).append(course)
                elif kind != "global":
                    return None
        period = lcm(*(each.period for each in courses))
        if 2 * period % lcm(*(each.period for each in parities)):
            return None
        both = [*courses, *parities]
        after, before = max(each.after for each in both), max(each.before for each in both)
        return _Period(period, after, before)


def _block_of(owner: Operation | Block) -> Block | None:
    """The block of the kernel that contains an operation, which may be guarded."""
    return owner if isinstance(owner, Block) else unguarded(owner).parent


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
    blocks, visits = skeleton.ops.blocks, skeleton.visits
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
    # Other loops may depend on the same numbers, and larger numbers were not run.
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
            without = _excluded(longest, excluded, scenarios)
            most = max(ran[longest])
            # A size that is too large leaves out none of the smaller ones.
            is_open = is_open or any(n >= most for n in without)
            more_than = max((n for n in without if n < most), default=-1)
            counts = {n for n in ran[longest] if n > more_than}
            # None and one are the smallest numbers that are run.
            smallest = longest.least + 1 if more_than < 0 else longest.least
            texts.setdefault(_range(counts, is_open, smallest), []).append(longest)
    found = [f"{lines_of(each.loop.branch for each in all_)} {t}" for t, all_ in texts.items()]
    return f"; loops: {', '.join(found)}" if found else ""


def _excluded(
    each: SizedLoop, excluded: Iterable[Scenario], scenarios: Sequence[Scenario]
) -> set[int]:
    """The numbers of iterations of a loop that are excluded, because a number on which it depends
    has a value that no other scenario has."""
    return {
        scenario.iterations[scenario.loops.index(each)]
        for scenario in excluded
        if each in scenario.loops
        and any(
            all(other.values[p.index] != scenario.values[p.index] for other in scenarios)
            for p in each.numbers
        )
    }


def _range(counts: set[int], is_open: bool, smallest: int) -> str:
    """Text: the numbers of iterations for which a verdict holds; `smallest` is the largest least
    number that leaves out none."""
    least, most = min(counts), max(counts)
    if is_open:
        return f"for up to {most} {plural('iteration', most)}"
    if least <= smallest:
        return "for any number of iterations"
    return f"for {least} iterations and more"


def _holds(each: SizedLoop, counts: set[int], need: Need | None) -> bool:
    """Whether a verdict on some numbers of iterations of a loop holds for every larger number."""
    is_bounded = each.most < MOST_ITERATIONS
    if need is None:
        # Each number may have effects of its own.
        return is_bounded and counts.issuperset(range(each.least, each.most + 1))
    return not any(n <= each.most or not is_bounded for n in need.missing(counts))
