"""Candidates: other counts, bytes and numbers of threads, as runs show them."""

from collections import Counter
from collections.abc import Iterable, Iterator

from xdsl.ir import Operation

from ...isa.instructions.barriers import BARRIER_THREADS
from ...isa.instructions.mbarrier import COUNT
from ...ptx.known_values import constant_bits
from ...ptx.syntax import values_of
from .listing import Operand
from .observation import Object
from .problem import Candidate, Problem
from .uses import is_fixed

_MOST_COUNTS = 2
"""Number of different counts that are tried for a barrier object."""


def counts(problem: Problem) -> Iterator[Candidate]:
    """
    The counts of barrier objects and the bytes that are announced at them.

    If a barrier object expects more arrivals than can come, its first phase gets exactly those that
    it should expect, and all bytes.
    """
    for init in problem.ops("mbarrier.init"):
        operand = named(init, "count")
        if operand is None or not is_fixed(operand.value):
            continue
        observed = problem.observation.with_number([operand], max(COUNT.values))
        objects = [each for each in observed.objects if each.init is init]
        yield from _changed(problem, 0, operand, (each.arrivals for each in objects))
        yield from _bytes(problem, objects)


def _bytes(problem: Problem, objects: Iterable[Object]) -> Iterator[Candidate]:
    """The bytes with which the announcements for barrier objects agree with the copies."""
    for each in objects:
        announced = [
            (op, came.expected) for op, came in each.came if op is not None and came.expected
        ]
        for op, times in Counter(op for op, _ in announced).items():
            operand = named(op, "bytes")
            expected = {bytes_ for other, bytes_ in announced if other is op}
            more, rest = divmod(-each.missing_bytes, times)
            if operand is not None and is_fixed(operand.value) and not rest and len(expected) == 1:
                yield from _changed(problem, 0, operand, [expected.pop() + more])


def threads(problem: Problem) -> Iterator[Candidate]:
    """
    The numbers of threads at barriers of the CTA.

    If a barrier expects more threads than a CTA has, those arrive that it should expect.
    """
    barriers: dict[int, list[Operand]] = {}
    for op in problem.ops("bar.sync", "bar.arrive", "bar.red"):
        number, operand = named(op, "barrier"), named(op, "threads")
        bits = None if number is None else constant_bits(number.value)
        if bits is not None and operand is not None and is_fixed(operand.value):
            barriers.setdefault(bits, []).append(operand)
    for bits, operands in barriers.items():
        observed = problem.observation.with_number(operands, max(BARRIER_THREADS.values))
        found = observed.threads.get(bits, 0)
        wrong = [each for each in operands if constant_bits(each.value) != found]
        changes = [problem.number(each, found) for each in wrong]
        known = tuple(each for each in changes if each is not None)
        if found and known and len(known) == len(wrong):
            yield Candidate(0, known)


def named(op: Operation, name: str) -> Operand | None:
    """The operand of an operation of `ptx` with a name; None if it has none."""
    values = values_of(op, name) if hasattr(op, name) else ()
    if len(values) != 1:
        return None
    index = next(at for at, value in enumerate(op.operands) if value is values[0])
    return Operand(op, index)


def _changed(
    problem: Problem, rank: float, operand: Operand, numbers: Iterable[int]
) -> Iterator[Candidate]:
    """The most frequent of other numbers for an operand."""
    found = Counter(each for each in numbers if each > 0)
    for more, (number, _) in enumerate(found.most_common(_MOST_COUNTS)):
        if constant_bits(operand.value) != number:
            change = problem.number(operand, number)
            if change is not None:
                yield Candidate(rank + more, (change,))
