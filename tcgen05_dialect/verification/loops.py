"""
Loops of a kernel, and how often they run at given parameters.

The condition of a loop is evaluated for many values of a parameter at once: in place of the lanes
of a warp, the registers have one element for each value.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import Pure

from ..ptx.analysis.dominance import reverse_postorder
from ..ptx.arithmetic import AndOp, RemOp, SetpOp
from ..ptx.control_flow import Branch, CondBraOp
from ..ptx.kernel import KernelOp
from ..ptx.known_values import constant_bits
from ..ptx.structure import AddressOfOp, SpecialRegisterOp
from ..ptx.synchronization import ShflSyncOp
from ..simulator.machine.lanewise import Lanewise
from ..simulator.machine.machine import Step
from ..simulator.machine.state import LaunchSizes
from ..simulator.numbers.lanes import dtype_of
from .slice import computed_from

Numbers = npt.NDArray[Any]
MOST_STAGES = 32
"""Largest number of stages of a ring that is recognised."""


@dataclass(frozen=True, eq=False)
class Loop:
    """
    A loop that ends when `condition` is, or is not, true. `carried` are the arguments of its
    header, each with its first value and the value that the next iteration gets.
    """

    condition: SSAValue
    continues_if: bool
    carried: Mapping[SSAValue, tuple[SSAValue, SSAValue]]
    stages: int
    """The largest number by which the body wraps an index that changes in the loop, or 1."""
    branch: Operation
    body: frozenset[Block]

    def is_nested(self, other: "Loop") -> bool:
        """Whether one of two loops contains the other."""
        return self.body < other.body or other.body < self.body


def loops_of(kernel: KernelOp) -> list[Loop]:
    """The loops of a kernel whose header has a single predecessor outside the loop."""
    blocks = reverse_postorder(kernel.body)
    number = {block: index for index, block in enumerate(blocks)}
    before: dict[Block, list[Block]] = {}
    for block in blocks:
        for successor in block.last_op.successors if block.last_op else ():
            before.setdefault(successor, []).append(block)
    found: list[Loop] = []
    for header in blocks:
        latches = [each for each in before.get(header, ()) if number[each] >= number[header]]
        entries = [each for each in before.get(header, ()) if number[each] < number[header]]
        if len(latches) != 1 or len(entries) != 1:
            continue
        body = _body(header, latches[0], before)
        first, following = _passed(entries[0], header), _passed(latches[0], header)
        carried: dict[SSAValue, tuple[SSAValue, SSAValue]] = {
            argument: (a, b) for argument, a, b in zip(header.args, first, following, strict=True)
        }
        for block in body:
            branch = block.last_op
            if isinstance(branch, CondBraOp):
                inside = [target in body for target, _ in branch.targets()]
                if inside[0] != inside[1]:
                    stages = _stages(body, computed_from(carried))
                    blocks = frozenset(body)
                    found.append(Loop(branch.predicate, inside[0], carried, stages, branch, blocks))
    return found


def _body(header: Block, latch: Block, before: Mapping[Block, Sequence[Block]]) -> list[Block]:
    found, pending = [header], [latch]
    while pending:
        block = pending.pop()
        if block not in found:
            found.append(block)
            pending += before.get(block, ())
    return found


def _passed(block: Block, target: Block) -> Sequence[SSAValue]:
    branch = block.last_op
    assert isinstance(branch, Branch)
    return next(values for each, values in branch.targets() if each is target)


def _stages(body: Iterable[Block], changing: Container[SSAValue]) -> int:
    wraps = (n for block in body for op in block.ops for n in _wraps(op, changing))
    return max(wraps, default=1)


def _wraps(op: Operation, changing: Container[SSAValue]) -> Iterator[int]:
    """Numbers by which an operation may wrap an index; the index is a value in `changing`."""
    if not isinstance(op, AndOp | RemOp | SetpOp):
        return
    if not any(operand in changing for operand in op.operands):
        return
    more = 1 if isinstance(op, AndOp) else 0
    for operand in op.operands:
        bits = constant_bits(operand)
        if bits is not None and 1 < bits + more <= MOST_STAGES:
            yield bits + more


class Unknown(Exception):
    """A value that does not depend on parameters only."""


class Evaluator:
    """Values of a kernel for many sets of parameters at once; `step_of` gives its instructions."""

    def __init__(
        self,
        step_of: Callable[[Operation], Step],
        sizes: LaunchSizes,
        parameters: Mapping[SSAValue, Numbers],
    ):
        self._step_of, self._sizes = step_of, sizes
        self._known: dict[SSAValue, Numbers] = dict(parameters)

    def iterations(self, loop: Loop, most: int) -> Numbers:
        """How often the loop runs, at most `most` times. Raises Unknown."""
        # Parameters that are tried together may divide by 0; like a GPU, the result is a number.
        with np.errstate(all="ignore"):
            return self._iterations(loop, most)

    def _iterations(self, loop: Loop, most: int) -> Numbers:
        needed = [each for each in loop.carried if each in _leaves(loop)]
        carried = {each: self._value(loop.carried[each][0]) for each in needed}
        outside = self._known
        count: Numbers = np.zeros(1, np.int64)
        alive: Numbers = np.ones(1, np.bool_)
        for _ in range(most):
            self._known = outside | carried
            holds = self._value(loop.condition)
            alive = alive & (holds == loop.continues_if)
            # Before the end, so that Unknown does not depend on the parameters.
            carried = {each: self._value(loop.carried[each][1]) for each in needed}
            if not alive.any():
                break
            count = count + alive
        self._known = outside
        return count

    def _value(self, value: SSAValue) -> Numbers:
        """The value, after those from which it is computed. Without recursion: a kernel may compute
        a bound in any number of operations."""
        known, pending = self._known, [value]
        while pending:
            each = pending[-1]
            if each in known:
                pending.pop()
                continue
            operands, compute = self._computation(each)
            if missing := [operand for operand in operands if operand not in known]:
                pending += missing
            else:
                known[each] = compute(*(known[operand] for operand in operands))
        return known[value]

    def _computation(self, value: SSAValue) -> tuple[Sequence[SSAValue], Callable[..., Numbers]]:
        """The operands of a value, and the function that computes it from their values."""
        op = value.owner
        if isinstance(op, Block):
            raise Unknown
        bits = constant_bits(value)
        if bits is not None:
            return (), lambda: np.full(1, bits).astype(dtype_of(value.type))
        if isinstance(op, SpecialRegisterOp):
            number = self._special(op.register.data)
            return (), lambda: np.full(1, number, np.uint32)
        if isinstance(op, ShflSyncOp) and value is op.d:
            return (op.a,), _same
        if not op.has_trait(Pure) or isinstance(op, AddressOfOp):
            raise Unknown
        step = self._step_of(op)
        if not isinstance(step, Lanewise):
            raise Unknown
        return op.operands, step.function

    def _special(self, name: str) -> int:
        """The value of a special register in the first thread."""
        base, _, axis = name.partition(".")
        sizes = self._sizes
        vectors = {
            "ntid": sizes.block,
            "nctaid": sizes.grid,
            "cluster_nctaid": sizes.cluster,
            "nclusterid": tuple(g // c for g, c in zip(sizes.grid, sizes.cluster, strict=True)),
        }
        if axis and base in vectors:
            return vectors[base]["xyz".index(axis)]
        return 0


def _same(value: Numbers) -> Numbers:
    return value


def _leaves(loop: Loop) -> set[SSAValue]:
    """The arguments of the header on which the condition, or the next value of one, depends."""
    found, pending = set[SSAValue](), [loop.condition]
    while pending:
        value = pending.pop()
        if value in found:
            continue
        found.add(value)
        if value in loop.carried:
            pending.append(loop.carried[value][1])
        elif isinstance(value.owner, Operation) and value.owner.has_trait(Pure):
            pending += value.owner.operands
    return found


def parameters_of(loop: Loop, parameters: Iterable[BlockArgument]) -> list[BlockArgument]:
    """The parameters on which the number of iterations may depend."""
    found, pending = set[SSAValue](), [loop.condition]
    while pending:
        value = pending.pop()
        if value in found:
            continue
        found.add(value)
        if value in loop.carried:
            pending += loop.carried[value]
        elif isinstance(value.owner, Operation) and value.owner.has_trait(Pure):
            pending += value.owner.operands
    return [each for each in parameters if each in found]
