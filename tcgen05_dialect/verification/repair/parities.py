"""Candidates: the other parity for a wait."""

from collections.abc import Iterable, Iterator

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from ...ptx import instructions as ptx
from ...ptx.known_values import constant_bits
from .counts import named
from .listing import Operand, Place, Replacement
from .problem import Candidate, Problem
from .steps import kind
from .uses import constants, feeds

_SUMS = arith.XOrIOp, arith.AddiOp, arith.SubiOp, ptx.XorOp, ptx.AddOp, ptx.SubOp
"""Operations of which each operand decides the lowest bit of the result."""
_MOST_CONSTANTS = 3
"""Number of constants that are tried for a wait."""
_MOST_WAITS = 8


def parities(problem: Problem) -> Iterator[Candidate]:
    """The other parity for waits: for those before the accesses first, the nearest first."""
    every = [op for op in problem.scope.kernel.walk() if _parity(op) is not None]
    near = [
        each for op in problem.accesses for each in (op, *problem.flow.before(op)) if each in every
    ]
    for at, wait in enumerate([*dict.fromkeys((*near, *every))][:_MOST_WAITS]):
        operand = _parity(wait)
        assert operand is not None
        for more, change in enumerate(_flipped(problem, operand)):
            yield Candidate(at + more, (change,))


def _parity(op: Operation) -> Operand | None:
    """The parity of a wait for a barrier object; None for other operations."""
    return named(op, "parity") if kind(op).startswith("mbarrier.") else None


def _flipped(problem: Problem, operand: Operand) -> Iterator[Replacement]:
    """Changes with which a wait has the other parity."""
    if isinstance(owner := operand.value.owner, arith.XOrIOp | ptx.XorOp):
        # The parity is the inverse of another one.
        first, second = owner.operands
        name, visible = problem.name(first), {*problem.scope.visible(Place(operand.op))}
        if constant_bits(second) == 1 and name is not None and first in visible:
            yield Replacement(operand, name)
    found = [each for each in constants(operand, _summands) if constant_bits(each.value) in (0, 1)]
    for each in found[:_MOST_CONSTANTS]:
        change = problem.number(each, 1 - (constant_bits(each.value) or 0))
        if change is not None:
            yield change
    if constant_bits(operand.value) is None and (inverse := _inverse(problem, operand)):
        yield inverse


def _summands(value: SSAValue) -> Iterable[Operand]:
    """The operands that decide the lowest bit of a value."""
    owner = value.owner
    match owner:
        case Operation() if isinstance(owner, _SUMS):
            return feeds(value)
        case arith.AndIOp() | ptx.AndOp():
            return [each for each in feeds(value) if constant_bits(each.value) is None]
        case arith.SelectOp() | ptx.SelpOp():
            return [each for each in feeds(value) if each.value.type == value.type]
        case Operation() if not owner.regions:
            return ()
        case _:
            return feeds(value)


def _inverse(problem: Problem, operand: Operand) -> Replacement | None:
    """The inverse of a parity that the kernel computes."""
    name, one = problem.name(operand.value), problem.constant(Place(operand.op), 1)
    if name is None or one is None or not problem.listing.can_replace(operand):
        return None
    parity = problem.fresh("%parity_of_wait")
    line = f"{parity} = arith.xori {name}, {one} : i32"
    return Replacement(operand, parity, (line,), f"`{line}`")
