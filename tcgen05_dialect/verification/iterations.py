"""
Numbers of iterations of loops, and the sizes at which the loops of a kernel run about twice.

The condition of a loop is evaluated for many values of a parameter at once: in place of the lanes
of a warp, the registers have one element for each value.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import inf, prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import Pure

from ..ptx.analysis.control_flow import closure
from ..ptx.analysis.known_values import constant_bits, constant_value
from ..ptx.contract import Contract
from ..ptx.instructions import MadOp, MulOp, ShflSyncOp, ShlOp, SpecialRegisterOp
from ..ptx.register_types import register_bits
from ..ptx.structure import AddressOfOp
from ..ptx.text.syntax import word_of
from ..simulator.machine.gathering import Lanewise
from ..simulator.machine.machine import Step
from ..simulator.machine.state import VECTORS, LaunchSizes
from ..simulator.numbers.floats import dtype_of
from ..xdsl_support.attributes import bits_of
from .execution import Skeleton
from .static.control import barriers_of, direct_operations, is_poll
from .static.inventory import cta_axes, depends_on_member, lane_masks
from .static.loops import MOST_ITERATIONS, MOST_STAGES, Loop, SizedLoop, parameters_of, sources_of

Numbers = npt.NDArray[Any]


class Unknown(Exception):
    """A value that does not depend on parameters only."""


class _Computation(NamedTuple):
    """The computation of one register from others."""

    function: Callable[..., Numbers]
    operands: Sequence[int]
    result: int


class Evaluation:
    """
    Values as functions of parameters, in the CTA with a rank in its cluster; `step_of` gives the
    instructions of the kernel, and `passed` the arguments of blocks that have one possible value.
    """

    def __init__(
        self,
        step_of: Callable[[Operation], Step],
        sizes: LaunchSizes,
        parameters: Iterable[SSAValue],
        passed: Mapping[SSAValue, SSAValue],
        rank: int = 0,
    ):
        self._step_of, self._sizes, self._passed = step_of, sizes, passed
        self._rank = rank
        self._registers: list[Numbers | None] = []
        self._indices: dict[SSAValue, int] = {}
        self._changing: set[int] = set()
        """The registers that change from iteration to iteration."""
        self._before: list[_Computation] = []
        self._inside: list[_Computation] = []
        self._possible = frozenset(parameters)
        self._parameters: dict[SSAValue, int] = {}

    @property
    def parameters(self) -> Iterable[SSAValue]:
        """The parameters on which the values depend."""
        return self._parameters

    def values(
        self, values: Iterable[SSAValue], parameters: Mapping[SSAValue, Numbers]
    ) -> list[Numbers]:
        """Values at these parameters, whose types are those of registers. Raises Unknown if one
        depends on more than parameters."""
        indices = [self._index(each) for each in values]
        # Parameters that are tried together may divide by 0; like a GPU, the result is a number.
        with np.errstate(all="ignore"):
            registers = self._begun({each: parameters[each] for each in self._parameters})
        return [registers[each] for each in indices]

    def sources(self, value: SSAValue) -> set[SSAValue]:
        """The parameters on which a value depends. Raises Unknown if it depends on more."""
        self._index(value)

        def step(each: SSAValue) -> Sequence[SSAValue]:
            is_known = each in self._parameters or self._known(each) is not None
            return () if is_known else self._computation(each)[0]

        found = closure([value], step)
        return found & self._parameters.keys()

    def _begun(self, parameters: Mapping[SSAValue, Numbers]) -> list[Any]:
        """The registers, with all values that no iteration changes."""
        registers: list[Any] = self._registers.copy()
        for each, index in self._parameters.items():
            registers[index] = parameters[each]
        _compute(self._before, registers)
        return registers

    def _new(self, value: SSAValue, number: Numbers | None = None) -> int:
        """A register for a value, which may have a known number."""
        index = self._indices[value] = len(self._registers)
        self._registers.append(number)
        return index

    def _index(self, value: SSAValue) -> int:
        """The register of a value, computed after those from which it is computed. Without
        recursion: a kernel may compute a bound in any number of operations."""
        indices, pending = self._indices, [value]
        while pending:
            each = pending[-1]
            if each in indices:
                pending.pop()
            elif each in self._possible:
                self._parameters[each] = self._new(each)
            elif (known := self._known(each)) is not None:
                self._new(each, known)
            else:
                operands, function = self._computation(each)
                if missing := [operand for operand in operands if operand not in indices]:
                    pending += missing
                else:
                    self._add(each, function, [indices[operand] for operand in operands])
        return indices[value]

    def _add(
        self, value: SSAValue, function: Callable[..., Numbers], operands: Sequence[int]
    ) -> None:
        """Add the computation of a value."""
        computation = _Computation(function, operands, self._new(value))
        if self._changing.isdisjoint(operands):
            self._before.append(computation)
        else:
            self._changing.add(computation.result)
            self._inside.append(computation)

    def _known(self, value: SSAValue) -> Numbers | None:
        """The value of a constant or of a special register, in the first thread."""
        bits = constant_bits(value)
        if bits is not None:
            return np.full(1, bits).astype(dtype_of(value.type))
        if isinstance(value.owner, SpecialRegisterOp):
            name = value.owner.register.data
            return np.full(1, special(name, self._sizes, self._rank), np.uint32)
        return None

    def _computation(self, value: SSAValue) -> tuple[Sequence[SSAValue], Callable[..., Numbers]]:
        """The operands of a value, and the function that computes it from their values."""
        op = value.owner
        if value in self._passed:
            return (self._passed[value],), _same
        if isinstance(op, Block):
            raise Unknown
        if isinstance(op, ShflSyncOp) and value is op.d:
            return (op.a,), _same
        if not op.has_trait(Pure) or isinstance(op, AddressOfOp):
            raise Unknown
        step = self._step_of(op)
        if not isinstance(step, Lanewise):
            raise Unknown
        return op.operands, step.function


def special(name: str, sizes: LaunchSizes, rank: int = 0) -> int:
    """The value of a special register in the first thread of the CTA with a rank in a cluster."""
    if name == "cluster_ctarank":
        return rank
    if name == "cluster_nctarank":
        return prod(sizes.cluster)
    base, _, axis = name.partition(".")
    if not axis or base not in VECTORS:
        return 0
    x, y, _ = sizes.cluster
    place = rank % x, rank // x % y, rank // (x * y)
    first = (p * c for p, c in zip(sizes.alone or (0, 0, 0), sizes.cluster, strict=True))
    cta = [a + b for a, b in zip(first, place, strict=True)]
    return VECTORS[base](cta, sizes)["xyz".index(axis)]


class Iterations(Evaluation):
    """
    How often a loop runs, as a function of parameters. Raises Unknown if the number depends on more
    than these parameters.
    """

    def __init__(
        self,
        loop: Loop,
        step_of: Callable[[Operation], Step],
        sizes: LaunchSizes,
        parameters: Iterable[SSAValue],
        rank: int = 0,
    ):
        super().__init__(step_of, sizes, parameters, loop.passed, rank)
        self._continues_if = loop.continues_if
        carried = loop.deciding()
        first = [self._index(loop.carried[each][0]) for each in carried]
        arguments = [self._new(each) for each in carried]
        self._changing.update(arguments)
        self._condition = self._index(loop.condition)
        following = [self._index(loop.carried[each][1]) for each in carried]
        self._carried = [*zip(arguments, first, following, strict=True)]

    def at(self, parameters: Mapping[SSAValue, Numbers], most: int) -> Numbers:
        """How often the loop runs at these parameters, at most `most` times; their types are those
        of registers."""
        # Parameters that are tried together may divide by 0; like a GPU, the result is a number.
        with np.errstate(all="ignore"):
            return self._at(parameters, most)

    def _at(self, parameters: Mapping[SSAValue, Numbers], most: int) -> Numbers:
        registers = self._begun(parameters)
        for argument, first, _ in self._carried:
            registers[argument] = registers[first]
        count: Numbers = np.zeros(1, np.int64)
        alive: Numbers = np.ones(1, np.bool_)
        for _ in range(most):
            _compute(self._inside, registers)
            alive = alive & (registers[self._condition] == self._continues_if)
            if not alive.any():
                break
            count = count + alive
            values = [registers[following] for _, _, following in self._carried]
            for (argument, _, _), value in zip(self._carried, values, strict=True):
                registers[argument] = value
        return count


def _compute(computations: Iterable[_Computation], registers: list[Any]) -> None:
    for function, operands, result in computations:
        registers[result] = function(*[registers[each] for each in operands])


def _same(value: Numbers) -> Numbers:
    return value


_LARGE = 4096
"""Value of a number on which no loop depends."""
_BITS = 32
"""The size of the integers whose products may overflow."""
_NEAR = {n + d for n in range(128, 1025, 8) for d in (-1, 1)}
CANDIDATES = np.array(sorted({*range(129), *range(128, 2049, 8), *range(0, 32769, 64), *_NEAR}))
_ALIGNED = np.zeros(1, np.uint64)
_Cost = Callable[[Numbers], Numbers]
"""The cost of iterations that a loop runs."""


class _Choice(NamedTuple):
    """A value of a number, and its cost; infinite if no value is allowed."""

    cost: float
    value: int


@dataclass(eq=False)
class Group:
    """
    Loops over rings of equally many stages, inside equally many loops, and the numbers on which
    they depend; of several numbers of one loop, the one that changes its iterations most.

    The loops of the producer and of the consumer of a ring may depend on different numbers, which
    each launch keeps consistent. A loop over tiles is in another group than the loops over the
    blocks of a tile, because the two need not run equally often.
    """

    stages: int
    depth: int
    """The number of loops around each of the loops."""
    loops: list[Loop] = field(default_factory=list[Loop])
    numbers: list[BlockArgument] = field(default_factory=list[BlockArgument])


def _uses_barriers(loop: Loop, loops: Iterable[Loop]) -> bool:
    """Whether the iterations of a loop use barrier objects, and not only to ask again."""
    return not is_poll(loop) and any(map(barriers_of, direct_operations(loop, loops)))


class BaseValues:
    """The base values of a kernel, at the sizes of a launch."""

    def __init__(self, skeleton: Skeleton, sizes: LaunchSizes):
        pointers, numbers = skeleton.pointers, skeleton.numbers
        self.sizes, self._waiting = sizes, skeleton.waiting
        contracts = skeleton.kernel.contracts()
        self._contracts = {p: contracts[p.index] for p in numbers}
        self._pointers, self._stages = pointers, skeleton.stage_numbers
        self._ops, self._decisive = skeleton.ops, skeleton.decisive
        self._all_loops = [loop for loop in skeleton.loops if not is_poll(loop)]
        self._masks = lane_masks(skeleton.ops, numbers)
        self._small = _small_factors(skeleton.ops.ops, numbers)
        self._base = {p: self._default(p) for p in self._contracts}
        step_of = cache(skeleton.program.step)
        self._loops: list[tuple[Loop, list[BlockArgument]]] = []
        self.uncounted: list[SizedLoop] = []
        """Loops whose number of iterations depends on parameters and on more."""
        self._iterations: dict[Loop, Iterations] = {}
        self._in_peers: dict[Loop, list[Iterations]] = {}
        """The iterations in the other CTAs of the cluster, of loops that depend on the place in
        it."""
        for loop in skeleton.loops:
            found = parameters_of(loop, numbers)
            try:
                iterations = Iterations(loop, step_of, sizes, (*numbers, *pointers))
            except Unknown:
                if found or _uses_barriers(loop, skeleton.loops):
                    self.uncounted.append(SizedLoop(loop, tuple(found), 0, MOST_ITERATIONS))
                continue
            if found:
                self._iterations[loop] = iterations
                self._loops.append((loop, found))
                if depends_on_member(sources_of(loop)):
                    self._in_peers[loop] = [
                        Iterations(loop, step_of, sizes, (*numbers, *pointers), rank)
                        for rank in range(1, prod(sizes.cluster))
                    ]
            elif cta_axes(sources_of(loop)):
                self.uncounted.append(SizedLoop(loop, (), 0, MOST_ITERATIONS))
        self._known_tables: dict[Hashable, Numbers] = {}
        self._bounds: dict[Loop, tuple[int, int]] = {}
        self._tables = self._all_tables()
        self._base = min(self._bases(), key=self._cost_of)
        self._tables = self._all_tables()
        self._groups = self._all_groups()
        for group in reversed(self._groups):
            self._choose(self._together(group, _from_two))

    def _bases(self) -> list[dict[BlockArgument, int]]:
        """
        Values with which loops run about twice.

        A loop may depend on several numbers: each choice takes those before it into account. The
        first numbers are large, like rows of a matrix, or small, because their product may
        overflow, or as small as the loops need to run, such as a number of rows in each tile.
        """
        found: list[dict[BlockArgument, int]] = []
        numbers, base, starts = [*self._tables], self._base, [dict[BlockArgument, int]()]
        if len(numbers) > 1:
            starts += ({p: least(p) for p in numbers} for least in (self._smallest, self._needed))
        for start in starts:
            self._base = base | start
            self._tables = self._all_tables()
            for p in numbers:
                self._choose({p: self._best(p, _from_two).value})
            found.append(self._base)
        return found

    def _cost_of(self, base: Mapping[BlockArgument, int]) -> int:
        """How far the loops are from two iterations."""
        changed = {p: np.array([value]) for p, value in base.items()}
        return sum(int(_from_two(self._counts(loop, changed))[0]) for loop, _ in self._loops)

    def _smallest(self, p: BlockArgument) -> int:
        """The smallest value of a number that its contract allows; at 0 a kernel does nothing."""
        allowed = CANDIDATES[(CANDIDATES != 0) & self.allowed(p)]
        return int(allowed[0]) if allowed.size else self._base[p]

    def _needed(self, p: BlockArgument) -> int:
        """The smallest value of a number with which each loop that depends on it runs."""
        runs = [table > 0 for _, table in self._tables[p]]
        needed = CANDIDATES[np.logical_and.reduce([CANDIDATES != 0, self.allowed(p), *runs])]
        return int(needed[0]) if needed.size else self._base[p]

    def _choose(self, values: Mapping[BlockArgument, int]) -> None:
        self._base |= values
        self._tables = self._all_tables()

    def _all_tables(self) -> dict[BlockArgument, list[tuple[Loop, Numbers]]]:
        """Number -> the loops that depend on it, and how often each runs for each candidate, less
        its smallest number of iterations."""
        tables: dict[BlockArgument, list[tuple[Loop, Numbers]]] = {}
        for loop, found in self._loops:
            for p in found:
                tables.setdefault(p, []).append((loop, self._table(loop, p)))
        return tables

    def _table(self, loop: Loop, p: BlockArgument) -> Numbers:
        """How often a loop runs for each candidate of a number, less its smallest number of
        iterations. It changes only with the other numbers on which the loop depends."""
        used = {*self._iterations[loop].parameters}
        key = loop, p, *(value for q, value in self._base.items() if q in used and q is not p)
        if key not in self._known_tables:
            table = self._counts(loop, {p: CANDIDATES})
            whole = np.broadcast_to(table, CANDIDATES.shape)
            # A pipelined loop runs some iterations more than there are blocks.
            self._known_tables[key] = whole - whole.min()
            least, most = self._bounds.get(loop, (MOST_ITERATIONS, 0))
            self._bounds[loop] = min(least, int(whole.min())), max(most, int(whole.max()))
        return self._known_tables[key]

    def _all_groups(self) -> list[Group]:
        groups: list[Group] = []
        bodies = {loop.body for loop in self._all_loops}
        for loop, found in self._loops:
            reach = {
                p: int(table.max())
                for p in found
                for each, table in self._tables.get(p, ())
                if each is loop
            }
            if not reach:
                continue
            depth = sum(loop.body < body for body in bodies)
            for group in groups:
                if (group.stages, group.depth) == (loop.stages, depth):
                    break
            else:
                group = Group(loop.stages, depth)
                groups.append(group)
            group.loops.append(loop)
            if not any(p in group.numbers for p in reach):
                group.numbers.append(max(reach, key=reach.__getitem__))
        # Two rounds of an inner loop take fewer instructions than those of a loop over tiles.
        return sorted(groups, key=lambda each: (-each.stages, -each.depth))

    def _best(self, p: BlockArgument, cost: _Cost, among: Numbers | bool = True) -> _Choice:
        """The value for which the costs of the iterations of all loops have the least sum; among
        equals, the roundest."""
        # At 0 a kernel does nothing.
        legal = (CANDIDATES != 0) & self.allowed(p) & among
        if not legal.any():
            return _Choice(inf, self._base[p])
        costs = np.where(legal, 0.0, np.inf)
        costs += sum(cost(table) for _, table in self._tables[p])
        least = costs.min()
        return _Choice(float(least), roundest(CANDIDATES[costs == least]))

    def _together(self, group: Group, cost: _Cost) -> dict[BlockArgument, int]:
        """The best values with which the loops of a group run equally often; without such values,
        the best of each number."""
        best = {p: self._best(p, cost) for p in group.numbers}
        if len(best) > 1:
            counts = {p: self._counts_in(group, p) for p in best}
            equal = [
                {p: self._best(p, cost, counts[p] == count) for p in best}
                for count in range(MOST_ITERATIONS + 1)
            ]
            cheapest = min(equal, key=_sum_of_costs)
            if _sum_of_costs(cheapest) < inf:
                best = cheapest
        return {p: choice.value for p, choice in best.items()}

    def _counts_in(self, group: Group, p: BlockArgument) -> Numbers:
        """For each candidate, the iterations of the loop of a group that runs most often. If the
        loops of the group depend on several numbers, iterations before a loop count, too."""
        tables = [table for loop, table in self._tables[p] if loop in group.loops]
        if len(group.numbers) > 1:
            tables = [table + peeled(table) * (table > 0) for table in tables]
        return np.max(tables, axis=0)

    def allowed(self, p: BlockArgument, among: Numbers = CANDIDATES) -> Numbers:
        """Mask of the candidates that the contract of a number allows."""
        if p in self._masks:
            return among == 0
        contract = self._contracts[p]
        least = 0 if contract.at_least is None else contract.at_least
        most = among[-1] if contract.at_most is None else contract.at_most
        return (least <= among) & (most >= among) & (among % contract.multiple_of == 0)

    @property
    def linked(self) -> list[set[BlockArgument]]:
        """The numbers that decide how often loops over one ring run, if there are several."""
        return [{*each.numbers} for each in self._groups if each.stages > 1]

    @property
    def stage_numbers(self) -> Sequence[BlockArgument]:
        """The numbers that are numbers of stages."""
        return self._stages

    def _default(self, p: BlockArgument, largest: int = 0) -> int:
        """The value of a number on which no loop depends."""
        if p in self._masks:
            return 0
        contract = self._contracts[p]
        if p in self._stages:
            return contract.smallest_from(2)
        return _default(p, contract, largest, self._small.get(p))

    def _counts(self, loop: Loop, changed: Mapping[BlockArgument, Numbers]) -> Numbers:
        """How often a loop runs at values of some numbers; the others have those chosen so far."""
        return self._iterations[loop].at(self.registers(changed), MOST_ITERATIONS)

    def registers(self, changed: Mapping[BlockArgument, Numbers]) -> dict[SSAValue, Numbers]:
        """The parameters as registers, at values of some numbers; the others have those chosen so
        far."""
        # The addresses of arrays are aligned.
        found: dict[SSAValue, Numbers] = dict.fromkeys(self._pointers, _ALIGNED)
        found |= {p: changed.get(p, np.array([value])) for p, value in self._base.items()}
        return {p: value.astype(dtype_of(p.type)) for p, value in found.items()}

    @property
    def numbers(self) -> Iterable[BlockArgument]:
        """The numbers that are chosen."""
        return self._base


def peeled(table: Numbers) -> int:
    """Number of iterations that come before a loop: by the values of a number where the loop first
    runs once and twice."""
    once, twice = (int(CANDIDATES[np.argmax(table >= count)]) for count in (1, 2))
    before = (once - 1) // (twice - once) if twice > once else 0
    return before if before <= MOST_STAGES else 0


def _from_two(iterations: Numbers) -> Numbers:
    return np.abs(iterations - 2)


def _sum_of_costs(choices: Mapping[BlockArgument, _Choice]) -> float:
    return sum(choice.cost for choice in choices.values())


class _Product(NamedTuple):
    """A product of numbers and constants, and the bits that it shifts a 1 to if all numbers are
    large."""

    factors: frozenset[BlockArgument] = frozenset()
    bits: int = 0


def _small_factors(
    ops: Iterable[Operation], numbers: Collection[BlockArgument]
) -> dict[BlockArgument, int]:
    """Small values of numbers, such as those of the tiles along three axes, whose product overflows
    if all are large. The product of the small values is 2."""
    products: dict[SSAValue, _Product] = {
        p: _Product(frozenset((p,)), _LARGE.bit_length() - 1) for p in numbers
    }
    small: dict[BlockArgument, int] = {}

    def product(*values: SSAValue) -> _Product:
        found = (
            products.get(v) or _Product(bits=abs(constant_value(v) or 1).bit_length() - 1)
            for v in values
        )
        factors, bits = zip(*found, strict=True)
        return _Product(frozenset().union(*factors), sum(bits))

    for op in ops:
        match op:
            case arith.MuliOp():
                found = product(*op.operands)
            case MulOp() if word_of(op, "half") == "lo":
                found = product(*op.operands)
            case MadOp():
                found = max(product(op.a, op.b), product(op.c), key=lambda each: each.bits)
            case ShlOp() | arith.ShLIOp():
                a, amount = op.operands
                factors, bits = product(a)
                found = _Product(factors, bits + (constant_value(amount) or 0))
            case _:
                continue
        if not found.factors or register_bits(op.results[0].type) != _BITS:
            continue
        products[op.results[0]] = found
        if len(found.factors) > 1 and found.bits >= _BITS - 1:
            first = min(found.factors, key=lambda p: p.index)
            small |= {p: 2 if p is first else 1 for p in found.factors}
    return small


def _default(
    p: BlockArgument, contract: Contract, largest: int = 0, small: int | None = None
) -> int:
    """The value of a number on which no loop depends. It keeps its contract, and is at least
    `small` or, if `small` is None, the largest number on which loops depend."""
    if isinstance(p.type, AnyFloat):
        return bits_of(1.0, p.type)
    large = max(_LARGE, 1 << (largest - 1).bit_length()) if small is None else small
    return contract.smallest_from(large if (register_bits(p.type) or 0) >= 32 else 0)


def roundest(values: Numbers) -> int:
    """The value that the largest power of two divides; the smallest of these."""
    # Of 0, every power of two is a divisor.
    power = np.where(values == 0, 1 << 30, values & -values)
    return int(values[power == power.max()].min())
