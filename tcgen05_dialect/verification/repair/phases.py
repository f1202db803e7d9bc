"""The parities that a new wait for a phase of a barrier object may have."""

from collections.abc import Iterator, Sequence

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from ...ptx.known_values import constant_bits
from .listing import Place, enclosing
from .problem import Problem
from .steps import MBARRIER_WAITS

_MOST_PARITIES = 3


def parities_of_wait(
    problem: Problem, place: Place, variable: str
) -> list[tuple[tuple[str, ...], str]]:
    """
    The names of values that may be the parity of a wait, the most likely first, each with the
    operations that compute it.
    """
    scope, flow = problem.scope, problem.flow
    loop = next(flow.loops(place.op), None)
    waits = [each for each in problem.ops(*MBARRIER_WAITS) if variable in scope.barriers(each)]
    # The waits for the stages of a round have the same parity.
    beside = {each.operands[1] for each in waits if next(flow.loops(each), None) is loop}
    changing = [
        value
        for value in scope.parities(place)
        if constant_bits(value) is None and (not value.uses or flow.changes(value))
    ]
    changing.sort(key=lambda value: _usual_rank(problem, value, loop, value in beside))
    fixed = [0, 1]
    for each in flow.before(place.op):
        if each in waits:
            # The next phase has the other parity.
            if constant_bits(each.operands[1]) == 0:
                fixed.reverse()
            break
    constants = [_constant(problem, place, bit) for bit in fixed]
    if loop is None:
        changing = [value for value in changing if not value.uses]
    names = filter(None, map(problem.name, changing[:_MOST_PARITIES]))
    found = [*((tuple[str, ...](), name) for name in names), *constants]
    return found if loop is None else [*found, *_computed(problem, place, changing)]


def _usual_rank(
    problem: Problem, value: SSAValue, loop: Operation | Block | None, is_beside: bool
) -> int:
    """How unusual a value is as the parity of a lost wait: it is likely that nothing uses it."""
    if not value.uses and problem.flow.loop_of(value) is loop:
        return 0
    return 1 if is_beside else 2 if value.uses else 3


def _constant(problem: Problem, place: Place, bit: int) -> tuple[tuple[str, ...], str]:
    """The name of a constant, and the operation that defines it if none is visible."""
    name = problem.constant(place, bit)
    if name is not None:
        return (), name
    name = problem.fresh("%parity_of_wait")
    return (f"{name} = arith.constant {bit} : i32",), name


def _computed(
    problem: Problem, place: Place, known: Sequence[SSAValue]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Parities that the kernel does not compute yet: the inverse of another one, or one from the
    counter of the loop."""
    one_ = problem.constant(place, 1)
    if one_ is None:
        return

    parity, before_parity = map(problem.fresh, ("%parity_of_wait", "%parity_before_wait"))
    for name in filter(None, map(problem.name, known[:1])):
        yield (f"{parity} = arith.xori {name}, {one_} : i32",), parity
    loop = next((each for each in enclosing(place.op) if isinstance(each, scf.ForOp)), None)
    if known or loop is None or (counter := problem.name(loop.body.block.args[0])) is None:
        return
    lines: tuple[str, ...] = ()
    for op in loop.body.block.ops:
        if op.name == "arith.remui" and op.operands[0] is loop.body.block.args[0]:
            # The round of a ring has the parity.
            stages = problem.name(op.operands[1])
            round_ = problem.fresh("%round_of_wait")
            lines = (f"{round_} = arith.divui {counter}, {stages} : i32",)
            counter = round_
            break
    lines = *lines, f"{parity} = arith.andi {counter}, {one_} : i32"
    yield lines, parity
    inverse = f"{before_parity} = arith.xori {parity}, {one_} : i32"
    yield (*lines, inverse), before_parity
